"""Features and what became of them, in plain words: ``hole ⌀8 through at (10, 20, 5)``."""

from __future__ import annotations

import math
from collections.abc import Sequence

from gaugeblock.records.feature_match import FeatureOutcome, ParameterChange
from gaugeblock.records.features import (
    Boss,
    Chamfer,
    Feature,
    Fillet,
    Groove,
    Hole,
    Recess,
    Thread,
)
from gaugeblock.records.measurement import Triple

PLURALS = {"boss": "bosses"}
"""Nouns that take more than an s."""

SMALL = 0.01
"""Part of a shift that its other components may have while it is still along one axis."""

PLACES_TOLD = 3
"""Places told of features that share a line; more are counted."""


def described(feature: Feature, count: int = 1) -> str:
    """Return what a feature is, without where: ``hole ⌀8 through``, ``3 fillets R2, convex``."""
    noun, rest = _noun(feature), _rest(feature)
    if count > 1:
        noun = f"{count} {PLURALS.get(noun, noun + 's')}"
    return f"{noun} {rest}".strip()


def at(position: Triple) -> str:
    """Return a place, mm, to a micrometre: ``at (10, 20, 5)``."""
    return f"at ({', '.join(number(round(value, 3)) for value in position)})"


def number(value: float) -> str:
    """Return a length in mm or an angle in degrees, to three decimals; small ones to four figures.

    A difference that three decimals hide must not be told as none.
    """
    text = f"{value:.3f}" if abs(value) >= 0.05 or value == 0 else f"{value:.4g}"
    if "e" in text:
        return "0" if abs(value) < 1e-9 else text
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def shifted(shift: Triple) -> str:
    """Return a shift: ``moved 0.5 mm along +x``, ``moved 5 mm by (3, 4, 0)``."""
    length = math.hypot(*shift)
    for name, value in zip("xyz", shift, strict=True):
        others = math.sqrt(max(length**2 - value**2, 0.0))
        if others <= SMALL * length:
            return f"moved {number(length)} mm along {'+' if value > 0 else '−'}{name}"
    return f"moved {number(length)} mm by ({', '.join(map(number, shift))})"


def changed(changes: Sequence[ParameterChange]) -> str:
    """Return changes of parameters: ``diameter 8 → 8.5 mm, gained a counterbore ⌀11 × 6``."""
    told = []
    left = list(changes)
    for thing in ("far counterbore", "far countersink", "counterbore", "countersink"):
        own = [change for change in left if change.parameter.startswith(f"{thing} ")]
        for verb, side in (("gained", "candidate"), ("lost", "reference")):
            values = [getattr(change, side) for change in own]
            before = "reference" if side == "candidate" else "candidate"
            gone = [getattr(change, before) for change in own]
            if own and all(v is not None for v in values) and all(v is None for v in gone):
                parts = [_with_unit(change, getattr(change, side)) for change in own]
                told.append(f"{verb} a {thing} {' × '.join(parts)}")
                left = [change for change in left if change not in own]
    for change in left:
        old, new = (_value(value) for value in (change.reference, change.candidate))
        if old == new:  # three decimals hide it
            old, new = f"{change.reference:.9g}", f"{change.candidate:.9g}"
        unit = change.unit if change.unit == "°" else f" {change.unit}".rstrip()
        told.append(f"{change.parameter} {old} → {new}{unit}")
    return ", ".join(told)


def told(
    outcome: str,
    feature: Feature,
    position: Triple,
    shift: Triple | None,
    turn: float | None,
    changes: Sequence[ParameterChange],
    owner: str,
) -> str:
    """Return one outcome as a line.

    Args:
        outcome: `FeatureOutcome.outcome`.
        feature: The reference's; the candidate's, if it is extra.
        position: Where it is told to be, mm.
        shift: Where beyond its tolerance, mm; else None.
        turn: Degrees, where beyond its tolerance; else None.
        changes: What else.
        owner: What the one file is called that has a feature which is missing or extra.
    """
    fate = _became(outcome, shift, turn, changes, owner)
    return f"{described(feature)} {at(position)}: {fate}"


