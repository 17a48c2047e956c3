"""Every figure of a report comes out of its rows once more, by a script that shares no code."""

import ast
import json
import random
import subprocess
import sys
from pathlib import Path

import pytest
import recompute
from made_comparisons import contest_run
from made_runs import full_run, sequences, voided, wiring_run

from gaugeblock.analysis import render_report, rows_jsonl, summary
from gaugeblock.records.base import pretty_json


def written(run, folder):
    """The files of a run that hold figures."""
    (folder / "results.jsonl").write_bytes(rows_jsonl(run.rows))
    (folder / "summary.json").write_bytes(pretty_json(summary(run.plan, run.rows)))
    report = render_report(run.plan, run.rows, run.grades, closed=True)
    (folder / "report.md").write_text(report, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return written(full_run(), tmp_path_factory.mktemp("run"))


def many_cases():
    chance = random.Random(4)
    wins = {name: [chance.randint(0, 7) for _ in range(12)] for name in ("model-a", "model-b")}
    return contest_run(wins, trials=7)


def broken_sequences():
    return sequences([["passed"] * 6, ["passed", "error:host"], ["passed"] * 3 + ["failed"], []])


def test_every_figure_comes_out_again(folder):
    assert recompute.differences(folder) == []


def with_void_cells():
    return voided(full_run(), ("model-a", "S1"), ("model-b", "depth"), ("null", "S2"))


@pytest.mark.parametrize("make", [wiring_run, many_cases, broken_sequences, with_void_cells])
def test_of_other_runs_too(make, tmp_path):
    assert recompute.differences(written(make(), tmp_path)) == []


CHANGES = [
    ({"outcome": "failed"}, "headline, attempted, passed: shown"),
    ({"outcome": "error:provider"}, "headline, valid"),
    ({"first_try": False}, "first_try, passed"),
    ({"cost_usd": "0.9"}, "metrics, cost_usd, maximum"),
    ({"total_s": 999.0}, "metrics, total_s, maximum"),
    ({"output": 99_999}, "metrics, output_tokens, maximum"),
    ({"unsettled_calls": 1}, "metrics, cost_usd, unknown"),
    ({"machine": "another"}, "metrics, total_s, unknown"),
    ({"growth": 13.0}, "along scale"),
    ({"model": "a-2"}, "results: cells: shown"),
]


@pytest.mark.parametrize(("change", "word"), CHANGES)
def test_one_changed_row_is_named(folder, tmp_path, change, word):
    for name in ("summary.json", "report.md"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    lines = (folder / "results.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    place = next(
        i
        for i, row in enumerate(rows)
        if (row["profile"], row["case"], row["outcome"]) == ("model-a", "S1", "passed")
        and row["first_try"]
    )
    rows[place].update(change)
    (tmp_path / "results.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    told = "\n".join(recompute.differences(tmp_path))
    assert word in told
    assert "model-a" in told or "cells" in word


@pytest.mark.parametrize(
    ("one", "word"),
    [
        ({"voided": False}, "results: cells: shown"),
        ({"outcome": "passed"}, "void, model-a on S1, create, passed: shown"),
    ],
)
def test_one_changed_void_row_is_named(tmp_path, one, word):
    written(with_void_cells(), tmp_path)
    path = tmp_path / "results.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    place = next(
        i
        for i, row in enumerate(rows)
        if (row["profile"], row["case"], row["outcome"]) == ("model-a", "S1", "failed")
    )
    rows[place].update(one)
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert any(word in line for line in recompute.differences(tmp_path))


@pytest.mark.parametrize("figure", ["4/5 (38–96\u00a0%)", "0.0321 [0.0260–0.0389]", "44.92"])
def test_one_changed_figure_of_the_report_is_named(folder, tmp_path, figure):
    for name in ("summary.json", "results.jsonl"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    report = (folder / "report.md").read_text(encoding="utf-8")
    assert figure in report
    text = report.replace(figure, "5" + figure[1:], 1)
    (tmp_path / "report.md").write_text(text, encoding="utf-8")
    (line,) = recompute.differences(tmp_path)
    assert line.startswith("report: model-a on S1")


def test_it_needs_only_python_and_can_be_called(folder):
    script = Path(recompute.__file__)
    tree = ast.parse(script.read_bytes())
    names = {
        name.split(".")[0]
        for node in ast.walk(tree)
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert names <= sys.stdlib_module_names
    done = subprocess.run(
        [sys.executable, "-I", str(script), str(folder)], capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (0, "every figure comes out of the rows\n")
