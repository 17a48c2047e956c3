"""``gaugeblock diff``: two STEP files, what differs, in words, figures and a picture."""

from __future__ import annotations

import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from gaugeblock.records.errors import CouldNotMeasure, WrongUse

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from gaugeblock.records.measurement import Measurement
    from gaugeblock.records.overlap import Overlap
    from gaugeblock.ruler import Ruler
    from gaugeblock.ruler.picture.scene import Scene

DIFFERENT = 1
"""Exit code for parts that differ, as of diff(1)."""

TITLE_NAME = 48
"""Characters of a file name in the picture's title: two of them fill its width."""

LEGEND_LINE = 72
"""Characters of a line of the picture's legend: half its width."""

PLAIN_SIGNS = {"³": "^3", "²": "^2", "×": "x", "−": "-", "–": "-", "≠": "!=", "…": "...", "↔": "/"}
"""What stands for signs that the picture's font lacks."""

FONT_SIGNS = "°±"
"""Signs beyond ASCII that the picture's font has (Aileron, as it ships in pillow)."""


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
    as_json: bool = typer.Option(False, "--json", help="Print facts and overlap as JSON."),
    as_posed: bool = typer.Option(
        False, "--as-posed", help="Compare the parts where they lie: a moved part differs."
    ),
    seconds: float = typer.Option(180.0, min=1, max=3600, help="Time ceiling of each step, s."),
) -> None:
    """Compare two STEP files: facts, overlap after the best rigid motion, what only one has.

    Example: gaugeblock diff old.step new.step --png diff.png --html diff.html

    Exit code 0 if they are the same shape, 1 if they differ, 3 if that could not be measured.
    """
    _check_paths(a, b, {"--png": png, "--html": html}, force)
    from gaugeblock.cli.console import print_json, progress
    from gaugeblock.ruler import Ruler
    from gaugeblock.ruler.picture.facts import hints, same

    scene: Scene | None = None
    with progress() as bar, Ruler(wall_s=seconds) as ruler:
        task = bar.add_task("measuring", total=4)
        one, two = _measured(ruler, a), _measured(ruler, b)
        bar.update(task, completed=2, description="comparing")
        overlap = ruler.compare(a, b, align=not as_posed, wall_s=seconds)
        bar.update(task, completed=3, description="drawing")
        drawn = (one.totals is not None and two.totals is not None) and (png or html)
        failure: CouldNotMeasure | None = None
        if drawn:
            try:
                scene = ruler.picture(a, b, motion=overlap.alignment, wall_s=seconds)
                _write(scene, one, two, overlap, png, html)
            except CouldNotMeasure as error:
                failure = error
    alike = same(overlap)
    if as_json:
        print_json(
            {
                "same": alike,
                "hints": hints(one, two, overlap),
                "a": one.model_dump(mode="json"),
                "b": two.model_dump(mode="json"),
                "overlap": overlap.model_dump(mode="json"),
            }
        )
    else:
        _show(one, two, overlap, scene)
    for letter, item in (("A", one), ("B", two)):
        if item.verdict != "measured":
            raise CouldNotMeasure(f"{letter}, {item.file.name}: {item.reason}")
    if alike is None:
        from gaugeblock.ruler.picture.facts import verdict

        raise CouldNotMeasure(verdict(overlap))
    if failure is not None:
        raise failure
    if not alike:
        raise typer.Exit(DIFFERENT)


def _check_paths(a: Path, b: Path, outputs: dict[str, Path | None], force: bool) -> None:
    for path in (a, b):
        if not path.exists():
            raise WrongUse(f"{path}: no such file")
        if path.is_dir():
            raise WrongUse(f"{path}: a folder, not a STEP file")
    taken: set[Path] = set()
    for option, target in outputs.items():
        if target is None:
            continue
        if target.resolve() in {a.resolve(), b.resolve(), *taken}:
            raise WrongUse(f"{option} {target}: names a file that is used otherwise here")
        if target.is_dir() or not target.parent.is_dir():
            raise WrongUse(f"{option} {target}: not a file name in a folder that exists")
        if target.exists() and not target.is_file():
            raise WrongUse(f"{option} {target}: no regular file, so it is left alone")
        if target.exists() and not force:
            raise WrongUse(f"{option} {target}: exists already; --force overwrites it")
        taken.add(target.resolve())


def _measured(ruler: Ruler, path: Path) -> Measurement:
    try:
        return ruler.measure(path)
    except OSError as error:
        raise WrongUse(f"{path}: {error.strerror or error}") from error


