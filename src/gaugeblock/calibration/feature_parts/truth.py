"""Features written down by who made the part: the records a perfect recogniser would give.

Places are given as a drawing would: a hole by its entry, a pocket by the middle of its opening, a
rounded or bevelled edge by the middle of the sharp edge it replaces. What the records call the
position of each kind is worked out here and nowhere else.
"""

from __future__ import annotations

import math
from typing import Any, Literal

from gaugeblock.calibration.feature_parts.part import DOWN, Point, Z
from gaugeblock.records.features import (
    Boss,
    Chamfer,
    Counterbore,
    Countersink,
    Fillet,
    Groove,
    Hole,
    Recess,
    Thread,
)

Pair = tuple[float, float]


def hole(
    at: Point,
    diameter: float,
    depth: float,
    *,
    axis: Point = DOWN,
    through: bool = True,
    bottom: Literal["flat", "conical", "spherical"] = "flat",
    tip: float | None = None,
    bore: Pair | None = None,
    sink: Pair | None = None,
    far_bore: Pair | None = None,
    far_sink: Pair | None = None,
    inner: tuple[Pair, ...] = (),
) -> Hole:
    """Return a hole.

    Args:
        at: Where its axis enters.
        diameter: Of the bore.
        depth: Of the whole.
        axis: Into the material.
        through: Whether it opens at both ends.
        bottom: How a blind one ends.
        tip: Full angle of a conical bottom.
        bore: Diameter and depth of a counterbore at the entry.
        sink: Diameter and full angle of a countersink at the entry.
        far_bore: As `bore`, at the other end.
        far_sink: As `sink`, at the other end.
        inner: Diameter and length of further steps between the counterbore and the bore.
    """
    steps = [*([bore] if bore else []), *inner]
    after = [far_bore] if far_bore else []
    used = math.fsum(length for _, length in (*steps, *after))
    return Hole(
        **_named(at),
        through=through,
        axis=axis,
        diameter=diameter,
        depth=depth,
        bottom="open" if through else bottom,
        tip_angle=tip,
        counterbore=_bore(bore),
        countersink=_sink(sink, diameter),
        far_counterbore=_bore(far_bore),
        far_countersink=_sink(far_sink, diameter),
        steps=[*steps, (diameter, depth - used), *after],
        entry_faces=[],
    )


def _bore(pair: Pair | None) -> Counterbore | None:
    return None if pair is None else Counterbore(diameter=pair[0], depth=pair[1])


def _sink(pair: Pair | None, diameter: float) -> Countersink | None:
    if pair is None:
        return None
    wide, angle = pair
    depth = (wide - diameter) / 2 / math.tan(math.radians(angle / 2))
    return Countersink(diameter=wide, angle=angle, depth=depth)


def boss(
    at: Point, height: float, *, diameter: float | None = None, size: Pair | None = None,
    axis: Point = Z,
) -> Boss:  # fmt: skip
    """Return a boss that stands on `at`: round, or of `size` (length, width)."""
    length, width = size or (None, None)
    return Boss(
        **_named(at),
        shape="round" if size is None else "prismatic",
        axis=axis,
        height=height,
        diameter=diameter,
        length=length,
        width=width,
        base_faces=[],
    )


def recess(
    kind: Literal["slot", "keyway", "pocket", "breakthrough"],
    at: Point,
    length: float,
    width: float,
    depth: float,
    *,
    lengthwise: Point,
    axis: Point = DOWN,
    ends: Literal["round", "square", "open", "mixed"] | None = None,
    corner: float | None = None,
    through: bool = False,
) -> Recess:
    """Return a recess whose opening has its middle in `at`.

    Args:
        kind: What it is called.
        at: The middle of its opening.
        length: Of the outline.
        width: Across it.
        depth: Along the axis; of the wall for one that goes through.
        lengthwise: Direction of the length.
        axis: Into the material.
        ends: Of a slot or keyway.
        corner: Radius of upright corners.
        through: Whether it has no floor.
    """
    return Recess(
        **_named(at),
        kind=kind,
        axis=axis,
        length=length,
        width=width,
        depth=depth,
        direction=lengthwise,
        ends=ends,
        corner_radius=corner,
        through=through,
    )


def groove(
    at: Point,
    diameter: float,
    width: float,
    depth: float,
    *,
    axis: Point,
    where: Literal["external", "internal", "face"] = "external",
) -> Groove:
    """Return a groove; `at` is where its middle plane meets the axis (of a face groove: the
    face's).
    """
    place = at if where != "face" else _along(at, axis, depth)
    return Groove(
        **_named(place), where=where, axis=axis, diameter=diameter, width=width, depth=depth
    )


