"""The meter: every request of one conversation reserved before, settled after, written down."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from gaugeblock.metering.accounts import Account, hold
from gaugeblock.metering.costs import Size, Tariff, cost, reserve
from gaugeblock.metering.limits import BillingUnknown, LimitReached
from gaugeblock.metering.pacing import Pacer
from gaugeblock.metering.reading import read_usage
from gaugeblock.metering.totals import totals
from gaugeblock.records.prices import PriceRow
from gaugeblock.records.profile import Profile
from gaugeblock.records.store import Journal, now
from gaugeblock.records.usage import BUCKETS, Buckets, Request, Usage

NOT_BILLED = {
    "local": "a server of one's own bills nothing",
    "subscription": "a subscription has no price by the token",
}

SENT, ENDED = "request-sent", "request-ended"
"""Kinds of lines in usage.jsonl: a request that has only the first was in flight when the run
died."""


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
    """

    raw_usage: dict[str, Any] | None
    model: str | None
    finish: str | None
    http_status: int | None = 200
    reported_cost_usd: Decimal | None = None
    first_token_s: float | None = None


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
            cap: USD of this conversation, tested on settled costs after each answer.
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
            if self._gate.shut:
                raise BillingUnknown(self._gate.shut)
            if self._tariff.row is None:
                raise LimitReached("budget", f"no reserve can be set: {self._tariff.why_not}")
            amount = reserve(size, self._tariff.row, self._profile.image_tokens)
            hold(self._accounts, amount)
        try:
            waited = await self._pacer.wait(size)
        except BaseException:  # ended while waiting: nothing was sent, so nothing is owed
            self._settle_accounts(amount, Decimal(0))
            raise
        self.sent += 1
        if self.sent == 1:
            self._mark()
        reserved = None if amount is None else str(amount)
        self._journal.append(SENT, round=self._round, request=self.sent, reserve_usd=reserved)
        return Ticket(self.sent, size, amount, waited, now(), time.monotonic())

    def settle(self, ticket: Ticket, answer: Answer) -> None:
        """Account for an answer.

        Raises:
            LimitReached: `budget`: the conversation's cap is passed; the overshoot is on record.
        """
        took = time.monotonic() - ticket.begun
        buckets = read_usage(self._profile.dialect, answer.raw_usage)
        holes = [f"{name}: {buckets.unknown[name]}" for name in BUCKETS if name in buckets.unknown]
        self._close(ticket, answer, buckets, took, holes[0] if holes else "")
        if self._cap is not None and self._spent > self._cap:
            raise LimitReached("budget", f"{self._spent} USD spent, {self._cap} allowed")

    def fail(self, ticket: Ticket, failure: str, http_status: int | None = None) -> None:
        """Account for a request without a usable answer: its cost is unknown.

        Args:
            ticket: of the request.
            failure: one line.
            http_status: where there was an answer.
        """
        took = time.monotonic() - ticket.begun
        none = Buckets(unknown=dict.fromkeys((*BUCKETS, "reasoning"), failure))
        silent = Answer(None, None, None, http_status)
        self._close(ticket, silent, none, took, failure, failed=failure)

    def usage(self) -> Usage:
        """Return the conversation's totals."""
        not_billed = NOT_BILLED.get(self._profile.billing)
        return totals(self.requests, self.sent, self._tariff, not_billed)

    def _close(
        self,
        ticket: Ticket,
        answer: Answer,
        buckets: Buckets,
        took: float,
        hole: str,
        failed: str = "",
    ) -> None:
        spent, why = self._cost(buckets)
        # What the provider itself says comes first; where nothing is known, all that was set aside.
        known = (answer.reported_cost_usd, spent, ticket.reserve)
        charge = next((amount for amount in known if amount is not None), Decimal(0))
        self._settle_accounts(ticket.reserve, charge)
        self._spent += charge
        if self.metered and hole:
            self._gate.shut_by(f"request {ticket.number} of round {self._round}: {hole}")
        rate = _rate(buckets, took, answer.first_token_s)
        values: dict[str, tuple[Any, str]] = {
            "model_reported": (answer.model, failed or "the answer names no model"),
            "http_status": (answer.http_status, failed or "not told"),
            "reserve_usd": (_text(ticket.reserve), NOT_BILLED.get(self._profile.billing, why)),
            "provider_s": (took, ""),
            "first_token_s": (answer.first_token_s, failed or "the answer was not streamed"),
            "output_per_s": (rate, failed or "no stream with a count of output tokens"),
            "finish": (answer.finish, failed or "not told"),
            "raw_usage": (answer.raw_usage, failed or "the answer has no usage"),
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

    def _cost(self, buckets: Buckets) -> tuple[Decimal | None, str]:
        if not self.metered:
            return None, NOT_BILLED[self._profile.billing]
        if self._tariff.row is None:
            return None, self._tariff.why_not
        return cost(buckets, self._tariff.row)

    def _settle_accounts(self, held: Decimal | None, charge: Decimal) -> None:
        if held is None:
            return
        for account in self._accounts:
            account.settle(held, charge)


def _text(amount: Decimal | None) -> str | None:
    return None if amount is None else f"{amount:f}"


def _rate(buckets: Buckets, took: float, first: float | None) -> float | None:
    """Return output tokens/s after the first piece; None where that means nothing."""
    if first is None or buckets.output is None or took <= first:
        return None
    return buckets.output / (took - first)
