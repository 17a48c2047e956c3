"""What the ruler says of two files, or of the solids of one: overlap, alignment, interference.

Lengths are mm, volumes mm³, angles degrees, times s. An unknown is ``None`` beside a reason.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from gaugeblock.records.base import Record
from gaugeblock.records.measurement import FileFacts, Finding, Triple, Verdict, Versions

IouMethod = Literal["identical", "apart", "exact", "mesh", "none"]
"""`identical`: the boundaries match face by face; `apart`: the boxes share no space; `exact`:
kernel booleans confirmed by an independent method; `mesh`: booleans of two meshes; `none`."""

UnitScale = Literal["inch↔mm 25.4", "m↔mm 1000", "cm↔mm 10"]


class Quantity(Record):
    """A number with how far it may be off."""

    value: float | None = Field(description="mm³; None: could not be had.")
    error_estimate: float | None = Field(description="Estimated absolute error in mm³.")


class InclusionExclusion(Record):
    """Whether the booleans of one pair add up, as parts of the pair's larger volume.

    Each residual is |left − right| / max(V(a), V(b)).
    """

    fuse: float | None = Field(description="V(a ∪ b) + V(a ∩ b) = V(a) + V(b).")
    cut_a: float | None = Field(description="V(a − b) + V(a ∩ b) = V(a).")
    cut_b: float | None = Field(description="V(b − a) + V(a ∩ b) = V(b).")
    residual: float | None = Field(description="The largest of the three; None: one is missing.")
    fuzzy: float | None = Field(
        description="Fuzzy tolerance in mm of the booleans reported (0: none)."
    )
    closes: bool | None = Field(description="Residual within 1e-6; None: no booleans ran.")
    reason: str | None = Field(default=None, description="Why not, or why none ran.")


class IouCheck(Record):
    """The IoU by one independent method."""

    iou: float | None = Field(description="0 to 1; None: could not be had.")
    error: float | None = Field(description="Estimated absolute error of the IoU.")
    samples: int | None = Field(default=None, description="Lines cast, or triangles of both.")
    reason: str | None = Field(default=None, description="Why iou is None.")


class CrossChecks(Record):
    """How one IoU was confirmed."""

    inclusion_exclusion: InclusionExclusion = Field(description="Sums of the exact booleans.")
    exact: IouCheck = Field(description="IoU of the exact booleans, whether accepted or not.")
    casting: IouCheck = Field(description="Lines through both boundaries.")
    mesh: IouCheck = Field(description="Booleans of triangulations at two deflections.")
    agree: bool | None = Field(
        description="The reported value agrees with every method that gave one; None: only one did."
    )


class Iou(Record):
    """Intersection over union of two bodies in one pose."""

    iou: float | None = Field(description="V(a ∩ b) / V(a ∪ b), 0 to 1; None: not measured.")
    error_estimate: float | None = Field(description="Estimated absolute error of the IoU.")
    verdict: Verdict = Field(description="Could-not-measure where the methods contradict.")
    reason: str | None = Field(default=None, description="Why it could not be measured.")
    method: IouMethod = Field(description="Where the value comes from.")
    flagged: bool = Field(description="True: the mesh value stands because no boolean could.")
    cross_checks: CrossChecks = Field(description="The methods side by side.")


class Volumes(Record):
    """Volumes of the aligned pair (of the posed pair where no alignment was asked for)."""

    a: Quantity = Field(description="Space occupied by the first file's solids.")
    b: Quantity = Field(description="Space occupied by the second file's solids.")
    common: Quantity = Field(description="Space in both.")
    only_a: Quantity = Field(description="Space in the first alone.")
    only_b: Quantity = Field(description="Space in the second alone.")


class Alignment(Record):
    """The rigid motion x ↦ R x + t that lays the first file on the second."""

    rotation: tuple[Triple, Triple, Triple] = Field(description="R, row by row; det R = +1.")
    translation: Triple = Field(description="t in mm.")
    angle_deg: float = Field(description="Angle of R in degrees, 0 to 180.")
    shift_mm: float = Field(description="How far the first file's centroid moves, mm.")
    candidates: int = Field(description="Poses scored.")
    ambiguous: bool = Field(
        description="Other motions fit equally well (a symmetric part); the least one was taken."
    )
    ties: int = Field(description="Other candidates that fit equally well.")
    method: str = Field(description="Where the pose came from, such as `axes` or `features`.")
    residual: float | None = Field(
        description="Mean distance of the boundaries after alignment, mm; 0 for equal parts. "
        "By method `twins` a bound of the largest distance."
    )


class Mirrored(Record):
    """Whether the mirror image of the first file fits the second better."""

    better: bool | None = Field(description="The mirror image fits better; None: not judged.")
    iou_mirrored: float | None = Field(
        description="IoU of the aligned mirror image by mesh booleans; None: not needed or not had."
    )
    how: Literal["equal", "distance", "fitted"] | None = Field(
        description="`equal`: the parts are, so nothing is left to improve; `distance`: its best "
        "rough pose lies several times farther, skin off skin, than the aligned body, so it was "
        "not fitted; `fitted`: aligned and measured; None: not judged."
    )


class Scale(Record):
    """Whether the files differ by a unit of length."""

    factor: float | None = Field(
        description="Size of b over a: cube root of the ratio of volumes; None: not judged."
    )
    box_ratios: Triple | None = Field(
        description="Ratios b/a of the boxes' sorted sides, smallest first; None: not judged."
    )
    unit: UnitScale | None = Field(description="The unit error it amounts to; None: none.")
    iou_rescaled: float | None = Field(
        description="IoU after rescaling and aligning, by mesh booleans; None: no unit error."
    )


class Overlap(Record):
    """Two files compared, or refused."""

    verdict: Verdict = Field(description="Whether the comparison could be measured.")
    code: str | None = Field(default=None, description="Why not; None when measured.")
    reason: str | None = Field(default=None, description="One line that says why not.")
    a: FileFacts = Field(description="The first file (the one that is moved).")
    b: FileFacts = Field(description="The second file (the one that stays).")
    posed: Iou | None = Field(default=None, description="As the files lie.")
    aligned: Iou | None = Field(
        default=None, description="After the best rigid motion; None: not asked for or not had."
    )
    alignment: Alignment | None = Field(default=None, description="That motion.")
    volumes: Volumes | None = Field(default=None, description="Volumes of the aligned pair.")
    mirrored: Mirrored | None = Field(default=None, description="Handedness.")
    scale: Scale | None = Field(default=None, description="Unit of length.")
    findings: list[Finding] = Field(default_factory=list, description="Remarks.")
    versions: Versions = Field(description="Ruler versions.")
    timings: dict[str, float] = Field(default_factory=dict, description="Seconds by step.")


class Clash(Record):
    """Two solids of one file that share space or whose boxes do."""

    a: int = Field(description="Index of the first solid.")
    b: int = Field(description="Index of the second solid.")
    name_a: str | None = Field(description="Name of the first solid; None: unnamed.")
    name_b: str | None = Field(description="Name of the second solid; None: unnamed.")
    volume: float | None = Field(description="Common volume in mm³; None: not measured.")
    error_estimate: float | None = Field(description="Estimated absolute error in mm³.")
    verdict: Verdict = Field(description="Could-not-measure where the methods contradict.")
    method: IouMethod = Field(description="Where the value comes from.")
    reason: str | None = Field(default=None, description="Why not measured, or why flagged.")
    mesh_volume: float | None = Field(
        default=None, description="Common volume by mesh booleans in mm³."
    )


class Interference(Record):
    """Which solids of one file share space."""

    verdict: Verdict = Field(description="Whether the file could be judged.")
    code: str | None = Field(default=None, description="Why not; None when measured.")
    reason: str | None = Field(default=None, description="One line that says why not.")
    file: FileFacts = Field(description="The file.")
    pairs: list[Clash] = Field(
        default_factory=list, description="Pairs whose boxes overlap; all others share nothing."
    )
    total: float | None = Field(
        default=None, description="Sum of the pairs' volumes in mm³; None: a pair is unknown."
    )
    occupied_volume: float | None = Field(
        default=None, description="Space filled in mm³, overlaps counted once; None: unknown."
    )
    occupied_reason: str | None = Field(default=None, description="Why occupied_volume is None.")
    findings: list[Finding] = Field(default_factory=list, description="Remarks.")
    versions: Versions = Field(description="Ruler versions.")
    timings: dict[str, float] = Field(default_factory=dict, description="Seconds by step.")
