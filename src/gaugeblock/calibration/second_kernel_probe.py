"""Run as a program by the second kernel's own Python: facts of STEP files as JSON.

Knows nothing of this package and imports the kernel's older binding alone (OCP 7.8, whose names
differ from those of 8.0). Volume in mm³, solid by solid: the kernel's Gauss integration where every
surface is elementary, adaptive Gauss–Kronrod by knot spans elsewhere. Bounds in mm.
"""

import json
import sys

from OCP.Bnd import Bnd_Box
from OCP.BRepAdaptor import BRepAdaptor_Surface
from OCP.BRepBndLib import BRepBndLib
from OCP.BRepCheck import BRepCheck_Analyzer
from OCP.BRepGProp import BRepGProp
from OCP.GeomAbs import GeomAbs_Cone, GeomAbs_Cylinder, GeomAbs_Plane, GeomAbs_Sphere, GeomAbs_Torus
from OCP.gp import gp_Pnt
from OCP.GProp import GProp_GProps
from OCP.Message import Message, Message_PrinterOStream
from OCP.STEPControl import STEPControl_Reader
from OCP.TopAbs import TopAbs_FACE, TopAbs_SOLID
from OCP.TopExp import TopExp_Explorer
from OCP.TopoDS import TopoDS

ELEMENTARY = (GeomAbs_Plane, GeomAbs_Cylinder, GeomAbs_Cone, GeomAbs_Sphere, GeomAbs_Torus)
PRECISE = 1e-9
"""Relative precision asked of Gauss–Kronrod; coarser asks were up to 5 % off."""


def explored(shape, kind):
    """Return every occurrence of `kind`."""
    found, explorer = [], TopExp_Explorer(shape, kind)
    while explorer.More():
        found.append(explorer.Current())
        explorer.Next()
    return found


def box_of(shape):
    """Return the exact box as six numbers, mm."""
    box = Bnd_Box()
    BRepBndLib.AddOptimal_s(shape, box, False, False)
    gap = box.GetGap()
    low, high = box.CornerMin(), box.CornerMax()
    return [low.X() + gap, low.Y() + gap, low.Z() + gap,
            high.X() - gap, high.Y() - gap, high.Z() - gap]  # fmt: skip


def volume_of(solid, box):
    """Return the volume in mm³ and the method."""
    kinds = [
        BRepAdaptor_Surface(TopoDS.Face_s(face), False).GetType()
        for face in explored(solid, TopAbs_FACE)
    ]
    flux = GProp_GProps(gp_Pnt(*((box[i] + box[i + 3]) / 2 for i in range(3))))
    if all(kind in ELEMENTARY for kind in kinds):
        BRepGProp.VolumeProperties_s(solid, flux)
        return flux.Mass(), "gauss"
    BRepGProp.VolumePropertiesGK_s(solid, flux, PRECISE, False, True, False, False, False)
    return flux.Mass(), "gauss-kronrod by knot spans"


def facts_of(path):
    """Return the facts of the file's solids."""
    reader = STEPControl_Reader()
    reader.ReadFile(path)
    reader.TransferRoots()
    solids = []
    for solid in explored(reader.OneShape(), TopAbs_SOLID):
        box = box_of(solid)
        volume, method = volume_of(solid, box)
        solids.append(
            {
                "volume": volume,
                "method": method,
                "bounds": box,
                "faces": len(explored(solid, TopAbs_FACE)),
                "valid": bool(BRepCheck_Analyzer(solid).IsValid()) and volume > 0,
            }
        )
    return solids


def main(paths):
    """Print the facts of the files, in their order."""
    printers = Message_PrinterOStream.get_type_descriptor_s()
    Message.DefaultMessenger_s().RemovePrinters(printers)
    print(json.dumps([facts_of(path) for path in paths]))


if __name__ == "__main__":
    main(sys.argv[1:])