def chamfer(
    edge: Point,
    into: tuple[Point, Point],
    legs: Pair,
    length: float,
    *,
    along: Point,
    side: Literal["convex", "concave"] = "convex",
) -> Chamfer:
    """Return a bevel along a straight edge between two faces at right angles.

    Args:
        edge: Middle of the sharp edge.
        into: Unit vectors in both faces, away from the edge.
        legs: Set-back along them.
        length: Of the edge.
        along: Direction of the edge.
        side: Of the edge.
    """
    at = _along(_along(edge, into[0], legs[0] / 2), into[1], legs[1] / 2)
    small, large = sorted(legs)
    return Chamfer(
        **_named(at),
        form="straight",
        side=side,
        legs=(small, large),
        angle=math.degrees(math.atan2(small, large)),
        axis=along,
        length=length,
    )


def round_chamfer(
    centre: Point, diameter: float, leg: float, *, axis: Point,
    side: Literal["convex", "concave"] = "convex", inner: bool = False,
) -> Chamfer:  # fmt: skip
    """Return a 45° bevel about a round edge.

    Args:
        centre: Of the sharp edge.
        diameter: Of the sharp edge.
        leg: Set-back on both faces.
        axis: From the end face into the body.
        side: Of the edge.
        inner: Whether it is the mouth of a hole, which the bevel makes wider.
    """
    return Chamfer(
        **_named(_along(centre, axis, leg / 2)),
        form="round",
        side=side,
        legs=(leg, leg),
        angle=45.0,
        axis=axis,
        diameter=diameter + 2 * leg if inner else diameter,
        length=math.pi * diameter,
    )


def fillet(
    edge: Point,
    into: tuple[Point, Point],
    radius: float,
    length: float,
    *,
    along: Point,
    side: Literal["convex", "concave"] = "convex",
) -> Fillet:
    """Return a straight fillet of an edge between two faces at right angles; as `chamfer`."""
    back = radius * (1 - math.sqrt(0.5))
    at = _along(_along(edge, into[0], back), into[1], back)
    return Fillet(
        **_named(at), side=side, radius=radius, form="straight", axis=along, length=length
    )


def round_fillet(
    centre: Point,
    into: Point,
    ring: float,
    radius: float,
    *,
    side: Literal["convex", "concave"],
) -> Fillet:
    """Return a fillet about a whole round edge.

    Args:
        centre: Of the sharp edge.
        into: Along the axis, to the side of the edge on which the fillet lies.
        ring: Diameter of the circle that the centres of its section lie on.
        radius: Of the section.
        side: Of the edge.
    """
    return Fillet(
        **_named(_along(centre, into, radius * (1 - math.sqrt(0.5)))),
        side=side,
        radius=radius,
        form="round",
        axis=into,
        diameter=ring,
        length=math.pi * ring,
    )


def ring_fillet(
    centre: Point,
    across: Point,
    into: Point,
    ring: float,
    radius: float,
    *,
    side: Literal["convex", "concave"],
) -> Fillet:
    """Return a fillet about a quarter of a round edge, between two straight ones.

    Args:
        centre: Of the sharp edge's arc.
        across: Unit vector from there to the arc's middle.
        into: Along the axis, to the side of the edge on which the fillet lies.
        ring: Diameter of the circle that the centres of its section lie on.
        radius: Of the section.
        side: Of the edge.
    """
    level = _along(centre, into, radius * (1 - math.sqrt(0.5)))
    return Fillet(
        **_named(_along(level, across, ring / 2 + radius * math.sqrt(0.5))),
        side=side,
        radius=radius,
        form="round",
        axis=into,
        diameter=ring,
        length=math.pi * ring / 4,
    )


def corner(at: Point, into: tuple[Point, Point, Point], radius: float) -> Fillet:
    """Return the ball in a corner of three rounded edges; `at` is the sharp corner."""
    place = at
    for direction in into:
        place = _along(place, direction, radius * (1 - 1 / math.sqrt(3)))
    return Fillet(**_named(place), side="convex", radius=radius, form="corner", length=0.0)


def thread(
    middle: Point,
    designation: str,
    major: float,
    pitch: float,
    length: float,
    *,
    axis: Point,
    internal: bool = False,
    left: bool = False,
) -> Thread:
    """Return a thread of ISO 261 and of the basic profile (ISO 68-1), its middle in `middle`."""
    tooth = pitch * math.sqrt(3) / 2
    return Thread(
        **_named(middle),
        internal=internal,
        axis=axis,
        designation=designation,
        standard="ISO 261",
        pitch=pitch,
        lead=pitch,
        starts=1,
        hand="left" if left else "right",
        major=major,
        minor=major - 5 / 4 * tooth,
        pitch_diameter=major - 3 / 4 * tooth,
        flank_angle=60.0,
        length=length,
        through=True if internal else None,
    )


def _along(at: Point, direction: Point, length: float) -> Point:
    x, y, z = (a + length * d for a, d in zip(at, direction, strict=True))
    return x, y, z


def _named(position: Point) -> dict[str, Any]:
    return {"id": "truth", "solid": 0, "faces": [], "position": position}
