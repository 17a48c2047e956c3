"""What changed outside a region, seen by lines through both boundaries; no boolean is involved.

Lines of two kinds are cast in several directions. Those through scrambled Sobol points measure the
changed volume, to about a thousandth of the part. Those through samples of every single face tell
far more sharply that nothing changed: a face that moved shows a gap on nearly all of its own lines,
however small it is.

Lines that cannot tell triangles from the true surface (`rims`) say nothing for sure: what they see
is within the error.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gaugeblock.records.conservation import Block, LineWord, Region, Rod
from gaugeblock.ruler.conserving.rims import Rims, near, rims_of
from gaugeblock.ruler.facts.facets import Facets
from gaugeblock.ruler.facts.lines import Hits, Lines, Mask, cut
from gaugeblock.ruler.facts.mesh import Floats, Ints
from gaugeblock.ruler.overlap.body import Body, Part
from gaugeblock.ruler.overlap.casting import DIRECTIONS, FLOOR, ODD, RARE, SEED, SIGMAS
from gaugeblock.ruler.overlap.sobol import sobol_points

VOLUME_LINES = 512
"""Lines a direction that measure the changed volume."""

FACE_LINES = 4
"""Lines a face and direction; with eight directions 32 a face."""

MOST_FACE_LINES = 8192
"""Most lines through faces a direction; parts with more faces get fewer a face, at least one."""

SURELY = 0.7
"""Quantile of the gaps on a face's own lines that is taken: of a face that moved nearly all lines
see a gap; where nothing changed none of those should that tell anything."""

MOVED = 1e-9
"""Area times gap of a face that moved, as a part of the start's volume: hits settle on the true
surface to `SETTLED`, 1e-13 of the size; equal tubes modelled in ten ways stay below 3e-11."""

ZOOMED_LINES = 2048
"""Lines a direction through the place where faces moved."""

MARGIN = 0.1
"""How much wider than the faces that moved that place is, as a part of its size."""

AXES = {"x": 0, "y": 1, "z": 2}
NOWHERE = np.zeros((0, 3))


@dataclass(frozen=True)
class _Cast:
    """One direction's lines."""

    changed: Floats
    """(n,) mm of each line that changed outside the region."""
    before: Floats
    """(n,) mm of each line inside the start."""
    odd: Mask
    """(n,) whether the line's hits make no sense."""
    unsure: Mask
    """(n,) whether triangles may have misled it: it passes a rim, or a hit did not settle."""


def seen(start: Body, delivery: Body, region: Region, by_name: bool) -> tuple[LineWord, Floats]:
    """Return what lines see changed outside the region, and (n, 3) points on faces that moved.

    Args:
        start: The part before the edit.
        delivery: The part after it.
        region: Where they may differ.
        by_name: Whether passing from one named solid to another is a change.
    """
    random = np.random.default_rng(SEED)
    pair = _Pair.of(start, delivery, region, by_name)
    faces = _samples([*start.parts, *delivery.parts], random)
    box = _corners(start, delivery)
    volume, _ = start.summed
    shares, used, odd, total = [], 0, 0, 0.0
    squares, doubtful = 0.0, 0.0
    gaps, telling = [], []
    for _ in range(DIRECTIONS):
        frame = np.linalg.qr(random.normal(size=(3, 3)))[0].T
        flat = box @ frame[:2].T
        low, high = flat.min(axis=0), flat.max(axis=0)
        at = low + sobol_points(VOLUME_LINES, random) * (high - low)
        cast = _cast(pair, frame, [at, faces.points @ frame[:2].T])
        good = ~cast.odd[:VOLUME_LINES]
        odd += int((~good).sum())
        used += len(cast.odd)
        inside = cast.before[:VOLUME_LINES][good]
        if inside.sum() > 0:
            shares.append(float(cast.changed[:VOLUME_LINES][good].sum() / inside.sum()))
            total += float(inside.sum())
            doubtful += float(cast.changed[:VOLUME_LINES][good & cast.unsure[:VOLUME_LINES]].sum())
            squares += float((inside**2).sum())
        of_faces = cast.changed[VOLUME_LINES:].copy()
        of_faces[cast.odd[VOLUME_LINES:]] = np.nan
        gaps.append(of_faces)
        telling.append(~cast.unsure[VOLUME_LINES:])
    if odd > ODD * VOLUME_LINES * DIRECTIONS:
        return _silent(used, f"{odd} lines see an open boundary"), NOWHERE
    if len(shares) < DIRECTIONS:
        return _silent(used, "too few lines meet the start"), NOWHERE
    spread = SIGMAS * float(np.std(shares, ddof=1) / np.sqrt(len(shares)))
    missed = RARE * squares / total**2  # what no line has seen may still be there (Kish)
    skin, moved = _skin(faces, np.array(gaps), np.array(telling), volume)
    word = LineWord(
        outside=float(np.mean(shares)) * volume,
        error=(max(spread, missed) + max(FLOOR, doubtful / total)) * volume,
        skin=skin,
        lines=used,
    )
    return word, moved


