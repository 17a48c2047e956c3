"""What must become of each fault of a provider. The rules of the protocol, as data."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from gaugeblock.agents.mock import Tokens
from gaugeblock.records.trial import RoundResult

NO_FAULT = "none"
"""The control: the first answer is good."""

NO_ANSWER = (
    "http-401",
    "http-429",
    "http-500",
    "drop",
    "drop-mid-body",
    "hang",
    "hang-mid-body",
    "malformed-json",
    "cut-short",
    "error-in-body",
)
"""No usable answer: the provider failed, and nobody knows what the request costs."""

NO_USAGE = ("missing-usage", "inconsistent-totals")
"""A good answer of unknown cost: it is used, and nothing paid comes after it."""

WRONG_ARGUMENTS = ("arguments-not-json", "arguments-no-object", "arguments-against-schema")
"""The model's own fault: it is told, and goes on."""

EMPTY_IS_AN_ANSWER = ("openai-responses", "xai-responses", "anthropic-messages")
"""Dialects in which a model may say nothing at all; in the others an answer without its one choice
or candidate is malformed."""

TELLS_ITS_COST = ("xai-responses",)
"""Dialects whose provider says itself what a request cost: then tokens that contradict each other
leave no cost unknown."""


@dataclass(frozen=True)
class Expected:
    """What one fault must lead to.

    Attributes:
        outcome: of the conversation.
        calls: requests on the wire.
        settled: whether every request's cost is known.
        usage_known: whether its tokens are.
        tool_calls: at the desk.
        commits: of the document.
    """

    outcome: str
    calls: int
    settled: bool = True
    usage_known: bool = True
    tool_calls: int = 0
    commits: int = 0

    def differences(
        self, result: RoundResult, calls: int, tokens: Tokens, cost: Decimal
    ) -> list[str]:
        """Return what is otherwise.

        Args:
            result: of the conversation.
            calls: requests on the wire, counted at the server.
            tokens: of each answer.
            cost: of each answer, USD.
        """
        usage = result.usage
        if usage is None:
            return [f"no usage record: {result.outcome}"]
        found = {
            "outcome": (result.outcome, self.outcome),
            "wire calls": (calls, self.calls),
            "counted calls": (usage.provider_calls, self.calls),
            "unsettled calls": (usage.unsettled_calls, 0 if self.settled else 1),
            "tool calls": (result.tool_calls, self.tool_calls),
            "commits": (result.commits, self.commits),
        }
        known = self.calls if self.usage_known else None
        for name, count in (
            ("input_uncached", tokens.input),
            ("cache_read", tokens.cache_read),
            ("output", tokens.output),
        ):
            found[name] = (getattr(usage, name), None if known is None else count * known)
        charge = usage.cost_usd
        found["cost"] = (charge and Decimal(charge), None if known is None else cost * known)
        wrong = [
            f"{name} {was}, must be {must}" for name, (was, must) in found.items() if was != must
        ]
        unexplained = [
            name
            for name in ("input_uncached", "output", "cost_usd")
            if getattr(usage, name) is None and not usage.unknown.get(name)
        ]
        return [*wrong, *(f"{name} is null without a reason" for name in unexplained)]

    def events(self) -> list[str]:
        """Return the kinds of events that the journal must hold."""
        kinds = ["round-started", "instruction"]
        kinds += ["tool-call"] if self.tool_calls else []
        kinds += ["error"] if self.outcome.startswith("error") else ["agent-done", "graded"]
        return [*kinds, "round-ended"]


def expected(fault: str, dialect: str) -> Expected:
    """Return what must become of a fault in a dialect.

    The conversation is: one plan that can be committed, then a last word.

    Raises:
        ValueError: there is no rule for it.
    """
    if fault in (NO_FAULT, "usage-repeated"):
        return Expected("passed", calls=2, tool_calls=1, commits=1)
    if fault in NO_ANSWER or (fault == "empty" and dialect not in EMPTY_IS_AN_ANSWER):
        return Expected("error:provider", calls=1, settled=False, usage_known=False)
    if fault == "empty":
        return Expected("no-delivery", calls=1)
    if fault == "inconsistent-totals" and dialect in TELLS_ITS_COST:
        return Expected("passed", calls=2, usage_known=False, tool_calls=1, commits=1)
    if fault in NO_USAGE:
        return Expected(
            "error:provider", calls=1, settled=False, usage_known=False, tool_calls=1, commits=1
        )
    if fault in WRONG_ARGUMENTS:
        return Expected("no-delivery", calls=2, tool_calls=1)
    raise ValueError(f"no rule for fault {fault}")
