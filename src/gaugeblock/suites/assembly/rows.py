"""The eight rows: what each looks at, what it needs, and the tolerances.

Every place is read with `BOUND_MM` to spare, so that a part exactly on a limit is inside it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gaugeblock.records.case import Round
from gaugeblock.records.grade import Figure, Verdict
from gaugeblock.records.measurement import Measurement, SolidFacts
from gaugeblock.records.rubric import Role, Rubric
from gaugeblock.suites.assembly.document import SavedObject, Unreadable, read_objects
from gaugeblock.suites.assembly.parts import Part, cast, parts_of
from gaugeblock.suites.suite import Delivered

LEAST_OBJECTS = 10
"""Visible editable objects: the source's criterion, one for each required label."""

LEAST_VOLUME_MM3 = 1.0
"""mm³ that each solid must have more than: the source's criterion. It tells a sliver from a
part; the smallest part of the reference, a grate bar, has 12,000."""

VOLUME_MM3 = 1e-6
"""mm³ by which a volume must be more to count as more: the ruler knows a small solid to 1e-12 mm³,
and a cube of 1 mm has not more than 1 mm³."""

HOUSING_RELATIVE = 0.05
"""Largest deviation of each size of the housing, over that size: the source's criterion. It leaves
room for a housing drawn a little in or out to make it look right."""

HOUSING_BOTTOM_MM = 1.0
"""mm that the housing's bottom may be off: the source's criterion."""

GROUND_MM = 0.5
"""mm that the lowest point may be off the ground: the source's criterion."""

BOUND_MM = 1e-6
"""mm by which a bound may pass a limit: the ruler's bounds of curved faces are good to about 1e-7,
and a part on the limit is inside."""

CRITERIA = {
    "least_objects": float(LEAST_OBJECTS),
    "least_volume_mm3": LEAST_VOLUME_MM3,
    "volume_mm3": VOLUME_MM3,
    "housing_relative": HOUSING_RELATIVE,
    "housing_bottom_mm": HOUSING_BOTTOM_MM,
    "ground_mm": GROUND_MM,
    "bound_mm": BOUND_MM,
}
"""Named tolerances, for the plan."""


@dataclass(frozen=True)
class Judged:
    """How one row came out."""

    verdict: Verdict
    expected: Figure = None
    measured: Figure = None
    finding: str = ""
    deviation: float | None = None
    tolerance: float | None = None


@dataclass(frozen=True)
class Facts:
    """What the rows look at.

    Attributes:
        asked: the round; its parameters are the sizes of housing and envelope, mm.
        rubric: with the roles.
        measurement: the ruler's read-back.
        parts: the delivery's parts.
        cast: parts by the label of the role they play.
        delivered: document and reopening.
    """

    asked: Round
    rubric: Rubric
    measurement: Measurement
    parts: tuple[Part, ...]
    cast: dict[str, tuple[Part, ...]]
    delivered: Delivered


def facts_of(delivered: Delivered, asked: Round, rubric: Rubric) -> tuple[Facts | None, str]:
    """Return what the rows look at; None, and why: the delivery was not measured."""
    measurement = delivered.measurement
    if measurement is None:
        return None, "the delivery was not read back"
    if measurement.verdict != "measured" or measurement.totals is None:
        why = measurement.reason or measurement.code
        return None, f"the ruler could not measure the file: {why}"
    parts = parts_of(measurement.solids)
    return Facts(asked, rubric, measurement, parts, cast(parts, rubric.roles), delivered), ""


def unknown(why: str, expected: Figure = None) -> Judged:
    """Return a row that could not be measured."""
    return Judged("could-not-measure", expected, None, why)


def _either(ok: bool, expected: Figure, measured: Figure, finding: str) -> Judged:
    """Return a pass, or a failure with what was found."""
    return Judged("pass" if ok else "fail", expected, measured, "" if ok else finding)


# --- rows that the document answers ----------------------------------------------------------


def _objects(delivered: Delivered) -> tuple[SavedObject, ...]:
    """Return the saved objects; Unreadable where there are none to read."""
    if delivered.document is None:
        raise Unreadable("no document was saved")
    return read_objects(delivered.document)


