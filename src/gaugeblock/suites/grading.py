"""Judging one delivery against a round's truth. Pure: a measurement in, a grade out.

The checks, in this order: `delivered`, `valid`, `volume`, `solids`, `faces`, `bounds`, `names`,
`conserved`. `delivered` and `valid` are always judged, `conserved` where the round edits a part,
the others where the truth gives them. Each has one of three verdicts:

- ``pass`` and ``fail`` are said only of what was surely measured;
- ``could-not-measure`` is the ruler's failure, never the agent's: no number, or one too rough for
  the tolerance.

One failed check fails the delivery, whatever else could not be measured, for no other figure
could save it. Otherwise one unmeasured check makes it ``could-not-grade``, which can be graded
again. Everything passed: ``passed``. There is no partial success.

Where nothing was delivered, `delivered` fails and is the only check listed: the other criteria
have no subject. To list them as failed would blame a geometry that never was, and to list them as
could-not-measure would blame the ruler. What they would have been is in `expected_figures`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal, cast

from gaugeblock.records.case import BOUND_NAMES, Round
from gaugeblock.records.conservation import Conservation
from gaugeblock.records.errors import WrongUse
from gaugeblock.records.grade import Check, Figure, Grade, Verdict
from gaugeblock.records.measurement import FileFacts, Measurement, Totals
from gaugeblock.suites.formulas import spelled_out
from gaugeblock.suites.regions import edit_region
from gaugeblock.suites.suite import Delivered
from gaugeblock.suites.truth import Figures, figures

VOLUME_RELATIVE = 1e-6
"""Largest |V − V₀|/V₀ of a right volume: the source's criterion. The kernel integrates planes and
cylinders to about 1e-13, and the smallest fault a case asks about (ends-kept T5, −65.73 mm³ of
138,629) is 4.7e-4: neither side comes near."""

BOUND_MM = 1e-6
"""Largest deviation of a bound, mm: the source's criterion. STEP writes coordinates with 15
digits, so a right box is off by no more than 1e-12 mm; the kernel's own points merge at 1e-7 mm."""

CHANGED_RELATIVE = 1e-6
"""Largest volume that an edit may change outside its region, over the right volume: the source's
criterion. What our own references leave alone differs by 1e-14 of it; a hole of Ø8 in the bracket
moved by 0.01 mm is 1e-5."""

CRITERIA = {
    "volume_relative": VOLUME_RELATIVE,
    "bound_mm": BOUND_MM,
    "changed_relative": CHANGED_RELATIVE,
}
"""Named tolerances, for the plan. Solids, faces and names are exact."""


def grade(asked: Round, delivered: Delivered, *, ruler_fingerprint: str) -> Grade:
    """Judge one delivery.

    Args:
        asked: the round, with its truth.
        delivered: what was delivered and what the ruler said of it.
        ruler_fingerprint: fingerprint of the ruler that read it back.

    Returns:
        The grade; the module's docstring says what its verdicts mean.

    Raises:
        WrongUse: the measurement or comparison is of another file than the artifact, or of none.
    """
    measurement, conservation = delivered.measurement, delivered.conservation
    artifact_sha256 = delivered.artifact_sha256
    for kind, file in _files(measurement, conservation):
        _require_same_file(kind, file, artifact_sha256)
    known = figures(asked)
    checks, notes = [_delivered(artifact_sha256)], _notes(measurement)
    if artifact_sha256 is None:
        notes.append("nothing was delivered, so no other criterion was judged")
    else:
        checks += [_judge(criterion, measurement) for criterion in _criteria(asked, known)]
        if asked.edit is not None:
            checks.append(_conserved(asked, conservation))
    return Grade(
        round=asked.id,
        verdict=_OVERALL[_worst(check.verdict for check in checks)],
        checks=tuple(checks),
        apart=_apart(asked, checks),
        matched_reading=_matched_reading(checks, known),
        notes=tuple(notes),
        artifact_sha256=artifact_sha256,
        measurement_sha256=None if measurement is None else measurement.content_sha256(),
        conservation_sha256=None if conservation is None else conservation.content_sha256(),
        ruler_fingerprint=ruler_fingerprint,
    )


