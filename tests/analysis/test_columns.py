"""Rows kept column by column give back what was put in."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_rows import Figures
from made_runs import full_run, one_cell, sequences

from gaugeblock.analysis import render_report, summary
from gaugeblock.analysis.cells import begun, cells, never_begun
from gaugeblock.analysis.columns import UNUSED, Column
from gaugeblock.records.row import Row

KEPT = sorted(set(Row.model_fields) - UNUSED)


def spread(code, values):
    """A column whose values differ from the first one on."""
    column = Column(code, values[0])
    column.spread(1)
    for value in values[1:]:
        column.append(value)
    return column


def test_every_kept_field_of_every_row_comes_back():
    rows = {(row.trial, row.round): row for row in full_run().rows}
    seen = 0
    for cell in cells(rows.values()):
        for sample in cell.rows():
            row = rows[sample.trial, sample.round]
            for name in KEPT:
                found, put = getattr(sample, name), getattr(row, name)
                assert found == put and type(found) is type(put), name
            seen += 1
    assert seen == len(rows)


def test_a_field_of_all_rows_is_that_of_each():
    for cell in cells(full_run().rows):
        for name in KEPT:
            assert cell.rows().field(name) == [getattr(row, name) for row in cell.rows()]


@given(st.lists(st.none() | st.floats(allow_nan=False, allow_infinity=False), min_size=1))
def test_numbers_and_unknowns_come_back(values):
    column = spread("d", values)
    places = list(range(len(values)))
    assert column.at(places) == [column[place] for place in places] == values


@given(st.lists(st.none() | st.integers(0, 2**62), min_size=1))
def test_counts_and_unknowns_come_back(values):
    column = spread("q", values)
    assert column.at(range(len(values))) == values


@given(st.lists(st.sampled_from([1, True, 1.0, "1", None, ("a",), {"a": "b"}]), min_size=1))
def test_values_that_are_equal_and_not_the_same_come_back(values):
    column = spread("O", values)
    found = column.at(range(len(values)))
    assert [(type(value), value) for value in found] == [(type(v), v) for v in values]


def test_what_is_not_kept_is_an_error_and_no_none():
    (cell,) = cells(one_cell(["passed"]).rows)
    with pytest.raises(AttributeError, match="started_at"):
        _ = cell.rows()[0].started_at


def test_trials_and_what_began():
    (cell,) = cells(sequences([["passed"] * 6, ["passed", "failed"], []]).rows)
    assert [len(trial) for trial in cell.trials] == [6, 6, 6]
    assert [len(begun(trial)) for trial in cell.trials] == [6, 2, 0]
    assert [len(never_begun(trial)) for trial in cell.trials] == [0, 4, 6]
    assert cell.by_trial("round")[1] == ["k1", "k2", "k3", "k4", "k5", "k6"]


def test_a_stream_of_rows_gives_the_same_as_a_list():
    run = full_run()
    mixed = list(run.rows)
    random.Random(8).shuffle(mixed)
    together = cells(iter(mixed))
    assert summary(run.plan, together) == summary(run.plan, run.rows)
    whole = render_report(run.plan, run.rows, run.grades, closed=True)
    assert render_report(run.plan, together, run.grades, closed=True) == whole


def test_settings_that_are_equal_and_not_the_same_are_two_cohorts():
    rows = one_cell(["passed"] * 2).rows
    rows[0] = rows[0].model_copy(update={"settings": {"x": 1}})
    rows[1] = rows[1].model_copy(update={"settings": {"x": True}})
    assert len(cells(rows)) == 2


@pytest.mark.parametrize("steady", [1, 2, 3])
def test_a_column_that_stops_being_steady_keeps_what_it_had(steady):
    repairs = [0] * steady + [2, None, 0]
    figures = [Figures(repairs=n) for n in repairs]
    (cell,) = cells(one_cell(["passed"] * len(repairs), figures).rows)
    assert cell.rows().field("repairs") == repairs
