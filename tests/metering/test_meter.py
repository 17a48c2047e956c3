"""The meter: reserved before, settled after, written down, and shut where a cost is unknown."""

import datetime as dt
from decimal import Decimal

import anyio
import pytest
from price_rows import HAIKU, SONNET, anthropic

from gaugeblock.metering.accounts import Account
from gaugeblock.metering.costs import Size, Tariff, reserve
from gaugeblock.metering.limits import BillingUnknown, LimitReached
from gaugeblock.metering.meter import ENDED, LARGEST_USAGE_BYTES, SENT, Answer, Gate, Meter
from gaugeblock.metering.pacing import Pacer
from gaugeblock.metering.reading import read_usage
from gaugeblock.records.profile import Pacing, Profile
from gaugeblock.records.store import Journal, read_journal
from gaugeblock.records.usage import Request

SIZE = Size(request_bytes=5_904, output_tokens=1_000)
RESERVE = Decimal("0.05")
"""(5904 + 4096)·4 + 1000·10 per million."""
USAGE = anthropic(10, 0, 0, 0, 5)
"""Costs 10·2 + 5·10 = 70 per million."""


def nested(levels):
    found = 1
    for _ in range(levels):
        found = [found]
    return found


class Bench:
    """A meter with its accounts, gate and journal."""

    def __init__(
        self,
        folder,
        *,
        billing="metered",
        budget="1",
        cap=None,
        gate=None,
        dialect="anthropic-messages",
        **more,
    ):
        self.path = folder / "usage.jsonl"
        self.journal = Journal(self.path)
        self.account = Account("budget", None if budget is None else Decimal(budget))
        self.gate = gate or Gate()
        self.marks = []
        self.profile = Profile(
            id="p",
            label="p",
            agent="api",
            dialect=dialect,
            provider="anthropic",
            model="m",
            billing=billing,
        )
        priced = Tariff(SONNET, "", "2026-11-30")
        settings = {"tariff": priced, "pacer": Pacer(Pacing()), **more}
        self.meter = Meter(
            profile=self.profile,
            accounts=(self.account,),
            gate=self.gate,
            round_id="S1",
            journal=self.journal,
            cap=None if cap is None else Decimal(cap),
            mark=lambda: self.marks.append(1),
            **settings,
        )

    def open(self, size=SIZE):
        return anyio.run(self.meter.open, size)

    def ask(self, usage=USAGE, **more):
        ticket = self.open()
        self.meter.settle(ticket, Answer(usage, "m-1", "end_turn", **more))
        return self.meter.requests[-1]

    def lines(self):
        return read_journal(self.path)

    def kinds(self):
        return [line["kind"] for line in self.lines()]


@pytest.fixture
def bench(tmp_path):
    return Bench(tmp_path)


def test_a_reserve_is_held_and_then_settled(bench):
    assert reserve(SIZE, SONNET, None) == RESERVE
    ticket = bench.open()
    assert (bench.account.held, bench.account.charged) == (RESERVE, 0)
    bench.meter.settle(ticket, Answer(USAGE, "m-1", "end_turn", first_token_s=0.0))
    assert (bench.account.held, bench.account.charged) == (0, Decimal("0.00007"))
    (request,) = bench.meter.requests
    assert request.settled and request.cost_usd == "0.00007"
    assert Decimal(request.reserve_usd) == RESERVE
    assert request.unknown.keys() == {"service_tier", "reported_cost_usd"}
    assert bench.kinds() == [SENT, ENDED]
    usage = bench.meter.usage()
    assert (usage.provider_calls, usage.unsettled_calls) == (1, 0)
    assert (usage.input_uncached, usage.output, usage.cost_usd) == (10, 5, "0.00007")


def test_the_journal_holds_the_request_itself(bench):
    request = bench.ask(service_tier="standard")
    sent, ended = bench.lines()
    assert sent["request"] == 1 and Decimal(sent["reserve_usd"]) == RESERVE
    body = {key: value for key, value in ended.items() if key not in ("n", "at", "kind")}
    assert Request.model_validate(body) == request
    assert request.raw_usage == USAGE and request.service_tier == "standard"


def test_the_first_request_marks_the_beginning(bench):
    bench.ask()
    bench.ask()
    assert bench.marks == [1]
    assert [request.number for request in bench.meter.requests] == [1, 2]


def test_what_does_not_fit_is_not_sent(tmp_path):
    bench = Bench(tmp_path, budget="0.0499999")
    with pytest.raises(LimitReached) as told:
        bench.open()
    assert told.value.limit == "budget"
    assert bench.lines() == [] and bench.meter.sent == 0 and bench.marks == []
    assert bench.account.held == 0
    exactly = Bench(tmp_path / "exactly", budget="0.05")
    exactly.open()
    assert exactly.kinds() == [SENT]


