"""Fillets: rounded edges, outer ones (convex) and filled inner corners (concave).

A fillet is a piece of a cylinder, torus or sphere, or a free surface of constant curvature across,
that is tangent to both faces it joins. Its side is where its material lies.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from OCP.BRepLProp import BRepLProp_SLProps

from gaugeblock.records.features import Fillet
from gaugeblock.ruler.facts.bspline import Floats
from gaugeblock.ruler.features.blends import Banks, Blend, bank_bend, bank_length, banks_of
from gaugeblock.ruler.features.coaxial import PARALLEL
from gaugeblock.ruler.features.forms import about, across, cross, turned, unit
from gaugeblock.ruler.features.graph import Region, SolidGraph
from gaugeblock.ruler.features.limits import reaches, within
from gaugeblock.ruler.features.loops import angular_range
from gaugeblock.ruler.features.sheet import Sheet, triple

MOST_TURN = math.radians(150.0)
"""Largest turn of a fillet: the edge it replaces then has 30°. A rounding that turns further is the
round end of a slot, lever or tongue."""

LEAST_TURN = math.radians(5.0)
"""Least turn of a fillet: a flatter one is a crowned face."""

TANGENT = 0.5
"""Least part of each long side of a rounding that must be tangent; a hole or slot may break into
the rest."""

CONSTANT = 0.01
"""Relative change of the curvature across a free blend up to which its radius is constant: 1 %,
what a drawing of whole and half millimetres tells apart."""


STRIP = 0.5
"""Least part of a free surface's boundary along which it must be tangent to two faces to be taken
for a rounding of varying radius; less of it is a transition of its own shape."""


def fillet_of(graph: SolidGraph, region: Region) -> Blend | None:
    """Return the fillet that a region is, or None."""
    if region.taken or not region.edges:
        return None
    if region.kind in ("cylinder", "torus"):
        return _rolled(graph, region)
    return None


def _rolled(graph: SolidGraph, region: Region) -> Blend | None:
    banks = banks_of(graph, region)
    if any(bank_bend(graph, bank, TANGENT) != "smooth" for bank in banks):
        return None
    # What breaks into a fillet, such as a hole, is no part of its banks.
    low, high = ([item for item in bank if graph.bends[item[0]] == "smooth"] for bank in banks)
    banks = (low, high)
    turn = _turn(graph, region, banks)
    if not reaches(turn, LEAST_TURN) or not within(turn, MOST_TURN):
        return None
    if not all(_ball_fits(graph, region, bank) for bank in banks):
        return None
    return Blend(
        region=region,
        treatment="fillet",
        side="convex" if region.outward > 0 else "concave",
        form="straight" if region.kind == "cylinder" else "round",
        banks=banks,
        radius=region.form.radius,
    )


def _turn(graph: SolidGraph, region: Region, banks: Banks) -> float:
    """Return the angle of a region's cross-section in rad, from one bank to the other."""
    low, high = (_angle(graph, region, bank) for bank in banks)
    return (high - low) % (2 * math.pi)


def _angle(graph: SolidGraph, region: Region, bank: list[tuple[int, int]]) -> float:
    """Return the mean angle of a bank about the cylinder's axis or in the torus's tube."""
    form = region.form
    points = graph.points[[edge for edge, _ in bank]].reshape(-1, 3)
    if region.kind == "cylinder":
        angle = turned(form.origin, form.axis, across(form.axis), points)
    else:
        rho, z = about(form.origin, form.axis, points)
        angle = np.arctan2(z, rho - form.major)
    return float(np.arctan2(np.sin(angle).mean(), np.cos(angle).mean()))


def _ball_fits(graph: SolidGraph, region: Region, bank: list[tuple[int, int]]) -> bool:
    """Whether a ball of the fillet's radius could touch the faces along a bank.

    It rolls on the side its surface is hollow to; a face there that curves the same way more
    tightly than the ball would be cut by it, so that the region is no fillet of that face.
    """
    for edge, side in bank:
        other = graph.other(edge, side)
        if other.outward != region.outward:
            continue
        form = other.form
        if other.kind == "sphere" or (other.kind == "torus" and region.kind == "torus"):
            if form.radius <= region.form.radius * (1 + 1e-6):
                return False
        elif other.kind == "cylinder" and region.kind == "cylinder":
            parallel = np.linalg.norm(cross(form.axis, region.form.axis)) <= PARALLEL
            if parallel and form.radius <= region.form.radius * (1 + 1e-6):
                return False
    return True


