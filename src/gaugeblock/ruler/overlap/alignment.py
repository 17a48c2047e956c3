"""The rigid motion that lays one body on another with the greatest overlap.

Candidate poses are scored by sampled occupancy, the best are fitted skin on skin, and those that
are then still in the running are compared by mesh booleans. Among equals the least motion wins.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gaugeblock.ruler.overlap.body import Body, Motion
from gaugeblock.ruler.overlap.cues import Cues
from gaugeblock.ruler.overlap.meshing import MeshFailure, body_mesh, shares
from gaugeblock.ruler.overlap.poses import AXIS_ROTATIONS, Candidates, rotations
from gaugeblock.ruler.overlap.refining import distance, exact_fit
from gaugeblock.ruler.overlap.searching import (
    CLOSE,
    EQUAL,
    Scored,
    by_turns,
    in_the_running,
    looked_at,
    order_of,
    scores,
    search,
    skin_distance,
    unlike,
)
from gaugeblock.ruler.overlap.twins import Twin

TRIED = 24
"""Other rotations looked at, at most, for whether the best pose is the only one."""

FITTED = 4
"""Poses fitted on true surfaces and compared by mesh booleans at most, of those fitted roughly."""

SAME_START = 1e-4
"""Largest motion between two roughly fitted poses, as a part of the size, for which fitting the
second would only find the first again: rough fits of one pose end 1e-11 apart, on curved parts
1e-6."""

SAME_POSE = 1e-6
"""Largest motion between two fitted poses, as a part of the size, for which they are one."""

SAME_IOU = 1e-6
"""IoUs this near each other are a tie, which the least motion decides."""

TIE = 1.05
"""Mean skin distance, as a multiple of the best, up to which another pose fits equally well."""

ROUND = 1e-9
"""Entries of a rotation this near −1, 0 or 1 (and shifts this near 0, as a part of the size) are
made exact: booleans of faces that coincide exactly are the most reliable."""


@dataclass(frozen=True)
class Pose:
    """One fitted motion."""

    motion: Motion
    source: str
    residual: float
    """Mean distance of the skins, mm."""
    iou: float | None = None
    """By mesh booleans."""


@dataclass(frozen=True)
class Found:
    """The best pose and how it was found."""

    pose: Pose
    candidates: int
    ties: int


def align(a: Body, b: Body, cues_a: Cues, cues_b: Cues, mirror: bool = False) -> Found:
    """Return the best motion of `a` onto `b` (of its mirror image with `mirror`)."""
    size = max(a.diagonal, b.diagonal)
    found = search(cues_a, cues_b, mirror, size)
    poses = by_turns(in_the_running(found.poses, size))
    fitted: list[Pose] = []
    for candidate in unlike(poses, cues_a, SAME_START * size)[:FITTED]:
        fitted.append(_fit(candidate, cues_a, cues_b, a, b, size))
        if fitted[-1].residual <= EQUAL * size:
            break
    chosen = _choose(fitted, a, b, cues_a, size)
    if mirror:  # nobody asks how many other poses of a mirror image fit as well
        return Found(chosen, found.tried, 0)
    ties = _ties(chosen, found.rotations, cues_a, cues_b, a, b, size)
    return Found(chosen, found.tried, ties)


def laid(twins: list[Twin], a: Body, b: Body, cues_a: Cues, cues_b: Cues) -> Found:
    """Return the least motion of those that lay equal boundaries on each other.

    Its residual is the bound of their distance. What turns a part into itself without its corners
    and seams is counted among the ties like any other pose.
    """
    size = max(a.diagonal, b.diagonal)
    poses = [Pose(rounded(twin.motion, size), "twins", twin.apart) for twin in twins]
    pose = min(poses, key=lambda pose: order_of(pose.motion, cues_a))
    others = rotations(cues_a, cues_b, False)
    ties = _ties(pose, others, cues_a, cues_b, a, b, size)
    return Found(pose, len(poses), max(ties, len(poses) - 1))


def mirrored_poses(a: Cues, b: Cues, size: float, motion: Motion) -> list[Motion]:
    """Return unlike rough poses of the mirror image of `a` that may fit better than `motion`.

    The others are both much farther off and of a lower score.
    """
    poses = search(a, b, True, size).poses
    running = in_the_running(poses, size, looked_at(motion, "aligned", a, b))
    return [pose.motion for pose in unlike(by_turns(running), a, SAME_START * size)]


def _fit(start: Scored, a: Cues, b: Cues, body_a: Body, body_b: Body, size: float) -> Pose:
    motion = rounded(exact_fit(a, b, body_b, start.motion, size), size)
    pose = Pose(motion, start.source, distance(a, b, body_a, body_b, motion))
    if start.source == "posed":
        given = distance(a, b, body_a, body_b, start.motion)
        if given <= pose.residual:
            return Pose(start.motion, start.source, given)
    return pose


def rounded(motion: Motion, size: float) -> Motion:
    """Return `motion` with what differs from an exact one by rounding made exact."""
    whole = np.round(motion.rotation)
    rotation = motion.rotation
    if np.abs(rotation - whole).max() < ROUND:
        rotation = whole
    shift = np.where(np.abs(motion.translation) < ROUND * size, 0.0, motion.translation)
    return Motion(rotation + 0.0, shift)


def _choose(fitted: list[Pose], a: Body, b: Body, cues_a: Cues, size: float) -> Pose:
    """Return the pose with the greatest overlap."""
    equal = [pose for pose in fitted if pose.residual <= EQUAL * size]
    if equal:
        return min(equal, key=lambda pose: order_of(pose.motion, cues_a))
    ranked = unlike(sorted(fitted, key=lambda p: p.residual), cues_a, SAME_POSE * size)
    if len(ranked) == 1:
        return ranked[0]
    try:
        stays = body_mesh(b, False)
        judged = [
            Pose(p.motion, p.source, p.residual, shares(body_mesh(a, False, p.motion), stays).iou)
            for p in ranked
        ]
    except MeshFailure:
        return ranked[0]
    best = max(pose.iou or 0.0 for pose in judged)
    level = [pose for pose in judged if (pose.iou or 0.0) >= best - SAME_IOU]
    return min(level, key=lambda pose: order_of(pose.motion, cues_a))


def _ties(
    pose: Pose, found: Candidates, a: Cues, b: Cues, body_a: Body, body_b: Body, size: float
) -> int:
    """Count other rotations that fit as well: the symmetries that the candidates show."""
    centre = pose.motion(a.centroid[None])[0]
    good = skin_distance(a, b, pose.motion)
    ties = 0
    turned = [r @ pose.motion.rotation for r in AXIS_ROTATIONS[1:]]
    turned += [r for r, _ in found if np.linalg.det(r) * np.linalg.det(pose.motion.rotation) > 0]
    seen = pose.motion.rotation[None]
    motions = []
    for rotation in turned:
        if np.abs(seen - rotation).max(axis=(1, 2)).min() > 1e-3:
            seen = np.concatenate([seen, rotation[None]])
            motions.append(Motion(rotation, centre - rotation @ a.centroid))
    first, *others = scores(a, b, [pose.motion, *motions])
    near = [m for s, m in zip(others, motions, strict=True) if s >= first - CLOSE / 2]
    for motion in near[:TRIED]:
        if skin_distance(a, b, motion) > 2 * good + 1e-6 * size:
            continue
        if distance(a, b, body_a, body_b, motion) <= TIE * pose.residual + EQUAL * size:
            ties += 1
    return ties