def test_a_failure_keeps_the_reserve_charged_and_shuts_the_gate(bench):
    bench.meter.fail(bench.open(), "HTTP 500", 500)
    assert (bench.account.held, bench.account.charged) == (0, RESERVE)
    (request,) = bench.meter.requests
    assert not request.settled and request.failure == "HTTP 500" and request.http_status == 500
    assert request.cost_usd is None and request.unknown["cost_usd"] == "HTTP 500"
    assert request.buckets.output is None
    with pytest.raises(BillingUnknown, match="HTTP 500"):
        bench.open()
    assert bench.kinds() == [SENT, ENDED] and bench.meter.sent == 1
    assert bench.account.held == 0
    assert bench.meter.usage().unsettled_calls == 1


def test_a_gate_that_stays_open_still_keeps_the_reserve(tmp_path):
    bench = Bench(tmp_path, gate=Gate(stays_open=True))
    bench.meter.fail(bench.open(), "timed out")
    bench.ask()
    assert bench.account.charged == RESERVE + Decimal("0.00007")
    usage = bench.meter.usage()
    assert usage.cost_usd is None and usage.partial["cost_usd"] == "0.00007"


@pytest.mark.parametrize(
    ("usage", "word"),
    [
        (None, "no usage"),
        ({}, "not reported"),
        ({**USAGE, "output_tokens": -1}, "negative"),
        ({**USAGE, "speed": "fast"}, "speed"),
        ({**USAGE, "output_tokens": float("nan")}, "no usage"),
        ({**USAGE, "note": "\ud800"}, "no usage"),
        ({**USAGE, "note": nested(10)}, "no usage"),
        ({**USAGE, "note": nested(50_000)}, "no usage"),
        (["no", "object"], "no usage"),
        ({**USAGE, "note": "x" * LARGEST_USAGE_BYTES}, "no usage"),
    ],
)
def test_an_answer_that_does_not_tell_what_was_billed_shuts_the_gate(bench, usage, word):
    request = bench.ask(usage)
    assert not request.settled and request.failure == ""
    assert request.cost_usd is None and word in request.unknown["cost_usd"]
    assert bench.account.charged == RESERVE
    with pytest.raises(BillingUnknown, match=word):
        bench.open()
    assert Request.model_validate_json(request.model_dump_json()) == request


def test_a_usage_object_that_records_can_hold_is_kept(bench):
    usage = {**USAGE, "note": nested(9), "words": "née ≠ née"}
    assert bench.ask(usage).raw_usage == usage


def test_another_conversation_finds_the_gate_shut(tmp_path):
    gate = Gate()
    first, second = Bench(tmp_path / "a", gate=gate), Bench(tmp_path / "b", gate=gate)
    first.meter.fail(first.open(), "dropped")
    with pytest.raises(BillingUnknown):
        second.open()
    assert second.lines() == []


def test_a_gate_shut_while_waiting_stops_the_request(tmp_path):
    gate = Gate()

    class Slow:
        async def wait(self, size):
            gate.shut_by("another request failed")
            return 0.0

    bench = Bench(tmp_path, gate=gate, pacer=Slow())
    with pytest.raises(BillingUnknown):
        bench.open()
    assert bench.lines() == [] and bench.account.held == 0 and bench.meter.sent == 0


def test_a_wait_that_is_cut_short_owes_nothing(tmp_path):
    class Endless:
        async def wait(self, size):
            await anyio.sleep_forever()

    bench = Bench(tmp_path, pacer=Endless())

    async def impatient():
        with anyio.move_on_after(0):
            await bench.meter.open(SIZE)

    anyio.run(impatient)
    assert bench.lines() == [] and bench.account.held == 0 and bench.account.charged == 0


@pytest.mark.parametrize(
    ("told", "charged"), [("0.01", "0.01"), ("0.00006", "0.00007"), ("0", "0.00007")]
)
def test_of_two_known_costs_the_larger_is_charged(bench, told, charged):
    request = bench.ask(reported_cost_usd=Decimal(told))
    assert (request.cost_usd, request.reported_cost_usd) == ("0.00007", told)
    assert bench.account.charged == Decimal(charged) and not bench.gate.shut


def test_a_reported_cost_settles_usage_that_does_not_where_it_is_documented(tmp_path):
    bench = Bench(tmp_path, dialect="xai-responses")
    request = bench.ask({}, reported_cost_usd=Decimal("0.01"))
    assert request.settled and request.cost_usd is None
    bench.ask({}, reported_cost_usd=Decimal("0.02"))
    assert bench.account.charged == Decimal("0.03")
    assert bench.meter.usage().reported_cost_usd == "0.03"


