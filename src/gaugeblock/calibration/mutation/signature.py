"""Whether two files hold different parts, told without the ruler.

A mutant must be known to differ before the ruler is asked. What is compared:

- counts of solids, shells and faces as the kernel's plain reader delivers them;
- volume, area, centre and second moments by the kernel's own Gauss integration (``BRepGProp``),
  and the volume of each body by its name;
- third moments of a triangulation, which tell a part from its mirror image;
- product names, declared unit and face senses, from the file's text.

None of it is code of the ruler (which integrates by its own Green's theorem). Its weaknesses
(Gauss integration is rough on splines) are the same before and after, so they do not hide a
change; where the parametrisation may turn (mirrored, rotated) the tolerances are wider.
"""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
from OCP.BRep import BRep_Tool
from OCP.BRepAdaptor import BRepAdaptor_Surface
from OCP.BRepGProp import BRepGProp
from OCP.BRepMesh import BRepMesh_IncrementalMesh
from OCP.BRepTools import BRepTools
from OCP.GeomAbs import GeomAbs_Cone, GeomAbs_Cylinder, GeomAbs_Plane, GeomAbs_Sphere, GeomAbs_Torus
from OCP.gp import gp_Pnt
from OCP.GProp import GProp_GProps
from OCP.STEPControl import STEPControl_Reader
from OCP.TopAbs import TopAbs_FACE, TopAbs_REVERSED, TopAbs_SHELL, TopAbs_SOLID
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS

from gaugeblock.calibration.mutation.bodies import explored, stream

EXACT = 1e-9
"""Relative change of an integral that is a change: Gauss integration of the same faces repeats to
1e-13, and the smallest mutation (a hole of a large part 0.1 mm wider) moves it by 1e-7."""

TURNED = 1e-6
"""The same for turned or mirrored parts: elementary faces then repeat to about 1e-10."""

TURNED_SPLINE = 1e-4
"""The same where such a part has spline faces, on which the integration is off by up to 2e-4."""

FINE, COARSE = (1e-3, 0.15), (4e-3, 0.3)
"""Two meshes: deflection as a part of the size, and angle in rad. Both halve the fine one's error
or better, so that their difference is about three times that error."""

SAFETY = 4.0
"""How many error estimates a third moment must move."""

_ELEMENTARY = (GeomAbs_Plane, GeomAbs_Cylinder, GeomAbs_Cone, GeomAbs_Sphere, GeomAbs_Torus)
_PRODUCT = re.compile(rb"=\s*PRODUCT\s*\(\s*'((?:[^']|'')*)'")
_SENSE = re.compile(rb"=\s*ADVANCED_FACE\s*\([^;]*,\s*\.([TF])\.\s*\)\s*;")
_INCH = re.compile(rb"CONVERSION_BASED_UNIT\s*\(\s*'([^']*)'")
_SI = re.compile(rb"LENGTH_UNIT\s*\(\s*\)[^;]*?SI_UNIT\s*\(\s*([^,)]*),\s*\.METRE\.")


def signature(data: bytes, *, third: bool) -> dict[str, Any]:
    """Return the signature of a STEP file.

    Args:
        data: the file.
        third: whether to mesh it for third moments (50–200 ms).
    """
    reader = STEPControl_Reader()
    reader.ReadStream("part", stream(data))
    reader.TransferRoots()
    shape = reader.OneShape()
    solids = [] if shape is None or shape.IsNull() else explored(shape, TopAbs_SOLID)
    empty = shape is None or shape.IsNull()
    faces = [] if empty else explored(shape, TopAbs_FACE)
    kinds = [BRepAdaptor_Surface(TopoDS.Face(face), False).GetType() for face in faces]
    names = [name.decode("utf-8", "replace") for name in _PRODUCT.findall(data)]
    found: dict[str, Any] = {
        "solids": len(solids),
        "shells": 0 if empty else len(explored(shape, TopAbs_SHELL)),
        "faces": len(faces),
        "elementary": all(kind in _ELEMENTARY for kind in kinds),
        "names": sorted(names),
        "unit": _unit(data),
        "senses": b"".join(_SENSE.findall(data)).decode(),
        **_integrals(solids, faces),
    }
    if len(names) == len(solids):  # whose volume is whose, in the order of names
        found["volumes"] = [
            volume for _, volume in sorted(zip(names, found["volumes"], strict=True))
        ]
    else:
        found["volumes"] = sorted(found["volumes"])
    if third and solids:
        fine, coarse = (
            _third(solids, part * found["size"], angle, found["centre"])
            for part, angle in (FINE, COARSE)
        )
        found["third"] = fine
        found["third_error"] = [abs(a - b) for a, b in zip(fine, coarse, strict=True)]
    return found


def _unit(data: bytes) -> str:
    inch = _INCH.search(data)
    if inch and b"INCH" in inch.group(1).upper():
        return "inch"
    si = _SI.search(data)
    return si.group(1).decode().strip() + " metre" if si else "none"


