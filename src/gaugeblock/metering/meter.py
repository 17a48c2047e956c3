"""The meter: every request of one conversation reserved before, settled after, written down."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import Any

from gaugeblock.metering.accounts import Account, charge, hold
from gaugeblock.metering.costs import Size, Tariff, bill, reserve
from gaugeblock.metering.limits import BillingUnknown, LimitReached
from gaugeblock.metering.pacing import Pacer
from gaugeblock.metering.reading import read_usage
from gaugeblock.metering.reading.reported import TELLING
from gaugeblock.metering.totals import totals
from gaugeblock.records.base import canonical_json
from gaugeblock.records.profile import Profile
from gaugeblock.records.store import Journal, now
from gaugeblock.records.usage import BUCKETS, Buckets, Request, Usage

NOT_BILLED = {
    "local": "a server of one's own bills nothing",
    "subscription": "a subscription has no price by the token",
}

MOST_LETTERS = 500
"""Of a provider's message or name that is kept."""

LARGEST_USAGE_BYTES = 64_000
"""A usage object has some hundred bytes; a larger one is rubbish and is not kept."""

DEEPEST_USAGE = 10
"""Levels of a usage object that is kept; real ones have three, and readers of JSON give up at some
two hundred."""

SENT, ENDED = "request-sent", "request-ended"
"""Kinds of lines in usage.jsonl: a request that has only the first was in flight when the run
died."""


STOPPED = "stopped while in flight"


@dataclass(frozen=True)
class Answer:
    """What an answer says of itself.

    Attributes:
        raw_usage: as received; None where the answer has none.
        model: that answered, by the provider's word.
        finish: why it ended, in the provider's word.
        http_status: of the answer.
        reported_cost_usd: what the provider says it cost.
        first_token_s: sent → first piece, where it streamed, s.
        service_tier: that served it, where the answer names one beside its usage.
        usage_fault: why a usage that came cannot be believed; then `raw_usage` is None.
    """

    raw_usage: dict[str, Any] | None
    model: str | None
    finish: str | None
    http_status: int | None = 200
    reported_cost_usd: Decimal | None = None
    first_token_s: float | None = None
    service_tier: str | None = None
    usage_fault: str = ""


@dataclass(frozen=True)
class Ticket:
    """A request that may be sent, or was."""

    number: int
    size: Size
    reserve: Decimal | None
    waited_s: float
    sent_at: str
    begun: float


class Gate:
    """Shut for good by a request of unknown billing; shared by a whole invocation."""

    def __init__(self, *, stays_open: bool = False) -> None:
        """Open the gate.

        Args:
            stays_open: go on after such a request, as `--continue-after-error` asks.
        """
        self._stays_open = stays_open
        self.shut: str = ""

    def shut_by(self, why: str) -> None:
        """Note a request of unknown billing."""
        if not self._stays_open and not self.shut:
            self.shut = why


