"""Which IoU stands: the exact booleans, the lines and the meshes side by side.

In this order: equal boundaries and boxes that share nothing need no boolean; a boolean stands when
its sums close and every other method agrees; else the mesh stands, flagged; methods that
contradict each other leave the IoU unmeasured.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gaugeblock.records.overlap import (
    CrossChecks,
    InclusionExclusion,
    Iou,
    IouCheck,
    IouMethod,
    Quantity,
    Volumes,
)
from gaugeblock.ruler.overlap.body import Body, Motion
from gaugeblock.ruler.overlap.booleans import CLOSES, FUZZY, combine
from gaugeblock.ruler.overlap.casting import CLOSELY, DIRECTIONS, LINES, CastIou, cast_iou
from gaugeblock.ruler.overlap.forked import Child
from gaugeblock.ruler.overlap.meshing import MeshFailure, MeshIou, mesh_iou
from gaugeblock.ruler.overlap.searching import EQUAL

SECONDS = 40.0
"""Ceiling of the booleans of one pose, all fuzzy attempts together, s. The 234-face pair takes
below 3 s; two thirds of the real files' pairs below 20 s."""

ATTEMPTS = ((True, 0.0), (False, 0.0), *((False, fuzzy) for fuzzy in FUZZY[1:]))
"""Whether the second body is moved back instead of the first forward, and the fuzzy tolerance in
mm. Of two turned copies of a bracket the kernel finds nothing common in one frame, whatever the
tolerance, and is exact in the other."""

FLOOR = 1e-6
"""Difference of two IoUs that is never a disagreement: the accuracy claimed for volumes."""

EQUAL_VOLUME = 1e-8
"""Relative difference of volumes, beyond both error estimates, up to which boundaries that match
are equal."""


@dataclass(frozen=True)
class Pair:
    """Two bodies and the space each occupies."""

    a: Body
    b: Body
    volume_a: Quantity
    volume_b: Quantity

    @property
    def known(self) -> tuple[float, float]:
        """Both occupied volumes in mm³."""
        assert self.volume_a.value is not None and self.volume_b.value is not None
        return self.volume_a.value, self.volume_b.value


def matching(pair: Pair, residual: float, area: float) -> float | None:
    """Return the volume between matching boundaries over the larger volume; None: no match.

    For boundaries a distance d apart it is the area times d.

    Args:
        pair: The bodies.
        residual: Mean distance of their skins in some pose, mm.
        area: Of the first body, mm².
    """
    volume_a, volume_b = pair.known
    larger, size = max(volume_a, volume_b), max(pair.a.diagonal, pair.b.diagonal)
    doubt = (pair.volume_a.error_estimate or 0.0) + (pair.volume_b.error_estimate or 0.0)
    if residual > EQUAL * size or abs(volume_a - volume_b) > EQUAL_VOLUME * larger + doubt:
        return None
    if len(pair.a.parts) != len(pair.b.parts):
        return None
    return (area * residual + abs(volume_a - volume_b)) / larger


def start_booleans(pair: Pair, motion: Motion, seconds: float = SECONDS) -> Child:
    """Start the booleans of `pair.a`, moved, and `pair.b` in a child of their own."""
    volume_a, volume_b = pair.known

    def work() -> dict[str, Any]:
        best = None
        for back, fuzzy in ATTEMPTS:
            if motion.is_identity and back:
                continue
            ours = pair.a.shapes() if back else pair.a.shapes(motion)
            theirs = pair.b.shapes(motion.inverse()) if back else pair.b.shapes()
            found = combine(ours, theirs, volume_a, volume_b, fuzzy)
            if best is None or (found.residual or 9.0) < (best.residual or 9.0):
                best = found
            if found.closes:
                break
        assert best is not None
        return best.plain()

    return Child(work, seconds)


@dataclass(frozen=True)
class Decision:
    """An IoU and the volumes that belong to it."""

    iou: Iou
    volumes: Volumes


Witnesses = tuple[CastIou, MeshIou | str]
"""What lines and meshes say of one pose; in place of the meshes, why they say nothing."""


