"""Whether two solids have the same boundary in two places, and which motion lays one on the other.

Corners, edges, faces and their links are matched one to one, then curve by curve and surface by
surface the numbers that define them. No sample stands for what lies between samples: a surface's
poles bound it everywhere. What is drawn in another way (other seams, other poles) is no twin, and
nothing is said of it here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from OCP.BRep import BRep_Tool
from OCP.BRepAdaptor import BRepAdaptor_Curve
from OCP.collections import IndexedMap_TopoDS_Shape_TopTools_ShapeMapHasher as ShapeMap
from OCP.GeomAbs import GeomAbs_CurveType
from OCP.TopAbs import TopAbs_VERTEX
from OCP.TopExp import TopExp
from OCP.TopoDS import TopoDS
from scipy.spatial import cKDTree

from gaugeblock.ruler.facts.bspline import Axis, Patch
from gaugeblock.ruler.facts.mesh import Floats, Ints
from gaugeblock.ruler.facts.outline import Outline, outline_of
from gaugeblock.ruler.facts.pcurves import CONIC, LINE, OTHER, SPLINE, Curves
from gaugeblock.ruler.facts.surfaces import Surface
from gaugeblock.ruler.overlap.body import Body, Motion

EQUAL = 1e-9
"""Largest distance of the two boundaries, as a part of the size, up to which they are one: that of
`searching.EQUAL`, but everywhere instead of in the mean. A file written again keeps 15 digits."""

NEAR = 1e-6
"""Distance, as a part of the size, within which a moved mark is taken for one of the other body's:
marks only name pairs, whose distance is then bounded."""

SPLIT = 1e-12
"""Largest difference of knots and weights, as a part of their range, that counts as none: rounding
of 15 written digits. It moves a surface by less than its degree times that part of its size."""

MOST_MARKS = 4000
"""Corners and edges up to which twins are looked for: all pairs are compared at once, 16 million
in 0.1 s."""

MOST_POSES = 256
"""Poses tried at most; a wheel of more teeth is left to the search."""

LEAST_ARM = 0.05
"""Least distance of the two marks that a pose is made of from the middle, and of the second from
the line through it and the first, as a part of the size: below it rounding turns the pose."""

CORNER, DEGENERATE = -1, -2
"""Labels of marks; those of edges are their kinds of curve."""


@dataclass(frozen=True)
class Twin:
    """A motion that lays one solid's boundary on the other's."""

    motion: Motion
    apart: float
    """The two boundaries lie this far apart at most, mm."""


@dataclass(frozen=True)
class _Frame:
    """One solid's corners, edges and faces as numbers."""

    outline: Outline
    space: Curves
    """Edge curves, by edge number − 1; those of degenerate edges are never looked at."""
    marks: Floats
    """(n, 3) mm: corners, then the middles of the edges."""
    labels: Ints
    """(n,): CORNER, DEGENERATE, or the kind of curve."""

    @property
    def corners(self) -> int:
        """How many of the marks are corners."""
        return self.outline.vertices


def find_twins(a: Body, b: Body) -> list[Twin]:
    """Return the motions of `a` onto `b` that lay equal boundaries on each other.

    A symmetric part has several; a part that is drawn otherwise none, even where the space it fills
    is the same. Only single solids are looked at: where solids touch, corners have no one partner.

    For boundaries nowhere farther apart than d, matched face by face within their edges, the space
    that only one of the bodies fills is at most their area times d, to first order in d.
    """
    if len(a.parts) != 1 or len(b.parts) != 1:
        return []
    one, other = _frame(a), _frame(b)
    if one is None or other is None or len(one.marks) != len(other.marks):
        return []
    size = max(a.diagonal, b.diagonal)
    found = []
    for motion, pairs in _poses(one, other, size):
        apart = _apart(one, other, motion, pairs, size)
        if apart is not None and apart <= EQUAL * size:
            found.append(Twin(motion, apart))
    return found


