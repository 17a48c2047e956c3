"""What a strange server announces: judged before any agent is shown it, and never mended."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Any

from gaugeblock.records.base import canonical_json
from gaugeblock.records.host_description import TOOL_NAME, HostDescription
from gaugeblock.worlds.protocol import Tool, WorldLost

MOST_TOOLS = 512
"""Tools of one server; more than an agent could choose among, and than any provider takes."""

MOST_PAGES = 64
"""Pages of one listing: a server could turn them forever."""

LARGEST_ANNOUNCEMENT_BYTES = 512 << 10
"""Of one tool; the limit of a whole request is 176,000 bytes in suite `assembly`."""

READABLE = "\n\r\t"
"""Control characters that a description may hold."""


def shown_tools(announced: Sequence[Tool], described: HostDescription) -> tuple[Tool, ...]:
    """Return the tools that an agent is shown, as the server announces them.

    Raises:
        WorldLost: they are too many or too large, a name stands twice, a shown tool has a name that
            no provider takes or signs that nobody can read, or a tool that the description needs is
            not there. Nothing is left out silently: a run on other tools than the plan's is no run.
    """
    if len(announced) > MOST_TOOLS:
        raise WorldLost("host", f"it announces {len(announced):,} tools, at most {MOST_TOOLS}")
    names = [tool.name for tool in announced]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise WorldLost("host", f"it announces the tool {plain(twice[0])} twice")
    shown = tuple(tool for tool in announced if described.shows(tool.name))
    for tool in shown:
        fault = _fault(tool)
        if fault:
            raise WorldLost("host", f"its tool {plain(tool.name)} {fault}")
    missing = sorted(described.needed() - set(names))
    if missing:
        raise WorldLost("host", f"it announces no tool {missing[0]}, which its description names")
    return shown


def _fault(tool: Tool) -> str:
    if not TOOL_NAME.fullmatch(tool.name):
        return "has a name that no provider takes"
    try:
        size = len(canonical_json(tool.wire()))
    except (ValueError, RecursionError):
        return "has a schema or a description that is no readable text"
    if size > LARGEST_ANNOUNCEMENT_BYTES:
        return f"has an announcement of {size:,} bytes, at most {LARGEST_ANNOUNCEMENT_BYTES:,}"
    if any(map(_unreadable, _texts(tool.description, tool.schema))):
        return "has control characters in its announcement"
    return ""


def _texts(description: str, schema: dict[str, Any]) -> list[str]:
    """Return all texts of an announcement; not recursive, for a schema may be nested deeply."""
    found, level = [description], [schema]
    todo: list[Any] = list(level)
    while todo:
        item = todo.pop()
        if isinstance(item, str):
            found.append(item)
        elif isinstance(item, dict):
            todo.extend([*item.keys(), *item.values()])
        elif isinstance(item, list):
            todo.extend(item)
    return found


def _unreadable(text: str) -> bool:
    return any(unicodedata.category(sign) in ("Cc", "Cs") and sign not in READABLE for sign in text)


def plain(text: str, longest: int = 200) -> str:
    """Return a server's words as one short line without control characters."""
    line = " ".join(text.split())
    readable = "".join(s for s in line if unicodedata.category(s) not in ("Cc", "Cf", "Cs"))
    return readable if len(readable) <= longest else f"{readable[:longest]}…"
