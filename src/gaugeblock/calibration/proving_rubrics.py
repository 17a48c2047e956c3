"""Proving a case that is judged by a rubric: every row is lost by a fault, and by that fault alone.

Reference and mutants are played by the real host, since rows ask for the saved document too. What
no tool of the host can do wrong is changed in what the reference delivered: a document without its
recipe, one that comes back as another. Mutants of the STEP are judged as a file alone: their
document is another part's, so the rows that ask for it are not applicable.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace

from gaugeblock.calibration.figures import Reading
from gaugeblock.calibration.measuring import Bench, sha256
from gaugeblock.calibration.mutants import Subject, of_body
from gaugeblock.calibration.proving import Options, Proof, surveyed
from gaugeblock.calibration.records import Control, MutantResult, TargetResult
from gaugeblock.calibration.rehearsing import Delivery, Play
from gaugeblock.calibration.targets import CaseTarget
from gaugeblock.records.errors import CouldNotMeasure
from gaugeblock.records.grade import Grade
from gaugeblock.records.measurement import Measurement
from gaugeblock.suites import Delivered, ScriptedAgent

FILE_ALONE = frozenset({"document", "reopening"})
"""What a STEP file alone lacks."""

SHARED_MM3 = 0.01
"""mm³ that the solids of a reference may share. Parts that touch give 0 ± 4e-4 where they meet in a
round wall; a wall drawn 0.01 mm into its neighbour over 1 mm² is this much."""


def prove_by_rubric(bench: Bench, target: CaseTarget, options: Options, play: Play) -> TargetResult:
    """Prove one case.

    Args:
        bench: ruler and workshop.
        target: the case.
        options: how the calibration is done.
        play: lets agents play on the real host.

    Raises:
        CouldNotMeasure: the reference delivers nothing, or cannot be measured.
    """
    return _Proving(bench, target, options, play).result()


class _Proving:
    def __init__(self, bench: Bench, target: CaseTarget, options: Options, play: Play) -> None:
        self._bench, self._target, self._options, self._play = bench, target, options, play
        self._asked = target.case.rounds[0]
        self._proof = Proof()

    def result(self) -> TargetResult:
        """Prove the case."""
        delivery = self._play(self._target.suite, self._target.case, "reference")
        if delivery.step is None:
            raise CouldNotMeasure(f"the reference delivers nothing: {delivery.said}")
        if delivery.undone:
            raise CouldNotMeasure(f"the reference's script was not done: {delivery.undone}")
        facts = self._bench.read(delivery.step).facts
        self._reference(delivery, facts)
        self._nothing()
        self._documents(delivery, facts)
        for agent in self._target.suite.agents():
            if agent.name.startswith("mutant:") and self._target.case.id in agent.cases:
                self._declared(agent)
        if self._target.case.answer == "tools":  # the baseline's geometry is the same
            self._bodies(delivery.step)
        else:
            self._shown(delivery.step)
        return self._proof.closed(self._target.name, "case", self._options)

    def _graded(self, delivery: Delivery, facts: Measurement | None) -> Grade:
        what = Delivered(facts, delivery.step_sha256, None, delivery.document, delivery.reopening)
        fingerprint = self._options.ruler_fingerprint
        return self._target.suite.grade(self._asked, what, ruler_fingerprint=fingerprint)

    def _lost(
        self, name: str, delivery: Delivery, facts: Measurement | None, rows: Iterable[str]
    ) -> Grade:
        """Judge a delivery that must lose exactly these rows, and no other."""
        grade, must = self._graded(delivery, facts), set(rows)
        wanted = f"loses exactly {', '.join(sorted(must))}" if must else "loses nothing"
        found = ", ".join(grade.failed()) or "nothing"
        unmeasured = grade.verdict == "could-not-grade"
        ok = None if unmeasured else set(grade.failed()) == must
        told = "could not be graded" if unmeasured else f"loses {found}"
        self._proof.controls.append(Control(name=f"{name} {wanted}", ok=ok, finding=told))
        return grade

    def _reference(self, delivery: Delivery, facts: Measurement) -> None:
        self._bench.told("reference")
        grade, rubric = self._graded(delivery, facts), self._target.suite.rubric
        full = rubric.points if rubric else 0
        score = grade.score
        name = f"the reference has {full} of {full} points"
        ok = None if score is None else (score.points, score.out_of) == (full, full)
        finding = "; ".join(c.finding for c in grade.checks if c.verdict != "pass")
        self._proof.controls.append(Control(name=name, ok=ok, finding=finding))
        found = self._bench.interference(delivery.step or b"")
        shared = None if found.total is None else found.total <= SHARED_MM3
        told = found.reason or f"{found.total} mm³ in {len(found.pairs)} pairs"
        name = "no two solids of the reference share space"
        self._proof.controls.append(Control(name=name, ok=shared, finding=told))

    def _nothing(self) -> None:
        delivery = self._play(self._target.suite, self._target.case, "null")
        facts = None if delivery.step is None else self._bench.read(delivery.step).facts
        self._lost("no delivery", delivery, facts, ["delivered"])

    def _documents(self, delivery: Delivery, facts: Measurement) -> None:
        """Judge what no tool of the host does: baked objects, files that come back changed."""
        content = json.loads(delivery.document or b"{}")
        baked = json.dumps({**content, "features": []}).encode()
        self._lost(
            "a document without its recipe", delivery.with_document(baked), facts, ["editable"]
        )
        again = delivery.reopening
        assert again is not None, "a rubric's case is opened again"
        for change in ({"same_document": False}, {"same_step": False}):
            other = replace(delivery, reopening=again.model_copy(update=change))
            what = next(iter(change)).removeprefix("same_")
            self._lost(f"a {what} that comes back changed", other, facts, ["reopens"])

    def _declared(self, agent: ScriptedAgent) -> None:
        name = f"{agent.name}: {agent.does}"
        self._bench.told(name)
        delivery = self._play(self._target.suite, self._target.case, agent.name)
        if delivery.undone or delivery.step is None:  # it may lose its rows, yet not by its fault
            undone = f"its script was not done: {delivery.undone}"
            finding = undone if delivery.undone else f"delivers nothing: {delivery.said}"
            self._proof.controls.append(Control(name=name, ok=None, finding=finding))
            return
        facts = self._bench.read(delivery.step).facts
        must = agent.must_fail.get(self._asked.id, ())
        grade = self._lost(name, delivery, facts, must)
        if must:
            failed = [check for check in grade.checks if check.verdict == "fail"]
            self._proof.mutants.append(
                MutantResult(
                    name=name,
                    kind="declared",
                    source="declared",
                    round=self._asked.id,
                    outcome="killed" if failed else "survivor",
                    differs=("script",),
                    failed=grade.failed(),
                    finding="; ".join(f"{check.name}: {check.finding}" for check in failed),
                )
            )

    def _shown(self, step: bytes) -> None:
        """Let the second kernel read the reference."""
        surveyed(self._bench, step, self._proof, self._options, self._asked.id)

    def _bodies(self, step: bytes) -> None:
        """Judge mutants of the STEP by the rows that a file alone answers."""
        survey, reading = surveyed(self._bench, step, self._proof, self._options, self._asked.id)

        def grade(reading: Reading, data: bytes) -> Grade:
            what = Delivered(reading.facts, sha256(data), lacks=FILE_ALONE)
            fingerprint = self._options.ruler_fingerprint
            return self._target.suite.grade(self._asked, what, ruler_fingerprint=fingerprint)

        subject = Subject(survey, reading, grade, grade, self._asked.id)
        mutants, controls = of_body(self._bench, subject)
        self._proof.mutants += mutants
        self._proof.controls += controls