def witnesses(pair: Pair, motion: Motion, proven: bool = False) -> Witnesses:
    """Ask lines and meshes, while the pose's booleans may still run.

    Args:
        pair: The bodies.
        motion: Where the first is moved to.
        proven: Whether their boundaries were found the same there, number by number. Where lines
            see it too, meshes of one boundary have nothing to add and are not asked.
    """
    lines = cast_iou(pair.a, pair.b, motion)
    if proven and _near(1.0, 0.0, lines):
        return lines, "not run: the boundaries are the same, number by number"
    try:
        return lines, mesh_iou(pair.a, pair.b, motion)
    except MeshFailure as failure:
        return lines, str(failure)


def decide(
    pair: Pair,
    motion: Motion,
    booleans: Child | None,
    spread: float | None,
    heard: Witnesses | None = None,
) -> Decision:
    """Decide the IoU of one pose.

    Args:
        pair: The bodies.
        motion: Where the first is moved to.
        booleans: Running booleans; None where none are needed.
        spread: For boundaries that match, the volume between them over the larger volume; the IoU
            is then 1 unless a method contradicts. None: they do not match.
        heard: What the witnesses said; None: they are asked now.
    """
    lines, mesh = heard or witnesses(pair, motion)
    if spread is not None and _agrees(1.0, spread, lines, mesh) is True:
        none = InclusionExclusion(
            fuse=None, cut_a=None, cut_b=None, residual=None, fuzzy=None, closes=None,
            reason="not run: the boundaries match",
        )  # fmt: skip
        unneeded = IouCheck(iou=None, error=None, reason="not run: the boundaries match")
        checks = _checks(none, unneeded, lines, mesh, True)
        volume_a, _ = pair.known
        return _made(pair, 1.0, spread + 1e-9, "identical", False, None, checks, volume_a)
    if booleans is None:
        booleans = start_booleans(pair, motion)
    answer = booleans.result()
    found = _with_booleans(pair, answer, lines, mesh)
    if found.iou.method == "exact" or lines.iou is None or lines.lines > LINES * DIRECTIONS:
        return found
    # Before the lines turn a value down, or stand alone for one, they are asked more closely.
    return _with_booleans(pair, answer, cast_iou(pair.a, pair.b, motion, CLOSELY), mesh)


def apart(pair: Pair, reason: str) -> Decision:
    """Return the IoU of bodies whose boxes share no space: 0."""
    none = InclusionExclusion(
        fuse=None, cut_a=None, cut_b=None, residual=None, fuzzy=None, closes=None, reason=reason
    )
    missing = IouCheck(iou=None, error=None, reason=reason)
    checks = CrossChecks(
        inclusion_exclusion=none, exact=missing, casting=missing, mesh=missing, agree=None
    )
    return _made(pair, 0.0, 0.0, "apart", False, None, checks, 0.0)


def _with_booleans(
    pair: Pair, answer: dict[str, Any] | str, lines: CastIou, mesh: MeshIou | str
) -> Decision:
    sums, value, error = _sums(pair, answer)
    exact = IouCheck(
        iou=value,
        error=error,
        reason=None if value is not None else sums.reason or "no boolean gave a volume",
    )
    if value is not None and error is not None and sums.closes:
        agree = _agrees(value, error, lines, mesh)
        checks = _checks(sums, exact, lines, mesh, agree)
        if agree:
            assert isinstance(answer, dict)
            return _made(pair, value, error, "exact", False, None, checks, answer["common"])
        if agree is None:
            reason = "booleans without a second method that could confirm them"
            return _made(pair, None, None, "none", False, reason, checks, None)
    # The booleans do not stand: the mesh does, where the lines confirm it. Against booleans that
    # add up it needs the lines' word twice: for the mesh and against the booleans.
    if isinstance(mesh, MeshIou):
        agree = _near(mesh.iou, mesh.error, lines)
        rival = value is not None and bool(sums.closes)
        denied = rival and _near(value or 0.0, error or 0.0, lines) is False
        checks = _checks(sums, exact, lines, mesh, agree)
        if agree is False or (rival and not (agree and denied)):
            reason = "independent methods contradict each other"
            return _made(pair, None, None, "none", True, reason, checks, None)
        return _made(pair, mesh.iou, mesh.error, "mesh", True, None, checks, mesh.common)
    checks = _checks(sums, exact, lines, mesh, None)
    reason = f"no boolean stands ({sums.reason}) and there is no closed mesh ({mesh})"
    return _made(pair, None, None, "none", True, reason, checks, None)


