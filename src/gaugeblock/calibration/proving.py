"""Proving one target: its controls, formulas, second kernel and mutants, and the verdict."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field

from gaugeblock.calibration.deliveries import Document
from gaugeblock.calibration.figures import Reading
from gaugeblock.calibration.formulas import VOLUME, against_measured
from gaugeblock.calibration.measuring import Bench, sha256
from gaugeblock.calibration.mutants import Subject, of_body, of_parameters
from gaugeblock.calibration.records import (
    Control,
    FormulaCheck,
    MutantResult,
    SecondKernel,
    State,
    TargetKind,
    TargetResult,
)
from gaugeblock.calibration.second_kernel import Environment, Reference, agreement
from gaugeblock.calibration.targets import FileTarget, PartTarget
from gaugeblock.calibration.workshop import Survey
from gaugeblock.records.errors import CouldNotMeasure

MOST = 4
"""Features of one sort that mutants are made of."""


@dataclass(frozen=True)
class Options:
    """How a calibration is done."""

    ruler_fingerprint: str
    second_kernel: Environment | None
    """None: not asked for."""
    wall_s: float
    """Time ceiling of one step, s."""
    most: int = MOST


@dataclass
class Proof:
    """What is gathered of one target."""

    references: dict[str, str] = field(default_factory=dict)
    controls: list[Control] = field(default_factory=list)
    formulas: list[FormulaCheck] = field(default_factory=list)
    mutants: list[MutantResult] = field(default_factory=list)
    left_out: dict[str, int] = field(default_factory=dict)
    shown: list[Reference] = field(default_factory=list)
    """What the second kernel shall read."""
    begun: float = field(default_factory=time.monotonic)

    def closed(self, name: str, kind: TargetKind, options: Options) -> TargetResult:
        """Ask the second kernel, and return the result with its verdict."""
        if options.second_kernel is None:
            second: tuple[SecondKernel, ...] = (SecondKernel(state="not asked"),)
        else:
            second = agreement(options.second_kernel, self.shown, wall_s=options.wall_s)
        state, reasons = verdict(self.controls, self.formulas, second, self.mutants)
        return TargetResult(
            target=name,
            kind=kind,
            reference_sha256=self.references,
            controls=tuple(self.controls),
            formulas=tuple(self.formulas),
            second_kernel=second,
            mutants=tuple(self.mutants),
            left_out=self.left_out,
            state=state,
            reasons=reasons,
            seconds=round(time.monotonic() - self.begun, 3),
        )


def prove_part(bench: Bench, target: PartTarget, options: Options) -> TargetResult:
    """Prove the ruler on one of the calibration's own parts."""
    part, proof = target.part, Proof()
    document = Document(part.program(), dict(part.parameters))
    data = bench.workshop.build(document.program or "", part.parameters)
    subject = Subject(*surveyed(bench, data, proof, options))
    facts = subject.reading.facts
    known = part.figure(part.volume)
    proof.formulas.append(
        against_measured(part.name, part.parameters, part.volume, known, facts, "reference")
    )
    for name, formula in (("solids", part.solids), ("faces", part.faces)):
        if formula is not None and facts.totals is not None:
            told, found = part.figure(formula), getattr(facts.totals, name)
            finding = "" if told == found else f"{found} instead of {told:g}"
            proof.controls.append(
                Control(name=f"{name} as the formula says", ok=told == found, finding=finding)
            )
    _mutated(bench, subject, proof)
    for changed in of_parameters(bench, subject, document):
        proof.mutants.append(changed.result)
        if changed.facts is not None:  # the formula is held against the program there too
            there = part.figure(part.volume, changed.parameters)
            proof.formulas.append(
                against_measured(
                    part.name, changed.parameters, part.volume, there, changed.facts, "program"
                )
            )
    return proof.closed(target.name, "part", options)


