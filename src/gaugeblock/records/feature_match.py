"""Two feature sets held against each other: which features are right, moved, changed, missing.

Lengths are mm, angles degrees. Positions and shifts are in the coordinates of the reference's
file, whatever pose the candidate was delivered in. `docs/metrics/feature-matching.md` defines it.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from gaugeblock.records.base import Record
from gaugeblock.records.measurement import FileFacts, Finding, Triple

OutcomeKind = Literal["matched", "moved", "changed", "missing", "extra"]
"""`matched`: the same within the tolerances; `moved`: the same elsewhere; `changed`: another size
or form; `missing`: only the reference has it; `extra`: only the candidate has it."""


class MatchTolerances(Record):
    """How far a feature may be off and still be the right one; see `ruler/matching/tolerances`."""

    position: float = Field(gt=0, description="Of the reference point or the axis, mm.")
    axis: float = Field(gt=0, description="Between the axes, degrees.")
    size: float = Field(gt=0, description="Of every length, mm.")
    size_part: float = Field(gt=0, description="Of every length, as a part of it, if that is less.")
    angle: float = Field(gt=0, description="Of cone angles, degrees.")
    pitch: float = Field(gt=0, description="Of a thread's pitch and lead, mm.")
    shared: dict[str, float] | None = Field(
        description="By kind, the part of their common stretch that two features along a line"
        " (through holes, straight fillets and chamfers) must share; None: their lengths and ends"
        " are held against `size` and `position` as well."
    )


class ParameterChange(Record):
    """One parameter that is not the same."""

    parameter: str = Field(description="In words, such as `counterbore depth`.")
    reference: float | str | None = Field(description="None: the reference has no such thing.")
    candidate: float | str | None = Field(description="None: the candidate has no such thing.")
    unit: Literal["mm", "°", ""] = Field(description="Empty for words.")


class FeatureOutcome(Record):
    """What became of one feature."""

    outcome: OutcomeKind = Field(description="In one word.")
    kind: str = Field(description="The reference's kind; the candidate's, if it is extra.")
    reference: str | None = Field(description="`Feature.id` in the reference; None: extra.")
    candidate: str | None = Field(description="`Feature.id` in the candidate; None: missing.")
    position: Triple = Field(description="In mm, of the reference's; of the candidate's, if extra.")
    shift: Triple | None = Field(
        default=None, description="From the reference's to the candidate's, mm; None: unpaired."
    )
    shift_mm: float | None = Field(default=None, description="Its length.")
    turn_deg: float | None = Field(
        default=None, description="Between the axes; None: unpaired, or one has no axis."
    )
    changes: list[ParameterChange] = Field(
        default_factory=list, description="Parameters beyond their tolerance."
    )
    text: str = Field(description="The same in plain words.")


class KindCount(Record):
    """Features of one kind."""

    reference: int = Field(description="In the reference.")
    candidate: int = Field(description="In the candidate.")
    matched: int = Field(description="Right ones.")
    moved: int = Field(description="Elsewhere.")
    changed: int = Field(description="Of another size or form.")
    missing: int = Field(description="Only in the reference.")
    extra: int = Field(description="Only in the candidate.")


class FeatureMatch(Record):
    """The account of all features of a pair, and its score."""

    state: Literal["scored", "no-features", "could-not-measure"] = Field(
        description="`no-features`: neither has any, so there is nothing to be right or wrong."
    )
    reason: str | None = Field(default=None, description="Why it is not scored.")
    reference: FileFacts = Field(description="The file that says what is right.")
    candidate: FileFacts = Field(description="The file held against it.")
    semantic_match: float | None = Field(
        description="Right features / max(reference's, candidate's), 0 to 1; None: see `reason`."
    )
    recognised_match: float | None = Field(
        default=None,
        description="The same ratio over what was recognised, where `semantic_match` is None"
        " because some faces allow no certain answer. Not a grade.",
    )
    outcomes: list[FeatureOutcome] = Field(
        default_factory=list, description="What differs first, then by kind and place."
    )
    kinds: dict[str, KindCount] = Field(default_factory=dict, description="Counts by kind.")
    differences: list[str] = Field(
        default_factory=list, description="What differs in plain words, like with like."
    )
    tolerances: MatchTolerances = Field(description="What `matched` means here.")
    findings: list[Finding] = Field(default_factory=list, description="Remarks.")
