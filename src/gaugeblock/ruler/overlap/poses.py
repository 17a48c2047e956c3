"""Candidate motions of one body onto another, before any of them is scored."""

from __future__ import annotations

import itertools

import numpy as np
from scipy.spatial.transform import Rotation

from gaugeblock.ruler.facts.mesh import Floats
from gaugeblock.ruler.overlap.cues import Cues, Direction

ANGLE_MATCH = 0.02
"""Difference in rad (about 1°) up to which two pairs of directions span the same angle."""

PARALLEL = 0.98
"""Cosine above which two directions are too close to each other to fix a frame."""

PAIRS = 3
"""Pairs of directions of the moved body that are laid on all pairs of the other: one of them
survives where an edit has taken away the largest face."""

MARKS = 3
"""Faces of the moved body used as landmarks, the rarest first."""

MARK_MATCH = 0.02
"""Relative difference up to which two faces' areas and distances from the centroid are the same."""

MOST_MARKS = 40
"""Faces of the other body that one landmark is tried on."""

TURNS = 72
"""Rotations about a body's only direction: every 5°."""

SPREAD = 600
"""Rotations spread over all of SO(3), about 25° apart, where nothing else fits."""

DISTINCT = 1e-4
"""Largest difference of two rotation matrices' entries that counts as the same candidate."""

Candidates = list[tuple[Floats, str]]


def axis_rotations() -> list[Floats]:
    """Return the 24 rotations that map the axes to the axes, the identity first."""
    found = []
    for order in itertools.permutations(range(3)):
        for signs in itertools.product((1.0, -1.0), repeat=3):
            matrix = np.zeros((3, 3))
            for row, (column, sign) in enumerate(zip(order, signs, strict=True)):
                matrix[row, column] = sign
            if np.linalg.det(matrix) > 0:
                found.append(matrix)
    found.sort(key=lambda m: (-np.trace(m), m.ravel().tolist()))
    return found


AXIS_ROTATIONS = axis_rotations()


def rotations(a: Cues, b: Cues, mirror: bool) -> Candidates:
    """Return rotations that may lay `a` on `b`, with where they come from; no duplicates.

    Args:
        a: Cues of the moved body.
        b: Cues of the other.
        mirror: The moved body is first mirrored in x (the candidates then have det −1).
    """
    flip = np.diag([-1.0 if mirror else 1.0, 1.0, 1.0])
    found: Candidates = [(r @ flip, "axes") for r in AXIS_ROTATIONS]
    frame = flip @ a.axes
    if mirror:
        frame = frame * np.array([-1.0, 1.0, 1.0])
    found += [(b.axes @ r @ frame.T @ flip, "inertia") for r in AXIS_ROTATIONS]
    found += [(r @ flip, "directions") for r in _by_directions(a, b, flip)]
    found += [(r @ flip, "features") for r in _by_marks(a, b, flip)]
    return _distinct(found)


def turns(a: Cues, b: Cues, mirror: bool) -> Candidates:
    """Return rotations about the common main direction, every 5°."""
    flip = np.diag([-1.0 if mirror else 1.0, 1.0, 1.0])
    found: Candidates = []
    first = flip @ (a.directions[0].vector if a.directions else a.axes[:, 2])
    second = b.directions[0].vector if b.directions else b.axes[:, 2]
    for sign in (1.0, -1.0):
        base = _frame(second * sign, _any_across(second)) @ _frame(first, _any_across(first)).T
        spin = Rotation.from_rotvec(second * np.linspace(0, 2 * np.pi, TURNS, False)[:, None])
        found += [(s @ base @ flip, "turns") for s in spin.as_matrix()]
    return found


def spread(mirror: bool) -> Candidates:
    """Return rotations over all of SO(3) (a fixed quasi-random set)."""
    flip = np.diag([-1.0 if mirror else 1.0, 1.0, 1.0])
    matrices = Rotation.random(SPREAD, rng=np.random.default_rng(11)).as_matrix()
    return [(m @ flip, "spread") for m in matrices]


def _distinct(found: Candidates) -> Candidates:
    kept: Candidates = []
    stack = np.empty((0, 3, 3))
    for rotation, source in found:
        if len(stack) and np.abs(stack - rotation).max(axis=(1, 2)).min() < DISTINCT:
            continue
        kept.append((rotation, source))
        stack = np.concatenate([stack, rotation[None]])
    return kept


