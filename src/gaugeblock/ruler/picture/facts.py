"""What stands beside a difference picture: facts side by side, figures of overlap, hints in words.

Pure functions over the records `Measurement` and `Overlap`; no geometry here.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass

from gaugeblock.records.measurement import Measurement
from gaugeblock.records.overlap import Iou, Overlap

SAME_IOU = 1e-6
"""Bodies whose IoU is this close to 1 are the same: the accuracy of the ruler's volumes."""

SAME_PART = 1e-6
"""Relative difference of volumes and areas that is not marked: the same accuracy."""

SAME_LENGTH = 1e-6
"""Difference of coordinates that is not marked, as a part of the larger box's diagonal."""

LIKE = 0.999
"""IoU of a mirrored or rescaled body from which it *is* the other: mesh booleans are good to some
1e-4 on small curved parts."""

STILL = 1e-6
"""Turns below this many degrees, and shifts below it in mm, are none: an alignment is refined to
some 1e-7, and nobody moves a part by less than what files are written with."""

PLAIN_METHODS = {"identical": "boundaries match face by face", "apart": "boxes share no space"}
"""Methods that need no cross-check."""

NOTHING = 1e-9
"""Volumes below this part of A are rounding of the booleans: shown as 0."""

MANY = 10.0
"""Multiples of A from which a volume is told as such, and no longer in percent."""

FEW = 1e-6
"""Part of A below which a volume's percentage says nothing: the accuracy of the ruler's volumes."""

HINTED = frozenset({"mirrored", "unit-scale"})
"""Findings of a comparison that `hints` says in its own words."""

NAMES_SHOWN = 6
"""Different names listed; a longer list says nothing to a reader."""


@dataclass(frozen=True)
class Row:
    """One fact of both files, written out."""

    name: str
    a: str
    b: str
    differs: bool


def fact_rows(a: Measurement, b: Measurement) -> list[Row]:
    """Return the facts of two measured files side by side."""
    one, two = a.totals, b.totals
    if one is None or two is None:
        return []
    sizes = [_size(totals.bounds) for totals in (one, two)]
    diagonal = max((math.hypot(*size) for size in sizes if size is not None), default=1.0)
    length = SAME_LENGTH * diagonal
    surfaces = [_surfaces(m) for m in (a, b)]
    rows = [
        _number("volume mm³", one.volume, two.volume, _error(a) + _error(b)),
        _number("area mm²", _area(a), _area(b), 0.0),
        _triple("size mm", sizes[0], sizes[1], length),
        _triple("centroid mm", _centroid(a), _centroid(b), length),
        _plain("valid", _yes(one.valid), _yes(two.valid)),
        _plain("solids", str(one.solids), str(two.solids)),
        _plain("faces", str(one.faces), str(two.faces)),
        *(
            _plain(f"  {kind}", str(surfaces[0][kind]), str(surfaces[1][kind]))
            for kind in sorted(surfaces[0] | surfaces[1])
        ),
        _plain("genus", _genus(a), _genus(b)),
        _plain("units", _units(a), _units(b)),
        _names(one.names, two.names),
    ]
    return rows


def figures(overlap: Overlap) -> list[tuple[str, str]]:
    """Return name and value of the figures of a comparison."""
    out = []
    for name, iou in (("IoU as posed", overlap.posed), ("IoU aligned", overlap.aligned)):
        if iou is not None:
            out.append((name, iou_text(iou)))
    if overlap.alignment is not None:
        out.append(("motion laying A on B", _motion(overlap)))
    volumes = overlap.volumes
    if volumes is not None:
        whole = volumes.a.value
        for name, quantity in (
            ("common", volumes.common),
            ("only in A", volumes.only_a),
            ("only in B", volumes.only_b),
        ):
            out.append((name, volume_text(quantity.value, whole)))
    return out


def iou_text(iou: Iou) -> str:
    """Return an IoU with its method and what its cross-checks say."""
    if iou.iou is None:
        return f"could not be measured: {iou.reason or 'no reason given'}"
    agree = {True: "cross-checks agree", False: "cross-checks disagree", None: "not cross-checked"}
    how = PLAIN_METHODS.get(iou.method) or f"{iou.method}, {agree[iou.cross_checks.agree]}"
    text = f"{iou.iou:.7f} ({how})"
    if iou.verdict != "measured":
        return f"could not be measured: {iou.reason or text}"
    return text


def volume_text(value: float | None, whole: float | None) -> str:
    """Return a volume in mm³ and as a part of `whole` (mm³)."""
    if value is None:
        return "unknown"
    if whole and abs(value) < NOTHING * whole:
        value = 0.0
    text = f"{_figure(value)} mm³"
    return f"{text} ({_part(value / whole)} A)" if whole else text


