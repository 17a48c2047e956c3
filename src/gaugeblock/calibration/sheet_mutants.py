"""Mutants of a drawn part: which of the five figures fell, and whether it names the fault.

Only the five count here; a volume that moved kills nothing, since no delivery is graded by it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from gaugeblock.calibration.deliveries import Document
from gaugeblock.calibration.figures import IOU
from gaugeblock.calibration.judgement import absent
from gaugeblock.calibration.mutants import PARAMETER_PART, built
from gaugeblock.calibration.records import Moved, MutantResult, Outcome, Source
from gaugeblock.calibration.sheet_bench import Judged, SheetBench
from gaugeblock.calibration.sheet_figures import fallen, named, told
from gaugeblock.calibration.workshop import Made, Survey
from gaugeblock.records.spectrum import SheetDimension
from gaugeblock.ruler.spectrum.tolerances import deviations

NO_FAULT = {
    "rotated": "where a part lies is free: a control holds that it scores the same",
    "shifted": "where a part lies is free: a control holds that it scores the same",
    "unit-other": "the same size: a control holds that it scores the same",
    "renamed": "no sheet asks for a solid's name",
    "nameless": "no sheet asks for a solid's name",
}
"""Kinds that are right deliveries in this suite, with the reason."""

SAME_SPACE = {
    "imprinted": "the same space: a line on a face is nothing that a sheet asks for",
    "inside-out": "the reader repairs it to the same part, which the facts tell as a finding",
}
"""Kinds that leave the part as it is, where no figure falls; measured all the same."""

CONTROLS = frozenset({"rewritten", "null", "random", "boxed"})
"""Kinds that are judged as controls and no mutants."""

OF_FEATURE = frozenset({"hole-moved", "hole-resized", "hole-dropped", "hole-added"})
"""Kinds that a figure must name by size or feature: an IoU names none."""

TOO_FAR = 1.5
"""How far a size is put off, in its own tolerance: clearly beyond, and still the nearest size."""

WIDEST_DEG = 1.0
"""The widest that ISO 2768-m gives an angle, degrees: its leg is not known from the sheet."""

REASON_SAID = 120
"""Characters of a finding that are kept where a figure could not be taken."""


@dataclass(frozen=True)
class Subject:
    """A reference whose mutants are judged."""

    sheet: SheetBench
    survey: Survey
    reference: Judged


@dataclass(frozen=True)
class Drawn:
    """A mutant's result, and whether its own drawing showed all that the reference's does."""

    result: MutantResult
    shows_all: bool | None = None
    """None: it was not drawn, or no figure fell."""


def of_body(subject: Subject) -> list[Drawn]:
    """Return the results of every mutant on the B-rep."""
    specs = [spec for spec in subject.survey.specs if spec["kind"] not in CONTROLS]
    mirrors = [spec["name"] for spec in specs if spec["kind"] == "mirrored"]
    bench = subject.sheet.bench

    def one(spec: dict[str, object]) -> Drawn:
        kind, name = str(spec["kind"]), str(spec["name"])
        bench.told(name)
        if kind in NO_FAULT:
            return Drawn(absent(Made(name, kind, None, (), NO_FAULT[kind])))
        if kind == "mirrored" and name != mirrors[0]:
            return Drawn(absent(Made(name, kind, None, (), f"`{mirrors[0]}`, turned")))
        return judged(subject, bench.workshop.mutate(subject.survey, spec))

    return bench.side_by_side(one, specs)


def judged(
    subject: Subject,
    made: Made,
    source: Source = "body",
    *,
    off: float | None = None,
    must_say: str | None = None,
) -> Drawn:
    """Measure and judge one mutant.

    Args:
        subject: the reference.
        made: the mutant.
        source: what it was made from.
        off: size of the sheet that was put off; the finding must name it or a feature.
        must_say: what the finding must hold to name the fault.
    """
    if made.data is None or not made.differs:
        return Drawn(absent(made, source=source))
    whole = made.kind in ("mirrored", *SAME_SPACE) or must_say is not None
    seen = (subject.sheet.scored if whole else subject.sheet.glanced)(made.data)
    moved, unknown = fallen(subject.reference.five, seen.five)
    finding = told(subject.reference.five, seen.five, moved)
    reason = _no_mutant(made.kind, seen, moved)
    if reason and seen.failed == subject.reference.failed:
        return Drawn(absent(Made(made.name, made.kind, None, (), reason), source=source))
    outcome: Outcome
    # What the reference fails itself is no mutant's fault; a control tells of it.
    failed = tuple(name for name in seen.failed if name not in subject.reference.failed)
    if failed:
        outcome = "killed"
        if not moved:  # nothing to take figures of: no solid, or more than one
            finding = _checks(seen)
        elif not _names(subject, seen, moved, made.kind, off, must_say, finding):
            outcome, finding = "tolerated", f"it fails, and nothing names the fault: {finding}"
    elif moved:
        outcome = "tolerated"
        if seen.verdict == "could-not-grade":
            finding = f"not graded, {_checks(seen)} | {finding}"
    elif seen.verdict == "could-not-grade":
        outcome, finding = "unmeasured", f"the case could not be graded: {_checks(seen)}"
    else:
        outcome, finding = "survivor", "no figure fell"
    result = MutantResult(
        name=made.name,
        kind=made.kind,
        source=source,
        outcome=outcome,
        differs=made.differs,
        moved=tuple(moved),
        unknown=unknown if seen.grade is not None else (),
        failed=seen.failed,
        finding=finding,
    )
    drawn = seen.five.value("drawingMatch")
    if drawn is None or not moved:
        return Drawn(result)
    return Drawn(result, all(move.figure != "drawingMatch" for move in moved))


def _no_mutant(kind: str, seen: Judged, moved: Sequence[Moved]) -> str | None:
    """Return why a mutant is the same part after all."""
    if moved:
        return None
    if kind == "mirrored" and (seen.five.shape or 0.0) >= 1 - IOU:
        return "turned, the part is its own mirror image"
    return SAME_SPACE.get(kind)


def _checks(seen: Judged) -> str:
    """Return in words what the grade could not measure or found wrong."""
    checks = seen.grade.checks if seen.grade else ()
    open_ = [c for c in checks if c.verdict in ("fail", "could-not-measure")]
    return "; ".join(f"{check.name}: {check.finding[:REASON_SAID]}" for check in open_)


def _names(
    subject: Subject,
    seen: Judged,
    moved: Sequence[Moved],
    kind: str,
    off: float | None,
    must_say: str | None,
    finding: str,
) -> bool:
    """Whether what fell names the fault: the size that is off, the feature, or the whole shape."""
    if must_say is not None:
        return must_say in finding
    if off is not None and _names_size(subject, seen, off):
        return True
    if off is None and kind not in OF_FEATURE:
        return True
    five = subject.reference.five
    return any(named(five, seen.five, move.figure) for move in moved if off is None)


def _names_size(subject: Subject, seen: Judged, off: float) -> bool:
    """Whether a size of the sheet is lost, or a feature changed in it (or in half or twice it)."""
    for before, after in zip(
        subject.reference.five.dimensions.values, seen.five.dimensions.values, strict=True
    ):
        if before.found and not after.found and before.dimension.value == off:
            return True
    features = seen.five.features
    changes = [c for o in features.outcomes for c in o.changes] if features else []
    was = [change.reference for change in changes if isinstance(change.reference, float)]
    if any(min(abs(v - w * off) for w in (0.5, 1.0, 2.0)) < 1e-6 for v in was):
        return True
    return any(o.outcome in ("moved", "missing") for o in features.outcomes) if features else False


@dataclass(frozen=True)
class Change:
    """One parameter of the program, changed by itself."""

    name: str
    old: float
    new: float
    size: SheetDimension | None
    """The dimension of the sheet that it is; None: none prints it."""

    def words(self) -> str:
        """Return what is done."""
        where = f" (on the sheet: {self.size.label})" if self.size else ""
        return f"parameter {self.name} {self.old:g} → {self.new:.6g}{where}"


def changes(
    parameters: Mapping[str, float], dimensions: Sequence[SheetDimension]
) -> Iterator[Change]:
    """Yield each parameter put off: a printed size beyond its tolerance, a printed count by one.

    All else by `PARAMETER_PART`.
    """
    counts = {dimension.count for dimension in dimensions if dimension.count > 1}
    for name, old in parameters.items():
        same = [d for d in dimensions if abs(d.value - abs(old)) < 1e-9]
        if same:
            size = max(same, key=_tolerance)
            step = TOO_FAR * _tolerance(size)
            yield Change(name, old, old + (step if old >= 0 else -step), size)
        elif isinstance(old, int) and old in counts:
            yield Change(name, old, old + 1, None)
        elif old:
            yield Change(name, old, old * (1 + PARAMETER_PART), None)


def _tolerance(dimension: SheetDimension) -> float:
    """Return the larger deviation of a printed size, mm or degrees; the widest that may hold."""
    if dimension.type == "angle" and dimension.upper is None and dimension.leg is None:
        return WIDEST_DEG
    return max(map(abs, deviations(dimension, external=True, leg=dimension.leg)))


def of_parameters(subject: Subject, document: Document) -> tuple[list[Drawn], int]:
    """Return the results of every changed parameter, and how many dimensions those put off."""
    bench = subject.sheet.bench
    every = list(changes(document.parameters, subject.sheet.task.dimensions))

    def one(change: Change) -> Drawn:
        there = document.with_parameter(change.name, change.new)
        bench.told(change.words())
        made = built(bench, change.words(), "parameter", there, subject.survey.reference)
        off = change.size.value if change.size else None
        return judged(subject, made, "parameter", off=off)

    found = bench.side_by_side(one, every)
    sizes = {
        change.size.label
        for change, drawn in zip(every, found, strict=True)
        if change.size and drawn.result.outcome != "not-applicable"
    }
    return found, len(sizes)
