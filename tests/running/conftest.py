"""One real run that many tests look at, each in a copy of its own."""

import shutil

import pytest

from gaugeblock.running.plans import Wish
from gaugeblock.running.run import Watch, run


@pytest.fixture(scope="session")
def finished_run(tmp_path_factory):
    """A closed run: S1 and the depth sequence by reference, null and two mutants."""
    out = tmp_path_factory.mktemp("runs") / "first"
    profiles = ("reference", "null", "mutant:no-holes", "mutant:floor-kept")
    seen = []
    watch = Watch(round_ended=lambda trial, result: seen.append((trial.id, result.round)))
    run(Wish(("growth/S1", "growth/depth"), profiles, trials=1), out, watch)
    assert len(seen) == 3 * 1 + 3 * 6  # S1 by three, the six rounds of depth by three
    return out


@pytest.fixture
def run_copy(finished_run, tmp_path):
    """A copy that a test may damage."""
    return shutil.copytree(finished_run, tmp_path / "copy")
