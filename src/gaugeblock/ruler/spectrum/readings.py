"""How a sheet may write what was measured: which dimensions answer to a length, ⌀, R or angle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Literal, NamedTuple

from gaugeblock.records.spectrum import (
    Dimension,
    DimensionKind,
    Instance,
    Reading,
    SheetDimension,
)
from gaugeblock.ruler.spectrum.arcs import FULL
from gaugeblock.ruler.spectrum.tolerances import angular_deviation

SheetType = Literal["length", "diameter", "radius", "angle"]


class Supply(NamedTuple):
    """Equal measured dimensions that answer alike."""

    kind: DimensionKind
    value: float
    part: bool
    """A round face that goes only part of the way around, which a sheet may give as a radius."""
    external: bool | None
    leg: float | None
    """A leg of the step that tolerates the angle, mm."""
    places: int
    """Sheet values that can stand on it."""


def supplies_of(dimensions: list[Dimension]) -> list[Supply]:
    """Return what sheet values can stand on, in a fixed order."""
    found = []
    for dimension in dimensions:
        counted = Counter(_like(item) for item in dimension.instances if not item.repeats)
        for (part, external, deviation), count in counted.items():
            legs = [
                item.leg
                for item in dimension.instances
                if item.leg is not None and angular_deviation(item.leg) == deviation
            ]
            leg = min(legs, default=None)
            found.append(Supply(dimension.kind, dimension.value, part, external, leg, count))
    return sorted(found, key=lambda s: (s.kind, s.value, s.part, str(s.external), s.leg or 0.0))


def _like(item: Instance) -> tuple[bool, bool | None, float | None]:
    part = item.turn is not None and item.turn < FULL
    return part, item.external, None if item.leg is None else angular_deviation(item.leg)


def readings_of(
    supply: Supply, asked: SheetType, extended: bool
) -> Iterator[tuple[Reading, float]]:
    """Yield what a sheet value of a type would be if it gave this dimension.

    Args:
        supply: The measured dimension.
        asked: Type of the sheet value.
        extended: Whether distances of axes count as lengths.
    """
    value = supply.value
    match asked, supply.kind:
        case ("length", "edge-length" | "plane-distance" | "axial-length"):
            yield "as measured", value
        case ("diameter", "diameter") | ("radius", "radius" | "torus-radius"):
            yield "as measured", value
        case "length", "axis-distance":
            if extended:
                yield "as measured", value
        case "radius", "diameter":
            if supply.part:
                yield "half", value / 2
        case "angle", "plane-angle":
            yield "as measured", value
            yield "supplement", 180.0 - value
        case "angle", "cone-angle":
            yield "as measured", value
            yield "double", 2 * value
            yield "complement", 90.0 - value


def answers(supply: Supply, dimension: SheetDimension, extended: bool) -> bool:
    """Whether a supply is of a sheet value's type."""
    return any(True for _ in readings_of(supply, dimension.type, extended))
