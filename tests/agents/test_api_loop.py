"""The loop: its limits, its accounts, and what it does with calls that cannot be made."""

import json
from decimal import Decimal

import anyio
import pytest
from api_talks import DIALECTS, KEY, FakeDesk, RawProvider, limits, meter, profile

from gaugeblock.agents import AgentFailed, ApiAgent, Brief
from gaugeblock.agents.api.loop import MOST_CALLS
from gaugeblock.agents.api.wire import QUOTED_CHARS
from gaugeblock.agents.mock import Fault, MockProvider, Say
from gaugeblock.metering.accounts import Account
from gaugeblock.metering.limits import LimitReached
from gaugeblock.metering.meter import STOPPED, Gate
from gaugeblock.records.store import read_journal
from gaugeblock.worlds.protocol import ToolResult

CHAT = "openai-chat"
LOOK_ONCE = Say("looking", calls=(("look", {}),))


class Work:
    """One agent at work against a mock."""

    def __init__(self, mock, folder, dialect=CHAT, *, account=None, gate=None, desk=None, **values):
        url = mock.url if isinstance(mock, RawProvider) else mock.url(dialect)
        who = profile(dialect, url, model="mock-model", **values)
        self.meter = meter(who, folder, account, gate)
        self.desk = desk or FakeDesk()
        self.agent = ApiAgent(who, KEY, self.meter)
        self.folder = folder

    def run(self, within_s=30.0, **ceilings):
        brief = Brief("Make it.", "a document", limits(**ceilings))

        async def worked():
            with anyio.move_on_after(within_s):
                return await self.agent.work(brief, self.desk)

        return anyio.run(worked)

    def usage_lines(self):
        return read_journal(self.folder / "usage.jsonl")


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_calls_are_made_in_order_until_there_are_none(dialect, stream, tmp_path):
    arguments = {"part": {"name": "é"}, "count": 3}
    script = [Say("first", calls=(("look", {}), ("cut", arguments))), Say("done ½")]
    with MockProvider(script) as mock:
        work = Work(mock, tmp_path, dialect, stream=stream)
        report = work.run()
        assert report.final_text == "done ½"
        assert work.desk.asked == [("look", {}), ("cut", arguments)]
        assert mock.calls == 2
    usage = work.meter.usage()
    assert (usage.provider_calls, usage.unsettled_calls) == (2, 0)
    assert "a document" in mock.received[0].body.decode()
    assert KEY not in (tmp_path / "usage.jsonl").read_text()


@pytest.mark.parametrize(
    ("ceilings", "limit", "calls"),
    [({"turns": 2}, "turns", 2), ({"request_bytes": 200}, "request-bytes", 0)],
)
def test_a_limit_stops_before_the_next_request(ceilings, limit, calls, tmp_path):
    with MockProvider([LOOK_ONCE] * 5) as mock:
        work = Work(mock, tmp_path)
        with pytest.raises(LimitReached) as stop:
            work.run(**ceilings)
        assert (stop.value.limit, mock.calls) == (limit, calls)
        assert work.meter.usage().provider_calls == calls


def test_the_size_limit_counts_what_the_conversation_has_grown_to(tmp_path):
    desk = FakeDesk(lambda name: ToolResult(False, "x" * 5000))
    with MockProvider([LOOK_ONCE] * 5) as mock:
        with pytest.raises(LimitReached) as stop:
            Work(mock, tmp_path, desk=desk).run(request_bytes=8000)
        assert (stop.value.limit, mock.calls) == ("request-bytes", 2)
        assert [len(request.body) > 5000 for request in mock.received] == [False, True]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_answer_cut_off_without_calls_ends_it(dialect, tmp_path):
    with MockProvider([Say("I was about to", finish="cut-off")]) as mock:
        work = Work(mock, tmp_path, dialect)
        with pytest.raises(LimitReached) as stop:
            work.run(output_tokens=777)
        assert stop.value.limit == "output-tokens"
        usage = work.meter.usage()
        assert usage.unsettled_calls == 0
    assert usage.output is not None
    told = f"cut off at the ceiling of 777 tokens; {usage.output} are reported"
    assert str(stop.value) == f"the answer was {told}"


def test_a_cut_off_answer_without_a_count_tells_the_ceiling_alone(tmp_path):
    body = b'{"choices":[{"message":{"content":"I was"},"finish_reason":"length"}]}'
    with RawProvider(body) as server, pytest.raises(LimitReached) as stop:
        Work(server, tmp_path).run(output_tokens=777)
    assert str(stop.value) == "the answer was cut off at the ceiling of 777 tokens"


def test_the_final_text_is_one_line(tmp_path):
    text = f"Done.\n\n{KEY}\x1b[31m\u202e " + "and so on " * 1000
    with MockProvider([Say(text)]) as mock:
        report = Work(mock, tmp_path).run()
    assert report.final_text.startswith("Done. [key][31m and so on")
    assert len(report.final_text) == QUOTED_CHARS and report.final_text.endswith("…")


