"""Candidate motions of one body onto another, scored, thinned out and fitted roughly.

Two measures tell poses apart. Sampled occupancy is a share of volume, but blurs what is smaller
than a cell; the distance of the skins sees the smallest step, but not how much volume stands behind
it (a hole in another place of a thin plate hardly shows). A pose is dropped only where both speak
against it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np

from gaugeblock.ruler.facts.mesh import Floats
from gaugeblock.ruler.overlap.body import REST, Motion
from gaugeblock.ruler.overlap.cues import Cues
from gaugeblock.ruler.overlap.poses import Candidates, rotations, spread, turns
from gaugeblock.ruler.overlap.refining import rough_fit

EQUAL = 1e-9
"""Mean distance of the skins, as a part of the body's size, below which two bodies are equal: the
volume between them is then below 1e-8."""

CLOSE = 0.04
"""Scores this near the best are still in the running: two standard deviations of the sampling, and
what a grid cell blurs."""

WIDE = 0.15
"""Scores this near the best are in the running where the skins lie near: a step thinner than a cell
is not seen by the score, however wide it is."""

UNSURE = 0.02
"""Difference of two scores by all points that may be chance: two standard deviations."""

FIRST, SECOND = 20, 4
"""Every which point inside is used for the first scores, of all poses, and for the second."""

SURE = 0.2
"""First scores this far below the best are not made again with more points: WIDE and two standard
deviations (0.03 each) of a score by 300 points."""

CHUNK = 64
"""Poses scored at once."""

HOPELESS = 4.0
"""Distance to the nearest samples, as a multiple of the least, above which a pose is out where its
score is lower as well."""

ONE_START = 2e-3
"""Largest motion between two poses, as a part of the size, for which only one is fitted: face
directions, axes of inertia and single faces name one pose of an edited part to within 1e-3."""

SHORTLIST = 10
"""Poses fitted roughly at most, by turns the nearest skin on skin and the best scored."""

RANKED = 64
"""Poses that are told apart by their skins at most; more are a body of revolution or one body loose
in a much larger one, where any of them will do."""

ALIKE = 0.3
"""Ratio of volumes below which two bodies have no best rotation worth a search of SO(3): the
smaller fits into the larger in many ways."""

SHIFTED = 6
"""Rotations whose 64 combinations of aligned centroids, minima, maxima and centres are scored."""

GOOD_SCORE = 0.9
"""Score below which rotations about the main direction and all over SO(3) are tried as well."""


class Posed(Protocol):
    """Anything with a motion."""

    @property
    def motion(self) -> Motion:
        """Where the body is moved to."""
        ...


Placed = TypeVar("Placed", bound=Posed)


@dataclass(frozen=True)
class Scored:
    """One motion with what speaks for it."""

    motion: Motion
    source: str
    score: float
    """Sampled IoU."""
    apart: float = np.inf
    """Mean distance of the skins by their samples, mm."""


@dataclass(frozen=True)
class Search:
    """What a search found."""

    rotations: Candidates
    tried: int
    """Poses scored."""
    poses: list[Scored]
    """Those that may have the greatest overlap, fitted roughly."""


def search(a: Cues, b: Cues, mirror: bool, size: float) -> Search:
    """Search motions of `a` (of its mirror image with `mirror`) onto `b`; `size` in mm."""
    found = rotations(a, b, mirror)
    scored = _score(found, a, b)
    scored += _shifted(scored, a, b)
    if not mirror:
        scored.append(Scored(REST, "posed", scores(a, b, [REST])[0]))
    alike = min(a.volume, b.volume) > ALIKE * max(a.volume, b.volume)
    if alike and max(s.score for s in scored) < GOOD_SCORE:
        scored += _score(turns(a, b, mirror), a, b)
        scored += _score(spread(mirror), a, b)
    running = _shortlist(scored, a, b, size)
    fitted = [(rough_fit(a, b, s.motion, size), s.source) for s in running]
    given = [(s.motion, s.source) for s in running if s.source == "posed"]
    return Search(found, len(scored), [looked_at(m, s, a, b) for m, s in [*given, *fitted]])


def looked_at(motion: Motion, source: str, a: Cues, b: Cues) -> Scored:
    """Return a motion with its score by all points and the distance of the skins."""
    score = float(_sampled(a.inside, a, b, [motion])[0])
    return Scored(motion, source, score, skin_distance(a, b, motion))


def in_the_running(
    poses: list[Scored], size: float, beat: Scored | None = None, factor: float = HOPELESS
) -> list[Scored]:
    """Return the poses that are near, skin on skin, or not surely of a lower score.

    Args:
        poses: Looked at.
        size: Of the bodies, mm.
        beat: What they are compared with; None: the best of them.
        factor: How many times farther a pose may be.
    """
    near = min(p.apart for p in poses) if beat is None else beat.apart
    good = max(p.score for p in poses) if beat is None else beat.score
    most = factor * (near + EQUAL * size)
    return [p for p in poses if p.apart <= most or p.score >= good - UNSURE]


def by_turns(poses: list[Scored]) -> list[Scored]:
    """Return poses in order: the nearest, the best scored, the next nearest, and so on."""
    return _alternating(_by_skin(poses), sorted(poses, key=lambda p: -p.score))


def unlike(poses: Iterable[Placed], a: Cues, least: float) -> list[Placed]:
    """Return the poses without those that lay every sample within `least` mm of an earlier one."""
    kept: list[tuple[Placed, Floats]] = []
    for pose in poses:
        there = pose.motion(a.skin.points)
        if all(np.abs(there - other).max() > least for _, other in kept):
            kept.append((pose, there))
    return [pose for pose, _ in kept]


def _shortlist(scored: list[Scored], a: Cues, b: Cues, size: float) -> list[Scored]:
    """Return the poses worth a fit."""
    best = max(s.score for s in scored)
    wide = [s for s in scored if s.score >= best - WIDE]
    wide.sort(key=lambda s: (-round(s.score / CLOSE), *order_of(s.motion, a)))
    wide = unlike(wide, a, ONE_START * size)
    close = [s for s in wide if s.score >= best - CLOSE]
    if len(wide) <= SHORTLIST:
        return wide
    near = _by_skin(
        [Scored(s.motion, s.source, s.score, skin_distance(a, b, s.motion)) for s in wide[:RANKED]]
    )
    return _alternating(near, close)[:SHORTLIST]


def _alternating(one: list[Scored], other: list[Scored]) -> list[Scored]:
    """Return the items of both lists by turns, each motion once."""
    out: list[Scored] = []
    seen: set[int] = set()
    for pose in itertools.chain.from_iterable(itertools.zip_longest(one, other)):
        if pose is not None and id(pose.motion) not in seen:
            seen.add(id(pose.motion))
            out.append(pose)
    return out


def _by_skin(poses: list[Scored]) -> list[Scored]:
    """Order poses by their skins' distances; within a tenth of the best they keep their order."""
    least = min((p.apart for p in poses), default=0.0) + 1e-9
    return sorted(poses, key=lambda p: int(10 * (p.apart / least - 1)))


