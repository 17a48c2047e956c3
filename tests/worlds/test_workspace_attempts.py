"""Attempts to leave the roots of a workspace, each of which must fail and leave nothing behind."""

import ctypes
import os
import socket
import threading

import anyio
import pytest
from workspaces import SECRET, make_place

from gaugeblock.worlds import WorkspaceSettings, WorkspaceWorld
from gaugeblock.worlds.workspace.paths import Refused

AT_FDCWD, EXCHANGE = -100, 2
"""Of Linux's renameat2: names from the working folder on, and two of them exchanged at once."""

SPELLINGS = {
    "parent": ("/own/../outside/secret.txt", "path"),
    "parent at the end": ("/own/..", "path"),
    "parent twice": ("/own/../../etc/passwd", "path"),
    "parent in the middle": ("/sheets/deep/../../outside/secret.txt", "path"),
    "itself": ("/own/./mine.txt", "path"),
    "absolute": ("/etc/passwd", "outside"),
    "absolute in /proc": ("/proc/self/root/etc/passwd", "outside"),
    "descriptor": ("/dev/fd/0", "outside"),
    "root of the machine": ("/", "path"),
    "nothing": ("", "path"),
    "relative": ("own/mine.txt", "path"),
    "relative parent": ("../outside/secret.txt", "path"),
    "home": ("~/secret.txt", "path"),
    "double slash": ("/own//mine.txt", "path"),
    "leading double slash": ("//own/mine.txt", "path"),
    "backslash": ("/own\\..\\outside\\secret.txt", "path"),
    "drive": ("C:/own/mine.txt", "path"),
    "address": ("file:///etc/passwd", "path"),
    "NUL": ("/own/mine.txt\0.png", "path"),
    "line end": ("/own/mine.txt\n", "path"),
    "escape sign": ("/own/\x1b[2Jmine.txt", "path"),
    "full-width slash": ("/own／..／outside", "path"),
    "fraction slash": ("/own/..⁄outside⁄secret.txt", "path"),
    "division slash": ("/own/..∕outside", "path"),
    "full-width dots": ("/own/．．/outside/secret.txt", "path"),
    "one dot leaders": ("/own/․․/outside", "path"),
    "two dot leader": ("/own/‥/outside", "path"),
    "ellipsis": ("/own/…/outside", "path"),
    "zero width between dots": ("/own/.\u200b./outside", "path"),
    "right to left": ("/own/\u202etxt.enim", "path"),
    "decomposed": ("/own/e\u0301.txt", "path"),
    "ligature": ("/own/ﬁle.txt", "path"),
    "percent": ("/own/%2e%2e/outside/secret.txt", "not-found"),
    "upper case root": ("/OWN/mine.txt", "outside"),
    "upper case file": ("/own/MINE.txt", "not-found"),
    "trailing dot": ("/own/mine.txt.", "path"),
    "trailing space": ("/own/mine.txt ", "path"),
    "leading space": ("/own/ mine.txt", "path"),
    "file as a folder": ("/own/mine.txt/", "path"),
    "below a file": ("/own/mine.txt/x", "no-file"),
    "device": ("/own/con", "path"),
    "device with an ending": ("/own/NUL.txt", "path"),
    "stream": ("/own/mine.txt:secret", "path"),
    "very long": ("/own/" + "a" * 400, "path"),
    "very long name": ("/own/" + "ä" * 120, "path"),
    "very deep": ("/own/" + "/".join("d" * 17), "path"),
    "half a character": ("/own/\ud800", "path"),
    "draft": ("/own/.gaugeblock-draft-0", "path"),
    "variable": ("/own/$HOME/secret.txt", "not-found"),
    "star": ("/own/*", "path"),
}
"""How a path is spelt → it and the code by which it is refused when it is read."""


