"""Roots for tests of the workspace: one that is read, one that is written, and a secret outside."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from gaugeblock.worlds.workspace.folders import Folders
from gaugeblock.worlds.workspace.operations import Workspace
from gaugeblock.worlds.workspace.paths import Refused, Root

SECRET = b"the truth that nobody may read: 47110.815 mm3"


@dataclass
class Place:
    """Roots on disk, the tools over them, and what lies beside them."""

    roots: tuple[Root, ...]
    outside: Path
    workspace: Workspace

    @property
    def readable(self) -> Path:
        return self.roots[0].folder

    @property
    def own(self) -> Path:
        return self.roots[1].folder

    def call(self, tool, *arguments):
        return getattr(self.workspace, tool)(*arguments)

    def read(self, path, offset=1, limit=400, column=1):
        return self.workspace.read_file(path, offset, limit, column)

    def refusal(self, tool, *arguments):
        """Return the code by which a call is refused; its words tell no path of the machine."""
        with pytest.raises(Refused) as met:
            self.call(tool, *arguments)
        assert str(self.outside.parent) not in str(met.value)
        return met.value.code


def make_place(folder):
    roots = (Root("sheets", folder / "a", False), Root("own", folder / "b", True))
    for root in roots:
        root.folder.mkdir()
    (folder / "a" / "sheet.txt").write_text("one\ntwo\nthree\n")
    (folder / "a" / "deep").mkdir()
    (folder / "a" / "deep" / "note.txt").write_text("a note\n")
    (folder / "b" / "mine.txt").write_text("mine\n")
    outside = folder / "outside"
    outside.mkdir()
    (outside / "secret.txt").write_bytes(SECRET)
    return Place(roots, outside, Workspace(Folders(roots)))
