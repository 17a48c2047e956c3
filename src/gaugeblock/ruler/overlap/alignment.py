"""The rigid motion that lays one body on another with the greatest overlap.

Candidate poses are scored by sampled occupancy, the best are fitted skin on skin, and those that
are then still in the running are compared by mesh booleans. Among equals the least motion wins.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from gaugeblock.ruler.facts.mesh import Floats
from gaugeblock.ruler.overlap.body import REST, Body, Motion
from gaugeblock.ruler.overlap.cues import Cues
from gaugeblock.ruler.overlap.meshing import MeshFailure, body_mesh, shares
from gaugeblock.ruler.overlap.poses import AXIS_ROTATIONS, Candidates, rotations, spread, turns
from gaugeblock.ruler.overlap.refining import distance, exact_fit, rough_fit

EQUAL = 1e-9
"""Mean distance of the skins, as a part of the body's size, below which two bodies are equal: the
volume between them is then below 1e-8."""

CLOSE = 0.04
"""Scores this near the best are still in the running: two standard deviations of the sampling, and
what a grid cell blurs."""

SAMPLE = 5
"""Every which point inside is used for the first scores, of all poses."""

SURE = 0.2
"""First scores this far below the best are not made again with all points: CLOSE and five standard
deviations (0.03 each) of a score by 300 points."""

CHUNK = 64
"""Poses scored at once."""

HOPELESS = 4.0
"""Distance to the nearest samples, as a multiple of the least, above which a pose is out: twice
RIVAL, since neighbouring samples see curved faces as planes."""

SHORTLIST = 10
"""Poses fitted at most; the best scores first."""

RANKED = 64
"""Poses within CLOSE that are told apart by their skins at most; more are a body of revolution or
one body loose in a much larger one, where any of them will do."""

ALIKE = 0.3
"""Ratio of volumes below which two bodies have no best rotation worth a search of SO(3): the
smaller fits into the larger in many ways."""

TRIED = 24
"""Other rotations looked at, at most, for whether the best pose is the only one."""

SHIFTED = 6
"""Rotations whose 64 combinations of aligned centroids, minima, maxima and centres are scored."""

GOOD_SCORE = 0.9
"""Score below which rotations about the main direction and all over SO(3) are tried as well."""

FITTED = 4
"""Poses fitted on true surfaces at most, after the others have been fitted roughly."""

FINALISTS = 4
"""Fitted poses compared by mesh booleans at most."""

RIVAL = 2.0
"""Skin distance, as a multiple of the least, above which a pose cannot have the greater overlap:
both measure the volume between the boundaries, for small ones to a few percent."""

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


@dataclass(frozen=True)
class _Scored:
    score: float
    motion: Motion
    source: str
    start: Motion | None = None
    """Before the rough fit, where there was one."""


def align(a: Body, b: Body, cues_a: Cues, cues_b: Cues, mirror: bool = False) -> Found:
    """Return the best motion of `a` onto `b` (of its mirror image with `mirror`)."""
    size = max(a.diagonal, b.diagonal)
    found, tried, rough, apart = _search(cues_a, cues_b, mirror, size)
    most = HOPELESS * (min(apart) + EQUAL * size)
    able = [i for i in range(len(rough)) if apart[i] <= most]
    rough = _in_order([rough[i] for i in able], [apart[i] for i in able])
    fitted: list[Pose] = []
    for candidate in rough[:FITTED]:
        fitted.append(_fit(candidate, cues_a, cues_b, a, b, size))
        if fitted[-1].residual <= EQUAL * size:
            break
    chosen = _choose(fitted, a, b, cues_a, size)
    if mirror:  # nobody asks how many other poses of a mirror image fit as well
        return Found(chosen, tried, 0)
    return Found(chosen, tried, _ties(chosen, found, cues_a, cues_b, a, b, size))


def mirror_is_hopeless(cues_a: Cues, cues_b: Cues, size: float, motion: Motion) -> bool:
    """Whether every pose of the mirror image lies much farther off, skin from skin, than `motion`.

    Pure array work: it may run in a forked child after mesh booleans have started their threads.
    """
    apart = _search(cues_a, cues_b, True, size)[3]
    beat = _quick_distance(cues_a, cues_b, motion) + EQUAL * size
    return min(apart) > HOPELESS * beat


def _search(
    cues_a: Cues, cues_b: Cues, mirror: bool, size: float
) -> tuple[Candidates, int, list[_Scored], list[float]]:
    """Return rotations, the number of poses scored, the best fitted roughly, and how far off."""
    found = rotations(cues_a, cues_b, mirror)
    scored = _score(found, cues_a, cues_b)
    scored += _shifted(scored, cues_a, cues_b)
    if not mirror:
        scored.append(_Scored(_overlap(cues_a, cues_b, [REST])[0], REST, "posed"))
    alike = min(cues_a.volume, cues_b.volume) > ALIKE * max(cues_a.volume, cues_b.volume)
    if alike and max(s.score for s in scored) < GOOD_SCORE:
        scored += _score(turns(cues_a, cues_b, mirror), cues_a, cues_b)
        scored += _score(spread(mirror), cues_a, cues_b)
    best = max(s.score for s in scored)
    running = [s for s in scored if s.score >= best - CLOSE]
    running.sort(key=lambda s: (-round(s.score / CLOSE), *_order(s.motion, cues_a)))
    if len(running) > SHORTLIST:
        running = _rank_by_skin(running[:RANKED], cues_a, cues_b)[:SHORTLIST]
    rough = [_Scored(s.score, rough_fit(cues_a, cues_b, s.motion, size), s.source) for s in running]
    given = [s for s in running if s.source == "posed"]
    rough = [*given, *rough]
    apart = [_quick_distance(cues_a, cues_b, s.motion) for s in rough]
    return found, len(scored), rough, apart


def _score(found: Candidates, a: Cues, b: Cues) -> list[_Scored]:
    """Score rotations with centroids laid on each other."""
    motions = [Motion(r, b.centroid - r @ a.centroid) for r, _ in found]
    scores = _overlap(a, b, motions)
    return [
        _Scored(score, motion, source)
        for score, motion, (_, source) in zip(scores, motions, found, strict=True)
    ]


def _shifted(scored: list[_Scored], a: Cues, b: Cues) -> list[_Scored]:
    """Score the best rotations with all combinations of box features laid on each other."""
    out = []
    ranked = sorted(scored, key=lambda s: -s.score)[:SHIFTED]
    for first in ranked:
        points = a.skin.points @ first.motion.rotation.T
        low, high = points.min(axis=0), points.max(axis=0)
        per_axis = np.stack(
            [first.motion.translation, b.low - low, b.high - high,
             0.5 * (b.low + b.high) - 0.5 * (low + high)]
        )  # fmt: skip
        motions = [
            Motion(first.motion.rotation, per_axis[list(pick), range(3)])
            for pick in itertools.product(range(4), repeat=3)
            if pick != (0, 0, 0)
        ]
        scores = _overlap(a, b, motions)
        best = int(np.argmax(scores))
        if scores[best] > first.score:
            out.append(_Scored(scores[best], motions[best], f"{first.source}+box"))
    return out


def _overlap(a: Cues, b: Cues, motions: list[Motion]) -> list[float]:
    """Return the sampled IoU of each motion: points inside `a` looked up in `b`'s cells.

    First by some of the points, then by all where that leaves a motion in the running.
    """
    if not motions:
        return []
    scores = _sampled(a.inside[::SAMPLE], a, b, motions)
    near = np.flatnonzero(scores >= scores.max() - SURE)
    scores[near] = _sampled(a.inside, a, b, [motions[i] for i in near])
    return [float(score) for score in scores]


def _sampled(points: Floats, a: Cues, b: Cues, motions: list[Motion]) -> Floats:
    """Return the IoU of each motion by `points`, which lie evenly in `a`."""
    shape = np.array(b.grid.shape)
    flat = b.grid.ravel()
    share = np.empty(len(motions))
    # In cells of the grid; its rim is empty: what lies outside may as well lie there.
    turn = np.stack([motion.rotation for motion in motions]) / b.cell
    shift = (np.stack([motion.translation for motion in motions]) - b.origin) / b.cell
    for first in range(0, len(motions), CHUNK):
        some = slice(first, first + CHUNK)
        cell = turn[some] @ points.T + shift[some, :, None]
        whole = [
            np.minimum(np.maximum(cell[:, i], 0.0), shape[i] - 1.0).astype(np.int64)
            for i in range(3)
        ]
        index = (whole[0] * shape[1] + whole[1]) * shape[2] + whole[2]
        share[some] = flat[index].sum(axis=1) / max(len(points), 1)
    common = np.minimum(share * a.volume, b.volume)
    return np.asarray(common / (a.volume + b.volume - common))


def _rank_by_skin(running: list[_Scored], a: Cues, b: Cues) -> list[_Scored]:
    """Order poses that the occupancy cannot tell apart by the distance of the skins."""
    return _in_order(running, [_quick_distance(a, b, s.motion) for s in running])


def _in_order(running: list[_Scored], apart: list[float]) -> list[_Scored]:
    """Order poses by their skins' distances."""
    least = min(apart) + 1e-9
    # Within a tenth of the best they count as equal, and keep their order.
    order = sorted(range(len(running)), key=lambda i: (int(10 * (apart[i] / least - 1)), i))
    return [running[i] for i in order]


