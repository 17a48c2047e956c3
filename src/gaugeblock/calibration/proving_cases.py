"""Proving a case of a suite before any agent meets it, and cells that are kept out."""

from __future__ import annotations

from dataclasses import replace

from gaugeblock.calibration.construction import CONSTRUCTIONS
from gaugeblock.calibration.deliveries import Document, declared, played, start_of
from gaugeblock.calibration.figures import Reading
from gaugeblock.calibration.formulas import against_construction, against_measured, domain
from gaugeblock.calibration.measuring import Bench, sha256
from gaugeblock.calibration.mutants import Subject, built, judged, of_body, of_parameters
from gaugeblock.calibration.proving import Options, Proof, surveyed
from gaugeblock.calibration.records import Control, TargetResult
from gaugeblock.calibration.targets import CaseTarget, CellTarget
from gaugeblock.records.case import Case, Round
from gaugeblock.records.conservation import Conservation
from gaugeblock.records.grade import Grade
from gaugeblock.suites import Delivered, Suite, edit_region
from gaugeblock.suites.formulas import spelled_out
from gaugeblock.suites.truth import figures

MUST_FAIL = {
    "null": "no solid delivered fails",
    "random": "a random body of the same volume fails",
    "boxed": "the box of the right size fails",
}
"""Deliveries that every round must fail, by kind of mutation."""


def prove_case(bench: Bench, target: CaseTarget, options: Options) -> TargetResult:
    """Prove one case: every round's controls, then mutants of the last round's reference."""
    proof, suite, case = Proof(), target.suite, target.case
    before = start_of(suite, case)
    subject: Subject | None = None
    last = Document()
    subjects: dict[str, Subject] = {}
    for asked, document in played(suite, case, "reference"):
        start = None
        if asked.edit is not None:
            start = bench.workshop.build(before.program or "", before.parameters)
        subject = _reference(bench, suite, asked, document, start, proof, options)
        subjects[asked.id] = subject
        proof.controls += _deliveries(bench, suite, asked, before, subject, options)
        _formulas(suite, asked, subject, proof)
        before, last = document, document
    assert subject is not None, "a case has a round"
    mutants, controls = of_body(bench, subject)
    changed = of_parameters(bench, subject, last)
    proof.mutants += [*mutants, *(item.result for item in changed)]
    proof.controls += controls
    _declared(bench, target, subjects, proof)
    return proof.closed(target.name, "case", options)


def _reference(
    bench: Bench,
    suite: Suite,
    asked: Round,
    document: Document,
    start: bytes | None,
    proof: Proof,
    options: Options,
) -> Subject:
    """Build and measure a round's reference; it must pass every check."""
    data = bench.workshop.build(document.program or "", document.parameters)
    survey, reading = surveyed(bench, data, proof, options, asked.id)
    bench.told(f"{asked.id}: reference")

    region = edit_region(asked)

    def graded(
        reading: Reading, delivered: bytes, conservation: Conservation | None = None
    ) -> Grade:
        what = Delivered(reading.facts, sha256(delivered), conservation)
        return suite.grade(asked, what, ruler_fingerprint=options.ruler_fingerprint)

    def whole(reading: Reading, delivered: bytes) -> Grade:
        if start is None or region is None:
            return graded(reading, delivered)
        return graded(reading, delivered, bench.conserved(start, delivered, region))

    def grade(reading: Reading, delivered: bytes) -> Grade:
        by_facts = graded(reading, delivered)
        return by_facts if by_facts.verdict == "failed" else whole(reading, delivered)

    result = whole(reading, survey.reference)
    finding = "; ".join(c.finding for c in result.checks if c.verdict != "pass")
    proof.controls.append(
        Control(
            name=f"{asked.id}: the reference passes all {len(result.checks)} checks",
            ok={"passed": True, "failed": False}.get(result.verdict),
            finding=finding,
        )
    )
    return Subject(survey, reading, grade, whole, asked.id)


