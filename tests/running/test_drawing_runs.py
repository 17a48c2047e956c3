"""A case that shows a drawing, as it is run: scored, graded, audited and gone on with."""

import json
import shutil
import stat

import pytest
from build123d import Align, Box, Cylinder, Pos, export_step

from gaugeblock.analysis.cells import cells
from gaugeblock.analysis.dimensions import dimension_tables
from gaugeblock.records.errors import WrongUse
from gaugeblock.records.run_folder import INPUTS, SCORING, open_run, read_scoring
from gaugeblock.running.amending import regrade
from gaugeblock.running.audit import audit
from gaugeblock.running.plans import Wish
from gaugeblock.running.run import Watch, resume, run
from gaugeblock.running.soundness import CLOSING, faults, read_run

CANARY = "gaugeblock-canary-00000000-0000-4000-8000-000000000000"
CASE = f'''id = "small-plate"
title = "Plate"
group = "own"
class = "plate"
difficulty = 1
canary = "{CANARY}"
[parameters]
length = 60
[sheet]
number = "GB-900"
material = "S235"
'''
PROGRAM = """
low = (Align.CENTER, Align.CENTER, Align.MIN)
plate = Box(length, 40, 10, align=low) - Pos(-15, -8, 0) * Cylinder(4, 10, align=low)
result = {"plate": plate + Pos(20, 5, 10) * Box(10, 20, 15, align=low)}
"""
SIZES = {"60": 60, "40": 40, "10": 10, "25": 25, "20": 20, "⌀8": 8}
"""Distances of faces along X, Y and Z, and the hole: by the program above."""

WRONG = """
[[mutant]]
name = "plate-alone"
does = "forgets the block"
append = "result = {'plate': plate}"
must_fail = { small-plate = ["dimensionRecall", "semanticMatch", "shapeIoU", "drawingMatch"] }
"""


def made_case(place):
    low = (Align.CENTER, Align.CENTER, Align.MIN)
    part = Box(60, 40, 10, align=low) - Pos(-15, -8, 0) * Cylinder(4, 10, align=low)
    part += Pos(20, 5, 10) * Box(10, 20, 15, align=low)
    folder = place / "small-plate"
    (folder / "sheet").mkdir(parents=True)
    export_step(part, str(folder / "reference.step"))
    listed = [
        {"label": label, "type": "diameter" if "⌀" in label else "length", "value": value}
        for label, value in SIZES.items()
    ]
    chance = dict.fromkeys(("length", "diameter", "radius", "angle"), 0.1)
    ceilings = dict.fromkeys(("asked", "measurable", "measurable_extended", "drawn"), len(SIZES))
    (folder / "case.toml").write_text(CASE)
    (folder / "program.py").write_text(f"# {CANARY}\n\n{PROGRAM}")
    (folder / "dimensions.json").write_text(json.dumps(listed))
    (folder / "ceilings.json").write_text(
        json.dumps({**ceilings, "semantic_match": 1.0, "chance": chance})
    )
    (folder / "sheet" / "drawing.svg").write_text("<svg/>")
    return folder


@pytest.fixture(scope="session")
def drawing_run(made_once, sharing, tmp_path_factory):
    """A closed run of one own case by reference, null, a right mutant and a wrong one."""

    def make(out):
        place = tmp_path_factory.mktemp("own")
        folder = made_case(place)
        mutants = place / "mutants.toml"
        with pytest.MonkeyPatch.context() as patch, sharing():
            from gaugeblock.suites.drawings import suite

            kept = (suite.FOLDER / "mutants.toml").read_text()
            mutants.write_text(kept + WRONG)
            patch.setattr(suite, "MUTANTS", mutants)
            # Without a workspace: what is shown there is nothing that a script looks at.
            patch.setattr(suite, "NEEDS", {"vector": ("program", "step"), "raster": ()})
            profiles = ("reference", "null", "mutant:turned", "mutant:plate-alone")
            run(Wish((str(folder),), profiles, trials=1), out, Watch())

    return made_once("drawing-run", make)


@pytest.fixture
def drawing_copy(drawing_run, tmp_path):
    return shutil.copytree(drawing_run, tmp_path / "copy")


def rows_by_profile(folder):
    return {row.profile: row for row in folder.rows()}


def test_each_agent_ends_as_it_must(drawing_run):
    folder = open_run(drawing_run)
    rows = rows_by_profile(folder)
    assert {name: row.outcome for name, row in rows.items()} == {
        "reference": "passed",
        "null": "no-delivery",
        "mutant:turned": "passed",
        "mutant:plate-alone": "failed",
    }
    for trial in folder.trials:
        (state,) = trial.rounds
        failed = state.grade.failed()
        assert trial.planned.as_it_must("small-plate", state.result.outcome, failed, None)


def test_rows_tell_the_five_figures_or_why_not(drawing_run):
    folder = open_run(drawing_run)
    rows, sealed = rows_by_profile(folder), folder.plan.host.sealed
    for name in ("reference", "mutant:turned"):
        row = rows[name]
        assert row.figures == {
            "dimensionRecall": 1.0,
            "semanticMatch": 1.0,
            "shapeIoU": pytest.approx(1.0, abs=1e-9),
            "drawingMatch": 1.0,
            "extendedRecall": 1.0,
        }
        assert row.apart == {"raw": "pass", "exact": "pass"}
        assert (row.group, row.axis, row.sealed) == ("own", "vector", sealed)
        assert row.unknown["figures.threadMatch"].startswith("not applicable: ")
    # The block is 10 × 20 × 15; plate and block are 24,000 − π 4² 10 + 3,000.
    whole = 27_000 - 160 * 3.141592653589793
    wrong = rows["mutant:plate-alone"]
    assert wrong.figures["shapeIoU"] == pytest.approx((whole - 3_000) / whole, abs=1e-6)
    # Of 60, 40, 10, 25, 20 and ⌀8 the plate alone has 60, 40, 10 and ⌀8.
    assert wrong.figures["dimensionRecall"] == pytest.approx(4 / 6)
    missing = rows["null"]
    assert missing.figures == {}
    assert missing.unknown["figures.shapeIoU"] == "nothing was delivered"


