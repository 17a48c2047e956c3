"""Two STEP files compared: read, meshed, aligned, and their overlap decided in both poses.

In this order: both files are read and every solid measured; twins, equal boundary by boundary, need
no search; else the booleans of the posed pair start in a child while the alignment is searched;
then the aligned pair's booleans start, and both poses are decided with the help of lines and
meshes; last handedness and unit of length.
"""

from __future__ import annotations

import math
import os
import time
from contextlib import ExitStack
from dataclasses import dataclass, replace

import numpy as np

from gaugeblock.records.measurement import FileFacts, Finding, Triple
from gaugeblock.records.overlap import Alignment, Overlap, Quantity
from gaugeblock.ruler.facts.bounds import overlap
from gaugeblock.ruler.facts.measuring import Clock
from gaugeblock.ruler.header import Refused, inspect
from gaugeblock.ruler.overlap.alignment import Found, Pose, align, laid
from gaugeblock.ruler.overlap.body import REST, TOUCH, Body, Motion
from gaugeblock.ruler.overlap.body_forked import ATTEMPTS, Building
from gaugeblock.ruler.overlap.cues import Cues, look
from gaugeblock.ruler.overlap.deciding import (
    SECONDS,
    Decision,
    Pair,
    apart,
    decide,
    matching,
    start_booleans,
    witnesses,
)
from gaugeblock.ruler.overlap.forked import Child
from gaugeblock.ruler.overlap.handedness import judge_mirror, judge_scale, start_mirror
from gaugeblock.ruler.overlap.interference import union_of
from gaugeblock.ruler.overlap.searching import EQUAL
from gaugeblock.ruler.overlap.twins import find_twins
from gaugeblock.ruler.reading import ReadFile, read_step
from gaugeblock.ruler.refusals import refused_overlap, versions

SHARE = 0.35
"""Part of the whole time ceiling that the booleans of one pose may take."""


@dataclass
class _Side:
    """One file of the two."""

    facts: FileFacts
    read: ReadFile
    body: Body
    volume: Quantity


class _Refusal(Exception):
    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code, self.reason = code, reason


def compare_fds(
    fds: tuple[int, int],
    names: tuple[str, str],
    sha256: tuple[str | None, str | None],
    align: bool,
    wall_s: float,
) -> Overlap:
    """Compare the STEP files open as `fds`, in this process (and children of it).

    Args:
        fds: Two descriptors of regular files, open for reading.
        names: File names for the record.
        sha256: Digests computed by the caller, or None.
        align: Whether to look for the best rigid motion of the first file.
        wall_s: Time ceiling in s, which the booleans' own ceilings are taken from.
    """
    clock = Clock()
    files = [
        FileFacts(name=names[i], sha256=sha256[i], bytes=os.fstat(fds[i]).st_size) for i in (0, 1)
    ]
    end = time.monotonic() + wall_s * SHARE
    try:
        a, b = _sides(fds, files, clock, end)
    except _Refusal as refusal:
        return refused_overlap(files[0], files[1], refusal.code, refusal.reason)
    return _compare(a, b, align, min(SECONDS, wall_s * SHARE), clock)


def _sides(
    fds: tuple[int, int], files: list[FileFacts], clock: Clock, end: float
) -> tuple[_Side, _Side]:
    """Read both files; their bodies are built in children, one for both where they are equal."""
    seconds = (end - time.monotonic()) / ATTEMPTS
    same_bytes = files[0].sha256 is not None and files[0].sha256 == files[1].sha256
    read_a = _read("a", fds[0])
    with ExitStack() as stack:
        building_a = Building(read_a.solids, seconds)
        stack.callback(building_a.stop)
        read_b: ReadFile | _Refusal
        try:
            read_b = read_a if same_bytes else _read("b", fds[1])
        except _Refusal as refusal:
            read_b = refusal  # told after what is wrong with the first
        if not same_bytes and isinstance(read_b, ReadFile):
            building_b = Building(read_b.solids, seconds)
            stack.callback(building_b.stop)
        clock.lap("read")
        a = _side("a", files[0], read_a, building_a.body(), clock, end)
        if same_bytes:
            return a, replace(a, facts=files[1])
        if isinstance(read_b, _Refusal):
            raise read_b
        return a, _side("b", files[1], read_b, building_b.body(), clock, end)


def _read(letter: str, fd: int) -> ReadFile:
    try:
        inspect(fd)
        return read_step(f"/proc/self/fd/{fd}")
    except Refused as refusal:
        raise _Refusal(refusal.code, f"file {letter}: {refusal.reason}") from refusal


def _side(
    letter: str, facts: FileFacts, read: ReadFile, body: Body, clock: Clock, end: float
) -> _Side:
    if body.problem is not None:
        raise _Refusal("not-comparable", f"file {letter}: {body.problem}")
    clock.lap("bodies")
    total, error = body.summed
    volume = Quantity(value=total, error_estimate=error)
    if body.overlapping:
        volume, reason = union_of(body, end)
        clock.lap("union")
        if volume.value is None:
            raise _Refusal("not-comparable", f"file {letter}: {reason}")
        if volume.value < total * (1 - 1e-9):
            message = f"its solids share space: {total:.9g} mm³ together fill {volume.value:.9g}"
            body.findings.append(Finding(code="interference", message=message))
    return _Side(facts, read, body, volume)


