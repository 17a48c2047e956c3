"""The roots on disk: every step below a root is taken from the folder that holds it.

No path is ever put together and handed to the system. A name is opened in its folder's descriptor,
links are not followed, and what was opened is looked at again: whatever is renamed or replaced
meanwhile, no step leads out of the root.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from gaugeblock.worlds.workspace.paths import (
    DEEPEST,
    DRAFT,
    Refused,
    Root,
    VirtualPath,
    fault_of,
)

LARGEST_FILE_BYTES = 16 << 20
"""A file that is read; the largest sheet of a drawing has some 300 kB."""

MOST_FILES = 500
"""Files and folders of a writable root: a part needs a few, a wiki some 60 pages."""

MOST_BYTES = 64 << 20
"""Of all files of a writable root together."""

MOST_WALKED = 5_000
"""Entries that one listing or one search goes through; a fixture has some 200."""

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(frozen=True)
class Entry:
    """One thing in a root.

    Attributes:
        path: as it is asked for.
        kind: file, folder, or what else it is: such a thing can be seen and not opened.
        size: of a file, bytes.
    """

    path: VirtualPath
    kind: str
    size: int = 0


class Folders:
    """All roots, held open from the start: a root that is moved aside is still the same folder."""

    def __init__(self, roots: Sequence[Root]) -> None:
        """Open the roots; OSError: one is not there."""
        self.roots = tuple(roots)
        self._open = {root.name: os.open(root.folder, _FOLDER) for root in roots}
        self._device = {name: os.fstat(fd).st_dev for name, fd in self._open.items()}

    def close(self) -> None:
        """Let go of the roots."""
        for fd in self._open.values():
            os.close(fd)
        self._open = {}

    def read(self, path: VirtualPath) -> bytes:
        """Return the bytes of a file.

        Raises:
            Refused: it is not there, is no regular file of its own, or is too large.
        """
        if not path.names:
            raise Refused("no-file", f"{path} is a folder")
        with self._folder(path, path.names[:-1]) as folder:
            self._require_file(path, folder)
            try:
                file = os.open(path.names[-1], _READ, dir_fd=folder)
            except OSError as error:
                raise _refusal(error, path) from None
            with os.fdopen(file, "rb") as stream:
                self._require_regular(path, os.fstat(file))
                data = stream.read(LARGEST_FILE_BYTES + 1)
        if len(data) > LARGEST_FILE_BYTES:
            raise Refused("limit", f"{path} has more than {LARGEST_FILE_BYTES:,} bytes")
        return data

    def write(self, path: VirtualPath, data: bytes) -> bytes | None:
        """Write a file whole and return what it held before, None where there was none.

        Raises:
            Refused: its root is read-only, something else bears its name, or the root is full.
        """
        if not path.root.writable:
            raise Refused("read-only", f"{path} lies in a root that is only read")
        if not path.names:
            raise Refused("no-file", f"{path} is a folder")
        self._require_room(path.root, len(data), len(path.names))
        with self._folder(path, path.names[:-1], make=True) as folder:
            before: bytes | None = None
            if self._look(path, folder) is None:
                _require_new(folder, path.names[-1], path)
            else:
                before = self.read(path)
            draft = DRAFT + secrets.token_hex(8)
            try:
                with os.fdopen(os.open(draft, _NEW, 0o644, dir_fd=folder), "wb") as stream:
                    stream.write(data)
                # A link that took the name meanwhile is replaced itself, and not what it leads to.
                os.rename(draft, path.names[-1], src_dir_fd=folder, dst_dir_fd=folder)
            except OSError as error:
                with contextlib.suppress(OSError):
                    os.unlink(draft, dir_fd=folder)
                raise _refusal(error, path) from None
        return before

    def walk(self, path: VirtualPath) -> Iterator[Entry]:
        """Yield all that lies below a folder, in order of names; links are not followed.

        Raises:
            Refused: it is no folder, or holds more than `MOST_WALKED` entries.
        """
        left = [MOST_WALKED]
        with self._folder(path, path.names) as folder:
            yield from self._below(path, folder, left)

    def _below(self, path: VirtualPath, folder: int, left: list[int]) -> Iterator[Entry]:
        try:
            names = sorted(os.listdir(folder))
        except OSError as error:
            raise _refusal(error, path) from None
        for name in names:
            if name.startswith(DRAFT):
                continue
            left[0] -= 1
            if left[0] < 0:
                raise Refused("limit", f"{path} holds more than {MOST_WALKED:,} entries")
            here = VirtualPath(path.root, (*path.names, name))
            try:
                found = os.stat(name, dir_fd=folder, follow_symlinks=False)
            except OSError:
                continue  # gone again
            kind = _kind_of(found)
            if kind == "file" and not fault_of(name):
                yield Entry(here, kind, found.st_size)
            elif kind == "folder" and not fault_of(name) and len(here.names) <= DEEPEST:
                yield Entry(here, kind)
                try:
                    below = os.open(name, _FOLDER, dir_fd=folder)
                except OSError:
                    continue  # it became something else
                try:
                    if os.fstat(below).st_dev == self._device[path.root.name]:
                        yield from self._below(here, below, left)
                finally:
                    os.close(below)
            else:
                why = f"{kind} of a name that is not taken" if fault_of(name) else kind
                shown = name.encode("ascii", "backslashreplace").decode()
                yield Entry(VirtualPath(path.root, (*path.names, shown)), why)

    @contextmanager
    def _folder(
        self, path: VirtualPath, names: tuple[str, ...], *, make: bool = False
    ) -> Iterator[int]:
        """Step from the root into one folder after the other."""
        fd = os.dup(self._open[path.root.name])
        try:
            for name in names:
                if make:
                    self._make_folder(path, fd, name)
                try:
                    below = os.open(name, _FOLDER, dir_fd=fd)
                except OSError as error:
                    raise self._folder_refusal(error, path, fd, name) from None
                os.close(fd)
                fd = below
                if os.fstat(fd).st_dev != self._device[path.root.name]:
                    raise Refused("link", f"{path}: {name} leads to another file system")
            yield fd
        finally:
            os.close(fd)

    def _make_folder(self, path: VirtualPath, folder: int, name: str) -> None:
        try:
            os.stat(name, dir_fd=folder, follow_symlinks=False)
        except FileNotFoundError:
            _require_new(folder, name, path)
            try:
                os.mkdir(name, 0o755, dir_fd=folder)
            except OSError as error:
                raise _refusal(error, path) from None

    def _folder_refusal(self, error: OSError, path: VirtualPath, fd: int, name: str) -> Refused:
        with contextlib.suppress(OSError):
            kind = _kind_of(os.stat(name, dir_fd=fd, follow_symlinks=False))
            if kind == "link":
                return Refused("link", f"{path}: {name} is a symbolic link; none is followed")
            if kind != "folder":
                return Refused("no-file", f"{path}: {name} is no folder")
        return _refusal(error, path)

    def _look(self, path: VirtualPath, folder: int) -> os.stat_result | None:
        try:
            return os.stat(path.names[-1], dir_fd=folder, follow_symlinks=False)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise _refusal(error, path) from None

    def _require_file(self, path: VirtualPath, folder: int) -> None:
        """Look before opening: to open a device can already do something."""
        found = self._look(path, folder)
        if found is None:
            raise Refused("not-found", f"there is no {path}")
        self._require_regular(path, found)

    def _require_regular(self, path: VirtualPath, found: os.stat_result) -> None:
        kind = _kind_of(found)
        if kind == "link":
            raise Refused("link", f"{path} is a symbolic link; none is followed")
        if kind != "file":
            raise Refused("no-file", f"{path} is a {kind}")
        if found.st_nlink != 1 or found.st_dev != self._device[path.root.name]:
            raise Refused("link", f"{path} is also a file elsewhere (a hard link or a mount)")

    def _require_room(self, root: Root, size: int, made: int) -> None:
        files = held = 0
        for entry in self.walk(VirtualPath(root, ())):
            files += 1
            held += entry.size
        if files + made > MOST_FILES:
            raise Refused("limit", f"/{root.name} holds at most {MOST_FILES} files and folders")
        if held + size > MOST_BYTES:
            raise Refused("limit", f"/{root.name} holds at most {MOST_BYTES:,} bytes")


def _require_new(folder: int, name: str, path: VirtualPath) -> None:
    """Refuse a name that differs from another one only by case: some systems hold one of them."""
    for other in os.listdir(folder):
        if other != name and other.casefold() == name.casefold():
            raise Refused("path", f"{path}: {other!r} is there, which differs only by case")


def _kind_of(found: os.stat_result) -> str:
    for name, test in (
        ("file", stat.S_ISREG),
        ("folder", stat.S_ISDIR),
        ("link", stat.S_ISLNK),
        ("pipe", stat.S_ISFIFO),
        ("socket", stat.S_ISSOCK),
    ):
        if test(found.st_mode):
            return name
    return "device"


def _refusal(error: OSError, path: VirtualPath) -> Refused:
    """Return the refusal of what the system refused; its own words may hold a path."""
    if error.errno == errno.ENOENT:
        return Refused("not-found", f"there is no {path}")
    if error.errno == errno.ELOOP:
        return Refused("link", f"{path} is a symbolic link; none is followed")
    if error.errno in (errno.ENOTDIR, errno.EISDIR):
        return Refused("no-file", f"{path} is not what was asked for, a file or a folder")
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return Refused("limit", f"{path}: there is no room left")
    return Refused("no-file", f"{path} cannot be opened ({os.strerror(error.errno or 0)})")