def zoomed(
    start: Body, delivery: Body, region: Region, by_name: bool, place: Floats
) -> tuple[float, float] | None:
    """Return what changed near some points and its error, mm³: at least this much did in all.

    What lines saw that may be misled counts half, and its half is within the error. None: the
    boundaries there are not closed.

    Args:
        start: The part before the edit.
        delivery: The part after it.
        region: Where they may differ.
        by_name: Whether passing from one named solid to another is a change.
        place: (n, 3) points on faces that moved, mm.
    """
    random = np.random.default_rng(SEED + 1)
    pair = _Pair.of(start, delivery, region, by_name)
    sure, doubtful = [], []
    for _ in range(DIRECTIONS):
        frame = np.linalg.qr(random.normal(size=(3, 3)))[0].T
        flat = place @ frame[:2].T
        low, high = flat.min(axis=0), flat.max(axis=0)
        low, high = low - MARGIN * (high - low), high + MARGIN * (high - low)
        at = low + sobol_points(ZOOMED_LINES, random) * (high - low)
        cast = _cast(pair, frame, [at])
        good = ~cast.odd
        if good.any():
            area = float(np.prod(high - low))
            misled = cast.unsure[good]
            sure.append(area * float((cast.changed[good] * ~misled).mean()))
            doubtful.append(area * float((cast.changed[good] * misled).mean()))
    if len(sure) < DIRECTIONS:
        return None
    spread = SIGMAS * float(np.std(sure, ddof=1) / np.sqrt(len(sure)))
    half = float(np.mean(doubtful)) / 2
    return float(np.mean(sure)) + half, spread + half


def _silent(lines: int, reason: str) -> LineWord:
    return LineWord(outside=None, error=None, skin=None, lines=lines, reason=reason)


@dataclass(frozen=True)
class _Faces:
    """Samples of every face of both bodies."""

    points: Floats
    """(n, 3) mm, on the true surfaces."""
    face: Ints
    """(n,) running number of the face."""
    area: Floats
    """(faces,) mm²."""
    nodes: list[Floats]
    """Of each face, (n, 3) mesh nodes, mm."""


