"""Whether a solid is one: four checks, each reported apart."""

from __future__ import annotations

from typing import Any

from OCP.BRep import BRep_Tool
from OCP.BRepCheck import BRepCheck_Analyzer
from OCP.TopAbs import TopAbs_SHELL

from gaugeblock.records.measurement import Check, Validity, Volume
from gaugeblock.ruler.explore import explore
from gaugeblock.ruler.facts.mesh import Mesh
from gaugeblock.ruler.facts.outline import Boundary


def judge_solid(
    solid: Any,
    volume: Volume,
    signed: float | None,
    mesh: Mesh | None,
    boundary: Boundary,
    sound: tuple[Check, Check] | None = None,
) -> Validity:
    """Judge one solid.

    Args:
        solid: TopoDS_Solid.
        volume: Its measured volume (mm³).
        signed: The integral before any verdict, negative for an inside-out solid; None: not finite.
        mesh: Its welded mesh; None: the outline alone was judged.
        boundary: What the half-edges say.
        sound: What `judge_shape` said of it, where that is known.
    """
    brepcheck, closed = sound or judge_shape(solid)
    return Validity(
        brepcheck=brepcheck,
        volume_positive=_positive(volume, signed),
        shells_closed=closed,
        mesh_closed_orientable=_mesh(mesh, boundary),
    )


def judge_shape(solid: Any) -> tuple[Check, Check]:
    """Return what needs neither mesh nor volume: BRepCheck, and whether the shells are closed."""
    return _brepcheck(solid), _closed(solid)


def all_parts(validity: Validity) -> bool | None:
    """Return False when a part failed, None when one could not be judged, else True."""
    parts = [
        validity.brepcheck.ok,
        validity.volume_positive.ok,
        validity.shells_closed.ok,
        validity.mesh_closed_orientable.ok,
    ]
    if False in parts:
        return False
    return None if None in parts else True


def _brepcheck(solid: Any) -> Check:
    try:
        ok = bool(BRepCheck_Analyzer(solid).IsValid())
    except Exception as error:
        return Check(ok=None, why=f"BRepCheck raised {type(error).__name__}")
    return Check(ok=ok, why=None if ok else "BRepCheck_Analyzer finds a fault in the boundary")


def _positive(volume: Volume, signed: float | None) -> Check:
    if signed is None:
        return Check(ok=None, why=volume.reason or "the volume is not finite")
    error = volume.error_estimate or 0.0
    if signed > error:
        return Check(ok=True)
    if signed < -error:
        return Check(ok=False, why="the faces point inwards (negative volume)")
    return Check(ok=False, why="the volume is zero within its error estimate")


def _closed(solid: Any) -> Check:
    shells = explore(solid, TopAbs_SHELL)
    if not shells:
        return Check(ok=False, why="the solid has no shell")
    still_open = sum(1 for shell in shells if not BRep_Tool.IsClosed_s(shell))
    if still_open:
        return Check(ok=False, why=f"{still_open} of {len(shells)} shells are open")
    return Check(ok=True)


def _mesh(mesh: Mesh | None, boundary: Boundary) -> Check:
    if mesh is None:
        return Check(ok=boundary.balanced, why=boundary.topology.reason)
    if mesh.missing:
        return Check(ok=None, why=f"the kernel could not triangulate {mesh.missing} faces")
    if mesh.unjoined:
        return Check(ok=None, why=f"{mesh.unjoined} edge uses have no polygon in the mesh")
    if boundary.balanced:
        return Check(ok=True)
    return Check(ok=False, why=boundary.topology.reason)
