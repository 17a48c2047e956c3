"""One DIMENSION of a DXF: what it prints, and what its own points measure.

The value between the definition points times DIMLFAC is the part's size; the text is what a reader
sees. Both are told, and neither is taken for the other.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

from ezdxf.entities import Dimension

from gaugeblock.ruler.sheet_reading.dxf_texts import of_paragraph

Kind = Literal["linear", "diameter", "radius", "angle", "ordinate"]

KINDS: dict[int, Kind] = {
    0: "linear",
    1: "linear",
    2: "angle",
    3: "diameter",
    4: "radius",
    5: "angle",
    6: "ordinate",
}
"""By DXF group 70 of a DIMENSION, its lowest three bits."""

DECIMAL_UNITS = (2, 6)
"""DIMLUNIT of decimal numbers; others print feet, fractions or powers of ten."""

PLACES_MOST = 8
"""Most digits after the point that DIMDEC asks for."""


@dataclass(frozen=True)
class Measured:
    """A DIMENSION, taken apart."""

    kind: Kind
    value: float
    """Between its points, mm or degrees of the part."""
    text: str
    """What it prints."""
    own_text: bool
    """Whether the text says its number itself, and does not follow the geometry."""
    boxed: bool
    """Whether it is theoretically exact (ISO 5459): toleranced by a frame elsewhere."""


def measured(entity: Dimension, on_paper: bool) -> Measured | str:
    """Take a dimension apart.

    Args:
        entity: Hostile.
        on_paper: Whether it stands in a layout, where a negative DIMLFAC holds too.

    Returns:
        Or one line why it is none that can be read.
    """
    kind = KINDS.get(entity.dimtype)
    if kind is None:
        return "a dimension of an unknown kind"
    style = _style(entity)
    value = _between(entity, kind)
    if not math.isfinite(value):
        return "its points are no numbers"
    if kind != "angle":
        value *= scale_factor(entity, on_paper)
    raw = str(entity.dxf.get("text", "") or "")
    if raw and not raw.strip():
        return "its text is suppressed"
    if kind != "angle" and int(style("dimlunit", 2)) not in DECIMAL_UNITS and "<>" in (raw or "<>"):
        return "prints no decimal number (DIMLUNIT)"
    own_text = raw != "" and "<>" not in raw
    text = of_paragraph((raw or "<>").replace("<>", _automatic(kind, value, style)))
    return Measured(kind, value, text, own_text, float(style("dimgap", 0.625)) < 0)


def scale_factor(entity: Dimension, on_paper: bool) -> float:
    """Return what a dimension's lengths are multiplied by: one over the scale of its view.

    Args:
        entity: Hostile; a factor that is no number counts as 1.
        on_paper: Whether it stands in a layout, where a negative DIMLFAC holds too (AutoCAD's
            rule).
    """
    try:
        factor = float(_style(entity)("dimlfac", 1.0))
    except (AttributeError, LookupError, TypeError, ValueError):
        return 1.0
    return abs(factor) if factor > 0 or on_paper else 1.0


def _style(entity: Dimension) -> Any:
    """Return what asks the entity's own overrides, then its style, then the default."""
    override = entity.override()

    def value(name: str, default: Any) -> Any:
        found = override.get(name, default)
        return default if found is None else found

    return value


def _between(entity: Dimension, kind: Kind) -> float:
    """Return what lies between a dimension's points, in the file's units or degrees."""
    dxf = entity.dxf
    if kind == "linear":
        way = dxf.defpoint3 - dxf.defpoint2
        if entity.dimtype == 1:
            return float(math.hypot(way.x, way.y))
        turn = math.radians(dxf.get("angle", 0.0))
        return float(abs(way.x * math.cos(turn) + way.y * math.sin(turn)))
    if kind in ("diameter", "radius"):
        return float(dxf.defpoint.distance(dxf.defpoint4))
    if kind == "ordinate":
        way = dxf.defpoint2 - dxf.defpoint
        return abs(float(way.x if dxf.dimtype & 64 else way.y))
    return abs(float(entity.get_measurement()))


def _automatic(kind: Kind, value: float, style: Any) -> str:
    """Return what stands for ``<>``: the number with prefix, suffix and deviations."""
    name = "dimadec" if kind == "angle" else "dimdec"
    places = int(style(name, 2))
    if places < 0:
        places = int(style("dimdec", 2))
    number = _number(value, min(max(places, 0), PLACES_MOST))
    unit = "°" if kind == "angle" else ""
    before, mark, behind = str(style("dimpost", "") or "").partition("<>")
    if before and not mark:
        before, behind = "", before
    if not before:
        before = {"diameter": "⌀", "radius": "R"}.get(kind, "")
    return f"{before}{number}{unit}{behind}{_deviations(style, unit)}"


def _deviations(style: Any, unit: str) -> str:
    """Return the deviations that DIMTOL or DIMLIM print; limits say the same."""
    if not (style("dimtol", 0) or style("dimlim", 0)):
        return ""
    plus, minus = float(style("dimtp", 0.0)), float(style("dimtm", 0.0))
    places = PLACES_MOST
    if plus == minus:
        return f" ±{_number(plus, places)}{unit}" if plus > 0 else ""
    return f" {_signed(plus, places)}{unit}/{_signed(-minus, places)}{unit}"


def _signed(value: float, places: int) -> str:
    if value == 0:
        return "0"
    return ("+" if value > 0 else "-") + _number(abs(value), places)


def _number(value: float, places: int) -> str:
    text = f"{value:.{places}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
