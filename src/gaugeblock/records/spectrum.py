"""What can be measured on a finished body, which values of a sheet are found in it, and by chance.

Lengths are mm, angles degrees. Every dimension keeps the faces it came from, so that a reader can
point at it on the part.
"""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from gaugeblock.records.base import Record
from gaugeblock.records.measurement import FileFacts, Finding, Verdict, Versions

DimensionKind = Literal[
    "edge-length",
    "plane-distance",
    "axial-length",
    "diameter",
    "radius",
    "plane-angle",
    "cone-angle",
    "torus-radius",
    "axis-distance",
]
"""What a dimension measures; `docs/metrics/spectrum.md` defines each."""


class Instance(Record):
    """One place of the body where a dimension can be measured."""

    solid: int = Field(description="Index of the solid in the file's order, from 0.")
    faces: list[int] = Field(
        description="Indices of the faces it lies between or on, from 0, in the solid's order."
    )
    edge: int | None = Field(
        default=None,
        description="Index of the edge, from 0: for edge lengths, and for circles that no round"
        " face has.",
    )
    repeats: bool = Field(
        default=False,
        description="An edge or round face whose length another instance has already, such as three"
        " of four edges along a box, or all where two parallel faces end it: no sheet value stands"
        " on it.",
    )
    turn: float | None = Field(
        default=None, description="Of a round face, how far it reaches around, in degrees."
    )
    external: bool | None = Field(
        default=None,
        description="Whether a radius rounds off the outside, which ISO 2768 tolerates more widely;"
        " None: no radius, or not told.",
    )
    leg: float | None = Field(
        default=None,
        description="Shorter leg of an angle in mm, by which ISO 2768 tolerates it.",
    )


class Dimension(Record):
    """One value of one kind, with every place that has it."""

    kind: DimensionKind = Field(description="What is measured.")
    value: float = Field(description="mm, or degrees for `plane-angle` and `cone-angle`.")
    count: int = Field(ge=1, description="How many places have this value.")
    serves: int = Field(
        ge=0,
        description="How many sheet values can stand on it: the places that do not repeat another."
        " 0: the distance of two faces says the same.",
    )
    instances: list[Instance] = Field(description="The places; as many as `count`.")


class Spectrum(Record):
    """All measurable dimensions of one file, or why there are none."""

    verdict: Verdict = Field(description="Whether the body's dimensions could be taken.")
    code: str | None = Field(default=None, description="Why not; as in `Measurement.code`.")
    reason: str | None = Field(default=None, description="One line that says why not.")
    file: FileFacts = Field(description="The file.")
    diagonal: float | None = Field(
        default=None, description="Of the box around all solids, in mm; None: not measured."
    )
    dimensions: list[Dimension] = Field(
        default_factory=list, description="By kind, then by value, ascending."
    )
    findings: list[Finding] = Field(default_factory=list, description="Remarks.")
    versions: Versions = Field(description="Ruler versions.")
    timings: dict[str, float] = Field(default_factory=dict, description="Seconds by step.")


class SheetDimension(Record):
    """One dimension as a sheet gives it."""

    label: str = Field(description="How it reads on the sheet, such as `4× ⌀8 H7`.")
    type: Literal["length", "diameter", "radius", "angle"] = Field(description="Its symbol.")
    value: float = Field(gt=0, description="Nominal value in mm or degrees.")
    count: int = Field(default=1, ge=1, le=10_000, description="The number before ×.")
    upper: float | None = Field(
        default=None, description="Upper deviation in mm or degrees; None: ISO 2768-m."
    )
    lower: float | None = Field(
        default=None, description="Lower deviation, −0.1 for 0.1 below; None: ISO 2768-m."
    )
    leg: float | None = Field(
        default=None,
        gt=0,
        description="Shorter leg of an angle in mm, by which ISO 2768 tolerates it; None: that of"
        " the measured angle.",
    )

    @model_validator(mode="after")
    def _deviations_make_sense(self) -> Self:
        if (self.upper is None) != (self.lower is None):
            raise ValueError("give both deviations (0 where there is none) or neither")
        if self.upper is not None and self.lower is not None and self.upper < self.lower:
            raise ValueError("the upper deviation is below the lower one")
        return self


Reading = Literal["as measured", "supplement", "half", "double", "complement"]
"""How a sheet may write what was measured: an angle of 60° as 120° (supplement), a round end of ⌀10
as R5 (half), a cone of 45° a side as 90° (double), one of 30° a side as 60° against its end face
(complement)."""


class Hit(Record):
    """A measured dimension beside a sheet value."""

    kind: DimensionKind = Field(description="Kind of the measured dimension.")
    value: float = Field(description="As measured, mm or degrees.")
    reading: Reading = Field(description="How the sheet writes it.")
    deviation: float = Field(description="The reading minus the sheet's nominal, mm or degrees.")
    count: int = Field(ge=1, description="How many of its places are meant.")


class SheetValue(Record):
    """One dimension of the sheet, looked for in a spectrum."""

    dimension: SheetDimension = Field(description="As the sheet gives it.")
    tolerance: Literal["sheet", "ISO 2768-m"] = Field(description="Whose deviations apply.")
    found: bool = Field(description="All of its count are found.")
    found_extended: bool = Field(description="The same with distances of axes taken in.")
    hits: list[Hit] = Field(description="What it stands on; less than its count where not found.")
    nearest: Hit | None = Field(
        default=None,
        description="Where not found: the nearest dimension of its type beyond the limits; its"
        " count is that of all its places. None: found, or the body has none.",
    )
    reason: str | None = Field(default=None, description="One line why it is not found.")


class SheetMatch(Record):
    """The values of a sheet found in a spectrum, or why they could not be looked for."""

    verdict: Verdict = Field(description="As the spectrum's.")
    code: str | None = Field(default=None, description="As the spectrum's.")
    reason: str | None = Field(
        default=None, description="As the spectrum's, or that none is asked."
    )
    values: list[SheetValue] = Field(default_factory=list, description="In the sheet's order.")
    found: int | None = Field(default=None, description="How many are found.")
    found_extended: int | None = Field(default=None, description="With distances of axes.")
    asked: int = Field(description="How many the sheet has.")
    recall: float | None = Field(
        default=None,
        description="found / asked: `dimensionRecall`; of the reference, its `referenceCoverage`."
        " None: see reason.",
    )
    extended_recall: float | None = Field(
        default=None, description="found_extended / asked: `extendedRecall`."
    )


class RandomHits(Record):
    """How often a uniformly random sheet value would be found: `randomHitRate`, by type.

    Lengths, diameters and radii are drawn from 0 to the body's diagonal, angles from 0° to 180°.
    """

    verdict: Verdict = Field(description="As the spectrum's.")
    code: str | None = Field(default=None, description="As the spectrum's.")
    reason: str | None = Field(default=None, description="As the spectrum's.")
    length: float | None = Field(default=None, description="Share of lengths; None: see reason.")
    diameter: float | None = Field(default=None, description="Share of diameters.")
    radius: float | None = Field(default=None, description="Share of radii.")
    angle: float | None = Field(default=None, description="Share of angles.")
    diagonal: float | None = Field(default=None, description="mm.")
