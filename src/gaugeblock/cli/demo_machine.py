"""The machine of suite ``assembly`` in the demo: its points check by check, and its picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from gaugeblock.cli.console import plain
from gaugeblock.records.errors import CouldNotMeasure

if TYPE_CHECKING:
    from gaugeblock.records.grade import Grade
    from gaugeblock.records.row import Row
    from gaugeblock.records.run_folder import RunFolder

ASSEMBLY, MACHINE = "assembly", "espresso-machine"
"""The suite, and its case."""

VIEW = "iso"
SIZE = 1000
"""Side of the picture in pixels."""
SECONDS = 60.0
"""Time ceiling of looking at the machine, s: it takes about one."""


def picture_of(place: Path) -> Path:
    """Return where the picture goes: beside the run's folder, which is closed."""
    return place.with_name(f"{place.name}-machine.png")


def show_machine(folder: RunFolder, picture: Path) -> None:
    """Print the machine's points and where its picture is; draw it."""
    from gaugeblock.records.run_folder import ARTIFACT
    from gaugeblock.running.reports import grades_of

    row = next(row for row in folder.rows() if row.case == MACHINE and row.agent == "reference")
    grade = grades_of(folder).get((row.trial, row.round))
    _show_points(row, grade)
    trial = next(trial for trial in folder.trials if trial.planned.id == row.trial)
    step = trial.rounds[0].folder / ARTIFACT
    if not step.is_file():
        return
    try:
        draw(step, picture)
    except CouldNotMeasure as error:
        typer.echo(f"no picture of the machine: {plain(str(error))}\n", err=True)
    else:
        typer.echo(f"picture: {plain(str(picture))}\n")


def _show_points(row: Row, grade: Grade | None) -> None:
    from rich.markup import escape
    from rich.table import Table

    from gaugeblock.cli.console import answers

    table = Table(title="reference agent: an espresso machine by object tools", show_edge=False)
    table.add_column("check")
    table.add_column("points", justify="right")
    table.add_column("verdict")
    table.add_column("rule", overflow="fold")
    for check in grade.checks if grade else ():
        worth = "" if check.points is None else str(check.points)
        told = f"{check.formula}; {check.finding}" if check.finding else check.formula
        table.add_row(escape(check.name), worth, check.verdict, escape(told))
    answers().print(table)
    known = row.points is not None
    points = f"{row.points}/{row.points_of} points" if known else f"no points: {row.reason}"
    shared = (
        f"{row.interference_pairs} pairs of solids share space"
        if row.interference_pairs is not None
        else f"interference unknown: {row.unknown['interference_pairs']}"
    )
    typer.echo(
        f"{points} of the geometry ({row.tool_calls} calls, {row.commits} commits); beside them: "
        f"{shared}. Overall quality is people's to judge and is pending."
    )


def draw(step: Path, picture: Path) -> None:
    """Write a shaded picture of a STEP file in its own colours.

    Raises:
        CouldNotMeasure: there is none; the text says why.
    """
    from gaugeblock.records.store import write_atomic
    from gaugeblock.ruler import Ruler
    from gaugeblock.ruler.picture.views import png
    from gaugeblock.ruler.views.cameras import CAMERAS
    from gaugeblock.ruler.views.shading import Shading

    camera = CAMERAS[VIEW]
    with Ruler() as ruler:
        found = ruler.views(step, [camera], wall_s=SECONDS)
    if isinstance(found.body, str):
        raise CouldNotMeasure(found.body)
    try:
        write_atomic(picture, png(Shading(found.body).draw(camera, SIZE).pixels))
    except OSError as error:
        raise CouldNotMeasure(f"{picture}: {error.strerror or error}") from error
