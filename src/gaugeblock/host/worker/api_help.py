"""Short help on the program language, read from build123d itself."""

from __future__ import annotations

import difflib
import inspect
import re
import typing
from collections.abc import Callable
from typing import Any

import build123d

HITS = 8
"""Entries a look-up returns: enough to choose from, short enough to be read."""
DOC_LINES = 6
"""Lines of an entry's description that are kept when several entries are returned."""
MEMBERS = 40
"""Members listed for a class that was named exactly."""
FORMS = 3
"""Call forms shown of a thing that has several."""

CORE = (
    "Box Cylinder Cone Sphere Torus Wedge Hole CounterBoreHole CounterSinkHole Rectangle "
    "RectangleRounded Circle Ellipse Polygon RegularPolygon SlotOverall SlotCenterToCenter Line "
    "Polyline CenterArc ThreePointArc RadiusArc TangentArc JernArc Spline Bezier Helix Wire Face "
    "Solid Compound extrude revolve loft sweep thicken offset fillet chamfer mirror split "
    "make_face make_hull Locations GridLocations PolarLocations HexLocations Location Plane Axis "
    "Vector Pos Rot Align Mode Kind Transition BuildLine BuildSketch BuildPart add Color"
).split()
"""What most parts need; the rest is found by look-up."""

NAMES = [name for name in build123d.__all__ if not name.startswith("_")]
PUBLIC = re.compile(r"[A-Za-z]\w*")
"""A member's name that a look-up may follow: one step, nothing private."""
NOTHING = "Nothing found. Give one name (Box), a member (Plane.offset) or one or two plain words."

Answer = tuple[dict[str, Any], list[bytes]]


def signatures(value: dict[str, Any], blobs: list[bytes], files: list[int]) -> Answer:
    """Return the core names with their signatures, one line each."""
    del value, blobs, files
    return {"signatures": [_signature(name) for name in CORE if hasattr(build123d, name)]}, []


def look_up(value: dict[str, Any], blobs: list[bytes], files: list[int]) -> Answer:
    """Return help for a query: a name, a part of one, or words of a description."""
    del blobs, files
    query = value["query"].strip()
    names = _matches(query)
    exact = len(names) == 1
    answer: dict[str, Any] = {
        "query": query,
        "entries": [_entry(name, whole=exact) for name in names],
        "near": [] if names else _near(query),
    }
    if not names:
        answer["hint"] = NOTHING
    return answer, []


def _near(query: str) -> list[str]:
    """Return names that read like the query, or like the class a dotted query begins with."""
    by_case = {name.lower(): name for name in NAMES}
    head = query.partition(".")[0].lower()
    return [by_case[near] for near in difflib.get_close_matches(head, by_case, HITS, 0.5)]


def _matches(query: str) -> list[str]:
    names = NAMES
    head, _, member = query.partition(".")
    if head in names and PUBLIC.fullmatch(member) and hasattr(getattr(build123d, head), member):
        return [query]
    if query in names:
        return [query]
    words = query.lower().split()
    if not words:
        return []
    by_name = [name for name in names if all(word in name.lower() for word in words)]
    by_text = [
        name
        for name in names
        if name not in by_name and all(word in _doc(name).lower() for word in words)
    ]
    return (sorted(by_name, key=len) + sorted(by_text, key=len))[:HITS]


def _resolve(name: str) -> Any:
    thing: Any = build123d
    for part in name.split("."):
        thing = getattr(thing, part)
    return thing


def _doc(name: str) -> str:
    thing = _resolve(name)
    if not callable(thing) and not isinstance(thing, property):
        return f"A constant: {thing!r}"  # or its type's own description, which is of no use
    return inspect.getdoc(thing) or ""


def _signature(name: str) -> str:
    """Return how a thing is called, one line a form; the members of an enumeration instead."""
    thing = _resolve(name)
    if hasattr(thing, "__members__"):
        return f"{name}: {', '.join(thing.__members__)}"
    call = thing.__init__ if inspect.isclass(thing) else thing
    if not hasattr(call, "__module__") or not callable(call):
        return name  # a constant or a property: it is not called
    overloads = [getattr(each, "__func__", each) for each in typing.get_overloads(call)]
    forms = [form for form in map(_form, overloads) if "gp_" not in form]
    try:
        shown = forms[:FORMS] or [_form(call)]
    except (TypeError, ValueError):
        return name
    return "\n".join(f"{name}({form})" for form in shown)


def _form(call: Callable[..., Any]) -> str:
    shown: list[str] = []
    by_name_only = False
    for parameter in inspect.signature(call).parameters.values():
        if parameter.name in ("self", "cls"):
            continue
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            by_name_only = True
        elif parameter.kind is inspect.Parameter.KEYWORD_ONLY and not by_name_only:
            shown.append("*")
            by_name_only = True
        shown.append(_parameter(parameter))
    return ", ".join(shown)


def _parameter(parameter: inspect.Parameter) -> str:
    """Return a parameter as one would type it, without module paths or long defaults."""
    stars: dict[Any, str] = {
        inspect.Parameter.VAR_POSITIONAL: "*",
        inspect.Parameter.VAR_KEYWORD: "**",
    }
    text = stars.get(parameter.kind, "") + parameter.name
    if "gp_" in str(parameter.annotation):
        text += ": gp_"  # a kernel type: that form is not for programs
    if parameter.default is inspect.Parameter.empty:
        return text
    default = parameter.default
    if isinstance(default, tuple) and all(hasattr(type(d), "__members__") for d in default):
        default = default[0]  # one alignment for all axes reads the same and is shorter
    if hasattr(default, "name") and hasattr(type(default), "__members__"):
        return f"{text}={type(default).__name__}.{default.name}"
    shown = repr(default)
    return f"{text}={shown}" if len(shown) <= 60 else f"{text}=…"


def _entry(name: str, *, whole: bool) -> dict[str, Any]:
    lines = _doc(name).splitlines()
    entry: dict[str, Any] = {
        "name": name,
        "signature": _signature(name),
        "help": "\n".join(lines if whole else lines[:DOC_LINES]),
    }
    thing = _resolve(name)
    if whole and inspect.isclass(thing):
        if hasattr(thing, "__members__"):
            entry["members"] = list(thing.__members__)
        else:
            public = [m for m in vars(thing) if not m.startswith("_")]
            entry["members"] = public[:MEMBERS]
    return entry
