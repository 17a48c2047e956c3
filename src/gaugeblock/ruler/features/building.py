"""Builds the graph of a solid: everything out of the kernel once, then numpy.

In this order: faces, uses and surfaces (`facts.outline`), curves in parameter space and in space,
forms (free surfaces fitted), samples with normals, bends, regions, loops.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from OCP.BRep import BRep_Tool
from OCP.BRepAdaptor import BRepAdaptor_Curve, BRepAdaptor_Curve2d

from gaugeblock.ruler.facts.bspline import Floats, Ints
from gaugeblock.ruler.facts.outline import Outline, outline_of
from gaugeblock.ruler.facts.pcurves import Curves
from gaugeblock.ruler.facts.surfaces import ROUND, Surface, derivatives, profile
from gaugeblock.ruler.features.fitting import fit
from gaugeblock.ruler.features.forms import Form, cross, form_of, unit
from gaugeblock.ruler.features.graph import Bend, Region, SolidGraph
from gaugeblock.ruler.features.loops import loops_of

SAMPLES = 17
"""Samples an edge: a full circle every 22.5°, so that angles about an axis never step by 180°."""

LENGTH = 1e-5
"""Distance that counts as none, as a part of the solid's diagonal: 1 µm at 100 mm. Files carry six
to eight digits of the largest coordinate; what a drawing tells apart (0.01 mm at 1 m) is as large.
"""

LEAST_LENGTH = 1e-6
"""Least such distance in mm: ten times the kernel's confusion distance."""

SMOOTH = 1.0
"""Angle in degrees between the normals of two faces below which they meet smoothly. Tangency is
kept to about 0.1° by exchange files; the flattest bevel that is read as one has 5°."""

FIT = 2e-5
"""Distance within which a free surface counts as elementary, as a part of the solid's diagonal:
twice `LENGTH`, as both its poles and its trimming curves are rounded."""

GRID = 7
"""Samples each way over a free face for its fit."""

NODES, WEIGHTS = np.polynomial.legendre.leggauss(12)


def build_graph(solid: Any, index: int = 0, outline: Outline | None = None) -> SolidGraph:
    """Build the graph of a TopoDS_Solid.

    Args:
        solid: The solid.
        index: Its index in its file.
        outline: Its outline, where that is known already.
    """
    outline = outline or outline_of(solid)
    pairs, oddities = _pairs(outline)
    first = np.array([pair[0] for pair in pairs], dtype=np.int64)
    second = np.array([pair[1] for pair in pairs], dtype=np.int64)
    curves, spaces = Curves(2), Curves(3)
    for use, face in enumerate(outline.use_face):
        curves.add(BRepAdaptor_Curve2d(outline.uses[use], outline.faces[face]))
    numbers = np.array([outline.use_edge[use] for use, _ in pairs], dtype=np.int64)
    for number in numbers:
        spaces.add(BRepAdaptor_Curve(outline.edges[number]))
    slack = np.array([BRep_Tool.Tolerance_s(outline.edges[number]) for number in numbers])
    forward = np.array([outline.along(use) for use, _ in pairs], dtype=bool)
    points, tangents, lengths = _in_space(spaces, forward)
    size = float(np.linalg.norm(np.ptp(points.reshape(-1, 3), axis=0))) if len(points) else 0.0
    tolerance = max(LENGTH * size, LEAST_LENGTH)
    uv = _samples(curves)
    ranges = _ranges(outline, uv)
    forms = _forms(outline, ranges, max(FIT * size, LEAST_LENGTH))
    normals = np.stack(
        [_normals(outline, uv, first), _normals(outline, uv, second)], axis=1
    ).reshape(len(pairs), 2, SAMPLES, 3)
    normals[~forward] = normals[~forward, :, ::-1]
    angles = _angles(normals, tangents)
    bends = [_bend(row) for row in angles]
    faces = np.array([[outline.use_face[a], outline.use_face[b]] for a, b in pairs]).reshape(-1, 2)
    region_of = _grouped(forms, faces, bends, points, tolerance + 2.0 * slack)
    graph = SolidGraph(
        solid=solid,
        index=index,
        regions=_regions(forms, region_of),
        ends=np.array(region_of)[faces] if len(faces) else faces,
        points=points,
        tangents=tangents,
        normals=normals,
        angles=angles,
        bends=bends,
        lengths=lengths,
        vertices=np.array([[outline.start(a), outline.stop(a)] for a, _ in pairs]).reshape(-1, 2),
        slack=slack,
        tolerance=tolerance,
        size=size,
        region_of=region_of,
        surfaces=outline.surfaces,
        turned=outline.turned,
        ranges=ranges,
        oddities=oddities,
    )
    _finish(graph)
    return graph


