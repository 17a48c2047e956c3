"""Rows as JSONL and CSV."""

import csv
import io
import json

import jsonschema
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_runs import full_run, one_cell, sequences

from gaugeblock.analysis import read_rows_csv, row_schema, rows_csv, rows_jsonl, summary
from gaugeblock.records.row import Row

FORMULAS = ['=cmd|"/c calc"!A1', "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "'=1", "'", "＝1", "\n=1"]


def with_reason(text):
    (row,) = one_cell(["failed"]).rows
    return row.model_copy(update={"reason": text})


def test_every_line_validates_with_the_schema():
    schema = row_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    check = jsonschema.Draft202012Validator(schema)
    lines = rows_jsonl(full_run().rows).splitlines()
    assert len(lines) == 250
    for line in lines:
        check.validate(json.loads(line))


@pytest.mark.parametrize(
    "change",
    [{"outcome": "won"}, {"unknown": {}}, {"extra": 1}, {"growth": "many"}, {"tool_calls": 1.5}],
)
def test_the_schema_refuses_what_is_no_row(change):
    line = json.loads(rows_jsonl(sequences([["not-run"]]).rows).splitlines()[0])
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**line, **change}, row_schema())


def test_jsonl_round_trip():
    rows = full_run().rows
    assert [Row.model_validate_json(line) for line in rows_jsonl(rows).splitlines()] == rows
    assert rows_jsonl([]) == b""


def test_every_null_of_a_row_has_its_reason():
    for row in full_run().rows:
        missing = {name for name in Row.model_fields if getattr(row, name) is None}
        assert missing == set(row.unknown)
        assert all(row.unknown.values())


def test_csv_round_trip():
    rows = full_run().rows
    assert read_rows_csv(rows_csv(rows)) == rows
    assert read_rows_csv(rows_csv([])) == []


@pytest.mark.parametrize("text", FORMULAS)
def test_no_text_cell_is_a_formula(text):
    row = with_reason(text)
    (line,) = csv.DictReader(io.StringIO(rows_csv([row]).decode(), newline=""))
    assert line["reason"] == "'" + text
    assert read_rows_csv(rows_csv([row])) == [row]


@settings(deadline=None)
@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=20))
def test_any_text_comes_back(text):
    row = with_reason(text)
    assert read_rows_csv(rows_csv([row])) == [row]


def test_numbers_stay_numbers():
    table = pl.read_csv(rows_csv(full_run().rows), infer_schema_length=None)
    assert table["total_s"].dtype == pl.Float64
    assert table["output"].dtype == pl.Int64
    assert table["attempted"].dtype == pl.Boolean
    assert json.loads(table["settings"][0]) == {}


def test_summary_is_plain_json():
    run = full_run()
    data = summary(run.plan, run.rows)
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert data["statistics"]["confidence"] == 0.95
    (cell,) = [
        c for c in data["results"]["cells"] if (c["profile"], c["case"]) == ("model-a", "S4")
    ]
    assert cell["pass_hat_k"]["3"] == 1.0
    cost = next(m for m in cell["rounds"][0]["metrics"] if m["metric"] == "cost_usd")
    assert cost["median"] == "0.0325"