def _by_directions(a: Cues, b: Cues, flip: Floats) -> list[Floats]:
    """Lay pairs of directions of `a` on the pairs of `b` that span the same angle."""
    found = []
    theirs = _pairs(b.directions, None, np.eye(3))
    for p, q, planar in _pairs(a.directions, PAIRS, flip):
        mine, angle = _frame(p, q).T, np.arccos(np.clip(p @ q, -1, 1))
        for r, s, other in theirs:
            if other != planar or abs(np.arccos(np.clip(r @ s, -1, 1)) - angle) > ANGLE_MATCH:
                continue
            found.append(_frame(r, s) @ mine)
    return found


def _pairs(
    directions: list[Direction], most: int | None, flip: Floats
) -> list[tuple[Floats, Floats, tuple[bool, bool]]]:
    """Return ordered pairs of unlike directions; axes with both senses (the first pairs only)."""
    found = []
    for i, j in itertools.permutations(range(len(directions)), 2):
        p, q = directions[i], directions[j]
        if abs(p.vector @ q.vector) > PARALLEL:
            continue
        if most is not None and i > j:
            continue
        senses = itertools.product(
            (1.0,) if p.planar or most else (1.0, -1.0), (1.0,) if q.planar or most else (1.0, -1.0)
        )
        for first, second in senses:
            found.append((flip @ p.vector * first, flip @ q.vector * second, (p.planar, q.planar)))
        if most is not None and len(found) >= most:
            break
    return found


def _by_marks(a: Cues, b: Cues, flip: Floats) -> list[Floats]:
    """Lay the main direction and a rare face of `a` on the like of `b`."""
    if not a.directions or not b.directions:
        return []
    axis_a = flip @ a.directions[0].vector
    found = []
    arms_a = [(flip @ (m.centre - a.centroid), m) for m in a.marks]
    size = max(float(np.linalg.norm(a.high - a.low)), 1e-300)
    arms_a = [(arm, m) for arm, m in arms_a if _off_axis(arm, axis_a) > 1e-3 * size]
    kinds = np.array([m.kind for _, m in arms_a])
    areas = np.array([m.area for _, m in arms_a])
    larger = np.maximum(areas[:, None], areas)
    alike = (np.abs(areas[:, None] - areas) <= MARK_MATCH * larger) & (kinds[:, None] == kinds)
    counts = alike.sum(axis=1)
    order = sorted(range(len(arms_a)), key=lambda i: (counts[i], -arms_a[i][1].area))[:MARKS]
    like = [d for d in b.directions if d.planar == a.directions[0].planar][:4]
    for i in order:
        arm, mark = arms_a[i]
        tried = 0
        for other in b.marks:
            if not _like(mark, other) or tried >= MOST_MARKS:
                continue
            reach = other.centre - b.centroid
            tried += 1
            for direction in like:
                for sign in (1.0,) if direction.planar else (1.0, -1.0):
                    axis_b = direction.vector * sign
                    if abs(axis_a @ arm - axis_b @ reach) > MARK_MATCH * size:
                        continue
                    if abs(_off_axis(arm, axis_a) - _off_axis(reach, axis_b)) < MARK_MATCH * size:
                        found.append(_frame(axis_b, reach) @ _frame(axis_a, arm).T)
    return found


def _like(a: object, b: object) -> bool:
    kind, area = getattr(a, "kind", ""), float(getattr(a, "area", 0.0))
    other = float(getattr(b, "area", 0.0))
    return kind == getattr(b, "kind", "") and abs(area - other) <= MARK_MATCH * max(area, other)


def _off_axis(arm: Floats, axis: Floats) -> float:
    return float(np.linalg.norm(arm - axis * (axis @ arm)))


def _frame(first: Floats, second: Floats) -> Floats:
    """Return a right-handed frame (columns) with `first` as z and `second` in the x–z plane."""
    z = first / np.linalg.norm(first)
    x = second - z * (z @ second)
    size = np.linalg.norm(x)
    x = _any_across(z) if size < 1e-12 else x / size
    return np.stack([x, np.cross(z, x), z], axis=1)


def _any_across(direction: Floats) -> Floats:
    z = direction / np.linalg.norm(direction)
    pick = np.eye(3)[int(np.argmin(np.abs(z)))]
    x = pick - z * (z @ pick)
    return np.asarray(x / np.linalg.norm(x))
