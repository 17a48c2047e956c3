"""Rows from the package and from one's own file."""

import datetime as dt
import hashlib
import importlib.metadata
from pathlib import Path

import pytest
from genai_prices import data
from made_package import ACME, DAY, RESELLER

from gaugeblock.metering import package_rows
from gaugeblock.metering.own_rows import own_rows
from gaugeblock.metering.snapshot import take_snapshot
from gaugeblock.records.errors import WrongUse


@pytest.fixture(autouse=True)
def package(monkeypatch):
    monkeypatch.setattr(package_rows, "_providers", lambda: [ACME, RESELLER])


def row(name, day=DAY):
    found, why = package_rows.package_row("acme", name, day)
    assert found is not None, why
    return found


def refusal(name, provider="acme"):
    found, why = package_rows.package_row(provider, name, DAY)
    assert found is None
    return why


def prices(name, day=DAY):
    found = row(name, day)
    return found.input.usd_per_mtok, found.output.usd_per_mtok


def test_a_row_has_every_rate_and_step():
    found = row("whole-20260101")
    assert found.model == "whole-20260101" and found.source_row == "acme/whole"
    assert found.checked is None and found.until is None
    assert found.input.usd_per_mtok == "3"
    assert [(s.above_tokens, s.usd_per_mtok) for s in found.input.steps] == [(200_000, "6")]
    assert [(s.above_tokens, s.usd_per_mtok) for s in found.output.steps] == [
        (200_000, "22.5"),
        (500_000, "40"),
    ]
    assert found.cache_read.usd_per_mtok == "0.30"
    assert found.cache_write_5min.usd_per_mtok == "3.75"
    assert found.cache_write_1h.usd_per_mtok == "6"


def test_the_one_price_for_writes_is_none_for_the_longer_lifetime():
    found = row("one-write-price")
    assert found.cache_write_5min.usd_per_mtok == "5"
    assert found.cache_write_1h is None


def test_prices_are_those_of_the_day_and_end_where_the_next_begin():
    assert prices("introductory", dt.date(2026, 7, 31)) == ("2", "10")
    assert row("introductory", dt.date(2026, 7, 31)).until == dt.date(2026, 8, 1)
    assert prices("introductory") == ("3", "11")
    assert row("introductory").until == dt.date(2026, 12, 1)
    assert prices("introductory", dt.date(2026, 12, 1)) == ("4", "20")
    assert row("introductory", dt.date(2026, 12, 1)).until is None


def test_a_date_that_changes_nothing_ends_nothing():
    assert row("unchanged").until is None


def test_prices_by_the_hour_are_refused_unless_they_are_the_same():
    assert "time of day" in refusal("peak")
    assert prices("same-all-day") == ("1", "2")


def test_batch_prices_are_not_ours():
    assert prices("cheaper-in-batches") == ("1", "2")


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("embedding", "no price for output"),
        ("by-request", "requests_kcount"),
        ("reasoning-apart", "output_reasoning_mtok"),
        ("many-digits", "input.usd_per_mtok"),
        ("whle", "closest: whole"),
        ("zzzz", "no zzzz of acme"),
    ],
)
def test_a_model_that_cannot_be_priced_has_a_reason(name, word):
    assert word in refusal(name)


def test_an_unknown_provider_names_its_neighbours():
    assert "closest: acme" in refusal("plain", "acmee")


def test_a_reseller_has_its_own_models_only():
    assert "no whole of reseller" in refusal("whole", "reseller")
    assert package_rows.package_providers("plain") == ["acme", "reseller"]


def test_the_source_is_the_installed_package(monkeypatch):
    monkeypatch.undo()
    source = package_rows.package_source()
    assert source.version == importlib.metadata.version("genai-prices")
    assert source.sha256 == hashlib.sha256(Path(data.__file__).read_bytes()).hexdigest()
    assert len(package_rows._providers()) > 10


def test_the_package_itself_gives_rows(monkeypatch):
    """Most models of the providers whose dialects we speak; all of them a row or a reason."""
    monkeypatch.undo()
    for provider in ("openai", "anthropic", "google", "x-ai"):
        home = next(item for item in package_rows._providers() if item.id == provider)
        answers = [package_rows.package_row(provider, info.id, DAY) for info in home.models]
        assert all((found is None) == bool(why) for found, why in answers)
        assert sum(found is not None for found, _ in answers) > len(answers) / 2


