"""``gaugeblock render``: fixed views of a STEP file, as line drawings and shaded pictures."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from gaugeblock.cli.outputs import check_folder, check_inputs
from gaugeblock.records.errors import CouldNotMeasure, WrongUse

if TYPE_CHECKING:
    from gaugeblock.ruler.views.cameras import Camera
    from gaugeblock.ruler.views.client import FileViews
    from gaugeblock.ruler.views.shading import Picture
    from gaugeblock.ruler.views.svg import Sheet

SIZE = 800
"""Side of a shaded view in pixels."""

SIZES = (64, 2048)
"""Least and most of it: see `shading.SIZE_LEAST`, `SIZE_MOST`."""

AT_ONCE = 2
"""Shaded views drawn at the same time: each takes up to 1.5 GB at the largest size."""


@dataclass
class _View:
    """What was made of one view."""

    camera: Camera
    sheet: Sheet | None = None
    picture: Picture | None = None
    failures: dict[str, str] = field(default_factory=dict)
    """Why there is no SVG or PNG, by its suffix."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(name="render")(render)


def render(
    file: Path = typer.Argument(..., metavar="FILE", help="STEP file."),
    out: Path = typer.Option(Path(), "--out", metavar="DIR", help="Where the files go."),
    views: str = typer.Option(
        "front,right,top,iso",
        metavar="NAMES",
        help="Of front, right, top, iso, left, bottom, rear.",
    ),
    svg: bool = typer.Option(False, "--svg", help="Line drawings only."),
    png: bool = typer.Option(False, "--png", help="Shaded pictures only."),
    size: int = typer.Option(
        SIZE, min=SIZES[0], max=SIZES[1], metavar="PX", help="Side of a picture in pixels."
    ),
    force: bool = typer.Option(False, "--force", help="Overwrite files."),
    as_json: bool = typer.Option(False, "--json", help="Print cameras, scales and files as JSON."),
    seconds: float = typer.Option(120.0, min=1, max=3600, help="Time ceiling of the lines, s."),
) -> None:
    """Draw a STEP file from fixed sides: hidden-line drawings (SVG) and shaded pictures (PNG).

    Example: gaugeblock render part.step --out views --views front,iso

    Writes NAME-VIEW.svg, NAME-VIEW.png and NAME-views.json. Exit code 3 if no view could be had;
    one that could not is told, the others are written.
    """
    check_inputs([file])
    wanted = [_View(camera) for camera in _cameras(views)]
    suffixes = [s for s, chosen in (("svg", svg), ("png", png)) if chosen] or ["svg", "png"]
    targets = [_target(file, out, view, suffix) for view in wanted for suffix in suffixes]
    check_folder(file, out, [*targets, _sidecar(file, out)], force=force)
    from gaugeblock.cli.console import print_json, progress
    from gaugeblock.ruler import Ruler

    with progress() as bar, Ruler() as ruler:
        task = bar.add_task("looking", total=1 + len(suffixes))
        try:
            found = ruler.views(file, [view.camera for view in wanted], wall_s=seconds)
        except CouldNotMeasure as error:
            raise CouldNotMeasure(f"{file}: {error}") from error
        except OSError as error:
            raise WrongUse(f"{file}: {error.strerror or error}") from error
        bar.advance(task)
        for suffix in suffixes:
            bar.update(task, description=f"drawing {suffix.upper()}")
            (_draw_lines if suffix == "svg" else _draw_shaded)(wanted, found, size)
            bar.advance(task)
        facts = _facts(file, wanted, found, suffixes)
        written = _write(file, out, wanted, facts)
    if as_json:
        print_json({**facts, "written": [str(path) for path in written]})
    else:
        _show(facts, written)
    failures = [
        f"{view.camera.name}.{suffix}: {why}"
        for view in wanted
        for suffix, why in view.failures.items()
    ]
    if len(failures) == len(wanted) * len(suffixes):
        raise CouldNotMeasure(f"{file}: no view could be had ({failures[0]})")
    for failure in failures:
        print(f"gaugeblock: {failure}", file=sys.stderr)


def _cameras(names: str) -> list[Camera]:
    from gaugeblock.ruler.views.cameras import CAMERAS

    chosen = [name.strip() for name in names.split(",") if name.strip()]
    for name in chosen:
        if name not in CAMERAS:
            raise WrongUse(f"--views: no view {name!r}; there are {', '.join(CAMERAS)}")
    if not chosen:
        raise WrongUse(f"--views: name at least one of {', '.join(CAMERAS)}")
    return [CAMERAS[name] for name in dict.fromkeys(chosen)]


def _target(file: Path, out: Path, view: _View, suffix: str) -> Path:
    return out / f"{file.stem}-{view.camera.name}.{suffix}"


def _sidecar(file: Path, out: Path) -> Path:
    return out / f"{file.stem}-views.json"


