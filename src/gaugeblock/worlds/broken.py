"""A world that was lost, out of what the MCP SDK wraps around it."""

from __future__ import annotations

import anyio

from gaugeblock.worlds.protocol import WorldLost

STREAM_ENDED = (anyio.BrokenResourceError, anyio.ClosedResourceError, anyio.EndOfStream)
"""What the SDK's own tasks raise when a server ends under them."""


def lost_in(group: BaseExceptionGroup, last_words: str, layer: str = "host") -> WorldLost | None:
    """Return the lost world that a group of exceptions tells of; None: it tells of something else.

    The SDK wraps what is raised inside it. A server that dies while its streams are in use leaves
    their errors beside the lost world, or alone.

    Args:
        group: what came out of the SDK.
        last_words: of the server, for the message where only its streams' errors are left.
        layer: whose connection it was.
    """
    lost, rest = group.split(WorldLost)
    if rest is not None and rest.split(STREAM_ENDED)[1] is not None:
        return None
    if lost is None:
        return WorldLost(layer, f"the connection broke{last_words}")
    return _first(lost)


def _first(group: BaseExceptionGroup[WorldLost]) -> WorldLost:
    first = group.exceptions[0]
    return _first(first) if isinstance(first, BaseExceptionGroup) else first
