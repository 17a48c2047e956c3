"""Snapshots in a file, the tariffs they give, and confirmations."""

import datetime as dt
import os
from pathlib import Path

import pytest
from made_package import ACME, DAY, RESELLER

from gaugeblock.metering import package_rows
from gaugeblock.metering.snapshot import (
    confirm,
    load_snapshot,
    save_snapshot,
    take_snapshot,
    tariff,
    working_snapshot,
)
from gaugeblock.records.errors import WrongUse
from gaugeblock.records.prices import PriceCheck, PriceSnapshot
from gaugeblock.records.profile import Profile

PAGE = "https://prices.example/models"


@pytest.fixture(autouse=True)
def package(monkeypatch):
    monkeypatch.setattr(package_rows, "_providers", lambda: [ACME, RESELLER])


def row(name):
    return package_rows.package_row("acme", name, DAY)[0]


def snapshot(*names, day=DAY):
    return take_snapshot([("acme", name) for name in names], day).snapshot


def test_a_snapshot_comes_back_as_it_was(tmp_path, monkeypatch):
    path, made = tmp_path / "gaugeblock-prices.json", snapshot("whole", "plain")
    save_snapshot(path, made)
    assert load_snapshot(path) == made
    monkeypatch.chdir(tmp_path)
    assert working_snapshot(None) == made
    path.unlink()
    assert working_snapshot(None) is None
    with pytest.raises(WrongUse, match="no such price file"):
        working_snapshot(path)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"1"', '"-1"'),
        ('"1"', '"1e3"'),
        ('"1"', '"x"'),
        ('"1"', "1.5"),
        ('"taken"', '"taking"'),
        ('"2026-11-30"', "1796000000"),
        ('"2026-11-30"', '"2026-11-30T00:00:00"'),
        ('"2026-11-30"', '"9999-12-31"'),
        ('"2026-11-30"', '"0001-01-01"'),
        ('"until": null', '"until": "0001-01-01"'),
        ('"checked": null', '"checked": {"source": "https://x", "date": "9999-01-01"}'),
        ('"checked": null', '"checked": {"source": "https://x", "date": "2026-10-30"}'),
        ('"checked": null', '"checked": {"source": "https://x", "date": "2026-12-30"}'),
        ('"source": "genai-prices"', '"source": "elsewhere"'),
        ("gaugeblock-prices/1", "gaugeblock-prices/2"),
        ("{", "["),
    ],
)
def test_a_file_that_is_no_snapshot_is_refused(tmp_path, old, new):
    path, text = tmp_path / "prices.json", snapshot("plain").pretty().decode()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(WrongUse, match=r"prices\.json") as told:
        load_snapshot(path)
    assert "\n" not in str(told.value)


def test_a_check_of_a_later_day_is_refused(tmp_path):
    """Within the days that the snapshot is used, but not come yet."""
    today = dt.date.today()
    path, made = tmp_path / "prices.json", snapshot("plain", day=today)
    for days, refused in ((0, False), (1, False), (5, True)):
        check = PriceCheck(source=PAGE, date=today + dt.timedelta(days))
        row = made.rows[0].model_copy(update={"checked": check})
        save_snapshot(path, made.model_copy(update={"rows": (row,)}))
        if refused:
            with pytest.raises(WrongUse, match="future"):
                load_snapshot(path)
        else:
            assert load_snapshot(path).rows[0].checked == check


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo, lambda path: path.symlink_to(path)])
def test_what_only_has_the_name_is_not_passed_over(tmp_path, monkeypatch, make):
    monkeypatch.chdir(tmp_path)
    make(tmp_path / "gaugeblock-prices.json")
    with pytest.raises(WrongUse, match=r"gaugeblock-prices\.json"):
        working_snapshot(None)


# --- what a profile's requests cost ----------------------------------------------------------


def profile(name="plain", billing="metered"):
    return Profile(
        id="p",
        label="p",
        agent="api",
        dialect="openai-responses",
        provider="acme",
        model=name,
        billing=billing,
    )


