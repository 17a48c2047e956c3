"""The fault matrix: what becomes of a conversation when its provider fails, in every dialect.

Each line is two conversations of one invocation with a mock provider over real HTTP. The first
meets the fault; the second asks whether anything paid is still sent. Agent, meter, accounts, desk,
journals and the naming of the outcome are those of every run; only the world is one in memory
(`MockWorld`), and no part is ever made or measured.
"""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from decimal import Decimal
from itertools import product
from pathlib import Path
from typing import get_args

import anyio

from gaugeblock.agents import ApiAgent
from gaugeblock.agents.mock import FAULTS, Fault, FaultKind, MockProvider, MockWorld, Say, Tokens
from gaugeblock.agents.mock.world import GOOD_CALL
from gaugeblock.metering.accounts import Account, charge
from gaugeblock.metering.costs import Tariff
from gaugeblock.metering.meter import ENDED, SENT, Gate, Meter
from gaugeblock.metering.pacing import Pacer
from gaugeblock.records.case import Limits, Round, Truth
from gaugeblock.records.grade import Grade
from gaugeblock.records.prices import PriceRow, Rate
from gaugeblock.records.profile import MOCK_PROVIDER, Dialect, Pacing, Profile
from gaugeblock.records.run_folder import EVENTS, RESULT, USAGE
from gaugeblock.records.store import Journal, read_journal
from gaugeblock.records.trial import RoundResult
from gaugeblock.ruler import Ruler
from gaugeblock.running.course import RoundSetup
from gaugeblock.running.expected_faults import NO_FAULT, Expected, expected
from gaugeblock.running.rounds import run_round_in
from gaugeblock.suites import Delivered
from gaugeblock.worlds import World

DIALECTS: tuple[Dialect, ...] = get_args(Dialect)

LINES = (NO_FAULT, *FAULTS)
"""What a line can be about: nothing wrong, as a control, or a fault."""

KEY = "sk-mock-key-that-nobody-may-write-down"
"""Sent as the key; where it is found in the evidence, a line is wrong."""

BUDGET = Decimal(5)
"""Budget of each line's invocation, USD."""

AT_ONCE = 6
"""Lines at work at the same time: they mostly wait, for a provider that hangs and for the disk."""

PATIENCE_S = 30.0
"""Time a request has, s: none that answers needs it."""

HANG_PATIENCE_S = 2.0
"""Time a request has where the provider hangs, s: enough to send it, and waited for in full."""

PRICES = PriceRow(
    provider=MOCK_PROVIDER,
    model="mock-model",
    source="the fault matrix",
    source_row="mock-model",
    input=Rate(usd_per_mtok="2"),
    cache_read=Rate(usd_per_mtok="0.50"),
    output=Rate(usd_per_mtok="10"),
)

TOKENS = Tokens(input=1000, cache_read=200, output=60, reasoning=20)
"""Of every answer that tells its usage."""

COST = Decimal("0.0027")
"""Of such an answer, by hand: (1,000 × 2 + 200 × 0.50 + 60 × 10) / 1,000,000 USD."""

ASKED = Round(
    id="M1",
    growth=1,
    instruction={"en": "Make the part 12.5 mm long."},
    parameters={},
    truth=Truth(),
)


@dataclass(frozen=True)
class FaultLine:
    """What one fault led to in one dialect.

    Attributes:
        fault: its name; `none` for the control.
        dialect: of the wire.
        stream: whether answers were streamed.
        wire_calls: requests of the conversation that met the fault, counted at the server.
        outcome: of that conversation, with its layer.
        reason: of that outcome.
        usage: input and output tokens; None: unknown.
        usage_reason: why.
        cost_usd: from the prices; None: unknown.
        cost_reason: why.
        charged_usd: what the budget was charged, USD.
        evidence_complete: whether each request was journalled before and after, and every event.
        later_calls: requests of the conversation after it.
        wrong: what is not as it must be; empty: nothing.
    """

    fault: str
    dialect: str
    stream: bool
    wire_calls: int
    outcome: str
    reason: str
    usage: tuple[int, int] | None
    usage_reason: str
    cost_usd: str | None
    cost_reason: str
    charged_usd: str
    evidence_complete: bool
    later_calls: int
    wrong: tuple[str, ...]


def fault_matrix(
    *,
    stream: bool,
    faults: Iterable[str] = LINES,
    dialects: Iterable[Dialect] = DIALECTS,
    on_line: Callable[[FaultLine], None] = lambda _: None,
) -> list[FaultLine]:
    """Try every fault in every dialect.

    Args:
        stream: whether answers are streamed.
        faults: of `LINES`.
        dialects: of `DIALECTS`.
        on_line: called after each line, for progress.
    """

    def tried(fault: str, dialect: Dialect) -> FaultLine:
        with tempfile.TemporaryDirectory() as folder:
            return anyio.run(_line, fault, dialect, stream, Path(folder))

    lines = []
    pairs = list(product(faults, dialects))
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for line in pool.map(tried, *zip(*pairs, strict=True)):
            lines.append(line)
            on_line(line)
    return lines


