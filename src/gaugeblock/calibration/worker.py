"""What runs in the calibration's own sandbox: programs, listings of mutants, mutants.

No figure of the ruler is taken here. Each job runs in a fork of its own, so a boolean that hangs
or crashes the kernel costs one mutant.
"""

from __future__ import annotations

import math
from typing import Any

import build123d

from gaugeblock.calibration.mutation import bodies, catalogue
from gaugeblock.calibration.mutation.bodies import Item, NotApplicable, Part
from gaugeblock.calibration.mutation.places import Place, Winding
from gaugeblock.calibration.mutation.signature import differences, signature
from gaugeblock.calibration.mutation.winding import rewound as winding_of
from gaugeblock.calibration.mutation.winding import turned as turned_by

Answer = tuple[dict[str, Any], list[bytes]]

_LANGUAGE = {name: getattr(build123d, name) for name in build123d.__all__}


def program(value: dict[str, Any], blobs: list[bytes], files: list[int]) -> Answer:
    """Run a program of the program language and return its part as STEP.

    Args:
        value: ``program`` text and ``parameters`` name → number.
        blobs: unused.
        files: unused.

    Returns:
        ``names`` of the bodies, with one STEP file; or ``refused`` with a reason.
    """
    del blobs, files
    scope: dict[str, Any] = {**_LANGUAGE, "math": math, **value["parameters"]}
    try:
        exec(compile(value["program"], "<program>", "exec"), scope)
        items = [
            Item(name, solid)
            for name, shape in scope["result"].items()
            for solid in bodies.solids_in(shape.wrapped)
        ]
    except Exception as error:
        return {"refused": f"{type(error).__name__}: {error}"}, []
    if not items:
        return {"refused": "the program makes no solid"}, []
    return {"names": [item.name for item in items]}, [bodies.write(Part(tuple(items)))]


def survey(value: dict[str, Any], blobs: list[bytes], files: list[int]) -> Answer:
    """List the mutants of a STEP file.

    Args:
        value: ``most``: features taken of a sort.
        blobs: the reference file.
        files: unused.

    Returns:
        ``specs``, ``left_out`` and the reference's ``signature``, with the reference written anew
        as every mutant is (so that only the mutation differs); or ``refused`` with a reason.
    """
    del files
    try:
        part = bodies.read(blobs[0])
        found = catalogue.listing(part, value["most"])
    except NotApplicable as error:
        return {"refused": str(error)}, []
    written = bodies.write(part)
    return {
        "specs": [spec.value() for spec in found.specs],
        "left_out": found.left_out,
        "signature": signature(written, third=True),
    }, [written]


def mutate(value: dict[str, Any], blobs: list[bytes], files: list[int]) -> Answer:
    """Make one mutant and tell whether it differs from the reference.

    Args:
        value: ``spec``, and ``signature`` of the reference.
        blobs: the reference file.
        files: unused.

    Returns:
        ``name`` and ``differs`` (elements of the signature) with one STEP file; or
        ``not_applicable`` with the reason.
    """
    del files
    spec = catalogue.Spec(**value["spec"])
    try:
        part, name = catalogue.make(bodies.read(blobs[0]), spec)
        data = bodies.write(part)
    except NotApplicable as error:
        return {"name": spec.name, "not_applicable": str(error)}, []
    except Exception as error:  # the kernel's own: a mutant that cannot be made is none
        return {"name": spec.name, "not_applicable": f"the kernel: {type(error).__name__}"}, []
    turned = spec.kind in catalogue.TURNED
    differs = differences(
        value["signature"],
        signature(data, third=turned),
        turned=turned,
        senses=spec.kind in catalogue.IN_THE_TEXT,
    )
    return {"name": name, "differs": differs}, [data]


def rewound(value: dict[str, Any], blobs: list[bytes], files: list[int]) -> Answer:
    """Wind another thread in the place of one.

    Args:
        value: ``place`` and ``winding`` (fields of the classes of `mutation.winding`), ``body``.
        blobs: the reference file.
        files: unused.

    Returns:
        Nothing with one STEP file; or ``not_applicable`` with the reason.
    """
    del files
    place, winding = Place(**value["place"]), Winding(**value["winding"])
    try:
        part = winding_of(bodies.read(blobs[0]), value["body"], place, winding)
        return {}, [bodies.write(part)]
    except NotApplicable as error:
        return {"not_applicable": str(error)}, []
    except Exception as error:  # the kernel's own, as in `mutate`
        return {"not_applicable": f"the kernel: {type(error).__name__}"}, []


def turned(value: dict[str, Any], blobs: list[bytes], files: list[int]) -> Answer:
    """Turn a file's part about ``axis`` by ``degrees`` and move it by ``shift`` (mm)."""
    del files
    part = bodies.read(blobs[0])
    moved = turned_by(part, value["axis"], value["degrees"], value["shift"])
    return {}, [bodies.write(moved)]


def compared(value: dict[str, Any], blobs: list[bytes], files: list[int]) -> Answer:
    """Tell whether two STEP files (as ``blobs``) hold different parts: ``differs``."""
    del value, files
    one, other = (signature(data, third=True) for data in blobs)
    return {"differs": differences(one, other, turned=False, senses=False)}, []


def warm_up() -> None:
    """Build, list and write once, so that forks inherit the kernel's tables.

    No boolean operation: it would leave the kernel's thread pool behind (see `host.worker`).
    """
    _, made = program({"program": "result = {'warm': Box(2, 2, 2)}", "parameters": {}}, [], [])
    survey({"most": 1}, made, [])


JOBS = {
    "program": program,
    "survey": survey,
    "mutate": mutate,
    "rewound": rewound,
    "turned": turned,
    "compared": compared,
}
