"""Parts with holes: every form of entry and end, on flat, slanted and round faces."""

from __future__ import annotations

import math

from build123d import CenterArc, Face, Plane, Polyline, Rectangle, Wire, extrude, make_face

from gaugeblock.calibration.feature_parts.part import (
    DOWN,
    FeaturePart,
    askew,
    ball,
    block,
    brick,
    cone,
    drill,
    rod,
)
from gaugeblock.calibration.feature_parts.truth import hole, recess

UP = (0.0, 0.0, 1.0)


def through() -> FeaturePart:
    """A plain hole through a plate."""
    body = block(60, 40, 10) - drill((20, 15, 10), DOWN, 8, 20)
    return FeaturePart("through hole", body, (hole((20, 15, 10), 8, 10),))


def blind_flat() -> FeaturePart:
    """A hole with a flat end."""
    body = block(60, 40, 10) - drill((20, 15, 10), DOWN, 8, 6)
    return FeaturePart("blind hole, flat", body, (hole((20, 15, 10), 8, 6, through=False),))


def blind_drilled() -> FeaturePart:
    """A drilled hole: the tip of a twist drill, 118°."""
    tip = 3 / math.tan(math.radians(59))
    body = block(60, 40, 15) - drill((20, 15, 15), DOWN, 6, 7) - cone((20, 15, 8), DOWN, 6, 0, tip)
    truth = hole((20, 15, 15), 6, 7, through=False, bottom="conical", tip=118)
    return FeaturePart("blind hole, drilled", body, (truth,))


def blind_ball() -> FeaturePart:
    """A hole with the round end of a ball cutter."""
    body = block(60, 40, 15) - drill((20, 15, 15), DOWN, 6, 5) - ball((20, 15, 10), 6)
    truth = hole((20, 15, 15), 6, 5, through=False, bottom="spherical")
    return FeaturePart("blind hole, ball end", body, (truth,))


def counterbored() -> FeaturePart:
    """For a socket head screw M6."""
    body = (
        block(60, 40, 15) - drill((20, 15, 15), DOWN, 6.6, 20) - drill((20, 15, 15), DOWN, 11, 6.5)
    )
    truth = hole((20, 15, 15), 6.6, 15, bore=(11, 6.5))
    return FeaturePart("counterbored hole", body, (truth,))


def counterbored_blind() -> FeaturePart:
    """A counterbore over a blind hole."""
    body = block(60, 40, 20) - drill((20, 15, 20), DOWN, 6, 15) - drill((20, 15, 20), DOWN, 10, 5)
    truth = hole((20, 15, 20), 6, 15, through=False, bore=(10, 5))
    return FeaturePart("counterbored blind hole", body, (truth,))


def countersunk() -> FeaturePart:
    """For a countersunk screw M6."""
    body = (
        block(60, 40, 10)
        - drill((20, 15, 10), DOWN, 6.6, 20)
        - cone((20, 15, 10), DOWN, 13.2, 6.6, 3.3)
    )
    truth = hole((20, 15, 10), 6.6, 10, sink=(13.2, 90))
    return FeaturePart("countersunk hole", body, (truth,))


def both_ends() -> FeaturePart:
    """A countersink on top, a counterbore below."""
    body = (
        block(60, 40, 20)
        - drill((20, 15, 20), DOWN, 8, 30)
        - cone((20, 15, 20), DOWN, 16, 8, 4)
        - drill((20, 15, 0), UP, 14, 5)
    )
    truth = hole((20, 15, 20), 8, 20, sink=(16, 90), far_bore=(14, 5))
    return FeaturePart("hole worked from both ends", body, (truth,))


def stepped() -> FeaturePart:
    """Three diameters on one axis."""
    body = block(60, 40, 30)
    for diameter, depth in ((24, 5), (16, 15), (8, 40)):
        body -= drill((25, 20, 30), DOWN, diameter, depth)
    truth = hole((25, 20, 30), 8, 30, bore=(24, 5), inner=((16, 10),))
    return FeaturePart("stepped hole", body, (truth,))


def oblique() -> FeaturePart:
    """A hole through a plate at 30° to its normal."""
    axis = (math.sin(math.radians(30)), 0.0, -math.cos(math.radians(30)))
    body = block(60, 40, 10) - drill((20, 20, 10), axis, 6, 30, over=10)
    truth = hole((20, 20, 10), 6, 10 / math.cos(math.radians(30)), axis=axis)
    return FeaturePart("oblique hole", body, (truth,))


def on_a_slope() -> FeaturePart:
    """A blind hole square to a face that lies at 30°."""
    profile = Polyline((0, 0), (60, 0), (60, 10), (0, 10 + 60 / math.sqrt(3)), close=True)
    body = extrude(Plane.XZ * make_face(profile), -40)
    normal = (0.5, 0.0, math.sqrt(0.75))
    at = (30.0, 20.0, 10 + 30 / math.sqrt(3))
    into = (-normal[0], 0.0, -normal[2])
    body -= drill(at, into, 8, 12)
    truth = hole(at, 8, 12, axis=into, through=False)
    return FeaturePart("hole in a slope", body, (truth,))


