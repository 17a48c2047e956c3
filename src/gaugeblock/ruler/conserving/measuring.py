"""Two STEP files, before and after an edit, compared outside the edit region in the same frame.

In this order: both files are read and their solids measured; lines are cast; exact booleans run in
a child until one agrees with the lines; then it is decided what stands.
"""

from __future__ import annotations

import os
import time

from gaugeblock.records.conservation import (
    CellSums,
    Conservation,
    ConservationMethod,
    LineWord,
    Region,
)
from gaugeblock.records.measurement import FileFacts
from gaugeblock.records.overlap import Quantity
from gaugeblock.ruler.conserving.cells import Named, compare
from gaugeblock.ruler.conserving.lines import seen, zoomed
from gaugeblock.ruler.facts.measuring import Clock
from gaugeblock.ruler.header import Refused, inspect
from gaugeblock.ruler.overlap.body import Body
from gaugeblock.ruler.overlap.body_forked import ATTEMPTS, Building
from gaugeblock.ruler.overlap.booleans import CLOSES
from gaugeblock.ruler.overlap.forked import Child
from gaugeblock.ruler.reading import ReadFile, read_step
from gaugeblock.ruler.refusals import refused_conservation, versions

BODIES = 0.4
"""Part of the time ceiling for reading and measuring the two files."""

BOOLEANS = 0.5
"""Part of the time ceiling for the booleans."""

NEGLIGIBLE = 1e-6
"""Part of the start's volume that counts as unchanged: the accuracy claimed for volumes."""

SKIN = 10.0
"""How many times `NEGLIGIBLE` the faces' own lines may see where the booleans see less than that:
a line meets a moved face aslant, so that its gap is a few times the distance."""


def conserve_fds(
    fds: tuple[int, int],
    names: tuple[str, str],
    sha256: tuple[str | None, str | None],
    region: Region,
    wall_s: float,
) -> Conservation:
    """Compare the STEP files open as `fds`, in this process (and children of it).

    Args:
        fds: Descriptors of start and delivery, open for reading.
        names: File names for the record.
        sha256: Digests computed by the caller, or None.
        region: Where they may differ.
        wall_s: Time ceiling in s, which the children's own ceilings are taken from.
    """
    clock = Clock()
    end = time.monotonic() + wall_s * BODIES
    files = [
        FileFacts(name=names[i], sha256=sha256[i], bytes=os.fstat(fds[i]).st_size) for i in (0, 1)
    ]
    read: list[ReadFile] = []
    for word, fd in zip(("start", "delivery"), fds, strict=True):
        try:
            inspect(fd)
            read.append(read_step(f"/proc/self/fd/{fd}"))
        except Refused as refusal:
            reason = f"{word}: {refusal.reason}"
            return refused_conservation(files[0], files[1], region, refusal.code, reason)
    clock.lap("read")
    same = files[0].sha256 is not None and files[0].sha256 == files[1].sha256
    seconds = (end - time.monotonic()) / ATTEMPTS
    first = Building(read[0].solids, seconds)
    second = None if same else Building(read[1].solids, seconds)
    start = first.body()
    delivery = start if second is None else second.body()
    clock.lap("bodies")
    for word, body in (("start", start), ("delivery", delivery)):
        if body.problem is not None:
            reason = f"{word}: {body.problem}"
            return refused_conservation(files[0], files[1], region, "not-comparable", reason)
    by_name = {p.name for p in start.parts} == {p.name for p in delivery.parts}
    volume, error = start.summed
    cells: CellSums | None = None
    lines: LineWord | None = None
    answer: dict[str, float | str | None] = {}
    if not same:
        lines = _lines(start, delivery, region, by_name)
        clock.lap("lines")
        near = (lines.outside or 0.0, lines.error or 0.0)
        ours, theirs = _named(start, delivery, by_name)
        child = Child(lambda: compare(ours, theirs, region, near), wall_s * BOOLEANS)
        cells, answer = _sums(child.result())
        clock.lap("cells")
    outside, method, why = _decide(cells, answer, lines, volume) if cells and lines else _same()
    exact = method in ("cells", "same-file")
    return Conservation(
        verdict="measured" if outside.value is not None else "could-not-measure",
        code=None if outside.value is not None else "contradiction",
        reason=why,
        start=files[0],
        delivery=files[1],
        region=region,
        by_name=by_name,
        outside=outside,
        lost=_figure(answer, "lost", 0.0 if same else None) if exact else None,
        gained=_figure(answer, "gained", 0.0 if same else None) if exact else None,
        volume=Quantity(value=volume, error_estimate=error),
        method=method,
        cells=cells,
        lines=lines,
        findings=[*start.findings, *([] if same else delivery.findings)],
        versions=versions(),
        timings={step: round(spent, 6) for step, spent in clock.seconds.items()},
    )


