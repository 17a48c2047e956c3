"""``gaugeblock diff``: two STEP files, what differs, in words, figures and a picture."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from gaugeblock.cli.outputs import check_inputs, check_outputs
from gaugeblock.records.errors import CouldNotMeasure, GaugeblockError, WrongUse

if TYPE_CHECKING:
    from gaugeblock.cli.diff_features import FeatureAccount
    from gaugeblock.records.measurement import Measurement
    from gaugeblock.records.overlap import Overlap
    from gaugeblock.ruler import Ruler
    from gaugeblock.ruler.picture.scene import Scene

DIFFERENT = 1
"""Exit code for parts that differ, as of diff(1)."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(name="diff")(diff)


def diff(
    a: Path = typer.Argument(..., metavar="A", help="STEP file."),
    b: Path = typer.Argument(..., metavar="B", help="STEP file compared with it."),
    png: Path | None = typer.Option(None, metavar="FILE", help="Write four views as PNG."),
    html: Path | None = typer.Option(
        None, metavar="FILE", help="Write a page with a 3-D view; works offline."
    ),
    force: bool = typer.Option(False, "--force", help="Overwrite FILE."),
    as_json: bool = typer.Option(False, "--json", help="Print all that was measured as JSON."),
    as_posed: bool = typer.Option(
        False, "--as-posed", help="Compare the parts where they lie: a moved part differs."
    ),
    seconds: float = typer.Option(180.0, min=1, max=3600, help="Time ceiling of each step, s."),
) -> None:
    """Compare two STEP files: facts, overlap after the best rigid motion, features.

    Example: gaugeblock diff old.step new.step --png diff.png --html diff.html

    Exit code 0 if they are the same shape, 1 if they differ, 3 if that could not be measured.
    """
    check_inputs([a, b])
    check_outputs([a, b], {"--png": png, "--html": html}, force=force)
    from gaugeblock.cli import diff_features
    from gaugeblock.cli.console import print_json, progress
    from gaugeblock.ruler import Ruler
    from gaugeblock.ruler.picture.facts import hints, same, verdict

    found = _Found()
    with progress() as bar, Ruler(wall_s=seconds) as ruler:
        task = bar.add_task("measuring", total=5)
        _measure(ruler, (a, b), found)
        bar.update(task, completed=2, description="comparing")
        if found.a is not None and found.refusal is None:
            found.overlap = ruler.compare(a, b, align=not as_posed, wall_s=seconds)
            bar.update(task, completed=3, description="recognising features")
            found.features = diff_features.account(
                ruler, (a, b), found.a, found.overlap, aligned=not as_posed
            )
        bar.update(task, completed=4, description="drawing")
        if found.overlap is not None and (png or html):
            _draw(ruler, (a, b), found, png, html, seconds)
    one, two, overlap = found.a, found.b, found.overlap
    alike = None if overlap is None else same(overlap)
    if as_json:
        told = hints(one, two, overlap) if one and two and overlap else []
        records = {"a": one, "b": two, "overlap": overlap}
        print_json(
            {"same": alike, "hints": told}
            | {name: item and item.model_dump(mode="json") for name, item in records.items()}
            | {"features": found.features and found.features.as_json()}
        )
    elif one and two and overlap and found.features:
        _show(one, two, overlap, found.features, found.scene)
    if found.refusal is not None:
        raise CouldNotMeasure(found.refusal)
    if overlap is not None and alike is None:
        raise CouldNotMeasure(f"{a} and {b}: {verdict(overlap)}")
    if found.failure is not None:
        raise found.failure
    if not alike:
        raise typer.Exit(DIFFERENT)


@dataclass
class _Found:
    """What the ruler said; None: it was not asked, or not able to."""

    a: Measurement | None = None
    b: Measurement | None = None
    refusal: str | None = None
    """Which file cannot be measured, and why."""
    overlap: Overlap | None = None
    features: FeatureAccount | None = None
    scene: Scene | None = None
    failure: GaugeblockError | None = None
    """Why there is no picture."""


def _measure(ruler: Ruler, paths: tuple[Path, Path], found: _Found) -> None:
    """Measure both files; both texts first, so that what is no STEP file is refused at once."""
    for ask in (ruler.inspect, ruler.measure):
        found.a, found.b = (ask(path) for path in paths)
        refused = [
            f"{letter}, {path}: {item.reason}".rstrip(";")
            for letter, path, item in zip("AB", paths, (found.a, found.b), strict=True)
            if item is not None and item.verdict != "measured"
        ]
        if refused:
            found.refusal = "; ".join(refused)
            return


def _draw(
    ruler: Ruler,
    paths: tuple[Path, Path],
    found: _Found,
    png: Path | None,
    html: Path | None,
    seconds: float,
) -> None:
    """Write the pictures; where that fails, what was measured is still told."""
    if not (found.a and found.b and found.overlap and found.features):
        return
    from gaugeblock.cli.diff_picture import write

    try:
        found.scene = ruler.picture(*paths, motion=found.overlap.alignment, wall_s=seconds)
        write(found.scene, found.a, found.b, found.overlap, found.features, png=png, html=html)
    except (CouldNotMeasure, WrongUse) as error:
        found.failure = error


def _show(
    a: Measurement,
    b: Measurement,
    overlap: Overlap,
    features: FeatureAccount,
    scene: Scene | None,
) -> None:
    """Print the answer in words and figures."""
    from rich.markup import escape
    from rich.table import Table

    from gaugeblock.cli import diff_features
    from gaugeblock.cli.console import answers
    from gaugeblock.cli.diff_picture import notes
    from gaugeblock.ruler.picture.facts import fact_rows, figures, findings, hints, verdict

    console = answers()
    table = Table(show_edge=False, pad_edge=False)
    table.add_column("")
    table.add_column(escape(f"A {a.file.name}"), overflow="fold")
    table.add_column(escape(f"B {b.file.name}"), overflow="fold")
    table.add_column("")
    for row in fact_rows(a, b):
        cells = [escape(cell) for cell in (row.name, row.a, row.b)]
        table.add_row(*cells, "≠" if row.differs else "", style="bold" if row.differs else None)
    console.print(table)
    console.print()
    for name, value in figures(overlap):
        console.print(escape(f"{name}: {value}"))
    console.print(escape(f"verdict: {verdict(overlap)}"), style="bold")
    for hint in hints(a, b, overlap):
        console.print(escape(f"  {hint}"))
    for line in findings(overlap):
        console.print(escape(f"  {line}"))
    diff_features.show(console, features)
    for note in notes(scene) if scene is not None else ():
        console.print(escape(f"  picture: {note}"))