def corners(graph: SolidGraph, blends: dict[int, Blend]) -> list[Blend]:
    """Return the spheres in corners where fillets meet."""
    found = []
    for region in graph.regions:
        if region.kind != "sphere" or region.taken or not region.edges:
            continue
        if any(graph.bends[edge] != "smooth" for edge, _ in region.edges):
            continue
        around = graph.neighbours(region)
        if len(around) >= 3 and sum(number in blends for number in around) >= 2:
            found.append(
                Blend(
                    region=region,
                    treatment="fillet",
                    side="convex" if region.outward > 0 else "concave",
                    form="corner",
                    banks=(region.edges, []),
                    radius=region.form.radius,
                )
            )
    return found


def free_fillet(sheet: Sheet, region: Region) -> Blend | None:
    """Return the fillet that a free surface or cone is; refuse it where its radius varies.

    A ball that rolls along two faces leaves a canal surface: one of its principal curvatures is
    one over the ball's radius everywhere.
    """
    graph = sheet.graph
    smooth: dict[int, list[tuple[int, int]]] = {}
    for edge, side in region.edges:
        if graph.bends[edge] == "smooth":
            smooth.setdefault(int(graph.ends[edge, 1 - side]), []).append((edge, side))
    ranked = sorted(smooth, key=lambda number: -bank_length(graph, smooth[number]))[:2]
    if len(ranked) < 2:
        return None
    banks = (smooth[ranked[0]], smooth[ranked[1]])
    length = [bank_length(graph, bank) for bank in banks]
    if min(length) < 0.25 * sum(graph.lengths[edge] for edge, _ in region.edges):
        return None
    curvature = _curvatures(graph, region)
    if curvature is None:
        return None
    for column in (0, 1):
        values = curvature[:, column]
        middle = float(np.median(values))
        if abs(middle) * graph.size < 1e-3:
            continue
        if np.abs(values - middle).max() <= CONSTANT * abs(middle):
            bulge: Literal["convex", "concave"] = "convex" if middle < 0 else "concave"
            return Blend(region, "fillet", bulge, "other", banks, radius=1.0 / abs(middle))
    if sum(length) >= STRIP * sum(graph.lengths[edge] for edge, _ in region.edges):
        sheet.refuse(
            "variable-radius",
            [region.number],
            "a rounding tangent to both of its faces whose radius is not constant",
        )
    return None


def _curvatures(graph: SolidGraph, region: Region) -> Floats | None:
    """Return (n, 2) principal curvatures (1/mm) of a region, against its outward normal.

    Both columns are sorted: the smaller first. Negative where the surface bulges outwards.
    """
    rows = []
    for number in region.faces:
        adaptor = graph.surfaces[number].adaptor
        sign = -1.0 if graph.turned[number] else 1.0
        u0, u1, v0, v1 = graph.ranges[number]
        for u in np.linspace(u0, u1, 7)[1:-1]:
            for v in np.linspace(v0, v1, 7)[1:-1]:
                props = BRepLProp_SLProps(adaptor, float(u), float(v), 2, 1e-9)
                if props.IsCurvatureDefined():
                    pair = sorted((sign * props.MaxCurvature(), sign * props.MinCurvature()))
                    rows.append(pair)
    return np.array(rows) if len(rows) >= 4 else None


def add_fillets(sheet: Sheet) -> None:
    """Add the fillets that no other feature has claimed."""
    left = [
        blend
        for blend in sheet.blends.values()
        if blend.treatment == "fillet" and not sheet.claimed([blend.region.number])
    ]
    for chain in _chains(sheet.graph, left):
        _add(sheet, chain)


