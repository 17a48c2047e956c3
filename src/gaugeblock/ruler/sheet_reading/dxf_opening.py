"""Opens a DXF file of somebody else: looked at as bytes first, bounded, and only if it is whole."""

from __future__ import annotations

import os
import re

import ezdxf
from ezdxf import recover
from ezdxf.document import Drawing

from gaugeblock.ruler.sheet_reading.refusing import Unreadable

MAX_BYTES = 64 * 1024 * 1024
"""Largest DXF that is read, in bytes: drawings of parts have below 10 MB."""

MOST_TAGS = 4_000_000
"""Most pairs of group code and value: ezdxf needs some 500 bytes for each, 2 GB of the worker's
6 GB. A part's drawing has below 200,000."""

_MENDED = re.compile(r'recovered invalid .*? value "(.*)" near line \d+ as "(.*)"')
"""How ezdxf tells that it made a number of what was none."""

_TAIL = 4096
_BINARY = b"AutoCAD Binary DXF"
_OTHERS = ((b"AC10", "a DWG"), (b"%PDF", "a PDF"), (b"PK\x03\x04", "a ZIP archive"))


def opened(fd: int) -> tuple[Drawing, list[str]]:
    """Return the document in a descriptor, and remarks on what had to be mended.

    Args:
        fd: Open for reading.

    Raises:
        Unreadable: it is no whole DXF, or too large.
    """
    size = os.fstat(fd).st_size
    if size > MAX_BYTES:
        raise Unreadable("too-large", f"{size} bytes; a DXF of at most {MAX_BYTES} is read")
    content = os.pread(fd, size, 0)
    for signature, what in _OTHERS:
        if content.startswith(signature):
            raise Unreadable("not-dxf", f"this is {what}, not a DXF: export it as ASCII DXF")
    if content.startswith(_BINARY):
        raise Unreadable("binary", "a binary DXF: save it as ASCII DXF")
    if b"SECTION" not in content[:_TAIL]:
        raise Unreadable("not-dxf", "no section begins at its head: not a DXF file")
    if content[-_TAIL:].split()[-1:] != [b"EOF"]:
        raise Unreadable("truncated", "no EOF at its end: the file was cut off")
    tags = content.count(b"\n") // 2
    if tags > MOST_TAGS:
        raise Unreadable("too-large", f"{tags} values; a DXF of at most {MOST_TAGS} is read")
    try:
        with os.fdopen(os.dup(fd), "rb") as file:
            file.seek(0)
            doc, auditor = recover.read(file)
    except (ezdxf.DXFError, ValueError, KeyError, IndexError, AttributeError, TypeError) as error:
        raise Unreadable("not-dxf", f"no DXF that can be read ({type(error).__name__})") from error
    damaged = [error.message for error in auditor.errors if _guessed(error.message)]
    if damaged:
        raise Unreadable("damaged", f"{len(damaged)} damaged numbers: {damaged[0]}")
    remarks = []
    if auditor.fixes:
        remarks.append(f"{len(auditor.fixes)} faults in the file were mended")
    if auditor.has_errors:
        remarks.append(f"{len(auditor.errors)} faults in the file that could not be mended")
    return doc, remarks


def _guessed(message: str) -> bool:
    """Whether ezdxf made a number of one that was none: what it measures would be a guess.

    A whole number written as ``7.0`` is none of those.
    """
    found = _MENDED.match(message)
    if found is None:
        return False
    try:
        return float(found[1]) != float(found[2])
    except ValueError:
        return True