def _deliveries(
    bench: Bench, suite: Suite, asked: Round, before: Document, subject: Subject, options: Options
) -> list[Control]:
    """Judge what must fail: nothing, the untouched start, no solid, a random body, a box."""
    nothing = suite.grade(asked, Delivered(), ruler_fingerprint=options.ruler_fingerprint)
    found = [_fails(f"{asked.id}: no delivery fails", nothing)]
    assert subject.grade is not None
    name = f"{asked.id}: the untouched start fails"
    if before.program is None:
        found.append(_fails(f"{name} (it is empty)", nothing))
    else:
        data = bench.workshop.build(before.program, before.parameters)
        found.append(_fails(name, subject.grade(bench.read(data), data)))
    for spec in subject.survey.specs:
        if spec["kind"] in MUST_FAIL:
            made = bench.workshop.mutate(subject.survey, spec)
            name = f"{asked.id}: {MUST_FAIL[spec['kind']]}"
            if made.data is None:
                found.append(Control(name=name, ok=None, finding=made.reason))
            else:
                grade = subject.grade(bench.read(made.data), made.data)
                # A file without any solid may be unreadable: no grade is no pass either.
                found.append(_fails(name, grade, no_grade=spec["kind"] == "null"))
    return found


def _fails(name: str, grade: Grade, *, no_grade: bool = False) -> Control:
    if grade.verdict == "failed":
        return Control(name=name, ok=True, finding=f"fails {', '.join(grade.failed())}")
    if grade.verdict == "could-not-grade":
        return Control(name=name, ok=True if no_grade else None, finding="could not be graded")
    return Control(name=name, ok=False, finding="it passes")


def _formulas(suite: Suite, asked: Round, subject: Subject, proof: Proof) -> None:
    known = figures(asked)
    if known.volume is None or asked.truth.volume is None:
        return
    formula = spelled_out(asked.truth.volume, asked.truth.symbols)
    proof.formulas.append(
        against_measured(
            asked.id, asked.parameters, formula, known.volume, subject.reading.facts, "reference"
        )
    )
    construction = CONSTRUCTIONS.get(suite.name)
    if construction is not None:
        proof.formulas.append(
            against_construction(asked.id, asked.truth, asked.parameters, construction)
        )


def _declared(bench: Bench, target: CaseTarget, subjects: dict[str, Subject], proof: Proof) -> None:
    """Judge the suite's own mutants: each must fail exactly the checks it declares."""
    for agent, asked, document in declared(target.suite, target.case):
        subject = subjects[asked.id]
        name = f"{agent.name} in {asked.id}: {agent.does}"
        reference = subject.survey.reference
        made = built(bench, name, "declared", document, reference)
        bench.told(name)
        result = judged(bench, replace(subject, grade=subject.grade_whole), made, "declared")
        proof.mutants.append(result)
        if result.outcome == "not-applicable":
            continue
        must = agent.must_fail[asked.id]
        proof.controls.append(
            Control(
                name=f"{agent.name} in {asked.id} fails exactly {', '.join(must)}",
                ok=set(result.failed) == set(must),
                finding=f"fails {', '.join(result.failed) or 'nothing'}",
            )
        )


def prove_cell(target: CellTarget, options: Options) -> TargetResult:
    """Find whether a kept-out cell's claimed formula holds; it must be found not to.

    The cell's own truth, where it gives one, must hold: that proves the construction.
    """
    cell, proof = target.cell, Proof()
    construction = CONSTRUCTIONS.get(target.suite.name)
    if construction is None:
        finding = f"suite {target.suite.name} has no independent construction"
        proof.controls.append(Control(name="the formula was judged", ok=None, finding=finding))
    else:
        own = f"{cell.id}, as it really is"
        proof.formulas = [
            against_construction(
                cell.id,
                cell.truth,
                cell.parameters,
                construction,
                claimed=cell.claimed,
                expected=target.asked,
            ),
            against_construction(own, cell.truth, cell.parameters, construction),
        ]
    result = proof.closed(target.name, "cell", options)
    # No reference was measured, so no second kernel has a say.
    reasons = tuple(r for r in result.reasons if not r.startswith("second kernel"))
    state = "incomplete" if result.state == "incomplete" and reasons else result.state
    if state == "incomplete" and not reasons:
        state = "calibrated"
    return result.model_copy(update={"second_kernel": (), "state": state, "reasons": reasons})


def domains(suite: Suite, case: Case) -> tuple[str, ...]:
    """Say how far a case's first formula holds as its counts grow, found by the construction."""
    construction = CONSTRUCTIONS.get(suite.name)
    if construction is None:
        return ()
    asked = case.rounds[0]
    found = domain(asked.truth, asked.parameters, construction).items()
    return tuple(
        f"{suite.name}/{case.id}: the formula holds for {name} {low} to {high}"
        + (f"; not for {why}" if why else "")
        for name, (low, high, why) in found
    )
