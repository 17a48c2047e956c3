"""The records themselves: closed to the unknown, null only with a reason, outcomes by the book."""

import math

import pytest
from pydantic import ValidationError

from gaugeblock.records.base import Record, canonical_json
from gaugeblock.records.case import Truth
from gaugeblock.records.errors import WrongUse
from gaugeblock.records.outcome import OUTCOMES, is_valid, known_outcome
from gaugeblock.records.trial import unstarted_round
from gaugeblock.records.usage import Usage, scripted_usage


class Sample(Record):
    name: str
    size: float = 1.0


def test_a_misspelt_field_is_told_in_one_line():
    with pytest.raises(WrongUse, match=r"case\.json: sise: Extra inputs") as told:
        Sample.load('{"name": "a", "sise": 2}', "case.json")
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"name": NaN}', '{"name": "a", "size": Infinity}']
)
def test_text_that_is_no_record_is_refused(text):
    with pytest.raises(WrongUse, match=r"^x: "):
        Sample.load(text, "x")


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_no_record_holds_a_number_that_json_lacks(bad):
    with pytest.raises(ValidationError):
        Sample(name="a", size=bad)
    with pytest.raises(ValueError, match="JSON"):
        canonical_json({"x": bad})


def test_the_canonical_form_does_not_depend_on_order():
    assert canonical_json({"b": 1, "a": "ü"}) == '{"a":"ü","b":1}'.encode()
    first = Sample.load('{"name": "a", "size": 2}', "x")
    second = Sample.load('{"size": 2.0, "name": "a"}', "x")
    assert first.content_sha256() == second.content_sha256()


def test_null_without_a_reason_is_refused():
    usage = scripted_usage()
    assert usage.cost_usd is None
    assert "scripted" in usage.unknown["cost_usd"]
    with pytest.raises(ValidationError, match="output is null without a reason"):
        Usage.model_validate({**usage.model_dump(), "unknown": {}} | {"output": None} | _known())
    with pytest.raises(ValidationError, match="has a value and a reason"):
        Usage.model_validate({**usage.model_dump(), "output": 3})
    with pytest.raises(ValidationError, match="unknown fields"):
        Usage.model_validate({**usage.model_dump(), "unknown": {**usage.unknown, "outpt": "x"}})


def _known():
    counts = ("input_uncached", "cache_read", "cache_write_5min", "cache_write_1h", "reasoning")
    return {
        **dict.fromkeys(counts, 0),
        "cost_usd": "0",
        "price_date": "2026-01-01",
        "provider_s": 0.0,
    }


def test_outcomes_are_those_of_the_protocol():
    layers = {"provider", "adapter", "tool-runtime", "host", "grader", "isolation"}
    assert {o.split(":")[1] for o in OUTCOMES if o.startswith("error:")} == layers
    plain = {o for o in OUTCOMES if ":" not in o}
    assert plain == {
        "passed",
        "failed",
        "no-delivery",
        "could-not-grade",
        "interrupted",
        "not-run",
    }
    assert {"stopped:budget", "stopped:turns"} <= OUTCOMES
    with pytest.raises(ValueError, match="unknown outcome"):
        known_outcome("error:model")


def test_what_counts_as_valid():
    excluded = {o for o in OUTCOMES if not is_valid(o)}
    assert excluded == {
        "error:provider",
        "error:adapter",
        "error:tool-runtime",
        "error:host",
        "error:grader",
        "could-not-grade",
        "interrupted",
        "not-run",
    }


def test_an_interrupted_round_is_attempted_and_all_its_figures_are_unknown():
    result = unstarted_round("0001.a.S1.r1", "S1", "interrupted", "killed", "0" * 64)
    assert result.attempted
    assert result.usage is None
    assert result.unknown["usage"] == "interrupted: killed"
    assert not unstarted_round("0001.a.S1.r1", "S1", "not-run", "why", "0" * 64).attempted


def test_a_truth_names_only_real_bounds():
    with pytest.raises(ValidationError, match="unknown bounds"):
        Truth(bounds={"xmn": "0"})