def _sums(
    pair: Pair, answer: dict[str, Any] | str
) -> tuple[InclusionExclusion, float | None, float | None]:
    """Return inclusion–exclusion, IoU and its error from the booleans' answer."""
    if isinstance(answer, str):
        failed = InclusionExclusion(
            fuse=None, cut_a=None, cut_b=None, residual=None, fuzzy=None, closes=False,
            reason=answer,
        )  # fmt: skip
        return failed, None, None
    residuals = answer["residuals"]
    known = [r for r in residuals.values() if r is not None]
    residual = max(known) if len(known) == 3 else None
    closes = residual is not None and residual <= CLOSES
    sums = InclusionExclusion(
        fuse=residuals["fuse"],
        cut_a=residuals["cut_a"],
        cut_b=residuals["cut_b"],
        residual=residual,
        fuzzy=answer["fuzzy"],
        closes=closes,
        reason=answer["failure"] or (None if closes else "the booleans do not add up"),
    )
    common = answer["common"]
    if common is None:
        return sums, None, None
    volume_a, volume_b = pair.known
    either = volume_a + volume_b - common
    error = (answer["error"] or 0.0) + (pair.volume_a.error_estimate or 0.0)
    error += (pair.volume_b.error_estimate or 0.0) + (residual or 0.0) * max(pair.known)
    # d(c / (a + b − c)) is at most 2 dc / union + (da + db) / union.
    iou = min(max(common / either, 0.0), 1.0)
    return sums, iou, 2.0 * error / either + 1e-12


def _agrees(value: float, error: float, lines: CastIou, mesh: MeshIou | str) -> bool | None:
    """Whether every other method agrees; None: there is none."""
    answers = [_near(value, error, lines)]
    if isinstance(mesh, MeshIou):
        answers.append(abs(value - mesh.iou) <= max(error + mesh.error, FLOOR))
    known = [answer for answer in answers if answer is not None]
    return all(known) if known else None


def _near(value: float, error: float, lines: CastIou) -> bool | None:
    if lines.iou is None or lines.error is None:
        return None
    return abs(value - lines.iou) <= error + lines.error


def _checks(
    sums: InclusionExclusion,
    exact: IouCheck,
    lines: CastIou,
    mesh: MeshIou | str,
    agree: bool | None,
) -> CrossChecks:
    if isinstance(mesh, MeshIou):
        meshed = IouCheck(iou=mesh.iou, error=mesh.error, samples=mesh.triangles)
    else:
        meshed = IouCheck(iou=None, error=None, reason=mesh)
    cast = IouCheck(iou=lines.iou, error=lines.error, samples=lines.lines, reason=lines.reason)
    return CrossChecks(
        inclusion_exclusion=sums, exact=exact, casting=cast, mesh=meshed, agree=agree
    )


def _made(
    pair: Pair,
    value: float | None,
    error: float | None,
    method: IouMethod,
    flagged: bool,
    reason: str | None,
    checks: CrossChecks,
    common: float | None,
) -> Decision:
    iou = Iou(
        iou=value,
        error_estimate=error,
        verdict="measured" if value is not None else "could-not-measure",
        reason=reason,
        method=method,
        flagged=flagged,
        cross_checks=checks,
    )
    volume_a, volume_b = pair.known
    doubt = None if error is None else error * (volume_a + volume_b)

    def rest(whole: float) -> Quantity:
        left = None if common is None else max(whole - common, 0.0)
        return Quantity(value=left, error_estimate=None if left is None else doubt)

    volumes = Volumes(
        a=pair.volume_a,
        b=pair.volume_b,
        common=Quantity(value=common, error_estimate=None if common is None else doubt),
        only_a=rest(volume_a),
        only_b=rest(volume_b),
    )
    return Decision(iou, volumes)
