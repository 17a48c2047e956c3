"""The kept job of the object tools: shapes stay in memory from one call to the next.

It runs no model code, only the operations of the tools, each on plain data. A shape is known by the
key of its node: the hash of the operation, its arguments and the keys of its inputs.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

from OCP.TopoDS import TopoDS_Shape

from gaugeblock.host.worker.checking import decode, encode, facts_of, misfit
from gaugeblock.host.worker.objects import describing
from gaugeblock.host.worker.objects.changing import CHANGING
from gaugeblock.host.worker.objects.faults import Fault, of_the_kernel
from gaugeblock.host.worker.objects.making import MAKING

MAX_SHAPES = 4_000
"""Shapes kept: twice as many as the longest recipe has steps (``MAX_FEATURES``, 2,000). A step may
make several: what was forgotten is told as missing, and the host describes it again."""
MESSAGE_CHARS = 300
"""Length of a kernel's message handed on to the agent."""

Answer = tuple[dict[str, Any], list[bytes]]

_shapes: OrderedDict[str, TopoDS_Shape] = OrderedDict()


class Missing(Exception):
    """A shape is asked for that is not in memory (any more)."""


def objects(value: dict[str, Any], blobs: list[bytes], files: list[int]) -> Answer:
    """Answer one request.

    Args:
        value: ``do``, one of :data:`REQUESTS`, with what that takes.
        blobs: B-reps, for ``make``.
        files: unused.

    Returns:
        The answer; or ``missing``, keys to be made first; or ``fault`` with code, message, repair.
    """
    del files
    try:
        return REQUESTS[value["do"]](value, blobs)
    except Missing as missing:
        return {"missing": list(missing.args)}, []
    except Fault as fault:
        return {"fault": fault.value()}, []


def _make(value: dict[str, Any], blobs: list[bytes]) -> Answer:
    """Make shapes and measure them.

    Takes ``nodes`` (key, tool, arguments, inputs; a node of the tool ``brep`` takes the next blob)
    and ``measure`` (key → name for messages, ``max_faces``). Returns ``facts`` by key.
    """
    rest = iter(blobs)
    for node in value["nodes"]:
        blob = next(rest) if node["tool"] == "brep" else b""
        if node["key"] not in _shapes:
            _keep(node["key"], _made(node, blob))
    facts = {}
    for key, name in value["measure"].items():
        shape = _shape(key)
        unfit = misfit(name, shape, value["max_faces"])
        if unfit is not None:
            raise Fault(unfit["code"], unfit["message"])
        facts[key], faults = facts_of(name, shape, adaptive=True)
        if faults:
            raise Fault("not-valid", "; ".join(faults[:5]))
    return {"facts": facts}, []


def _made(node: dict[str, Any], blob: bytes) -> TopoDS_Shape:
    tool, given = node["tool"], node["arguments"]
    if tool == "brep":
        return decode(blob)
    inputs = _all(node["inputs"])
    try:
        made = CHANGING[tool](given, inputs) if tool in CHANGING else MAKING[tool](given)
    except Exception as error:
        if not of_the_kernel(error):
            raise
        said = str(error).strip()[:MESSAGE_CHARS] or type(error).__name__
        raise Fault("not-built", f"the geometry kernel cannot make it: {said}") from None
    if made.IsNull():
        raise Fault("not-built", "the geometry kernel made nothing of it")
    return made


def _breps(value: dict[str, Any], blobs: list[bytes]) -> Answer:
    """Return the B-reps of the shapes ``keys``."""
    del blobs
    return {}, [encode(shape) for shape in _all(value["keys"])]


def _parts(value: dict[str, Any], blobs: list[bytes]) -> Answer:
    """Return edges and faces of the shape ``key``, ``most`` of each."""
    del blobs
    return describing.parts(_shape(value["key"]), value["most"]), []


def _places(value: dict[str, Any], blobs: list[bytes]) -> Answer:
    """Return a point on each of the ``what`` (edges, faces) ``ids`` of the shape ``key``."""
    del blobs
    return {"points": describing.places(_shape(value["key"]), value["what"], value["ids"])}, []


def _between(value: dict[str, Any], blobs: list[bytes]) -> Answer:
    """Return distance and shared volume of the two shapes ``keys``."""
    del blobs
    first, second = _all(value["keys"])
    return describing.between(first, second), []


REQUESTS: dict[str, Callable[[dict[str, Any], list[bytes]], Answer]] = {
    "make": _make,
    "breps": _breps,
    "parts": _parts,
    "places": _places,
    "between": _between,
}


def _all(keys: Sequence[str]) -> list[TopoDS_Shape]:
    missing = [key for key in keys if key not in _shapes]
    if missing:
        raise Missing(*missing)
    return [_shape(key) for key in keys]


def _shape(key: str) -> TopoDS_Shape:
    if key not in _shapes:
        raise Missing(key)
    _shapes.move_to_end(key)
    return _shapes[key]


def _keep(key: str, shape: TopoDS_Shape) -> None:
    _shapes[key] = shape
    while len(_shapes) > MAX_SHAPES:
        _shapes.popitem(last=False)