def prove_file(bench: Bench, target: FileTarget, options: Options) -> TargetResult:
    """Prove the ruler on a STEP file of the user's; there is no formula.

    Raises:
        CouldNotMeasure: the file cannot be measured.
    """
    proof, data = Proof(), target.path.read_bytes()
    before = bench.read(data).facts
    if before.totals is None:
        raise CouldNotMeasure(before.reason or "it cannot be measured")
    subject = Subject(*surveyed(bench, data, proof, options))
    proof.references["file"] = sha256(data)
    after = subject.reading.facts.totals
    one, other = before.totals.volume, after.volume if after else None
    name = "the file, written again for its mutants, measures the same volume"
    if one is None or other is None:
        proof.controls.append(Control(name=name, ok=None, finding="a volume is unknown"))
    else:
        same = abs(one - other) <= VOLUME * one
        finding = "" if same else f"{other:.10g} mm³ instead of {one:.10g} mm³"
        proof.controls.append(Control(name=name, ok=same, finding=finding))
    _mutated(bench, subject, proof)
    return proof.closed(target.name, "file", options)


def surveyed(
    bench: Bench, data: bytes, proof: Proof, options: Options, round_id: str | None = None
) -> tuple[Survey, Reading]:
    """List a reference's mutants and measure it, as it is written for them.

    Args:
        bench: the tools.
        data: the reference's file.
        proof: gathers its hash, what is left out, and that the second kernel shall read it.
        options: how the calibration is done.
        round_id: round of the case; None: there is no case.

    Raises:
        CouldNotMeasure: the reference cannot be read or measured.
    """
    survey = bench.workshop.survey(data, options.most)
    reading = bench.read(survey.reference)
    if reading.facts.totals is None:
        raise CouldNotMeasure(f"the reference cannot be measured: {reading.facts.reason}")
    proof.references[round_id or "reference"] = sha256(survey.reference)
    proof.left_out = survey.left_out
    proof.shown.append(Reference(survey.reference, reading.facts, round_id))
    return survey, reading


def _mutated(bench: Bench, subject: Subject, proof: Proof) -> None:
    mutants, controls = of_body(bench, subject)
    proof.mutants += mutants
    proof.controls += controls


def verdict(
    controls: Iterable[Control],
    formulas: Iterable[FormulaCheck],
    second: Iterable[SecondKernel],
    mutants: Iterable[MutantResult],
) -> tuple[State, tuple[str, ...]]:
    """Return the verdict on a target and its reasons.

    A survivor, a control or formula that does not hold, or a kernel that disagrees: not
    calibrated. What could not be judged, or a kernel that is absent: incomplete.
    """
    wrong: list[str] = []
    open_: list[str] = []
    for control in controls:
        place = wrong if control.ok is False else open_
        if control.ok is not True:
            place.append(f"{control.name}: {control.finding or 'no'}")
    for check in formulas:
        if check.holds is None:
            open_.append(f"{check.what}: formula not judged: {check.why}")
        elif not check.holds and check.expected:
            wrong.append(f"{check.what}: ill-posed, the formula does not hold: {check.why}")
        elif check.holds and not check.expected:
            wrong.append(f"{check.what}: a formula that must not hold was found to hold")
    for kernel in second:
        if kernel.state == "disagrees":
            wrong.append(f"second kernel: {kernel.reason}")
        elif kernel.state != "agrees":
            told = kernel.reason or "nothing but the one kernel vouches for the reference"
            open_.append(f"second kernel {kernel.state}: {told}")
    for mutant in mutants:
        if mutant.outcome == "survivor":
            wrong.append(f"survivor: {mutant.name}")
        elif mutant.outcome == "unmeasured":
            open_.append(f"not measured: {mutant.name}")
    if wrong:
        return "not calibrated", tuple(dict.fromkeys([*wrong, *open_]))
    return ("incomplete" if open_ else "calibrated"), tuple(dict.fromkeys(open_))
