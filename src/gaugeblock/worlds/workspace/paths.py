"""Roots, and the one spelling in which a file of them is asked for."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Code = Literal[
    "arguments",
    "path",
    "outside",
    "read-only",
    "not-found",
    "link",
    "no-file",
    "binary",
    "limit",
    "no-match",
    "not-unique",
    "expression",
    "timeout",
]
"""Why a call is refused. `outside` and `read-only` are attempts to leave what is allowed."""

ROOT_NAME = re.compile(r"[a-z][a-z0-9-]{0,30}")

LONGEST_PATH = 400
"""Signs of a whole path; the deepest of a real source tree have some 150."""

LONGEST_NAME_BYTES = 200
"""Of one name in UTF-8. File systems take 255, and a draft of the file has a longer name."""

DEEPEST = 16
"""Names in a path; real source trees have some 8."""

SIGNS = frozenset(" !#%&'()+,-.=@[]^_`{}~$")
"""What a name may hold besides letters, marks and digits. All other signs are refused, among them
those that only look like a dot or a slash, turn the direction of writing or have no width."""

DEVICES = frozenset({"con", "prn", "aux", "nul"}) | {
    f"{kind}{number}" for kind in ("com", "lpt") for number in range(10)
}
"""Names that are devices on some systems, with any ending; a run can be audited on any."""

DRAFT = ".gaugeblock-draft-"
"""Begins the name of a file that is being written; no such name can be asked for."""


class Refused(Exception):
    """A call that is not carried out; nothing has changed.

    Attributes:
        code: why, as a word.
    """

    def __init__(self, code: Code, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class Root:
    """One folder that the agent knows as ``/name``.

    Attributes:
        name: lower case, such as ``work``.
        folder: where it lies; no path of it is ever told.
        writable: whether files may be written there.
    """

    name: str
    folder: Path
    writable: bool

    def __post_init__(self) -> None:
        if not ROOT_NAME.fullmatch(self.name):
            raise ValueError(f"a root is named with lower case letters, not {self.name!r}")

    def told(self) -> str:
        """Return name and mode as every message tells them."""
        return f"/{self.name} ({'read and write' if self.writable else 'read'})"


@dataclass(frozen=True)
class VirtualPath:
    """A root and the names below it; none: the root itself."""

    root: Root
    names: tuple[str, ...]

    def __str__(self) -> str:
        return "/" + "/".join((self.root.name, *self.names))


def roots_told(roots: Sequence[Root]) -> str:
    """Return all roots with their modes, as they stand in descriptions and in every refusal."""
    return ", ".join(root.told() for root in roots)


def parse(text: str, roots: Sequence[Root], *, folder: bool = False) -> VirtualPath:
    """Return what a path means. There is one spelling for each file, and any other is refused.

    Args:
        text: the path, such as ``/work/part.step``.
        roots: all there are.
        folder: whether a folder is asked for, which may end in a slash.

    Raises:
        Refused: path (no such spelling is taken), outside (it begins with no root).
    """
    if len(text) > LONGEST_PATH:
        raise Refused("path", f"a path has at most {LONGEST_PATH} signs")
    if not text.startswith("/"):
        raise Refused(
            "path", f"{_shown(text)} does not begin with a root, such as /{roots[0].name}"
        )
    first, *names = text[1:].removesuffix("/" if folder else "").split("/")
    for name in (first, *names):
        fault = fault_of(name)
        if fault:
            raise Refused("path", f"{_shown(text)}: {fault}")
    root = next((root for root in roots if root.name == first), None)
    if root is None:
        raise Refused("outside", f"{_shown(text)} lies in none of the roots")
    if len(names) > DEEPEST:
        raise Refused("path", f"a path has at most {DEEPEST} names below its root")
    return VirtualPath(root, tuple(names))


def fault_of(name: str) -> str:
    """Say why a name is not taken, or nothing."""
    if not name:
        return "a name is empty"
    if name in (".", ".."):
        return f"{name!r} is not taken; write the path in full"
    if name[0] == " " or name[-1] in " .":
        return "a name may not begin or end with a space, nor end with a dot"
    if any(not _takes(sign) for sign in name):
        return "a name holds a sign that is not taken"
    if unicodedata.normalize("NFKC", name) != name:
        return "a name is not in the composed form (NFKC)"
    if len(name.encode()) > LONGEST_NAME_BYTES:
        return f"a name has at most {LONGEST_NAME_BYTES} bytes"
    if name.split(".")[0].rstrip(" ").casefold() in DEVICES:
        return "a name is that of a device on some systems"
    if name.startswith(DRAFT):
        return "a name is kept for drafts"
    return ""


def _takes(sign: str) -> bool:
    return sign in SIGNS or unicodedata.category(sign)[0] in "LM" or sign.isdecimal()


def _shown(text: str, longest: int = 80) -> str:
    """Return a path as it was asked for, on one line and without signs that nobody sees."""
    line = ascii(text[:longest])
    return line if len(text) <= longest else f"{line}…"
