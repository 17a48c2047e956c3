"""Parts with worked edges, and turned ones: chamfers, fillets, grooves."""

from __future__ import annotations

from typing import Any

from build123d import Axis, Plane, Polyline, Torus, chamfer, extrude, fillet, make_face, revolve

from gaugeblock.calibration.feature_parts.part import (
    DOWN,
    FeaturePart,
    Point,
    block,
    brick,
    drill,
    pin,
    rod,
)
from gaugeblock.calibration.feature_parts.truth import (
    chamfer as chamfered,
)
from gaugeblock.calibration.feature_parts.truth import (
    corner,
    groove,
    hole,
    round_chamfer,
    round_fillet,
)
from gaugeblock.calibration.feature_parts.truth import (
    fillet as filleted,
)

UP = (0.0, 0.0, 1.0)
AXIS = (1.0, 0.0, 0.0)


def edge_at(body: Any, at: Point) -> Any:
    """Return the edge of a body whose middle is `at`."""
    return min(body.edges(), key=lambda edge: (edge.center() - at).length)


def turned(*profile: tuple[float, float]) -> Any:
    """Return a body turned about X from its half profile (x, radius)."""
    return revolve(Plane.XY * make_face(Polyline(*profile, close=True)), Axis.X)


def bevel() -> FeaturePart:
    """One edge bevelled at 45°."""
    body = block(60, 40, 20)
    body = chamfer(edge_at(body, (30, 0, 20)), 2)
    truth = chamfered((30, 0, 20), ((0, 1, 0), DOWN), (2, 2), 60, along=AXIS)
    return FeaturePart("chamfer", body, (truth,))


def steep_bevel() -> FeaturePart:
    """One edge bevelled with unequal legs."""
    tool = Plane.YZ * make_face(Polyline((0, 16), (0, 20), (2, 20), close=True))
    body = block(60, 40, 20) - extrude(tool, 60)
    truth = chamfered((30, 0, 20), ((0, 1, 0), DOWN), (2, 4), 60, along=AXIS)
    return FeaturePart("chamfer, unequal legs", body, (truth,))


def shaft_bevel() -> FeaturePart:
    """Both ends of a pin bevelled."""
    body = turned((0, 0), (0, 13.5), (1.5, 15), (58.5, 15), (60, 13.5), (60, 0))
    truths = (
        round_chamfer((0, 0, 0), 30, 1.5, axis=AXIS),
        round_chamfer((60, 0, 0), 30, 1.5, axis=(-1, 0, 0)),
    )
    return FeaturePart("chamfers of a shaft", body, truths)


def broken_mouth() -> FeaturePart:
    """A large bore whose mouth is broken by 1 × 45°."""
    body = block(60, 60, 20) - drill((30, 30, 20), DOWN, 30, 30)
    body = chamfer(
        [e for e in body.edges().filter_by(lambda e: e.geom_type.name == "CIRCLE")
         if e.center().Z > 19], 1,
    )  # fmt: skip
    truths = (
        hole((30, 30, 20), 30, 20),
        round_chamfer((30, 30, 20), 30, 1, axis=DOWN, inner=True),
    )
    return FeaturePart("bore with a broken mouth", body, truths)


def outer_fillet() -> FeaturePart:
    """One edge rounded."""
    body = block(60, 40, 20)
    body = fillet(edge_at(body, (30, 0, 20)), 5)
    truth = filleted((30, 0, 20), ((0, 1, 0), DOWN), 5, 60, along=AXIS)
    return FeaturePart("fillet, convex", body, (truth,))


def inner_fillet() -> FeaturePart:
    """The corner of an angle filled."""
    body = block(60, 40, 8) + block(8, 40, 50)
    body = fillet(edge_at(body, (8, 20, 8)), 6)
    truth = filleted((8, 20, 8), (AXIS, UP), 6, 40, along=(0, 1, 0), side="concave")
    return FeaturePart("fillet, concave", body, (truth,))


def shoulder_fillet() -> FeaturePart:
    """The shoulder of a shaft filled: where recognisers take the wrong side."""
    body = rod(30, 40) + pin((40, 0, 0), AXIS, 20, 30)
    body = fillet(edge_at_circle(body, 40, 20), 3)
    truth = round_fillet((40, 0, 0), AXIS, 26, 3, side="concave")
    return FeaturePart("fillet of a shoulder", body, (truth,))


