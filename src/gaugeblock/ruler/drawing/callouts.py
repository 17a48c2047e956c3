"""What is printed for features: ``4× ⌀8 ↧ 16``, ``M8x1.25 – 6H``, ``1×45°`` (ISO 129-1, 6410-1)."""

from __future__ import annotations

import math
import re

from gaugeblock.records.features import Chamfer, Feature, Hole, Thread
from gaugeblock.records.spectrum import SheetDimension
from gaugeblock.ruler.drawing.lettering import number
from gaugeblock.ruler.drawing.wishes import Size

INTERNAL_CLASS, EXTERNAL_CLASS = "6H", "6g"
"""Tolerance classes of metric threads where nothing else is said (ISO 965-1: medium)."""

DRILL_POINTS = (117.5, 120.5)
"""Full angles of a blind hole's tip that nobody dimensions, degrees: twist drills have 118°, and
ISO 6410-1 draws 120°."""

RIGHT = 0.01
"""How far a chamfer's angle may be from that of its set-backs at a right angle, degrees: what
angles are printed to."""

FIT = re.compile(r"\d [A-Za-z]{1,2}\d{1,2}(?!\w)")
"""A size and its fit, ``⌀20 H7``, in a label."""


def counted(count: int, text: str) -> str:
    """Return a text with the number of places that it stands for."""
    return f"{count}× {text}" if count > 1 else text


def hole_text(hole: Hole) -> str:
    """Return a hole's size: bore, depth, and what widens it at the entry and at the far end."""
    parts = [f"⌀{number(hole.diameter)}"]
    widened = hole.counterbore or hole.countersink or hole.far_counterbore or hole.far_countersink
    if len(hole.steps) > 1 and not widened:
        parts = [f"⌀{number(d)} ↧ {number(long)}" for d, long in hole.steps[:-1]]
        parts.append(f"⌀{number(hole.steps[-1][0])}")
    if not hole.through:
        parts[-1] += f" ↧ {number(hole.depth)}"
        tip = _tipped(hole)
        parts[-1] += "" if tip is None else f" tip {number(tip, 2)}°"
    if hole.counterbore is not None:
        bore = hole.counterbore
        parts.append(f"⌴ ⌀{number(bore.diameter)} ↧ {number(bore.depth)}")
    if hole.countersink is not None:
        sink = hole.countersink
        parts.append(f"⌵ ⌀{number(sink.diameter)} × {number(sink.angle)}°")
    far = []
    if hole.far_counterbore is not None:
        bore = hole.far_counterbore
        far.append(f"⌴ ⌀{number(bore.diameter)} ↧ {number(bore.depth)}")
    if hole.far_countersink is not None:
        sink = hole.far_countersink
        far.append(f"⌵ ⌀{number(sink.diameter)} × {number(sink.angle)}°")
    if far:
        parts.append("far side " + " ".join(far))
    return " ".join(parts)


def _tipped(hole: Hole) -> float | None:
    """Return the full angle of a conical bottom that no drill leaves, degrees."""
    tip = hole.tip_angle if not hole.through else None
    return None if tip is None or DRILL_POINTS[0] < tip < DRILL_POINTS[1] else tip


def hole_sizes(hole: Hole) -> tuple[Size, ...]:
    """Return the sizes that a hole's call-out tells."""
    found = [Size("diameter", d) for d, _ in hole.steps] or [Size("diameter", hole.diameter)]
    if not hole.through:
        found.append(Size("length", hole.depth))
        tip = _tipped(hole)
        found += [] if tip is None else [Size("angle", tip)]
    for bore in (hole.counterbore, hole.far_counterbore):
        if bore is not None:
            found += [Size("diameter", bore.diameter), Size("length", bore.depth)]
    for sink in (hole.countersink, hole.far_countersink):
        if sink is not None:
            found += [Size("diameter", sink.diameter), Size("angle", sink.angle)]
    return tuple(dict.fromkeys(found))


def thread_sizes(thread: Thread) -> tuple[Size, ...]:
    """Return the sizes that a thread's call-out tells."""
    return (Size("diameter", thread.major), Size("length", thread.length))


def chamfer_sizes(chamfer: Chamfer) -> tuple[Size, ...]:
    """Return the sizes that a chamfer's note tells."""
    found = [Size("length", leg) for leg in chamfer.legs] + [Size("angle", chamfer.angle)]
    return tuple(dict.fromkeys(found))


def thread_text(thread: Thread) -> str:
    """Return a thread's designation, tolerance class and length."""
    name = thread.designation
    if name is None:
        name = f"⌀{number(thread.major)} × P{number(thread.pitch)}"
    if thread.starts > 1:
        name += f" {thread.starts} starts"
    if thread.hand == "left":
        name += " LH"
    if thread.designation is not None and thread.designation.startswith("M"):
        name += f" – {INTERNAL_CLASS if thread.internal else EXTERNAL_CLASS}"
    if thread.internal and not thread.through:
        name += f" ↧ {number(thread.length)}"
    return name


def askew(feature: Feature) -> bool:
    """Whether a feature is a chamfer between faces that are not at right angles.

    ``1×45°`` says nothing of it that can be read from a view: it is drawn as the plane it is.
    """
    if not isinstance(feature, Chamfer):
        return False
    low, high = feature.legs
    return abs(feature.angle - math.degrees(math.atan2(low, high))) > RIGHT


def chamfer_text(chamfer: Chamfer) -> str:
    """Return a chamfer's size: ``1×45°``, or set-back and angle."""
    low, high = chamfer.legs
    if abs(high - low) < 1e-3 * high:
        return f"{number(low)}×45°"
    return f"{number(high)}×{number(chamfer.angle, 2)}°"


def given_text(given: SheetDimension) -> str:
    """Return a sheet's own dimension with its deviations, unless its label says them already."""
    label = given.label.strip()
    says = any(sign in label for sign in "±+−") or FIT.search(label)
    if says or (given.upper is None and given.lower is None):
        return label
    upper, lower = given.upper or 0.0, given.lower or 0.0
    unit = "°" if given.type == "angle" else ""
    if abs(upper + lower) < 1e-9:
        return f"{label} ±{number(upper)}{unit}"
    return f"{label} {_signed(upper)}{unit}/{_signed(lower)}{unit}"


def _signed(value: float) -> str:
    if abs(value) < 1e-9:
        return "0"
    return f"+{number(value)}" if value > 0 else f"−{number(-value)}"
