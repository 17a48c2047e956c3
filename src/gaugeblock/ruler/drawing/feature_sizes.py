"""Sizes of recesses, grooves and bosses."""

from __future__ import annotations

from typing import Any

import numpy as np

from gaugeblock.records.features import Boss, Groove, Recess
from gaugeblock.ruler.drawing.callouts import counted
from gaugeblock.ruler.drawing.leaning import (
    drafted,
    drafts,
    necks,
    opening,
    polygon,
    skirted,
    slot_ends,
)
from gaugeblock.ruler.drawing.lettering import number
from gaugeblock.ruler.drawing.sizing import POSITION, SIZE, Sizing, engraved
from gaugeblock.ruler.drawing.subject import aligned, barrels
from gaugeblock.ruler.drawing.told import floor_levels
from gaugeblock.ruler.drawing.wishes import Note, Size, Spot


def recesses(sizing: Sizing) -> None:
    """Ask for sizes and places of slots, keyways, pockets and breakthroughs, alike ones once."""
    subject = sizing.subject
    groups: dict[tuple[object, ...], list[Recess]] = {}
    for recess in subject.features:
        if not isinstance(recess, Recess):
            continue
        if engraved(subject, recess):
            sizing.out.told.append(f"{recess.id} is an engraving: not dimensioned")
            continue
        axis = subject.axis(recess)
        if axis is None:
            sizing.out.told.append(f"{recess.id} is oblique: not dimensioned")
            continue
        reach = [[f.reach(way) for f in subject.own(recess)] for way in np.eye(3)]
        extent = tuple(
            round(max(h for _, h in r) - min(low for low, _ in r), 3) if r else 0.0 for r in reach
        )
        depth = None if recess.through else round(recess.depth, 3)
        # Neighbours that share a long wall are as long as it, so its own sizes tell as well.
        own = (_rounded(recess.length), _rounded(recess.width))
        groups.setdefault((recess.kind, axis, extent, own, depth), []).append(recess)
    for group in groups.values():
        for recess in group:
            _recess(sizing, recess, group)


def _rounded(size: float | None) -> float | None:
    return None if size is None else round(size, 3)


def _recess(sizing: Sizing, recess: Recess, group: list[Recess]) -> None:
    """Ask for what one recess needs.

    Args:
        sizing: The part.
        recess: The recess.
        group: All alike: the sizes of the first stand for the others, if they are printed.
    """
    count = len(group) if recess is group[0] else 0
    subject = sizing.subject
    axis = subject.axis(recess)
    assert axis is not None

    def ask(k: int, a: float, b: float, **more: Any) -> None:
        if count:
            sizing.tie(k, a, b, text=counted(count, number(abs(b - a))), rank=SIZE, **more)
        elif not sizing.tie_as(group[0].id, k, a, b):
            sizing.tie(k, a, b, rank=SIZE, **more)

    own = subject.own(recess)
    k, sign = axis
    rounds = [b for b in barrels(own, 10 * subject.close) if b.axis == k]
    ends = [
        b
        for b in rounds
        if recess.width is not None and abs(2 * b.radius - recess.width) < 1e-3 * recess.width
    ]
    names = tuple(one.id for one in group) if count else (recess.id,)
    many_sided = polygon(sizing, recess, count, tuple(one.id for one in group))
    upright = False
    for d in (n for n in range(3) if n != k and not many_sided):
        walls = sorted(
            {
                sizing.levels.exact(d, float(f.point[d]))
                for f in own
                if f.kind == "Plane" and (a := aligned(f.axis)) is not None and a[0] == d
            }
            | set(opening(sizing, recess, d))
        )
        upright |= len(walls) >= 2
        if len(walls) >= 2:
            # A keyway's width shows in the cut across the shaft.
            best = 0 if subject.turned is not None and k != 0 else k
            ask(d, walls[0], walls[-1], features=names, best=best)
            for pair in necks(walls, recess.width, sizing.close):
                ask(d, *pair, features=names, best=best)
        if ends and len(walls) >= 2:
            sizing.levels.tie(d, float(ends[0].centre[d]), walls[0])
        elif len(ends) >= 2:
            middles = sorted(ends, key=lambda b: float(b.centre[d]))
            first, last = middles[0].centre, middles[-1].centre
            ask(
                d,
                float(first[d]),
                float(last[d]),
                features=names,
                at=((first,), (last,)),
                best=k,
            )
            if subject.turned is not None and d != 0:
                continue
            sizing.tie(
                d,
                sizing.low(d),
                float(first[d]),
                rank=SIZE,
                features=names,
                at=((), (first,)),
                best=k,
            )
        elif len(ends) == 1:
            sizing.tie(
                d,
                sizing.low(d),
                float(ends[0].centre[d]),
                rank=SIZE,
                features=names,
                at=((), (ends[0].centre,)),
                best=k,
            )
    if ends and not upright:
        skirted(sizing, recess, ends)
        if count:
            slot_ends(sizing, ends, count, names)
    if count:
        drafts(sizing, recess, names)
    else:
        sizing.handled |= {(f.solid, f.number) for f, _, _ in drafted(subject, recess)}
    floors = floor_levels(subject, recess)
    if floors and not recess.through:
        floor = max(floors) if sign > 0 else min(floors)
        if subject.turned is not None and k != 0:
            # A calliper measures to the round wall on the other side: what is left of a shaft
            # under a keyway, or a bore and its keyway together.
            middle = float(subject.turned[k])
            inner = (floor - middle) * sign > 0
            radius = abs(floor - middle) + (-recess.depth if inner else recess.depth)
            wall = middle + (-sign if inner else sign) * radius
            sizing.tie(k, floor, wall, rank=SIZE, features=names)
            sizing.levels.tie(k, middle, wall)
        else:
            rims = [f.centre for f in own if f.kind == "Plane" and abs(f.axis[k]) < 1e-6]
            text = counted(count, f"↧ {number(recess.depth)}")
            spots = tuple(Spot(rim, 0.0, k, -sign) for rim in rims)
            size = (Size("length", recess.depth),)
            note = Note(text, spots, names, sizes=size) if rims else None
            ask(k, floor - sign * recess.depth, floor, features=names, otherwise=note)
    corners = [
        b
        for b in rounds
        if recess.corner_radius is not None
        and abs(b.radius - recess.corner_radius) < 1e-3 * recess.corner_radius
        and b not in ends
    ]
    if corners and count:
        text = counted(len(corners) * count, f"R{number(corners[0].radius)}")
        spots = tuple(Spot(b.centre, b.radius, b.axis, convex=False) for b in corners)
        sizes = (Size("radius", corners[0].radius),)
        sizing.out.notes.append(Note(text, spots, names, rank=SIZE, sizes=sizes))


