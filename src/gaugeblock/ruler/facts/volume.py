"""Volume, area and centroid of one solid, with an independent cross-check and a verdict.

The flux integral (`integral`) gives the value; the refined mesh (`crosscheck`) gives the second
opinion. They agree when their difference is within the sum of both error estimates; otherwise the
volume counts as not measured and neither number stands.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from OCP.TopAbs import TopAbs_FORWARD

from gaugeblock.records.measurement import Bounds, CrossCheck, Volume
from gaugeblock.ruler.facts.bspline import Floats
from gaugeblock.ruler.facts.consistency import contradiction
from gaugeblock.ruler.facts.crosscheck import (
    METHOD,
    CannotCheck,
    MeshVolume,
    extrapolate,
    mesh_levels,
    mesh_volume,
)
from gaugeblock.ruler.facts.integral import Integral, integrate
from gaugeblock.ruler.facts.mesh import ANGLE, RELATIVE_SAG, Mesh, build_mesh, mesh_of_faces
from gaugeblock.ruler.facts.outline import Outline
from gaugeblock.ruler.facts.pcurves import PCurves
from gaugeblock.ruler.facts.polygon import polygon_volume
from gaugeblock.ruler.facts.surfaces import SurfaceTable, surface_of

GAP_LIMIT = 1e-4
"""Error estimate, as a part of the volume, above which it is not a measurement: an open or torn
boundary encloses nothing. The loosest real file seen is at 3e-7."""


FLOOR = 1e-6
"""Difference, as a part of the volume, that is never a disagreement: the accuracy claimed. Edges
fitted to 0.1 mm leave the two methods up to 1e-7 apart for reasons neither can estimate."""

VAGUE = 1e-3
"""Error estimate of the cross-check, as a part of the volume, above which a finer mesh is made
before anything is said. Elementary parts stay below 1e-5, long splines reach 5e-4."""

FINE_ANGLE = 0.1
"""Angular deflection in rad of the finer mesh, a quarter of the usual."""

FINE_SAG = 0.001
"""Linear deflection of the finer mesh as a part of the diagonal, a tenth of the usual."""


@dataclass(frozen=True)
class Measured:
    """What is known of one solid's volume."""

    volume: Volume
    signed: float | None
    """The integral before any verdict, mm³; None: not finite."""
    area: float | None
    centroid: tuple[float, float, float] | None


def measure_volume(
    solid: Any, mesh: Mesh, closed: bool, bounds: Bounds | None, clock: Any
) -> Measured:
    """Measure one solid.

    Args:
        solid: TopoDS_Solid.
        mesh: Its mesh, whose faces and edges are those of the solid.
        closed: Whether the mesh is closed and orientable.
        bounds: Its box.
        clock: Gets the seconds spent.
    """
    if bounds is None:
        return _unknown("the solid's box is not finite")
    if not mesh.faces:
        return _unknown("the solid has no faces")
    centre = 0.5 * (np.array(bounds.min) + np.array(bounds.max))
    diagonal = math.dist(bounds.min, bounds.max)
    curves = PCurves()
    surfaces = []
    for number, face in enumerate(mesh.faces):
        surfaces.append(surface_of(face.face))
        for use in face.uses:
            forward = bool(use.edge.Orientation() == TopAbs_FORWARD)
            curves.take(number, use.edge, face.face, use.key, forward)
    if not len(curves):
        return _unknown("the solid's faces have no edges")
    table = SurfaceTable(surfaces)
    clock.lap("curves")
    turned = [face.reversed for face in mesh.faces]
    with np.errstate(all="ignore"):
        integral = integrate(table, turned, curves, centre, diagonal / 2)
    clock.lap("volume")
    if not math.isfinite(integral.volume) or not math.isfinite(integral.error):
        return _unknown("the volume is not finite")
    with np.errstate(all="ignore"):
        second = mesh_volume(mesh, table, curves, centre, diagonal)
        if closed and _needs_finer(integral, second):
            fine = build_mesh(solid, diagonal, FINE_ANGLE, FINE_SAG)
            second = mesh_volume(fine, table, curves, centre, diagonal)
    clock.lap("cross-check")
    return _verdict(integral, second, closed)


def measure_outline(outline: Outline, bounds: Bounds | None, clock: Any) -> Measured | None:
    """Measure one solid whose outline is closed and manifold, meshing only its free faces.

    Args:
        outline: The solid, judged plain.
        bounds: Its box.
        clock: Gets the seconds spent.

    Returns:
        None where this does not settle the volume: then the mesh of all faces is to decide.
    """
    if bounds is None or not outline.uses:
        return None
    centre = 0.5 * (np.array(bounds.min) + np.array(bounds.max))
    diagonal = math.dist(bounds.min, bounds.max)
    curves = PCurves()
    known = [surface.elementary for surface in outline.surfaces]
    uses = (outline.uses, outline.use_face, outline.use_edge, outline.use_forward)
    for use, number, key, forward in zip(*uses, strict=True):
        curves.take(number, use, outline.faces[number], key, forward)
        if known[number] and not outline.degenerate[key]:
            curves.take_space(outline.edges[key], key)
    table = SurfaceTable(outline.surfaces)
    clock.lap("curves")
    with np.errstate(all="ignore"):
        integral = integrate(table, outline.turned, curves, centre, diagonal / 2)
        clock.lap("volume")
        if not math.isfinite(integral.volume) or not math.isfinite(integral.error):
            return None
        second = _second(outline, table, curves, centre, diagonal, integral)
    clock.lap("cross-check")
    if second is None or _needs_finer(integral, second):
        return None
    return _verdict(integral, second, True)


