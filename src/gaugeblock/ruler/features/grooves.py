"""Grooves: rings cut around a shaft, into a bore or into a face.

A groove's floor is a step of the turned profile with a wall rising towards the air on both sides:
a cylinder between two shoulders, a plane ring between two cylinders, a half-round, or two cones
that meet.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from gaugeblock.records.features import Groove
from gaugeblock.ruler.features.coaxial import WHOLE, AxisGroup, End, Piece
from gaugeblock.ruler.features.limits import within
from gaugeblock.ruler.features.sheet import Sheet, triple

LONGEST = 1.0
"""Largest width of a groove in or around a cylinder as a part of its floor's diameter; what is
longer is a neck of the shaft or a chamber of the bore."""

CORE = 0.5
"""Largest width of a face groove as a part of its inner wall's diameter; a wider ring is a round
pocket with a core in it."""

COVERED = math.pi * 1.02
"""Least turn of a groove's floor in rad: half a turn and rounding. A shorter one is a notch."""


@dataclass
class _Wall:
    """One side of a groove."""

    reach: float | None
    """Distance from the axis (height, for a face groove) where it ends at the shoulder; None: it
    runs on, as the face of a wide flange does."""
    foot: float
    """Where it meets the floor when edge treatments are taken off: a height; a radius for a face
    groove."""
    pieces: list[Piece]


def find_grooves(sheet: Sheet) -> None:
    """Add the grooves of a solid to its sheet."""
    for group in sheet.groups:
        for piece in group.pieces:
            if piece.coverage < COVERED or sheet.claimed(piece.regions):
                continue
            if piece.kind == "cylinder" and not group.broken(piece):
                continue
            if piece.kind == "cylinder":
                _around(sheet, group, piece)
            elif piece.kind == "plane":
                _in_face(sheet, group, piece)
            elif piece.kind == "torus" and piece.side < 0:
                _half_round(sheet, group, piece)
            elif piece.kind == "cone":
                _pointed(sheet, group, piece)


def _around(sheet: Sheet, group: AxisGroup, floor: Piece) -> None:
    """Add the groove with a cylindrical floor, on a shaft or in a bore."""
    walls = [_wall(group, floor, end) for end in (-1, 1)]
    if None in walls:
        return
    low, high = walls
    assert low is not None and high is not None
    depths = [
        (wall.reach - floor.radius) * floor.side
        for wall in walls
        if wall and wall.reach is not None
    ]
    if not depths or min(depths) <= group.graph.tolerance:
        return
    width = high.foot - low.foot
    if not within(width, LONGEST * 2 * floor.radius):
        word = "neck" if floor.side > 0 else "chamber"
        sheet.remark(word, floor.regions, f"a {word} {width:.6g} mm long, too long for a groove")
        return
    where: Literal["external", "internal"] = "external" if floor.side > 0 else "internal"
    middle = 0.5 * (low.foot + high.foot)
    _add(sheet, group, [floor], [low, high], where, 2 * floor.radius, width, min(depths), middle)


def _wall(group: AxisGroup, floor: Piece, end: End) -> _Wall | None:
    """Return the wall at a cylindrical floor's end, or None where none rises there."""
    side = floor.side
    pieces: list[Piece] = []
    at, leave = floor, end
    foot = floor.z[1 if end == 1 else 0]
    while True:
        following = group.follower(at, leave)
        if following is None:
            return None
        after, arrived, bend = following
        leave_after: End = -1 if arrived == 1 else 1
        rises = _rises(after, arrived, side)
        if not pieces:
            if bend not in ("concave", "smooth") or not rises:
                return None
        elif bend == "convex" or not rises:
            # Over the shoulder: what follows is the shaft or bore, or the treatment of its edge.
            if after.kind == "cylinder":
                return _Wall(after.radius, foot, pieces) if after.side == side else None
            beyond = group.follower(after, leave_after)
            if after.kind in ("cone", "torus") and beyond and beyond[0].kind == "cylinder":
                return _Wall(beyond[0].radius, foot, pieces)
            reach = pieces[-1].rho[1 if side > 0 else 0]
            return _Wall(reach, foot, pieces)
        if after.kind == "plane":
            foot = 0.5 * (after.z[0] + after.z[1])
        elif after.kind == "cylinder":
            return None
        pieces.append(after)
        if not after.ends[leave_after]:
            return _Wall(None, foot, pieces) if after.kind == "plane" else None
        at, leave = after, leave_after


def _rises(piece: Piece, arrived: End, side: int) -> bool:
    """Whether a piece leads away from a floor's level, outwards on a shaft, inwards in a bore."""
    if piece.kind == "plane":
        return arrived == (-1 if side > 0 else 1)
    if piece.kind == "cone":
        return arrived == (-1 if side > 0 else 1)
    if piece.kind == "torus":
        return piece.side < 0
    return False


def _in_face(sheet: Sheet, group: AxisGroup, floor: Piece) -> None:
    """Add the groove with a plane ring as floor."""
    inner, outer = _ring_wall(group, floor, -1), _ring_wall(group, floor, 1)
    if inner is None or outer is None:
        return
    level = 0.5 * (floor.z[0] + floor.z[1])
    width = outer.foot - inner.foot
    if not within(width, CORE * 2 * inner.foot):
        return
    reaches = [wall.reach for wall in (inner, outer) if wall.reach is not None]
    depth = min((reach - level) * floor.side for reach in reaches)
    if depth <= group.graph.tolerance:
        return
    middle = inner.foot + outer.foot
    _add(sheet, group, [floor], [inner, outer], "face", middle, width, depth, level)