def everything(folder):
    """Return all that lies below a folder with its content; of links, where they lead."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_symlink():
            found[name] = str(path.readlink())
        else:
            found[name] = path.read_bytes() if path.is_file() else None
    return found


@pytest.mark.parametrize("how", SPELLINGS)
def test_no_spelling_reads_or_writes_outside(place, tmp_path, how):
    path, code = SPELLINGS[how]
    before = everything(tmp_path)
    assert place.refusal("read_file", path, 1, 10, 1) == code
    if code != "not-found":  # such a name is as good as any for a new file
        assert place.refusal("write_file", path, "x") == code
        assert place.refusal("edit_file", path, "mine", "x") == code
    assert everything(tmp_path) == before


def test_the_same_spellings_over_the_protocol(tmp_path):
    """The real server refuses each with the same code, marked as an error, and names its roots."""

    async def asked():
        found = {}
        settings = WorkspaceSettings(("sheets",), ("own",), {"/own/mine.txt": b"mine\n"})
        async with WorkspaceWorld.open(settings, lambda call: None) as world:
            for how, (path, _) in SPELLINGS.items():
                if how == "half a character":
                    continue  # it cannot travel; the desk stops it
                answer = await world.call("read_file", {"path": path})
                assert answer.failed
                assert answer.text.endswith("Roots: /sheets (read), /own (read and write).")
                found[how] = answer.data["code"]
        return found

    found = anyio.run(asked)
    assert found == {how: SPELLINGS[how][1] for how in found}
    assert len(found) == len(SPELLINGS) - 1


def plant_file_link(place):
    (place.own / "trap").symlink_to(place.outside / "secret.txt")


def plant_folder_link(place):
    (place.own / "trap").symlink_to(place.outside, target_is_directory=True)


def plant_broken_link(place):
    (place.own / "trap").symlink_to(place.outside / "new.txt")


def plant_link_to_root(place):
    (place.own / "trap").symlink_to("/")


def plant_hard_link(place):
    os.link(place.outside / "secret.txt", place.own / "trap")


def plant_pipe(place):
    os.mkfifo(place.own / "trap")


def plant_socket(place):
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(str(place.own / "trap"))


def plant_folder(place):
    (place.own / "trap").mkdir()


PLANTED = {
    plant_file_link: "link",
    plant_folder_link: "link",
    plant_broken_link: "link",
    plant_link_to_root: "link",
    plant_hard_link: "link",
    plant_pipe: "no-file",
    plant_socket: "no-file",
    plant_folder: "no-file",
}


@pytest.mark.parametrize("plant", PLANTED)
def test_what_was_planted_in_a_root_is_not_opened(place, tmp_path, plant, monkeypatch):
    monkeypatch.chdir(tmp_path)
    plant(place)
    before = everything(tmp_path)
    code = PLANTED[plant]
    assert place.refusal("read_file", "/own/trap", 1, 10, 1) == code
    assert place.refusal("write_file", "/own/trap", "x") == code
    assert place.refusal("edit_file", "/own/trap", "truth", "x") == code
    if plant is not plant_folder:
        below = "link" if "link" in plant.__name__ and plant is not plant_hard_link else "no-file"
        assert place.refusal("read_file", "/own/trap/secret.txt", 1, 10, 1) == below
        assert place.refusal("write_file", "/own/trap/new.txt", "x") == below
        assert place.refusal("list_files", "/own/trap") == below
        assert place.refusal("search_files", "truth", "/own/trap", False) == below
    assert everything(tmp_path) == before
    for answer in (place.call("list_files", "/"), place.call("search_files", "truth", "/", False)):
        assert "secret" not in answer.text
        assert SECRET.decode() not in answer.text


def test_a_name_that_is_not_taken_is_seen_and_not_opened(place):
    (place.own / "‥").mkdir()
    (place.own / "‥" / "inside.txt").write_text("x")
    (place.own / "a:b").write_text("x")
    text = place.call("list_files", "/own").text
    assert "folder of a name that is not taken" in text
    assert "file of a name that is not taken" in text
    assert "inside.txt" not in text


def test_a_root_that_is_moved_aside_is_still_the_same_folder(place):
    place.own.rename(place.own.with_name("moved"))
    place.own.symlink_to(place.outside, target_is_directory=True)
    place.call("write_file", "/own/new.txt", "x")
    assert not (place.outside / "new.txt").exists()
    assert (place.own.with_name("moved") / "new.txt").read_text() == "x"
    assert place.refusal("read_file", "/own/secret.txt", 1, 1, 1) == "not-found"


def test_a_root_that_is_a_link_is_none(tmp_path):
    place = make_place(tmp_path)
    place.own.rename(tmp_path / "kept")
    place.own.symlink_to(place.outside, target_is_directory=True)
    with pytest.raises(OSError):
        type(place.workspace._folders)(place.roots)


@pytest.mark.parametrize("swapped", ["folder", "file"])
def test_a_name_that_changes_while_it_is_opened_leads_nowhere(place, swapped):
    """Somebody swaps a folder, or a file, for a link to outside as fast as it can be done."""
    exchange = getattr(ctypes.CDLL(None), "renameat2", None)
    if exchange is None:
        pytest.skip("this system exchanges no two names")
    real, trap = place.own / "real", place.own / "trap"
    if swapped == "folder":
        real.mkdir()
        (real / "secret.txt").write_text("harmless")
        trap.symlink_to(place.outside, target_is_directory=True)
        path = "/own/name/secret.txt"
    else:
        real.write_text("harmless")
        trap.symlink_to(place.outside / "secret.txt")
        path = "/own/name"
    name = real.rename(place.own / "name")
    done = threading.Event()

    def swap():
        while not done.is_set():
            exchange(AT_FDCWD, os.fsencode(name), AT_FDCWD, os.fsencode(trap), EXCHANGE)

    thread = threading.Thread(target=swap)
    thread.start()
    met, by_a_plain_open = set(), set()
    try:
        for number in range(50_000):
            if number > 600 and len(met) > 1 and SECRET in by_a_plain_open:
                break
            by_a_plain_open.add(place.own.parent.joinpath("b", *path.split("/")[2:]).read_bytes())
            try:
                assert "harmless" in place.read(path).text
                met.add("read")
                if swapped == "folder":  # a file would take the link's place, and end the game
                    place.call("write_file", path, f"harmless {number}")
            except Refused as refusal:
                met.add(refusal.code)
    finally:
        done.set()
        thread.join()
    assert (place.outside / "secret.txt").read_bytes() == SECRET
    assert [path.name for path in place.outside.iterdir()] == ["secret.txt"]
    assert {"read"} < met <= {"read", "link", "no-file"}, "the swapper must have met calls"
    assert SECRET in by_a_plain_open, "a path handed to the system leads outside, so this can fail"