def _pairs(outline: Outline) -> tuple[list[tuple[int, int]], list[str]]:
    """Return both uses of every edge between two faces or in one face's seam."""
    uses: dict[int, list[int]] = {}
    for use, edge in enumerate(outline.use_edge):
        if not outline.degenerate[edge]:
            uses.setdefault(edge, []).append(use)
    pairs, odd = [], 0
    for found in uses.values():
        if len(found) == 2:
            pairs.append((found[0], found[1]))
        else:
            odd += 1
    said = f"{odd} edges do not lie between two faces: what touches them is not read" if odd else ""
    return pairs, [said] if said else []


def _in_space(spaces: Curves, forward: Any) -> tuple[Floats, Floats, Floats]:
    """Return points and unit tangents along side 0's direction, and lengths, of edges.

    Side 0 runs along the edge's curve where `forward` (E,) says so.
    """
    count = len(spaces)
    if not count:
        return np.empty((0, SAMPLES, 3)), np.empty((0, SAMPLES, 3)), np.empty(0)
    low, high = np.array(spaces.first), np.array(spaces.last)
    number = np.repeat(np.arange(count), SAMPLES)
    steps = low[:, None] + np.linspace(0, 1, SAMPLES) * (high - low)[:, None]
    points, slopes = spaces.evaluate(number, steps.ravel())
    points, slopes = points.reshape(count, SAMPLES, 3), slopes.reshape(count, SAMPLES, 3)
    points[~forward], slopes[~forward] = points[~forward, ::-1], -slopes[~forward, ::-1]
    return points, unit(slopes), _lengths(spaces)


def _lengths(curves: Curves) -> Floats:
    """Return the lengths of curves in mm, by Gauss's rule from knot to knot."""
    cuts = [
        np.array([curves.first[i], *curves.breaks(i), curves.last[i]]) for i in range(len(curves))
    ]
    owner = np.repeat(np.arange(len(cuts)), [len(each) - 1 for each in cuts])
    start = np.concatenate([each[:-1] for each in cuts])
    step = np.concatenate([np.diff(each) for each in cuts])
    nodes = start[:, None] + 0.5 * (NODES + 1) * step[:, None]
    speed = curves.evaluate(np.repeat(owner, len(NODES)), nodes.ravel())[1]
    pieces = np.linalg.norm(speed, axis=1).reshape(len(owner), -1) @ WEIGHTS * 0.5 * step
    total = np.bincount(owner, weights=pieces, minlength=len(cuts))
    return np.asarray(total, dtype=np.float64)


def _samples(curves: Curves) -> Floats:
    """Return (uses, SAMPLES, 2) parameters along every use, in its curve's own direction."""
    count = len(curves)
    low, high = np.array(curves.first), np.array(curves.last)
    steps = low[:, None] + np.linspace(0, 1, SAMPLES) * (high - low)[:, None]
    number = np.repeat(np.arange(count), SAMPLES)
    return curves.evaluate(number, steps.ravel())[0].reshape(count, SAMPLES, 2)


def _normals(outline: Outline, uv: Floats, uses: Ints) -> Floats:
    """Return outward normals at the samples of uses, in their curves' own direction."""
    out = np.empty((len(uses), SAMPLES, 3))
    faces = np.array(outline.use_face, dtype=np.int64)[uses]
    for face in np.unique(faces):
        mine = np.flatnonzero(faces == face)
        at = uv[uses[mine]].reshape(-1, 2)
        normals = normals_at(outline.surfaces[face], at)[1]
        if outline.turned[face]:
            normals = -normals
        out[mine] = normals.reshape(len(mine), SAMPLES, 3)
    return out


def normals_at(surface: Surface, uv: Floats) -> tuple[Floats, Floats]:
    """Return points where the kernel is asked (else empty) and unit normals ∂u × ∂v."""
    frame = surface.frame
    if surface.kind == "Plane":
        return np.empty((0, 3)), np.broadcast_to(cross(frame[1], frame[2]), (len(uv), 3))
    if surface.kind in ROUND:
        rho, slope, _, rise, _ = profile(surface, uv[:, 1])
        hand = np.sign(np.dot(cross(frame[1], frame[2]), frame[3]))
        radial = np.outer(np.cos(uv[:, 0]), frame[1]) + np.outer(np.sin(uv[:, 0]), frame[2])
        sign = np.where(rho < 0, -hand, hand)[:, None]
        return np.empty((0, 3)), unit(sign * (rise[:, None] * radial - slope[:, None] * frame[3]))
    points, du, dv = derivatives(surface.adaptor, uv[:, 0], uv[:, 1])
    return points, unit(cross(du, dv))


def _ranges(outline: Outline, uv: Floats) -> list[tuple[float, float, float, float]]:
    """Return lowest and highest u, lowest and highest v of every face's edges."""
    use_face = np.array(outline.use_face, dtype=np.int64)
    out = []
    for number, surface in enumerate(outline.surfaces):
        mine = uv[use_face == number].reshape(-1, 2)
        if not len(mine):
            adaptor = surface.adaptor
            u = (adaptor.FirstUParameter(), adaptor.LastUParameter())
            out.append((*u, adaptor.FirstVParameter(), adaptor.LastVParameter()))
            continue
        low, high = mine.min(axis=0), mine.max(axis=0)
        out.append((float(low[0]), float(high[0]), float(low[1]), float(high[1])))
    return out