def _files(
    measurement: Measurement | None, conservation: Conservation | None
) -> list[tuple[str, FileFacts]]:
    """Return what the ruler looked at, by kind of record."""
    found = [] if measurement is None else [("measurement", measurement.file)]
    return found + ([] if conservation is None else [("comparison", conservation.delivery)])


def _require_same_file(kind: str, file: FileFacts, artifact_sha256: str | None) -> None:
    if artifact_sha256 is None:
        raise WrongUse(f"a {kind} without an artifact: pass the artifact's SHA-256 too")
    if file.sha256 not in (None, artifact_sha256):
        raise WrongUse(
            f"the {kind} is of file {file.sha256}, the artifact is {artifact_sha256}: "
            "measure that one"
        )


def _delivered(artifact_sha256: str | None) -> Check:
    criterion = Criterion("delivered", "a STEP file was delivered", True)
    if artifact_sha256 is None:
        return criterion.check(False, "fail", "nothing was delivered")
    return criterion.check(True, "pass")


# --- the criteria ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Criterion:
    """What one check expects, before anything is measured."""

    name: str
    formula: str
    expected: Figure
    tolerance: float | None = None
    parts: tuple[str, ...] = ()
    """Names of the expected figures, where there are several."""

    def check(
        self, measured: Figure, verdict: Verdict, finding: str = "", deviation: float | None = None
    ) -> Check:
        """Return the check with its verdict."""
        return Check(
            name=self.name,
            formula=self.formula,
            expected=self.expected,
            measured=measured,
            deviation=deviation,
            tolerance=self.tolerance,
            verdict=verdict,
            finding=finding,
        )

    def compared(self, measured: Figure, finding: str) -> Check:
        """Return the check of a figure that must be equal; `finding` is what a failure says."""
        if measured == self.expected:
            return self.check(measured, "pass")
        return self.check(measured, "fail", finding)

    def unmeasured(self, why: str, measured: Figure = None) -> Check:
        """Return the check of a figure that is not known, or not well enough."""
        return self.check(measured, "could-not-measure", why)


def _criteria(asked: Round, known: Figures) -> list[Criterion]:
    """Return what the truth gives, in the order of the checks; `delivered` apart."""
    truth = asked.truth

    def written(formula: str | None) -> str:
        return spelled_out(formula or "", truth.symbols)

    found = [Criterion("valid", "at least one solid, and every solid valid", True)]
    if known.volume is not None:
        found.append(Criterion("volume", written(truth.volume), known.volume, VOLUME_RELATIVE))
    if known.solids is not None:
        found.append(Criterion("solids", written(truth.solids), known.solids))
    if known.faces is not None:
        found.append(Criterion("faces", written(truth.faces), known.faces))
    if known.bounds:
        parts, values = tuple(known.bounds), tuple(known.bounds.values())
        formula = ", ".join(f"{name}={truth.bounds[name]}" for name in parts)
        found.append(Criterion("bounds", written(f"bounds({formula})"), values, BOUND_MM, parts))
    if known.names is not None:
        found.append(Criterion("names", "the names given", tuple(sorted(set(known.names)))))
    return found


def _judge(criterion: Criterion, measurement: Measurement | None) -> Check:
    if measurement is None:
        return criterion.unmeasured("the delivery was not read back")
    if measurement.verdict != "measured" or measurement.totals is None:
        why = measurement.reason or measurement.code or "the ruler gave no totals"
        return criterion.unmeasured(f"the ruler could not measure the file: {why}")
    return _JUDGES[criterion.name](criterion, measurement, measurement.totals)


def _valid(criterion: Criterion, measurement: Measurement, totals: Totals) -> Check:
    if totals.valid is None:
        return criterion.unmeasured("the validity of some solid could not be judged")
    faults = [
        f"solid {solid.index}: {name} {part.why or ''}".strip()
        for solid in measurement.solids
        for name, part in solid.validity
        if part.ok is False
    ]
    why = "; ".join(faults) or ("not valid" if totals.solids else "there is no solid")
    return criterion.compared(totals.valid, why)


