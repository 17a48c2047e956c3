"""The account of a sheet: every face that its dimensions do not fix is counted and named."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from drawing_leaning import (
    LEANING,
    dovetailed,
    draft_pocket,
    hexagonal,
    hollow,
    rounded_rim,
    studded,
    table_slot,
    turned_slot,
    two_sided,
)
from drawing_parts import axial, drawn, read, turned
from drawing_proving import PROVING, inclined, sheet_of, slotted
from ruler_shapes import box, cut, cylinder, write_assembly, write_step

from gaugeblock.ruler import Ruler
from gaugeblock.ruler.drawing import accounting, composing
from gaugeblock.ruler.drawing.client import DrawOptions
from gaugeblock.ruler.drawing.collisions import collisions
from gaugeblock.ruler.drawing.reading_back import match, own_dimensions
from gaugeblock.ruler.drawing.recognised import features_of
from gaugeblock.ruler.drawing.sheet import Leader, LinearDim, Sheet, Title, Undimensioned
from gaugeblock.ruler.drawing.wishes import HoleTable, Linear, Note, Wish

Make = Callable[[], Any]
PLACED = [make for make in (*PROVING, *LEANING) if make is not inclined]
"""All but the one whose oblique holes have no place on the sheet."""


@cache
def proven(make: Make) -> Sheet:
    return sheet_of(make())


class Kept:
    """A sheet's account, made again with dimensions taken away."""

    def __init__(self, draw: Callable[[], Sheet], monkeypatch: pytest.MonkeyPatch) -> None:
        account = composing.accounted

        def kept(job: Any, found: Any, sheet: Sheet, *, note: bool) -> Sheet:
            self.job, self.wishes = job, list(found.wishes)
            return account(job, found, sheet, note=note)

        monkeypatch.setattr(composing, "accounted", kept)
        self.sheet = draw()

    def without(self, *gone: Wish) -> tuple[Undimensioned, ...]:
        left = [wish for wish in self.wishes if all(wish is not one for one in gone)]
        return self.account(left)

    def account(
        self, wishes: list[Wish], tables: list[HoleTable] | None = None
    ) -> tuple[Undimensioned, ...]:
        asked = self.job.wishes
        rows = asked.tables if tables is None else tables
        return accounting.undimensioned(
            self.job.subject, self.job.views, wishes, rows, asked.printed
        )

    def said(self, text: str) -> Wish:
        (wish,) = (w for w in self.wishes if w.text == text)
        return wish


def texts(sheet: Sheet) -> list[str]:
    return sorted(dim.text for dim in sheet.dims)


@pytest.mark.parametrize("make", PLACED, ids=lambda make: make.__name__)
def test_proving_parts_have_no_face_without_dimensions(make: Make):
    sheet = proven(make)
    assert sheet.undimensioned == ()
    assert not [label for label in sheet.labels if "not dimensioned" in label.text]


@pytest.mark.parametrize("make", PLACED, ids=lambda make: make.__name__)
def test_no_dimension_can_be_dropped_without_a_face_being_named(
    make: Make, monkeypatch: pytest.MonkeyPatch
):
    kept = Kept(lambda: sheet_of(make()), monkeypatch)
    assert kept.without() == ()
    unnoticed = [wish.text for wish in kept.wishes if not kept.without(wish)]
    assert unnoticed == []


@pytest.mark.parametrize("make", LEANING, ids=lambda make: make.__name__)
def test_sheets_of_leaning_walls_bear_themselves_out(make: Make):
    sheet = proven(make)
    assert not collisions(sheet)
    assert not [note for note in sheet.notes if note.startswith("no ")]
    found = match(sheet, own_dimensions(sheet))
    assert found.match == 1.0, [(v.dimension.label, v.reason) for v in found.values if not v.found]


def test_what_is_dropped_is_what_is_named(monkeypatch: pytest.MonkeyPatch):
    kept = Kept(lambda: sheet_of(slotted()), monkeypatch)
    (corners,) = (w for w in kept.wishes if isinstance(w, Note) and w.text == "4× R5")
    assert [f.what for f in kept.without(corners)] == ["pocket wall"] * 4
    (bore,) = (w for w in kept.wishes if "⌀8" in w.text)
    assert [f.what for f in kept.without(bore)] == ["hole ⌀8"]
    (length,) = (w for w in kept.wishes if isinstance(w, Linear) and w.text == "110")
    (end,) = kept.without(length)
    assert (end.kind, end.what) == ("Plane", "plane")
    assert abs(end.place[0]) == pytest.approx(55.0)


