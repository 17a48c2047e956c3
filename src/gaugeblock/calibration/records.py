"""What a calibration says: the `Calibration` record and its parts. mm, mm², mm³, s."""

from __future__ import annotations

from collections import Counter
from typing import Literal

from pydantic import Field

from gaugeblock.records.base import Record
from gaugeblock.records.drawing_task import Ceilings, Group

Source = Literal["body", "parameter", "declared"]
"""What a mutant was made from: the reference's body, a parameter, a suite's declared mutant."""

Against = Literal["reference", "construction", "program"]
"""What a formula was held against."""

TargetKind = Literal["part", "case", "cell", "file"]
"""What was calibrated."""

Outcome = Literal["killed", "tolerated", "survivor", "unmeasured", "not-applicable"]
"""`killed`: the case fails it, or a figure named for its kind leaves its tolerance;
`tolerated`: some figure moved, but it passes; `survivor`: no figure moved at all;
`unmeasured`: the ruler gave no verdict; `not-applicable`: there is no such mutant of this part."""

State = Literal["calibrated", "incomplete", "not calibrated"]

Value = float | int | str | bool | tuple[float, ...] | tuple[str, ...] | None


def numbers(value: Value) -> tuple[float, ...]:
    """Return a figure as its numbers: one, or those of a point or box.

    Raises:
        TypeError: it is no number.
    """
    items = value if isinstance(value, tuple) else (value,)
    found = tuple(float(item) for item in items if isinstance(item, int | float))
    if len(found) != len(items):
        raise TypeError(f"no number: {value!r}")
    return found


class Moved(Record):
    """One figure that is another than the reference's."""

    figure: str = Field(description="Its name, such as volume or iou.")
    reference: Value = Field(description="Of the reference.")
    mutant: Value = Field(description="Of the mutant; None is listed elsewhere, it is no move.")
    deviation: float | None = Field(description="In the tolerance's unit; None: not a number.")
    tolerance: float | None = Field(description="Relative, mm, or None: must be equal.")
    outside: bool = Field(description="Whether it left its tolerance.")


class MutantResult(Record):
    """One mutant and what the ruler made of it."""

    name: str = Field(description="What was done, and where.")
    kind: str
    source: Source = Field(
        description="Made on the B-rep, by a parameter of the program, or declared by the suite."
    )
    round: str | None = Field(default=None, description="Round of the case; None: no case.")
    outcome: Outcome
    differs: tuple[str, ...] = Field(
        default=(), description="How it is known to differ, without the ruler."
    )
    moved: tuple[Moved, ...] = Field(default=(), description="Figures that moved.")
    unknown: tuple[str, ...] = Field(
        default=(), description="Figures the ruler could not take of it: no evidence."
    )
    failed: tuple[str, ...] = Field(default=(), description="Checks of the case that failed.")
    finding: str = Field(default="", description="What names the fault, in one line.")
    reason: str = Field(default="", description="Why not applicable or not measured.")


class Control(Record):
    """Something that must hold of a target before any agent meets it."""

    name: str
    ok: bool | None = Field(description="None: could not be judged.")
    finding: str = ""


class FormulaCheck(Record):
    """A closed formula beside a volume that was had in another way."""

    what: str = Field(description="Round, cell or part.")
    parameters: dict[str, float]
    formula: str
    value: float = Field(description="The formula's, mm³.")
    against: Against = Field(
        description="The measured reference; an independent construction of the part; or the "
        "part's program at other parameters, measured."
    )
    found: float | None = Field(description="That volume, mm³; None: not had.")
    relative: float | None = Field(description="(found − value)/value.")
    tolerance: float = Field(description="Of the relative difference.")
    holds: bool | None = Field(description="None: could not be judged.")
    expected: bool = Field(
        default=True, description="False: a cell kept as a negative control; it must not hold."
    )
    why: str = Field(default="", description="Why it does not hold, found from the geometry.")


class KernelFigure(Record):
    """One figure by both kernels."""

    figure: str
    first: Value
    second: Value
    deviation: float | None
    tolerance: float | None
    ok: bool


class SecondKernel(Record):
    """A target's reference, read by another release of the kernel."""

    state: Literal["agrees", "disagrees", "absent", "not asked"]
    version: str | None = None
    round: str | None = None
    figures: tuple[KernelFigure, ...] = ()
    reason: str = ""


class SheetProof(Record):
    """What a case of suite drawings reaches, and what its mutants tell of it."""

    group: Group
    part_class: str
    difficulty: int
    ceilings: Ceilings | None = Field(
        description="Measured anew; None: one could not be, as a control says."
    )
    figures: dict[str, float] = Field(description="Of the reference graded as a delivery.")
    threads: int = Field(description="Threads recognised on the reference.")
    sizes_off: int = Field(description="Dimensions of the sheet that a parameter put off.")
    drawn: int = Field(description="Mutants of which a figure fell and that were drawn.")
    deceived: tuple[str, ...] = Field(
        description="Of them, those whose own drawing shows all that the reference's does: "
        "drawingMatch alone is no proof of shape."
    )


class TargetResult(Record):
    """One part, case or file."""

    target: str
    kind: TargetKind
    reference_sha256: dict[str, str] = Field(
        description="SHA-256 of the reference STEP by round; `reference` where there is no case."
    )
    controls: tuple[Control, ...] = ()
    formulas: tuple[FormulaCheck, ...] = ()
    second_kernel: tuple[SecondKernel, ...] = ()
    mutants: tuple[MutantResult, ...] = ()
    left_out: dict[str, int] = Field(
        default_factory=dict, description="Features of a sort that no mutant was made of."
    )
    sheet: SheetProof | None = Field(default=None, description="Of a case that shows a drawing.")
    state: State
    reasons: tuple[str, ...] = ()
    seconds: float = Field(description="Time it took, s.")

    def counts(self) -> dict[Outcome, int]:
        """Return the number of mutants by outcome."""
        found = Counter(mutant.outcome for mutant in self.mutants)
        order: tuple[Outcome, ...] = (
            "killed", "tolerated", "survivor", "unmeasured", "not-applicable",
        )  # fmt: skip
        return {outcome: found.get(outcome, 0) for outcome in order}


class Calibration(Record):
    """The ruler's own proof on some targets."""

    record: Literal["gaugeblock-calibration/1"] = "gaugeblock-calibration/1"
    made_at: str = Field(description="UTC, ISO 8601.")
    ruler_fingerprint: str = Field(description="Of the code and libraries that measured.")
    versions: dict[str, str | None] = Field(description="Kernel, second kernel, numpy.")
    targets: tuple[TargetResult, ...]
    kept_out: tuple[str, ...] = Field(
        default=(), description="Cases and cells that no formal run may use."
    )
    domains: tuple[str, ...] = Field(
        default=(), description="How far formulas hold as counts grow, found by construction."
    )
    state: State
    reasons: tuple[str, ...] = ()
    seconds: float = Field(description="Time it took, s.")
