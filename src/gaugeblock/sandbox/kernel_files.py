"""What the kernel tells a process in ``/proc``, as far as it can be read without end."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

MOST_BYTES = 4 << 20
"""Of one file; the longest seen is the list of symbols, which is empty for anybody but root."""

LEFT_OUT = frozenset(
    "kcore kmsg kpagecount kpageflags kpagecgroup mem pagemap clear_refs sysrq-trigger "
    "kallsyms auxv".split()
)
"""Memory, symbols and switches: no text of anybody's, or without end."""

OF_OTHERS = ("environ", "cmdline", "comm", "mountinfo", "maps")
"""What is read of other processes, so far as it can be."""

OWN = "/proc/self"


def mounts() -> dict[str, tuple[str, str]]:
    """Return mount point → type of file system and `ro` or `rw`; of stacked ones the topmost."""
    found = {}
    with open(f"{OWN}/mountinfo", encoding="utf-8", errors="surrogateescape") as file:
        for line in file:
            fields, _, rest = line.partition(" - ")
            words = fields.split(" ")
            point = re.sub(r"\\(\d{3})", lambda match: chr(int(match[1], 8)), words[4])
            found[point] = (rest.split(" ")[0], words[5].split(",")[0])
    return found


def contents() -> Iterator[tuple[str, bytes]]:
    """Yield path and content of what can be read; links give where they lead."""
    for path in sorted(Path("/proc").iterdir()):
        if path.name.isdecimal():
            for part in (*OF_OTHERS, "cwd", "root", "exe"):
                yield from _content(path / part)
        elif path.name in ("self", "thread-self") or path.name in LEFT_OUT:
            continue
        elif path.is_dir() and not path.is_symlink():
            yield from _tree(path)
        else:
            yield from _content(path)
    yield from _tree(Path(OWN), shallow=True)


def _tree(top: Path, *, shallow: bool = False) -> Iterator[tuple[str, bytes]]:
    for folder, folders, names in os.walk(top):
        for name in names:
            if name not in LEFT_OUT:
                yield from _content(Path(folder, name))
        if shallow:  # threads repeat their process, `root` is the view itself
            folders[:] = [name for name in folders if name in ("fd", "fdinfo", "attr", "ns")]


def _content(path: Path) -> Iterator[tuple[str, bytes]]:
    try:
        if path.is_symlink():
            yield str(path), os.fsencode(path.readlink())
            return
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return
    parts, size = [], 0
    try:
        while size < MOST_BYTES and (part := os.read(descriptor, 1 << 16)):
            parts.append(part)
            size += len(part)
    except OSError:
        pass  # such as a file for which there is a right to open and none to read
    finally:
        os.close(descriptor)
    yield str(path), b"".join(parts)
