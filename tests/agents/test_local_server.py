"""What is read of the local server: exact counts or none, and an address in bounded time."""

import stat
import sys

import pytest

from gaugeblock.agents.local import LocalServer, server
from gaugeblock.agents.local.server import COUNTERS, Counters, read_counters
from gaugeblock.records.errors import WrongUse
from gaugeblock.records.usage import Usage
from gaugeblock.running.profiles import load_profiles
from gaugeblock.running.recount import _server


def metrics(**values):
    """Return the server's page of metrics, with some of its counts written otherwise."""
    written = dict.fromkeys(COUNTERS, "12") | values
    return "".join(
        f"# HELP {label} Of the server.\n# TYPE {label} counter\n{label} {written[name]}\n"
        for name, label in COUNTERS.items()
    )


def test_whole_numbers_are_taken():
    text = metrics(input_uncached="999999", cache_read="0", output="1234567")
    assert read_counters(text) == Counters(999_999, 0, 1_234_567)


@pytest.mark.parametrize("written", ["1.23457e+06", "1e+06", "12.5", "-3", "nan", "12 1700", ""])
def test_a_count_that_is_not_exact_is_unknown_with_its_reason(written):
    found = read_counters(metrics(output=written))
    assert (found.input_uncached, found.cache_read, found.output) == (12, 12, None)
    assert list(found.unknown) == ["output"]
    assert written in found.unknown["output"] and COUNTERS["output"] in found.unknown["output"]


def test_a_count_that_is_not_told_once_is_unknown():
    label = COUNTERS["cache_read"]
    twice = metrics() + f"{label} 13\n"
    for text, times in ((metrics().replace(f"\n{label} 12\n", "\n"), 0), (twice, 2)):
        found = read_counters(text)
        assert found.cache_read is None and f"{times} times" in found.unknown["cache_read"]


def test_what_is_unknown_before_or_after_is_unknown_between():
    exact, round_ = Counters(20, 5, 9), Counters(25, 5, None, {"output": "rounded"})
    assert exact.since(Counters(1, 2, 3)) == Counters(19, 3, 6)
    for between in (round_.since(exact), exact.since(round_)):
        assert between.output is None and between.unknown == {"output": "rounded"}


def test_an_audit_holds_an_account_to_the_counts_that_are_known():
    usage = Usage(
        provider_calls=1,
        input_uncached=5,
        cache_read=0,
        output=7,
        unknown=dict.fromkeys(
            (
                "cache_write_5min",
                "cache_write_1h",
                "reasoning",
                "cost_usd",
                "reported_cost_usd",
                "price_date",
                "provider_s",
            ),
            "of no matter here",
        ),
    )
    counted = {"round": "S1", "input_uncached": 5, "cache_read": 0, "output": None}
    assert _server(counted, usage) == []
    (line,) = _server(counted | {"input_uncached": 6}, usage)
    assert "input_uncached is 5, and the server counted 6" in line


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ("printf '{\"url\": '; exec sleep 5", "no answer within 0.3 s"),
        ("yes x | tr -d '\\n'", "no answer within"),
        ("echo no weights >&2", "no weights"),
        ("echo '[]'", "tells no address"),
        ("echo hello", "tells no address"),
    ],
)
def test_a_server_that_says_no_address_does_not_start(script, told, tmp_path, monkeypatch):
    """Half a line is no address either, and is not waited for longer than the whole."""
    program = tmp_path / "python"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(stat.S_IRWXU)
    monkeypatch.chdir(tmp_path)
    profile = next(item for item in load_profiles(None) if item.id == "local-tiny")
    monkeypatch.setattr(server, "_model_file", lambda profile: tmp_path / "weights")
    monkeypatch.setattr(sys, "executable", str(program))
    monkeypatch.setattr(server, "START_S", 0.3 if "0.3" in told else 60.0)
    with pytest.raises(WrongUse, match=told), LocalServer(profile):
        pytest.fail("it has no address")