def test_a_tariff_is_the_row_of_the_profiles_model():
    found = tariff(profile(), snapshot("plain", "whole"), DAY)
    assert found.row == row("plain") and found.why_not == ""
    assert found.date == "2026-11-30" and found.until == dt.date(2026, 12, 30)


@pytest.mark.parametrize(
    ("name", "days", "word"),
    [
        ("plain", 29, None),
        ("plain", 30, "expired 2026-12-30"),
        ("plain", 400, "expired"),
        ("plain", -1, None),  # a clock of another time zone
        ("plain", -2, "after"),
        ("introductory", 0, None),
        ("introductory", 1, "other prices since 2026-12-01"),
        ("whole", 0, "no price of whole of acme"),
    ],
)
def test_prices_hold_for_their_days(name, days, word):
    found = tariff(profile(name), snapshot("plain", "introductory"), DAY + dt.timedelta(days))
    assert (found.row is None) == (word is not None)
    assert (found.date is None) == (word is not None)
    assert word is None or word in found.why_not


def test_an_introductory_price_is_not_used_after_its_end():
    found = tariff(profile("introductory"), snapshot("introductory"), DAY)
    assert found.until == dt.date(2026, 12, 1)


@pytest.mark.parametrize("billing", ["local", "subscription"])
def test_what_is_not_metered_has_no_price(billing):
    found = tariff(profile(billing=billing), snapshot("plain"), DAY)
    assert found.row is None and found.why_not and found.date is None
    assert tariff(profile(), None, DAY).why_not == "there is no price snapshot"


# --- confirmation -------------------------------------------------------------------------------


def checked(made, name="plain", provider=None, days=0, today=DAY):
    check = PriceCheck(source=PAGE, date=DAY + dt.timedelta(days))
    return confirm(made, name, provider, check, today)


def test_confirming_marks_one_row_and_changes_no_figure():
    made = snapshot("plain", "whole")
    changed, found = checked(made)
    assert found.checked == PriceCheck(source=PAGE, date=DAY)
    assert changed.row("acme", "whole") == made.row("acme", "whole")
    assert found.model_copy(update={"checked": None}) == made.row("acme", "plain")


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"days": 1}, "future"),
        ({"days": -31}, "more than 30 days"),
        ({"name": "plein"}, "not in the snapshot"),
        ({"provider": "other"}, "not in the snapshot"),
        ({"today": DAY + dt.timedelta(30)}, "expired"),
    ],
)
def test_what_cannot_be_confirmed_is_refused(change, word):
    with pytest.raises(WrongUse, match=word):
        checked(snapshot("plain"), **change)
    assert checked(snapshot("plain"), days=-30)


def test_a_model_of_two_providers_needs_a_name():
    made = take_snapshot([("acme", "plain"), ("reseller", "plain")], DAY).snapshot
    with pytest.raises(WrongUse, match="--provider"):
        checked(made)
    changed, _ = checked(made, provider="reseller")
    assert changed.row("acme", "plain").checked is None
    assert changed.row("reseller", "plain").checked is not None


def test_a_new_snapshot_keeps_confirmations_of_equal_and_recent_rows(monkeypatch):
    earlier = checked(checked(snapshot("plain", "introductory"))[0], "introductory")[0]

    def later(days):
        day = DAY + dt.timedelta(days)
        wanted = [("acme", "plain"), ("acme", "introductory")]
        rows = take_snapshot(wanted, day, earlier=earlier).snapshot.rows
        return [row.checked is not None for row in rows]

    assert later(0) == [True, True]
    assert later(1) == [True, False]  # the introductory price is over
    assert later(29) == [True, False]
    assert later(30) == [False, False]


@pytest.mark.parametrize("page", ["", "prices.example", "ftp://x", "https://a b", "https://"])
def test_a_page_is_an_address(page):
    with pytest.raises(ValueError):
        PriceCheck(source=page, date=DAY)


def test_a_snapshot_refuses_two_rows_of_one_model():
    made = snapshot("plain")
    with pytest.raises(ValueError, match="two rows"):
        PriceSnapshot(taken=DAY, sources=made.sources, rows=made.rows * 2)