@pytest.mark.parametrize(("told", "charged"), [("0", RESERVE), ("0.06", Decimal("0.06"))])
def test_a_reported_cost_settles_nothing_elsewhere(bench, told, charged):
    request = bench.ask({}, reported_cost_usd=Decimal(told))
    assert not request.settled and request.reported_cost_usd == told
    assert bench.account.charged == charged and bench.account.held == 0
    with pytest.raises(BillingUnknown, match="not reported"):
        bench.open()


def test_a_usage_that_cannot_be_believed_is_told(bench):
    fault = "the usage is not clear: 'output_tokens' is written twice"
    request = bench.ask(None, usage_fault=fault)
    assert not request.settled and bench.account.charged == RESERVE and fault in bench.gate.shut
    assert request.unknown["raw_usage"] == request.unknown["cost_usd"] == fault
    # The audit derives the buckets from the raw usage alone.
    assert request.buckets == read_usage("anthropic-messages", None)


def test_a_cap_is_tested_after_the_answer_and_the_overshoot_is_on_record(tmp_path):
    bench = Bench(tmp_path, cap="0.0001")
    bench.ask()
    with pytest.raises(LimitReached, match=r"0\.00014 USD spent, 0\.0001 allowed"):
        bench.ask()
    assert bench.meter.usage().cost_usd == "0.00014"
    assert bench.account.charged == Decimal("0.00014")
    assert bench.kinds() == [SENT, ENDED] * 2


def test_a_spend_of_exactly_the_cap_is_allowed(tmp_path):
    bench = Bench(tmp_path, cap="0.00007")
    assert bench.ask().cost_usd == "0.00007"


def test_no_price_no_request(tmp_path):
    bench = Bench(tmp_path, tariff=Tariff(None, "the prices expired", None))
    with pytest.raises(LimitReached, match="expired"):
        bench.open()
    assert bench.lines() == []


def test_prices_that_ended_before_a_request_leave_its_cost_unknown(tmp_path):
    past = Tariff(SONNET, "", "2026-01-01", dt.date(2026, 1, 31))
    bench = Bench(tmp_path, tariff=past)
    request = bench.ask()
    assert request.cost_usd is None and "2026-01-31" in request.unknown["cost_usd"]
    assert bench.account.charged == RESERVE and bench.gate.shut


@pytest.mark.parametrize("billing", ["local", "subscription"])
def test_what_is_not_metered_holds_nothing_and_costs_null(tmp_path, billing):
    bench = Bench(tmp_path, billing=billing, budget="0", tariff=Tariff(None, "none", None))
    request = bench.ask()
    assert request.settled and request.cost_usd is None and request.reserve_usd is None
    bench.meter.fail(bench.open(), "HTTP 500")
    assert bench.gate.shut == ""  # no money is at stake
    usage = bench.meter.usage()
    assert usage.cost_usd is None and usage.unknown["cost_usd"] == request.unknown["cost_usd"]
    assert usage.output is None and usage.partial["output"] == 5


def test_a_request_cut_off_in_flight_is_of_unknown_billing(bench):
    bench.open()
    usage = bench.meter.usage()
    assert (usage.provider_calls, usage.unsettled_calls) == (1, 1)
    assert (bench.account.held, bench.account.charged) == (0, RESERVE)
    assert bench.gate.shut and bench.kinds() == [SENT, ENDED]
    assert bench.meter.usage() == usage
    assert bench.meter.requests[0].provider_s is None


def test_a_request_is_accounted_for_once(bench):
    ticket = bench.open()
    bench.meter.settle(ticket, Answer(USAGE, "m", "end_turn"))
    with pytest.raises(ValueError, match="already"):
        bench.meter.fail(ticket, "late")
    assert bench.account.charged == Decimal("0.00007")


def test_other_peoples_words_are_one_line(bench):
    ticket = bench.open()
    bench.meter.fail(ticket, "first\nsecond \ud800" + "x" * 10_000)
    (request,) = bench.meter.requests
    assert request.failure.startswith("first second ?x") and len(request.failure) <= 500
    assert bench.kinds() == [SENT, ENDED]


def test_tiers_are_by_request_and_not_by_the_sum(tmp_path):
    """Two requests of 60,000 tokens stay below the break point at 100,000 each."""
    bench = Bench(tmp_path, tariff=Tariff(HAIKU, "", "2026-11-30"))
    for _ in range(2):
        bench.ask(anthropic(60_000, 0, 0, 0, 1_000))
    assert bench.meter.usage().cost_usd == "0.0130"  # 2·(60000·0.1 + 1000·0.5)
