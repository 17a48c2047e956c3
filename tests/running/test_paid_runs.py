"""Runs through a provider's API: what is sent, what it costs, and what stops it.

The provider is a mock that speaks real HTTP on loopback; all the rest is real: SDKs, host, ruler.
"""

import json
import subprocess
import sys
import time
from decimal import Decimal

import pytest
from command_line import call
from mock_models import BUILD, KEY

from gaugeblock.agents.mock import Fault, MockProvider, Say, Tokens
from gaugeblock.records.errors import WrongUse
from gaugeblock.records.run_folder import USAGE, open_run
from gaugeblock.records.store import read_journal
from gaugeblock.running.audit import audit
from gaugeblock.running.ledger import spent
from gaugeblock.running.plans import lay_out
from gaugeblock.running.run import Watch, plan_only, run

DIALECTS = (
    "openai-responses",
    "xai-responses",
    "anthropic-messages",
    "gemini-generate-content",
    "openai-chat",
)
TOKENS = Tokens(input=2000, cache_read=500, output=300, reasoning=100)
COST = Decimal("0.0088")
"""By hand: 2,000 × 2 + 500 × 0.60 + 300 × 15 = 4,000 + 300 + 4,500 = 8,800 USD a million."""


def rows(folder):
    return [json.loads(line) for line in (folder / "results.jsonl").read_text().splitlines()]


def usage_lines(folder):
    return [
        line for trial in open_run(folder).trials for line in read_journal(trial.folder / USAGE)
    ]


def test_conversations_by_tool_calls_really_build_s1_in_every_dialect(wish, tmp_path):
    says = [Say("I look first.", (("read_document", {}),), usage=TOKENS)]
    says += [Say(calls=(call,), usage=TOKENS) for call in BUILD]
    says += [Say("Done.", usage=TOKENS)]
    out = tmp_path / "out"
    with MockProvider(says * len(DIALECTS)) as mock:
        run(wish(mock, DIALECTS), out, Watch())
        assert [request.dialect for request in mock.received] == [
            dialect for dialect in DIALECTS for _ in says
        ]
        assert mock.check_continuation(len(DIALECTS)) == []
        assert all(request.has_key for request in mock.received)
    for row in rows(out):
        assert (row["outcome"], row["final"], row["first_try"]) == ("passed", True, True)
        assert row["scripted"], "a mock is never a result"
        assert row["provider_calls"] == len(says)
        assert (row["input_uncached"], row["cache_read"]) == (2000 * len(says), 500 * len(says))
        assert row["output"] == 300 * len(says)
        assert Decimal(row["cost_usd"]) == COST * len(says)
        assert row["price_checked"] is False
    written = b"".join(path.read_bytes() for path in out.rglob("*") if path.is_file())
    assert KEY.encode() not in written

    # An account made cheaper by hand is found, and nothing else.
    trial = open_run(out).trials[0]
    path = trial.folder / USAGE
    path.chmod(0o644)
    cheaper = path.read_bytes().replace(b'"cost_usd":"0.0088"', b'"cost_usd":"0.0080"')
    assert cheaper != path.read_bytes()
    path.write_bytes(cheaper)
    found = audit(out).mismatches
    assert any("cost is 0.0088 USD, not 0.0080" in line for line in found)
    assert all(trial.planned.id in line or line.startswith("results.jsonl") for line in found)


def test_a_request_that_would_overspend_is_never_sent(wish, tmp_path):
    with MockProvider([Say("never")]) as mock:
        with pytest.raises(WrongUse, match="nothing could ever be sent"):
            run(wish(mock, budget_usd="0.01"), tmp_path / "out", Watch())
        assert mock.calls == 0
    assert not (tmp_path / "out").exists()


