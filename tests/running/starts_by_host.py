"""The start documents of suite growth, made by our host through its MCP server.

Run as a program to write them anew: `python tests/running/starts_by_host.py`. The case files hold
their SHA-256, which changes with the times the host writes into them.
"""

import json
from pathlib import Path

import anyio

from gaugeblock.running.run import warm_host
from gaugeblock.suites import load_suite
from gaugeblock.suites.growth import suite as growth
from gaugeblock.worlds import HostWorld

STARTS = Path(growth.FOLDER) / "starts"


async def made(call, settings):
    """Return the document that one plan makes in an empty one, and the STEP exported of it."""
    async with HostWorld.open(settings, None) as world:
        answer = await world.call(call.tool, call.arguments)
        assert not answer.failed, answer.text
        delivery = await world.deliver()
        return delivery.document, delivery.step


def names():
    """Return the names of the start documents that cases have, each once."""
    starts = (case.start for case in load_suite("growth").cases())
    return tuple(dict.fromkeys(name for name in starts if name))


def document_and_step(name, settings):
    """Return one start document and its STEP, made anew."""
    return anyio.run(made, load_suite("growth").start_plan(name), settings)


def without_times(document):
    """Return a document as data, less what depends on when it was made."""
    value = json.loads(document)
    for version in value["history"]:
        del version["committed_at"], version["sha256"]
    return value


if __name__ == "__main__":
    with warm_host(unsafe=False) as (settings, _):
        for name in names():
            document, _ = document_and_step(name, settings)
            target = STARTS / name
            if not target.exists() or without_times(target.read_bytes()) != without_times(document):
                target.write_bytes(document)
