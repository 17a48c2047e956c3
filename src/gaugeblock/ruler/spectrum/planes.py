"""Distances of parallel planes and angles between planes."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations

import numpy as np
from manifold3d import CrossSection, OpType

from gaugeblock.ruler.facts.bspline import Floats, Ints
from gaugeblock.ruler.spectrum.directions import linked
from gaugeblock.ruler.spectrum.layout import Layout, Piece, Plane
from gaugeblock.ruler.spectrum.outlines import outer_and_holes, region
from gaugeblock.ruler.spectrum.quantities import Quantity, check_number

COVERS = 0.01
"""Part of the smaller face that must lie over the other for the two to cover each other: faces that
only touch in projection overlap by what polygons miss of circles, 0.13 %."""

NEARLY_PARALLEL = 0.01
"""Below this angle, in degrees, planes that are not parallel are told: no sheet asks for such an
angle, so that a distance was probably meant."""


EDGE_ON = 1e-4
"""Rad by which a corner line may miss the direction it runs along: two normals within `PARALLEL`
leave it open by that over the sine of their angle, this much at 6°."""


def by_direction(planes: list[Plane]) -> dict[int, list[Plane]]:
    """Return planes by the number of their direction, in order of their place along it."""
    found: dict[int, list[Plane]] = defaultdict(list)
    for plane in sorted(planes, key=lambda p: (p.direction, p.offset, p.facing, p.faces)):
        found[plane.direction].append(plane)
    return found


def distances(layout: Layout) -> list[Quantity]:
    """Return the distance of every two parallel planes, once for each place where it can be taken.

    Raises:
        TooMany: there are too many.
    """
    groups = by_direction(layout.planes)
    check_number(sum(len(group) * (len(group) - 1) // 2 for group in groups.values()))
    places = _Places()
    found = []
    for group in groups.values():
        for i, one in enumerate(group):
            for other in group[i + 1 :]:
                value = other.offset - one.offset
                if value > layout.reach:
                    where = places.of(one, other)
                    found += [Quantity("plane-distance", value, faces) for faces in where]
    return found


class _Area:
    """An area in a plane's frame, and the faces it stands for."""

    def __init__(self, area: CrossSection, faces: list[int]) -> None:
        self.area = area
        self.faces = faces
        self.size = float(area.area())
        self.box = np.array(area.bounds()) if self.size > 0 else np.full(4, np.nan)


class _Piece(_Area):
    """One piece of a plane, with what it encloses."""

    def __init__(self, piece: Piece) -> None:
        parts = [region(outlines) for outlines in piece.outlines or []]
        area = CrossSection.batch_boolean(parts, OpType.Add) if parts else CrossSection()
        super().__init__(area, piece.faces)
        filled, holes = outer_and_holes(area)
        self.filled = _Area(filled, piece.faces)
        self.holes = [_Area(hole, piece.faces) for hole in holes]


class _Places:
    """Where distances can be taken; the areas of pieces are made when first asked for."""

    def __init__(self) -> None:
        self.known: dict[int, list[_Piece]] = {}

    def of(self, one: Plane, other: Plane) -> list[list[int]]:
        """Return the faces of each place where the distance of two planes can be taken.

        Pieces that cover each other, seen along the normal, are one place together; so are the
        pieces in one hole of a piece, such as the floor of a pocket. Where neither occurs (steps
        side by side), the two planes are one place.
        """
        if len(one.pieces) == 1 and len(other.pieces) == 1:
            return [sorted(one.faces + other.faces)]
        first, second = self._pieces(one), self._pieces(other)
        areas: list[_Area] = [*first, *second]
        pairs: list[tuple[int, int]] = []
        enclosed: set[int] = set()
        for inner, outer, start in ((first, second, 0), (second, first, len(first))):
            holes = [hole for piece in outer for hole in piece.holes]
            filled = [piece.filled for piece in inner]
            for i, j in _near(filled, holes).tolist():
                if _share(filled[i], holes[j]) >= (1 - COVERS) * filled[i].size:
                    pairs.append((start + i, len(areas) + j))
                    enclosed.add(start + i)
            areas += holes
        for i, j in _near(first, second).tolist():
            # What lies in a hole of the one covers nothing of it; others of its pieces are far.
            if i not in enclosed and len(first) + j not in enclosed and _cover(first[i], second[j]):
                pairs.append((i, len(first) + j))
        if not pairs:
            return [sorted(one.faces + other.faces)]
        group = linked(len(areas), pairs)
        places: dict[int, set[int]] = defaultdict(set)
        for node in {node for pair in pairs for node in pair}:
            places[int(group[node])].update(areas[node].faces)
        return sorted(sorted(place) for place in places.values())

    def _pieces(self, plane: Plane) -> list[_Piece]:
        if id(plane) not in self.known:
            self.known[id(plane)] = [_Piece(piece) for piece in plane.pieces]
        return self.known[id(plane)]


