"""The second table of ``gaugeblock calibrate``: what each drawn part can reach, and by chance."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

    from gaugeblock.calibration.records import SheetProof, TargetResult

LEGEND = (
    "level: difficulty; coverage: sizes of the sheet found on the reference; self-test: on its own "
    "drawing; chance: a random length, angle is found; sizes off: put beyond their tolerance",
)
"""What the table's columns count."""


def show_sheets(
    console: Console, results: Sequence[TargetResult], say: Callable[..., None]
) -> None:
    """Print the table of all drawn parts, and what it says of `drawingMatch`; nothing without one.

    Args:
        console: where to.
        results: of all targets.
        say: prints one line, never broken.
    """
    from rich.table import Table

    sheets = [(result, result.sheet) for result in results if result.sheet is not None]
    if not sheets:
        return
    table = Table(show_edge=False, pad_edge=False, collapse_padding=True)
    for name in ("part", "group"):
        table.add_column(name, no_wrap=True)
    for name in ("level", "coverage", "self-test", "chance", "threads", "sizes off"):
        table.add_column(name, justify="right", no_wrap=True)
    for result, sheet in sheets:
        table.add_row(*_cells(result, sheet))
    console.print(table)
    for words in LEGEND:
        say(words, "dim")
    drawn = sum(sheet.drawn for _, sheet in sheets)
    deceived = sum(len(sheet.deceived) for _, sheet in sheets)
    if deceived:
        say(
            f"drawingMatch is no proof of shape: {deceived} of {drawn} wrong parts that were drawn "
            "show on their own drawing all that the reference's does",
            "yellow",
        )


def _cells(result: TargetResult, sheet: SheetProof) -> list[str]:
    ceilings = sheet.ceilings
    found = ["—"] * 3
    if ceilings is not None:
        found = [
            f"{ceilings.measurable}/{ceilings.asked}",
            f"{ceilings.drawn}/{ceilings.asked}",
            f"{ceilings.chance.length:.3f} {ceilings.chance.angle:.3f}",
        ]
    return [
        result.target.partition("/")[2],
        sheet.group,
        str(sheet.difficulty),
        *found,
        str(sheet.threads or "—"),
        str(sheet.sizes_off),
    ]
