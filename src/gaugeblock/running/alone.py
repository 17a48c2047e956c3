"""One process at a time that writes into a run's folder."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gaugeblock.records.errors import WrongUse
from gaugeblock.records.run_folder import PLAN
from gaugeblock.running.soundness import read_run


@contextmanager
def alone(run: Path) -> Iterator[None]:
    """Hold a run for this process: two at work on one folder would ruin both's evidence.

    Two that amend it would each read the chain as it was: one amendment would be lost, though both
    were told as written, or a cell be graded again that the other has voided.

    The lock is on the plan's file and ends with the process, however that ends.

    Args:
        run: the run's folder.

    Raises:
        WrongUse: there is no run, or another process holds it.
        DamagedEvidence: there is one without its plan.
    """
    if not (run / PLAN).is_file():
        read_run(run)  # says what there is instead
    with (run / PLAN).open("rb") as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise WrongUse(f"{run}: another process is at work on this run") from None
        yield