class Meter:
    """Accounts for the requests of one conversation."""

    def __init__(
        self,
        *,
        profile: Profile,
        tariff: Tariff,
        accounts: tuple[Account, ...],
        gate: Gate,
        pacer: Pacer,
        round_id: str,
        journal: Journal,
        cap: Decimal | None = None,
        mark: Callable[[], None] = lambda: None,
    ) -> None:
        """Start an account.

        Args:
            profile: who asks.
            tariff: its prices.
            accounts: the budgets of the invocation and of the cell.
            gate: whether anything may be sent at all.
            pacer: of the profile.
            round_id: the conversation's round.
            journal: usage.jsonl of the trial.
            cap: USD of this conversation, tested after each answer on what is charged: settled
                costs, and reserves of requests whose cost never came to be known.
            mark: called when the first request is sent.
        """
        self._profile = profile
        self._tariff = tariff
        self._accounts = accounts
        self._gate = gate
        self._pacer = pacer
        self._round = round_id
        self._journal = journal
        self._cap = cap
        self._mark = mark
        self._spent = Decimal(0)
        self._open: dict[int, Ticket] = {}
        self.requests: list[Request] = []
        self.sent = 0

    @property
    def metered(self) -> bool:
        """Whether requests cost money by the token."""
        return self._profile.billing == "metered"

    async def open(self, size: Size) -> Ticket:
        """Set money aside for a request, wait for its turn, and note that it is sent now.

        Raises:
            LimitReached: `budget`: what it may cost does not fit; it must not be sent.
            BillingUnknown: an earlier request's cost is unknown; it must not be sent.
        """
        amount = None
        if self.metered:
            self._require_open_gate()
            if self._tariff.row is None:
                raise LimitReached("budget", f"no reserve can be set: {self._tariff.why_not}")
            amount = reserve(size, self._tariff.row, self._profile.image_tokens)
            hold(self._accounts, amount)
        try:
            waited = await self._pacer.wait(size)
            if self.metered:  # another conversation may have shut it meanwhile
                self._require_open_gate()
        except BaseException:  # ended while waiting: nothing was sent, so nothing is owed
            self._settle_accounts(amount, Decimal(0))
            raise
        self.sent += 1
        if self.sent == 1:
            self._mark()
        self._journal.append(SENT, round=self._round, request=self.sent, reserve_usd=_text(amount))
        ticket = Ticket(self.sent, size, amount, waited, now(), time.monotonic())
        self._open[ticket.number] = ticket
        return ticket

    def settle(self, ticket: Ticket, answer: Answer) -> None:
        """Account for an answer.

        Raises:
            LimitReached: `budget`: the conversation's cap is passed; the overshoot is on record.
        """
        took = time.monotonic() - ticket.begun
        raw, why_none = _kept(answer.raw_usage)
        answer = replace(answer, raw_usage=raw)
        buckets = read_usage(self._profile.dialect, raw)
        self._close(ticket, answer, buckets, took, answer.usage_fault or why_none)
        if self._cap is not None and self._spent > self._cap:
            raise LimitReached("budget", f"{self._spent:f} USD spent, {self._cap:f} allowed")

    def fail(self, ticket: Ticket, failure: str, http_status: int | None = None) -> None:
        """Account for a request without a usable answer: its cost is unknown.

        Args:
            ticket: of the request.
            failure: one line.
            http_status: where there was an answer.
        """
        self._fail(ticket, failure, http_status, time.monotonic() - ticket.begun)

    def abandon(self, ticket: Ticket) -> None:
        """Account for a request that was stopped in flight: nobody will read its answer."""
        self.fail(ticket, STOPPED)

    def _fail(
        self, ticket: Ticket, failure: str, http_status: int | None, took: float | None
    ) -> None:
        failure = _line(failure) or "failed without a word"
        none = Buckets(unknown=dict.fromkeys((*BUCKETS, "reasoning"), failure))
        silent = Answer(None, None, None, http_status)
        self._close(ticket, silent, none, took, failure, failed=failure)

    def usage(self) -> Usage:
        """Return the conversation's totals.

        A request that is still open was cut off in flight, and nobody will read its answer: it is
        closed here as one of unknown billing.
        """
        for ticket in tuple(self._open.values()):
            self._fail(ticket, STOPPED, None, None)
        not_billed = NOT_BILLED.get(self._profile.billing)
        return totals(self.requests, self.sent, self._tariff, not_billed)

    def _close(
        self,
        ticket: Ticket,
        answer: Answer,
        buckets: Buckets,
        took: float | None,
        no_usage: str,
        failed: str = "",
    ) -> None:
        if self._open.pop(ticket.number, None) is None:
            raise ValueError(f"request {ticket.number} is accounted for already")
        spent, why = (None, failed) if failed else self._cost(ticket, answer, buckets)
        if not self.metered:
            why = NOT_BILLED[self._profile.billing]
        hole = failed or self._hole(answer, buckets, spent, why)
        owed = charge(not hole, answer.reported_cost_usd, spent, ticket.reserve)
        self._settle_accounts(ticket.reserve, owed)
        self._spent += owed
        if self.metered and hole:
            self._gate.shut_by(f"request {ticket.number} of round {self._round}: {hole}")
        rate = _rate(buckets, took, answer.first_token_s)
        values: dict[str, tuple[Any, str]] = {
            "model_reported": (_line(answer.model), failed or "the answer names no model"),
            "service_tier": (_line(answer.service_tier), failed or "not told"),
            "http_status": (answer.http_status, failed or "not told"),
            "reserve_usd": (_text(ticket.reserve), why),
            "provider_s": (took, failed),
            "first_token_s": (answer.first_token_s, failed or "the answer was not streamed"),
            "output_per_s": (rate, failed or "no stream with a count of output tokens"),
            "finish": (_line(answer.finish), failed or "not told"),
            "raw_usage": (answer.raw_usage, no_usage),
            "cost_usd": (_text(spent), why),
            "reported_cost_usd": (_text(answer.reported_cost_usd), failed or "not reported"),
        }
        request = Request(
            number=ticket.number,
            round=self._round,
            dialect=str(self._profile.dialect),
            model_asked=str(self._profile.model),
            sent_at=ticket.sent_at,
            settled=not hole,
            failure=failed,
            request_bytes=ticket.size.request_bytes,
            image_bytes=ticket.size.image_bytes,
            waited_s=ticket.waited_s,
            buckets=buckets,
            **{name: value for name, (value, _) in values.items()},
            unknown={name: why for name, (value, why) in values.items() if value is None},
        )
        self.requests.append(request)
        self._journal.append(ENDED, **request.model_dump(mode="json"))

    def _require_open_gate(self) -> None:
        if self._gate.shut:
            raise BillingUnknown(self._gate.shut)

    def _cost(self, ticket: Ticket, answer: Answer, buckets: Buckets) -> tuple[Decimal | None, str]:
        if not self.metered:
            return None, NOT_BILLED[self._profile.billing]
        if answer.usage_fault:
            return None, answer.usage_fault
        return bill(
            self._profile.dialect,
            answer.raw_usage,
            buckets,
            self._tariff,
            service_tier=answer.service_tier,
            day=date.fromisoformat(ticket.sent_at[:10]),
        )

    def _hole(self, answer: Answer, buckets: Buckets, spent: Decimal | None, why: str) -> str:
        """Return what an answer leaves unknown of what was billed, or nothing."""
        if self.metered:
            told = answer.reported_cost_usd is not None and self._profile.dialect == TELLING
            return why if spent is None and not told else ""
        return next((f"{n}: {buckets.unknown[n]}" for n in BUCKETS if n in buckets.unknown), "")

    def _settle_accounts(self, held: Decimal | None, owed: Decimal) -> None:
        if held is None:
            return
        for account in self._accounts:
            account.settle(held, owed)