# --- rows of one's own ------------------------------------------------------------

OWN = """
[[price]]
provider = "acme"
model = "peak"
input = 1.32
cache_read = "0.044"
output = 4

[[price.steps]]
above_tokens = 200000
input = 2.64
output = 8
"""


def own(tmp_path, text=OWN):
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_own_rows_are_read_exactly(tmp_path):
    source, (found,) = own_rows(own(tmp_path))
    assert source.name == "mine.toml" and len(source.sha256) == 64 and source.version is None
    assert found.source == "mine.toml"
    assert found.input.usd_per_mtok == "1.32" and found.output.usd_per_mtok == "4"
    assert [(s.above_tokens, s.usd_per_mtok) for s in found.input.steps] == [(200_000, "2.64")]
    assert found.cache_read.usd_per_mtok == "0.044" and found.cache_read.steps == ()
    assert found.cache_write_5min is None


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        ("input = 1.32", "inptu = 1.32", "inptu"),
        ("input = 1.32", 'input = 1.32\nsource = "genai-prices"', "source"),
        ("output = 4", "", "output"),
        ("output = 4", "output = -4", "output"),
        ("output = 4", "output = true", "no price"),
        ("output = 4", "output = nan", "no price"),
        ("output = 4", "output = 1e-400", "no price"),
        ("output = 4", "output = 1e999999", "output"),
        ("output = 4", "output = 1e99999999999999999999", "output is no price"),
        ("output = 4", "output = 4e0", "output is no price"),
        ("output = 4", "output = +4.0", "output is no price"),
        ("output = 4", "output = 1_0.5", "output is no price"),
        ("output = 4", 'output = "٤"', "output is no price"),
        ("output = 4", "output = " + "9" * 5000, "too long"),
        ("output = 4", "output = 0x" + "f" * 5000, "too long"),
        ("output = 4", "output = 4\nuntil = 86400", "until"),
        ("output = 4", "output = 4\nuntil = 2027-01-01T00:00:00Z", "until"),
        ("output = 4", "output = 4\nuntil = 0001-01-01", "until"),
        ("output = 4", "output = 4\nuntil = 9999-12-31", "until"),
        ("above_tokens = 200000", "above_tokens = true", "above_tokens"),
        ("above_tokens = 200000", "above_tokens = 2e5", "above_tokens"),
        ("input = 2.64\noutput = 8", "", "a step has no price"),
        ("output = 4", 'output = "four"', "output"),
        ("above_tokens = 200000", "above_tokens = 0", "above_tokens"),
        ("above_tokens = 200000", "", "above_tokens"),
        ("output = 8", "cache_write_1h = 8", "the price lacks"),
        ("output = 8", "colour = 8", "no `colour`"),
        ("[[price]]", "[price]", "[[price]]"),
        ("[[price]]", "[[prices]]", "[[price]]"),
        ('model = "peak"', 'model = "peak', "line 4"),
    ],
)
def test_a_faulty_own_row_is_one_line(tmp_path, old, new, word):
    path = own(tmp_path, OWN.replace(old, new, 1))
    with pytest.raises(WrongUse) as told:
        own_rows(path)
    message = str(told.value)
    assert message.startswith("mine.toml") and word in message and "\n" not in message


@pytest.mark.parametrize("name", ["p\udcff.toml", "p\x1b[31m.toml"])
def test_a_name_that_cannot_be_recorded_is_refused(tmp_path, name):
    path = tmp_path / name
    path.write_text(OWN, encoding="utf-8")
    with pytest.raises(WrongUse, match="printable"):
        own_rows(path)


def test_own_rows_win_and_are_told_apart(tmp_path):
    wanted = [("acme", "plain"), ("acme", "peak"), ("acme", "plain"), ("acme", "nothing")]
    taken = take_snapshot(wanted, DAY, own(tmp_path))
    assert [(row.model, row.source) for row in taken.snapshot.rows] == [
        ("peak", "mine.toml"),
        ("plain", "genai-prices"),
    ]
    assert [source.name for source in taken.snapshot.sources] == ["mine.toml", "genai-prices"]
    assert list(taken.missing) == [("acme", "nothing")]


def test_two_own_rows_of_one_model_are_refused(tmp_path):
    with pytest.raises(WrongUse, match="two prices"):
        take_snapshot([], DAY, own(tmp_path, OWN + OWN))
