"""Profiles led along a path."""

from __future__ import annotations

import itertools
import math

from build123d import CenterOf, Edge, Face, Plane, Solid, Transition, Vector, Wire
from OCP.TopoDS import TopoDS_Shape

from gaugeblock.host.worker.checking import volume_of
from gaugeblock.host.worker.objects.faults import Fault
from gaugeblock.host.worker.objects.soundness import require_uncrossed

CENTRED_MM = 1e-6
"""Up to here a profile's centroid counts as on the path."""
VOLUME_RELATIVE = 1e-3
"""How far a sweep may be from area times length: smooth paths are approximated by the kernel."""
UPRIGHT = 0.999
"""Above this share of its length along Z, a path's beginning counts as vertical."""
BACK = 179.0
"""Degrees of a turn from which a path goes back on itself."""
SAMPLES = 200
"""Points of a path, and of each side of a profile, at which distances are taken."""
STRAIGHT = 1e-9
"""Radians between two legs below which there is no bend."""


def swept(flat: Face, points: list[list[float]], bend_radius: float, smooth: bool) -> TopoDS_Shape:
    """Return a profile drawn around the origin of XY led along a path.

    The profile stands square on the beginning of the path; its v points as far up (+Z) as the path
    allows, or along +Y where the path begins vertically.

    Raises:
        Fault: a bend does not fit between its neighbours, or the sweep cuts itself there.
    """
    corners = [Vector(*place) for place in points]
    reach = _reach(flat)
    if smooth:
        path = Wire([Edge.make_spline(corners)])
        _require_roomy(path, reach)
    else:
        _require_onward(corners)
        path = _bent(corners, bend_radius, reach)
    start, tangent = path.position_at(0), path.tangent_at(0)
    section = _standing(start, tangent) * flat
    transition = Transition.TRANSFORMED if smooth or bend_radius else Transition.RIGHT
    made = Solid.sweep(section, path, transition=transition).wrapped
    require_uncrossed(made, "the sweep")
    _require_pappus(flat, path.length, made)
    return made


def _standing(start: Vector, tangent: Vector) -> Plane:
    up = Vector(0, 1, 0) if abs(tangent.Z) > UPRIGHT else Vector(0, 0, 1)
    across = up.cross(tangent)
    return Plane(origin=start, x_dir=across, z_dir=tangent)


def _bent(corners: list[Vector], radius: float, reach: float) -> Wire:
    """Return the legs between corners with an arc of a radius at each."""
    if not radius:
        return Wire([Edge.make_line(a, b) for a, b in itertools.pairwise(corners)])
    if radius <= reach:
        raise Fault(
            "not-built",
            f"bends of radius {radius:g} mm are too tight for a profile that reaches {reach:g} mm",
            f"Give bend_radius above {reach:g} mm, or 0 for mitred corners.",
        )
    edges: list[Edge] = []
    start = corners[0]
    left = (corners[1] - corners[0]).length
    for number in range(1, len(corners) - 1):
        before, here, after = corners[number - 1 : number + 2]
        into, out = (here - before).normalized(), (after - here).normalized()
        turn = math.radians(into.get_angle(out))
        cut = radius * math.tan(turn / 2) if turn < math.pi - STRAIGHT else math.inf
        onward = (after - here).length
        if cut > left or cut > onward:
            raise Fault(
                "not-built",
                f"the bend of radius {radius:g} mm at point {number + 1} of the path takes "
                f"{cut:g} mm of each leg, and a leg has only {min(left, onward):g} mm left",
                "Give a smaller bend_radius, or points further apart.",
            )
        left = onward - cut
        if turn < STRAIGHT:
            continue
        first, last = here - into * cut, here + out * cut
        if (first - start).length > CENTRED_MM:
            edges.append(Edge.make_line(start, first))
        edges.append(Edge.make_tangent_arc(first, into, last))
        start = last
    if (corners[-1] - start).length > CENTRED_MM:
        edges.append(Edge.make_line(start, corners[-1]))
    return Wire(edges)


def _require_onward(corners: list[Vector]) -> None:
    """Refuse a path that turns straight back on itself."""
    legs = [after - before for before, after in itertools.pairwise(corners)]
    for number, (into, out) in enumerate(itertools.pairwise(legs), 2):
        if into.get_angle(out) > BACK:
            raise Fault(
                "not-built",
                f"the path turns straight back at point {number}",
                "Leave the point out, or lead the path round in two corners.",
            )


def _require_roomy(path: Wire, reach: float) -> None:
    """Refuse a smooth path that bends tighter than the profile reaches, or comes near itself.

    The kernel makes one face of it and finds no crossing of a face with itself.
    """
    places = [path.position_at(number / SAMPLES) for number in range(SAMPLES + 1)]
    for before, here, after in zip(places, places[1:], places[2:], strict=False):
        radius = _radius(before, here, after)
        if radius <= reach:
            place = ", ".join(f"{value:.4g}" for value in here)
            raise Fault(
                "not-valid",
                f"the path bends with radius {radius:.4g} mm near ({place}), and the profile "
                f"reaches {reach:g} mm",
                "Use a smaller profile, or points further apart and less sharply turned.",
            )
    apart = math.ceil(math.pi * reach / (path.length / SAMPLES))
    for first, second in itertools.combinations(range(SAMPLES + 1), 2):
        if second - first > apart and (places[first] - places[second]).length < 2 * reach:
            raise Fault(
                "not-valid",
                f"the path comes within {2 * reach:g} mm of itself, and the profile reaches "
                f"{reach:g} mm",
                "Use a smaller profile, or lead the path clear of itself.",
            )


def _radius(first: Vector, second: Vector, third: Vector) -> float:
    """Return the radius of the circle through three points, mm; infinite on a line."""
    a, b, c = (second - first).length, (third - second).length, (third - first).length
    double_area = (second - first).cross(third - first).length
    return math.inf if double_area == 0 else a * b * c / (2 * double_area)


def _reach(flat: Face) -> float:
    """Return how far a profile reaches from its origin, mm."""
    steps = range(SAMPLES + 1)
    edges = flat.edges()
    return max(edge.position_at(step / SAMPLES).length for edge in edges for step in steps)


def _require_pappus(flat: Face, length: float, made: TopoDS_Shape) -> None:
    """Refuse a sweep whose volume is not area times length (Pappus), which must hold if centred.

    It holds for mitred corners too: a plane through the centre line cuts as much as it adds.
    """
    centre = flat.center(CenterOf.MASS)
    if math.hypot(centre.X, centre.Y) > CENTRED_MM:
        return
    wanted = flat.area * length
    if not math.isclose(volume_of(made), wanted, rel_tol=VOLUME_RELATIVE):
        raise Fault(
            "not-valid",
            f"the sweep has {volume_of(made):g} mm³ where area times length is {wanted:g} mm³: it "
            "cuts itself in a bend",
            "Use a smaller profile, wider bends or points further apart.",
        )