def _score(found: Candidates, a: Cues, b: Cues) -> list[Scored]:
    """Score rotations with centroids laid on each other."""
    motions = [Motion(r, b.centroid - r @ a.centroid) for r, _ in found]
    return [
        Scored(motion, source, score)
        for score, motion, (_, source) in zip(scores(a, b, motions), motions, found, strict=True)
    ]


def _shifted(scored: list[Scored], a: Cues, b: Cues) -> list[Scored]:
    """Score the best rotations with all combinations of box features laid on each other.

    The box is the one along the second body's own directions.
    """
    out = []
    ranked = sorted(scored, key=lambda s: -s.score)[:SHIFTED]
    for first in ranked:
        points = a.skin.points @ (b.frame @ first.motion.rotation).T
        low, high = b.ends - np.array([points.min(axis=0), points.max(axis=0)])
        given = b.frame @ first.motion.translation
        per_axis = np.stack([given, low, high, 0.5 * (low + high)])
        motions = [
            Motion(first.motion.rotation, per_axis[list(pick), range(3)] @ b.frame)
            for pick in itertools.product(range(4), repeat=3)
            if pick != (0, 0, 0)
        ]
        found = scores(a, b, motions)
        best = int(np.argmax(found))
        if found[best] > first.score:
            out.append(Scored(motions[best], f"{first.source}+box", found[best]))
    return out


def scores(a: Cues, b: Cues, motions: list[Motion]) -> list[float]:
    """Return the sampled IoU of each motion: points inside `a` looked up in `b`'s cells.

    First by few of the points, then by more where that leaves a motion in the running.
    """
    if not motions:
        return []
    found = _sampled(a.inside[::FIRST], a, b, motions)
    near = np.flatnonzero(found >= found.max() - SURE)
    found[near] = _sampled(a.inside[::SECOND], a, b, [motions[i] for i in near])
    return [float(score) for score in found]


def _sampled(points: Floats, a: Cues, b: Cues, motions: list[Motion]) -> Floats:
    """Return the IoU of each motion by `points`, which lie evenly in `a`."""
    shape = np.array(b.grid.shape)
    flat = b.grid.ravel()
    share = np.empty(len(motions))
    # In cells of the grid; its rim is empty: what lies outside may as well lie there.
    turn = b.frame @ np.stack([motion.rotation for motion in motions]) / b.cell
    shift = (np.stack([motion.translation for motion in motions]) @ b.frame.T - b.origin) / b.cell
    for first in range(0, len(motions), CHUNK):
        some = slice(first, first + CHUNK)
        cell = turn[some] @ points.T + shift[some, :, None]
        whole = [
            np.minimum(np.maximum(cell[:, i], 0.0), shape[i] - 1.0).astype(np.int64)
            for i in range(3)
        ]
        index = (whole[0] * shape[1] + whole[1]) * shape[2] + whole[2]
        share[some] = flat[index].sum(axis=1) / max(len(points), 1)
    common = np.minimum(np.minimum(share / b.seen, 1.0) * a.volume, b.volume)
    return np.asarray(common / (a.volume + b.volume - common))


def skin_distance(a: Cues, b: Cues, motion: Motion) -> float:
    """Return the mean distance to the nearest samples' tangent planes, both ways, mm."""
    total = weight = 0.0
    for ours, theirs, move in ((a, b, motion), (b, a, motion.inverse())):
        moved = move(ours.skin.points)
        _, index = theirs.find(moved, ours.skin.normals @ move.rotation.T)
        gap = np.abs(((moved - theirs.dense.points[index]) * theirs.dense.normals[index]).sum(1))
        total += float((gap * ours.skin.weight).sum())
        weight += float(ours.skin.weight.sum())
    return total / max(weight, 1e-300)


def order_of(motion: Motion, a: Cues) -> tuple[float, ...]:
    """Key by which ties are settled: least turn, least shift, then the numbers themselves."""
    shift = float(np.linalg.norm(motion(a.centroid[None])[0] - a.centroid))
    proper = motion.rotation * np.sign(np.linalg.det(motion.rotation))
    turn = float(np.trace(proper))
    return (-round(turn, 6), round(shift, 6), *np.round(-motion.rotation.ravel(), 6).tolist())
