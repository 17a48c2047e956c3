"""Outputs are refused before the work. That no work began is shown by making it impossible."""

import os
import subprocess
import sys

import pytest
from command_line import call

from gaugeblock.cli.outputs import require_makeable, require_new_file, require_open_folder
from gaugeblock.records.errors import WrongUse


@pytest.fixture(autouse=True)
def no_work(monkeypatch):
    """No worker and no host start: whatever asks for one says `no sandbox`."""
    monkeypatch.setenv("GAUGEBLOCK_SANDBOX", "none")


@pytest.fixture
def places(tmp_path):
    (tmp_path / "a.step").write_text("ISO-10303-21;")
    (tmp_path / "folder").mkdir()
    (tmp_path / "taken").write_text("mine")
    (tmp_path / "link").symlink_to("nowhere")
    return tmp_path


DIFF = ("diff", "a.step", "a.step")
FILES = {
    "--png": (*DIFF, "--png"),
    "--html": (*DIFF, "--html"),
    "calibrate": ("calibrate", "a.step", "--no-second-kernel", "--out"),
}
RUNS = {
    "run": ("run", "growth/S1", "--profile", "null", "--out"),
    "demo": ("demo", "--out"),
}
HOSTS = {"document": ("host", "--document"), "workspace": ("host", "--workspace")}


@pytest.mark.parametrize("words", [*FILES.values(), *RUNS.values(), *HOSTS.values()])
def test_with_a_place_to_write_to_the_work_begins(places, words):
    done = call(*words, "new", cwd=places)
    assert done.returncode == 2
    assert "no sandbox" in done.stderr


@pytest.mark.parametrize("words", FILES.values(), ids=FILES)
@pytest.mark.parametrize(
    ("target", "word"),
    [
        ("missing/x", "no such folder"),
        ("taken/x", "no such folder"),
        ("folder", "a folder"),
        ("taken", "exists already"),
        ("link", "no regular file"),
        ("/proc/x", "cannot be written"),
        ("x" * 250, "cannot be written"),
    ],
)
def test_a_file_that_cannot_be_written(places, words, target, word):
    before = sorted(places.iterdir())
    done = call(*words, target, cwd=places)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert word in line and target in line
    assert "sandbox" not in line
    assert sorted(places.iterdir()) == before
    assert (places / "taken").read_text() == "mine"


@pytest.mark.parametrize("words", RUNS.values(), ids=RUNS)
@pytest.mark.parametrize(
    ("target", "word"),
    [
        ("folder", "exists already"),
        ("link", "exists already"),
        ("taken/x/y", "cannot be made"),
        ("/proc/x/y", "cannot be made"),
    ],
)
def test_a_run_s_folder_that_cannot_be_made(places, words, target, word):
    before = sorted(places.iterdir())
    done = call(*words, target, cwd=places)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert word in line and target in line
    assert sorted(places.iterdir()) == before


@pytest.mark.parametrize(("target", "word"), [("folder", "a folder"), ("/proc/x", "be made")])
def test_a_document_that_cannot_be_saved(places, target, word):
    done = call("host", "--document", target, cwd=places)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert word in line and "sandbox" not in line


def test_a_link_is_not_followed_even_with_force(places):
    done = call(*DIFF, "--png", "link", "--force", cwd=places)
    assert done.returncode == 2
    assert (places / "link").is_symlink()


def test_looking_leaves_nothing_behind(tmp_path):
    require_new_file("--out", tmp_path / "x", mend="")
    require_makeable("--out", tmp_path / "a" / "b" / "c")
    require_open_folder(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_write_permission(tmp_path):
    tmp_path.chmod(0o555)
    with pytest.raises(WrongUse, match="Permission denied"):
        require_new_file("--out", tmp_path / "x", mend="")
    with pytest.raises(WrongUse, match="takes no new file"):
        require_open_folder(tmp_path)


def test_a_full_disk_is_told(tmp_path):
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "gaugeblock", "suite", "list"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
    assert done.returncode == 2
    assert done.stderr == "gaugeblock: No space left on device\n"
