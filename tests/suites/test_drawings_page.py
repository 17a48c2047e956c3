"""The page of suite drawings says of every part what its folder says."""

from pathlib import Path

import pytest

from gaugeblock.suites import load_suite

PAGE = Path(__file__).parents[2] / "docs" / "suites" / "drawings.md"

PARTS = {
    case.id.removesuffix(".vector"): case
    for case in load_suite("drawings").cases()
    if case.id.endswith(".vector")
}


def rows() -> dict[str, list[str]]:
    """Return part → cells of its row, and the group that its table stands under."""
    group, found = "", {}
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("### "):
            group = line.split()[-2]
        elif line.startswith("| `") and group in ("anchoring", "independent"):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            found[cells[0].strip("`")] = [group, *cells[1:]]
    return found


def test_seven_are_anchoring_and_nineteen_independent():
    groups = [row[0] for row in rows().values()]
    assert (groups.count("anchoring"), groups.count("independent")) == (7, 19)
    assert rows().keys() == PARTS.keys()


@pytest.mark.parametrize("part", PARTS)
def test_a_row_says_what_the_folder_says(part):
    task = PARTS[part].drawing
    assert task is not None
    known = task.ceilings
    group, kind, difficulty, *counts, length, angle, threads = rows()[part]
    assert (group, kind, int(difficulty)) == (task.group, task.part_class, task.difficulty)
    found = (known.measurable, known.measurable_extended, known.drawn)
    assert counts == [f"{count}/{known.asked}" for count in found]
    assert (length, angle) == (f"{known.chance.length:.3f}", f"{known.chance.angle:.3f}")
    assert all(thread.designation in threads for thread in task.threads)
    assert (threads == "–") is (not task.threads)


def test_only_one_part_can_reach_the_raw_threshold_as_the_page_says():
    able = [
        part for part, case in PARTS.items() if case.drawing.ceilings.reference_coverage >= 0.95
    ]
    assert able == ["hollow-shaft"]