def _compare(a: _Side, b: _Side, wanted: bool, seconds: float, clock: Clock) -> Overlap:
    pair = Pair(a.body, b.body, a.volume, b.volume)
    same_bytes = a.facts.sha256 is not None and a.facts.sha256 == b.facts.sha256
    disjoint = not overlap(a.body.bounds, b.body.bounds, TOUCH)
    twins = find_twins(a.body, b.body) if wanted and not same_bytes else []
    clock.lap("twins")
    posed_child: Child | None = None
    if not disjoint and not same_bytes:
        posed_child = start_booleans(pair, REST, seconds)
    cues_a = look(a.body)
    cues_b = cues_a if same_bytes else look(b.body)
    clock.lap("cues")
    found = None
    if wanted:
        if same_bytes:
            found = _still()
        elif twins:
            found = laid(twins, a.body, b.body, cues_a, cues_b)
        else:
            found = align(a.body, b.body, cues_a, cues_b)
        clock.lap("align")
    size = max(a.body.diagonal, b.body.diagonal)
    spread = None if found is None else matching(pair, found.pose.residual, cues_a.area)
    moves = found is not None and not _is_rest(found.pose.motion, a.body, size)
    aligned_child = None
    if moves and spread is None and found is not None:
        aligned_child = start_booleans(pair, found.pose.motion, seconds)
    mirror = None
    if found is not None and spread is None and not same_bytes:
        mirror = start_mirror(pair, cues_a, cues_b, found.pose.motion)
    if same_bytes:
        spread = 0.0
    # All that needs no boolean first, so that both poses' booleans have the time.
    heard_posed = None if disjoint else witnesses(pair, REST, proven=bool(twins) and not moves)
    heard = heard_posed
    if moves and found is not None:
        heard = witnesses(pair, found.pose.motion, proven=bool(twins))
    clock.lap("lines and meshes")
    if disjoint:
        posed = apart(pair, "the boxes share no space")
    else:
        at_rest = spread if not moves else None
        if at_rest is not None and posed_child is not None:
            posed_child.stop()
            posed_child = None
        posed = decide(pair, REST, posed_child, at_rest, heard_posed)
    clock.lap("posed")
    aligned: Decision | None = None
    if found is not None:
        aligned = posed
        if moves:
            aligned = decide(pair, found.pose.motion, aligned_child, spread, heard)
        clock.lap("aligned")
        if _worse(aligned, posed):
            found = Found(Pose(REST, "posed", found.pose.residual), found.candidates, found.ties)
            aligned = posed
    best = aligned or posed
    findings = _findings(a, b)
    mirrored, extra = judge_mirror(pair, cues_a, cues_b, best.iou, mirror, found is not None)
    if mirror is not None:
        mirror.stop()
    findings += extra
    clock.lap("mirror")
    scale, extra = judge_scale(pair, cues_a, cues_b, found is not None)
    findings += extra
    clock.lap("scale")
    failed = next((d.iou for d in (aligned, posed) if d is not None and d.iou.iou is None), None)
    return Overlap(
        verdict="measured" if failed is None else "could-not-measure",
        code=None if failed is None else "contradiction",
        reason=None if failed is None else failed.reason,
        a=_with_header(a),
        b=_with_header(b),
        posed=posed.iou,
        aligned=None if aligned is None else aligned.iou,
        alignment=None if found is None else _alignment(found, cues_a),
        volumes=best.volumes,
        mirrored=mirrored,
        scale=scale,
        findings=findings,
        versions=versions(),
        timings={step: round(spent, 6) for step, spent in clock.seconds.items()},
    )


def _still() -> Found:
    return Found(Pose(REST, "same bytes", 0.0), 1, 0)


def _is_rest(motion: Motion, body: Body, size: float) -> bool:
    """Whether a motion moves no corner of the body's box by more than its accuracy."""
    corners = np.array([body.bounds.min, body.bounds.max])
    return bool(np.abs(motion(corners) - corners).max() <= EQUAL * size) and bool(
        np.abs(motion.rotation - np.eye(3)).max() <= EQUAL
    )


def _worse(aligned: Decision, posed: Decision) -> bool:
    """Whether the pose as given is surely better than the one found."""
    one, other = aligned.iou, posed.iou
    if one.iou is None or other.iou is None:
        return one.iou is None and other.iou is not None and other.iou > 1 - 1e-6
    return other.iou > one.iou + (one.error_estimate or 0.0) + (other.error_estimate or 0.0)


def _alignment(found: Found, cues: Cues) -> Alignment:
    motion = found.pose.motion
    cosine = (float(np.trace(motion.rotation)) - 1) / 2
    sine = float(np.linalg.norm(motion.rotation - motion.rotation.T)) / math.sqrt(8)
    shift = motion(cues.centroid[None])[0] - cues.centroid
    rows = [_triple(row) for row in motion.rotation]
    return Alignment(
        rotation=(rows[0], rows[1], rows[2]),
        translation=_triple(motion.translation),
        angle_deg=math.degrees(math.atan2(sine, cosine)),
        shift_mm=float(np.linalg.norm(shift)),
        candidates=found.candidates,
        ambiguous=found.ties > 0,
        ties=found.ties,
        method=found.pose.source,
        residual=found.pose.residual,
    )


def _triple(values: object) -> Triple:
    x, y, z = np.asarray(values, dtype=float).tolist()
    return (x, y, z)


def _with_header(side: _Side) -> FileFacts:
    return side.facts.model_copy(update={"length_units": list(side.read.units)})


def _findings(a: _Side, b: _Side) -> list[Finding]:
    """Return both files' findings, each with the file it is of."""
    out = []
    for letter, side in (("a", a), ("b", b)):
        for finding in side.read.findings + side.body.findings:
            where = f"file {letter}" + (f", {finding.where}" if finding.where else "")
            out.append(finding.model_copy(update={"where": where}))
    return out