def _part(ratio: float) -> str:
    """Return a part of a whole in words: in percent, or as a multiple."""
    if ratio >= MANY:
        return f"{ratio:,.0f} times"
    if 0.0 < ratio < FEW:
        return f"less than {100.0 * FEW:g} % of"
    return f"{100.0 * ratio:.4g} % of"


def decisive(overlap: Overlap) -> Iou | None:
    """Return the IoU that says whether the parts are the same: aligned if there is one."""
    return overlap.aligned or overlap.posed


def same(overlap: Overlap) -> bool | None:
    """Whether the two are one shape in the pose compared; None: could not be measured."""
    iou = decisive(overlap)
    if overlap.verdict != "measured" or iou is None or iou.verdict != "measured":
        return None
    return None if iou.iou is None else iou.iou >= 1.0 - SAME_IOU


def verdict(overlap: Overlap) -> str:
    """Return the answer in one line."""
    alike = same(overlap)
    if alike is None:
        iou = decisive(overlap)
        reason = overlap.reason or (iou.reason if iou is not None else None)
        return f"could not measure: {reason or 'the methods contradict each other'}"
    if not alike:
        return "different"
    return "identical" if _in_place(overlap) else "identical in shape, in another place"


def hints(a: Measurement, b: Measurement, overlap: Overlap) -> list[str]:
    """Return what the figures mean, and what speaks against them, in words."""
    return [*meanings(overlap), *doubts(a, b, overlap)]


def meanings(overlap: Overlap) -> list[str]:
    """Return what the figures mean, in words; the plainest first."""
    out = []
    alike = same(overlap)
    if alike and _in_place(overlap):
        out.append("identical: the same shape in the same place")
    elif alike:
        out.append(f"B is A moved by {_motion(overlap)}")
    out += _scale_hint(overlap)
    out += _mirror_hint(overlap)
    if alike is False and not out:
        out += _change_hint(overlap)
    return out


def doubts(a: Measurement, b: Measurement, overlap: Overlap) -> list[str]:
    """Return what speaks against the figures, in words."""
    out = []
    if same(overlap) is False and overlap.alignment is not None and overlap.alignment.ambiguous:
        out.append("several poses fit equally well; the one that moves least is shown")
    flagged = decisive(overlap)
    if flagged is not None and flagged.flagged:
        out.append("the overlap is from meshes: the kernel's own booleans failed")
    for name, measurement in (("A", a), ("B", b)):
        if measurement.totals is not None and measurement.totals.valid is not True:
            state = "is not valid" if measurement.totals.valid is False else "may not be valid"
            out.append(f"{name} {state}: its volumes are doubtful")
    return out


def findings(overlap: Overlap) -> list[str]:
    """Return the remarks of a comparison that `hints` does not say in its own words."""
    return [f"{item.code}: {item.message}" for item in overlap.findings if item.code not in HINTED]


def _in_place(overlap: Overlap) -> bool:
    posed = overlap.posed
    return posed is not None and posed.iou is not None and posed.iou >= 1.0 - SAME_IOU


def _scale_hint(overlap: Overlap) -> list[str]:
    scale = overlap.scale
    if scale is None or scale.unit is None or not scale.factor:
        return []
    pair, _, ratio = scale.unit.rpartition(" ")
    bigger, smaller = ("B", "A") if scale.factor > 1 else ("A", "B")
    exact = scale.iou_rescaled is not None and scale.iou_rescaled >= LIKE
    how = "is" if exact else "is about"
    return [f"{bigger} {how} {ratio} times {smaller}: an {pair.replace('↔', '/')} mix-up"]


def _mirror_hint(overlap: Overlap) -> list[str]:
    mirrored, iou = overlap.mirrored, decisive(overlap)
    if mirrored is None or not mirrored.better or mirrored.iou_mirrored is None:
        return []
    if mirrored.iou_mirrored >= LIKE:
        return ["B is the mirror image of A"]
    own = "unknown" if iou is None or iou.iou is None else f"{iou.iou:.4f}"
    return [f"A's mirror image fits B better: IoU {mirrored.iou_mirrored:.4f} against {own}"]


def _change_hint(overlap: Overlap) -> list[str]:
    volumes = overlap.volumes
    if volumes is None or volumes.only_a.value is None or volumes.only_b.value is None:
        return []
    least = SAME_PART * (volumes.a.value or 0.0)
    lost, gained = volumes.only_a.value > least, volumes.only_b.value > least
    if gained and not lost:
        return ["B is A with material added"]
    if lost and not gained:
        return ["B is A with material removed"]
    if lost and gained and _close(volumes.only_a.value, volumes.only_b.value, 0.0):
        return ["the same volume, but another shape: something was moved"]
    return []


