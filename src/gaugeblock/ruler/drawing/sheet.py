"""One drawing sheet as plain data: what is drawn where, before it becomes SVG, PDF, PNG or DXF.

Everything is in mm of paper, x to the right and y upwards from the lower left corner of the sheet;
angles are rad as in `views.shapes`. Dimensions keep the points of the view that they measure, so
that the drawing can be measured again: `Dim.measured` is never what is printed, it is computed.
"""

from __future__ import annotations

import math
from typing import Annotated, Literal

from pydantic import Field

from gaugeblock.records.base import Record
from gaugeblock.ruler.views.cameras import Camera, Convention
from gaugeblock.ruler.views.shapes import Point, Shape

Layer = Literal[
    "frame",
    "title",
    "visible",
    "tangent",
    "thread",
    "hidden",
    "centre",
    "section",
    "hatch",
    "dimension",
    "text",
]
"""What a line or text is, which decides its width and dash pattern (ISO 128) in every format.
`tangent` lines, thin and full, are edges where surfaces go on smoothly; `thread` lines, alike,
are the roots of threads (ISO 6410-1)."""

Anchor = Literal["left", "middle", "right"]
Baseline = Literal["bottom", "middle", "top"]


class Stroke(Record):
    """One line of the drawing."""

    layer: Layer
    shape: Shape


class Label(Record):
    """One line of text."""

    layer: Layer = "text"
    at: Point
    text: str
    height: float = Field(gt=0)
    """Height of capital letters in mm (ISO 3098)."""
    angle: float = 0.0
    anchor: Anchor = "left"
    baseline: Baseline = "bottom"


class Hatch(Record):
    """A cut face."""

    loops: tuple[tuple[Shape, ...], ...]
    """Closed loops; what lies inside an odd number of them is hatched."""
    angle: float = math.pi / 4
    spacing: float = Field(default=3.0, gt=0)


class _Dim(Record):
    """What every dimension has."""

    view: str
    """Id of the view whose geometry it measures."""
    text: str
    """As it is printed, such as `4× ⌀8 H7`."""
    text_at: Point
    """Middle of the text."""
    text_angle: float = 0.0
    height: float = Field(default=3.5, gt=0)
    features: tuple[str, ...] = ()
    """Ids of the features it dimensions."""


class LinearDim(_Dim):
    """A length along one direction of the paper."""

    kind: Literal["linear"] = "linear"
    points: tuple[Point, Point]
    """Where the extension lines start."""
    line_at: Point
    """A point of the dimension line."""
    angle: float
    """Direction of the dimension line: 0 horizontal, π/2 vertical."""
    diameter: bool = False
    """Whether it is printed with ⌀: the width of a turned part seen from the side."""
    running: bool = False
    """Whether it is one of several along one line from one origin, its first point (ISO 129-1)."""

    @property
    def measured(self) -> float:
        """Length between the points along the direction, in mm of paper."""
        (a, b), (c, d) = self.points
        return abs((c - a) * math.cos(self.angle) + (d - b) * math.sin(self.angle))


class RoundDim(_Dim):
    """A diameter or a radius of a circle or arc that is seen as one."""

    kind: Literal["diameter", "radius"]
    centre: Point
    on: Point
    """Where the arrow touches the circle."""

    @property
    def measured(self) -> float:
        """Diameter or radius in mm of paper."""
        radius = math.dist(self.centre, self.on)
        return 2.0 * radius if self.kind == "diameter" else radius


class AngularDim(_Dim):
    """An angle between two lines."""

    kind: Literal["angular"] = "angular"
    apex: Point
    points: tuple[Point, Point]
    """One on each leg; counter-clockwise from the first to the second."""
    radius: float = Field(gt=0)
    """Of the dimension arc, in mm of paper."""

    @property
    def measured(self) -> float:
        """Angle in degrees, 0 to 360."""
        first, second = (math.atan2(p[1] - self.apex[1], p[0] - self.apex[0]) for p in self.points)
        return math.degrees((second - first) % math.tau)


class Leader(_Dim):
    """A note with an arrow: a hole's call-out, a thread, a chamfer."""

    kind: Literal["leader"] = "leader"
    points: tuple[Point, ...] = Field(min_length=2)
    """From the arrow's tip to the text."""


Dim = Annotated[LinearDim | RoundDim | AngularDim | Leader, Field(discriminator="kind")]


class Table(Record):
    """A table, such as the one of the holes."""

    at: Point
    """Upper left corner."""
    columns: tuple[float, ...]
    """Widths in mm."""
    row_height: float = Field(default=5.0, gt=0)
    rows: tuple[tuple[str, ...], ...]
    """The first is the heading."""
    height: float = Field(default=2.5, gt=0)


class PlacedView(Record):
    """A view on the sheet. A point of the part seen at v (mm) stands at origin + scale · v."""

    id: str
    """`front`, `right`, `top`, `iso`, `section-A`, `detail-B` …"""
    camera: Camera
    origin: Point
    scale: float = Field(gt=0)
    title: str | None = None
    """Printed above it, such as `A–A` or `B (5:1)`."""
    cut: tuple[float, float, float, float] | None = None
    """For a section: unit normal and distance of the cutting plane, n · p = d, mm."""
    box: tuple[Point, Point] | None = None
    """Lower left and upper right corner of its lines on the paper."""
    method: Literal["exact", "polygonal"] = "exact"


class Undimensioned(Record):
    """A face of the part that no dimension on the sheet fixes."""

    solid: int
    """In the file's order, from 0."""
    face: int
    """In the solid's order, from 0."""
    kind: str
    """Its surface: Plane, Cylinder, Cone, BSplineSurface …"""
    what: str
    """What it belongs to, such as `drafted pocket wall`."""
    feature: str | None = None
    """Id of the feature that owns it."""
    place: tuple[float, float, float]
    """Middle of its area in the file's coordinates, mm."""


class Title(Record):
    """The title block (ISO 7200)."""

    name: str
    number: str = ""
    material: str = ""
    tolerances: str = "ISO 2768-m"
    author: str = ""
    date: str = ""
    """As given by the caller: a sheet holds no clock of its own."""
    revision: str = ""


class Sheet(Record):
    """One sheet."""

    format: Literal["A4", "A3"]
    landscape: bool
    convention: Convention
    scale: tuple[int, int]
    """Main scale, such as (1, 2) for 1:2 (ISO 5455)."""
    title: Title
    views: tuple[PlacedView, ...]
    strokes: tuple[Stroke, ...]
    labels: tuple[Label, ...] = ()
    hatches: tuple[Hatch, ...] = ()
    dims: tuple[Dim, ...] = ()
    tables: tuple[Table, ...] = ()
    undimensioned: tuple[Undimensioned, ...] = ()
    """Faces whose size or place the dimensions above do not tell."""
    notes: tuple[str, ...] = ()
    """What could not be drawn or was left off, told to the reader of the answer."""

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in mm (ISO 216)."""
        long, short = {"A4": (297.0, 210.0), "A3": (420.0, 297.0)}[self.format]
        return (long, short) if self.landscape else (short, long)
