"""An espresso machine as plain facts: what the ruler and the host would say of it."""

import hashlib
import json
from dataclasses import replace

from measurements import SHA, measurement, solid

from gaugeblock.records.reopening import Reopening
from gaugeblock.suites import Delivered, load_suite

SUITE = load_suite("assembly")
CASE = SUITE.case("espresso-machine")
ASKED = CASE.rounds[0]

BOXES = {
    "base": ([-140, -150, 0], [140, 200, 20]),
    "housing": ([-140, 0, 20], [140, 200, 340]),
    "drip tray": ([-110, -150, 20], [110, 0, 50]),
    "group head": ([-35, -110, 220], [35, 0, 270]),
    "portafilter": ([-32, -107, 185], [32, -43, 220]),
    "handle": ([-13, -215, 189.5], [13, -104, 215.5]),
    "steam wand": ([112, -20, 90], [128, 0, 270]),
    "water tank": ([-110, 200, 40], [110, 250, 300]),
    "cup warmer": ([-130, 10, 340], [130, 190, 355]),
    "pressure gauge": ([-113, -12, 262], [-57, 0, 318]),
    "brew control": ([22, -20, 282], [58, 0, 318]),
    "steam control": ([82, -20, 282], [118, 0, 318]),
    **{
        f"grate bar {number}": ([-100, y - 5, 50], [100, y + 5, 56])
        for number, y in enumerate((-125, -100, -75, -50, -25), 1)
    },
}
"""The table of the source, as bounds in mm."""


def solids(boxes=BOXES, **changed):
    """One solid a box; `changed` is facts by the label with _ for spaces."""
    made = []
    for index, (name, bounds) in enumerate(boxes.items()):
        more = changed.get(name.replace(" ", "_"), {})
        made.append(solid(index, **{"name": name, "bounds": bounds, **more}))
    return made


def document(names=tuple(BOXES), *, hidden=(), features=None, objects=None):
    """A document in which each object is a box of its own step."""
    steps = [
        {"kind": "step", "tool": "box", "arguments": {"name": name, "size": [1, 1, 1]}}
        for name in names
    ]
    shown = [
        {"id": f"o{number}", "name": name, "visible": name not in hidden, "solids": 1}
        for number, name in enumerate(names, 1)
    ]
    content = {
        "format": "gaugeblock-document/2",
        "features": steps if features is None else features,
        "objects": shown if objects is None else objects,
    }
    return json.dumps(content).encode()


def reopening(data, *, same_document=True, same_step=True):
    """What a fresh host made of a document."""
    values = {"same_document": same_document, "same_step": same_step, "again_sha256": SHA}
    return Reopening(
        document_sha256=hashlib.sha256(data).hexdigest(),
        artifact_sha256=SHA,
        unknown={name: "the host died" for name, value in values.items() if value is None},
        **values,
    )


def delivered(made=None, data=None, **measured):
    """A delivery of solids and the document that goes with them."""
    made = solids() if made is None else made
    data = document(tuple(item.name or "-" for item in made)) if data is None else data
    return Delivered(measurement(*made, **measured), SHA, None, data, reopening(data))


def graded(what):
    return SUITE.grade(ASKED, what, ruler_fingerprint="ruler")


def without(what, **lost):
    """A delivery with some of its records replaced."""
    return replace(what, **lost)