def _editable(delivered: Delivered) -> Judged:
    if "document" in delivered.lacks:
        return Judged("not-applicable", finding="the world keeps no document")
    try:
        objects = _objects(delivered)
    except Unreadable as error:
        return unknown(f"the document could not be read: {error}", LEAST_OBJECTS)
    visible = [item for item in objects if item.visible]
    count = sum(item.editable for item in visible)
    hidden, baked = len(objects) - len(visible), len(visible) - count
    finding = f"{count} visible editable objects; {hidden} hidden, {baked} baked"
    return _either(count >= LEAST_OBJECTS, LEAST_OBJECTS, count, finding)


def _reopens(delivered: Delivered) -> Judged:
    if delivered.lacks & {"document", "reopening"}:
        return Judged("not-applicable", finding="the world opens no saved document")
    again = delivered.reopening
    if again is None:
        return unknown("no fresh host opened the document", True)
    both = {"document": again.same_document, "STEP": again.same_step}
    changed = [name for name, same in both.items() if same is False]
    if changed:
        finding = f"{' and '.join(changed)} not the same when opened again"
        return Judged("fail", True, False, finding)
    if None in both.values():
        return unknown("; ".join(dict.fromkeys(again.unknown.values())), True)
    return Judged("pass", True, True)


# --- rows that the geometry answers ----------------------------------------------------------


def _closed(facts: Facts) -> Judged:
    stray = facts.measurement.stray
    loose = stray.faces if stray else 0
    faults = [f"{loose} faces outside any solid"] if loose else []
    riddles = []
    for part in facts.parts:
        for solid in part.solids:
            ok, why = _sound(solid)
            if ok is None:
                riddles.append(f"{_told(part)}: {why}")
            elif not ok:
                faults.append(f"{_told(part)}: {why}")
    if not facts.parts:
        faults.append("there is no solid")
    if not faults:
        riddles += _not_exported(facts)
    if not faults and riddles:
        return unknown("; ".join(riddles[:5]), True)
    return _either(not faults, True, not faults, "; ".join(faults[:5]))


def _sound(solid: SolidFacts) -> tuple[bool | None, str]:
    """Return whether a solid is closed and large enough; None: could not be measured."""
    volume, error = solid.volume.value, solid.volume.error_estimate
    broken = [name for name, part in solid.validity if part.ok is False]
    if broken:
        return False, f"not valid ({', '.join(broken)})"
    if volume is not None and error is not None:
        least = LEAST_VOLUME_MM3 + VOLUME_MM3
        if volume + error <= least:
            return False, f"{volume:.6g} mm³"
        if volume - error <= least:
            return None, f"{volume:.6g} mm³, known only to ±{error:.3g} mm³"
    if solid.valid is None or volume is None or error is None:
        return None, solid.volume.reason or "its validity or volume could not be measured"
    return True, ""


def _not_exported(facts: Facts) -> list[str]:
    """Return what says that the STEP holds other solids than the document's visible objects."""
    if "document" in facts.delivered.lacks:
        return []
    try:
        objects = _objects(facts.delivered)
    except Unreadable as error:
        return [f"the document could not be read: {error}"]
    saved = sum(item.solids for item in objects if item.visible)
    found = len(facts.measurement.solids)
    return [] if saved == found else [f"{found} solids exported, {saved} in the document"]


def _labels(facts: Facts) -> Judged:
    return _all_cast(facts, "labels")


def _details(facts: Facts) -> Judged:
    return _all_cast(facts, "details")


def _all_cast(facts: Facts, row: str) -> Judged:
    roles = facts.rubric.roles_of(row)
    missing = [_lacking(role, len(facts.cast[role.label])) for role in roles]
    wanted = sum(role.count for role in roles)
    found = sum(len(facts.cast[role.label]) for role in roles)
    lost = [text for text in missing if text]
    return _either(not lost, wanted, found, f"no part for {', '.join(lost)}")


def _lacking(role: Role, found: int) -> str:
    """Return what of a role is missing; empty: nothing."""
    if found == role.count:
        return ""
    return role.label if role.count == 1 else f"{role.count - found} of {role.count} {role.label}s"