def _lines(start: Body, delivery: Body, region: Region, by_name: bool) -> LineWord:
    """Cast lines everywhere, and where faces moved more of them."""
    word, moved = seen(start, delivery, region, by_name)
    near_them = zoomed(start, delivery, region, by_name, moved) if len(moved) else None
    if near_them is None:
        return word
    return word.model_copy(update={"zoomed": near_them[0], "zoomed_error": near_them[1]})


def _named(start: Body, delivery: Body, by_name: bool) -> tuple[list[Named], list[Named]]:
    ours, theirs = (
        [Named(part.shape, part.name if by_name else None, part.volume) for part in body.parts]
        for body in (start, delivery)
    )
    return ours, theirs


def _figure(
    answer: dict[str, float | str | None], name: str, otherwise: float | None
) -> float | None:
    value = answer.get(name, otherwise)
    return value if isinstance(value, float) else otherwise


def _sums(
    answer: dict[str, float | str | None] | str,
) -> tuple[CellSums, dict[str, float | str | None]]:
    """Return the booleans' word as a record, and their answer as it came."""
    if isinstance(answer, str):
        answer = {"failure": answer}
    residual = _figure(answer, "residual", None)
    closes = residual is not None and residual <= CLOSES
    failure = answer.get("failure")
    reason = str(failure) if failure else None if closes else "the pieces do not add up"
    return CellSums(
        outside=_figure(answer, "outside", None),
        residual=residual,
        closes=closes,
        left_start=_figure(answer, "left_start", None),
        left_delivery=_figure(answer, "left_delivery", None),
        left_residual=_figure(answer, "left_residual", None),
        reason=reason,
    ), answer


def _same() -> tuple[Quantity, ConservationMethod, str | None]:
    return Quantity(value=0.0, error_estimate=0.0), "same-file", None


def _decide(
    cells: CellSums,
    answer: dict[str, float | str | None],
    lines: LineWord,
    volume: float,
) -> tuple[Quantity, ConservationMethod, str | None]:
    """Return what stands: booleans that lines confirm, else two ways to see that nothing moved,
    else lines that surely see a change.
    """
    nothing = Quantity(value=None, error_estimate=None)
    least = NEGLIGIBLE * volume
    if lines.outside is None or lines.error is None or lines.skin is None:
        return nothing, "none", f"no second method could confirm it: {lines.reason}"
    value, error = cells.outside, _figure(answer, "error", None)
    stands = bool(cells.closes)
    if stands and value is not None and error is not None:
        error += (cells.residual or 0.0) * volume  # what the pieces do not add up to
        agree = abs(value - lines.outside) <= lines.error + error
        if value <= least:
            agree = agree and lines.skin <= SKIN * least
        surely = 0.0
        if lines.zoomed is not None and lines.zoomed_error is not None:
            surely = lines.zoomed - lines.zoomed_error
        if agree and surely <= max(value + error, least):
            return Quantity(value=value, error_estimate=max(error, surely - value)), "cells", None
    if _matching(cells, lines, least):
        off = abs((cells.left_start or 0.0) - (cells.left_delivery or 0.0))
        return Quantity(value=off, error_estimate=lines.skin), "matching", None
    zoomed, doubt = lines.zoomed, lines.zoomed_error
    if zoomed is not None and doubt is not None and zoomed - doubt > least:
        # Known roughly, but surely more than nothing.
        if lines.outside - lines.error > zoomed:
            return Quantity(value=lines.outside, error_estimate=lines.error), "lines", None
        return Quantity(value=zoomed, error_estimate=doubt), "lines", None
    if stands:
        return nothing, "none", "exact booleans and lines contradict each other"
    return nothing, "none", f"no boolean stands: {cells.reason}"


def _matching(cells: CellSums, lines: LineWord, least: float) -> bool:
    """Whether what lies outside the region has one volume in both, and no face moved."""
    start, delivery, residual = cells.left_start, cells.left_delivery, cells.left_residual
    if start is None or delivery is None or residual is None or lines.skin is None:
        return False
    if lines.outside is None or lines.error is None or lines.outside > lines.error:
        return False
    return residual <= CLOSES and abs(start - delivery) <= least and lines.skin <= least
