"""``gaugeblock case new``: a drawing and a reference STEP become a case, with its ceilings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from gaugeblock.records.errors import WrongUse

if TYPE_CHECKING:
    from gaugeblock.calibration.brought import Listed
    from gaugeblock.calibration.own_case import OwnCase
    from gaugeblock.records.spectrum import SheetValue

SHOWN = 20
"""Lines of one kind that are printed; --json has all."""

LABEL_MOST = 40
"""Characters of a label that are printed."""


def case_new(
    folder: Path = typer.Argument(
        ..., metavar="FOLDER", help="Holds a drawing (DXF, PDF, SVG, PNG) and a reference STEP."
    ),
    out: Path = typer.Option(
        None, "--out", metavar="DIR", help="The case's folder, new; its name is the case's id."
    ),
    title: str = typer.Option(None, "--title", help="Name of the part; else made of the id."),
    part_class: str = typer.Option("part", "--class", help="Such as flange, bracket."),
    difficulty: int = typer.Option(3, "--difficulty", min=1, max=5, help="As you see it."),
    listing: bool = typer.Option(
        False, "--list", help="Print the sizes read from the drawing as JSON; make no case."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print the answer as JSON."),
) -> None:
    """Make a case of your own part, and measure how far its reference itself gets.

    Example: gaugeblock case new my-files --out my-bracket --title "Bracket"

    The sheet's sizes come from dimensions.json if it is in the folder, else from the DXF, else from
    the text of the PDF. What could not be read as a size is told. With --list nothing is made: the
    sizes go to stdout as a dimensions.json to look through, what was left out to stderr.
    """
    from gaugeblock.cli.console import print_json, progress
    from gaugeblock.ruler import Ruler

    if listing:
        _list(folder)
        return
    if out is None:
        raise WrongUse("case new: name the case's folder with --out DIR, such as --out my-bracket")
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise WrongUse(f"{out}: already there; name a new folder with --out")
    from gaugeblock.calibration.own_case import make_case
    from gaugeblock.records.store import write_atomic

    with progress() as bar, Ruler() as ruler:
        bar.add_task("measuring the reference", total=None)
        made = make_case(
            folder,
            out.resolve().name,
            ruler,
            title=title,
            part_class=part_class,
            difficulty=difficulty,
        )
    for name, content in made.files.items():
        try:
            write_atomic(out / name, content)
        except OSError as error:
            raise WrongUse(f"{out / name}: {error.strerror or error}") from error
    if as_json:
        print_json(_facts(made, out))
    else:
        _show(made, out)


def _list(folder: Path) -> None:
    """Print a sheet's sizes as a list that can be corrected, and beside it what is none."""
    from gaugeblock.calibration.brought import look, sheet_list
    from gaugeblock.cli.console import plain, print_json
    from gaugeblock.ruler import Ruler

    with Ruler() as ruler:
        listed = sheet_list(look(folder), ruler)
    print_json([d.model_dump(mode="json", exclude_none=True) for d in listed.dimensions])
    for line in _left_out(listed):
        typer.echo(plain(line), err=True)


def _left_out(listed: Listed) -> list[str]:
    reading = listed.reading
    if reading is None:
        return []
    lines = [f"{listed.source}: {remark}" for remark in reading.remarks]
    for left in reading.left_out:
        at = "" if left.at is None else f" at {left.at[0]:g}, {left.at[1]:g}"
        text = f"`{left.text}`" if left.text else "an entity"
        lines.append(f"left out: {text} ({left.where}{at}): {left.reason}")
    return lines


def _facts(made: OwnCase, out: Path) -> dict[str, Any]:
    reading = made.listed.reading
    return {
        "case": made.file.id,
        "folder": str(out),
        "tracks": list(made.tracks),
        "dimensions_from": made.listed.source,
        "ceilings": made.measured.ceilings.model_dump(mode="json"),
        "dimensions": made.measured.dimensions.model_dump(mode="json"),
        "drawing": made.measured.drawing.model_dump(mode="json"),
        "left_out": []
        if reading is None
        else [r.model_dump(mode="json") for r in reading.left_out],
        "notes": made.notes,
        "run": _command(out),
    }


def _command(out: Path) -> str:
    from gaugeblock.cli.console import plain

    name = str(out)
    return f"gaugeblock run {plain(name if '/' in name else f'./{name}')} --profile NAME --out DIR"


def _show(made: OwnCase, out: Path) -> None:
    """Print the ceilings, what caps them, and how to go on."""
    from rich.markup import escape
    from rich.table import Table

    from gaugeblock.cli.console import answers, plain, short

    console = answers()
    console.print(
        escape(
            short(
                f"{made.file.id}: {made.file.title}; tracks {', '.join(made.tracks)};"
                f" {len(made.listed.dimensions)} sizes from {made.listed.source}"
            )
        )
    )
    table = Table(show_edge=False, pad_edge=False)
    for name in ("what the reference itself reaches", "ceiling", "passes from"):
        table.add_column(name)
    c = made.measured.ceilings
    table.add_row(
        "dimensionRecall", f"{c.measurable}/{c.asked} ({c.reference_coverage:.3f})", "0.95"
    )
    table.add_row("  with distances of axes", f"{c.measurable_extended}/{c.asked}", "")
    table.add_row("semanticMatch", f"{c.semantic_match:.3f}", "0.90")
    table.add_row("drawingMatch", f"{c.drawn}/{c.asked} ({c.drawing_self_test:.3f})", "0.90")
    console.print(table)
    chance = c.chance
    console.print(
        f"found by chance: lengths {100 * chance.length:.1f} %, diameters"
        f" {100 * chance.diameter:.1f} %, radii {100 * chance.radius:.1f} %,"
        f" angles {100 * chance.angle:.1f} %"
    )
    missing = [value for value in made.measured.dimensions.values if not value.found]
    lines = [_missing(value) for value in missing]
    lines += [
        f"not on the reference's own drawing: {value.dimension.label}: {value.reason}"
        for value in made.measured.drawing.values
        if not value.found
    ]
    for kind in (lines, made.notes):
        for line in kind[:SHOWN]:
            console.print(escape("  " + short(line)))
        if len(kind) > SHOWN:
            console.print(f"  and {len(kind) - SHOWN} more, see --json")
    console.print(escape(f"run it:   {_command(out)}"), soft_wrap=True)
    console.print(escape(f"check one: gaugeblock case check {plain(str(out))} FILE.step"))


def _missing(value: SheetValue) -> str:
    """Return what is not found of a sheet's value, and what comes nearest."""
    from gaugeblock.cli.console import short

    d = value.dimension
    label = short(d.label, LABEL_MOST)
    line = f"not measurable on the reference: {label}: {d.type} {d.value:g}: {value.reason}"
    if value.nearest is not None and "nearest" not in (value.reason or ""):
        near = value.nearest
        line += f"; nearest {near.value:g} ({near.kind})"
    return line
