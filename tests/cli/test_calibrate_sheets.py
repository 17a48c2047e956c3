"""The table of drawn parts that ``gaugeblock calibrate`` prints."""

import io

import pytest
from rich.console import Console

from gaugeblock.calibration.records import SheetProof, TargetResult
from gaugeblock.cli.calibrate_sheets import show_sheets
from gaugeblock.records.drawing_task import Ceilings, ChanceRates


def result(ceilings=True, deceived=()):
    chance = ChanceRates(length=0.0412, diameter=0.1, radius=0.1, angle=0.0334)
    known = Ceilings(
        asked=17, measurable=14, measurable_extended=15, drawn=16, semantic_match=1, chance=chance
    )
    sheet = SheetProof(
        group="anchoring",
        part_class="housing",
        difficulty=3,
        ceilings=known if ceilings else None,
        figures={},
        threads=0,
        sizes_off=9,
        drawn=12,
        deceived=deceived,
    )
    return TargetResult(
        target="drawings/bearing-block",
        kind="case",
        reference_sha256={},
        state="calibrated",
        seconds=1,
        sheet=sheet,
    )


@pytest.fixture
def printed():
    console = Console(width=100, record=True, file=io.StringIO())

    def shown(*results):
        show_sheets(console, results, lambda text, style=None: console.print(text))
        return console.export_text()

    return shown


def cells(text, part):
    (line,) = (line for line in text.splitlines() if line.startswith(part))
    return [cell.strip() for cell in line.split("│")]


def test_what_a_part_can_reach_is_told_in_fractions(printed):
    assert cells(printed(result()), "bearing-block") == [
        "bearing-block", "anchoring", "3", "14/17", "16/17", "0.041 0.033", "—", "9",
    ]  # fmt: skip


def test_ceilings_that_could_not_be_measured_are_none(printed):
    assert cells(printed(result(ceilings=False)), "bearing-block")[3:6] == ["—", "—", "—"]


def test_drawings_that_deceive_are_counted(printed):
    text = printed(result(deceived=("a hole moved",)), result(deceived=("mirrored", "a boss")))
    assert "3 of 24 wrong parts" in " ".join(text.split())


def test_without_a_sheet_there_is_no_table(printed):
    plain = result().model_copy(update={"sheet": None})
    assert printed(plain) == ""
