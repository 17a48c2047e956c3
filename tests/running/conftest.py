"""Two real runs that many tests look at, each in a copy of its own."""

import fcntl
import shutil

import pytest

from gaugeblock.running.plans import Wish
from gaugeblock.running.run import Watch, run


@pytest.fixture(scope="session")
def made_once(tmp_path_factory, worker_id):
    """Return a function that makes a folder once for all of pytest's workers; none may change it.

    The folder is made under another name and renamed when it is whole; the lock ends with its
    process, however that ends.
    """
    own = tmp_path_factory.getbasetemp()
    place = own if worker_id == "master" else own.parent  # else other sessions' folders lie there

    def folder(name, make):
        with (place / f"{name}.lock").open("w") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            if not (place / name).exists():
                draft = place / f"{name}.{worker_id}"
                make(draft)
                draft.rename(place / name)
        return place / name

    return folder


@pytest.fixture(scope="session")
def finished_run(made_once):
    """A closed run: S1 and the depth sequence by reference, null and two mutants."""

    def make(out):
        profiles = ("reference", "null", "mutant:no-holes", "mutant:floor-kept")
        seen = []
        watch = Watch(round_ended=lambda trial, result: seen.append((trial.id, result.round)))
        run(Wish(("growth/S1", "growth/depth"), profiles, trials=1), out, watch)
        assert len(seen) == 3 * 1 + 3 * 6  # S1 by three, the six rounds of depth by three

    return made_once("finished-run", make)


@pytest.fixture(scope="session")
def short_run(made_once):
    """A closed run of two rounds, one of them an edit: auditing it takes a third of the time."""

    def make(out):
        profiles = ("reference", "null", "mutant:no-holes")
        run(Wish(("growth/S1", "growth/T2"), profiles, trials=1), out, Watch())

    return made_once("short-run", make)


@pytest.fixture
def run_copy(finished_run, tmp_path):
    """A copy that a test may damage."""
    return shutil.copytree(finished_run, tmp_path / "copy")


@pytest.fixture
def short_copy(short_run, tmp_path):
    """A copy of the short run that a test may damage."""
    return shutil.copytree(short_run, tmp_path / "copy")