def _frame(body: Body) -> _Frame | None:
    """Return a solid as numbers; None where a corner is missing or a curve is not known as such."""
    solid = body.parts[0].shape
    outline = outline_of(solid)
    number = outline.vertices + len(outline.edges) - 1
    if number > MOST_MARKS or any(0 in ends for ends in outline.ends[1:]):
        return None
    vertices = ShapeMap()
    TopExp.MapShapes_s(solid, TopAbs_VERTEX, vertices)
    corners = [
        BRep_Tool.Pnt_s(TopoDS.Vertex(vertices.FindKey(i + 1))).Coord()
        for i in range(outline.vertices)
    ]
    space, middles, labels = Curves(3), [], [CORNER] * outline.vertices
    for edge, (first, _), pole in zip(
        outline.edges[1:], outline.ends[1:], outline.degenerate[1:], strict=True
    ):
        if pole:
            middles.append(corners[first - 1])
            labels.append(DEGENERATE)
            # A place for it, so that edge numbers remain; `_curves` passes it over.
            space.kind.append(OTHER)
            space.first.append(0.0)
            space.last.append(0.0)
            space.simple.append((0.0,) * 9)
            continue
        adaptor = BRepAdaptor_Curve(edge)
        index = space.add(adaptor)
        if space.kind[index] == OTHER and adaptor.GetType() != GeomAbs_CurveType.GeomAbs_Hyperbola:
            return None
        middles.append(adaptor.Value(0.5 * (space.first[index] + space.last[index])).Coord())
        labels.append(space.kind[index])
    marks = np.array([*corners, *middles]).reshape(-1, 3)
    return _Frame(outline, space, marks, np.array(labels, dtype=np.int64))


def _poses(a: _Frame, b: _Frame, size: float) -> list[tuple[Motion, Ints]]:
    """Return the motions that lay every mark of `a` on one of `b`, with the numbers of those."""
    middle_a, middle_b = a.marks.mean(axis=0), b.marks.mean(axis=0)
    ours, theirs = a.marks - middle_a, b.marks - middle_b
    far_a, far_b = np.linalg.norm(ours, axis=1), np.linalg.norm(theirs, axis=1)
    near = NEAR * size
    alike = (a.labels[:, None] == b.labels) & (np.abs(far_a[:, None] - far_b) <= near)
    count = alike.sum(axis=1)
    if not len(count) or not count.all():
        return []
    rarest = np.argsort(count, kind="stable")
    rarest = rarest[far_a[rarest] > LEAST_ARM * size]
    if not len(rarest):
        return []
    first = rarest[0]
    off = np.linalg.norm(np.cross(ours[rarest], ours[first]), axis=1) / far_a[first]
    if not (off > LEAST_ARM * size).any():
        return []
    second = rarest[off > LEAST_ARM * size][0]
    i, j = (grid.ravel() for grid in np.meshgrid(*map(np.flatnonzero, alike[[first, second]])))
    length = np.linalg.norm(ours[first] - ours[second])
    fits = np.abs(np.linalg.norm(theirs[i] - theirs[j], axis=1) - length) <= 2 * near
    if not 0 < fits.sum() <= MOST_POSES:
        return []
    tree = cKDTree(np.hstack([theirs, size * b.labels[:, None]]))
    start = _axes(ours[first], ours[second])
    found = []
    for one, other in zip(i[fits], j[fits], strict=True):
        turn = _axes(theirs[one], theirs[other]).T @ start
        met = tree.query(np.hstack([ours @ turn.T, size * a.labels[:, None]]))
        gap, pairs = np.asarray(met[0]), np.asarray(met[1], dtype=np.int64)
        # Every mark has its own partner: a bijection, not only a neighbour.
        if gap.max() > 10 * near or len(np.unique(pairs)) < len(pairs):
            continue
        # The best turn of matched points (Kabsch 1976); proper, so that no mirror image fits.
        u, _, v = np.linalg.svd(theirs[pairs].T @ ours)
        turn = u @ np.diag([1.0, 1.0, np.linalg.det(u @ v)]) @ v
        found.append((Motion(turn, middle_b - turn @ middle_a), pairs))
    return found


def _axes(x: Floats, y: Floats) -> Floats:
    """Return the rows of the right-handed frame that two arms span."""
    first = x / np.linalg.norm(x)
    third = np.cross(first, y)
    third = third / np.linalg.norm(third)
    return np.array([first, np.cross(third, first), third])


