"""Run folders as a comparison sees them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from gaugeblock.analysis.measured_run import MeasuredRun
from gaugeblock.analysis.points import REVIEWED_SUITES
from gaugeblock.analysis.reviews import cell_quality
from gaugeblock.records.run_folder import USAGE, RunFolder
from gaugeblock.records.store import read_journal
from gaugeblock.running.soundness import faults, read_run, require_sound


def measured(path: Path) -> MeasuredRun:
    """Read a run folder for a comparison.

    Raises:
        WrongUse: there is no run here.
        DamagedEvidence: the folder is not sound; figures of such a run are not compared.
    """
    folder = read_run(path)
    require_sound(folder, faults(folder), "not compared")
    rows = folder.rows()
    return MeasuredRun(
        name=path.name or str(path),
        plan=folder.plan,
        rows=tuple(rows),
        closed=folder.closed,
        reported=reported_models(folder),
        quality=cell_quality(rows, folder.reviews(), REVIEWED_SUITES),
    )


def reported_models(folder: RunFolder) -> dict[str, frozenset[str]]:
    """Return trial id → the models that its answers named in ``usage.jsonl``."""
    found = {}
    for trial in folder.trials:
        names = frozenset(_names(read_journal(trial.folder / USAGE)))
        if names:
            found[trial.planned.id] = names
    return found


def _names(requests: Iterable[dict[str, object]]) -> Iterable[str]:
    for request in requests:
        name = request.get("model_reported")
        if isinstance(name, str) and name:
            yield name