@pytest.mark.parametrize(("count", "limit"), [(MOST_CALLS, None), (MOST_CALLS + 1, "tool-calls")])
def test_an_answer_asks_for_so_many_calls_at_most(count, limit, tmp_path):
    script = [Say("", calls=(("look", {}),) * count), Say("done")]
    with MockProvider(script) as mock:
        work = Work(mock, tmp_path)
        if limit is None:
            assert work.run().final_text == "done"
        else:
            with pytest.raises(LimitReached) as stop:
                work.run()
            assert stop.value.limit == limit
        assert len(work.desk.asked) == (count if limit is None else 0)
        # The answer itself came and is paid for.
        assert work.meter.usage().unsettled_calls == 0


@pytest.mark.parametrize("written", ['{"length_mm": ', "[1, 2, 3]"])
@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_calls_that_cannot_be_made_are_counted_and_answered(dialect, stream, written, tmp_path):
    calls = (("cut", {}), ("no_such_tool", {"a": 1}))
    with MockProvider([Say("", calls, raw_arguments=written), Say("done")]) as mock:
        work = Work(mock, tmp_path, dialect, stream=stream)
        assert work.run().final_text == "done"
        assert mock.check_continuation() == []
    (first, (seen, fault)), (second, (other, why)) = work.desk.asked
    assert (first, second) == ("refused cut", "refused no_such_tool")
    # Where arguments travel as JSON, the mock can only send what is none as a string.
    assert seen in (written, json.dumps(written)) and "no JSON" in fault
    assert other == '{"a": 1}' and why == "there is no such tool"


def test_what_the_desk_raises_passes_through(tmp_path):
    class Full(FakeDesk):
        async def call(self, name, arguments):
            raise LimitReached("tool-calls", "9 made")

    with MockProvider([LOOK_ONCE]) as mock:
        work = Work(mock, tmp_path, desk=Full())
        with pytest.raises(LimitReached, match="9 made"):
            work.run()
        assert mock.calls == 1


@pytest.mark.parametrize(
    "kind", ["http-429", "http-500", "drop", "malformed-json", "error-in-body"]
)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_failure_is_the_providers_and_nothing_more_is_sent(dialect, kind, tmp_path):
    gate, account = Gate(), Account("budget", None)
    with MockProvider([Fault(kind), Say("too late")]) as mock:
        work = Work(mock, tmp_path, dialect, billing="metered", gate=gate, account=account)
        with pytest.raises(AgentFailed) as failure:
            work.run()
        assert failure.value.layer == "provider"
        assert mock.calls == 1
        usage = work.meter.usage()
        assert (usage.provider_calls, usage.unsettled_calls) == (1, 1)
        assert usage.cost_usd is None and str(failure.value) in usage.unknown["cost_usd"]
        # The reserve stays charged, and the invocation sends nothing more.
        reserve = work.meter.requests[0].reserve_usd
        assert account.held == 0 and f"{account.charged:f}" == reserve
        again = Work(mock, tmp_path / "2", dialect, billing="metered", gate=gate)
        with pytest.raises(AgentFailed, match="nothing more is sent"):
            again.run()
        assert mock.calls == 1


def test_a_reserve_that_does_not_fit_is_never_sent(tmp_path):
    with MockProvider([Say("dear")]) as mock:
        account = Account("budget", Decimal("0.0001"))
        work = Work(mock, tmp_path, billing="metered", account=account)
        with pytest.raises(LimitReached) as stop:
            work.run()
        assert (stop.value.limit, mock.calls) == ("budget", 0)


@pytest.mark.parametrize("kind", ["hang", "hang-mid-body"])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_request_has_an_end(dialect, kind, tmp_path):
    with MockProvider([Fault(kind)]) as mock:
        work = Work(mock, tmp_path, dialect, stream=kind != "hang")
        with pytest.raises(AgentFailed, match=r"no answer within 0\.3 s") as failure:
            work.run(request_s=0.3)
        assert failure.value.layer == "provider" and mock.calls == 1
    assert work.meter.usage().unsettled_calls == 1


@pytest.mark.parametrize("dialect", DIALECTS)
def test_stopped_from_outside_a_request_stays_unsettled(dialect, tmp_path):
    gate, account = Gate(), Account("budget", None)
    with MockProvider([Fault("hang")]) as mock:
        work = Work(mock, tmp_path, dialect, billing="metered", gate=gate, account=account)
        assert work.run(within_s=0.5) is None
        assert mock.calls == 1
    sent, ended = work.usage_lines()
    assert (sent["kind"], ended["kind"]) == ("request-sent", "request-ended")
    assert (ended["failure"], ended["settled"]) == (STOPPED, False)
    assert account.held == 0 and f"{account.charged:f}" == sent["reserve_usd"]
    assert STOPPED in gate.shut
    usage = work.meter.usage()
    assert (usage.provider_calls, usage.unsettled_calls) == (1, 1)
    assert usage.input_uncached is None and STOPPED in usage.unknown["input_uncached"]


def test_a_setting_that_the_dialect_lacks_is_no_request(tmp_path):
    with MockProvider([Say("never")]) as mock:
        work = Work(mock, tmp_path, "openai-responses", settings={"seed": 1})
        with pytest.raises(AgentFailed, match="no setting seed") as failure:
            work.run()
        assert (failure.value.layer, mock.calls) == ("adapter", 0)
