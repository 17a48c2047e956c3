"""``gaugeblock draw``: the drawing of a STEP file as SVG, PDF, PNG and DXF."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from gaugeblock.cli.outputs import check_folder, check_inputs
from gaugeblock.records.errors import CouldNotMeasure, WrongUse

if TYPE_CHECKING:
    from gaugeblock.records.drawing import DrawingMatch
    from gaugeblock.records.spectrum import SheetDimension
    from gaugeblock.ruler.drawing.client import DrawOptions
    from gaugeblock.ruler.drawing.sheet import Sheet

FORMATS = ("svg", "pdf", "png", "dxf")

DPI = (200, 50, 600)
"""Default, least and most: see `output.png`."""

SCALE = re.compile(r"([1-9]\d{0,4}):([1-9]\d{0,4})")

LABEL_MOST = 60
"""Characters of a label that are printed: what is said about it has room on the same line."""

SHOWN = 10
"""Dimensions that are not found are named up to this number; --json has all."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(name="draw")(draw)


def draw(
    file: Path = typer.Argument(..., metavar="FILE", help="STEP file."),
    out: Path = typer.Option(Path(), "--out", metavar="DIR", help="Where the files go."),
    formats: str = typer.Option(
        ",".join(FORMATS), "--formats", metavar="NAMES", help="Of svg, pdf, png, dxf."
    ),
    format_: str | None = typer.Option(
        None, "--format", metavar="A4|A3", help="Size of the sheet; else chosen."
    ),
    projection: str = typer.Option(
        "first", "--projection", metavar="first|third", help="First-angle or third-angle."
    ),
    scale: str | None = typer.Option(
        None, "--scale", metavar="N:M", help="Such as 1:2; else the largest that fits."
    ),
    dimensions: Path | None = typer.Option(
        None,
        "--dimensions",
        metavar="FILE",
        help="JSON list of the sheet's dimensions: these are drawn and no others.",
    ),
    title: str = typer.Option("", "--title", help="Name of the part; else its own."),
    number: str = typer.Option("", "--number", help="Drawing number."),
    material: str = typer.Option("", "--material", help="Material."),
    author: str = typer.Option("", "--author", help="Who drew it."),
    date: str = typer.Option("", "--date", help="As it is to be printed."),
    revision: str = typer.Option("", "--revision", help="Revision."),
    dpi: int = typer.Option(DPI[0], "--dpi", min=DPI[1], max=DPI[2], help="Of the PNG."),
    force: bool = typer.Option(False, "--force", help="Overwrite files."),
    as_json: bool = typer.Option(False, "--json", help="Print the answer as JSON."),
    seconds: float = typer.Option(90.0, min=1, max=3600, help="Time ceiling of the sheet, s."),
) -> None:
    """Draw a STEP file on one sheet: views, sections, dimensions, frame and title block.

    Example: gaugeblock draw part.step --out drawings --scale 1:2 --material "EN AW-6082"

    Writes NAME.svg, .pdf, .png and .dxf, and measures the drawing against the list of --dimensions,
    or against what it prints itself. Exit code 1 if dimensions of the list are not found on it.
    """
    check_inputs([file])
    wanted = _formats(formats)
    listed = _listed(dimensions) if dimensions is not None else None
    title_block = {
        "name": title,
        "number": number,
        "material": material,
        "author": author,
        "date": date,
        "revision": revision,
    }
    options = _options(format_, projection, scale, listed, title_block)
    targets = {suffix: out / f"{file.stem}.{suffix}" for suffix in wanted}
    check_folder(file, out, targets.values(), force=force)
    from gaugeblock.cli.console import print_json, progress
    from gaugeblock.ruler import Ruler
    from gaugeblock.ruler.drawing.reading_back import match, own_dimensions
    from gaugeblock.ruler.spectrum.tolerances import check_sheet

    check_sheet(listed or ())
    with progress() as bar, Ruler() as ruler:
        task = bar.add_task("drawing", total=1 + len(targets))
        try:
            sheet = ruler.draw(file, options, wall_s=seconds)
        except CouldNotMeasure as error:
            raise CouldNotMeasure(f"{file}: {error}") from error
        except OSError as error:
            raise WrongUse(f"{file}: {error.strerror or error}") from error
        bar.advance(task)
        found = match(sheet, own_dimensions(sheet) if listed is None else listed)
        contents = {}
        for suffix in targets:
            bar.update(task, description=f"writing {suffix.upper()}")
            contents[suffix] = _content(sheet, suffix, dpi)
            bar.advance(task)
        _write(targets, contents)
    if as_json:
        print_json(_facts(file, sheet, found, listed is not None, targets))
    else:
        _show(sheet, found, listed is not None, list(targets.values()))
    if listed is not None and found.found < found.asked:
        raise typer.Exit(1)


def _formats(names: str) -> list[str]:
    chosen = [name.strip().lower() for name in names.split(",") if name.strip()]
    for name in chosen:
        if name not in FORMATS:
            raise WrongUse(f"--formats: no format {name!r}; there are {', '.join(FORMATS)}")
    if not chosen:
        raise WrongUse(f"--formats: name at least one of {', '.join(FORMATS)}")
    return list(dict.fromkeys(chosen))


