"""``gaugeblock case check``: a STEP file against a case that shows a drawing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from gaugeblock.cli.outputs import check_inputs
from gaugeblock.records.errors import CouldNotMeasure, WrongUse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gaugeblock.records.case import Case
    from gaugeblock.records.grade import Grade
    from gaugeblock.records.scoring import Scoring
    from gaugeblock.suites import SheetSuite

FELL_SHORT = 1
"""Exit code of a part that is not right."""

WORDS = {
    "pass": "pass",
    "fail": "FAIL",
    "could-not-measure": "could not measure",
    "not-applicable": "not asked",
}


def case_check(
    case: str = typer.Argument(
        ..., metavar="CASE", help="SUITE/CASE, such as drawings/bearing-block, or a case's folder."
    ),
    file: Path = typer.Argument(..., metavar="FILE", help="STEP file of the part."),
    drawing: Path | None = typer.Option(
        None, metavar="DXF", help="A drawing of its own, looked at beside the part."
    ),
    seconds: float = typer.Option(180.0, min=1, max=3600, help="Time ceiling of each step, s."),
    as_json: bool = typer.Option(False, "--json", help="Print scoring and grade as JSON."),
) -> None:
    """Score a STEP file in five dimensions against a case, as a delivery would be.

    Example: gaugeblock case check drawings/bearing-block part.step

    Exit code 0 if it passes (reachable), 1 if it falls short, 3 if that could not be measured.
    """
    check_inputs([file] if drawing is None else [file, drawing])
    from gaugeblock.cli.console import print_json

    suite, found = _found(case)
    grade, scoring = _graded(suite, found, file, drawing, seconds)
    if as_json:
        record = scoring.model_dump(mode="json") if scoring else None
        print_json({"grade": grade.model_dump(mode="json"), "scoring": record})
    else:
        for line in _told(found, grade):
            typer.echo(line)
    if grade.verdict == "failed":
        raise typer.Exit(FELL_SHORT)
    if grade.verdict == "could-not-grade":
        raise typer.Exit(CouldNotMeasure.exit_code)


def _found(word: str) -> tuple[SheetSuite, Case]:
    """Return the case of a word and its suite; the tracks of a part are judged alike."""
    from gaugeblock.running.targets import find_targets, is_folder
    from gaugeblock.suites import SheetSuite, load_suite

    name, _, case_id = word.partition("/")

    if is_folder(word):
        suites, cases = find_targets([word])
        found, suite = cases[0], suites[cases[0].suite]
    elif not case_id:
        raise WrongUse(f"{word}: give SUITE/CASE (see case list {word}), or a case's folder")
    else:
        suite = load_suite(name)
        parts = {case.rounds[0].id: case for case in suite.cases() if case.drawing is not None}
        found = parts.get(case_id) or suite.case(case_id)
    if found.drawing is None or not isinstance(suite, SheetSuite):
        raise WrongUse(f"{word}: shows no drawing; its deliveries are judged by formulas")
    return suite, found


def _graded(
    suite: SheetSuite, case: Case, file: Path, drawing: Path | None, seconds: float
) -> tuple[Grade, Scoring | None]:
    import tempfile

    from gaugeblock.cli.console import progress
    from gaugeblock.records.store import file_sha256
    from gaugeblock.ruler import Ruler
    from gaugeblock.ruler.scoring import score
    from gaugeblock.running.fingerprints import compute
    from gaugeblock.running.plans import PACKAGE
    from gaugeblock.suites import Delivered

    assert case.drawing is not None, "only such cases are checked"
    scoring = None
    with progress() as bar, Ruler(wall_s=seconds) as ruler, tempfile.TemporaryDirectory() as place:
        task = bar.add_task("measuring", total=2)
        measurement = ruler.measure(file)
        bar.update(task, advance=1, description="scoring")
        if measurement.verdict == "measured":
            reference = Path(place) / "reference.step"
            reference.write_bytes(suite.reference(case))
            own = drawing.read_bytes() if drawing else None
            sheet = case.drawing.dimensions
            scoring = score(ruler, reference, file, sheet, own_drawing=own, wall_s=seconds)
    delivered = Delivered(measurement, file_sha256(file), task=case.drawing, scoring=scoring)
    fingerprint = compute(PACKAGE)["ruler"].sha256
    return suite.grade(case.rounds[0], delivered, ruler_fingerprint=fingerprint), scoring


def _told(case: Case, grade: Grade) -> Iterator[str]:
    assert case.drawing is not None, "only such cases are checked"
    yield f"{case.title} ({case.rounds[0].id})"
    for check in grade.checks:
        measured = _figure(check.measured)
        yield f"  {check.name:16} {measured:>8}  {WORDS[check.verdict]:18} {check.formula}"
        if check.finding:
            yield f"  {'':16} {'':8}  {check.finding}"
    extended = grade.figures.get("extendedRecall")
    if extended is not None:
        ceilings = case.drawing.ceilings
        most = f"{ceilings.measurable_extended} of {ceilings.asked}"
        yield f"  {'extendedRecall':16} {_figure(extended):>8}  no threshold; ceiling {most}"
    for note in grade.notes:
        yield f"  {note}"
    apart = ", ".join(f"{name}: {WORDS[verdict]}" for name, verdict in grade.apart.items())
    yield f"{grade.verdict} (reachable); {apart}"


def _figure(value: Any) -> str:
    return f"{value:.4f}" if isinstance(value, float) else "—" if value is None else str(value)


def drawing_lines(case: Case) -> Iterator[str]:
    """Yield what `case show` tells of a case that shows a drawing."""
    task = case.drawing
    assert task is not None, "only such cases are told so"
    ceilings = task.ceilings
    yield f"  {task.group}, {task.part_class}, difficulty {task.difficulty}, track {task.track}"
    yield f"  shown: {', '.join(sorted(task.shown))}"
    yield f"  referenceCoverage = {ceilings.measurable}/{ceilings.asked}"
    yield f"  with axes = {ceilings.measurable_extended}/{ceilings.asked}"
    yield f"  drawingSelfTest = {ceilings.drawn}/{ceilings.asked}"
    rates = ceilings.chance
    yield f"  randomHitRate = {rates.length:.3f} of lengths, {rates.angle:.3f} of angles"
    for thread in task.threads:
        where = "internal" if thread.internal else "external"
        yield f"  thread {thread.count}× {thread.designation}, {where}, {thread.hand}-handed"
    for dimension in task.dimensions:
        yield f"  {dimension.label}"