def _show(a: Measurement, b: Measurement, overlap: Overlap, scene: Scene | None) -> None:
    """Print the answer in words and figures."""
    from rich.markup import escape
    from rich.table import Table

    from gaugeblock.cli.console import answers
    from gaugeblock.ruler.picture.facts import HINTED, fact_rows, figures, hints, verdict

    if a.totals is None or b.totals is None:
        return
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
    for finding in overlap.findings:
        if finding.code not in HINTED:
            console.print(escape(f"  {finding.code}: {finding.message}"))
    for note in _notes(scene) if scene is not None else ():
        console.print(escape(f"  picture: {note}"))


def _notes(scene: Scene) -> list[str]:
    if scene.reason is not None:
        return [f"what differs is not coloured: {scene.reason}"]
    return [f"pieces thinner than {scene.sag:.2g} mm are not drawn"]


def _write(
    scene: Scene,
    a: Measurement,
    b: Measurement,
    overlap: Overlap,
    png: Path | None,
    html: Path | None,
) -> None:
    """Draw the scene and write what was asked for."""
    from gaugeblock.ruler.picture.facts import fact_rows, figures, hints, verdict
    from gaugeblock.ruler.picture.page import PageText, page
    from gaugeblock.ruler.picture.views import Caption, draw
    from gaugeblock.ruler.picture.views import png as png_of

    title = f"A: {_short(a.file.name, TITLE_NAME)}    B: {_short(b.file.name, TITLE_NAME)}"
    still = png_of(draw(scene, Caption(title, _legend(scene, a, b, overlap)), letters))
    if png is not None:
        _save(png, still)
    if html is not None:
        text = PageText(
            title=f"{a.file.name} against {b.file.name}",
            verdict=verdict(overlap),
            hints=hints(a, b, overlap),
            figures=figures(overlap),
            rows=fact_rows(a, b),
            notes=[
                *_notes(scene),
                "Drag turns, shift-drag or the right button moves, the wheel zooms.",
            ],
        )
        _save(html, page(scene, text, still).encode())


def _legend(scene: Scene, a: Measurement, b: Measurement, overlap: Overlap) -> list[Any]:
    """Return colour and text of the picture's eight lines."""
    from gaugeblock.ruler.picture import views
    from gaugeblock.ruler.picture.facts import hints, iou_text, verdict, volume_text

    volumes = overlap.volumes
    whole = None if volumes is None else volumes.a.value
    left: list[Any] = []
    for colour, name, quantity in (
        (views.COMMON, "common", volumes and volumes.common),
        (views.ONLY_A, "only in A", volumes and volumes.only_a),
        (views.ONLY_B, "only in B", volumes and volumes.only_b),
    ):
        told = volume_text(quantity.value if quantity else None, whole)
        left.append((colour, f"{name}  {told}"))
    if scene.reason is not None:
        left = [(views.ONLY_A, "A"), (views.ONLY_B, "B")]
    left += [(None, _short(note, LEGEND_LINE)) for note in _notes(scene)]
    right = [verdict(overlap)]
    for name, iou in (("IoU as posed", overlap.posed), ("IoU aligned", overlap.aligned)):
        if iou is not None:
            right.append(f"{name}  {iou_text(iou)}")
    right += [hint for hint in hints(a, b, overlap) if hint != right[0]]
    left += [(None, "")] * (4 - len(left))
    return left + [(None, _short(text, LEGEND_LINE)) for text in right[:4]]


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _save(path: Path, content: bytes) -> None:
    from gaugeblock.records.store import write_atomic

    try:
        write_atomic(path, content)
    except OSError as error:
        raise WrongUse(f"{path}: {error.strerror or error}") from error


def letters(text: str, height: int) -> npt.NDArray[np.uint8]:
    """Set one line in pillow's own font: the same on every machine, no system font needed.

    Args:
        text: Any text; what the font lacks is replaced (ü by u, ³ by ^3, others by ?).
        height: Size of the letters in pixels.

    Returns:
        (h, w) coverage, 0 to 255.
    """
    import numpy as np
    from PIL import Image, ImageDraw, ImageFont

    font = ImageFont.load_default(height)
    plain = "".join(map(_in_font, text))
    width = int(font.getlength(plain)) + 2
    image = Image.new("L", (width, height + height // 3), 0)
    ImageDraw.Draw(image).text((0, 0), plain, font=font, fill=255)
    return np.asarray(image)


def _in_font(sign: str) -> str:
    if sign.isascii() or sign in FONT_SIGNS:
        return sign
    if sign in PLAIN_SIGNS:
        return PLAIN_SIGNS[sign]
    base = unicodedata.normalize("NFKD", sign)[0]
    return base if base.isascii() else "?"