def _chains(graph: SolidGraph, blends: list[Blend]) -> list[list[Blend]]:
    """Return blends one by one, pieces of one free blend together.

    A kernel may cut a free blend where it closes; pieces of one radius and side that run smoothly
    into each other at their ends are one.
    """
    chains: list[list[Blend]] = []
    for blend in blends:
        mine = [chain for chain in chains if any(_runs_on(graph, blend, b) for b in chain)]
        for chain in mine:
            chains.remove(chain)
        chains.append([*(b for chain in mine for b in chain), blend])
    return chains


def _runs_on(graph: SolidGraph, a: Blend, b: Blend) -> bool:
    if not (a.form == b.form == "other") or a.side != b.side:
        return False
    if abs(a.radius - b.radius) > CONSTANT * a.radius:
        return False
    banks = {edge for bank in a.banks for edge, _ in bank}
    return any(
        graph.bends[edge] == "smooth" and edge not in banks
        for edge, _ in graph.shared(a.region, b.region)
    )


def _add(sheet: Sheet, chain: list[Blend]) -> None:
    graph, blend = sheet.graph, chain[0]
    region = blend.region
    axis, diameter = None, None
    if blend.form in ("straight", "round"):
        axis = triple(region.form.axis)
    if blend.form == "round":
        diameter = 2 * region.form.major
    sheet.add(
        Fillet(
            id="",
            solid=graph.index,
            faces=graph.faces_of(b.region.number for b in chain),
            position=triple(np.mean([middle_of(graph, b) for b in chain], axis=0)),
            side=blend.side,
            radius=float(np.mean([b.radius for b in chain])),
            form=blend.form,
            axis=axis,
            diameter=diameter,
            length=sum(_length(graph, b) for b in chain),
        ),
        [b.region.number for b in chain],
    )


def _length(graph: SolidGraph, blend: Blend) -> float:
    """Return the mean length of a blend's two long sides, interruptions included; 0 of a corner."""
    if blend.form == "corner":
        return 0.0
    if blend.form == "other":
        return 0.5 * sum(bank_length(graph, bank) for bank in blend.banks)
    form, banks = blend.region.form, []
    for bank in blend.banks:
        points = graph.points[[edge for edge, _ in bank]].reshape(-1, 3)
        banks.append(about(form.origin, form.axis, points))
    if blend.form == "straight":
        return 0.5 * float(sum(np.ptp(z) for _, z in banks))
    extent = angular_range(graph, blend.region)[1]
    return 0.5 * extent * float(sum(rho.mean() for rho, _ in banks))


def middle_of(graph: SolidGraph, blend: Blend) -> Floats:
    """Return the reference point of a blend.

    A straight one's lies on its surface, halfway along and halfway across; a whole ring's on its
    axis, halfway between its two circles; that of a part of a ring on its surface; a corner's on
    its sphere in the middle of its boundary; a free one's in the middle of its boundary.
    """
    region, form = blend.region, blend.region.form
    points = graph.boundary(region)
    if region.kind == "sphere":
        away = unit((points - form.origin).mean(axis=0))
        return np.asarray(form.origin + form.radius * away)
    if region.kind not in ("cylinder", "torus"):
        return np.asarray(points.mean(axis=0))
    low, high = (_angle(graph, region, bank) for bank in blend.banks)
    across_middle = low + 0.5 * ((high - low) % (2 * math.pi))
    x = across(form.axis)
    y = cross(form.axis, x)
    if region.kind == "cylinder":
        z = (points - form.origin) @ form.axis
        radial = np.cos(across_middle) * x + np.sin(across_middle) * y
        along = 0.5 * (z.min() + z.max()) * form.axis
        return np.asarray(form.origin + along + form.radius * radial)
    height = form.radius * np.sin(across_middle) * form.axis
    start, extent = angular_range(graph, region)
    if extent >= 2 * math.pi - 1e-6:
        return np.asarray(form.origin + height)
    angle = start + 0.5 * extent
    rho = form.major + form.radius * np.cos(across_middle)
    return np.asarray(form.origin + height + rho * (np.cos(angle) * x + np.sin(angle) * y))
