"""Files that a strange server left in its folder, taken as what they are: hostile until read."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

LARGEST_DELIVERY_BYTES = 256 << 20
"""Largest file that is taken; the largest real STEP file of the tests has some 40 MB."""


class Refused(Exception):
    """There is no such delivery; the text says why, for the record."""


def take(folder: Path, name: str) -> bytes:
    """Return the bytes of a regular file that lies directly in a folder.

    No link is followed and nothing else than a file is opened, whatever the server made of its
    folder meanwhile.

    Raises:
        Refused: there is none, it is empty, too large, a link, or no file, or its folder was shut.
    """
    try:
        inside = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError as error:
        raise Refused(f"its folder cannot be opened ({error.strerror})") from None
    try:
        try:
            kind = os.stat(name, dir_fd=inside, follow_symlinks=False).st_mode
        except OSError:
            raise Refused(f"there is no file {name}") from None
        if stat.S_ISLNK(kind):
            raise Refused(f"{name} is a symbolic link, which is refused")
        if not stat.S_ISREG(kind):
            what = "a folder" if stat.S_ISDIR(kind) else "no regular file"
            raise Refused(f"{name} is {what}")
        try:  # what it is may have changed since: NOFOLLOW and fstat decide
            file = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=inside)
        except OSError as error:
            raise Refused(f"{name} cannot be opened ({error.strerror})") from None
    finally:
        os.close(inside)
    with os.fdopen(file, "rb") as stream:
        found = os.fstat(file)
        if not stat.S_ISREG(found.st_mode):
            raise Refused(f"{name} is no regular file")
        if found.st_size > LARGEST_DELIVERY_BYTES:
            raise Refused(f"{name} has more than {LARGEST_DELIVERY_BYTES:,} bytes")
        data = stream.read(LARGEST_DELIVERY_BYTES + 1)
    if not data:
        raise Refused(f"{name} is empty")
    if len(data) > LARGEST_DELIVERY_BYTES:
        raise Refused(f"{name} has more than {LARGEST_DELIVERY_BYTES:,} bytes")
    return data


def put(folder: Path, name: str, data: bytes) -> None:
    """Write a new file directly into the folder of a server that may be running already.

    It could have laid a link there, through which the words would be written outside, or a pipe:
    whatever bears the name is removed, and nothing that is there again is written to.

    Raises:
        Refused: something else stays there, or the folder cannot be written to.
    """
    clear(folder, name)
    fresh = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    try:
        inside = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            file = os.open(name, fresh, 0o600, dir_fd=inside)
        finally:
            os.close(inside)
        with os.fdopen(file, "wb") as stream:
            stream.write(data)
            os.fchmod(file, 0o644)
    except OSError as error:
        raise Refused(f"{name} cannot be written ({error.strerror})") from None


def clear(folder: Path, name: str) -> None:
    """Remove a file, so that what is taken later was written later; links are not followed."""
    with contextlib.suppress(OSError):  # a folder stays, and is refused
        inside = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            os.unlink(name, dir_fd=inside)
        finally:
            os.close(inside)
