"""Opening a world, whichever host it is of."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from dataclasses import replace

from gaugeblock.worlds.external_world import ExternalSettings, ExternalWorld
from gaugeblock.worlds.host_world import HostSettings, HostWorld
from gaugeblock.worlds.sealing import Gate

AnyHost = HostSettings | ExternalSettings
"""How hosts of a run are started: ours, or one that is described."""


def open_world(
    host: AnyHost, start: bytes | None
) -> AbstractAsyncContextManager[HostWorld | ExternalWorld]:
    """Return the opening of a fresh world on an empty document, or on a copy of ``start``."""
    if isinstance(host, ExternalSettings):
        return ExternalWorld.open(host, start)
    return HostWorld.open(host, start)


def fitted(host: AnyHost, *, program_s: float, tools: str) -> AnyHost:
    """Return how a host is started for a case.

    Args:
        host: the run's.
        program_s: wall time of one program, s; a host that is not ours keeps its own limits.
        tools: which of our host's tools are shown; of another one always those described.
    """
    if isinstance(host, ExternalSettings):
        return host
    return replace(host, program_s=program_s, tools=tools)


def shut_in(host: AnyHost, gate: Gate) -> AnyHost:
    """Return how a host is started behind walls; one that is not ours stays as it is."""
    return replace(host, sealed=gate) if isinstance(host, HostSettings) else host


def unguarded(host: AnyHost) -> AnyHost:
    """Return how a host is started where no agent works: on what one delivered, say."""
    return replace(host, sealed=None) if isinstance(host, HostSettings) else host
