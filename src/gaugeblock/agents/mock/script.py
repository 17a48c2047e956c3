"""What a mock provider is told to answer, in no provider's words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

MODEL_PREFIX = "mock-"
"""Every model of a mock provider is named so; other names are unknown to it."""

ODD_TEXT = 'née ≠ née 漢字 🜚 "quoted" back\\slash \t tab\u2028line <b>&amp;</b> end '
"""Text that does not survive careless handling: composed and decomposed accents, a character
outside the first Unicode plane, quotes, escapes, a line separator, markup, a space at the end."""

ODD_SIGNATURE = "EqQB+/8gAAA7/+0vZw=="
"""Standard base64 with all that the URL-safe alphabet would change."""

Finish = Literal["natural", "cut-off", "filtered"]


@dataclass(frozen=True)
class Tokens:
    """A request's tokens in buckets that never overlap; each dialect tells them its own way.

    A dialect without a bucket adds its tokens to the nearest that it has: cache writes count as
    uncached input where they are not told.

    Attributes:
        input: neither read from nor written to a cache, tokens.
        cache_read: tokens.
        cache_write_5min: tokens.
        cache_write_1h: tokens.
        output: reasoning inside, tokens.
        reasoning: a part of output, tokens.
    """

    input: int = 1000
    cache_read: int = 200
    cache_write_5min: int = 0
    cache_write_1h: int = 0
    output: int = 60
    reasoning: int = 20

    @property
    def prompt(self) -> int:
        """All input, cached or not, tokens."""
        return self.input + self.cache_read + self.cache_write_5min + self.cache_write_1h


@dataclass(frozen=True)
class Say:
    """One answer of the model.

    Attributes:
        text: what it says.
        calls: the tools it asks for, name and arguments, in order.
        usage: tokens; or the usage object itself, in the dialect's own words.
        continuation: whether blocks come with it that must go back untouched.
        finish: why it ended; `natural` is the end of a turn, or a wish for tools.
        raw_arguments: sent in place of the first call's arguments, as they stand. Where a dialect
            carries arguments as JSON and not as text, valid JSON travels as such (also when it is
            no object) and anything else as a string; Anthropic's stream carries text.
    """

    text: str = ""
    calls: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    usage: Tokens | Mapping[str, Any] = field(default_factory=Tokens)
    continuation: bool = True
    finish: Finish = "natural"
    raw_arguments: str | None = None


FaultKind = Literal[
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
    "empty",
    "missing-usage",
    "inconsistent-totals",
    "usage-repeated",
    "arguments-not-json",
    "arguments-no-object",
    "arguments-against-schema",
]

FAULTS: tuple[FaultKind, ...] = get_args(FaultKind)

WRONG_ARGUMENTS = {
    "arguments-not-json": '{"length_mm": ',
    "arguments-no-object": "[1, 2, 3]",
    "arguments-against-schema": '{"no_such_parameter": 1}',
}
"""What stands for the arguments, by fault; the call is to the first tool announced."""


@dataclass(frozen=True)
class Fault:
    """One request that goes wrong.

    Attributes:
        kind: how:

            - `http-…`: that status, with headers that invite to try again; 401 quotes the key.
            - `drop`: the connection closes before a byte. `drop-mid-body`: half-way.
            - `hang`: nothing comes until the client leaves; `hang-mid-body`: nothing more.
            - `malformed-json`: 200, but no JSON; in a stream one event is none.
            - `cut-short`: half an answer that ends as if it were whole; in a stream the closing
              events are missing.
            - `error-in-body`: 200, and the body or stream is an error.
            - `empty`: 200 without any content; the usage is there.
            - `missing-usage`, `inconsistent-totals`: a good answer with such a usage.
            - `usage-repeated`: a good answer that tells its usage more than once, as it grows;
              only streams can.
            - `arguments-…`: a tool call with such arguments.

        say: the answer that is spoilt, where there is one.
    """

    kind: FaultKind
    say: Say = field(default_factory=lambda: Say("A spoilt answer."))


Answers = Say | Fault
