"""Views of shapes made in memory, and what the tests ask of them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from OCP.BRepBuilderAPI import BRepBuilderAPI_Transform
from OCP.gp import gp_Quaternion, gp_Trsf, gp_Vec

from gaugeblock.ruler.facts.bounds import bounds_of, joined
from gaugeblock.ruler.facts.mesh import build_mesh
from gaugeblock.ruler.reading import ReadSolid
from gaugeblock.ruler.views.body import Body
from gaugeblock.ruler.views.cameras import CAMERAS, Camera, camera
from gaugeblock.ruler.views.edges import mark
from gaugeblock.ruler.views.hidden_lines import Sight, exact_lines
from gaugeblock.ruler.views.meshing import body_of
from gaugeblock.ruler.views.precedence import drawn
from gaugeblock.ruler.views.projection import Curve, Projection

CLOSE = 1e-6
"""mm; lines, circles and ellipses are projected by formula, so only rounding remains."""


def diagonal(*solids: Any) -> float:
    box = joined([bounds_of(solid) for solid in solids])
    return math.dist(box.min, box.max)


def sight(*solids: Any, of: str | Camera = "front") -> Sight:
    chosen = CAMERAS[of] if isinstance(of, str) else of
    size = diagonal(*solids)
    return exact_lines(solids, chosen, size, 1e-5 * size)


def lines(*solids: Any, of: str | Camera = "front") -> tuple[Curve, ...]:
    """The curves that are drawn of solids."""
    return drawn(sight(*solids, of=of).curves, 1e-5 * diagonal(*solids))


def projection(*solids: Any, of: str | Camera = "front") -> Projection:
    return Projection(
        camera=CAMERAS[of] if isinstance(of, str) else of,
        curves=tuple(sight(*solids, of=of).curves),
        method="exact",
        tolerance=1e-5 * diagonal(*solids),
        check=None,
        seconds=0.0,
    )


def segments(curves: Any, *, visible: bool) -> set[tuple[tuple[float, float], ...]]:
    """Ends of the straight lines among curves, rounded, in no order."""
    straight = [c.shape for c in curves if c.shape.kind == "line" and c.visible == visible]
    return {
        tuple(sorted((round(x, 6) + 0.0, round(y, 6) + 0.0) for x, y in (s.start, s.end)))
        for s in straight
    }


def frame(low: tuple[float, float], high: tuple[float, float]) -> set[Any]:
    """The four sides of a rectangle, as `segments` gives them."""
    (a, b), (c, d) = low, high
    return {((a, b), (a, d)), ((c, b), (c, d)), ((a, b), (c, b)), ((a, d), (c, d))}


def signature(curves: Any) -> list[tuple[Any, ...]]:
    """Kind, visibility and three places of every curve, whichever way it runs, sorted."""
    rows = []
    for curve in curves:
        ends = curve.shape.at(np.array([0.0, 0.5, 1.0]))
        if tuple(ends[0].round(5)) > tuple(ends[2].round(5)):
            ends = ends[::-1]
        rows.append((curve.shape.kind, curve.kind, curve.visible, *ends.round(4).ravel() + 0.0))
    return sorted(rows)


def turned(shape: Any, axis: tuple[float, float, float], angle: float) -> Any:
    turn = gp_Trsf()
    turn.SetRotation(gp_Quaternion(gp_Vec(*axis), angle))
    return BRepBuilderAPI_Transform(shape, turn, True).Shape()


def turned_camera(of: str, axis: tuple[float, float, float], angle: float) -> Camera:
    """The camera that sees a turned part as the fixed one sees the part."""
    quaternion = gp_Quaternion(gp_Vec(*axis), angle)
    known = CAMERAS[of]
    near, up = (quaternion.Multiply(gp_Vec(*v)).Coord() for v in (known.direction, known.up))
    return camera("turned", near, up)


def read_solid(shape: Any, colour: str | None = None, faces: Any = ()) -> ReadSolid:
    return ReadSolid(shape, None, None, (), colour, tuple(faces))


def body(*solids: ReadSolid, sag: float = 1e-4) -> Body:
    """Triangles of solids, finer than a pixel."""
    shapes = [solid.shape for solid in solids]
    mark(shapes)
    size = diagonal(*shapes)
    meshes = [build_mesh(shape, size, 0.1, sag) for shape in shapes]
    return body_of(solids, meshes, sag * size)