def test_a_wrong_number_tells_nothing(monkeypatch: pytest.MonkeyPatch):
    kept = Kept(lambda: sheet_of(slotted()), monkeypatch)
    spoilt = [
        replace(wish, text=wish.text.replace("⌀8", "⌀8.02")) if "⌀8" in wish.text else wish
        for wish in kept.wishes
    ]
    assert [f.what for f in kept.account(spoilt)] == ["hole ⌀8"]


def test_a_pocket_without_its_draft_or_its_width_is_named(monkeypatch: pytest.MonkeyPatch):
    kept = Kept(lambda: sheet_of(draft_pocket()), monkeypatch)
    assert [f.what for f in kept.without(kept.said("5° draft all around"))] == [
        "drafted pocket wall"
    ] * 4
    assert [f.what for f in kept.without(kept.said("30"))] == ["drafted pocket wall"]


def test_faces_that_nothing_tells_are_counted_in_the_answer_and_on_the_sheet():
    sheet = proven(studded)
    (ball,) = sheet.undimensioned
    assert (ball.kind, ball.what, ball.feature) == ("Sphere", "sphere ⌀16", None)
    assert ball.place[:2] == pytest.approx((10.0, 5.0))
    assert sheet.notes[0] == "not dimensioned: 1 face (sphere ⌀16)"
    assert [label.text for label in sheet.labels if "see model" in label.text] == [
        "1 face not dimensioned: see model"
    ]
    assert not collisions(sheet)


def test_an_even_grid_of_holes_needs_no_table():
    body = box(130, 80, 5)
    body = cut(
        body, *(cylinder(2, 5, (10 + 10 * i, 10 + 15 * j, 0)) for i in range(12) for j in range(5))
    )
    sheet = drawn(body, features_of([read(body)])[0])
    assert sheet.tables == () and sheet.undimensioned == ()
    assert {"60× ⌀4", "11× 10 (= 110)", "4× 15 (= 60)"} <= set(texts(sheet))
    moved = cut(
        box(130, 80, 5),
        *(
            cylinder(2, 5, (10 + 10 * i + (i == 5), 10 + 15 * j + (j == 2), 0))
            for i in range(12)
            for j in range(5)
        ),
    )
    uneven = drawn(moved, features_of([read(moved)])[0])
    assert len(uneven.tables) > 0 and uneven.undimensioned == ()


def test_pieces_of_a_table_are_read_from_left_to_right():
    holes = [(8 + 2.3 * i, 10 + (37.3 * i) % 100) for i in range(80)]
    body = cut(box(200, 120, 5), *(cylinder(1, 5, (x, y, 0)) for x, y in holes))
    sheet = drawn(body, features_of([read(body)])[0])
    assert len({table.at[0] for table in sheet.tables}) >= 2  # side by side
    places = sorted(sheet.tables, key=lambda table: (table.at[0], -table.at[1]))
    rows = [row[0] for table in places for row in table.rows[1:]]
    assert rows == [f"A{n}" for n in range(1, 81)]


def test_a_row_that_is_missing_in_the_table_is_named(monkeypatch: pytest.MonkeyPatch):
    holes = [(12 + 9.0 * i, 10 + (7.3 * i) % 41) for i in range(12)]
    body = cut(box(130, 60, 5), *(cylinder(2, 5, (x, y, 0)) for x, y in holes))
    kept = Kept(lambda: drawn(body, features_of([read(body)])[0]), monkeypatch)
    sheet = kept.sheet
    assert sheet.tables and sheet.undimensioned == ()
    (table,) = kept.job.wishes.tables
    short = replace(table, marks=table.marks[1:])
    named = kept.account(kept.wishes, [short])
    assert [face.what for face in named] == ["hole ⌀4"]