def _volume(criterion: Criterion, measurement: Measurement, totals: Totals) -> Check:
    """Judge the sum of the solids' volumes, or the space they fill where that is known to differ.

    A right figure whose own error estimate exceeds the tolerance is no pass. A wrong one is a
    failure only where the error estimate cannot explain it.
    """
    volume, error, why = _measured_volume(measurement, totals)
    if volume is None:
        return criterion.unmeasured(why)
    expected = cast(float, criterion.expected)
    allowed = VOLUME_RELATIVE * expected
    off = abs(volume - expected)
    deviation = (volume - expected) / expected
    if error > allowed and off <= allowed + error:
        rough = f"known only to ±{error:.3g} mm³; the tolerance is {allowed:.3g} mm³"
        return criterion.unmeasured(rough, volume)
    if off <= allowed:
        return criterion.check(volume, "pass", "", deviation)
    finding = f"{volume:.10g} mm³ instead of {expected:.10g} mm³ ({volume - expected:+.4g}){why}"
    return criterion.check(volume, "fail", finding, deviation)


def _measured_volume(measurement: Measurement, totals: Totals) -> tuple[float | None, float, str]:
    """Return volume and error estimate, mm³, and why it is None or how it was got."""
    for solid in measurement.solids:
        if solid.volume.verdict != "measured":
            return None, 0.0, f"solid {solid.index}: {solid.volume.reason or 'no volume'}"
    if totals.volume is None:
        return None, 0.0, totals.volume_reason or "the ruler gave no volume"
    estimates = [solid.volume.error_estimate for solid in measurement.solids]
    if None in estimates:
        return None, 0.0, "the ruler gave no error estimate of a volume"
    error = sum(estimate for estimate in estimates if estimate is not None)
    if _overlapping(totals):
        return totals.occupied_volume, error, "; solids overlap, the space they fill is judged"
    return totals.volume, error, ""


def _overlapping(totals: Totals) -> bool:
    """Return whether the space filled is known to be another volume than the sum of the solids."""
    if totals.occupied_volume is None or totals.volume is None:
        return False
    return abs(totals.occupied_volume - totals.volume) > VOLUME_RELATIVE * abs(totals.volume)


def _solids(criterion: Criterion, measurement: Measurement, totals: Totals) -> Check:
    del measurement
    return criterion.compared(totals.solids, f"{totals.solids} instead of {criterion.expected}")


def _faces(criterion: Criterion, measurement: Measurement, totals: Totals) -> Check:
    """Count every face in the file: one outside all solids is part of the delivery too."""
    loose = measurement.stray.faces if measurement.stray else 0
    count = totals.faces + loose
    outside = f", {loose} of them outside any solid" if loose else ""
    return criterion.compared(count, f"{count} instead of {criterion.expected}{outside}")


def _bounds(criterion: Criterion, measurement: Measurement, totals: Totals) -> Check:
    del measurement
    if totals.bounds is None:
        return criterion.unmeasured("the ruler gave no bounds")
    both = (*totals.bounds.min, *totals.bounds.max)
    all_six = dict(zip(BOUND_NAMES, both, strict=True))
    measured = tuple(all_six[name] for name in criterion.parts)
    expected = cast(tuple[float, ...], criterion.expected)
    rows = list(zip(criterion.parts, measured, expected, strict=True))
    off = [
        f"{name} {found:.9g} instead of {right:.9g} ({found - right:+.3g} mm)"
        for name, found, right in rows
        if abs(found - right) > BOUND_MM
    ]
    deviation = max(abs(found - right) for _, found, right in rows)
    return criterion.check(measured, "fail" if off else "pass", "; ".join(off), deviation)


