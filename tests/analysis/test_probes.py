"""Probes in figures: held over probed, apart from success, and what scripts must do there."""

import pytest
from made_rows import MODEL, MadeRun, make_plan, scale_case

from gaugeblock.analysis.cells import cells
from gaugeblock.analysis.probes import probe_rate
from gaugeblock.analysis.report import render_report
from gaugeblock.analysis.run_summary import summary
from gaugeblock.analysis.tables import read_rows_csv, rows_csv
from gaugeblock.records.case import Case
from gaugeblock.records.plan import PlannedTrial
from gaugeblock.records.probe import Probe
from gaugeblock.records.profile import scripted_profile

CASE = scale_case("S1", 12)
CASE = Case.model_validate(
    {
        **CASE.model_dump(),
        "rounds": [{**asked.model_dump(), "probe": {"N": 20}} for asked in CASE.rounds],
    }
)


def made(verdicts, who=MODEL):
    """Five passed trials and one failed, with these probes; None: none was made."""
    run = MadeRun(make_plan((who,), (CASE,), len(verdicts) + 1))
    for trial in run.plan.trials[:-1]:
        run.add(trial, ["passed"])
    run.add(run.plan.trials[-1], ["failed"])
    for place, (verdict, checks, reason) in enumerate(verdicts):
        told = {k: v for k, v in run.rows[place].unknown.items() if k != "probe"}
        change = {"probe": verdict, "probe_failed_checks": checks, "probe_reason": reason}
        run.rows[place] = run.rows[place].model_copy(update={**change, "unknown": told})
    return run


MIXED = [
    ("held", (), ""),
    ("held", (), ""),
    ("missed", ("volume", "faces"), "volume: 1 instead of 2"),
    ("missed", (), "runtime: line 3: no"),
    ("could-not-grade", (), "the host was lost"),
]


def test_the_rate_is_over_what_could_be_graded():
    (cell,) = cells(made(MIXED).rows)
    rate = probe_rate(cell, "create")
    assert (rate.held.passed, rate.held.n, rate.could_not_grade) == (2, 4, 1)
    # Wilson of 2 of 4: (0.5 ± …) reckoned by hand with z = 1.959964.
    assert (rate.held.low, rate.held.high) == pytest.approx((0.1500385, 0.8499615), abs=1e-6)
    assert rate.missed_by == {"rejected (runtime)": 1, "volume, faces": 1}


def test_the_report_tells_probes_apart_and_success_stays():
    run = made(MIXED)
    text = render_report(run.plan, run.rows, run.grades, closed=True)
    head, _, rest = text.partition("## Re-edit probe\n")
    section = rest.partition("\n## ")[0]
    assert "| model-a | S1 | 2/4 (15–85\u00a0%) |" in section
    assert "rejected (runtime) (1); volume, faces (1) | 1 |" in section
    without = made([("held", (), "")] * 5)
    other = render_report(without.plan, without.rows, without.grades, closed=True)
    results = "## Results" + head.partition("## Results")[2].partition("## Growth")[0]
    assert results in other
    assert "5/6" in results


def test_the_summary_has_the_same():
    run = made(MIXED)
    (cell,) = summary(run.plan, run.rows)["results"]["cells"]
    probe = cell["rounds"][0]["probe"]
    assert (probe["held"]["passed"], probe["held"]["n"], probe["could_not_grade"]) == (2, 4, 1)
    assert cell["rounds"][0]["headline"]["attempted"]["passed"] == 5


def test_a_run_without_probes_has_no_section():
    run = MadeRun(make_plan((MODEL,), (scale_case("S1", 12),), 1))
    run.add(run.plan.trials[0], ["passed"])
    assert run.rows[0].unknown["probe"] == "the round declares no probe"
    text = render_report(run.plan, run.rows, run.grades, closed=True)
    assert "Re-edit probe" not in text
    (cell,) = summary(run.plan, run.rows)["results"]["cells"]
    assert cell["rounds"][0]["probe"]["held"]["n"] == 0


def test_rows_come_back_from_csv_with_their_probes():
    rows = made(MIXED).rows
    assert read_rows_csv(rows_csv(rows)) == rows
    assert [row.unknown.get("probe") for row in rows[:5]] == [None] * 5
    assert rows[5].unknown["probe"].startswith("only a round that passed")


def test_the_wiring_is_not_proven_by_a_reference_that_misses():
    for verdicts, told in ((MIXED, "**3 did not"), ([("held", (), "")] * 5, None)):
        run = made(verdicts, scripted_profile("reference"))
        run.rows.pop()  # the reference that failed
        run.plan = run.plan.model_copy(update={"trials": run.plan.trials[:-1]})
        text = render_report(run.plan, run.rows, run.grades, closed=True)
        assert "### Re-edit probes" in text
        assert told is None or told in text
        assert ("the wiring is not proven" in text) == bool(told)


@pytest.mark.parametrize(
    ("due", "probe", "failed", "right"),
    [
        ({}, "held", (), True),
        ({}, None, (), True),  # the round declares no probe
        ({}, "missed", ("volume",), False),
        ({}, "could-not-grade", (), False),
        ({"S1": ("volume", "faces")}, "missed", ("faces", "volume"), True),
        ({"S1": ("volume", "faces")}, "missed", ("volume",), False),
        ({"S1": ("volume",)}, "held", (), False),
        ({"S1": ("volume",)}, None, (), False),
        ({"S1": ("volume",)}, "could-not-grade", (), False),
        ({"S1": ()}, "missed", (), True),  # rejected by the host
        ({"S1": ()}, "missed", ("volume",), False),
        ({"k1": ("volume",)}, "held", (), True),  # it misses in another round
    ],
)
def test_how_a_script_must_stand_the_probe(due, probe, failed, right):
    trial = PlannedTrial(
        id="0001.x", case_id="S1", profile_id="x", repetition=1, must_fail={}, misses_probe=due
    )
    assert trial.as_it_must("S1", "passed", (), None, probe, failed) is right
    model = trial.model_copy(update={"must_fail": None})
    assert model.as_it_must("S1", "passed", (), None, probe, failed) is None


@pytest.mark.parametrize(
    "change",
    [
        {"verdict": "held"},  # without a grade
        {"verdict": "missed"},
        {"verdict": "could-not-grade", "rejected": "runtime"},
        {"reason": ""},
        {"unknown": {}},
    ],
)
def test_a_probe_that_contradicts_itself_is_no_record(change):
    why = "the host was lost"
    good = {
        "round": "S1",
        "parameters": {"cols": 6},
        "document_sha256": "a" * 64,
        "verdict": "could-not-grade",
        "reason": why,
        "grade": None,
        "artifact_sha256": None,
        "measurement_sha256": None,
        "unknown": dict.fromkeys(("grade", "artifact_sha256", "measurement_sha256"), why),
    }
    assert Probe.model_validate(good).failed() == ()
    with pytest.raises(ValueError, match="Probe"):
        Probe.model_validate({**good, **change})