def _samples(parts: Sequence[Part], random: np.random.Generator) -> _Faces:
    number = sum(len(part.table.surfaces) for part in parts)
    each = max(1, min(FACE_LINES, MOST_FACE_LINES // max(number, 1)))
    points, faces, areas, nodes, first = [], [], [], [], 0
    for part in parts:
        mesh = _mesh(part)
        a, b, c = mesh.points[mesh.triangles].transpose(1, 0, 2)
        size = np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2
        count = len(part.table.surfaces)
        area = np.bincount(mesh.face, size, minlength=count)
        for face in np.flatnonzero(area > 0):
            own = np.flatnonzero(mesh.face == face)
            chosen = random.choice(own, each, p=size[own] / size[own].sum())
            root, s = np.sqrt(random.random(each)), random.random(each)
            weights = np.stack([1 - root, root * (1 - s), root * s], axis=1)
            uv = (mesh.uv[mesh.triangles[chosen]] * weights[:, :, None]).sum(axis=1)
            points.append(part.table.points(np.full(each, face), uv))
            faces.append(np.full(each, first + face))
        areas.append(area)
        nodes += [mesh.points[mesh.node_face == face] for face in range(count)]
        first += count
    return _Faces(np.concatenate(points), np.concatenate(faces), np.concatenate(areas), nodes)


def _skin(faces: _Faces, gaps: Floats, telling: Mask, volume: float) -> tuple[float, Floats]:
    """Return area times gap of all faces, mm³, and the mesh nodes of those that surely moved.

    A face none of whose lines tells anything is taken at what they see all the same.
    """
    total, moved = 0.0, np.zeros(len(faces.area), dtype=bool)
    for face in np.unique(faces.face):
        own = faces.face == face
        known = np.isfinite(gaps[:, own])
        sure = known & telling[:, own]
        seen_by = gaps[:, own][sure if sure.any() else known]
        gap = float(np.quantile(seen_by, SURELY)) if len(seen_by) else 0.0
        total += float(faces.area[face]) * gap
        moved[face] = faces.area[face] * gap > MOVED * volume
    found = [faces.nodes[face] for face in np.flatnonzero(moved)]
    return total, np.concatenate(found) if found else NOWHERE


@dataclass(frozen=True)
class _Pair:
    """What lines are cast through."""

    parts: list[tuple[str, str | None, Part, Rims]]
    """Of each solid: side, the name it goes by where names count, itself and its rims."""
    region: Region

    @classmethod
    def of(cls, start: Body, delivery: Body, region: Region, by_name: bool) -> _Pair:
        """Take both bodies' solids together."""
        parts = [
            (side, part.name if by_name else None, part, rims_of(_mesh(part), part.table))
            for side, body in (("start", start), ("delivery", delivery))
            for part in body.parts
        ]
        return cls(parts, region)


def _mesh(part: Part) -> Facets:
    return part.fine or part.coarse


def _cast(pair: _Pair, frame: Floats, at: list[Floats]) -> _Cast:
    """Cast lines through points of the plane across and tell what changed along each."""
    lines = Lines(np.concatenate(at))
    count = len(lines.at)
    groups: list[Hits] = []
    labels: list[tuple[str, str | None]] = []
    unsure = np.zeros(count, dtype=bool)
    for side, name, part, rims in pair.parts:
        hits = cut(_mesh(part), part.table, frame, np.zeros(3), lines)
        unsure |= near(rims, _mesh(part), frame, lines)
        unsure[hits.line[~hits.settled]] = True
        groups.append(hits)
        labels.append((side, name))
    region = pair.region
    parts: tuple[Block | Rod, ...] = (*region.blocks, *region.rods)
    kept: tuple[Block | Rod, ...] = (*region.kept_blocks, *region.kept_rods)
    for side, items in (("part", parts), ("kept", kept)):
        for item in items:
            entry, leave = _through(item, lines.at, frame)
            groups.append(_as_hits(entry, leave))
            labels.append((side, None))
    return _Cast(*_walked(groups, labels, count), unsure)


def _walked(
    groups: list[Hits], labels: list[tuple[str, str | None]], count: int
) -> tuple[Floats, Floats, Mask]:
    """Walk along every line: what changed outside the region, what was inside, and the odd ones."""
    line = np.concatenate([hits.line for hits in groups])
    at = np.concatenate([hits.at for hits in groups])
    order = np.lexsort((at, line))
    line, at = line[order], at[order]
    owner = np.repeat(np.arange(len(groups)), [len(hits.line) for hits in groups])[order]
    step = np.concatenate([hits.step for hits in groups])[order]
    first = np.searchsorted(line, np.arange(count + 1))
    inside = {label: np.zeros(len(line), dtype=bool) for label in labels}
    odd = np.zeros(count, dtype=bool)
    for number, label in enumerate(labels):
        depth = np.concatenate([[0], np.cumsum(np.where(owner == number, step, 0))])
        odd |= depth[first[1:]] != depth[first[:-1]]
        inside[label] |= depth[1:] - depth[first[line]] >= 1
    gap = np.append(np.diff(at), 0.0)
    if len(line):
        gap[np.append(line[1:] != line[:-1], True)] = 0.0
    none = np.zeros(len(line), dtype=bool)
    changed = none.copy()
    for name in {name for side, name in labels if side in ("start", "delivery")}:
        changed |= inside.get(("start", name), none) ^ inside.get(("delivery", name), none)
    within = inside.get(("part", None), none) & ~inside.get(("kept", None), none)
    before = none.copy()
    for (side, _), where in inside.items():
        if side == "start":
            before |= where
    return (
        np.bincount(line, gap * (changed & ~within), minlength=count).astype(float),
        np.bincount(line, gap * before, minlength=count).astype(float),
        odd,
    )


def _as_hits(entry: Floats, leave: Floats) -> Hits:
    """Return where lines enter and leave a convex body; entry beyond leave: they miss it."""
    through = np.flatnonzero(entry < leave)
    at = np.concatenate([entry[through], leave[through]])
    step = np.repeat([1, -1], len(through))
    none = np.zeros(len(at), dtype=np.int64)
    exact = np.ones(len(at), dtype=bool)
    return Hits(np.concatenate([through, through]), at, at, step, none, exact)


def _through(item: Block | Rod, at: Floats, frame: Floats) -> tuple[Floats, Floats]:
    """Return where lines enter and leave a block or rod, mm along them."""
    origin, way = at @ frame[:2], frame[2]
    if isinstance(item, Rod):
        axis = AXES[item.axis]
        across = [i for i in range(3) if i != axis]
        base = np.array(item.base)
        entry, leave = _slab(origin, way, axis, base[axis], base[axis] + item.length)
        off = origin[:, across] - base[across]
        a = float((way[across] ** 2).sum())
        b = off @ way[across]
        c = (off**2).sum(axis=1) - item.radius**2
        root = np.sqrt(np.maximum(b * b - a * c, 0.0))
        meets = b * b > a * c
        near = np.where(meets, (-b - root) / a, np.inf)
        far = np.where(meets, (-b + root) / a, -np.inf)
        return np.maximum(entry, near), np.minimum(leave, far)
    low, high = np.array(item.low), np.array(item.high)
    slabs = [_slab(origin, way, axis, low[axis], high[axis]) for axis in range(3)]
    return np.max([s[0] for s in slabs], axis=0), np.min([s[1] for s in slabs], axis=0)


def _slab(origin: Floats, way: Floats, axis: int, low: float, high: float) -> tuple[Floats, Floats]:
    ends = [(value - origin[:, axis]) / way[axis] for value in (low, high)]
    return np.minimum(*ends), np.maximum(*ends)


def _corners(a: Body, b: Body) -> Floats:
    """Return the corners of both boxes."""
    pick = np.array([[i & 1, i >> 1 & 1, i >> 2 & 1] for i in range(8)])
    boxes = [(np.array(body.bounds.min), np.array(body.bounds.max)) for body in (a, b)]
    return np.concatenate([low + pick * (high - low) for low, high in boxes])
