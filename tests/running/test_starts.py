"""Start documents are what our host makes of the suite's programs, and it exports them the same."""

import hashlib

import anyio
import pytest
import starts_by_host as starts

from gaugeblock.suites import load_suite
from gaugeblock.worlds import HostWorld

SUITE = load_suite("growth")


@pytest.mark.parametrize("name", starts.names())
def test_a_start_is_made_again(warm, name):
    document, _ = starts.document_and_step(name, warm)
    kept = (starts.STARTS / name).read_bytes()
    assert starts.without_times(document) == starts.without_times(kept)


async def exported(settings, document):
    async with HostWorld.open(settings, document) as world:
        return await world.export()


def test_a_start_exports_to_the_same_bytes(warm):
    """So the hash of the STEP an edit is compared with says which part it was."""
    document = SUITE.start_document(SUITE.case("T2"))
    one, other = (anyio.run(exported, warm, document) for _ in range(2))
    assert hashlib.sha256(one).hexdigest() == hashlib.sha256(other).hexdigest()
    assert b"'tube'" in one


def test_the_export_needs_no_save_and_leaves_the_document(warm):
    async def work():
        document = SUITE.start_document(SUITE.case("T2"))
        async with HostWorld.open(warm, document) as world:
            before = await world.export()
            delivery = await world.deliver()
            return document, before, delivery

    document, before, delivery = anyio.run(work)
    assert delivery.document == document
    assert delivery.step == before