def grooves(sizing: Sizing) -> None:
    """Ask for widths and floors of grooves."""
    for groove in sizing.subject.features:
        if not isinstance(groove, Groove):
            continue
        axis = sizing.subject.axis(groove)
        if axis is None:
            sizing.out.told.append(f"{groove.id} is oblique: not dimensioned")
            continue
        k = axis[0]
        own = sizing.subject.own(groove)
        walls = sorted(
            float(f.point[k]) for f in own if f.kind == "Plane" and aligned(f.axis) is not None
        )
        if groove.where != "face" and len(walls) >= 2:
            sizing.tie(
                k,
                walls[0],
                walls[-1],
                rank=SIZE,
                features=(groove.id,),
                best=2 if k != 2 else 1,
            )
        if sizing.subject.turned is None or not sizing.subject.coaxial(
            sizing.subject.place(groove)
        ):
            if groove.where == "face":
                sizing.out.told.append(f"{groove.id} in a face: only partly dimensioned")
            else:
                spots = (Spot(sizing.subject.place(groove), 0.5 * groove.diameter, k),)
                text = f"⌀{number(groove.diameter)}"
                sizes = (Size("diameter", groove.diameter),)
                sizing.out.notes.append(Note(text, spots, (groove.id,), rank=SIZE, sizes=sizes))


def bosses(sizing: Sizing) -> None:
    """Ask for sizes and places of bosses; a round one's diameter is a cylinder's."""
    for boss in sizing.subject.features:
        if not isinstance(boss, Boss):
            continue
        axis = sizing.subject.axis(boss)
        if axis is None:
            sizing.out.told.append(f"{boss.id} is oblique: not dimensioned")
            continue
        k = axis[0]
        place = sizing.subject.place(boss)
        many_sided = polygon(sizing, boss, 1, (boss.id,))
        for d in (n for n in range(3) if n != k and not many_sided):
            if boss.shape == "round":
                if not sizing.subject.coaxial(place):
                    sizing.tie(
                        d,
                        sizing.low(d),
                        float(place[d]),
                        rank=POSITION,
                        features=(boss.id,),
                        at=((), (place,)),
                        best=k,
                    )
                continue
            walls = sorted(
                float(f.point[d])
                for f in sizing.subject.own(boss)
                if f.kind == "Plane" and (a := aligned(f.axis)) is not None and a[0] == d
            )
            if len(walls) >= 2:
                sizing.tie(d, walls[0], walls[-1], rank=SIZE, features=(boss.id,), best=k)


# What is left
