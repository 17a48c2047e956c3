"""All mutants of one reference: made, measured, judged."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from gaugeblock.calibration.deliveries import Document
from gaugeblock.calibration.figures import OF_THE_PAIR, Reading, moves, of_reference, taken, told
from gaugeblock.calibration.judgement import absent, of_case, of_part
from gaugeblock.calibration.measuring import Bench
from gaugeblock.calibration.records import Control, MutantResult
from gaugeblock.calibration.workshop import Made, Survey
from gaugeblock.records.errors import CouldNotMeasure
from gaugeblock.records.grade import Grade
from gaugeblock.records.measurement import Measurement

CONTROL = "rewritten"
"""The one kind that must not move a figure: the reference read and written again."""

NOT_COMPARED = frozenset({"null", "face-removed"})
"""Kinds that leave no space to compare."""

ALIGNED = frozenset({"mirrored", "hole-moved"})
"""Kinds of which the first mutant of a part is compared with alignment too, whatever its facts say:
so that the overlap's own figures are proven on every part. All others are compared (as posed) only
where the facts do not kill them: a comparison costs ten times a measurement."""

POSED = ("iou", "scale")
"""Figures of the pair that need no alignment."""

PARAMETER_PART = 0.01
"""Part by which a length parameter is changed: 1 mm on 100 mm, ten times ISO 2768-m."""

Grading = Callable[[Reading, bytes], Grade]
"""Grades one file as a delivery of the case."""


@dataclass(frozen=True)
class Subject:
    """A reference whose mutants are judged."""

    survey: Survey
    reading: Reading
    grade: Grading | None = None
    """None: a part without a case. What fails by its facts alone is not compared with the start,
    which costs ten times as much."""
    grade_whole: Grading | None = None
    """The same with every check judged."""
    round_id: str | None = None


def of_body(bench: Bench, subject: Subject) -> tuple[list[MutantResult], list[Control]]:
    """Return the results of every mutant on the B-rep, and the control's."""
    first = {
        kind: next((s["name"] for s in subject.survey.specs if s["kind"] == kind), None)
        for kind in ALIGNED
    }

    def one(spec: dict[str, Any]) -> MutantResult | Control:
        made = bench.workshop.mutate(subject.survey, spec)
        bench.told(made.name)
        if made.kind == CONTROL:
            return _control(bench, subject, made)
        return judged(bench, subject, made, align=first.get(made.kind) == spec["name"])

    found = bench.side_by_side(one, subject.survey.specs)
    mutants = [item for item in found if isinstance(item, MutantResult)]
    return mutants, [item for item in found if isinstance(item, Control)]


def judged(
    bench: Bench, subject: Subject, made: Made, source: Any = "body", *, align: bool = False
) -> MutantResult:
    """Measure and judge one mutant."""
    if made.data is None or not made.differs:
        return absent(made, subject.round_id, source)
    return _judged(bench, subject, made, bench.read(made.data), source, align)


def _judged(
    bench: Bench, subject: Subject, made: Made, reading: Reading, source: Any, align: bool
) -> MutantResult:
    assert made.data is not None
    result = _by_figures(subject, made, reading, source, ())
    open_ = result.outcome != "killed" and not (subject.grade and result.moved)
    if not (open_ or align) or not bench.overlap or made.kind in NOT_COMPARED:
        return result
    reading = bench.beside(reading, subject.survey.reference, made.data, align=align)
    pair = tuple(OF_THE_PAIR) if align else POSED
    result = _by_figures(subject, made, reading, source, pair)
    return result.model_copy(update={"reason": _why_unknown(reading) if result.unknown else ""})


def _by_figures(
    subject: Subject, made: Made, reading: Reading, source: Any, pair: tuple[str, ...]
) -> MutantResult:
    """Judge by the figures of the file, and by those of `pair`, taken beside the reference."""
    known = {
        name: value
        for name, value in of_reference(subject.reading).items()
        if name not in OF_THE_PAIR or name in pair
    }
    moved, unknown = moves(known, taken(reading))
    if subject.grade is None:
        return of_part(made, moved, unknown, source)
    return of_case(made, moved, unknown, subject.grade(reading, made.data or b""), source)


def _why_unknown(reading: Reading) -> str:
    overlap = reading.overlap
    if overlap is None:
        return "no overlap was had"
    posed = overlap.posed.reason if overlap.posed else None
    return overlap.reason or posed or ""


@dataclass(frozen=True)
class Changed:
    """What became of one changed parameter."""

    parameters: dict[str, float]
    result: MutantResult
    facts: Measurement | None
    """None: no part could be made."""


def of_parameters(bench: Bench, subject: Subject, document: Document) -> list[Changed]:
    """Return the results of changing each parameter of a program by itself."""

    def one(change: tuple[str, float, float]) -> Changed:
        name, old, new = change
        there = document.with_parameter(name, new)
        words = f"parameter {name} {old:g} → {new:g}"
        made = built(bench, words, "parameter", there, subject.survey.reference)
        bench.told(made.name)
        if made.data is None or not made.differs:
            return Changed(there.parameters, absent(made, subject.round_id, "parameter"), None)
        reading = bench.read(made.data)
        result = _judged(bench, subject, made, reading, "parameter", False)
        return Changed(there.parameters, result, reading.facts)

    return bench.side_by_side(one, changes(document.parameters))


def changes(parameters: Mapping[str, float]) -> list[tuple[str, float, float]]:
    """Return name, old and new value: counts (`cols`, `rows`) by one, all else by 1 %."""
    return [
        (name, old, old + 1 if name in ("cols", "rows") else old * (1 + PARAMETER_PART))
        for name, old in parameters.items()
    ]


def built(bench: Bench, name: str, kind: str, document: Document, reference: bytes) -> Made:
    """Return the mutant that a document's program makes."""
    try:
        data = bench.workshop.build(document.program or "", document.parameters)
        differs = bench.workshop.differs(reference, data)
    except CouldNotMeasure as error:
        return Made(name, kind, None, (), str(error))
    return Made(name, kind, data, differs, "")


def _control(bench: Bench, subject: Subject, made: Made) -> Control:
    """The reference written again must measure as itself, or every move would be noise."""
    name = "written again, no figure moves"
    if made.data is None:
        return Control(name=name, ok=None, finding=made.reason)
    reading = bench.read(made.data)
    reading = bench.beside(reading, subject.survey.reference, made.data, align=True)
    moved, _ = moves(of_reference(subject.reading), taken(reading))
    return Control(name=name, ok=not moved, finding="; ".join(told(move) for move in moved))
