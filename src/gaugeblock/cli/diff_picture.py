"""The pictures of ``gaugeblock diff``: their words, and the files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from gaugeblock.cli.outputs import save

if TYPE_CHECKING:
    from gaugeblock.cli.diff_features import FeatureAccount
    from gaugeblock.records.measurement import Measurement
    from gaugeblock.records.overlap import Overlap
    from gaugeblock.ruler.picture.scene import Scene
    from gaugeblock.ruler.picture.views import Colour

TITLE_NAME = 48
"""Characters of a file name in the picture's title: two of them fill its width."""

LEGEND_LINE = 76
"""Characters of a line of the picture's legend: half its width."""


def notes(scene: Scene) -> list[str]:
    """Return what a picture does not show."""
    if scene.reason is not None:
        return [f"what differs is not coloured: {scene.reason}"]
    return [f"pieces thinner than {_length(scene.sag)} mm are not drawn"]


def write(
    scene: Scene,
    a: Measurement,
    b: Measurement,
    overlap: Overlap,
    features: FeatureAccount,
    *,
    png: Path | None,
    html: Path | None,
) -> None:
    """Draw the scene and write what was asked for.

    Args:
        scene: what is drawn.
        a: facts of the first file.
        b: facts of the second file.
        overlap: their comparison.
        features: what became of their features.
        png: where the four views go; None: nowhere.
        html: where the page goes; None: nowhere.

    Raises:
        WrongUse: a file cannot be written.
    """
    from gaugeblock.cli.diff_features import COLUMNS
    from gaugeblock.cli.lettering import letters
    from gaugeblock.ruler.picture.facts import fact_rows, figures, findings, hints, verdict
    from gaugeblock.ruler.picture.page import PageText, page
    from gaugeblock.ruler.picture.views import Caption, draw
    from gaugeblock.ruler.picture.views import png as png_of

    title = f"A: {_short(a.file.name, TITLE_NAME)}    B: {_short(b.file.name, TITLE_NAME)}"
    caption = Caption(title, _colours(scene, overlap), _words(a, b, overlap))
    still = png_of(draw(scene, caption, letters))
    if png is not None:
        save(png, still)
    if html is not None:
        text = PageText(
            title=f"{a.file.name} against {b.file.name}",
            verdict=verdict(overlap),
            hints=hints(a, b, overlap),
            figures=figures(overlap),
            rows=fact_rows(a, b),
            features=[COLUMNS, *features.rows()] if features.rows() else [],
            differences=[*features.differences(), *features.summary()],
            notes=[
                *findings(overlap),
                *notes(scene),
                "Drag turns, shift-drag or the right button moves, the wheel zooms.",
            ],
        )
        save(html, page(scene, text, still).encode())


def _colours(scene: Scene, overlap: Overlap) -> list[tuple[Colour | None, str]]:
    """Return what the colours mean, with the volumes, and what is not drawn."""
    from gaugeblock.ruler.picture import views
    from gaugeblock.ruler.picture.facts import volume_text

    lines: list[tuple[Colour | None, str]] = []
    if scene.reason is not None:
        lines += [(views.ONLY_A, "A"), (views.ONLY_B, "B")]
    volumes = overlap.volumes
    whole = None if volumes is None else volumes.a.value
    for colour, name, quantity in (
        (views.COMMON, "common", volumes and volumes.common),
        (views.ONLY_A, "only in A", volumes and volumes.only_a),
        (views.ONLY_B, "only in B", volumes and volumes.only_b),
    ):
        told = f"{name}  {volume_text(quantity.value if quantity else None, whole)}"
        lines.append((colour if scene.reason is None else None, told))
    lines += [(None, note) for note in notes(scene)]
    return [(colour, _short(text, LEGEND_LINE)) for colour, text in lines]


def _words(a: Measurement, b: Measurement, overlap: Overlap) -> list[str]:
    """Return the verdict, the figures and the remarks."""
    from gaugeblock.ruler.picture.facts import doubts, iou_text, meanings, verdict
    from gaugeblock.ruler.picture.views import LEGEND_LINES

    answer, told = verdict(overlap), meanings(overlap)
    if told:
        answer = told[0] if told[0].startswith(answer) else f"{answer}: {told[0]}"
    lines = [answer]
    for name, iou in (("IoU as posed", overlap.posed), ("IoU aligned", overlap.aligned)):
        if iou is not None:
            lines.append(f"{name}  {iou_text(iou)}")
    lines += [*told[1:], *doubts(a, b, overlap)]
    if len(lines) > LEGEND_LINES:
        left = len(lines) - LEGEND_LINES + 1
        lines[LEGEND_LINES - 1 :] = [f"and {left} remarks more"]
    return [_short(line, LEGEND_LINE) for line in lines]


def _length(value: float) -> str:
    """Return a length with two figures, never as a power of ten."""
    return f"{float(f'{value:.2g}'):.12f}".rstrip("0").rstrip(".")


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
