"""Two processes at one run: the second is refused in one line, and no amendment is lost."""

import multiprocessing
import shutil

import pytest

from gaugeblock.records.errors import WrongUse
from gaugeblock.records.run_folder import open_run
from gaugeblock.running import amending
from gaugeblock.running.alone import alone
from gaugeblock.running.amending import invalidate, regrade, void
from gaugeblock.running.reviewing import import_reviews
from gaugeblock.running.run import Watch, resume
from gaugeblock.running.soundness import faults, read_run
from gaugeblock.suites import Delivered

AT_WORK = "another process is at work on this run"


@pytest.mark.parametrize(
    "work",
    [
        lambda run: void(run, "S1", "null", "why"),
        lambda run: regrade(run, "why"),
        lambda run: invalidate(run, "why"),
        lambda run: import_reviews([run], [run], run / "plan.json"),
        lambda run: resume(run, Watch()),
    ],
    ids=["void", "regrade", "invalidate", "review", "resume"],
)
def test_whoever_writes_is_alone(run_copy, work):
    with alone(run_copy), pytest.raises(WrongUse, match=AT_WORK):
        work(run_copy)
    assert not (run_copy / "amendments").exists()
    void(run_copy, "S1", "null", "the lock ended with its holder")


def test_a_cell_is_not_voided_while_it_is_graded_again(run_copy, monkeypatch):
    """Else the later regrade would hold a void cell, and no command would read the run again."""
    refused = []

    def meanwhile(folder, state, ruler, fingerprint):
        with pytest.raises(WrongUse, match=AT_WORK) as told:
            void(run_copy, "S1", "null", "meanwhile")
        refused.append(told)
        return state.grade, Delivered()

    monkeypatch.setattr(amending, "grade_again", meanwhile)
    monkeypatch.setattr(amending, "probe_again", lambda *_: None)
    assert regrade(run_copy, "another look") == len(refused) > 0
    assert faults(read_run(run_copy)) == []
    assert [item.kind for item in open_run(run_copy).amendments] == ["regrade"]


def test_of_voids_at_the_same_moment_each_is_written_or_refused(run_copy, tmp_path):
    cells = [("S1", "reference"), ("S1", "null"), ("S1", "mutant:no-holes"), ("depth", "null")]
    forks = multiprocessing.get_context("fork")
    for attempt in range(3):
        run = shutil.copytree(run_copy, tmp_path / f"copy-{attempt}")
        start, said = forks.Barrier(len(cells)), forks.SimpleQueue()
        workers = [forks.Process(target=_void, args=(run, cell, start, said)) for cell in cells]
        for worker in workers:
            worker.start()
        told = dict(said.get() for _ in workers)
        for worker in workers:
            worker.join()
        written = {(cell.case, cell.profile) for cell in read_run(run).voids()}
        assert written == {cell for cell, refusal in told.items() if not refusal}
        assert written, "one of them came first"
        assert all(AT_WORK in refusal for refusal in told.values() if refusal)


def _void(run, cell, start, said):
    start.wait()
    try:
        void(run, *cell, "at once")
        said.put((cell, ""))
    except WrongUse as refusal:
        said.put((cell, str(refusal)))