def _motion(overlap: Overlap) -> str:
    motion = overlap.alignment
    if motion is None:
        return "an unknown motion"
    shift = 0.0 if motion.shift_mm < STILL else motion.shift_mm
    angle = 0.0 if motion.angle_deg < STILL else motion.angle_deg
    if not shift and not angle:
        return "none"
    turn = f", turned by {angle:.6g}°" if angle else ""
    return f"{shift:.6g} mm{turn}"


def _number(name: str, a: float | None, b: float | None, error: float) -> Row:
    texts = ["unknown" if value is None else _figure(value) for value in (a, b)]
    differs = texts[0] != texts[1] if a is None or b is None else not _close(a, b, error)
    return Row(name, texts[0], texts[1], differs)


def _close(a: float, b: float, error: float) -> bool:
    return abs(a - b) <= max(error, SAME_PART * max(abs(a), abs(b)))


def _figure(value: float) -> str:
    """Return a number with about eight figures, thousands set off."""
    if abs(value) < 1.0:
        return f"{value:.6g}"
    decimals = min(max(7 - math.floor(math.log10(abs(value))), 0), 6)
    text = f"{value:,.{decimals}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _triple(
    name: str,
    a: tuple[float, ...] | None,
    b: tuple[float, ...] | None,
    tolerance: float,
) -> Row:
    texts = [
        "unknown"
        if value is None
        else " × ".join(f"{_tidy(part, tolerance):g}" for part in value)
        if name.startswith("size")
        else ", ".join(f"{_tidy(part, tolerance):g}" for part in value)
        for value in (a, b)
    ]
    if a is None or b is None:
        return Row(name, texts[0], texts[1], a is not b)
    return Row(name, texts[0], texts[1], math.dist(a, b) > tolerance)


def _tidy(value: float, tolerance: float) -> float:
    """Return `value` with what is below `tolerance` rounded away, and no negative zero."""
    digits = max(0, math.floor(-math.log10(max(tolerance, 1e-12))))
    return round(value, min(digits, 4)) + 0.0


def _plain(name: str, a: str, b: str) -> Row:
    return Row(name, a, b, a != b)


def _names(a: list[str | None], b: list[str | None]) -> Row:
    return Row("names", _listed(a), _listed(b), Counter(a) != Counter(b))


def _listed(names: list[str | None]) -> str:
    counted = Counter(name or "unnamed" for name in names)
    told = [name if count == 1 else f"{count} × {name}" for name, count in counted.items()]
    more = f", and {len(told) - NAMES_SHOWN} more" if len(told) > NAMES_SHOWN else ""
    return ", ".join(told[:NAMES_SHOWN]) + more


def _size(bounds: object) -> tuple[float, ...] | None:
    low, high = getattr(bounds, "min", None), getattr(bounds, "max", None)
    if low is None or high is None:
        return None
    return tuple(t - s for s, t in zip(low, high, strict=True))


def _error(measurement: Measurement) -> float:
    return math.fsum(solid.volume.error_estimate or 0.0 for solid in measurement.solids)


def _area(measurement: Measurement) -> float | None:
    areas = [solid.area for solid in measurement.solids]
    known = [area for area in areas if area is not None]
    return math.fsum(known) if areas and len(known) == len(areas) else None


def _centroid(measurement: Measurement) -> tuple[float, ...] | None:
    """Return the centre of volume of all solids in mm."""
    weighted = []
    for solid in measurement.solids:
        if solid.centroid is None or solid.volume.value is None:
            return None
        weighted.append((solid.volume.value, solid.centroid))
    total = math.fsum(volume for volume, _ in weighted)
    if not total:
        return None
    return tuple(math.fsum(volume * at[i] for volume, at in weighted) / total for i in range(3))


def _surfaces(measurement: Measurement) -> Counter[str]:
    total: Counter[str] = Counter()
    for solid in measurement.solids:
        total.update(solid.surfaces)
    return total


def _genus(measurement: Measurement) -> str:
    each = [solid.topology.genus for solid in measurement.solids]
    known = [genus for genus in each if genus is not None]
    return str(sum(known)) if each and len(known) == len(each) else "unknown"


def _units(measurement: Measurement) -> str:
    return ", ".join(measurement.file.length_units) or "none declared"


def _yes(value: bool | None) -> str:
    return {True: "yes", False: "no", None: "unknown"}[value]