def _ring_wall(group: AxisGroup, floor: Piece, end: End) -> _Wall | None:
    """Return the cylindrical wall at one edge of a plane ring: inner (−1) or outer (1)."""
    pieces: list[Piece] = []
    at, leave = floor, end
    for _ in range(3):
        following = group.follower(at, leave)
        if following is None:
            return None
        after, arrived, bend = following
        if bend == "convex":
            return None
        pieces.append(after)
        leave = -1 if arrived == 1 else 1
        if after.kind == "cylinder":
            stands = after.side == (1 if end == -1 else -1) and leave == floor.side
            reach = _shoulder(group, after, leave)
            return _Wall(reach, after.radius, pieces) if stands else None
        if after.kind not in ("torus", "cone"):
            return None
        at = after
    return None


def _shoulder(group: AxisGroup, wall: Piece, end: End) -> float:
    """Return the height of the face over a wall's end, its edge treatment taken off."""
    at, leave = wall, end
    for _ in range(2):
        following = group.follower(at, leave)
        if following is None:
            break
        after, arrived, _ = following
        if after.kind == "plane":
            return 0.5 * (after.z[0] + after.z[1])
        if after.kind not in ("cone", "torus"):
            break
        at, leave = after, (-1 if arrived == 1 else 1)
    return wall.z[1 if end == 1 else 0]


def _half_round(sheet: Sheet, group: AxisGroup, floor: Piece) -> None:
    """Add the groove whose floor and walls are one piece of a torus."""
    across = [group.follower(floor, end) for end in (-1, 1)]
    if any(item is None or item[2] != "convex" for item in across):
        return
    (low, _, _), (high, _, _) = [item for item in across if item is not None]
    form = group.graph.regions[floor.regions[0]].form
    centre = float(group.z(form.origin[None])[0])
    where: Literal["external", "internal", "face"]
    if low.kind == high.kind == "cylinder" and low.side == high.side:
        side = low.side
        where = "external" if side > 0 else "internal"
        bottom = form.major - side * form.radius
        depth = min((low.radius - bottom) * side, (high.radius - bottom) * side)
        width, diameter = floor.z[1] - floor.z[0], 2 * bottom
    elif low.kind == high.kind == "plane" and low.side == high.side:
        where = "face"
        bottom = centre - low.side * form.radius
        depth = min((0.5 * (p.z[0] + p.z[1]) - bottom) * low.side for p in (low, high))
        width, diameter = floor.rho[1] - floor.rho[0], 2 * form.major
    else:
        return
    if depth > group.graph.tolerance:
        note = ["round floor: the width is that of its opening"]
        _add(sheet, group, [floor], [], where, diameter, width, depth, centre, note)


def _pointed(sheet: Sheet, group: AxisGroup, one: Piece) -> None:
    """Add the groove of two cones that meet in a ring, on a shaft or in a bore."""
    inward: End = -1 if one.side > 0 else 1
    following = group.follower(one, inward)
    if following is None:
        return
    two, arrived, bend = following
    same = two.kind == "cone" and two.side == one.side and arrived == inward
    if not same or bend != "concave" or one.z[0] > two.z[0]:
        return
    side, rim = one.side, (1 if one.side > 0 else 0)
    out: End = 1 if inward == -1 else -1
    over = [group.follower(piece, out) for piece in (one, two)]
    if any(item is None or item[2] != "convex" for item in over):
        return
    bottom = one.rho[0] if side > 0 else one.rho[1]
    depth = min((piece.rho[rim] - bottom) * side for piece in (one, two))
    width = max(one.z[1], two.z[1]) - min(one.z[0], two.z[0])
    where: Literal["external", "internal"] = "external" if side > 0 else "internal"
    note = ["pointed floor: the width is that of its opening"]
    level = min(one.z[1], two.z[1])
    _add(sheet, group, [one, two], [], where, 2 * bottom, width, depth, level, note)


def _add(
    sheet: Sheet,
    group: AxisGroup,
    floor: list[Piece],
    walls: list[_Wall],
    where: Literal["external", "internal", "face"],
    diameter: float,
    width: float,
    depth: float,
    level: float,
    findings: list[str] | None = None,
) -> None:
    notes = list(findings or [])
    covered = min(piece.coverage for piece in floor)
    if covered < WHOLE:
        notes.append(f"the floor covers {math.degrees(covered):.4g} of 360°")
    own = {number for piece in floor for number in piece.regions}
    for wall in walls:
        # A wall that runs on beyond the groove is not its own.
        own |= {
            n for p in wall.pieces if wall.reach is not None or p.kind != "plane" for n in p.regions
        }
    sheet.add(
        Groove(
            id="",
            solid=sheet.graph.index,
            faces=sheet.graph.faces_of(own),
            position=triple(group.place(level)),
            findings=notes,
            where=where,
            axis=triple(group.axis),
            diameter=diameter,
            width=width,
            depth=depth,
        ),
        own,
    )
