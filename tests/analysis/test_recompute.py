"""Every figure of a report comes out of its rows once more, by a script that shares no code."""

import ast
import json
import random
import re
import shutil
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest
import recompute
from made_comparisons import contest_run
from made_points import WITH, WITHOUT, Machine, points_run
from made_runs import full_run, sequences, voided, wiring_run

from gaugeblock.analysis import render_report, rows_jsonl, summary
from gaugeblock.records.base import pretty_json
from gaugeblock.records.review import CRITERIA, ReviewImport


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


@pytest.fixture
def reviewed(tmp_path):
    """A closed run of machines and, made later, its figures with reviews: some by two people."""
    lost = [(), ("housing",), ("labels", "details")]
    run = points_run({WITH: [Machine(lost=one) for one in lost], WITHOUT: [Machine()]})
    run.rows = [row.model_copy(update={"artifact_sha256": "b" * 64}) for row in run.rows]
    chance = random.Random(3)
    reviews = [
        {
            "sample": number,
            "pack": "0" * 32,
            "reviewer": who,
            "date": "2026-03-01",
            "method": "ai" if who == "some model" else "human",
            "scores": {name: chance.randint(0, 10) for name in CRITERIA},
            "notes": "",
            "trial": row.trial,
            "round": row.round,
            "artifact_sha256": "b" * 64,
        }
        for number, (row, who) in enumerate(product(run.rows, ("Ana", "Ben", "some model")), 1)
        if (row.case, who) not in ((WITHOUT, "Ana"), (WITHOUT, "Ben"))
    ]
    reviews.append({**reviews[0], "sample": 99, "scores": dict.fromkeys(CRITERIA, 0)})  # Ana again
    folder, later = tmp_path / "run", tmp_path / "later"
    (folder / "amendments").mkdir(parents=True)
    later.mkdir()
    written(run, folder)
    note = {"kind": "review", "content": {"reviews": reviews}}
    (folder / "amendments" / "0001.json").write_text(json.dumps(note), encoding="utf-8")
    imported = ReviewImport.build(note["content"], "reviews")
    data = summary(run.plan, run.rows, imported.reviews)
    (later / "summary.json").write_bytes(pretty_json(data))
    shutil.copy(folder / "report.md", later)
    return folder, later


def test_reviewed_quality_comes_out_of_the_amendments(reviewed):
    folder, later = reviewed
    told = json.loads((later / "summary.json").read_bytes())["review"]["quality"]
    assert [one["sum"] is None for one in told] == [False, True]  # without tools it waits
    assert recompute.differences(folder) == []  # as it was closed: pending
    assert recompute.differences(folder, later) == []
    assert any("review" in line for line in recompute.differences(folder, folder))
    done = subprocess.run(
        [sys.executable, "-I", recompute.__file__, str(folder), str(later)],
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout) == (0, "every figure comes out of the rows\n")


@pytest.mark.parametrize(
    ("change", "word"),
    [
        (lambda content: content["reviews"].pop(0), "people|scores|sum"),
        (lambda content: content["reviews"].pop(), "scores"),
        (lambda content: content["reviews"][1].update(method="ai"), "least_of_an_artifact"),
        (lambda content: content["reviews"][1]["scores"].update(finish=11), "finish"),
    ],
)
def test_one_changed_review_is_named(reviewed, change, word):
    folder, later = reviewed
    path = folder / "amendments" / "0001.json"
    note = json.loads(path.read_text(encoding="utf-8"))
    change(note["content"])
    path.write_text(json.dumps(note), encoding="utf-8")
    lines = recompute.differences(folder, later)
    assert all(line.startswith("review: model-a on machine") for line in lines)
    assert re.search(word, "\n".join(lines))


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
