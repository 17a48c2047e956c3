"""What the five tools do: plain text in, plain text out, and what it was as data.

Every answer that concerns one file says its SHA-256 before and after the call. An answer never
holds a path of the machine.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any

from gaugeblock.worlds.workspace.expressions import clock, finder
from gaugeblock.worlds.workspace.folders import Entry, Folders
from gaugeblock.worlds.workspace.paths import Refused, VirtualPath, parse

PAGE_LINES = 400
"""Lines of a page unless asked otherwise."""

MOST_PAGE_LINES = 2_000

PAGE_SIGNS = 30_000
"""Signs of a page. A whole request has 176,000 bytes in most suites, and every page read stays in
it until the end."""

MOST_LISTED = 1_000
"""Entries of one listing."""

MOST_HITS = 100
"""Lines of one search."""

EXCERPT_SIGNS = 240
"""Of a line with a hit: a drawing may stand in one line."""

LARGEST_WRITE_BYTES = 4 << 20
"""Of one file that is written; a STEP file of a part has 20 to 500 kB."""

KINDS = (
    (b"\x89PNG\r\n", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"%PDF-", "a PDF document"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"\x7fELF", "a program"),
)
"""How a file begins → what it is, for the refusal to show it as text."""


@dataclass(frozen=True)
class Answer:
    """What a call came to.

    Attributes:
        text: what the agent reads.
        data: path, hashes and counts, for the record.
    """

    text: str
    data: dict[str, Any] = field(default_factory=dict)


class Workspace:
    """The tools over the roots. Calls come one at a time, in the main thread."""

    def __init__(self, folders: Folders) -> None:
        """Work on these roots."""
        self._folders = folders

    def list_files(self, path: str) -> Answer:
        """List all files below a folder, or below all roots for ``/``."""
        entries = self._entries(path)
        lines = [_line(entry) for entry in entries[:MOST_LISTED]]
        left = len(entries) - len(lines)
        if left:
            lines.append(f"({left:,} more: list a folder of them)")
        data = {"path": path, "entries": len(entries), "complete": not left}
        return Answer("\n".join(lines) or "(empty)", data)

    def read_file(self, path: str, offset: int, limit: int, column: int) -> Answer:
        """Show a page of a text file: whole lines, or a part of one that is longer than a page."""
        where = parse(path, self._folders.roots)
        whole = self._folders.read(where)
        lines = _text(where, whole).split("\n")
        if lines[-1] == "":
            lines.pop()  # the last line ends in a line end, and no line follows it
        if offset > max(len(lines), 1):
            raise Refused("arguments", f"{where} has {len(lines):,} lines; offset is {offset:,}")
        shown, last, cut = _page(lines[offset - 1 : offset - 1 + limit], column)
        last += offset - 1
        head = f"{where}: lines {offset:,} to {last:,} of {len(lines):,}"
        if not lines:
            head, last = f"{where}: empty", 0
        elif cut is not None:
            head += f", of line {last:,} the signs up to {cut:,} (go on with column {cut + 1})"
        elif last < len(lines):
            head += f" (go on with offset {last + 1})"
        sha256 = hashlib.sha256(whole).hexdigest()
        data = {
            "path": str(where),
            "sha256_before": sha256,
            "sha256_after": sha256,
            "bytes": len(whole),
            "lines": [offset, last] if lines else [],
            "column": column,
            "cut_at": cut,
            "total_lines": len(lines),
        }
        return Answer(f"{head}; SHA-256 {sha256}\n{shown}", data)

    def search_files(self, pattern: str, path: str, expression: bool) -> Answer:
        """Search the lines of all text files below a folder."""
        find = finder(pattern, expression=expression)
        hits: list[str] = []
        unread = 0
        with clock():
            for entry in self._entries(path):
                if entry.kind != "file":
                    continue
                try:
                    text = self._folders.read(entry.path).decode()
                except (Refused, UnicodeDecodeError):
                    unread += 1
                    continue
                for number, line in enumerate(text.split("\n"), 1):
                    span = find(line) if len(hits) <= MOST_HITS else None
                    if span is not None:
                        hits.append(f"{entry.path}:{number}: {_excerpt(line, span)}")
        more = len(hits) > MOST_HITS
        lines = hits[:MOST_HITS] + ([f"(more than {MOST_HITS} lines: narrow it)"] if more else [])
        lines += [f"({unread} files are no text and were not searched)"] if unread else []
        data = {
            "path": path,
            "hits": min(len(hits), MOST_HITS),
            "complete": not more,
            "unread": unread,
        }
        return Answer("\n".join(lines if hits else ["(no line)", *lines]), data)

    def write_file(self, path: str, text: str) -> Answer:
        """Write a whole file, new or not."""
        return self._written(parse(path, self._folders.roots), text)

    def edit_file(self, path: str, old: str, new: str) -> Answer:
        """Replace a text that stands exactly once in a file."""
        where = parse(path, self._folders.roots)
        if not where.root.writable:
            raise Refused("read-only", f"{where} lies in a root that is only read")
        if not old:
            raise Refused("arguments", "old is empty; write_file writes a whole file")
        text = _text(where, self._folders.read(where))
        found = text.count(old)
        if not found:
            raise Refused("no-match", f"old does not stand in {where}")
        if found > 1 or text.find(old) != text.rfind(old):  # count leaves out what overlaps
            raise Refused("not-unique", f"old stands more than once in {where}; give more of it")
        return self._written(where, text.replace(old, new))

    def _written(self, where: VirtualPath, text: str) -> Answer:
        try:
            data = text.encode()
        except UnicodeEncodeError:
            raise Refused("arguments", "the text holds half a character") from None
        if len(data) > LARGEST_WRITE_BYTES:
            raise Refused("limit", f"a file is written with at most {LARGEST_WRITE_BYTES:,} bytes")
        before = self._folders.write(where, data)
        after = hashlib.sha256(data).hexdigest()
        told = {
            "path": str(where),
            "sha256_before": None if before is None else hashlib.sha256(before).hexdigest(),
            "sha256_after": after,
            "bytes": len(data),
        }
        unchanged = "; nothing changed by it" if before == data else ""
        return Answer(f"WROTE {where}: {len(data):,} bytes, SHA-256 {after}{unchanged}", told)

    def _entries(self, path: str) -> list[Entry]:
        if path == "/":
            tops = [VirtualPath(root, ()) for root in self._folders.roots]
            return [e for top in tops for e in (Entry(top, "folder"), *self._folders.walk(top))]
        return list(self._folders.walk(parse(path, self._folders.roots, folder=True)))


def _line(entry: Entry) -> str:
    if entry.kind == "file":
        return f"{entry.path}  {entry.size:,} bytes"
    if entry.kind == "folder":
        return f"{entry.path}/" if entry.path.names else entry.path.root.told()
    return f"{entry.path}  ({entry.kind}, cannot be opened)"


def _text(where: VirtualPath, data: bytes) -> str:
    """Return a file's text; what is none is refused, with what it is."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        kind = next((name for start, name in KINDS if data.startswith(start)), "no UTF-8 text")
        raise Refused("binary", f"{where} is {kind} of {len(data):,} bytes and cannot be read here")
    return text


def _page(lines: list[str], column: int) -> tuple[str, int, int | None]:
    """Return what a page shows, its last line, and the last sign of it where that is not all.

    Args:
        lines: those asked for, the first of them from `column` on.
        column: counted from 1.
    """
    if not lines:
        return "", 0, None
    if column > max(len(lines[0]), 1):
        raise Refused("arguments", f"the line has {len(lines[0]):,} signs; column is {column:,}")
    first = lines[0][column - 1 :]
    if len(first) > PAGE_SIGNS:
        return first[:PAGE_SIGNS], 1, column - 1 + PAGE_SIGNS
    shown, held = [first], len(first)
    for line in lines[1:]:
        held += len(line) + 1
        if held > PAGE_SIGNS:
            break
        shown.append(line)
    return "\n".join(shown), len(shown), None


def _excerpt(line: str, span: tuple[int, int]) -> str:
    """Return a line, or of a long one the signs around a hit and where they stand."""
    if len(line) <= EXCERPT_SIGNS:
        return line
    start = max(0, min(span[0] - EXCERPT_SIGNS // 4, len(line) - EXCERPT_SIGNS))
    return f"(from column {start + 1:,} of {len(line):,}) {line[start : start + EXCERPT_SIGNS]}"
