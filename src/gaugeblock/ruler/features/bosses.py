"""Round bosses: a full outer cylinder that stands on a face wider than itself."""

from __future__ import annotations

import math

from gaugeblock.records.features import Boss
from gaugeblock.ruler.features.coaxial import AxisGroup, End, Piece
from gaugeblock.ruler.features.graph import Region
from gaugeblock.ruler.features.limits import reaches, within
from gaugeblock.ruler.features.sheet import Sheet, triple

WALL = math.pi * 1.02
"""Least turn of a boss's wall in rad: half a turn and rounding. With less it is the rounded end of
something longer."""

HUB = 1.5
"""Least diameter of a coaxial shoulder, as a multiple of the boss's, for it to be a flange. Shaft
shoulders stay below; with a smaller one the cylinder is a step of a shaft."""

FLAT = 0.5
"""Largest thickness of such a flange as a part of its diameter; what is longer is a shaft."""

SLENDER = 1.0
"""Largest height of a boss on such a flange as a part of the flange's diameter; what is longer is a
shaft with a collar."""


def find_round_bosses(sheet: Sheet) -> None:
    """Add the round bosses of a solid to its sheet."""
    for group in sheet.groups:
        for piece in group.pieces:
            if (
                piece.kind == "cylinder"
                and piece.side > 0
                and piece.coverage >= WALL
                and sheet.free(piece)
                and group.broken(piece, "convex", "concave")
            ):
                _look(sheet, group, piece)


def _look(sheet: Sheet, group: AxisGroup, wall: Piece) -> None:
    feet = [(end, base) for end in (-1, 1) if (base := _base(group, wall, end)) is not None]
    if len(feet) != 1:
        return
    foot, (bases, level) = feet[0]
    top_end: End = -1 if foot == 1 else 1
    top = _top(group, wall, top_end)
    if top is None:
        return
    height = abs(top - level)
    if not _is_wide(group, wall, bases[0], height):
        return
    findings = ["threaded"] if wall.threaded else []
    if wall.coverage < 2 * math.pi * 0.999:
        findings.append(f"the wall covers {math.degrees(wall.coverage):.4g} of 360°")
    sheet.add(
        Boss(
            id="",
            solid=sheet.graph.index,
            faces=sheet.graph.faces_of(wall.regions),
            position=triple(group.place(level)),
            findings=findings,
            shape="round",
            axis=triple(top_end * group.axis),
            height=height,
            diameter=2 * wall.radius,
            base_faces=sheet.graph.faces_of(bases),
        ),
        wall.regions,
    )


def _base(group: AxisGroup, wall: Piece, end: End) -> tuple[list[int], float] | None:
    """Return the faces that a wall stands on and where the axis pierces them, or None."""
    graph, at, leave = group.graph, wall, end
    seen = {id(wall)}
    for _ in range(3):
        following = group.follower(at, leave)
        if following is None:
            break
        after, arrived, bend = following
        if bend == "convex" or id(after) in seen:
            return None
        if after.kind == "plane":
            faces_up = after.side == (1 if end == -1 else -1)
            outward = arrived == -1
            level = 0.5 * (after.z[0] + after.z[1])
            return (after.regions, level) if faces_up and outward else None
        if after.kind not in ("torus", "cone") or after.rho[1] <= wall.radius + graph.tolerance:
            return None
        seen.add(id(after))
        at, leave = after, (-1 if arrived == 1 else 1)
    return _curved_base(group, at, leave, wall)


def _curved_base(
    group: AxisGroup, at: Piece, leave: End, wall: Piece
) -> tuple[list[int], float] | None:
    """Return the base where it is no plane across the axis, such as a pipe."""
    graph, found = group.graph, group.across_end(at, leave)
    inner = [region for region, bend, _ in found if bend == "concave"]
    turn = sum(turn for _, bend, turn in found if bend == "concave")
    if not inner or turn < 0.5 * wall.coverage:
        return None
    rim = wall.z[1 if leave == 1 else 0]
    for region in inner:
        level = graph.regions[region].form.pierced(group.origin, group.axis, rim)
        if level is not None:
            return list(dict.fromkeys(inner)), level
    return None


def _top(group: AxisGroup, wall: Piece, end: End) -> float | None:
    """Return the height of a boss's top face, its edge treatment taken off."""
    at, leave = wall, end
    for _ in range(3):
        following = group.follower(at, leave)
        if following is None:
            break
        after, arrived, bend = following
        if bend == "concave":
            return None
        if after.kind == "plane":
            return 0.5 * (after.z[0] + after.z[1])
        at, leave = after, (-1 if arrived == 1 else 1)
        if not after.ends[leave]:
            return _tip(group, after, end)
    graph, rim = group.graph, at.z[1 if end == 1 else 0]
    for region, bend, _ in group.across_end(at, leave):
        if bend == "concave":
            return None
        level = graph.regions[region].form.pierced(group.origin, group.axis, rim)
        if level is not None:
            return level
    return rim


def _runs_through(group: AxisGroup, flange: Piece, wall: Piece) -> bool:
    """Whether a narrower cylinder stands on the flange's other side too: a shaft with a collar."""
    slack = group.graph.tolerance

    def behind(one: Piece, other: Piece) -> bool:
        return one.z[0] >= flange.z[1] - slack and other.z[1] <= flange.z[0] + slack

    for piece in group.pieces:
        if piece.kind != "cylinder" or piece.side < 0 or piece is wall or piece is flange:
            continue
        narrower = piece.rho[1] < flange.rho[1] - slack
        if narrower and (behind(piece, wall) or behind(wall, piece)):
            return True
    return False


def _tip(group: AxisGroup, piece: Piece, end: End) -> float:
    """Return where a piece that closes on the axis meets it."""
    form = group.graph.regions[piece.regions[0]].form
    centre = float(group.z(form.origin[None])[0])
    if piece.kind == "sphere":
        return centre + end * form.radius
    return centre if piece.kind == "cone" else piece.z[1 if end == 1 else 0]


def _is_wide(group: AxisGroup, wall: Piece, base: int, height: float) -> bool:
    """Whether the base is more than a step of the same shaft."""
    plane = group.piece_of.get(base)
    region: Region = group.graph.regions[base]
    if plane is None or plane.kind != "plane" or region.kind != "plane":
        return True
    around = group.follower(plane, 1)
    if around is None or around[2] == "concave" or around[0].side < 0:
        return True
    flange = around[0]
    if flange.kind in ("cone", "torus"):
        leave: End = -1 if around[1] == 1 else 1
        beyond = group.follower(flange, leave)
        if beyond is not None and beyond[0].kind == "cylinder":
            flange = beyond[0]
    if _runs_through(group, flange, wall):
        return False
    width = 2 * flange.rho[1]
    thick = flange.z[1] - flange.z[0]
    return (
        reaches(width, HUB * 2 * wall.radius)
        and within(thick, FLAT * width)
        and within(height, SLENDER * width)
    )