def _draw_lines(wanted: list[_View], found: FileViews, size: int) -> None:
    from gaugeblock.ruler.views.svg import svg

    for view in wanted:
        name = view.camera.name
        projection = found.projections[name]
        if isinstance(projection, str):
            view.failures["svg"] = projection
        elif not projection.curves:
            view.failures["svg"] = "there is nothing to be seen"
        else:
            view.sheet = svg(projection, f"{found.file.name}, {name}", found.solids)


def _draw_shaded(wanted: list[_View], found: FileViews, size: int) -> None:
    from concurrent.futures import ThreadPoolExecutor

    from gaugeblock.ruler.views.shading import Shading

    if isinstance(found.body, str):
        for view in wanted:
            view.failures["png"] = found.body
        return
    shading = Shading(found.body)
    with ThreadPoolExecutor(AT_ONCE) as pool:  # numpy lets go of the lock in its loops
        pictures = pool.map(lambda view: shading.draw(view.camera, size), wanted)
        for view, picture in zip(wanted, pictures, strict=True):
            view.picture = picture


def _write(file: Path, out: Path, wanted: list[_View], facts: dict[str, Any]) -> list[Path]:
    """Write the files; return their paths."""
    from concurrent.futures import ThreadPoolExecutor

    from gaugeblock.records.base import pretty_json
    from gaugeblock.records.store import write_atomic
    from gaugeblock.ruler.picture.views import png

    with ThreadPoolExecutor(AT_ONCE) as pool:
        drawn = [view for view in wanted if view.picture is not None]
        images = dict(
            zip(
                (view.camera.name for view in drawn),
                pool.map(lambda view: png(view.picture.pixels), drawn),
                strict=True,
            )
        )
    written: list[Path] = []
    try:
        for view in wanted:
            contents = {
                "svg": view.sheet.text.encode() if view.sheet is not None else None,
                "png": images.get(view.camera.name),
            }
            for suffix, content in contents.items():
                if content is not None:
                    written.append(_target(file, out, view, suffix))
                    write_atomic(written[-1], content)
        if written:
            written.append(_sidecar(file, out))
            write_atomic(written[-1], pretty_json(facts))
    except OSError as error:
        raise WrongUse(f"{written[-1] if written else out}: {error.strerror or error}") from error
    return written


def _facts(
    file: Path, wanted: list[_View], found: FileViews, suffixes: list[str]
) -> dict[str, Any]:
    """Return all that is told of the views as plain data."""
    from gaugeblock.ruler.refusals import versions
    from gaugeblock.ruler.views import summary

    told = []
    for view in wanted:
        name = view.camera.name
        facts: dict[str, Any] = {"view": name, "camera": summary.camera_facts(view.camera, found)}
        if "svg" in suffixes:
            facts["lines"] = summary.line_facts(found.projections[name])
            target = _target(file, Path(), view, "svg").name
            facts["svg"] = view.sheet and summary.sheet_facts(target, view.sheet)
        if "png" in suffixes:
            target = _target(file, Path(), view, "png").name
            facts["png"] = view.picture and summary.picture_facts(target, view.picture)
        told.append({**facts, "failures": view.failures})
    body = found.body
    return {
        "file": found.file.model_dump(mode="json"),
        "versions": versions().model_dump(mode="json"),
        "solids": list(found.solids),
        "colours": [] if isinstance(body, str) else list(body.palette),
        "notes": [*found.notes, *(() if isinstance(body, str) else body.notes)],
        "views": told,
    }


def _show(facts: dict[str, Any], written: list[Path]) -> None:
    """Print the answer as a table."""
    from rich.markup import escape
    from rich.table import Table

    from gaugeblock.cli.console import answers

    console = answers()
    table = Table(show_edge=False, pad_edge=False)
    for name in ("view", "lines", "visible", "hidden", "confirmed", "px/mm"):
        table.add_column(name, justify="right" if name != "view" else "left")
    for view in facts["views"]:
        lines, sheet, picture = (view.get(key) or {} for key in ("lines", "svg", "png"))
        check = lines.get("check")
        table.add_row(
            view["view"],
            lines.get("method") or "—",
            str(sheet.get("visible", "—")),
            str(sheet.get("hidden", "—")),
            {None: "—", True: "yes", False: "no"}[check and check["agrees"]],
            f"{picture['px_per_mm']:.5g}" if picture else "—",
        )
    console.print(table)
    for view in facts["views"]:
        lines = view.get("lines") or {}
        for why in (lines.get("method") and lines["reason"], lines.get("check_reason")):
            if why:
                console.print(escape(f"  {view['view']}: {why}"))
    for note in facts["notes"]:
        console.print(escape(f"  {note}"))
    for path in written:
        console.print(escape(str(path)), soft_wrap=True)