def test_oblique_holes_have_a_size_and_no_place():
    found = proven(inclined).undimensioned
    assert [face.what for face in found] == ["oblique hole ⌀10"] * 2


def test_the_account_turns_with_the_part():
    def account(angle: float) -> list[tuple[str, str]]:
        shape = turned(studded().solids()[0].wrapped, (1, 2, 3), angle)
        found = drawn(shape, features_of([read(shape)])[0]).undimensioned
        return [(face.kind, face.what) for face in found]

    assert account(0.0) == account(41.0) == [("Sphere", "sphere ⌀16")]


def test_a_cylinder_beside_the_part_needs_its_place_as_well():
    """Its middle lies in line with nothing: both of its distances must stand there."""
    solids = [read(box(20, 20, 20)), read(cylinder(5, 20, (50, 13, 0)))]
    features, _ = features_of(solids)
    sheet = composing.compose(solids, features, composing.Options(title=Title(name="Two")))
    assert sheet.undimensioned == ()
    lengths = {dim.text for dim in sheet.dims if isinstance(dim, LinearDim)}
    assert "50" in lengths and lengths & {"13", "7"}  # from one edge of the box or the other


def test_drafted_pockets_are_told_at_their_opening():
    assert {"30", "20", "8", "15", "10", "5° draft all around"} <= set(texts(proven(draft_pocket)))


def test_a_dovetail_has_its_angle_and_no_draft():
    found = texts(proven(dovetailed))
    assert found.count("30°") == 2 and {"24", "8"} <= set(found)
    assert not [text for text in found if "draft" in text]


def test_a_t_slot_has_the_widths_of_its_neck_and_its_foot():
    assert {"8", "14", "6", "11"} <= set(texts(proven(table_slot)))


def test_a_slot_at_an_angle_has_its_middles_and_its_radius():
    assert {"2× R4", "27.713", "16"} <= set(texts(proven(turned_slot)))  # 32 mm at 30°


def test_hexagons_are_told_across_their_flats():
    found = texts(proven(hexagonal))
    assert [text for text in found if "A/F" in text] == [
        "10.392 A/F hexagon",
        "8.66 A/F hexagon",
    ]


def test_a_closed_void_is_cut():
    assert "section-A" in [view.id for view in proven(hollow).views]


def test_of_two_holes_on_one_axis_the_one_behind_is_on_the_far_side():
    sheet = proven(two_sided)
    notes = sorted(dim.text for dim in sheet.dims if isinstance(dim, Leader))
    assert notes in (["⌀8 ↧ 10", "⌀8 ↧ 12 far side"], ["⌀8 ↧ 10 far side", "⌀8 ↧ 12"])


def test_a_chamfer_around_corners_is_one():
    (note,) = (text for text in texts(proven(rounded_rim)) if "×26" in text or "×63" in text)
    assert note == "4×26.57° around corners"


def test_an_empty_list_of_dimensions_is_wrong_use(tmp_path):
    path = write_step(box(100, 60, 20), tmp_path / "plate.step")
    (tmp_path / "none.json").write_text("[]")
    line = [sys.executable, "-m", "gaugeblock", "draw", str(path), "--out", str(tmp_path)]
    line += ["--dimensions", str(tmp_path / "none.json")]
    answer = subprocess.run(line, capture_output=True, text=True, timeout=300)
    assert answer.returncode == 2
    assert "the list is empty" in answer.stderr and "Traceback" not in answer.stderr
    assert not (tmp_path / "plate.svg").exists()


def test_an_assembly_is_called_by_its_own_name(tmp_path):
    path = write_assembly(tmp_path / "pair.step")
    with Ruler() as ruler:
        assert ruler.draw(path).title.name == "fixture"
        own = DrawOptions(title=Title(name="Pair"))
        assert ruler.draw(path, own).title.name == "Pair"


def test_a_hole_across_a_hollow_shaft_is_seen_as_a_circle():
    shape = cut(axial(20, 0, 100), axial(8, -1, 101), cylinder(4, 60, at=(40, 0, -30)))
    sheet = drawn(shape, features_of([read(shape)])[0])
    assert sum(dim.text == "⌀8" for dim in sheet.dims) == 1
    assert not sheet.undimensioned
