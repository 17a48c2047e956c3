"""What a real host delivers when there is little to deliver, or what cannot be opened again."""

from contextlib import asynccontextmanager
from dataclasses import replace

import anyio
import pytest

from gaugeblock.records.case import Limits, Round, Truth
from gaugeblock.records.store import Journal
from gaugeblock.running.course import RoundSetup
from gaugeblock.running.readback import reopened
from gaugeblock.worlds import Delivery, HostWorld, NotRebuilt, WorldLost

CLOCK = """
import time
result = {'plate': Box(10 + time.time() % 1, 20, 5)}
"""
"""A program that never makes the same shape twice; the host asks for one that always does."""


async def made(settings, calls):
    async with HostWorld.open(settings, None) as world:
        for name, arguments in calls:
            answer = await world.call(name, arguments)
            assert not answer.failed, answer.text
        return await world.deliver()


async def delivered_again(settings, document):
    async with HostWorld.open(settings, document) as world:
        return await world.deliver()


def test_a_document_of_hidden_objects_is_delivered_without_a_step_file(warm):
    calls = [
        ("box", {"name": "base", "size": [1, 2, 3]}),
        ("visibility", {"objects": ["base"], "visible": False}),
    ]
    delivery = anyio.run(made, replace(warm, tools="objects"), calls)
    assert delivery.document is not None
    assert delivery.step is None, "hiding all is the agent's doing, and no fault of the host"


def test_a_document_that_does_not_rebuild_is_told_from_a_host_that_fails(warm):
    delivery = anyio.run(made, warm, [("propose", {"program": CLOCK, "parameters": {}})])
    with pytest.raises(NotRebuilt, match="does not rebuild"):
        anyio.run(delivered_again, warm, delivery.document)


LIMITS = Limits(wall_s=1, tool_calls=1, turns=1, program_s=1, evaluation_s=1)
ASKED = Round(id="build", growth=1, instruction={"en": ""}, parameters={}, truth=Truth())
FIRST = Delivery(b"document", b"step")


@pytest.mark.parametrize(
    ("met", "document", "step"),
    [
        (Delivery(b"document", b"step"), True, True),
        (Delivery(b"document", b"other"), True, False),
        (Delivery(b"other", None), False, None),
        (NotRebuilt("host", "save: it does not rebuild"), False, False),
        (WorldLost("host", "the host does not start"), None, None),
    ],
)
def test_a_reopened_document_is_the_same_another_or_not_known(tmp_path, met, document, step):
    class World:
        async def deliver(self):
            if isinstance(met, Exception):
                raise met
            return met

    @asynccontextmanager
    async def reopen(data):
        assert data == b"document"
        yield World()

    setup = RoundSetup("0001.a", ASKED, LIMITS, "en", None, tmp_path, reopened=True)
    with Journal(tmp_path / "events.jsonl") as journal:
        found = anyio.run(reopened, setup, FIRST, reopen, journal)
    assert (found.same_document, found.same_step) == (document, step)
    assert set(found.unknown) >= {
        name for name, value in (("same_document", document), ("same_step", step)) if value is None
    }
