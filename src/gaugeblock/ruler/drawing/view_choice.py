"""Which way a part is drawn: its principal directions, the front view, how many views it needs.

The rules look at the part alone, so that a part that was turned in space gives the same drawing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gaugeblock.records.features import Boss, Chamfer, Feature, Fillet, Hole, Recess, Thread
from gaugeblock.ruler.drawing.anatomy import CLOSE, Face, Floats, aside, parallel, same_axis
from gaugeblock.ruler.views.cameras import Camera, Vector

TURNED = 0.7
"""Share of the area that lies around one axis from which on a part counts as turned."""

ALONG = 1e-5
"""Sine of the angle within which axes are one."""

OWN_AXES = 0.5
"""Share of the area of planes and cylinders along the file's axes from which on these are the
drawing's."""

LARGE_CHAMFER = 0.08
"""A bevel wider than this part of the longest side shapes the outline."""

HOLES_TELL = 2.0
"""Holes and pockets tell at most as much as this many faces of the outline."""

BEND_TELLS = 2.0
"""What the face of a bend tells where its arc is seen: a pipe is known by its run."""

EMPTY_TELLS = 5.0
"""What it tells that an outline leaves its box empty: an L is known by its profile."""


@dataclass(frozen=True)
class Plan:
    """How a part is turned into the drawing."""

    basis: Floats
    """(3, 3) rows: right, up and towards the viewer of the front view, in the file's axes."""
    views: tuple[str, ...]
    """Names beside the front view: ``top``, ``bottom``, ``left`` or ``right``."""
    turned: tuple[Floats, Floats] | None = None
    """Point and direction of the axis of a turned part, in the file's axes."""


def camera_of(basis: Floats, name: str) -> Camera:
    """Return the camera of one of the six views around a front view."""
    right, up, near = basis
    towards, upwards = {
        "front": (near, up),
        "top": (up, -near),
        "bottom": (-up, near),
        "right": (right, up),
        "left": (-right, up),
        "rear": (-near, up),
    }[name]
    return Camera(name=name, direction=_vector(towards), up=_vector(upwards))


def iso_camera(basis: Floats, side: str) -> Camera:
    """Return the isometric camera: from above, in front, and the side that is drawn too."""
    right, up, near = basis
    towards = near + up + (-right if side == "left" else right)
    direction = towards / np.linalg.norm(towards)
    upwards = up - direction * (up @ direction)
    return Camera(
        name="iso", direction=_vector(direction), up=_vector(upwards / np.linalg.norm(upwards))
    )


def _vector(a: Floats) -> Vector:
    x, y, z = (float(c) + 0.0 for c in a)
    return (x, y, z)


def plan_of(faces: Sequence[Face], features: Sequence[Feature]) -> Plan:
    """Choose how a part is drawn.

    Args:
        faces: All faces, in the file's coordinates.
        features: What was recognised on them.
    """
    points = np.concatenate([face.points for face in faces])
    size = float(np.linalg.norm(points.max(axis=0) - points.min(axis=0)))
    axis = turned_axis(faces, features, CLOSE * size)
    if axis is not None:
        return _turned_plan(faces, features, axis, size)
    return _square_plan(faces, features, size)


def turned_axis(
    faces: Sequence[Face], features: Sequence[Feature], close: float
) -> tuple[Floats, Floats] | None:
    """Return point and direction of the axis that most of a part is turned about, or None."""
    threads = {(f.solid, n): f for f in features if isinstance(f, Thread) for n in f.faces}
    wound = [threads.get((face.solid, face.number)) for face in faces]
    axes = np.array([face.axis for face in faces])
    points = np.array([face.point for face in faces])
    areas = np.array([face.area for face in faces])
    kinds = np.array([face.kind for face in faces])
    turning = np.isin(kinds, ("Cylinder", "Cone", "Torus"))
    rest = turning.copy()
    best: tuple[float, int] | None = None
    while rest.any():
        i = int(np.argmax(rest))
        off = np.linalg.norm(np.cross(points - points[i], axes[i]), axis=1) < close
        along = np.linalg.norm(np.cross(axes, axes[i]), axis=1) < ALONG
        own = turning & along & off
        rest &= ~own
        around = own | ((kinds == "Sphere") & off) | ((kinds == "Plane") & along)
        around |= np.array([t is not None and _wound(t, faces[i], close) for t in wound])
        area = float(areas[around].sum())
        if best is None or area > best[0] * (1 + 1e-9):
            best = (area, i)
    if best is None or best[0] < TURNED * float(areas.sum()):
        return None
    axis = faces[best[1]]
    outer = [f for f in faces if f.round and f.outward > 0 and same_axis(f, axis, close)]
    if not outer:
        return None
    radius = max(aside(p, axis.point, axis.axis) for face in outer for p in face.points)
    plain = [face for face, thread in zip(faces, wound, strict=True) if thread is None]
    reach = max(aside(p, axis.point, axis.axis) for face in plain for p in face.points)
    if reach > radius + 10 * close:
        return None
    return axis.point, axis.axis