def _housing(facts: Facts) -> Judged:
    wanted = facts.asked.parameters
    low = [wanted["housingLeft"], wanted["housingFront"], wanted["housingBottom"]]
    high = [wanted["housingRight"], wanted["housingBack"], wanted["housingTop"]]
    sizes = [top - bottom for bottom, top in zip(low, high, strict=True)]
    expected = (*sizes, low[2])
    part = _player(facts, "housing")
    if part is None:
        return Judged("fail", expected, None, "no part is the housing")
    box = part.bounds
    if box is None:
        return unknown(f"the bounds of {_told(part)} could not be measured", expected)
    found = [top - bottom for bottom, top in zip(box.min, box.max, strict=True)]
    measured = (*found, box.min[2])
    pairs = list(zip(("width", "depth", "height"), found, sizes, strict=True))
    off = [
        f"{name} {size:.6g} instead of {right:g} mm"
        for name, size, right in pairs
        if abs(size - right) > HOUSING_RELATIVE * right + BOUND_MM
    ]
    if abs(box.min[2] - low[2]) > HOUSING_BOTTOM_MM + BOUND_MM:
        off.append(f"bottom at {box.min[2]:.6g} instead of {low[2]:g} mm")
    deviation = max(abs(size - right) / right for _, size, right in pairs)
    verdict: Verdict = "fail" if off else "pass"
    return Judged(verdict, expected, measured, "; ".join(off), deviation, HOUSING_RELATIVE)


def _envelope(facts: Facts) -> Judged:
    wanted = facts.asked.parameters
    ground = wanted["ground"]
    low = (wanted["envelopeLeft"], wanted["envelopeFront"], ground)
    high = (wanted["envelopeRight"], wanted["envelopeBack"], wanted["envelopeTop"])
    totals = facts.measurement.totals
    box = None if totals is None else totals.bounds
    if not facts.parts:
        return Judged("fail", (*low, *high), None, "there is no solid")
    if box is None:
        return unknown("the ruler gave no bounds", (*low, *high))
    beyond = {
        "left": low[0] - box.min[0],
        "right": box.max[0] - high[0],
        "front": low[1] - box.min[1],
        "back": box.max[1] - high[1],
        "top": box.max[2] - high[2],
    }
    off = [f"{by:.6g} mm beyond {side}" for side, by in beyond.items() if by > BOUND_MM]
    if abs(box.min[2] - ground) > GROUND_MM + BOUND_MM:
        off.append(f"lowest point at Z {box.min[2]:.6g}, ground is {ground:g} mm")
    return _either(not off, (*low, *high), (*box.min, *box.max), "; ".join(off))


def _group_head(facts: Facts) -> Judged:
    players = {label: _player(facts, label) for label in ("group head", "drip tray")}
    missing = [label for label, part in players.items() if part is None]
    if missing:
        return Judged("fail", True, None, f"no part is the {' or the '.join(missing)}")
    head, tray = (part.bounds if part else None for part in players.values())
    if head is None or tray is None:
        return unknown("the bounds of group head or drip tray could not be measured", True)
    gap = head.min[2] - tray.max[2]
    shared = [min(head.max[i], tray.max[i]) - max(head.min[i], tray.min[i]) for i in (0, 1)]
    off = []
    if gap < -BOUND_MM:
        off.append(f"it begins {-gap:.6g} mm below the top of the tray")
    if min(shared) <= BOUND_MM:
        off.append("its bounds do not overlap the tray's seen from above")
    return _either(not off, True, not off, "; ".join(off))


def _player(facts: Facts, label: str) -> Part | None:
    """Return the part that plays a role."""
    players = facts.cast[label]
    return players[0] if players else None


def _told(part: Part) -> str:
    return "an unnamed solid" if part.name is None else f"`{part.name[:60]}`"


OF_THE_DOCUMENT: dict[str, Callable[[Delivered], Judged]] = {
    "editable": _editable,
    "reopens": _reopens,
}
"""Rows that the saved document answers, and what a fresh host made of it."""
OF_THE_GEOMETRY: dict[str, Callable[[Facts], Judged]] = {
    "closed": _closed,
    "labels": _labels,
    "housing": _housing,
    "envelope": _envelope,
    "group-head": _group_head,
    "details": _details,
}
"""Rows that the measured STEP answers."""
ROWS = frozenset((*OF_THE_DOCUMENT, *OF_THE_GEOMETRY))
"""Names of the rows that can be judged."""
