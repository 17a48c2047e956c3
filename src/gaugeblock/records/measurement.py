"""What the ruler says about one STEP file: the `Measurement` record and its parts.

Lengths are mm, areas mm², volumes mm³, times s, whatever unit the file was written in.
An unknown is ``None`` beside a reason, never 0.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from gaugeblock.records.base import Record

Verdict = Literal["measured", "could-not-measure"]
"""Facts carry no pass or fail: a number was either obtained and confirmed, or it was not."""

Triple = tuple[float, float, float]


class Finding(Record):
    """Something a reader of the measurement ought to know that is not a number."""

    code: str = Field(description="Stable identifier, such as `inside-out-repaired`.")
    message: str = Field(description="One line in plain words; file text in it is cleaned.")
    where: str | None = Field(
        default=None, description="The solid or item meant, such as `solid 2`; None: the file."
    )


class FileFacts(Record):
    """The file itself, before any geometry."""

    name: str = Field(description="File name without its folder.")
    sha256: str | None = Field(description="SHA-256 of the bytes, hexadecimal; None: not read.")
    bytes: int = Field(description="Size in bytes.")
    file_schema: str | None = Field(
        default=None, description="Schema named in the STEP header (FILE_SCHEMA); None: no header."
    )
    length_units: list[str] = Field(
        default_factory=list,
        description="Length units as the file declares them (upper case, as the kernel names them),"
        " before the conversion to mm; empty: none declared or not read.",
    )
    originating_system: str | None = Field(
        default=None, description="FILE_NAME.originating_system; None: absent or empty."
    )


class Check(Record):
    """One part of validity."""

    ok: bool | None = Field(description="Passed, failed, or None: could not be judged.")
    why: str | None = Field(default=None, description="Reason when not passed.")


class Validity(Record):
    """The four things a valid solid needs, each judged apart."""

    brepcheck: Check = Field(description="The kernel's BRepCheck_Analyzer finds no fault.")
    volume_positive: Check = Field(description="Volume > 0 mm³ beyond its error estimate.")
    shells_closed: Check = Field(description="No edge of a shell is used only once.")
    mesh_closed_orientable: Check = Field(
        description="The triangulated boundary is closed and every half-edge has its opposite."
    )


class CrossCheck(Record):
    """The same volume by a method that shares no integration with the first."""

    method: str = Field(description="Name of the independent method.")
    value: float | None = Field(description="Volume in mm³; None: could not be had.")
    error_estimate: float | None = Field(description="Estimated absolute error in mm³.")
    agrees: bool | None = Field(
        description="Difference within both error estimates or 1e-6; None: not comparable."
    )
    reason: str | None = Field(default=None, description="Why value or agrees is None or false.")


class Volume(Record):
    """Volume of one solid with how it was obtained."""

    value: float | None = Field(description="Volume in mm³; None unless verdict is measured.")
    method: str = Field(
        description="`gauss` (kernel, elementary faces), `knot-span` (own integrator), or"
        " `gauss+knot-span` where a solid has faces of both kinds."
    )
    error_estimate: float | None = Field(description="Estimated absolute error in mm³.")
    cross_check: CrossCheck = Field(description="Independent second measurement.")
    verdict: Verdict = Field(description="Could-not-measure where the two methods disagree.")
    reason: str | None = Field(default=None, description="Why it could not be measured.")


class Counts(Record):
    """Distinct topological items of one solid (shared edges counted once)."""

    shells: int = Field(description="Shells, the outer one and those of voids.")
    faces: int = Field(description="Faces.")
    edges: int = Field(description="Edges, degenerate ones (at a cone's tip, say) included.")
    vertices: int = Field(description="Vertices.")


class Topology(Record):
    """Topology of the boundary surface of one solid, taken from its closed mesh."""

    euler: int | None = Field(description="V − E + F of the boundary; None: not a closed mesh.")
    genus: int | None = Field(description="Sum over the boundary's pieces of through-holes.")
    betti: tuple[int, int, int] | None = Field(
        description="Betti numbers [b0, b1, b2] of the boundary surface."
    )
    reason: str | None = Field(default=None, description="Why the numbers are None.")


class Bounds(Record):
    """Exact axis-aligned box."""

    min: Triple = Field(description="Lowest x, y, z in mm.")
    max: Triple = Field(description="Highest x, y, z in mm.")


class SolidFacts(Record):
    """Everything said about one solid, in the coordinates of the whole file."""

    index: int = Field(description="Position in the file's order, from 0.")
    name: str | None = Field(description="Name given by the author; None: unnamed.")
    instance: str | None = Field(
        default=None, description="Name of its occurrence in the assembly; None: none given."
    )
    path: list[str] = Field(
        description="Assembly path from the root to the part, unnamed levels as empty strings."
    )
    colour: str | None = Field(description="Colour as #rrggbb (sRGB); None: none set.")
    valid: bool | None = Field(description="All four parts of validity; None: not all judged.")
    validity: Validity = Field(description="The parts of validity.")
    volume: Volume = Field(description="Volume in mm³ with method, error and cross-check.")
    area: float | None = Field(description="Surface area in mm²; None: could not be had.")
    centroid: Triple | None = Field(
        description="Centre of volume in mm; None where the volume was not measured."
    )
    bounds: Bounds | None = Field(description="Box in mm; None: not finite.")
    counts: Counts = Field(description="Counts of items.")
    surfaces: dict[str, int] = Field(description="Number of faces by surface type.")
    topology: Topology = Field(description="Euler characteristic, genus, Betti numbers.")


class Totals(Record):
    """The file as a whole: its solids taken together, stray items left out."""

    solids: int = Field(description="Number of solids.")
    shells: int = Field(description="Shells of all solids.")
    faces: int = Field(description="Faces of all solids.")
    edges: int = Field(description="Edges of all solids.")
    volume: float | None = Field(description="Sum of the solids' volumes in mm³.")
    volume_reason: str | None = Field(default=None, description="Why volume is None.")
    occupied_volume: float | None = Field(
        description="Space filled in mm³, overlaps counted once; None: too many boxes overlap"
        " (ask `Ruler.interference`), or the overlap could not be measured."
    )
    occupied_reason: str | None = Field(default=None, description="Why occupied_volume is None.")
    bounds: Bounds | None = Field(description="Box of all solids in mm.")
    valid: bool | None = Field(
        description="At least one solid and all valid; None: some solid could not be judged."
    )
    names: list[str | None] = Field(description="Names of the solids in order; None: unnamed.")


class Stray(Record):
    """Geometry that belongs to no solid."""

    shells: int = Field(description="Shells outside solids.")
    faces: int = Field(description="Faces outside solids, those of stray shells included.")
    edges: int = Field(description="Edges that belong to no face.")


class Versions(Record):
    """What the figures were made with."""

    ocp: str | None = Field(description="Version of OCP, the kernel's binding.")
    numpy: str | None = Field(description="Version of numpy.")


class Measurement(Record):
    """One file, measured or refused."""

    verdict: Verdict = Field(description="Whether the file's geometry could be measured.")
    code: str | None = Field(
        default=None,
        description="Why not: not-step, truncated, empty, too-large, timeout, crashed, limit,"
        " not-a-file, no-shape or failed; None when measured.",
    )
    reason: str | None = Field(default=None, description="One line that says why not.")
    file: FileFacts = Field(description="The file.")
    solids: list[SolidFacts] = Field(default_factory=list, description="Solid by solid.")
    totals: Totals | None = Field(default=None, description="None when not measured.")
    stray: Stray | None = Field(default=None, description="None when not measured.")
    findings: list[Finding] = Field(default_factory=list, description="Remarks.")
    versions: Versions = Field(description="Ruler versions.")
    timings: dict[str, float] = Field(
        default_factory=dict, description="Seconds spent by step (read, volume, mesh, ...)."
    )