def _wound(thread: Thread, axis: Face, close: float) -> bool:
    """Whether a thread winds about the axis of a round face."""
    # A fitted screw axis is known to some µm.
    off = aside(np.array(thread.position), axis.point, axis.axis)
    way = np.cross(np.array(thread.axis), axis.axis)
    return off < 1e3 * close and float(np.linalg.norm(way)) < 1e-3


def _turned_plan(
    faces: Sequence[Face], features: Sequence[Feature], axis: tuple[Floats, Floats], size: float
) -> Plan:
    point, right = axis
    centre = _middle_of_area(faces)
    span = _span(faces, right)
    # The heavier half lies on the left.
    if centre @ right > 0.5 * (span[0] + span[1]) + 1e-6 * size:
        right = -right
    others = [
        f for f in features if isinstance(f, Hole | Recess) and not _coaxial(f, point, right, size)
    ]
    across, facing = _across(others, point, right, size)
    across = across - right * (across @ right)
    across = across / np.linalg.norm(across)
    up = np.cross(across, right) if facing else across
    basis = np.array([right, up, np.cross(right, up)])
    flats = [
        f
        for f in faces
        if f.kind == "Plane" and not parallel(f.axis, right) and f.area > 1e-4 * size * size
    ]
    hollow = any(
        f.round and f.outward < 0 and aside(f.point, point, right) < CLOSE * size for f in faces
    )
    if others or flats or hollow:
        left = sum(1.0 if np.array(f.axis) @ right > 0.5 else 0.0 for f in others)
        from_right = sum(1.0 if np.array(f.axis) @ right < -0.5 else 0.0 for f in others)
        return Plan(basis, ("right" if from_right > left else "left",), axis)
    return Plan(basis, (), axis)


def _across(
    others: Sequence[Hole | Recess], point: Floats, right: Floats, size: float
) -> tuple[Floats, bool]:
    """Return a direction across the axis, and whether the front view is seen along it."""
    crossing = [f for f in others if abs(np.array(f.axis) @ right) < 0.5]
    through = [f for f in crossing if isinstance(f, Hole) and f.through]
    for keyway in (f for f in crossing if isinstance(f, Recess)):
        return -np.array(keyway.axis), True
    for feature in others:
        arm = np.array(feature.position) - point
        arm = arm - right * (arm @ right)
        if feature not in through and np.linalg.norm(arm) > 1e-6 * size:
            return arm, False  # A hole beside the axis lies in the plane of the section.
    if through:  # In a section along it, no circle would tell its diameter.
        return -np.array(through[0].axis), True
    return _any_across(right), False


def _coaxial(feature: Feature, point: Floats, axis: Floats, size: float) -> bool:
    return aside(np.array(feature.position), point, axis) < 1e-5 * size and parallel(
        np.array(getattr(feature, "axis", axis)), axis
    )


def _any_across(axis: Floats) -> Floats:
    """Return the file's axis that lies most squarely across, the upper ones first."""
    for way in np.eye(3)[[2, 1, 0]]:
        if abs(way @ axis) < 0.5:
            return np.asarray(way)
    return np.asarray(np.eye(3)[0])


