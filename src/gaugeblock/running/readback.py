"""What the ruler, and a fresh host, say of a round's delivery; each is written down at once."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import anyio
import anyio.to_thread

from gaugeblock.records.conservation import Conservation
from gaugeblock.records.measurement import Measurement
from gaugeblock.records.overlap import Interference
from gaugeblock.records.reopening import Reopening
from gaugeblock.records.run_folder import (
    ARTIFACT,
    CONSERVATION,
    DOCUMENT,
    INTERFERENCE,
    MEASUREMENT,
    OWN_DRAWING,
    REOPENING,
    SCORING,
    START,
)
from gaugeblock.records.scoring import Scoring
from gaugeblock.records.store import Journal, write_atomic
from gaugeblock.ruler import Ruler
from gaugeblock.running.course import Course, RoundSetup
from gaugeblock.running.sheets import score_delivery
from gaugeblock.suites import Delivered, edit_region
from gaugeblock.worlds import Delivery, NotRebuilt, World, WorldLost

OpenDocument = Callable[[bytes], AbstractAsyncContextManager[World]]
"""Opens a fresh world on a saved document."""

REOPEN_S = 180.0
"""Opening, saving and exporting; a host that takes longer did not reopen the document."""


@dataclass(frozen=True)
class ReadBack:
    """What was found.

    Attributes:
        delivered: for the judge.
        seconds: the ruler's read-back of the STEP, s; None: there was none to read.
        interference: which solids share space; None: not asked, or nothing was delivered.
    """

    delivered: Delivered = field(default_factory=Delivered)
    seconds: float | None = None
    interference: Interference | None = None


async def read_back(
    setup: RoundSetup, course: Course, ruler: Ruler, reopen: OpenDocument | None, journal: Journal
) -> ReadBack:
    """Write the delivery down, and let ruler and a fresh host look at it.

    Args:
        setup: what the round is about.
        course: with the delivery.
        ruler: measures in its own process.
        reopen: opens the saved document anew; None: nobody can, so the question stays open.
        journal: of the trial's events.
    """
    delivery, task = course.delivery, setup.held.task if setup.held else None
    if delivery is None:
        return ReadBack(Delivered(task=task))
    if delivery.document is not None:
        write_atomic(setup.folder / DOCUMENT, delivery.document)
    if delivery.step is None:
        return ReadBack(Delivered(document=delivery.document, task=task))
    if delivery.drawing is not None:
        write_atomic(setup.folder / OWN_DRAWING, delivery.drawing)
    measurement, seconds = await _measured(setup, delivery.step, ruler, journal)
    delivered = Delivered(
        measurement,
        sha256(delivery.step),
        await _compared(setup, course, ruler, journal),
        delivery.document,
        await reopened(setup, delivery, reopen, journal),
        task,
        await _scored(setup, measurement, ruler, journal),
    )
    return ReadBack(delivered, seconds, await _interference(setup, ruler, journal))


async def _measured(
    setup: RoundSetup, step: bytes, ruler: Ruler, journal: Journal
) -> tuple[Measurement, float]:
    path = setup.folder / ARTIFACT
    write_atomic(path, step)
    begun = anyio.current_time()
    measurement = await anyio.to_thread.run_sync(ruler.measure, path, setup.limits.evaluation_s)
    took = anyio.current_time() - begun
    write_atomic(setup.folder / MEASUREMENT, measurement.pretty())
    journal.append("measured", verdict=measurement.verdict, readback_s=round(took, 6))
    return measurement, took


async def _compared(
    setup: RoundSetup, course: Course, ruler: Ruler, journal: Journal
) -> Conservation | None:
    """Let the ruler compare the delivery with what the host exported before the agent began."""
    region = edit_region(setup.asked)
    if course.start_step is None or region is None:
        return None
    start, delivery = setup.folder / START, setup.folder / ARTIFACT
    write_atomic(start, course.start_step)
    begun = anyio.current_time()
    work = partial(ruler.conserved, start, delivery, region, wall_s=setup.limits.evaluation_s)
    conservation = await anyio.to_thread.run_sync(work)
    took = round(anyio.current_time() - begun, 6)
    write_atomic(setup.folder / CONSERVATION, conservation.pretty())
    journal.append("compared", verdict=conservation.verdict, compare_s=took)
    return conservation


async def _scored(
    setup: RoundSetup, measurement: Measurement, ruler: Ruler, journal: Journal
) -> Scoring | None:
    """Let the ruler hold the delivery against the case's sheet and reference."""
    if setup.held is None or measurement.verdict != "measured":
        return None
    begun = anyio.current_time()
    work = partial(score_delivery, setup.held, setup.folder, ruler, setup.limits.evaluation_s)
    scoring = await anyio.to_thread.run_sync(work)
    took = round(anyio.current_time() - begun, 6)
    write_atomic(setup.folder / SCORING, scoring.pretty())
    journal.append("scored", scoring_s=took)
    return scoring


async def _interference(setup: RoundSetup, ruler: Ruler, journal: Journal) -> Interference | None:
    """Let the ruler measure which solids of the delivery share space, where the case asks."""
    if not setup.interference:
        return None
    path = setup.folder / ARTIFACT
    begun = anyio.current_time()
    work = partial(ruler.interference, path, wall_s=setup.limits.evaluation_s)
    found = await anyio.to_thread.run_sync(work)
    took = round(anyio.current_time() - begun, 6)
    write_atomic(setup.folder / INTERFERENCE, found.pretty())
    journal.append("interfered", verdict=found.verdict, interference_s=took)
    return found


async def reopened(
    setup: RoundSetup, delivery: Delivery, reopen: OpenDocument | None, journal: Journal
) -> Reopening | None:
    """Let a fresh host open the saved document, save it and export it once more."""
    if not setup.reopened or delivery.document is None or delivery.step is None:
        return None
    again, why = Delivery(None, None), "nobody can open it"
    rebuilt = True
    if reopen is not None:
        try:
            with anyio.move_on_after(REOPEN_S) as waiting:
                async with reopen(delivery.document) as world:
                    again = await world.deliver()
            slow = waiting.cancelled_caught
            why = f"it took longer than {REOPEN_S:g} s" if slow else "the host gave nothing back"
        except NotRebuilt as error:
            rebuilt, why = False, str(error)
        except WorldLost as error:
            why = str(error)
    fields: dict[str, Any] = {
        "same_document": _same(again.document, delivery.document, rebuilt),
        "same_step": _same(again.step, delivery.step, rebuilt),
        "again_sha256": sha256(again.step),
    }
    record = Reopening(
        document_sha256=hashlib.sha256(delivery.document).hexdigest(),
        artifact_sha256=hashlib.sha256(delivery.step).hexdigest(),
        unknown={name: why for name, value in fields.items() if value is None},
        **fields,
    )
    write_atomic(setup.folder / REOPENING, record.pretty())
    journal.append("reopened", document=record.same_document, step=record.same_step)
    return record


def _same(again: bytes | None, first: bytes, rebuilt: bool) -> bool | None:
    """Whether a file came back as it was; None where nobody knows."""
    if not rebuilt:
        return False
    return None if again is None else again == first


def sha256(data: bytes | None) -> str | None:
    """Return the SHA-256 (hex) of a file's bytes, None for no file."""
    return None if data is None else hashlib.sha256(data).hexdigest()
