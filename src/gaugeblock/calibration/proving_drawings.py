"""Proving a case of suite drawings: its frozen files, its ceilings, and what its mutants cost.

A part is proven once: both tracks show the same part. Deliveries are scored and graded as in a run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gaugeblock.calibration.deliveries import Document, played
from gaugeblock.calibration.figures import IOU, Reading
from gaugeblock.calibration.measuring import Bench, sha256
from gaugeblock.calibration.proving import Options, Proof
from gaugeblock.calibration.records import Control, SheetProof, TargetResult
from gaugeblock.calibration.second_kernel import Reference
from gaugeblock.calibration.sheet_bench import Judged, SheetBench
from gaugeblock.calibration.sheet_figures import fallen, told
from gaugeblock.calibration.sheet_mutants import Drawn, Subject, of_body, of_parameters
from gaugeblock.calibration.targets import SheetTarget
from gaugeblock.calibration.thread_mutants import of_threads
from gaugeblock.records.drawing_task import FIGURES, Ceilings, ChanceRates
from gaugeblock.records.errors import CouldNotMeasure
from gaugeblock.records.features import FeatureSet, Thread
from gaugeblock.records.grade import Grade
from gaugeblock.ruler.spectrum.chance import random_hits
from gaugeblock.suites import Delivered

MOST = 2
"""Features of a sort that mutants are made of, at most: a scoring takes 2 s of the processor, ten
times what other suites judge by, and of threads some 8 s."""

BUILT = 1e-9
"""Relative difference of volume of the program's part and the frozen one: STEP leaves 1e-13."""

RATE = 1e-9
"""Largest difference of a frozen ceiling that is a rate, not a count."""

ASKEW = ((1.0, 2.0, 3.0), 37.0, (40.0, -25.0, 60.0))
"""The oblique pose: axis, degrees, shift in mm. No face stays parallel to where one was."""

SQUARE = (
    ((1.0, 0.0, 0.0), 90.0, (0.0, 0.0, 0.0)),
    ((1.0, 1.0, 1.0), 120.0, (7.0, 0.0, -3.0)),
)
"""Two poses along the axes: on its back, and all three axes exchanged."""


def prove_drawing(bench: Bench, target: SheetTarget, options: Options) -> TargetResult:
    """Prove one part.

    Raises:
        CouldNotMeasure: the frozen reference cannot be read or measured.
    """
    return Proving(bench, target, options).result()


@dataclass(frozen=True)
class Ours:
    """The frozen reference as the ruler sees it."""

    reading: Reading
    features: FeatureSet
    ceilings: Ceilings | None
    judged: Judged