def _quick_distance(a: Cues, b: Cues, motion: Motion) -> float:
    """Return the mean distance to the nearest samples' tangent planes, both ways, mm."""
    total = weight = 0.0
    for ours, theirs, move in ((a, b, motion), (b, a, motion.inverse())):
        moved = move(ours.skin.points)
        _, index = theirs.find(moved, ours.skin.normals @ move.rotation.T)
        gap = np.abs(((moved - theirs.dense.points[index]) * theirs.dense.normals[index]).sum(1))
        total += float((gap * ours.skin.weight).sum())
        weight += float(ours.skin.weight.sum())
    return total / max(weight, 1e-300)


def _fit(start: _Scored, a: Cues, b: Cues, body_a: Body, body_b: Body, size: float) -> Pose:
    if start.start is not None:
        # Where the start's own turn is as good, the rough fit's is an accident (a tube about its
        # axis, whose facets seem to resist).
        turn = start.start.rotation
        centre = a.skin.points.mean(axis=0)
        plain = Motion(turn, start.motion(centre[None])[0] - turn @ centre)
        plain = rounded(exact_fit(a, b, body_b, plain, size), size)
        apart = distance(a, b, body_a, body_b, plain)
        if apart <= EQUAL * size:
            return Pose(plain, start.source, apart)
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
        return min(equal, key=lambda pose: _order(pose.motion, cues_a))
    ranked = _unlike(sorted(fitted, key=lambda pose: pose.residual), cues_a, size)
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
    return min(level, key=lambda pose: _order(pose.motion, cues_a))