def _apart(a: _Frame, b: _Frame, motion: Motion, pairs: Ints, size: float) -> float | None:
    """Return how far apart two boundaries are at most, mm; None: they are not the same."""
    corners = a.corners
    if b.corners != corners:
        return None
    to_corner, to_edge = pairs[:corners] + 1, pairs[corners:] - corners + 1
    worst = float(np.linalg.norm(motion(a.marks) - b.marks[pairs], axis=1).max())
    directed = [(0, True)]
    for i, j in enumerate(to_edge.tolist(), 1):
        first, last = (int(to_corner[corner - 1]) for corner in a.outline.ends[i])
        if (first, last) != b.outline.ends[j] and (last, first) != b.outline.ends[j]:
            return None
        gap, along = 0.0, True
        if not a.outline.degenerate[i]:
            apart = _curves_apart(a.space, i - 1, b.space, j - 1, motion)
            if apart is None:
                return None
            gap, along = apart
        if ((first, last) if along else (last, first)) != b.outline.ends[j]:
            return None
        directed.append((j, along))
        worst = max(worst, gap)
    if worst > NEAR * size:
        return None
    faces = {key: number for number, key in enumerate(_bordered(b.outline))}
    mapped = _bordered(a.outline, directed)
    if len(faces) != len(b.outline.faces) or set(mapped) != set(faces):
        return None  # also where two faces have the same border: it does not tell them apart
    centre = motion(a.marks.mean(axis=0)[None])[0]
    for number, key in enumerate(mapped):
        partner = faces[key]
        ours, theirs = a.outline.surfaces[number], b.outline.surfaces[partner]
        turned = a.outline.turned[number] != b.outline.turned[partner]
        if ours.kind == theirs.kind == "Plane":
            gap = planes_apart(ours, theirs, turned, motion, centre, size)
        elif turned:
            return None
        else:
            between = surfaces_apart(ours, theirs, motion, centre, size)
            if between is None:
                return None
            gap = between
        worst = max(worst, gap)
    return worst


def _bordered(
    outline: Outline, to: list[tuple[int, bool]] | None = None
) -> list[tuple[tuple[int, bool], ...]]:
    """Return each face's edges with their directions, sorted; `to` renumbers and turns edges."""
    out: list[list[tuple[int, bool]]] = [[] for _ in outline.faces]
    for use, face in enumerate(outline.use_face):
        edge, along = outline.use_edge[use], outline.along(use)
        number, same = (edge, True) if to is None else to[edge]
        out[face].append((number, along == same))
    return [tuple(sorted(uses)) for uses in out]


def _curves_apart(
    a: Curves, i: int, b: Curves, j: int, motion: Motion
) -> tuple[float, bool] | None:
    """Return how far two curves are apart at most, mm, and whether they run the same way.

    Lines may run against each other; all others are compared at equal parameters. None: they are
    not comparable.
    """
    kind = a.kind[i]
    if b.kind[j] != kind:
        return None
    if kind == LINE:
        ours_ends, theirs_ends = motion(_line_ends(a, i)), _line_ends(b, j)
        return min(
            (float(np.linalg.norm(ours_ends - order, axis=1).max()), along)
            for order, along in ((theirs_ends, True), (theirs_ends[::-1], False))
        )
    ends = abs(a.first[i] - b.first[j]) + abs(a.last[i] - b.last[j])
    if kind == SPLINE:
        ours, theirs = a.splines[i], b.splines[j]
        if ours.knots.shape != theirs.knots.shape or ours.poles.shape != theirs.poles.shape:
            return None
        if not _same(ours.knots, theirs.knots):
            return None
        gap = _poles_apart(ours.poles, theirs.poles, motion)
        return None if gap is None else (gap, True)
    (point, x, y), (there, x_there, y_there) = _vectors(a, i), _vectors(b, j)
    moved = float(np.linalg.norm(motion(point[None])[0] - there))
    turned = [
        float(np.linalg.norm(motion.rotation @ ours - theirs))
        for ours, theirs in ((x, x_there), (y, y_there))
    ]
    # What multiplies the vectors, and its derivative: cos t and sin t, or cosh t and sinh t.
    farthest = max(abs(a.first[i]), abs(a.last[i]))
    reach = 1.0 if kind == CONIC else math.cosh(min(farthest, 100.0))
    speed = reach * float(np.linalg.norm(x) + np.linalg.norm(y))
    return moved + reach * sum(turned) + speed * ends, True


def _line_ends(curves: Curves, number: int) -> Floats:
    """Return the (2, 3) ends of a line in mm; all of it lies between them."""
    point, along, _ = np.reshape(curves.simple[number], (3, 3))
    return np.stack([point + t * along for t in (curves.first[number], curves.last[number])])


def _vectors(curves: Curves, number: int) -> Floats:
    """Return the middle and the two vectors (rows, mm) of a conic or hyperbola."""
    if curves.kind[number] != OTHER:
        return np.reshape(curves.simple[number], (3, 3))
    curve = curves.adaptors[number].Hyperbola()
    place = curve.Position()
    x, y = np.array(place.XDirection().Coord()), np.array(place.YDirection().Coord())
    middle = place.Location().Coord()
    return np.array([middle, curve.MajorRadius() * x, curve.MinorRadius() * y])