def _names(criterion: Criterion, measurement: Measurement, totals: Totals) -> Check:
    del measurement
    found = {name or "(unnamed)" for name in totals.names}
    expected = set(cast(tuple[str, ...], criterion.expected))
    lost, extra = sorted(expected - found), sorted(found - expected)
    finding = "; ".join(
        f"{word} {', '.join(names)}" for word, names in (("lost", lost), ("extra", extra)) if names
    )
    return criterion.compared(tuple(sorted(found)), finding)


def _conserved(asked: Round, conservation: Conservation | None) -> Check:
    """Judge what changed outside the edit region; the same rule for rough figures as `_volume`."""
    rule = "(start Δ delivery) outside the edit region, over the right volume"
    criterion = Criterion("conserved", rule, 0.0, CHANGED_RELATIVE)
    region = edit_region(asked)
    if conservation is None:
        return criterion.unmeasured("the delivery was not compared with the start")
    if conservation.region != region:
        return criterion.unmeasured("it was compared outside another region than the round's")
    found, error = conservation.outside.value, conservation.outside.error_estimate
    if found is None or error is None:
        why = conservation.reason or conservation.code or "the ruler gave no figure"
        return criterion.unmeasured(f"the ruler could not compare it with the start: {why}")
    whole = figures(asked).volume or conservation.volume.value
    if whole is None:
        return criterion.unmeasured("neither the right volume nor the start's is known")
    allowed = CHANGED_RELATIVE * whole
    if error > allowed and found <= allowed + error:
        rough = f"known only to ±{error:.3g} mm³; the tolerance is {allowed:.3g} mm³"
        return criterion.unmeasured(rough, found / whole)
    if found <= allowed:
        return criterion.check(found / whole, "pass", "", found / whole)
    about = "about " if conservation.method == "lines" else ""
    finding = f"{about}{found:.6g} mm³ changed outside the edit region"
    return criterion.check(found / whole, "fail", finding, found / whole)


_JUDGES: dict[str, Callable[[Criterion, Measurement, Totals], Check]] = {
    "valid": _valid,
    "volume": _volume,
    "solids": _solids,
    "faces": _faces,
    "bounds": _bounds,
    "names": _names,
}

# --- the whole -------------------------------------------------------------------------------

_OVERALL: dict[Verdict, Literal["passed", "failed", "could-not-grade"]] = {
    "pass": "passed",
    "fail": "failed",
    "could-not-measure": "could-not-grade",
}


def _worst(verdicts: Iterable[Verdict]) -> Verdict:
    found = set(verdicts)
    if "fail" in found:
        return "fail"
    return "could-not-measure" if "could-not-measure" in found else "pass"


def _apart(asked: Round, checks: list[Check]) -> dict[str, Verdict]:
    """Return the source's weaker criterion, named after its checks, such as `valid+solids`."""
    weaker = asked.truth.reported_apart
    if not weaker:
        return {}
    judged = [check for check in checks if check.name in ("delivered", *weaker)]
    return {"+".join(weaker): _worst(check.verdict for check in judged)}


def _matched_reading(checks: list[Check], known: Figures) -> str | None:
    """Return the misreading whose volume a failed delivery has."""
    for check in checks:
        if check.name == "volume" and check.verdict == "fail":
            for name, volume in known.readings.items():
                if abs(cast(float, check.measured) - volume) <= VOLUME_RELATIVE * volume:
                    return name
    return None


def _notes(measurement: Measurement | None) -> list[str]:
    """Return what a reader of the grade ought to know that no check says."""
    if measurement is None or measurement.totals is None:
        return []
    totals, notes = measurement.totals, []
    if _overlapping(totals):
        notes.append(
            f"solids overlap: they fill {totals.occupied_volume:.2f} mm³, the sum of their "
            f"volumes is {totals.volume:.2f} mm³; the space they fill is judged"
        )
    elif totals.solids > 1 and totals.occupied_volume is None:
        notes.append(f"overlap not measured: {totals.occupied_reason or 'no reason given'}")
    if measurement.stray and measurement.stray.edges:
        notes.append(f"{measurement.stray.edges} edges that belong to no face; not judged")
    return notes