def _square_plan(faces: Sequence[Face], features: Sequence[Feature], size: float) -> Plan:
    axes = principal_directions(faces)
    extent = [np.ptp([face.reach(a) for face in faces]) for a in axes]
    profile = [_telling(faces, features, a) for a in axes]
    area = [extent[(i + 1) % 3] * extent[(i + 2) % 3] for i in range(3)]
    front = max(range(3), key=lambda i: (profile[i], round(area[i] / size**2, 6), i == 1))
    rest = [i for i in range(3) if i != front]
    # The longer side lies; where both are alike, what was up stays up.
    wide, tall = sorted(rest, key=lambda i: (-round(extent[i] / size, 6), i))
    near, up = axes[front], axes[tall]
    centre = _middle_of_area(faces)
    opening = sum(_opening(f, near) for f in features) + _bevelled(faces, near)
    heavy = [_heavy(faces, centre, a, size) for a in (axes[wide], up)]
    if heavy[1] > 0:
        up = -up
    right = np.cross(up, near)
    lean = _heavy(faces, centre, right, size)
    if opening < 0 or (opening == 0 and lean > 0):
        near, right = -near, -right
    elif heavy[1] == 0 and lean > 0:
        up, right = -up, -right
    basis = np.array([right, up, near])
    return Plan(basis, _further_views(faces, features, basis, size))


def principal_directions(faces: Sequence[Face]) -> Floats:
    """Return (3, 3) rows: three square directions that most of a part follows."""
    weights: list[tuple[Floats, float]] = []
    for face in faces:
        if face.kind not in ("Plane", "Cylinder"):
            continue
        for i, (way, weight) in enumerate(weights):
            if parallel(way, face.axis):
                weights[i] = (way, weight + face.area)
                break
        else:
            weights.append((face.axis, face.area))
    own = sum(w for way, w in weights if np.abs(way).max() > 1.0 - 1e-9)
    if not weights or own >= OWN_AXES * sum(w for _, w in weights):
        return np.eye(3)
    weights.sort(key=lambda item: -item[1])
    first = weights[0][0]
    second = next((way for way, _ in weights[1:] if abs(way @ first) < 1e-6), _any_across(first))
    second = second - first * (second @ first)
    second = second / np.linalg.norm(second)
    return np.array([second, np.cross(first, second), first])


def _telling(faces: Sequence[Face], features: Sequence[Feature], axis: Floats) -> float:
    """Return how much the view along an axis says of a part's shape.

    Faces seen from their edge make the outline; holes and the like add to it, rounded edges do not.
    """
    owners = {(f.solid, n): f for f in features for n in f.faces}
    size = max(span[1] - span[0] for span in (_span(faces, a) for a in np.eye(3)))
    outline, inner = 0.0, set()
    for face in faces:
        owner = owners.get((face.solid, face.number))
        if owner is None and face.bent and parallel(face.axis, axis):
            outline += BEND_TELLS
        elif not _profiled(face, axis):
            continue
        elif owner is None or isinstance(owner, Boss) or _large_chamfer(owner, size):
            outline += 1.0
        elif isinstance(owner, Hole | Recess | Thread) and parallel(np.array(owner.axis), axis):
            inner.add(owner.id)
    low, high = (_span(faces, a) for a in _others(axis))
    room = (low[1] - low[0]) * (high[1] - high[0])
    filled = sum(_shadow(face, axis) for face in faces) / max(room, 1e-300)
    return outline + min(0.5 * len(inner), HOLES_TELL) + EMPTY_TELLS * max(0.0, 1.0 - filled)


def _large_chamfer(feature: Feature, size: float) -> bool:
    """Whether a bevel is a part of the outline and no broken edge."""
    return isinstance(feature, Chamfer) and feature.legs[1] > LARGE_CHAMFER * size


def _others(axis: Floats) -> tuple[Floats, Floats]:
    """Return two directions square to an axis and to each other."""
    first = _any_across(axis)
    first = first - axis * (first @ axis)
    first = first / np.linalg.norm(first)
    return first, np.cross(axis, first)


def _shadow(face: Face, axis: Floats) -> float:
    """Return roughly the area that a face covers as seen along an axis."""
    if face.kind == "Plane":
        return face.area * max(0.0, float(face.axis @ axis))
    if face.kind == "Cylinder" and face.outward > 0 and abs(float(face.axis @ axis)) < 1e-6:
        return face.area / math.pi
    return 0.0