def _near(first: Sequence[_Area], second: Sequence[_Area]) -> Ints:
    """Return (m, 2) numbers of the areas whose boxes overlap."""
    if not first or not second:
        return np.empty((0, 2), dtype=np.int64)
    a = np.array([area.box for area in first])[:, None]
    b = np.array([area.box for area in second])[None]
    return np.argwhere((a[..., :2] < b[..., 2:]).all(-1) & (b[..., :2] < a[..., 2:]).all(-1))


def _cover(a: _Area, b: _Area) -> bool:
    """Whether two pieces lie over each other by more than their polygons are off."""
    return _share(a, b) > COVERS * min(a.size, b.size)


def _share(a: _Area, b: _Area) -> float:
    """Return the area in mm² that two areas have in common."""
    return float((a.area ^ b.area).area())


def angles(layout: Layout) -> tuple[list[Quantity], int]:
    """Return the angle between every two directions of planes, and how many are nearly parallel.

    An angle lies between two directions that can be seen edge-on together: their corner line runs
    along an edge, an axis or a plane's normal of the body. (Two chamfers on different sides have
    an angle too, which no view shows.) Of parallel planes the scarcer direction's each count once,
    with the planes of the other that leave the longest legs.

    Raises:
        TooMany: there are too many.
    """
    groups = by_direction(layout.planes)
    check_number(len(groups) * (len(groups) - 1) // 2)
    lines = np.array([frame.axes[2] for frame in layout.directions.frames]).reshape(-1, 3)
    points = {id(plane): _corners(layout, plane) for plane in layout.planes}
    found = []
    nearly = 0
    for one, other in combinations(sorted(groups), 2):
        a, b = layout.frame(one).axes[2], layout.frame(other).axes[2]
        corner = np.cross(a, b)
        sine = float(np.linalg.norm(corner))
        value = math.degrees(math.atan2(sine, abs(float(a @ b))))
        nearly += value < NEARLY_PARALLEL
        if np.linalg.norm(np.cross(lines, corner / sine), axis=1).min() > EDGE_ON:
            continue
        first = _by_leg(groups[one], points, a, b)
        second = _by_leg(groups[other], points, b, a)
        for (leg, plane), (other_leg, mate) in zip(first, second, strict=False):
            faces = sorted(plane.faces + mate.faces)
            found.append(Quantity("plane-angle", value, faces, leg=min(leg, other_leg)))
    check_number(len(found))
    return found, nearly


def _corners(layout: Layout, plane: Plane) -> Floats:
    """Return (n, 3) corners of the outlines of a plane, in mm from the middle of the body."""
    axes = layout.frame(plane.direction).axes
    flat = [p for piece in plane.pieces for face in piece.outlines or [] for p in face]
    return np.concatenate(flat) @ axes[:2] if flat else np.zeros((1, 3))


def _by_leg(
    planes: list[Plane], points: dict[int, Floats], normal: Floats, other: Floats
) -> list[tuple[float, Plane]]:
    """Return planes with their extent across the angle's corner line in mm, the longest first."""
    across = other - normal * (other @ normal)
    across = across / np.linalg.norm(across)
    legs = [(float(np.ptp(points[id(plane)] @ across)), plane) for plane in planes]
    return sorted(legs, key=lambda item: (-item[0], item[1].faces))