def _integrals(solids: list[Any], faces: list[Any]) -> dict[str, Any]:
    """Volume, area, first and second moments about the origin; mm to the power they have."""
    inner, outer = GProp_GProps(gp_Pnt(0, 0, 0)), GProp_GProps(gp_Pnt(0, 0, 0))
    volumes = []
    for solid in solids:  # each apart: the kernel's call forgets what it was given before
        own = GProp_GProps(gp_Pnt(0, 0, 0))
        BRepGProp.VolumeProperties_s(solid, own)
        volumes.append(own.Mass())
        inner.Add(own, 1.0)
    for face in faces:
        own = GProp_GProps(gp_Pnt(0, 0, 0))
        BRepGProp.SurfaceProperties_s(face, own)
        outer.Add(own, 1.0)
    volume, area = inner.Mass(), outer.Mass()
    matrix = inner.MatrixOfInertia()
    inertia = [matrix.Value(i, j) for i in (1, 2, 3) for j in range(i, 4)]
    surface = outer.MatrixOfInertia()
    spread = [surface.Value(i, j) for i in (1, 2, 3) for j in range(i, 4)]
    size = math.sqrt(max(sum(abs(surface.Value(i, i)) for i in (1, 2, 3)) / area, 1e-12)) if area \
        else 1.0  # fmt: skip
    return {
        "volume": volume,
        "volumes": volumes,
        "area": area,
        "centre": list(inner.CentreOfMass().Coord()),
        "inertia": inertia,
        "spread": spread,
        "size": size,
    }


def _third(solids: list[Any], deflection: float, angle: float, centre: list[float]) -> list[float]:
    """Third moments ∫xᵢxⱼxₖ dV about `centre` of the triangulated solids, mm⁶.

    Exact for the polyhedron.
    """
    total = np.zeros((3, 3, 3))
    for solid in solids:
        BRepTools.Clean_s(solid, True)
        BRepMesh_IncrementalMesh(solid, deflection, False, angle, False)
        for face in explored(solid, TopAbs_FACE):
            corners = _triangles(face)
            if corners is None:
                continue
            a, b, c = (corners[:, corner] - np.array(centre) for corner in range(3))
            six_volumes = np.einsum("ni,ni->n", a, np.cross(b, c))
            total += _tetrahedra(a, b, c, six_volumes / 6.0)
    return [float(total[i, j, k]) for i in range(3) for j in range(i, 3) for k in range(j, 3)]


def _tetrahedra(a: Any, b: Any, c: Any, volumes: Any) -> Any:
    """Sum of ∫x⊗x⊗x over tetrahedra with one corner at the origin.

    With barycentric λ: ∫λ₁^p λ₂^q λ₃^r = 6V·p!q!r!/(p+q+r+3)!; for order three 6V/720·p!q!r!.
    """
    points = np.stack([a, b, c])
    total = np.zeros((3, 3, 3))
    for i in range(3):
        for j in range(3):
            for k in range(3):
                powers = [(i, j, k).count(n) for n in range(3)]
                weight = math.prod(math.factorial(power) for power in powers) / 120.0
                total += np.einsum(
                    "n,nx,ny,nz->xyz", volumes * weight, points[i], points[j], points[k]
                )
    return total


def _triangles(face: Any) -> Any:
    location = TopLoc_Location()
    mesh = BRep_Tool.Triangulation_s(TopoDS.Face(face), location)
    if mesh is None:
        return None
    move = location.Transformation()
    nodes = np.array([mesh.Node(i).Transformed(move).Coord() for i in range(1, mesh.NbNodes() + 1)])
    index = np.array([mesh.Triangle(i).Get() for i in range(1, mesh.NbTriangles() + 1)]) - 1
    if face.Orientation() == TopAbs_REVERSED:
        index = index[:, ::-1]
    return nodes[index]


def differences(
    reference: dict[str, Any], mutant: dict[str, Any], *, turned: bool, senses: bool
) -> list[str]:
    """Return the elements of two signatures that differ; empty: the same part.

    Args:
        reference: signature of the reference.
        mutant: signature of the mutant.
        turned: the mutant is the whole part moved by an isometry, so that its faces' parameters
            may run another way.
        senses: face senses count (their order is that of the same writer and the same faces).
    """
    found = [
        name
        for name in ("solids", "shells", "faces", "names", "unit")
        if reference[name] != mutant[name]
    ]
    if senses and reference["senses"] != mutant["senses"]:
        found.append("senses")
    both = reference["elementary"] and mutant["elementary"]
    limit = (TURNED if both else TURNED_SPLINE) if turned else EXACT
    size = max(reference["size"], mutant["size"])
    volume = max(abs(reference["volume"]), abs(mutant["volume"]))
    area = max(reference["area"], mutant["area"])
    scales = {
        "volume": volume,
        "volumes": volume,
        "area": area,
        "centre": size,
        "inertia": volume * size**2,
        "spread": area * size**2,
    }
    for name, scale in scales.items():
        one, other = np.atleast_1d(reference[name]), np.atleast_1d(mutant[name])
        if one.shape != other.shape:  # of other many solids, which is told already
            continue
        if np.abs(one - other).max() > limit * max(scale, 1e-12):
            found.append(name)
    if "third" in reference and "third" in mutant:
        moved = np.abs(np.array(reference["third"]) - np.array(mutant["third"]))
        error = np.array(reference["third_error"]) + np.array(mutant["third_error"])
        if (moved > SAFETY * error + TURNED * volume * size**3).any():
            found.append("third moments")
    return found
