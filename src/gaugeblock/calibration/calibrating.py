"""The whole calibration: every target proven, one record."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from functools import partial

from gaugeblock.calibration import second_kernel as second
from gaugeblock.calibration.measuring import Bench
from gaugeblock.calibration.proving import MOST, Options, prove_file, prove_part
from gaugeblock.calibration.proving_cases import domains, prove_case, prove_cell
from gaugeblock.calibration.proving_drawings import prove_drawing
from gaugeblock.calibration.proving_rubrics import prove_by_rubric
from gaugeblock.calibration.records import Calibration, State, TargetResult
from gaugeblock.calibration.rehearsing import Play, Stage
from gaugeblock.calibration.targets import (
    CaseTarget,
    CellTarget,
    FileTarget,
    PartTarget,
    SheetTarget,
    Target,
    find_targets,
)
from gaugeblock.calibration.workshop import Workshop
from gaugeblock.records.errors import CouldNotMeasure, WrongUse
from gaugeblock.ruler import Ruler
from gaugeblock.ruler.refusals import versions

SECONDS = 60.0
"""Default time ceiling of one mutation or measurement, s. Usual parts take below 1 s."""

Told = Callable[[str, str], None]
"""Called with the target and what is being done."""


def calibrate(
    words: Sequence[str],
    *,
    ruler_fingerprint: str,
    second_kernel: bool = True,
    seconds: float = SECONDS,
    most: int = MOST,
    told: Told = lambda target, line: None,
    stage: Stage | None = None,
) -> Calibration:
    """Calibrate the ruler on targets.

    Args:
        words: `parts`, `parts/NAME`, a suite, `SUITE/CASE`, STEP files, a user's case folders.
        ruler_fingerprint: of the code and libraries that measure.
        second_kernel: whether to cross-check the references with the second kernel.
        seconds: time ceiling of one mutation or measurement, s.
        most: features of a sort that mutants are made of.
        told: progress.
        stage: opens the real host, for cases that are judged by a rubric.

    Raises:
        WrongUse: a word names nothing, no sandbox can be had, or a case needs a stage.
        CouldNotMeasure: a file or a reference cannot be measured.
    """
    targets, begun = find_targets(words), time.monotonic()
    measured = any(not isinstance(target, CellTarget) for target in targets)
    played = any(_by_rubric(target) for target in targets)
    if played and stage is None:
        raise WrongUse("cases judged by a rubric are calibrated on the CAD host: give a stage")
    results: list[TargetResult] = []
    environment = None
    with ExitStack() as stack:
        ruler = stack.enter_context(Ruler(wall_s=seconds))
        for target in targets:
            if isinstance(target, FileTarget):
                _require_step(ruler, target)
        workshop = Workshop(seconds)
        if measured:
            if second_kernel:
                told("second kernel", "looked for, or built")
                environment = second.find()
            stack.enter_context(workshop)
        play = stack.enter_context(stage()) if played and stage else None
        options = Options(ruler_fingerprint, environment, seconds, most)
        for target in targets:
            overlap = not _by_rubric(target)  # a rubric asks where parts are, not how they overlap
            with Bench(workshop, ruler, seconds, overlap, partial(told, target.name)) as bench:
                results.append(_proven(bench, target, options, play))
    state, reasons = _whole(results)
    own = versions()
    return Calibration(
        made_at=datetime.now(UTC).isoformat(timespec="seconds"),
        ruler_fingerprint=ruler_fingerprint,
        versions={
            "ocp": own.ocp,
            "numpy": own.numpy,
            "second kernel": environment.version if environment else None,
        },
        targets=tuple(results),
        kept_out=tuple(
            result.target
            for result in results
            if result.state == "not calibrated" or result.kind == "cell"
        ),
        domains=_domains(targets),
        state=state,
        reasons=reasons,
        seconds=round(time.monotonic() - begun, 3),
    )


def _require_step(ruler: Ruler, target: FileTarget) -> None:
    """Refuse a file by its text, before anything is built for it."""
    refused = ruler.inspect(target.path)
    if refused is not None:
        raise CouldNotMeasure(f"{target.path}: {refused.reason}")


def _by_rubric(target: Target) -> bool:
    return isinstance(target, CaseTarget) and target.suite.rubric is not None


def _proven(bench: Bench, target: Target, options: Options, play: Play | None) -> TargetResult:
    try:
        match target:
            case PartTarget():
                return prove_part(bench, target, options)
            case CaseTarget() if play is not None and _by_rubric(target):
                return prove_by_rubric(bench, target, options, play)
            case CaseTarget():
                return prove_case(bench, target, options)
            case SheetTarget():
                return prove_drawing(bench, target, options)
            case CellTarget():
                return prove_cell(target, options)
            case FileTarget():
                return prove_file(bench, target, options)
    except CouldNotMeasure as error:  # of which of many targets it speaks
        raise CouldNotMeasure(f"{target.name}: {error}") from error


def _domains(targets: Sequence[Target]) -> tuple[str, ...]:
    cases = [target for target in targets if isinstance(target, CaseTarget)]
    return tuple(line for target in cases for line in domains(target.suite, target.case))


def _whole(results: Sequence[TargetResult]) -> tuple[State, tuple[str, ...]]:
    """Return the worst state of all, and what led to it."""
    order: tuple[State, ...] = ("calibrated", "incomplete", "not calibrated")
    worst = max((result.state for result in results), key=order.index)
    reasons = tuple(
        f"{result.target}: {reason.removeprefix(result.target.split('/')[-1] + ': ')}"
        for result in results
        for reason in result.reasons
    )
    return worst, reasons