def _profiled(face: Face, axis: Floats) -> bool:
    """Whether a face is seen from its edge along an axis, and so shapes the outline there."""
    if face.kind == "Plane":
        return abs(float(face.axis @ axis)) < 1e-6
    return face.kind == "Cylinder" and parallel(face.axis, axis)


def _opening(feature: Feature, near: Floats) -> float:
    """Return +1 where a feature is seen into from `near`, −1 from behind, 0 else."""
    if isinstance(feature, Hole | Recess | Boss | Thread):
        along = float(np.array(feature.axis) @ near)
        if abs(along) > 0.99:
            plain = (
                isinstance(feature, Hole)
                and feature.through
                and not (feature.counterbore or feature.countersink)
            )
            if plain or (isinstance(feature, Recess) and feature.through):
                return 0.0
            sign = 1.0 if isinstance(feature, Boss) else -1.0
            return math.copysign(1.0, sign * along)
    return 0.0


def _bevelled(faces: Sequence[Face], near: Floats) -> float:
    """Return how many oblique planes are seen from the front rather than from behind."""
    return sum(
        math.copysign(0.5, along)
        for face in faces
        if face.kind == "Plane" and 1e-6 < abs(along := float(face.axis @ near)) < 1 - 1e-6
    )


def _middle_of_area(faces: Sequence[Face]) -> Floats:
    total = sum(face.area for face in faces)
    return np.asarray(sum(face.area * face.centre for face in faces) / total)


def _span(faces: Sequence[Face], axis: Floats) -> tuple[float, float]:
    reach = [face.reach(axis) for face in faces]
    return min(r[0] for r in reach), max(r[1] for r in reach)


def _heavy(faces: Sequence[Face], centre: Floats, axis: Floats, size: float) -> int:
    """Return on which side of the box's middle the area's centre lies: −1, 0 or 1."""
    low, high = _span(faces, axis)
    off = float(centre @ axis) - 0.5 * (low + high)
    return 0 if abs(off) < 1e-6 * size else (1 if off > 0 else -1)


def _further_views(
    faces: Sequence[Face], features: Sequence[Feature], basis: Floats, size: float
) -> tuple[str, ...]:
    """Return which views a part needs beside the front view."""
    needed = [False, False]
    claimed = {(f.solid, n) for f in features for n in f.faces}
    inner = [False, False, False]
    for k in range(3):
        low, high = _span(faces, basis[k])
        for face in faces:
            if face.kind == "Plane" and parallel(face.axis, basis[k]):
                at = float(face.point @ basis[k])
                edge = min(at - low, high - at) < 1e-6 * size
                inner[k] |= not edge and (face.solid, face.number) not in claimed
    needed[0] |= inner[1] and inner[2]
    needed[1] |= inner[0] and inner[2]
    votes = {"left": 0.0, "right": 0.0, "top": 0.0, "bottom": 0.0}
    for feature in features:
        if not isinstance(feature, Hole | Recess | Boss | Thread):
            continue
        for k, (plus, minus) in enumerate((("right", "left"), ("top", "bottom"))):
            if parallel(np.array(feature.axis), basis[k]):
                needed[k] = True
                side = _opening(feature, basis[k])
                votes[plus if side > 0 else minus] += abs(side)
    owners = {(f.solid, n): f for f in features for n in f.faces}
    longest = max(high - low for low, high in (_span(faces, b) for b in basis))
    for face in faces:
        owner = owners.get((face.solid, face.number))
        if isinstance(owner, Fillet) or (
            isinstance(owner, Chamfer) and not _large_chamfer(owner, longest)
        ):
            continue
        if face.bent:
            needed = [needed[k] or parallel(face.axis, basis[k]) for k in (0, 1)]
        if face.kind == "Plane" and abs(face.axis @ basis[2]) > 1e-6:
            for k in (0, 1):
                if abs(face.axis @ basis[k]) < 1e-6 < abs(face.axis @ basis[1 - k]):
                    needed[k] = True
    if not any(needed):
        wide, tall = (np.ptp(_span(faces, basis[k])) for k in (0, 1))
        needed[1 if wide > 1.5 * tall else 0] = True
    views = []
    if needed[0]:
        views.append("right" if votes["right"] > votes["left"] else "left")
    if needed[1]:
        views.append("bottom" if votes["bottom"] > votes["top"] else "top")
    return tuple(views)