def test_the_folder_keeps_what_it_was_held_against(drawing_run):
    folder = open_run(drawing_run)
    (case,) = folder.plan.cases
    kept = {path.name for path in (drawing_run / INPUTS).iterdir()}
    task = case.drawing
    books = {task.rulebook_sha256} - {None}
    assert kept == {task.reference_sha256, *task.shown.values(), *books}
    schema = json.loads((drawing_run / "schemas" / "scoring.schema.json").read_text())
    assert set(schema["properties"]) >= {"dimensions", "features", "overlap", "threads", "drawing"}


def test_an_audit_scores_again(drawing_run, tmp_path):
    moved = shutil.copytree(drawing_run, tmp_path / "elsewhere")  # the case's folder is not needed
    found = audit(moved)
    assert (found.sound, found.mismatches, found.regraded) == (True, [], 4)


def opened(path):
    path.chmod(path.stat().st_mode | stat.S_IWUSR)
    return path


def state_of(run_folder, profile):
    folder = open_run(run_folder)
    return next(t.rounds[0] for t in folder.trials if t.planned.profile_id == profile)


def test_an_audit_sees_figures_that_nobody_measured(drawing_copy):
    state = state_of(drawing_copy, "mutant:plate-alone")
    stored = read_scoring(state.folder)
    better = stored.dimensions.model_copy(update={"found": 6, "recall": 1.0})
    lie = stored.model_copy(update={"dimensions": better})
    opened(state.folder / SCORING).write_bytes(lie.pretty())
    lines = audit(drawing_copy).mismatches
    assert any("scoring.json: content changed since closing" in line for line in lines)
    assert any("scoring.json: not what the grade rests on" in line for line in lines)


def test_an_audit_sees_another_reference(drawing_copy):
    (case,) = open_run(drawing_copy).plan.cases
    reference = opened(drawing_copy / INPUTS / case.drawing.reference_sha256)
    wrong = state_of(drawing_copy, "mutant:plate-alone").folder / "part.step"
    reference.write_bytes(wrong.read_bytes())
    lines = audit(drawing_copy).mismatches
    assert any("missing, or another file" in line for line in lines)


def reopen(run_folder):
    """Leave of a closed run what a kill before its closing leaves."""
    for path in run_folder.rglob("*"):
        opened(path)
    for name in (*CLOSING, "manifest.json"):
        path = run_folder / name
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


def test_an_open_run_without_its_inputs_is_not_sound(drawing_copy):
    reopen(drawing_copy)
    assert faults(read_run(drawing_copy)) == []
    (case,) = open_run(drawing_copy).plan.cases
    (drawing_copy / INPUTS / case.drawing.shown["drawing.svg"]).write_text("another")
    (drawing_copy / INPUTS / case.drawing.reference_sha256).unlink()
    told = " ".join(faults(read_run(drawing_copy)))
    assert "not the file that case small-plate.vector needs" in told
    assert "missing, and case small-plate.vector needs it" in told


def test_a_run_goes_on_without_the_folder_of_its_case(drawing_copy):
    reopen(drawing_copy)
    last = [t for t in open_run(drawing_copy).trials if t.planned.profile_id == "null"]
    shutil.rmtree(last[0].folder)
    folder = resume(drawing_copy, Watch())
    assert folder.closed
    assert rows_by_profile(folder)["null"].outcome == "no-delivery"
    assert audit(drawing_copy).mismatches == []


def test_a_script_of_a_missing_folder_is_refused_before_anything_begins(drawing_copy):
    reopen(drawing_copy)
    for trial in open_run(drawing_copy).trials:
        if trial.planned.profile_id in ("null", "mutant:turned"):
            shutil.rmtree(trial.folder)
    with pytest.raises(WrongUse, match="small-plate is not at hand"):
        resume(drawing_copy, Watch())
    assert sum(trial.started for trial in open_run(drawing_copy).trials) == 2


def test_a_regrade_scores_again_and_keeps_the_figures(drawing_copy):
    before = rows_by_profile(open_run(drawing_copy))
    assert regrade(drawing_copy, "another look") == 3  # where nothing was delivered nothing is
    after = rows_by_profile(open_run(drawing_copy))
    for name, row in after.items():
        assert (row.outcome, row.figures, row.apart) == (
            before[name].outcome,
            before[name].figures,
            before[name].apart,
        )
        assert row.grade_revision == (0 if name == "null" else 1)


def test_scripts_have_a_table_of_their_own(drawing_run):
    summary = json.loads((drawing_run / "summary.json").read_text())
    assert summary["results"]["dimensions"] == []
    tables = {table["profile"]: table for table in summary["wiring"]["dimensions"]}
    assert tables["reference"]["exact"]["attempted"]["passed"] == 1
    assert tables["null"]["deliveries"]["attempted"] == {
        **tables["null"]["deliveries"]["attempted"],
        "passed": 0,
        "n": 1,
    }
    assert "five dimensions" not in (drawing_run / "report.md").read_text()
    assert len(dimension_tables(cells(open_run(drawing_run).rows()))) == 4
