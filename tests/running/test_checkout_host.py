"""Our host from another checkout: the same fingerprint for the same code, and a whole run on it."""

import importlib.metadata
import shutil
import sys

import pytest
from typer.testing import CliRunner

from gaugeblock.cli import app
from gaugeblock.records.errors import WrongUse
from gaugeblock.records.run_folder import open_run
from gaugeblock.running import fingerprints
from gaugeblock.running.checkout_host import WALLS, checkout_host, host_fingerprint
from gaugeblock.running.plans import PACKAGE, Wish, changed_fingerprints, lay_out
from gaugeblock.running.run import Watch, plan_only, resume, run

OURS = fingerprints.compute(PACKAGE)["host"]
VERSIONS = {**OURS.versions, WALLS: importlib.metadata.version(WALLS)}
TARGET = ("growth/S1",)


def make_checkout(folder, source=PACKAGE):
    """Lay a checkout out as `./dev setup` does; its Python finds its own package."""
    package = folder / "src" / "gaugeblock"
    shutil.copytree(source, package, ignore=shutil.ignore_patterns("__pycache__"))
    python = folder / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nPYTHONPATH={folder}/src exec {sys.executable} "$@"\n')
    python.chmod(0o755)
    return folder


@pytest.fixture
def checkout(tmp_path):
    return make_checkout(tmp_path / "other")


@pytest.fixture
def older(checkout):
    """A checkout whose host is another release: it says other words with a commit."""
    change(checkout)
    return checkout


def change(checkout, file="host/built.py", text="\nRELEASE = 'another'\n"):
    with (checkout / "src" / "gaugeblock" / file).open("a") as module:
        module.write(text)


def fingerprint(checkout, **versions):
    package = checkout / "src" / "gaugeblock"
    return host_fingerprint(package, {**VERSIONS, **versions})


def test_the_same_code_and_libraries_have_our_own_fingerprint(checkout):
    assert fingerprint(checkout).sha256 == OURS.sha256
    change(checkout, text="\n# a remark\n")
    change(checkout, "sandbox/job.py", "\n# a remark\n")
    change(checkout, "cli/host.py", "\nNOTHING = 0\n")  # no host, and nothing that it runs in
    assert fingerprint(checkout).sha256 == OURS.sha256


@pytest.mark.parametrize("file", ["host/built.py", "host/worker/__init__.py", "sandbox/job.py"])
def test_any_code_of_the_host_or_beneath_it_is_another_fingerprint(checkout, file):
    change(checkout, file, "\nRELEASE = 'another'\n")
    assert fingerprint(checkout).sha256 != OURS.sha256


@pytest.mark.parametrize("library", ["build123d", "mcp", WALLS])
def test_another_version_beneath_is_another_fingerprint(checkout, library):
    assert fingerprint(checkout, **{library: "0.0.1"}).sha256 != OURS.sha256


def prepare(folder):
    with checkout_host(folder, unsafe=False) as found:
        return found


def test_what_is_no_checkout_is_told_in_one_line(tmp_path):
    with pytest.raises(WrongUse, match="there is no such folder"):
        prepare(tmp_path / "missing")
    with pytest.raises(WrongUse, match="no checkout of gaugeblock with a host"):
        prepare(tmp_path)


def test_a_checkout_that_was_never_set_up_is_told_with_the_mend(checkout):
    shutil.rmtree(checkout / ".venv")
    with pytest.raises(WrongUse, match=r"has no \.venv/bin/python; run \./dev setup there"):
        prepare(checkout)


def test_an_environment_of_another_checkout_is_refused(checkout):
    """Copied with its .venv, say: it would run the host of where it was copied from."""
    python = checkout / ".venv" / "bin" / "python"
    python.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    with pytest.raises(WrongUse, match="runs another checkout's program"):
        prepare(checkout)


@pytest.mark.parametrize(
    ("text", "word"),
    [("raise ImportError('no kernel here')\n", "no kernel here"), ("import os; os._exit(3)\n", "")],
)
def test_a_host_that_cannot_be_imported_is_told_with_its_last_words(checkout, text, word):
    (checkout / "src" / "gaugeblock" / "host" / "main.py").write_text(text)
    with pytest.raises(WrongUse, match="cannot be prepared") as told:
        prepare(checkout)
    assert word in str(told.value) and "\n" not in str(told.value)


def test_words_that_are_no_answer_are_no_checkout(checkout):
    python = checkout / ".venv" / "bin" / "python"
    python.write_text("#!/bin/sh\necho hello\n")
    with pytest.raises(WrongUse, match="cannot be prepared"):
        prepare(checkout)


def test_fresh_draws_need_our_own_host(checkout):
    with pytest.raises(WrongUse, match="without --draws"):
        lay_out(Wish(TARGET, ("reference",), 1, draws=1, host_path=checkout))


def test_the_command_tells_a_wrong_path(tmp_path):
    words = ["plan", "growth/S1", "--profile", "reference", "--host-path", str(tmp_path)]
    done = CliRunner().invoke(app, words)
    assert isinstance(done.exception, WrongUse)


def test_a_run_on_another_release_is_a_cohort_of_its_own(older, tmp_path):
    """The reference passes on it; what is edited while it runs is told at the end."""
    seen = []

    def ended(trial, result):
        seen.append(result.outcome)
        change(older, text="\nRELEASE = 'a third one'\n")

    folder = run(
        Wish(TARGET, ("reference",), 1, host_path=older), tmp_path / "run", Watch(round_ended=ended)
    )
    assert seen == ["passed"]
    host = folder.plan.host
    assert (host.source, host.commit, host.dirty) == ("checkout", None, None)
    assert "build123d" in host.runtime
    (row,) = folder.rows()
    assert row.fingerprint_host == folder.plan.fingerprints["host"].sha256 != OURS.sha256
    text = (tmp_path / "run" / "changed-during-run.json").read_text()
    assert "host: planned" in text and "harness" not in text
    assert str(older) not in (tmp_path / "run" / "plan.json").read_text()
    assert changed_fingerprints(folder.plan) == []  # nobody knows what the host is by now
    unclosed(tmp_path / "run")
    with pytest.raises(WrongUse, match="name it again with --host-path"):
        resume(tmp_path / "run", Watch())
    with pytest.raises(WrongUse, match=r"with other code \(host: planned"):
        resume(tmp_path / "run", Watch(), host_path=older)


def unclosed(run):
    (run / "manifest.json").unlink()


def test_a_run_of_our_own_host_is_not_resumed_on_another(short_copy, checkout):
    unclosed(short_copy)
    with pytest.raises(WrongUse, match="leave --host-path out"):
        resume(short_copy, Watch(), host_path=checkout)


def test_the_plan_of_this_very_code_by_its_path_is_our_own_cohort(checkout, short_run):
    here = open_run(short_run).plan
    there = plan_only(Wish(TARGET, ("reference",), 1, host_path=checkout))
    assert changed_fingerprints(there, there.fingerprints["host"]) == []
    assert there.fingerprints == here.fingerprints
    assert (here.host.source, there.host.source) == ("own", "checkout")
    same = {"runtime", "sandbox", "sandbox_formal", "toolsets", "version", "name"}
    assert there.host.model_dump(include=same) == here.host.model_dump(include=same)
