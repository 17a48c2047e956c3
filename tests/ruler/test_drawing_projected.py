"""What stands on a sheet where a section or a view cannot be had."""

from __future__ import annotations

from typing import Any

import pytest
from drawing_parts import bored, drawn

from gaugeblock.ruler.drawing import projected
from gaugeblock.ruler.drawing.sheet import Sheet
from gaugeblock.ruler.header import Refused


def ids(sheet: Sheet) -> list[str]:
    return [view.id for view in sheet.views]


def test_a_cut_that_fails_gives_way_to_the_plain_view(monkeypatch: pytest.MonkeyPatch) -> None:
    shape, features = bored()
    whole = drawn(shape, features)
    assert "section-A" in ids(whole)
    monkeypatch.setattr(projected, "cut_bodies", lambda *_: ["the cut failed"])
    sheet = drawn(shape, features)
    assert len(ids(sheet)) == len(ids(whole))
    assert "section-A" not in ids(sheet)
    assert "section A–A is not drawn: the cut failed" in sheet.notes


def test_a_section_that_cannot_be_projected_does_too(monkeypatch: pytest.MonkeyPatch) -> None:
    shape, features = bored()
    whole = drawn(shape, features)
    plain = projected.views_of

    def broken(solids: Any, cameras: Any, *more: Any) -> Any:
        found = plain(solids, cameras, *more)
        calls.append(len(solids))
        if len(calls) == 1:  # the section comes first
            found.projections[cameras[0].name] = "crashed"
        return found

    calls: list[int] = []
    monkeypatch.setattr(projected, "views_of", broken)
    sheet = drawn(shape, features)
    assert len(calls) == 2
    assert len(ids(sheet)) == len(ids(whole))
    assert "section A–A is not drawn: crashed" in sheet.notes


def test_without_a_front_view_there_is_no_sheet(monkeypatch: pytest.MonkeyPatch) -> None:
    class Blind(projected.Started):
        def views(self) -> Any:
            found = super().views()
            found.projections["front"] = "crashed"
            return found

    monkeypatch.setattr(projected, "Started", Blind)
    shape, features = bored()
    with pytest.raises(Refused, match="front view could not be projected: crashed"):
        drawn(shape, features)