def test_the_first_request_that_does_not_fit_the_rest_of_the_budget_stops_the_trial(wish, tmp_path):
    with MockProvider([Say(calls=(("read_document", {}),))] * 3) as mock:
        first = Decimal(plan_only(wish(mock)).estimates[0].first_reserve_usd)
        run(wish(mock, trials=2, budget_usd=str(first)), tmp_path / "out", Watch())
        assert mock.calls == 1, "its reserve fitted; what it cost leaves no room for another"
    first_row, second_row = rows(tmp_path / "out")
    assert (first_row["outcome"], first_row["attempted"]) == ("stopped:budget", True)
    assert (second_row["outcome"], second_row["attempted"]) == ("stopped:budget", False)
    assert second_row["provider_calls"] == 0
    assert audit(tmp_path / "out").mismatches == []


def test_a_run_killed_with_a_request_in_flight_owes_its_reserve_and_is_sound(
    wish, tmp_path, prices
):
    out = tmp_path / "out"
    (tmp_path / "prices.json").write_bytes(prices.pretty())
    words = [sys.executable, "-m", "gaugeblock", "run"]
    with MockProvider([Say(calls=(("read_document", {}),)), Fault("hang"), Say("Done.")]) as mock:
        asked = wish(mock)
        more = ["growth/S1", "--profile", *asked.profiles, "--prices", "prices.json"]
        first = subprocess.Popen([*words, *more, "--budget-usd", "5", "--out", str(out)])
        while mock.calls < 2:  # the second request hangs
            assert first.poll() is None
            time.sleep(0.05)
        beside = call("run", "--resume", "--out", out)
        assert (beside.returncode, mock.calls) == (2, 2)
        assert "another process is at work" in beside.stderr
        first.kill()
        first.wait()
        call("run", "--resume", "--out", out)
        assert mock.calls == 2, "a trial that began is never begun again"
    (row,) = rows(out)
    assert row["outcome"] == "interrupted"
    assert audit(out).mismatches == []
    sent = [line for line in usage_lines(out) if line["kind"] == "request-sent"]
    settled = Decimal("0.00302")  # by hand: 1,000 × 2 + 200 × 0.60 + 60 × 15 USD a million
    assert spent(usage_lines(out)) == Decimal(sent[1]["reserve_usd"]) + settled


def test_after_a_request_of_unknown_billing_no_paid_one_follows(wish, tmp_path):
    with MockProvider([Fault("http-500"), *[Say("Done.")] * 2]) as mock:
        run(wish(mock, trials=3), tmp_path / "out", Watch())
        assert mock.calls == 1
    failed, *others = rows(tmp_path / "out")
    assert (failed["outcome"], failed["provider_calls"]) == ("error:provider", 1)
    assert failed["cost_usd"] is None
    assert "500" in failed["unknown"]["cost_usd"]
    assert [(row["outcome"], row["attempted"]) for row in others] == [("not-run", False)] * 2
    sent, ended = usage_lines(tmp_path / "out")
    assert (sent["kind"], ended["kind"], ended["settled"]) == (
        "request-sent",
        "request-ended",
        False,
    )
    assert audit(tmp_path / "out").mismatches == []


def test_continue_after_error_goes_on_and_keeps_the_reserve_charged(wish, tmp_path):
    with MockProvider([Fault("http-500"), Say("Done.", usage=TOKENS)]) as mock:
        asked = wish(mock, trials=2, continue_after_error=True)
        run(asked, tmp_path / "out", Watch())
        assert mock.calls == 2
    failed, other = rows(tmp_path / "out")
    assert failed["outcome"] == "error:provider"
    assert (other["outcome"], Decimal(other["cost_usd"])) == ("no-delivery", COST)


def test_a_missing_key_or_budget_or_price_is_told_before_anything_starts(
    wish, tmp_path, monkeypatch
):
    with MockProvider() as mock:
        with pytest.raises(WrongUse, match="--budget-usd"):
            lay_out(wish(mock, budget_usd=None))
        with pytest.raises(WrongUse, match="price"):
            lay_out(wish(mock, prices=None))
        asked = wish(mock)
        monkeypatch.delenv("MOCK_KEY")
        with pytest.raises(WrongUse, match="MOCK_KEY"):
            lay_out(asked)
        (tmp_path / ".env.benchmark").write_text(f"MOCK_KEY={KEY}\n")
        assert lay_out(asked).keys == {"anthropic-messages": KEY}
        assert KEY not in repr(lay_out(asked))
        assert mock.calls == 0