def _forms(
    outline: Outline, ranges: list[tuple[float, float, float, float]], tolerance: float
) -> list[tuple[Form, int]]:
    """Return the form of every face and on which side its material is (`Region.outward`)."""
    out = []
    for number, surface in enumerate(outline.surfaces):
        u0, u1, v0, v1 = ranges[number]
        if surface.elementary:
            form = form_of(surface)
            middle = np.array([[0.5 * (u0 + u1), 0.5 * (v0 + v1)]])
            points, normals = _elementary_points(surface, middle), normals_at(surface, middle)[1]
        else:
            u, v = np.meshgrid(np.linspace(u0, u1, GRID), np.linspace(v0, v1, GRID))
            points, normals = normals_at(surface, np.stack([u.ravel(), v.ravel()], axis=1))
            form = fit(points, normals, tolerance)
        if outline.turned[number]:
            normals = -normals
        agree = float(np.nanmean((form.gradient(points) * normals).sum(axis=1)))
        if form.kind == "plane" and agree < 0:
            form = Form("plane", form.origin, -form.axis)
        outward = 0 if form.kind in ("plane", "other") else (1 if agree > 0 else -1)
        out.append((form, outward))
    return out


def _elementary_points(surface: Surface, uv: Floats) -> Floats:
    frame = surface.frame
    if surface.kind == "Plane":
        return np.asarray(frame[0] + uv @ frame[1:3])
    rho, _, z, _, _ = profile(surface, uv[:, 1])
    radial = np.outer(np.cos(uv[:, 0]), frame[1]) + np.outer(np.sin(uv[:, 0]), frame[2])
    return np.asarray(frame[0] + rho[:, None] * radial + z[:, None] * frame[3])


def _angles(normals: Floats, tangents: Floats) -> Floats:
    """Return signed angles in degrees from side 0's normal to side 1's, positive where convex."""
    turned_by = cross(normals[:, 0], normals[:, 1])
    size = np.linalg.norm(turned_by, axis=2)
    sign = np.sign((turned_by * tangents).sum(axis=2))
    turn = np.arctan2(size, (normals[:, 0] * normals[:, 1]).sum(axis=2))
    return np.asarray(np.degrees(sign * turn))


def _bend(angles: Floats) -> Bend:
    """Judge an edge by its samples without the ends, where a surface may be singular."""
    inner = angles[1:-1]
    inner = inner[np.isfinite(inner)]
    if not len(inner):
        return "mixed"
    low, high = inner.min(), inner.max()
    if high <= SMOOTH and low >= -SMOOTH:
        return "smooth"
    if low >= -SMOOTH:
        return "convex"
    return "concave" if high <= SMOOTH else "mixed"


def _grouped(
    forms: list[tuple[Form, int]], faces: Ints, bends: list[Bend], points: Floats, off: Floats
) -> list[int]:
    """Return the region of each face: faces on one surface that meet smoothly are one."""
    group = list(range(len(forms)))

    def root(face: int) -> int:
        while group[face] != face:
            group[face] = group[group[face]]
            face = group[face]
        return face

    of_face: dict[int, list[int]] = {}
    for edge, (a, b) in enumerate(faces.tolist()):
        of_face.setdefault(a, []).append(edge)
        of_face.setdefault(b, []).append(edge)

    def holds(a: int, b: int) -> bool:
        mine = of_face[b]
        distance = np.abs(forms[a][0].distance(points[mine].reshape(-1, 3)))
        return bool((distance.reshape(len(mine), -1).max(axis=1) <= off[mine]).all())

    for edge, (a, b) in enumerate(faces.tolist()):
        same_kind = forms[a][0].kind == forms[b][0].kind != "other"
        if bends[edge] != "smooth" or not same_kind or root(a) == root(b):
            continue
        if forms[a][1] == forms[b][1] and holds(a, b) and holds(b, a):
            group[max(root(a), root(b))] = min(root(a), root(b))
    roots = sorted({root(face) for face in range(len(forms))})
    number = {face: i for i, face in enumerate(roots)}
    return [number[root(face)] for face in range(len(forms))]


def _regions(forms: list[tuple[Form, int]], region_of: list[int]) -> list[Region]:
    members: dict[int, list[int]] = {}
    for face, region in enumerate(region_of):
        members.setdefault(region, []).append(face)
    return [Region(number, faces, *forms[faces[0]]) for number, faces in sorted(members.items())]


def _finish(graph: SolidGraph) -> None:
    """Give every region its loops."""
    around: dict[int, list[tuple[int, int]]] = {}
    for edge, (a, b) in enumerate(graph.ends.tolist()):
        if a != b:
            around.setdefault(a, []).append((edge, 0))
            around.setdefault(b, []).append((edge, 1))
    for region in graph.regions:
        region.loops = loops_of(around.get(region.number, []), graph.vertices)