def _listed(path: Path) -> tuple[SheetDimension, ...]:
    """Read a list of dimensions."""
    from pydantic import TypeAdapter, ValidationError

    from gaugeblock.records.base import first_fault
    from gaugeblock.records.spectrum import SheetDimension

    try:
        found = TypeAdapter(tuple[SheetDimension, ...]).validate_json(path.read_bytes())
    except OSError as error:
        raise WrongUse(f"--dimensions {path}: {error.strerror or error}") from error
    except ValidationError as error:
        raise WrongUse(f"--dimensions {path}: {first_fault(error)}") from error
    if not found:
        raise WrongUse(f"--dimensions {path}: the list is empty; without it the sheet's are chosen")
    return found


def _options(
    format_: str | None,
    projection: str,
    scale: str | None,
    listed: tuple[SheetDimension, ...] | None,
    title: dict[str, str],
) -> DrawOptions:
    if format_ is not None and format_.upper() not in ("A4", "A3"):
        raise WrongUse(f"--format {format_}: A4 or A3")
    if projection not in ("first", "third"):
        raise WrongUse(f"--projection {projection}: first or third")
    if scale is not None and SCALE.fullmatch(scale) is None:
        raise WrongUse(f"--scale {scale}: two whole numbers such as 1:2")
    from gaugeblock.ruler.drawing.client import DrawOptions
    from gaugeblock.ruler.drawing.sheet import Title
    from gaugeblock.ruler.text import clean_text

    parts = [int(part) for part in scale.split(":")] if scale else None
    return DrawOptions.model_validate(
        {
            "title": Title(**{name: clean_text(text) for name, text in title.items()}),
            "format": format_.upper() if format_ else None,
            "convention": f"{projection}-angle",
            "scale": parts,
            "dimensions": listed,
        }
    )


def _content(sheet: Sheet, suffix: str, dpi: int) -> bytes:
    from gaugeblock.ruler.drawing.output.dxf import dxf_of
    from gaugeblock.ruler.drawing.output.pdf import pdf_of
    from gaugeblock.ruler.drawing.output.png import png_of
    from gaugeblock.ruler.drawing.output.svg import svg_of

    match suffix:
        case "svg":
            return svg_of(sheet).encode()
        case "pdf":
            return pdf_of(sheet)
        case "png":
            return png_of(sheet, dpi)
        case _:
            return dxf_of(sheet).encode()


def _write(targets: dict[str, Path], contents: dict[str, bytes]) -> None:
    from gaugeblock.records.store import write_atomic

    for suffix, target in targets.items():
        try:
            write_atomic(target, contents[suffix])
        except OSError as error:
            raise WrongUse(f"{target}: {error.strerror or error}") from error


def _facts(
    file: Path, sheet: Sheet, found: DrawingMatch, listed: bool, targets: dict[str, Path]
) -> dict[str, Any]:
    from gaugeblock.ruler.refusals import versions

    return {
        "file": file.name,
        "versions": versions().model_dump(mode="json"),
        "format": sheet.format,
        "size": list(sheet.size),
        "convention": sheet.convention,
        "scale": list(sheet.scale),
        "views": [
            {"id": v.id, "scale": v.scale, "title": v.title, "method": v.method}
            for v in sheet.views
        ],
        "dimensions": [
            {"text": d.text, "view": d.view, "kind": d.kind, "features": list(d.features)}
            for d in sheet.dims
        ],
        "undimensioned": [face.model_dump(mode="json") for face in sheet.undimensioned],
        "notes": list(sheet.notes),
        "against": "list" if listed else "itself",
        "match": found.model_dump(mode="json"),
        "written": {suffix: str(path) for suffix, path in targets.items()},
    }


def _show(sheet: Sheet, found: DrawingMatch, listed: bool, written: list[Path]) -> None:
    from rich.markup import escape

    from gaugeblock.cli.console import answers, plain, short

    console = answers()
    scale = f"{sheet.scale[0]}:{sheet.scale[1]}"
    views = ", ".join(view.id for view in sheet.views)
    name = sheet.convention.replace("-", " ")
    console.print(escape(short(f"{sheet.format}, scale {scale}, {name}; views: {views}")))
    named = "listed dimensions found on the drawing" if listed else "printed sizes measured again"
    share = "" if found.match is None else f" ({found.match:.3f})"
    rows = found.unread_rows
    if rows:
        share += f", {rows} table row{'s are' if rows > 1 else ' is'} not read back"
    console.print(
        escape(
            f"{len(sheet.dims)} dimensions; {found.found} of {found.asked} {named}{share}: "
            "self-consistency, no proof of shape"
        )
    )
    missing = [value for value in found.values if not value.found]
    for value in missing[:SHOWN]:
        d = value.dimension
        told = f"{short(d.label, LABEL_MOST)}: {d.type} {d.value:g}: {value.reason}"
        console.print(escape("  " + short(told)))
    if len(missing) > SHOWN:
        console.print(f"  and {len(missing) - SHOWN} more, see --json")
    for note in sheet.notes:
        console.print(escape("  " + plain(note)))  # its length is bounded, see `client`
    for path in written:
        console.print(escape(plain(str(path))), soft_wrap=True)