def _unlike(ranked: list[Pose], a: Cues, size: float) -> list[Pose]:
    """Return the best poses that are still in the running, the same one only once."""
    kept: list[Pose] = []
    for pose in ranked:
        if pose.residual > RIVAL * ranked[0].residual or len(kept) == FINALISTS:
            break
        there = pose.motion(a.skin.points)
        moved = [np.abs(there - other.motion(a.skin.points)).max() for other in kept]
        if not moved or min(moved) > SAME_POSE * size:
            kept.append(pose)
    return kept


def _order(motion: Motion, a: Cues) -> tuple[float, ...]:
    """Key by which ties are settled: least turn, least shift, then the numbers themselves."""
    shift = float(np.linalg.norm(motion(a.centroid[None])[0] - a.centroid))
    proper = motion.rotation * np.sign(np.linalg.det(motion.rotation))
    turn = float(np.trace(proper))
    return (-round(turn, 6), round(shift, 6), *np.round(-motion.rotation.ravel(), 6).tolist())


def _ties(
    pose: Pose, found: Candidates, a: Cues, b: Cues, body_a: Body, body_b: Body, size: float
) -> int:
    """Count other rotations that fit as well: the symmetries that the candidates show."""
    centre = pose.motion(a.centroid[None])[0]
    good = _quick_distance(a, b, pose.motion)
    ties = 0
    turned = [r @ pose.motion.rotation for r in AXIS_ROTATIONS[1:]]
    turned += [r for r, _ in found if np.linalg.det(r) * np.linalg.det(pose.motion.rotation) > 0]
    seen = pose.motion.rotation[None]
    motions = []
    for rotation in turned:
        if np.abs(seen - rotation).max(axis=(1, 2)).min() > 1e-3:
            seen = np.concatenate([seen, rotation[None]])
            motions.append(Motion(rotation, centre - rotation @ a.centroid))
    scores = _overlap(a, b, [pose.motion, *motions])
    near = [m for s, m in zip(scores[1:], motions, strict=True) if s >= scores[0] - CLOSE / 2]
    for motion in near[:TRIED]:
        if _quick_distance(a, b, motion) > 2 * good + 1e-6 * size:
            continue
        if distance(a, b, body_a, body_b, motion) <= TIE * pose.residual + EQUAL * size:
            ties += 1
    return ties