def _second(
    outline: Outline,
    table: SurfaceTable,
    curves: PCurves,
    centre: Floats,
    diagonal: float,
    integral: Integral,
) -> MeshVolume | None:
    """Return the volume by polygons, and by triangles under the free faces."""
    polygons = polygon_volume(outline, table, curves, centre, diagonal)
    if polygons.reason is not None:
        return None
    if not table.free:
        return extrapolate(polygons.levels, diagonal, "polygon-richardson")
    second = None
    for angle, sag in ((ANGLE, RELATIVE_SAG), (FINE_ANGLE, FINE_SAG)):
        mesh = mesh_of_faces(outline, table.free, diagonal, angle, sag)
        if not mesh.complete or not mesh.conforms():
            return None
        try:
            levels = polygons.levels + mesh_levels(mesh, table, curves, centre, diagonal)
        except CannotCheck:
            return None
        second = extrapolate(levels, diagonal, "polygon+mesh-richardson")
        if not _needs_finer(integral, second):
            break
    return second


def confirmed(found: Measured, bounds: Bounds | None) -> Measured:
    """Return what was found, or, where its numbers cannot be true together, that it was not."""
    if found.volume.value is None:
        return found
    reason = contradiction(found.volume.value, found.area, found.centroid, bounds)
    return found if reason is None else refuted(found, reason)


def refuted(found: Measured, reason: str) -> Measured:
    """Return that the volume could not be measured, and why."""
    volume = found.volume.model_copy(
        update={"value": None, "verdict": "could-not-measure", "reason": reason}
    )
    return replace(found, volume=volume, signed=None, area=None, centroid=None)


def _needs_finer(integral: Integral, second: MeshVolume) -> bool:
    """Whether the mesh is too coarse to confirm anything, or seems to disagree."""
    if second.value is None or second.error is None:
        return False
    apart = abs(second.value - integral.volume) > _allowed(integral, second.error)
    return apart or second.error > VAGUE * abs(integral.volume)


def _verdict(integral: Integral, second: MeshVolume, closed: bool) -> Measured:
    check = _compare(integral, second)
    reason = None
    if not closed and second.value is not None:
        reason = "the boundary is not closed: it encloses no volume"
    elif integral.error > GAP_LIMIT * abs(integral.volume):
        reason = f"the boundary does not close (error estimate {integral.error:.3g} mm³)"
    elif check.agrees is None:
        reason = f"no cross-check: {check.reason}"
    elif not check.agrees:
        reason = f"two methods disagree: {check.reason}"
    volume = Volume(
        value=None if reason else abs(integral.volume),
        method=integral.method,
        error_estimate=integral.error,
        cross_check=check,
        verdict="could-not-measure" if reason else "measured",
        reason=reason,
    )
    finite = all(math.isfinite(c) for c in integral.centroid)
    return Measured(
        volume=volume,
        signed=integral.volume,
        area=integral.area if math.isfinite(integral.area) else None,
        centroid=integral.centroid if finite and not reason else None,
    )


def _allowed(integral: Integral, other_error: float) -> float:
    """Largest difference in mm³ that is no disagreement."""
    return max(integral.error + other_error, FLOOR * abs(integral.volume))


def _compare(integral: Integral, second: MeshVolume) -> CrossCheck:
    if second.value is None or second.error is None:
        return CrossCheck(
            method=second.method,
            value=None,
            error_estimate=None,
            agrees=None,
            reason=second.reason,
        )
    difference = abs(second.value - integral.volume)
    allowed = _allowed(integral, second.error)
    agrees = difference <= allowed
    reason = None if agrees else f"they differ by {difference:.3g} mm³, expected {allowed:.2g} mm³"
    return CrossCheck(
        method=second.method,
        value=abs(second.value),
        error_estimate=second.error,
        agrees=agrees,
        reason=reason,
    )


def _unknown(reason: str) -> Measured:
    check = CrossCheck(method=METHOD, value=None, error_estimate=None, agrees=None, reason=reason)
    volume = Volume(
        value=None,
        method="none",
        error_estimate=None,
        cross_check=check,
        verdict="could-not-measure",
        reason=reason,
    )
    return Measured(volume=volume, signed=None, area=None, centroid=None)
