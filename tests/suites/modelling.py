"""Run as a program: execute scripted agents' programs and measure what they make.

Reads JSON on stdin, a list of `{"key", "program", "parameters", "step"}`, where `step` is the path
of a STEP file to write, or null; writes a JSON object key → facts on stdout. One process for all
of them: build123d takes seconds to import.
"""

import json
import math
import sys

import build123d
from OCP.Bnd import Bnd_Box
from OCP.BRepBndLib import BRepBndLib
from OCP.BRepCheck import BRepCheck_Analyzer
from OCP.BRepGProp import BRepGProp
from OCP.GProp import GProp_GProps

LANGUAGE = {name: getattr(build123d, name) for name in build123d.__all__}


def made(program, parameters):
    """Return name → shape."""
    scope = {**LANGUAGE, "math": math, **parameters}
    exec(compile(program, "<program>", "exec"), scope)
    return scope["result"]


def volume_of(solid):
    properties = GProp_GProps()
    BRepGProp.VolumeProperties_s(solid.wrapped, properties)
    return properties.Mass()


def box_of(shape):
    box = Bnd_Box()
    BRepBndLib.AddOptimal_s(shape.wrapped, box, False, False)
    box.SetGap(0.0)
    low, high = box.CornerMin(), box.CornerMax()
    return [low.X(), low.Y(), low.Z()], [high.X(), high.Y(), high.Z()]


def facts_of(job):
    objects = made(job["program"], job["parameters"])
    solids = [(name, solid) for name, shape in objects.items() for solid in shape.solids()]
    if job.get("step"):
        for name, shape in objects.items():
            shape.label = name
        children = list(objects.values())
        whole = children[0] if len(children) == 1 else build123d.Compound(children=children)
        build123d.export_step(whole, job["step"])
    return {
        "solids": [
            {
                "name": name,
                "volume": volume_of(solid),
                "faces": len(solid.faces()),
                "bounds": box_of(solid),
                "valid": BRepCheck_Analyzer(solid.wrapped).IsValid(),
            }
            for name, solid in solids
        ],
    }


if __name__ == "__main__":
    jobs = json.load(sys.stdin)
    json.dump({job["key"]: facts_of(job) for job in jobs}, sys.stdout)