class Proving:
    """The steps of proving one part; each adds its controls to `proof`."""

    def __init__(self, bench: Bench, target: SheetTarget, options: Options) -> None:
        self._bench, self._target, self._options = bench, target, options
        self.proof = Proof()
        self._frozen = target.reference()
        self._sheet = SheetBench(
            bench, target.suite, target.case, self._frozen, options.ruler_fingerprint
        )

    def result(self) -> TargetResult:
        """Prove the part."""
        self._bench.told("reference")
        ours = self.reference()
        document = self.document()
        self.program(document, ours)
        subject = self.subject(ours)
        self._poses(subject)
        self._wrong(subject, ours)
        drawn = of_body(subject)
        self._mirrored(drawn)
        wound, controls, left = of_threads(subject, ours.features)
        self.proof.controls += controls
        if left:
            self.proof.left_out["thread"] = left
        put_off, sizes = of_parameters(subject, document) if document else ([], 0)
        drawn += [*wound, *put_off]
        self.proof.mutants += [item.result for item in drawn]
        found = self.proof.closed(self._target.name, "case", self._options)
        return found.model_copy(update={"sheet": self._told(ours, drawn, sizes)})

    def subject(self, ours: Ours) -> Subject:
        """Return the reference with the mutants it offers."""
        survey = self._bench.workshop.survey(self._frozen, min(MOST, self._options.most))
        self.proof.left_out = dict(survey.left_out)
        return Subject(self._sheet, survey, ours.judged)

    def _add(self, name: str, ok: bool | None, finding: str = "") -> None:
        self.proof.controls.append(Control(name=name, ok=ok, finding=finding))

    def reference(self) -> Ours:
        """Measure the frozen reference and hold its ceilings against the frozen ones."""
        reading = self._bench.read(self._frozen)
        if reading.facts.totals is None:
            raise CouldNotMeasure(f"the reference cannot be measured: {reading.facts.reason}")
        digest = sha256(self._frozen)
        self.proof.references["reference"] = digest
        self.proof.shown.append(Reference(self._frozen, reading.facts))
        path = self._bench.placed(self._frozen)
        features = self._sheet.ruler.features(path, self._bench.wall_s)
        refused = [finding.message for finding in features.refused]
        name = "every face of the reference that looks like a feature is recognised"
        ok = None if features.verdict != "measured" else not refused
        self._add(name, ok, features.reason or "; ".join(refused))
        judged = self._sheet.scored(self._frozen)
        ceilings, reason = self._measured_ceilings(judged)
        differs = reason if ceilings is None else _differ(self._sheet.task.ceilings, ceilings)
        name = "the ceilings measured again are the frozen ones"
        self._add(name, None if ceilings is None else not differs, differs)
        self._reaches("the reference", judged)
        return Ours(reading, features, ceilings, judged)

    def _measured_ceilings(self, judged: Judged) -> tuple[Ceilings | None, str]:
        """Return the ceilings by what a delivery is scored with, or why there are none."""
        path, five = self._bench.placed(self._frozen), judged.five
        chance = random_hits(self._sheet.ruler.spectrum(path, self._bench.wall_s))
        drawn, found = five.drawing, five.dimensions
        semantic = five.features.semantic_match if five.features else None
        if None in (drawn, found.found, found.found_extended, semantic, chance.length):
            reason = five.features.reason if five.features and semantic is None else None
            return None, reason or found.reason or chance.reason or "the reference was not drawn"
        assert drawn is not None, "asked above"
        rates = chance.model_dump(include=set(ChanceRates.model_fields))
        return Ceilings(
            asked=found.asked,
            measurable=found.found or 0,
            measurable_extended=found.found_extended or 0,
            drawn=drawn.found,
            semantic_match=semantic or 0.0,
            chance=ChanceRates.model_validate(rates),
        ), ""

    def _reaches(self, name: str, judged: Judged, like: Judged | None = None) -> None:
        """Hold that a right delivery passes, reachable and exact, with the reference's figures.

        Whether an IoU is exactly 1 may lie within its own error (threads, turned): that is told,
        and holds as long as nothing is surely lower.
        """
        grade = judged.grade
        assert grade is not None, "a right delivery is scored whole"
        exact = grade.apart["exact"]
        moved, unknown = fallen(like.five, judged.five) if like else ([], ())
        name = f"{name} reaches its ceilings, reachable and exact"
        five = judged.five
        unsure = ""
        if five.shape is not None and exact == "could-not-measure" and set(unknown) <= {"shapeIoU"}:
            unsure = f"exact cannot be told: IoU {five.shape:.6f} ± {five.shape_error:.1g}"
        if grade.verdict == "failed" or exact == "fail" or moved:
            lower = told(like.five, five, moved) if like else ""
            self._add(name, False, lower or _open(grade) or "exact: not at every ceiling")
        elif grade.verdict == "passed" and (unsure or (exact == "pass" and not unknown)):
            self._add(name, True, unsure)
        else:
            self._add(name, None, _open(grade) or f"exact: {exact}; {', '.join(unknown)}")

    def document(self) -> Document | None:
        """Return the reference's program with its parameters; None: the case has none."""
        if not self._target.has_program():
            return None
        *_, (_, document) = played(self._target.suite, self._target.case, "reference")
        return document

    def program(self, document: Document | None, ours: Ours) -> None:
        """Hold that the program still makes what is frozen."""
        if document is None:
            return
        self._bench.told("program")
        name = "the program builds what is frozen"
        try:
            data = self._bench.workshop.build(document.program or "", document.parameters)
            differs = self._bench.workshop.differs(self._frozen, data)
        except CouldNotMeasure as error:
            self._add(name, False, str(error))
            return
        beside = self._bench.beside(self._bench.read(data), self._frozen, data, align=False)
        one, other = ours.reading.facts.totals, beside.facts.totals
        posed = beside.overlap.posed if beside.overlap else None
        frozen = one.volume if one else None
        made, iou = other.volume if other else None, posed.iou if posed else None
        if frozen is None or made is None or iou is None:
            self._add(name, None, "a volume or the overlap is unknown")
            return
        off = abs(made - frozen) / frozen
        same = not differs and off <= BUILT and iou >= 1 - IOU
        finding = f"volume off by {off:.2g}, IoU {iou:.9g}, differs in {', '.join(differs) or '—'}"
        self._add(name, same, "" if same else finding)

    def _poses(self, subject: Subject) -> None:
        """Deliver the reference turned and in another unit: it must score the same."""
        survey, like = subject.survey, subject.reference
        poses = [(f"turned by {pose[1]:g}° about {pose[0]}", pose) for pose in (*SQUARE, ASKEW)]

        def turned(item: tuple[str, tuple[object, ...]]) -> tuple[str, Judged]:
            name, (axis, degrees, shift) = item
            self._bench.told(name)
            data = self._bench.workshop.turn(self._frozen, axis, degrees, shift)  # type: ignore[arg-type]
            return f"the reference {name}", self._sheet.scored(data)

        for name, found in self._bench.side_by_side(turned, poses):
            self._reaches(name, found, like)
        inches = next(spec for spec in survey.specs if spec["kind"] == "unit-other")
        made = self._bench.workshop.mutate(survey, inches)
        if made.data is not None:
            self._reaches("the reference in inches", self._sheet.scored(made.data), like)

    def _wrong(self, subject: Subject, ours: Ours) -> None:
        """Deliver what must fail: nothing, no solid, a random body, a box, a ball, another part."""
        survey = subject.survey
        self._bench.told("what must fail")
        self._fails("no delivery", self._sheet.graded(Delivered(task=self._sheet.task)))
        for spec in survey.specs:
            if spec["kind"] in ("null", "random", "boxed"):
                made = self._bench.workshop.mutate(survey, spec)
                self._must_fail(f"a delivery `{spec['name']}`", made.data, made.reason,
                                none=spec["kind"] == "null")  # fmt: skip
        totals = ours.reading.facts.totals
        volume = totals.volume if totals else None
        if volume is not None:
            program = "result = {'ball': Sphere((0.75 * volume / math.pi) ** (1 / 3))}"
            ball = self._bench.workshop.build(program, {"volume": volume})
            self._must_fail("a ball of the same volume", ball, "")
        other = self._target.other_reference()
        if other is not None:
            self._must_fail(f"the reference of {other[0]}", other[1], "")

    def _must_fail(self, name: str, data: bytes | None, reason: str, *, none: bool = False) -> None:
        if data is None:
            self._add(f"{name} fails", None, reason)
            return
        found = self._sheet.glanced(data)
        if found.grade is not None:
            self._fails(name, found.grade, none=none)
        else:
            self._add(f"{name} fails", True, f"fails {', '.join(found.failed)}")

    def _fails(self, name: str, grade: Grade, *, none: bool = False) -> None:
        """Add that a delivery fails; a file without any solid may be unreadable: no pass either."""
        ok = {"failed": True, "passed": False}.get(grade.verdict, True if none else None)
        finding = {"failed": f"fails {', '.join(grade.failed())}", "passed": "it passes"}
        self._add(f"{name} fails", ok, finding.get(grade.verdict, "could not be graded"))

    def _mirrored(self, drawn: Sequence[Drawn]) -> None:
        """Hold that the mirror image of a part that has a hand is told from it."""
        mirror = next(item.result for item in drawn if item.result.kind == "mirrored")
        name = "its mirror image is told from it"
        if mirror.outcome == "not-applicable":
            self._add(name, True, f"not applicable: {mirror.reason}")
        else:
            ok = {"unmeasured": None, "survivor": False}.get(mirror.outcome, True)
            self._add(name, ok, mirror.finding)

    def _told(self, ours: Ours, drawn: Sequence[Drawn], sizes: int) -> SheetProof:
        task, five = self._sheet.task, ours.judged.five
        values = {name: five.value(name) for name in FIGURES}
        shown = [item for item in drawn if item.shows_all is not None]
        return SheetProof(
            group=task.group,
            part_class=task.part_class,
            difficulty=task.difficulty,
            ceilings=ours.ceilings,
            figures={name: value for name, value in values.items() if value is not None},
            threads=sum(isinstance(feature, Thread) for feature in ours.features.features),
            sizes_off=sizes,
            drawn=len(shown),
            deceived=tuple(item.result.name for item in shown if item.shows_all),
        )


def _open(grade: Grade) -> str:
    """Return the checks that failed or could not be measured, in words."""
    found = [check for check in grade.checks if check.verdict in ("fail", "could-not-measure")]
    return "; ".join(f"{check.name}: {check.finding}" for check in found)


def _differ(frozen: Ceilings, found: Ceilings) -> str:
    """Return which ceilings differ, in words: counts at all, rates by more than `RATE`."""
    one, other = _flat(frozen), _flat(found)
    return "; ".join(
        f"{name} {other[name]:.12g} instead of the frozen {one[name]:.12g}"
        for name in one
        if abs(one[name] - other[name]) > (RATE if isinstance(one[name], float) else 0)
    )


def _flat(ceilings: Ceilings) -> dict[str, float]:
    plain = ceilings.model_dump()
    chance = plain.pop("chance")
    return {**plain, **{f"chance of {name}s": value for name, value in chance.items()}}
