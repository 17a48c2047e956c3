"""What a view of a part consists of: plain data for pictures, drawing sheets and comparisons.

A `Projection` holds every edge and outline of a part as seen by one camera, cut where visibility
changes, in mm. `Projection.drawn()` gives what a draughtsman draws of it: nothing twice, and no
hidden line under a visible one.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from gaugeblock.records.base import Record
from gaugeblock.ruler.views.cameras import Camera
from gaugeblock.ruler.views.shapes import Point, Shape, extent

Kind = Literal["sharp", "smooth", "outline", "thread"]
"""An edge where faces meet at an angle; one where they go on tangentially; a silhouette, where a
curved face turns away from the viewer; on drawing sheets alone, the thin line that stands for a
thread."""

Method = Literal["exact", "polygonal"]
"""Curves of the part itself, cut where others hide them; or the same of its triangles."""

MOST_CURVES = 100_000
"""Curves of one view; the largest real file has 6000."""


class Curve(Record):
    """One piece of an edge or outline, wholly visible or wholly hidden."""

    shape: Shape
    visible: bool
    kind: Kind
    solid: int = Field(ge=0)
    """Number of the solid in the file."""
    edge: int | None = Field(default=None, ge=0)
    """Number of the edge in its solid (TopExp's order, from 0); None for outlines inside a face,
    and where it is not known (polygonal, two edges on one curve)."""
    face: int | None = Field(default=None, ge=0)
    """Number of the face in its solid for outlines inside a face, from 0."""


class Check(Record):
    """A projection against the part's triangles, pixel by pixel; see `checking`."""

    agrees: bool
    contradicted: float | None = Field(ge=0, le=1)
    """Share of the visible length with something clearly in front of it; None for polygonal
    lines, whose depth is not known."""
    missing: float = Field(ge=0, le=1)
    """Share of the places where one surface ends before another without a visible line."""
    bare: float = Field(ge=0, le=1)
    """Share of the silhouette's rim along which no visible line runs."""


class Projection(Record):
    """A part as one camera sees it."""

    camera: Camera
    curves: tuple[Curve, ...] = Field(max_length=MOST_CURVES)
    method: Method
    reason: str | None = None
    """Why the method is not `exact`; None if it is."""
    tolerance: float = Field(gt=0)
    """Largest distance in mm of Béziers (exact) or polylines (polygonal) from the part's own
    curves; lines, circles and ellipses are the part's own."""
    check: Check | None
    check_reason: str | None = None
    """Why there is no check, or None."""
    seconds: float = Field(ge=0)
    """Processor time it took, s."""

    def box(self) -> tuple[Point, Point]:
        """Return the lowest and the highest corner of the view, mm.

        Raises:
            ValueError: nothing is seen.
        """
        corners = [extent(curve.shape) for curve in self.curves]
        low = tuple(min(corner[0][i] for corner in corners) for i in (0, 1))
        high = tuple(max(corner[1][i] for corner in corners) for i in (0, 1))
        return (low[0], low[1]), (high[0], high[1])

    def drawn(self) -> tuple[Curve, ...]:
        """Return the curves that are drawn: see `precedence.drawn`."""
        from gaugeblock.ruler.views.precedence import drawn

        return drawn(self.curves, self.tolerance)
