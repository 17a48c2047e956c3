"""A suite's digest: any change to what it asks or how it judges is another digest."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

ROOM = Path(__file__).parent
README = "README.md"


def suite_digest(name: str, room: Path = ROOM, *, without: tuple[str, ...] = ()) -> str:
    """Return the SHA-256 (hex) over a suite's data and code.

    That is every file in the suite's folder, and the modules all suites stand on, each by its
    POSIX path below the room and its bytes, sorted by path. READMEs, bytecode and hidden files do
    not count.

    Args:
        name: the suite's folder.
        room: the folder of all suites.
        without: folders of the suite that do not count.
    """
    total = hashlib.sha256()
    left_out = {Path(name, folder) for folder in without}
    for path in sorted(set(_counted(name, room)), key=lambda item: item.as_posix()):
        if left_out & set(path.parents):
            continue
        content = hashlib.sha256((room / path).read_bytes()).hexdigest()
        total.update(f"{path.as_posix()}\0{content}\n".encode())
    return total.hexdigest()


def _counted(name: str, room: Path) -> Iterator[Path]:
    for path in (*room.glob("*.py"), *(room / name).rglob("*")):
        below = path.relative_to(room)
        hidden = any(part.startswith(".") or part == "__pycache__" for part in below.parts)
        if path.is_file() and not hidden and path.name != README and path.suffix != ".pyc":
            yield below
