"""Steps that make a new object."""

from __future__ import annotations

import itertools
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from gaugeblock.host.objects.quantities import (
    MAX_COORDINATE,
    MAX_POINTS,
    Coordinate,
    Direction,
    Flag,
    FlatPoint,
    Length,
    Name,
    PlaneName,
    Point,
    nonzero,
)
from gaugeblock.host.objects.sketches import Profile, Section, Sketch
from gaugeblock.host.objects.steps import Step
from gaugeblock.host.objects.table import Draft, Node

MAX_SECTIONS = 20
"""Sections of a loft; the kernel's time grows with them."""

NewName = Annotated[Name, Field(description="Name of the new object; not yet taken.")]
Place = Annotated[Point, Field(description="[x, y, z], mm; default [0, 0, 0].")]
Radius = Annotated[float, Field(strict=True, ge=0, le=MAX_COORDINATE)]


def origin() -> list[float]:
    """Return the default place."""
    return [0.0, 0.0, 0.0]


class Making(Step):
    """A step whose shape depends on its own arguments alone."""

    TOOL: ClassVar[str]
    name: NewName

    def apply(self, draft: Draft) -> None:
        """Add the object."""
        arguments: dict[str, Any] = self.recipe()
        del arguments["name"]
        draft.add(self.name, draft.shape(Node(self.TOOL, arguments)))


class Box(Making):
    """A block along the axes."""

    TOOL = "box"
    size: Annotated[list[Length], Field(min_length=3, max_length=3)] = Field(
        description="[along x, along y, along z], mm."
    )
    at: Place = Field(default_factory=origin, description="Lowest corner [x, y, z], mm.")


class Cylinder(Making):
    """A round bar."""

    TOOL = "cylinder"
    radius: Length = Field(description="mm")
    height: Length = Field(description="Length along the axis, mm.")
    at: Place = Field(default_factory=origin, description="Centre of the first end [x, y, z], mm.")
    axis: Direction = Field(default="Z", description="Way from the first end to the other.")


class Cone(Making):
    """A cone or the frustum of one."""

    TOOL = "cone"
    radius: Radius = Field(description="At the first end, mm; 0 is a point.")
    top_radius: Radius = Field(description="At the other end, mm; 0 is a point.")
    height: Length = Field(description="Length along the axis, mm.")
    at: Place = Field(default_factory=origin, description="Centre of the first end [x, y, z], mm.")
    axis: Direction = Field(default="Z", description="Way from the first end to the other.")

    @model_validator(mode="after")
    def _tapers(self) -> Self:
        if self.radius == self.top_radius:
            raise ValueError("both radii are the same: use cylinder")
        return self


class Sphere(Making):
    """A ball."""

    TOOL = "sphere"
    radius: Length = Field(description="mm")
    at: Place = Field(default_factory=origin, description="Centre [x, y, z], mm.")


class Torus(Making):
    """A ring."""

    TOOL = "torus"
    radius: Length = Field(description="From the centre to the middle of the tube, mm.")
    tube_radius: Length = Field(description="Of the tube, mm; below radius.")
    at: Place = Field(default_factory=origin, description="Centre [x, y, z], mm.")
    axis: Direction = Field(default="Z", description="Axis of the ring.")

    @model_validator(mode="after")
    def _open(self) -> Self:
        if self.tube_radius >= self.radius:
            raise ValueError("tube_radius must be below radius, or the ring cuts itself")
        return self


class Extrude(Making):
    """A sketch drawn out straight."""

    TOOL = "extrude"
    sketch: Sketch
    distance: Annotated[Coordinate, AfterValidator(nonzero)] = Field(
        description="mm along the plane's third axis; negative goes the other way."
    )
    symmetric: Flag = Field(default=False, description="Half of the distance to each side.")


class Revolve(Making):
    """A sketch turned about an axis in its plane."""

    TOOL = "revolve"
    sketch: Sketch
    axis: Literal["u", "v"] = Field(description="Direction of the axis in the sketch plane.")
    through: FlatPoint = Field(
        default_factory=lambda: [0.0, 0.0],
        description="A point [u, v] of the axis, mm. The outline may touch the axis, not cross it.",
    )
    angle: Annotated[float, Field(strict=True, gt=0, le=360)] = Field(
        default=360.0, description="Degrees, right-handed about the axis."
    )


class Sweep(Making):
    """A profile led along a path."""

    TOOL = "sweep"
    profile: Profile
    path: Annotated[list[Point], Field(min_length=2, max_length=MAX_POINTS)] = Field(
        description="Points [x, y, z] in order, mm; straight between them."
    )
    bend_radius: Annotated[float, Field(strict=True, ge=0, le=MAX_COORDINATE)] = Field(
        default=0.0, description="Radius of the path's bends at its points, mm; 0 is a mitre."
    )
    smooth: Flag = Field(default=False, description="One smooth curve through the points instead.")

    @model_validator(mode="after")
    def _leads(self) -> Self:
        for first, second in zip(self.path, self.path[1:], strict=False):
            if first == second:
                raise ValueError(f"two points of the path in a row are the same: {first}")
        if self.smooth and (self.bend_radius or len(self.path) < 3):
            raise ValueError("a smooth path needs at least 3 points and takes no bend_radius")
        return self


class Loft(Making):
    """A skin over outlines on parallel planes."""

    TOOL = "loft"
    plane: PlaneName = Field(
        description="XY: (u, v) = (x, y). XZ: (u, v) = (x, z). YZ: (u, v) = (y, z)."
    )
    sections: Annotated[list[Section], Field(min_length=2, max_length=MAX_SECTIONS)] = Field(
        description="Outlines in order along the third axis."
    )
    ruled: Flag = Field(default=False, description="Straight between sections instead of smooth.")

    @model_validator(mode="after")
    def _ascends(self) -> Self:
        heights = [section.at for section in self.sections]
        steps = [b - a for a, b in itertools.pairwise(heights)]
        if not (all(step > 0 for step in steps) or all(step < 0 for step in steps)):
            raise ValueError("the sections' `at` must rise (or fall) from each to the next")
        return self
