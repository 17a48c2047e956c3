"""What a saved document says of its objects, read as the hostile input it is.

The format is that of our CAD host (docs/host.md). Only what a grade needs is read: which objects
are visible, of how many solids, and whether a feature of the recipe makes them.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

MAX_DOCUMENT_BYTES = 4 << 20
"""Our host saves no larger one."""

FORMATS = ("gaugeblock-document/1", "gaugeblock-document/2")

STEP_ID = re.compile(r"o([1-9]\d{0,5})(?:\.\d{1,6})?", re.ASCII)
"""Id of an object that a step made: the step's number in the recipe, and which of its copies."""

MAKING = frozenset(
    "box cylinder cone sphere torus extrude revolve sweep loft mirror linear_pattern "
    "polar_pattern".split()
)
"""Tools whose steps make objects. A step of any other name, such as an import, rebuilds nothing."""


class Unreadable(Exception):
    """The document is none of ours; the message says why."""


@dataclass(frozen=True)
class SavedObject:
    """One object.

    Attributes:
        name: its label.
        visible: shown, and so exported.
        solids: how many solids it is made of.
        editable: whether a feature of the recipe makes it; else it is baked.
    """

    name: str
    visible: bool
    solids: int
    editable: bool


def read_objects(data: bytes) -> tuple[SavedObject, ...]:
    """Return a document's objects.

    Raises:
        Unreadable: it is no document of a format that is known here.
    """
    if len(data) > MAX_DOCUMENT_BYTES:
        raise Unreadable(f"larger than {MAX_DOCUMENT_BYTES} bytes")
    try:
        content = json.loads(data)
    except (ValueError, RecursionError):
        raise Unreadable("not JSON") from None
    if not isinstance(content, dict) or content.get("format") not in FORMATS:
        raise Unreadable("not of a format that is known")
    features, objects = content.get("features"), content.get("objects")
    if not isinstance(features, list) or not isinstance(objects, list):
        raise Unreadable("features or objects are missing")
    return tuple(_object(item, features) for item in objects)


def _object(item: Any, features: list[Any]) -> SavedObject:
    if not isinstance(item, dict):
        raise Unreadable("an object is none")
    name, visible, solids = item.get("name"), item.get("visible"), item.get("solids")
    if not (isinstance(name, str) and isinstance(visible, bool) and isinstance(solids, int)):
        raise Unreadable("an object lacks its name, visibility or number of solids")
    return SavedObject(name, visible, solids, _editable(item.get("id"), features))


def _editable(identity: Any, features: list[Any]) -> bool:
    """Whether the recipe has the feature that an object came from."""
    if identity is None:  # of the program
        return any(_kind(item) == "program" and _text(item.get("source")) for item in features)
    found = STEP_ID.fullmatch(identity) if isinstance(identity, str) else None
    if found is None or int(found[1]) > len(features):
        return False
    step = features[int(found[1]) - 1]
    return _kind(step) == "step" and step.get("tool") in MAKING and bool(step.get("arguments"))


def _kind(feature: Any) -> Any:
    return feature.get("kind") if isinstance(feature, dict) else None


def _text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())
