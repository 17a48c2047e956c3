"""A host that ends under its client: whatever the SDK's tasks raise of it is one lost world."""

from contextlib import asynccontextmanager
from types import SimpleNamespace

import anyio
import pytest

from gaugeblock.worlds import HostSettings, HostWorld, WorldLost, host_world

LOST = WorldLost("host", "it went")
ENDED = anyio.BrokenResourceError()


class Session:
    async def list_tools(self):
        return SimpleNamespace(tools=[])


def opened(monkeypatch, *raised):
    """Open a world whose connection ends with a group of these errors."""

    @asynccontextmanager
    async def connect(settings, folder, errors):
        yield Session(), "1"
        raise BaseExceptionGroup("tasks", [BaseExceptionGroup("inner", list(raised))])

    monkeypatch.setattr(host_world, "_connect", connect)

    async def run():
        async with HostWorld.open(HostSettings(), None):
            pass

    anyio.run(run)


@pytest.mark.parametrize("raised", [(LOST,), (LOST, ENDED), (ENDED,), (anyio.EndOfStream(), LOST)])
def test_a_host_that_ended_is_a_lost_world(monkeypatch, raised):
    with pytest.raises(WorldLost) as told:
        opened(monkeypatch, *raised)
    assert told.value.layer == "host"
    assert ("it went" in str(told.value)) == (LOST in raised)


@pytest.mark.parametrize("raised", [(ZeroDivisionError(),), (LOST, ZeroDivisionError())])
def test_another_fault_is_never_taken_for_the_hosts(monkeypatch, raised):
    with pytest.raises(BaseExceptionGroup) as told:
        opened(monkeypatch, *raised)
    assert told.group_contains(ZeroDivisionError)
