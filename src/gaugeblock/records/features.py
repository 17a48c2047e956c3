"""What a machinist sees on a body: the `Feature` kinds with their parameters, and their matching.

Lengths are mm, angles degrees, in the coordinates of the file. Directions are unit vectors.
`docs/metrics/features.md` defines each kind and says what is refused.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from gaugeblock.records.base import Record
from gaugeblock.records.measurement import FileFacts, Finding, Triple, Verdict, Versions


class _Feature(Record):
    """What every feature has."""

    id: str = Field(description="Kind and number in this file, such as `hole-3`.")
    solid: int = Field(description="Index of the solid in the file's order, from 0.")
    faces: list[int] = Field(description="Indices of its own faces in the solid's order, from 0.")
    position: Triple = Field(
        description="Reference point in mm: on the axis at the entry of a hole, at the foot of a"
        " boss, in the middle of a recess's outline at its opening; for grooves and whole rings on"
        " their axis; else on the surface, in its middle."
    )
    findings: list[str] = Field(
        default_factory=list, description="What is odd about it, such as an interrupted wall."
    )


class Counterbore(Record):
    """A wider cylindrical step at the entry of a hole."""

    diameter: float = Field(description="mm")
    depth: float = Field(description="From the entry face to the step's floor, in mm.")


class Countersink(Record):
    """A conical widening at the entry of a hole."""

    diameter: float = Field(description="At the entry face, in mm.")
    angle: float = Field(description="Full angle of the cone in degrees.")
    depth: float = Field(description="Along the axis, in mm.")


class Hole(_Feature):
    """A round hole, with all of its coaxial steps."""

    kind: Literal["hole"] = "hole"
    through: bool = Field(description="Whether it opens at both ends.")
    axis: Triple = Field(description="From the entry into the material.")
    diameter: float = Field(description="Of the bore (the narrowest step), in mm.")
    depth: float = Field(
        description="Of the whole hole from the entry face to the end of its full diameter, in mm."
    )
    bottom: Literal["open", "flat", "conical", "spherical", "other"] = Field(
        description="How it ends; `open` where it goes through."
    )
    tip_angle: float | None = Field(default=None, description="Full angle of a conical bottom.")
    counterbore: Counterbore | None = Field(default=None, description="At the entry.")
    countersink: Countersink | None = Field(default=None, description="At the entry.")
    far_counterbore: Counterbore | None = Field(default=None, description="At the other end.")
    far_countersink: Countersink | None = Field(default=None, description="At the other end.")
    steps: list[tuple[float, float]] = Field(
        default_factory=list,
        description="All cylindrical steps from the entry on: (diameter, length) in mm.",
    )
    entry_faces: list[int] = Field(description="Faces that the entry lies in.")
    exit_faces: list[int] = Field(default_factory=list, description="Faces of the other end.")


class Boss(_Feature):
    """Material that stands up from a face: round, or of straight and round sides."""

    kind: Literal["boss"] = "boss"
    shape: Literal["round", "prismatic"] = Field(description="Form of its outline.")
    axis: Triple = Field(description="Away from the face it stands on.")
    height: float = Field(description="mm")
    diameter: float | None = Field(default=None, description="Of a round boss, in mm.")
    length: float | None = Field(default=None, description="Longer side of a prismatic one, mm.")
    width: float | None = Field(default=None, description="Shorter side of a prismatic one, mm.")
    base_faces: list[int] = Field(description="Faces it stands on.")


class Recess(_Feature):
    """A slot, keyway or pocket: sunk from a face, or a breakthrough that goes through."""

    kind: Literal["slot", "keyway", "pocket", "breakthrough"]
    axis: Triple = Field(description="From the opening into the material.")
    length: float | None = Field(
        description="Extent of the outline along `direction`, mm: its longest, or where a slot is"
        " open at an end the one between its walls; None: no such."
    )
    width: float | None = Field(
        description="Extent across the length, mm; of a slot at its opening."
    )
    depth: float = Field(description="mm; through the wall for a breakthrough.")
    direction: Triple | None = Field(
        default=None,
        description="Of the length; None where length and width are equal or several directions"
        " have as small a box (a hexagon). Its sign carries no meaning.",
    )
    ends: Literal["round", "square", "open", "mixed"] | None = Field(
        default=None, description="Of a slot or keyway."
    )
    corner_radius: float | None = Field(default=None, description="Of upright corners, mm.")
    through: bool = Field(default=False, description="Whether it has no floor.")


class Groove(_Feature):
    """A ring cut around a shaft, into a bore or into a face."""

    kind: Literal["groove"] = "groove"
    where: Literal["external", "internal", "face"] = Field(description="What it is cut into.")
    axis: Triple = Field(description="Of revolution; its sign carries no meaning.")
    diameter: float = Field(description="Of the floor (of the middle, for a face), in mm.")
    width: float = Field(description="At the floor, in mm.")
    depth: float = Field(description="From the lower of its two shoulders, in mm.")


class Chamfer(_Feature):
    """A bevel between two faces."""

    kind: Literal["chamfer"] = "chamfer"
    form: Literal["straight", "round"] = Field(description="Plane, or cone about an edge.")
    side: Literal["convex", "concave"] = Field(description="Of the edge it replaces.")
    legs: tuple[float, float] = Field(description="Set-back on both faces, smaller first, mm.")
    angle: float = Field(description="Between the bevel and the face of the longer leg, degrees.")
    axis: Triple | None = Field(default=None, description="Along the edge, or of revolution.")
    diameter: float | None = Field(default=None, description="Larger one of a round one, mm.")
    length: float = Field(description="Of the edge it replaces, in mm.")


class Fillet(_Feature):
    """A rounded edge."""

    kind: Literal["fillet"] = "fillet"
    side: Literal["convex", "concave"] = Field(
        description="convex: an outer edge rounded off; concave: an inner corner filled."
    )
    radius: float = Field(description="mm")
    form: Literal["straight", "round", "corner", "other"] = Field(
        description="Cylinder, torus, sphere in a corner, or a free path."
    )
    axis: Triple | None = Field(default=None, description="Along the edge, or of revolution.")
    diameter: float | None = Field(default=None, description="Of the ring's centre line, mm.")
    length: float = Field(description="Along the edge, in mm.")


class Thread(_Feature):
    """A modelled screw thread; its position is the middle of its length, on the axis.

    `docs/metrics/threads.md` defines every figure.
    """

    kind: Literal["thread"] = "thread"
    internal: bool = Field(description="In a bore (true) or on a shaft.")
    axis: Triple = Field(
        description="From its first end along the thread: from a screw's free end, from where a"
        " tapped hole opens; where both ends are alike its sign carries no meaning."
    )
    designation: str | None = Field(
        description="Size of the standard it fits, such as `M8x1.25` or `1/4-20 UNC`, whatever its"
        " hand and starts; None: none, and a finding says what the nearest size lacks."
    )
    standard: str | None = Field(default=None, description="Such as `ISO 261`, `ASME B1.1`.")
    pitch: float = Field(description="mm")
    lead: float = Field(description="Advance of one turn, starts × pitch, in mm.")
    surface_lead: float | None = Field(
        default=None,
        description="The lead once more, from the helical surfaces alone and not from rays; mm.",
    )
    starts: int = Field(description="Number of parallel threads.")
    hand: Literal["right", "left"] = Field(description="Sense of the helix.")
    major: float = Field(description="Major diameter in mm.")
    minor: float = Field(description="Minor diameter in mm.")
    pitch_diameter: float | None = Field(default=None, description="mm; None: not had.")
    flank_angle: float | None = Field(description="Included angle in degrees; None: not had.")
    length: float = Field(
        description="Of the threaded part along the axis, run-outs and chamfered turns included;"
        " in mm."
    )
    full_length: float | None = Field(
        default=None, description="Of the complete profile, to a 37th of the pitch; in mm."
    )
    volume: float | None = Field(
        default=None,
        description="Material between its own minor and major cylinder over the length, in mm³.",
    )
    volume_ratio: float | None = Field(
        default=None,
        description="Material between the standard's minor and major cylinder, where the profile"
        " is complete, over that of the standard's basic profile; None: of no standard size.",
    )
    residual: float | None = Field(
        default=None, description="Root mean square by which its flanks miss the helix; mm."
    )
    through: bool | None = Field(default=None, description="For internal ones: through hole.")


Feature = Annotated[
    Hole | Boss | Recess | Groove | Chamfer | Fillet | Thread, Field(discriminator="kind")
]


class FeatureSet(Record):
    """All features recognised in one file, or why there are none."""

    verdict: Verdict = Field(description="Whether features could be looked for.")
    code: str | None = Field(default=None, description="Why not; as in `Measurement.code`.")
    reason: str | None = Field(default=None, description="One line that says why not.")
    file: FileFacts = Field(description="The file.")
    features: list[Feature] = Field(default_factory=list, description="By kind, then by place.")
    refused: list[Finding] = Field(
        default_factory=list,
        description="Faces that look like part of a feature but allow no certain answer.",
    )
    findings: list[Finding] = Field(default_factory=list, description="Remarks.")
    versions: Versions = Field(description="Ruler versions.")
    timings: dict[str, float] = Field(default_factory=dict, description="Seconds by step.")