def across_a_shaft() -> FeaturePart:
    """A cross hole through a round bar."""
    body = rod(30, 60) - drill((25, 0, 15), DOWN, 6, 40)
    return FeaturePart("cross hole", body, (hole((25, 0, 15), 6, 30),))


def into_a_shaft() -> FeaturePart:
    """A blind hole from the round side of a bar."""
    body = rod(30, 60) - drill((25, 0, 15), DOWN, 6, 8)
    return FeaturePart("blind hole in a shaft", body, (hole((25, 0, 15), 6, 8, through=False),))


def into_an_end() -> FeaturePart:
    """A drilled centre hole in the end of a bar."""
    tip = 4 / math.tan(math.radians(59))
    body = rod(30, 60) - drill((0, 0, 0), (1, 0, 0), 8, 20)
    body -= cone((20, 0, 0), (1, 0, 0), 8, 0, tip)
    truth = hole((0, 0, 0), 8, 20, axis=(1, 0, 0), through=False, bottom="conical", tip=118)
    return FeaturePart("hole in a shaft's end", body, (truth,))


def tiny() -> FeaturePart:
    """Holes of 0.5 mm."""
    body = block(5, 5, 3) - drill((1.5, 1.5, 3), DOWN, 0.5, 5) - drill((3.5, 3.5, 3), DOWN, 0.5, 1)
    truths = (hole((1.5, 1.5, 3), 0.5, 3), hole((3.5, 3.5, 3), 0.5, 1, through=False))
    return FeaturePart("tiny holes", body, truths)


def huge() -> FeaturePart:
    """A plate of 5 m: a large and a small hole."""
    body = (
        block(5000, 3000, 200)
        - drill((1500, 1500, 200), DOWN, 500, 300)
        - drill((4800, 200, 200), DOWN, 20, 100)
    )
    truths = (hole((1500, 1500, 200), 500, 200), hole((4800, 200, 200), 20, 100, through=False))
    return FeaturePart("plate of 5 m", body, truths)


def pattern() -> FeaturePart:
    """Twelve holes in a grid."""
    places = [(12 + 25.0 * i, 12 + 18.0 * j, 8.0) for i in range(4) for j in range(3)]
    body = block(100, 60, 8) - [drill(at, DOWN, 5, 10) for at in places]
    return FeaturePart("hole pattern", body, tuple(hole(at, 5, 8) for at in places))


def crossing() -> FeaturePart:
    """Two holes that cross in the middle of a block."""
    body = (
        block(40, 40, 40) - drill((20, 20, 40), DOWN, 12, 50) - drill((0, 20, 20), (1, 0, 0), 8, 50)
    )
    truths = (hole((20, 20, 40), 12, 40), hole((0, 20, 20), 8, 40, axis=(1, 0, 0)))
    return FeaturePart("crossing holes", body, truths)


def halves() -> FeaturePart:
    """A hole whose wall is two faces, as many writers cut it."""
    centre = (30.0, 20.0, 0.0)
    rim = [CenterArc(centre, 6, start, 180) for start in (0, 180)]
    outline = Polyline((0, 0), (60, 0), (60, 40), (0, 40), close=True)
    body = extrude(Face(Wire(outline.edges()), [Wire(rim)]), 10, clean=False)
    return FeaturePart("hole of two half faces", body, (hole((30, 20, 10), 12, 10),))


def through_an_edge() -> FeaturePart:
    """A hole that breaks out of the side of a plate: 240° of its wall are left."""
    body = block(60, 40, 10) - drill((30, 2, 10), DOWN, 8, 20)
    return FeaturePart("hole open to the side", body, (hole((30, 2, 10), 8, 10),))


def under_a_pocket() -> FeaturePart:
    """A hole in the floor of a pocket: it enters there."""
    body = block(60, 40, 20) - brick((15, 10, 12), (45, 30, 21)) - drill((30, 20, 12), DOWN, 6, 20)
    truths = (
        recess("pocket", (30, 20, 20), 30, 20, 8, lengthwise=(1, 0, 0)),
        hole((30, 20, 12), 6, 12),
    )
    return FeaturePart("hole in a pocket's floor", body, truths)


def square_hole() -> FeaturePart:
    """A square opening, which is no hole, beside a round one."""
    window = extrude(Plane(origin=(40, 20, -1)) * Rectangle(12, 12), 20)
    body = block(60, 40, 10) - window - drill((15, 20, 10), DOWN, 12, 20)
    truths = (
        hole((15, 20, 10), 12, 10),
        recess("breakthrough", (40, 20, 10), 12, 12, 10, lengthwise=(1, 0, 0), through=True),
    )
    return FeaturePart("round and square opening", body, truths)


def turned_over() -> FeaturePart:
    """A counterbored and a blind hole on a part that lies askew in space."""
    body = (
        block(60, 40, 15)
        - drill((20, 15, 15), DOWN, 6.6, 20)
        - drill((20, 15, 15), DOWN, 11, 6.5)
        - drill((45, 25, 15), DOWN, 8, 6)
    )
    truths = (
        hole((20, 15, 15), 6.6, 15, bore=(11, 6.5)),
        hole((45, 25, 15), 8, 6, through=False),
    )
    return askew(FeaturePart("holes askew in space", body, truths))