class _Invocation:
    """One invocation's money, and its conversations with the mock."""

    def __init__(self, mock: MockProvider, profile: Profile, folder: Path) -> None:
        self.account = Account("budget of the line", BUDGET)
        self.folder = folder
        self._mock = mock
        self._profile = profile
        self._gate = Gate()
        self._pacer = Pacer(Pacing())

    async def converse(self, name: str, request_s: float) -> tuple[RoundResult, int]:
        """Hold one conversation; return its result and how many requests were on the wire."""
        place, before = self.folder / name, self._mock.calls
        limits = Limits(
            wall_s=60, tool_calls=4, turns=4, program_s=1, evaluation_s=1, request_s=request_s
        )
        with Journal(place / EVENTS) as journal, Journal(place / USAGE) as usage:
            meter = Meter(
                profile=self._profile,
                tariff=Tariff(PRICES, "", "2026-01-01"),
                accounts=(self.account,),
                gate=self._gate,
                pacer=self._pacer,
                round_id=ASKED.id,
                journal=usage,
            )
            setup = RoundSetup("0001.mock", ASKED, limits, "en", None, place / ASKED.id, meter)
            agent = ApiAgent(self._profile, KEY, meter)
            result, _ = await run_round_in(_world(), setup, agent, Ruler(), _passed, journal)
        return result, self._mock.calls - before


async def _line(fault: str, dialect: Dialect, stream: bool, folder: Path) -> FaultLine:
    must = expected(fault, dialect)
    plan = Say("The length is set.", (GOOD_CALL,), TOKENS)
    first = plan if fault == NO_FAULT else Fault(_kind(fault), plan)
    more = [Say("Done.", usage=TOKENS)] * 3
    patience = HANG_PATIENCE_S if fault.startswith("hang") else PATIENCE_S
    with MockProvider([first, *more]) as mock:
        profile = Profile(
            id="mock",
            label="a mock provider",
            agent="api",
            dialect=dialect,
            provider=MOCK_PROVIDER,
            base_url=mock.url(dialect),
            model=PRICES.model,
            stream=stream,
        )
        invocation = _Invocation(mock, profile, folder)
        result, calls = await invocation.converse("first", patience)
        charged = invocation.account.charged
        later, later_calls = await invocation.converse("later", PATIENCE_S)
        returned = mock.check_continuation(conversations=2 if later_calls else 1, exact=True)
    lost = _missing_evidence(folder / "first", must)
    wrong = [
        *must.differences(result, calls, TOKENS, COST),
        *_wrong_charge(folder / "first", charged, must),
        *_wrong_later(later, later_calls, must),
        *(f"evidence: {item}" for item in lost),
        *returned,
    ]
    if invocation.account.held:
        wrong.append(f"{invocation.account.held} USD are still set aside")
    usage = result.usage
    assert usage is not None, "the agent began"
    known = usage.input_uncached is not None and usage.output is not None
    return FaultLine(
        fault=fault,
        dialect=dialect,
        stream=stream,
        wire_calls=calls,
        outcome=result.outcome,
        reason=result.reason,
        usage=(usage.input_uncached or 0, usage.output or 0) if known else None,
        usage_reason=usage.unknown.get("input_uncached", ""),
        cost_usd=usage.cost_usd,
        cost_reason=usage.unknown.get("cost_usd", ""),
        charged_usd=f"{charged:f}",
        evidence_complete=not lost,
        later_calls=later_calls,
        wrong=tuple(wrong),
    )


def _kind(fault: str) -> FaultKind:
    return next(kind for kind in FAULTS if kind == fault)


@asynccontextmanager
async def _world() -> AsyncIterator[World]:
    yield MockWorld()


def _passed(asked: Round, delivered: Delivered) -> Grade:
    """Pass whatever was committed: here the way to the model is on trial."""
    return Grade(
        round=asked.id,
        verdict="passed",
        checks=(),
        artifact_sha256=delivered.artifact_sha256,
        measurement_sha256=None,
        ruler_fingerprint="0" * 64,
    )


def _missing_evidence(folder: Path, must: Expected) -> list[str]:
    """Return what the first conversation's evidence lacks, or holds and must not."""
    lost = []
    lines = read_journal(folder / USAGE)
    sent = [line["request"] for line in lines if line["kind"] == SENT]
    ended = [line["number"] for line in lines if line["kind"] == ENDED]
    if sent != list(range(1, must.calls + 1)) or ended != sent:
        lost.append(f"requests {sent} noted as sent, {ended} as ended")
    settled = [line["settled"] for line in lines if line["kind"] == ENDED]
    if all(settled) != must.settled:
        lost.append("a request is noted as settled that is not, or the other way about")
    kinds = [event["kind"] for event in read_journal(folder / EVENTS)]
    for kind in must.events():
        if kind not in kinds:
            lost.append(f"no event {kind}")
    RoundResult.load((folder / ASKED.id / RESULT).read_bytes(), RESULT)
    if any(KEY.encode() in path.read_bytes() for path in _files(folder)):
        lost.append("the key was written down")
    return lost


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if path.is_file())


def _wrong_charge(folder: Path, charged: Decimal, must: Expected) -> list[str]:
    """Return what is wrong with the budget: known costs, or for good the reserve."""
    ended = [line for line in read_journal(folder / USAGE) if line["kind"] == ENDED]
    owed = Decimal(0)
    for line in ended:
        told, cost, reserve = (
            line[name] for name in ("reported_cost_usd", "cost_usd", "reserve_usd")
        )
        if must.settled == (told is None and cost is None):
            return [f"request {line['number']} of cost {cost}, as told {told}"]
        known = (None if amount is None else Decimal(amount) for amount in (told, cost, reserve))
        owed += charge(must.settled, *known)
    return [] if charged == owed else [f"{charged} USD charged, {owed} owed"]


def _wrong_later(later: RoundResult, calls: int, must: Expected) -> list[str]:
    """Return what is wrong with the conversation after the fault."""
    if must.settled:
        return [] if calls == 1 else [f"{calls} later requests, 1 must be"]
    wrong = [] if calls == 0 else [f"{calls} later requests, none may be"]
    if later.outcome != "error:provider" or later.attempted:
        wrong.append(f"the next conversation: {later.outcome}, attempted: {later.attempted}")
    return wrong