def _text(amount: Decimal | None) -> str | None:
    return None if amount is None else f"{amount:f}"


def _line(text: str | None) -> str | None:
    """Return other people's text as one line that can be written down; None where it is empty."""
    if text is None:
        return None
    return " ".join(text[:MOST_LETTERS].split()).encode("utf-8", "replace").decode() or None


def _kept(raw: Mapping[str, Any] | None) -> tuple[dict[str, Any] | None, str]:
    """Return a usage object if a record can hold it as it came, and why not otherwise."""
    if raw is None:
        return None, "the answer has no usage"
    if not isinstance(raw, dict) or not _shallow(raw, DEEPEST_USAGE):
        return None, f"the usage is no object of up to {DEEPEST_USAGE} levels"
    try:
        size = len(canonical_json(raw))
    except (ValueError, TypeError):  # NaN, lone surrogates
        return None, "the usage object cannot be written as JSON"
    if size > LARGEST_USAGE_BYTES:
        return None, f"the usage object is larger than {LARGEST_USAGE_BYTES:,} bytes"
    return raw, ""


def _shallow(value: object, levels: int) -> bool:
    """Whether a value has no more than so many levels of objects and lists."""
    if not isinstance(value, (dict, list)):
        return True
    inner = value.values() if isinstance(value, dict) else value
    return levels > 0 and all(_shallow(item, levels - 1) for item in inner)


def _rate(buckets: Buckets, took: float | None, first: float | None) -> float | None:
    """Return output tokens/s after the first piece; None where that means nothing."""
    if took is None or first is None or buckets.output is None or took <= first:
        return None
    return buckets.output / (took - first)
