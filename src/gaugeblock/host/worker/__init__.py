"""What runs inside the sandbox for the CAD host: programs, checks, exports and API help.

This is the only part of the host that imports build123d. Model code runs in the ``build`` job
alone; its shapes leave it as serialised B-rep and are checked by the ``check`` job in another
process, which has run no model code, so a program cannot forge what the host says of it.
"""

from __future__ import annotations

from gaugeblock.host.worker.api_help import look_up, signatures
from gaugeblock.host.worker.building import build
from gaugeblock.host.worker.checking import check, same
from gaugeblock.host.worker.exporting import about, export
from gaugeblock.host.worker.objects import objects
from gaugeblock.sandbox.scan import job as scan

JOBS = {
    "build": build,
    "check": check,
    "same": same,
    "export": export,
    "objects": objects,
    "look_up": look_up,
    "signatures": signatures,
    "about": about,
    "scan": scan,
}


def warm_up() -> None:
    """Do each kind of work once, so that forks inherit the kernel's initialised static data.

    No boolean operation: it starts the kernel's thread pool, and a fork of a process with
    threads inherits a pool that never answers.
    """
    program = "result = Box(2, 2, 2)"
    built, breps = build({"program": program, "parameters": {}}, [], [])
    check({"names": [item["name"] for item in built["objects"]], "max_faces": 1000}, breps, [])
    objects = [{"name": "warm", "colour": None}]
    export({"objects": objects, "timestamp": "2000-01-01T00:00:00"}, breps, [])
    signatures({}, [], [])
