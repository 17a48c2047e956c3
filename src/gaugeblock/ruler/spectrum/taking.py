"""The spectrum of one file: each solid laid out, its quantities taken, equal ones together."""

from __future__ import annotations

import math
import os

import numpy as np

from gaugeblock.records.measurement import Bounds, FileFacts, Finding
from gaugeblock.records.spectrum import Dimension, Spectrum
from gaugeblock.ruler.facts.bounds import bounds_of, joined
from gaugeblock.ruler.facts.consistency import LARGEST
from gaugeblock.ruler.facts.measuring import Clock
from gaugeblock.ruler.facts.outline import outline_of
from gaugeblock.ruler.header import Refused, inspect
from gaugeblock.ruler.reading import ReadSolid, read_step
from gaugeblock.ruler.refusals import refused_spectrum, versions
from gaugeblock.ruler.spectrum.axials import axial_lengths
from gaugeblock.ruler.spectrum.collecting import Placed, dimensions_of
from gaugeblock.ruler.spectrum.forms import FITS
from gaugeblock.ruler.spectrum.layout import Layout, lay_out
from gaugeblock.ruler.spectrum.lengths import edge_lengths
from gaugeblock.ruler.spectrum.planes import NEARLY_PARALLEL, angles, distances
from gaugeblock.ruler.spectrum.quantities import TooMany, check_number
from gaugeblock.ruler.spectrum.rounds import axis_distances, circles, rounds


def spectrum_fd(fd: int, name: str, sha256: str | None) -> Spectrum:
    """Take the spectrum of the STEP file open as `fd`, in this process.

    Args:
        fd: Descriptor of a regular file, open for reading.
        name: File name for the record.
        sha256: Digest computed by the caller, or None.
    """
    clock = Clock()
    file = FileFacts(name=name, sha256=sha256, bytes=os.fstat(fd).st_size)
    try:
        header = inspect(fd)
        read = read_step(f"/proc/self/fd/{fd}", units=not header.length_units)
    except Refused as refusal:
        return refused_spectrum(file, refusal.code, refusal.reason)
    file = header.told_of(file, header.length_units or read.units)
    clock.lap("read")
    if not read.solids:
        return refused_spectrum(file, "no-solid", "the file holds no solid to take dimensions of")
    lost = header.declared_solids - read.distinct
    if lost > 0:
        reason = f"the kernel did not deliver {lost} of the file's solids: dimensions are missing"
        return refused_spectrum(file, "solids-lost", reason)
    missing = header.declared_occurrences - read.occurrences
    if missing > 0:
        message = f"{missing} places of parts in assemblies were not delivered"
        read.findings.append(Finding(code="occurrences-lost", message=message))
    try:
        dimensions, diagonal, findings = spectrum_of(read.solids, clock)
    except (Refused, TooMany) as refusal:
        code = refusal.code if isinstance(refusal, Refused) else "limit"
        return refused_spectrum(file, code, str(refusal))
    return Spectrum(
        verdict="measured",
        file=file,
        diagonal=diagonal,
        dimensions=dimensions,
        findings=read.findings + findings,
        versions=versions(),
        timings={step: round(seconds, 6) for step, seconds in clock.seconds.items()},
    )


def spectrum_of(
    solids: list[ReadSolid], clock: Clock
) -> tuple[list[Dimension], float, list[Finding]]:
    """Return the dimensions of solids, the diagonal of their box in mm, and findings.

    Raises:
        Refused: a solid is too far out to be resolved, or one of its dimensions is not finite.
        TooMany: the solids have more dimensions than a list is of use for.
    """
    placed: list[Placed] = []
    findings: list[Finding] = []
    boxes: list[Bounds | None] = []
    for index, solid in enumerate(solids):
        box = bounds_of(solid.shape)
        if box is None or max(map(abs, (*box.min, *box.max))) > LARGEST:
            raise Refused("failed", f"solid {index} does not lie within {LARGEST:g} mm")
        boxes.append(box)
        clock.lap("bounds")
        layout = lay_out(outline_of(solid.shape), np.array(box.min), np.array(box.max))
        clock.lap("layout")
        apart = distances(layout)
        clock.lap("distances")
        inclined, nearly = angles(layout)
        clock.lap("angles")
        round_ = rounds(layout) + circles(layout)
        clock.lap("rounds")
        straight = edge_lengths(layout) + axial_lengths(layout)
        clock.lap("lengths")
        axes = axis_distances(layout)
        clock.lap("axes")
        placed += [(index, item) for item in (*straight, *apart, *round_, *inclined, *axes)]
        check_number(len(placed))
        findings += _findings(index, layout, nearly)
    for index, quantity in placed:
        if not math.isfinite(quantity.value):
            raise Refused("failed", f"a {quantity.kind} of solid {index} is not finite")
    dimensions = dimensions_of(placed)
    clock.lap("collecting")
    whole = joined(boxes)
    assert whole is not None
    return dimensions, math.dist(whole.min, whole.max), findings


def _findings(index: int, layout: Layout, nearly: int) -> list[Finding]:
    told = {
        "free-form": ("free-form faces, which have no dimensions", layout.free_form),
        "recognised": (
            f"free-form faces taken as the plain ones they are within {FITS} mm",
            layout.recognised,
        ),
        "nearly-parallel": (
            f"directions of planes parallel within {NEARLY_PARALLEL}° but not exactly, which gives"
            " an angle and no distances",
            nearly,
        ),
        "open-edges": ("edges with one face only: the body is not closed", layout.open_edges),
    }
    return [
        Finding(code=code, message=f"{message}: {number}", where=f"solid {index}")
        for code, (message, number) in told.items()
        if number
    ]