def summed_up(outcomes: Sequence[FeatureOutcome], features: Sequence[Feature]) -> list[str]:
    """Return what differs, features of one description with the same fate in one line.

    Args:
        outcomes: All outcomes, in order; matched ones are left out.
        features: The feature that each is told of.
    """
    groups: dict[tuple[str, str], list[int]] = {}
    for i, (outcome, feature) in enumerate(zip(outcomes, features, strict=True)):
        if outcome.outcome == "matched":
            continue
        fate = outcome.text.partition("): ")[2]
        groups.setdefault((described(feature), fate), []).append(i)
    lines = []
    for (_, fate), members in groups.items():
        first = features[members[0]]
        if len(members) == 1:
            lines.append(outcomes[members[0]].text)
            continue
        places = [at(outcomes[i].position).removeprefix("at ") for i in members[:PLACES_TOLD]]
        more = len(members) - PLACES_TOLD
        where = ", ".join(places) + (f" and {more} more" if more > 0 else "")
        lines.append(f"{described(first, len(members))} at {where}: {fate}")
    return lines


def _became(
    outcome: str,
    shift: Triple | None,
    turn: float | None,
    changes: Sequence[ParameterChange],
    owner: str,
) -> str:
    if outcome in ("missing", "extra"):
        return f"only in {owner}"
    parts = [changed(changes)] if changes else []
    if shift is not None:
        parts.append(shifted(shift))
    if turn is not None:
        parts.append(f"turned by {number(turn)}°")
    return ", ".join(parts) or "matched"


def _with_unit(change: ParameterChange, value: float | str | None) -> str:
    sign = "⌀" if change.parameter.endswith("diameter") else ""
    return f"{sign}{_value(value)}{'°' if change.unit == '°' else ''}"


def _value(value: float | str | None) -> str:
    if value is None:
        return "none"
    return value if isinstance(value, str) else number(value)


def _noun(feature: Feature) -> str:
    if isinstance(feature, Groove):
        return {"external": "outer groove", "internal": "inner groove", "face": "face groove"}[
            feature.where
        ]
    if isinstance(feature, Thread):
        return "internal thread" if feature.internal else "external thread"
    return feature.kind


def _rest(feature: Feature) -> str:
    match feature:
        case Hole():
            return _hole(feature)
        case Boss():
            across = (
                f"⌀{number(feature.diameter)}"
                if feature.diameter is not None
                else _times(feature.length, feature.width)
            )
            return f"{across} × {number(feature.height)} high".lstrip()
        case Recess():
            across = _times(feature.length, feature.width)
            deep = "through" if feature.through else f"× {number(feature.depth)} deep"
            return f"{across} {deep}".lstrip(" ×")
        case Groove():
            return (
                f"⌀{number(feature.diameter)}, {number(feature.width)} wide,"
                f" {number(feature.depth)} deep"
            )
        case Chamfer():
            small, large = feature.legs
            if math.isclose(small, large, rel_tol=1e-3):
                return f"{number(large)} × {number(feature.angle)}°, {feature.side}"
            return f"{number(small)} × {number(large)}, {feature.side}"
        case Fillet():
            return f"R{number(feature.radius)}, {feature.side}"
        case Thread():
            size = feature.designation
            if size is None:
                size = f"⌀{number(feature.major)} pitch {number(feature.pitch)}"
            hand = " left-hand" if feature.hand == "left" else ""
            starts = f" {feature.starts} starts" if feature.starts != 1 else ""
            return f"{size}{hand}{starts} × {number(feature.length)} long"


def _hole(hole: Hole) -> str:
    words = f"⌀{number(hole.diameter)} "
    words += "through" if hole.through else f"× {number(hole.depth)} deep"
    for place, bore, sink in (
        ("", hole.counterbore, hole.countersink),
        ("far ", hole.far_counterbore, hole.far_countersink),
    ):
        if bore is not None:
            words += f", {place}counterbore ⌀{number(bore.diameter)} × {number(bore.depth)}"
        if sink is not None:
            words += f", {place}countersink ⌀{number(sink.diameter)} × {number(sink.angle)}°"
    return words


def _times(length: float | None, width: float | None) -> str:
    return " × ".join(number(value) for value in (length, width) if value is not None)