def edge_at_circle(body: Any, x: float, diameter: float) -> Any:
    """Return the circular edge at `x` with a diameter."""
    for edge in body.edges().filter_by(lambda e: e.geom_type.name == "CIRCLE"):
        if abs(edge.arc_center.X - x) < 1e-6 and abs(2 * edge.radius - diameter) < 1e-6:
            return edge
    raise ValueError(f"no circle of {diameter} at {x}")


def rim_fillet() -> FeaturePart:
    """The rim of a disc rounded."""
    body = rod(50, 15)
    body = fillet(edge_at_circle(body, 15, 50), 4)
    truth = round_fillet((15, 0, 0), (-1, 0, 0), 42, 4, side="convex")
    return FeaturePart("fillet of a rim", body, (truth,))


def all_round() -> FeaturePart:
    """A block with all edges and corners rounded."""
    size = (60.0, 40.0, 20.0)
    body = block(*size)
    body = fillet(body.edges(), 3)
    unit = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))

    def inward(axis: int, end: int) -> Point:
        x, y, z = (-value if end else value for value in unit[axis])
        return x, y, z

    truths: list[Any] = []
    for axis in range(3):
        one, two = (k for k in range(3) if k != axis)
        for i in (0, 1):
            for j in (0, 1):
                at = [0.0, 0.0, 0.0]
                at[axis], at[one], at[two] = size[axis] / 2, i * size[one], j * size[two]
                truths.append(
                    filleted(
                        (at[0], at[1], at[2]),
                        (inward(one, i), inward(two, j)),
                        3,
                        size[axis] - 6,
                        along=unit[axis],
                    )
                )
    for i in (0, 1):
        for j in (0, 1):
            for k in (0, 1):
                place = (i * size[0], j * size[1], k * size[2])
                truths.append(corner(place, (inward(0, i), inward(1, j), inward(2, k)), 3))
    return FeaturePart("block with rounded edges", body, tuple(truths))


def outer_groove() -> FeaturePart:
    """A groove for a retaining ring in a shaft."""
    body = turned((0, 0), (0, 15), (20, 15), (20, 13), (23, 13), (23, 15), (60, 15), (60, 0))
    truth = groove((21.5, 0, 0), 26, 3, 2, axis=AXIS)
    return FeaturePart("groove in a shaft", body, (truth,))


def inner_groove() -> FeaturePart:
    """A groove for a retaining ring in a bore."""
    body = turned((0, 10), (0, 20), (40, 20), (40, 10), (13, 10), (13, 12), (10, 12), (10, 10))
    truths = (
        hole((0, 0, 0), 20, 40, axis=AXIS),
        groove((11.5, 0, 0), 24, 3, 2, axis=AXIS, where="internal"),
    )
    return FeaturePart("groove in a bore", body, truths)


def face_groove() -> FeaturePart:
    """A groove for a sealing ring in a face."""
    body = pin((0, 0, 0), UP, 60, 15) - (
        pin((0, 0, 12.5), UP, 36, 5) - pin((0, 0, 12.5), UP, 30, 5)
    )
    truth = groove((0, 0, 15), 33, 3, 2.5, axis=DOWN, where="face")
    return FeaturePart("groove in a face", body, (truth,))


def two_grooves() -> FeaturePart:
    """Two grooves of different width on one shaft, one interrupted by a flat."""
    body = turned(
        (0, 0), (0, 15), (10, 15), (10, 13), (12, 13), (12, 15),
        (40, 15), (40, 12), (45, 12), (45, 15), (60, 15), (60, 0),
    )  # fmt: skip
    body -= brick((36, -20, 14), (49, 20, 20))
    truths = (groove((11, 0, 0), 26, 2, 2, axis=AXIS), groove((42.5, 0, 0), 24, 5, 3, axis=AXIS))
    return FeaturePart("two grooves, one beside a flat", body, truths)


def plain_block() -> FeaturePart:
    """A block: nothing to find."""
    return FeaturePart("plain block", block(60, 40, 20), ())


def plain_ring() -> FeaturePart:
    """A torus: a round face that is no fillet."""
    return FeaturePart("plain torus", Torus(30, 6), ())


def plain_wedge() -> FeaturePart:
    """A block with one large slanted face, which is no chamfer of an edge."""
    profile = Polyline((0, 0), (60, 0), (60, 10), (0, 30), close=True)
    body = extrude(Plane.XZ * make_face(profile), -40)
    return FeaturePart("plain wedge", body, ())
