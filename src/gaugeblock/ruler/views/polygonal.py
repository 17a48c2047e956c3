"""Hidden-line removal on triangles, by the kernel: quick whatever the surfaces are.

HLRBRep_PolyAlgo gives straight pieces that know neither their edge nor their depth; pieces that
meet end to end are joined to polylines here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from OCP.BRep import BRep_Builder, BRep_Tool
from OCP.BRepAdaptor import BRepAdaptor_Curve
from OCP.gp import gp_Ax2, gp_Dir, gp_Pnt
from OCP.HLRAlgo import HLRAlgo_Projector
from OCP.HLRBRep import HLRBRep_PolyAlgo, HLRBRep_PolyHLRToShape
from OCP.TopAbs import TopAbs_EDGE
from OCP.TopoDS import TopoDS, TopoDS_Shell

from gaugeblock.ruler.explore import explore
from gaugeblock.ruler.facts.mesh import Mesh
from gaugeblock.ruler.views.cameras import Camera
from gaugeblock.ruler.views.projection import Curve, Kind
from gaugeblock.ruler.views.shapes import MOST_POINTS, Line, Polyline

Floats = npt.NDArray[np.float64]

KINDS: tuple[tuple[str, Kind], ...] = (("", "sharp"), ("Rg1Line", "smooth"), ("OutLine", "outline"))
"""The kernel's compounds and what they hold; seams and splits (RgN) are not drawn."""

BEND = 0.5
"""Pieces that meet at more than this angle in rad (30°) are not joined: there is a corner."""


def shell_of(mesh: Mesh) -> Any:
    """Return the triangulated faces of a solid as one TopoDS_Shell."""
    builder, shell = BRep_Builder(), TopoDS_Shell()
    builder.MakeShell(shell)
    for face in mesh.faces:
        builder.Add(shell, face.face.Reversed() if face.reversed else face.face)
    # Else the kernel lets its faces hide from both sides, and edges at the rim hide themselves.
    shell.Closed(BRep_Tool.IsClosed_s(shell))
    return shell


def polygonal_lines(shells: Sequence[Any], camera: Camera, close: float) -> list[Curve]:
    """Return the lines of solids as a camera sees them, from their triangles.

    Args:
        shells: From `shell_of`, a solid each; all hide each other.
        camera: Where they are seen from.
        close: Ends that are this close are the same, mm.
    """
    algorithm = HLRBRep_PolyAlgo()
    for shell in shells:
        algorithm.Load(shell)
    axes = gp_Ax2(gp_Pnt(0, 0, 0), gp_Dir(*camera.direction), gp_Dir(*camera.right))
    algorithm.Projector(HLRAlgo_Projector(axes))
    algorithm.Update()
    result = HLRBRep_PolyHLRToShape()
    result.Update(algorithm)
    curves = []
    for number, shell in enumerate(shells):
        for prefix, kind in KINDS:
            for letter, visible in (("V", True), ("H", False)):
                compound = getattr(result, f"{prefix}{letter}Compound")(shell)
                for chain in _chains(_segments(compound), close):
                    shape = _shape(chain)
                    curves.append(Curve(shape=shape, visible=visible, kind=kind, solid=number))
    return curves


def _shape(chain: Floats) -> Line | Polyline:
    points = tuple((float(x), float(y)) for x, y in chain)
    if len(points) == 2:
        return Line(start=points[0], end=points[1])
    return Polyline(points=points)


def _segments(compound: Any) -> Floats:
    """Return (n, 2, 2) ends of the straight edges of a compound."""
    if compound is None or compound.IsNull():
        return np.empty((0, 2, 2))
    ends = []
    for item in explore(compound, TopAbs_EDGE):
        curve = BRepAdaptor_Curve(TopoDS.Edge(item))
        ends.append([curve.Value(t).Coord()[:2] for t in _range(curve)])
    return np.array(ends).reshape(-1, 2, 2)


def _range(curve: Any) -> tuple[float, float]:
    return curve.FirstParameter(), curve.LastParameter()


def _chains(segments: Floats, close: float) -> list[Floats]:
    """Join segments that go on from one to the next."""
    segments = segments[np.linalg.norm(segments[:, 1] - segments[:, 0], axis=1) > close]
    cells = np.round(segments / close).astype(np.int64)
    at: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for i, ends in enumerate(cells.tolist()):
        for side in (0, 1):
            at.setdefault(tuple(ends[side]), []).append((i, side))
    used = np.zeros(len(segments), dtype=bool)
    chains = []
    for i in range(len(segments)):
        if used[i]:
            continue
        used[i] = True
        ahead = _followed(segments, cells, at, used, i, 1)
        behind = _followed(segments, cells, at, used, i, 0)
        chain = _from_corner(
            np.array([*reversed(behind), segments[i, 0], segments[i, 1], *ahead]), close
        )
        chains += [chain[k : k + MOST_POINTS] for k in range(0, len(chain) - 1, MOST_POINTS - 1)]
    return chains


def _from_corner(chain: Floats, close: float) -> Floats:
    """Return a closed chain begun at its lowest point, whichever segment came first."""
    if len(chain) < 4 or np.linalg.norm(chain[0] - chain[-1]) > 2.0 * close:
        return chain
    ring = chain[:-1]
    start = int(np.lexsort((ring[:, 0], ring[:, 1]))[0])
    ring = np.roll(ring, -start, axis=0)
    return np.concatenate([ring, ring[:1]])


def _followed(
    segments: Floats,
    cells: npt.NDArray[np.int64],
    at: dict[tuple[int, int], list[tuple[int, int]]],
    used: npt.NDArray[np.bool_],
    i: int,
    side: int,
) -> list[Floats]:
    """Return the points that follow end `side` of segment `i`; what is taken is marked used."""
    points: list[Floats] = []
    while True:
        tip, back = segments[i, side], segments[i, 1 - side]
        way = (tip - back) / np.linalg.norm(tip - back)
        best: tuple[float, int, int] | None = None
        for other, near in at[tuple(cells[i, side].tolist())]:
            if used[other]:
                continue
            on = segments[other, 1 - near] - segments[other, near]
            straight = float(on @ way / np.linalg.norm(on))
            if straight > np.cos(BEND) and (best is None or straight > best[0]):
                best = (straight, other, 1 - near)
        if best is None:
            return points
        _, i, side = best
        used[i] = True
        points.append(segments[i, side])
