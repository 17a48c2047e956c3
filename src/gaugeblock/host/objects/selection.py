"""Rules that pick edges and faces of an object."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from gaugeblock.host.objects.quantities import Axis, Coordinate, Flag, Point, Side
from gaugeblock.records.base import Record

MAX_IDS = 500
"""Edges picked one by one; more are a rule."""

Ids = Annotated[
    list[Annotated[int, Field(strict=True, ge=1)]], Field(min_length=1, max_length=MAX_IDS)
]
Points = Annotated[list[Point], Field(min_length=1, max_length=MAX_IDS)]


class At(Record):
    """A plane across an axis."""

    axis: Axis
    value: Coordinate = Field(description="mm")


class Edges(Record):
    """Which edges: all conditions given must hold."""

    all: Flag = Field(default=False, description="Every edge that is a corner.")
    ids: Ids | None = Field(
        default=None, description="Ids of inspect_object; alone, without other conditions."
    )
    parallel: Axis | None = Field(default=None, description="Straight edges along this axis.")
    side: Side | None = Field(
        default=None,
        description="Edges lying in the object's outermost plane on that side: left −X, right +X, "
        "front −Y, back +Y, bottom −Z, top +Z.",
    )
    at: At | None = Field(default=None, description="Edges lying in this plane.")
    kind: Literal["line", "circle", "other"] | None = None
    corner: Literal["convex", "concave"] | None = Field(
        default=None, description="convex: an outer corner; concave: an inner one."
    )
    through: Points | None = Field(
        default=None, description="Edges that pass through one of these points [x, y, z], mm."
    )

    @model_validator(mode="after")
    def _given(self) -> Edges:
        _require_choice(self.model_dump(exclude_none=True, exclude_defaults=True))
        return self


class Faces(Record):
    """Which faces: all conditions given must hold."""

    ids: Ids | None = Field(
        default=None, description="Ids of inspect_object; alone, without other conditions."
    )
    side: Side | None = Field(
        default=None,
        description="The flat face in the object's outermost plane on that side: left −X, right "
        "+X, front −Y, back +Y, bottom −Z, top +Z.",
    )
    at: At | None = Field(default=None, description="Flat faces lying in this plane.")
    through: Points | None = Field(
        default=None, description="Faces that hold one of these points [x, y, z], mm."
    )

    @model_validator(mode="after")
    def _given(self) -> Faces:
        _require_choice(self.model_dump(exclude_none=True, exclude_defaults=True))
        return self


def _require_choice(given: dict[str, object]) -> None:
    if not given:
        raise ValueError("says nothing: give at least one condition")
    if "ids" in given and len(given) > 1:
        raise ValueError("ids stand alone, without other conditions")