def planes_apart(
    a: Surface, b: Surface, turned: bool, motion: Motion, centre: Floats, size: float
) -> float:
    """Return how far the points of one plane in a ball are off another at most, mm.

    Their parameters do not matter. A plane that looks the other way is farther off than any bound.

    Args:
        a: Of the body that is moved.
        b: Of the one that stays.
        turned: Whether just one of the two is used reversed.
        motion: Of the first.
        centre: (3,) mm, of the ball.
        size: Its radius, mm.
    """
    ours = motion.rotation @ np.cross(a.frame[1], a.frame[2])
    theirs = np.cross(b.frame[1], b.frame[2]) * (-1.0 if turned else 1.0)
    there = motion(a.frame[:1])[0]
    # (p − o_b)·n_b = (p − o_a)·(n_b − n_a) + (o_a − o_b)·n_b for a point p of the first plane.
    reach = float(np.linalg.norm(there - centre)) + size
    return reach * float(np.linalg.norm(ours - theirs)) + abs(float((there - b.frame[0]) @ theirs))


def surfaces_apart(
    a: Surface, b: Surface, motion: Motion, centre: Floats, size: float
) -> float | None:
    """Return how far two surfaces are apart at most at equal parameters, mm.

    Args:
        a: Of the body that is moved.
        b: Of the one that stays.
        motion: Of the first.
        centre: (3,) mm, of the ball that both bodies lie in, `motion` applied.
        size: Its radius, mm.

    Returns:
        None where their numbers do not compare: other kinds, knots, weights.
    """
    if a.kind != b.kind:
        return None
    if a.patch is not None and b.patch is not None:
        return _patches_apart(a.patch, b.patch, motion)
    if not a.elementary:
        return None
    there = motion(a.frame[:1])[0]
    axes = np.linalg.norm(a.frame[1:] @ motion.rotation.T - b.frame[1:], axis=1)
    # A point of a face is origin + (x, y, z) · axes, and no farther from the origin than `reach`.
    reach = float(np.linalg.norm(there - centre)) + size
    gap = float(np.linalg.norm(there - b.frame[0])) + reach * float(axes.sum())
    gap += abs(float(a.a) - float(b.a))
    bent = abs(float(a.b) - float(b.b))
    if a.kind == "Cone":  # ρ = a + v sin b, z = v cos b: a change of b moves a point by |v|
        return gap + bent * reach / max(abs(float(np.cos(a.b))), 1e-3)
    return gap + bent


def _patches_apart(a: Patch, b: Patch, motion: Motion) -> float | None:
    """Return the largest distance of poles: on equal knots no two points are farther apart."""
    if a.poles.shape != b.poles.shape or not (_axis_same(a.u, b.u) and _axis_same(a.v, b.v)):
        return None
    return _poles_apart(a.poles, b.poles, motion)


def _poles_apart(a: Floats, b: Floats, motion: Motion) -> float | None:
    """Return the largest distance of (…, 4) homogenous poles, mm; None: other weights.

    Points are means of poles, weighted by functions that are positive and sum to 1 (Piegl & Tiller,
    The NURBS Book, P4.2): equal weights given, two points at equal parameters are no farther apart
    than the farthest two poles. Weights that differ by a part δ move a point by 2 δ of the extent.
    """
    ours, theirs = a.reshape(-1, 4), b.reshape(-1, 4)
    if (ours[:, 3] <= 0).any() or (theirs[:, 3] <= 0).any():
        return None
    rounding = float(np.abs(ours[:, 3] / theirs[:, 3] - 1.0).max())
    if rounding > SPLIT:
        return None
    here, there = ours[:, :3] / ours[:, 3:], theirs[:, :3] / theirs[:, 3:]
    extent = float(np.linalg.norm(np.ptp(there, axis=0)))
    gap = float(np.linalg.norm(motion(here) - there, axis=1).max())
    return gap + 2.0 * rounding * extent


def _axis_same(a: Axis, b: Axis) -> bool:
    return a.degree == b.degree and a.period == b.period and _same(a.knots, b.knots)


def _same(a: Floats, b: Floats) -> bool:
    """Whether knots are the same to rounding."""
    return a.shape == b.shape and bool(np.abs(a - b).max() <= SPLIT * max(float(np.ptp(b)), 1e-300))
