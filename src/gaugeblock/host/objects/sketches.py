"""Sketches as plain data: closed loops on one of three planes."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from gaugeblock.host.objects.quantities import (
    MAX_POINTS,
    Coordinate,
    FlatPoint,
    Length,
    PlaneName,
)
from gaugeblock.records.base import Record

MAX_HOLES = 100
"""Holes of one sketch; more are a pattern, combined and cut."""

Corner = Annotated[list[Coordinate], Field(min_length=2, max_length=3)]

NEEDS = {
    "circle": ("radius",),
    "rectangle": ("size",),
    "slot": ("size",),
    "polygon": ("points",),
    "spline": ("points",),
}
TAKES = {
    "circle": ("centre", "radius"),
    "rectangle": ("centre", "size", "corner_radius", "angle"),
    "slot": ("centre", "size", "angle"),
    "polygon": ("points",),
    "spline": ("points",),
}


class Loop(Record):
    """One closed curve in the two coordinates (u, v) of a sketch plane."""

    kind: Literal["circle", "rectangle", "slot", "polygon", "spline"] = Field(
        description="circle: centre, radius. rectangle: centre, size [width, height], "
        "corner_radius?, angle?. slot: centre, size [overall length, width], angle?. polygon: "
        "points. spline: points, a smooth closed curve through them."
    )
    centre: FlatPoint | None = Field(default=None, description="[u, v], mm; default [0, 0].")
    radius: Length | None = Field(default=None, description="mm")
    size: Annotated[list[Length], Field(min_length=2, max_length=2)] | None = Field(
        default=None, description="mm"
    )
    corner_radius: Length | None = Field(default=None, description="mm; below half the size.")
    angle: Annotated[float, Field(strict=True, ge=-360, le=360)] | None = Field(
        default=None, description="Turn about the centre, degrees, from u towards v; default 0."
    )
    points: Annotated[list[Corner], Field(min_length=2, max_length=MAX_POINTS)] | None = Field(
        default=None,
        description="[u, v] corners in order, mm; the last joins the first. [u, v, bulge] makes "
        "the side to the next corner an arc: bulge = tan(arc angle / 4), 1 is a half circle, "
        "positive turns left (as in DXF).",
    )

    @model_validator(mode="after")
    def _fits(self) -> Loop:
        given = {
            name
            for name in ("centre", "radius", "size", "corner_radius", "angle", "points")
            if getattr(self, name) is not None
        }
        missing = [name for name in NEEDS[self.kind] if name not in given]
        surplus = sorted(given - set(TAKES[self.kind]))
        if missing or surplus:
            what = f"needs {missing[0]}" if missing else f"takes no {surplus[0]}"
            raise ValueError(f"a {self.kind} {what}")
        if self.kind == "slot" and self.size and self.size[0] <= self.size[1]:
            raise ValueError("a slot's overall length must be above its width")
        if self.corner_radius and self.size and 2 * self.corner_radius >= min(self.size):
            raise ValueError("corner_radius must be below half of the smaller side")
        self._fits_points()
        return self

    def _fits_points(self) -> None:
        points = self.points or []
        bulged = any(len(point) == 3 and point[2] for point in points)
        if self.kind == "spline" and (len(points) < 3 or any(len(p) == 3 for p in points)):
            raise ValueError("a spline needs at least 3 points [u, v]")
        if self.kind == "polygon" and len(points) < 3 and not bulged:
            raise ValueError("a polygon needs at least 3 points, or 2 with a bulge")
        for first, second in zip(points, points[1:] + points[:1], strict=True):
            if first[:2] == second[:2]:
                raise ValueError(f"two points in a row are the same: {first[:2]}")


class Sketch(Record):
    """An outline with holes on a plane."""

    plane: PlaneName = Field(
        description="XY: (u, v) = (x, y). XZ: (u, v) = (x, z). YZ: (u, v) = (y, z)."
    )
    at: Coordinate = Field(
        default=0.0, description="Where the plane stands along its third axis, mm."
    )
    outline: Loop
    holes: Annotated[list[Loop], Field(max_length=MAX_HOLES)] = Field(
        default_factory=list, description="Loops inside the outline."
    )


class Profile(Record):
    """An outline with holes around the origin of its own plane."""

    outline: Loop
    holes: Annotated[list[Loop], Field(max_length=MAX_HOLES)] = Field(
        default_factory=list, description="Loops inside the outline, such as the bore of a pipe."
    )


class Section(Record):
    """One outline of a loft."""

    at: Coordinate = Field(description="Where it stands along the plane's third axis, mm.")
    outline: Loop
