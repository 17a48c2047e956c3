"""The re-edit probe: a part that passed, rebuilt by a fresh host with one parameter set anew.

It begins once the round's result is written, and lies beside it: whatever becomes of the probe,
the round stays what it was. No time, call or byte of it is the agent's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread

from gaugeblock.records.case import Round
from gaugeblock.records.conservation import Conservation
from gaugeblock.records.grade import Grade
from gaugeblock.records.measurement import Measurement
from gaugeblock.records.probe import Probe, verdict_of
from gaugeblock.records.run_folder import (
    ARTIFACT,
    PROBE,
    PROBE_CONSERVATION,
    PROBE_MEASUREMENT,
    PROBE_STEP,
)
from gaugeblock.records.store import Journal, write_atomic
from gaugeblock.records.trial import RoundResult
from gaugeblock.ruler import Ruler
from gaugeblock.running.course import RoundSetup
from gaugeblock.running.judging import GradeDelivery
from gaugeblock.running.readback import OpenDocument, sha256
from gaugeblock.suites import Delivered, edit_region, probed_round
from gaugeblock.worlds import WorldLost

PROBE_S = 180.0
"""Opening, rebuilding and exporting; as for a document that is opened again. A program alone may
take its own limit, after which the host itself rejects the values."""

ENDED = "the run ended before the probe was made"


@dataclass(frozen=True)
class Rebuilt:
    """What a fresh host made of the new values.

    Attributes:
        step: what it exported; None: nothing.
        rejected: code by which it rejected the values; empty: it did not.
        reason: why there is no STEP, in one line.
    """

    step: bytes | None = None
    rejected: str = ""
    reason: str = ""


async def probe_round(
    setup: RoundSetup,
    result: RoundResult,
    document: bytes | None,
    reopen: OpenDocument,
    ruler: Ruler,
    grade: GradeDelivery,
    journal: Journal,
) -> Probe | None:
    """Set the probe's parameters in the delivered document, and judge the part that it becomes.

    Args:
        setup: what the round was about.
        result: how it ended.
        document: what it saved.
        reopen: opens a document in a fresh world.
        ruler: measures the probed part and compares it with the delivered one.
        grade: judges it.
        journal: of the trial's events.

    Returns:
        The record, also written to the round's folder; None where there is nothing to probe: the
        round did not pass, or declares no probe.
    """
    asked = probed_round(setup.asked)
    if asked is None or result.outcome != "passed":
        return None
    journal.append("probe-started", round=asked.id, parameters=setup.asked.probe)
    begun = anyio.current_time()
    rebuilt = await _rebuilt(setup.asked.probe, document, reopen)
    host_s = anyio.current_time() - begun
    delivered, judged, fault = Delivered(), None, ""
    if rebuilt.step is not None:
        write_atomic(setup.folder / PROBE_STEP, rebuilt.step)
        seconds = setup.limits.evaluation_s
        delivered = await anyio.to_thread.run_sync(look_at, asked, setup.folder, ruler, seconds)
        _write(setup.folder / PROBE_MEASUREMENT, delivered.measurement)
        _write(setup.folder / PROBE_CONSERVATION, delivered.conservation)
        judged, fault = judged_or_not(asked, delivered, grade)
    record = made_probe(setup.asked, result.document_sha256, rebuilt, delivered, judged, fault)
    write_atomic(setup.folder / PROBE, record.pretty())
    journal.append(
        "probed",
        round=asked.id,
        verdict=record.verdict,
        failed=list(record.failed()),
        reason=record.reason,
        host_s=round(host_s, 6),
        wall_s=round(anyio.current_time() - begun, 6),
    )
    return record


async def _rebuilt(
    values: Mapping[str, float], document: bytes | None, reopen: OpenDocument
) -> Rebuilt:
    """Let a fresh host open the document, set the values and export."""
    if document is None:
        return Rebuilt(reason="no document was saved that a parameter could be set in")
    try:
        with anyio.move_on_after(PROBE_S):
            async with reopen(document) as world:
                answer = await world.call("set_parameters", {"values": dict(values)})
                if not answer.failed:
                    return Rebuilt(step=await world.export())
                code, said = answer.data.get("code"), answer.data.get("message", answer.text)
                if answer.data.get("status") == "rejected" and code:
                    return Rebuilt(rejected=f"{code}", reason=_one_line(f"{code}: {said}"))
                return Rebuilt(reason=_one_line(f"set_parameters failed: {said}"))
    except WorldLost as error:
        return Rebuilt(reason=_one_line(f"the host was lost: {error}"))
    except Exception as error:  # however the host breaks, the round passed before
        return Rebuilt(reason=_one_line(f"the host was lost: {type(error).__name__}: {error}"))
    return Rebuilt(reason=f"the host took longer than {PROBE_S:g} s")


def _one_line(text: str) -> str:
    return " ".join(text.split())


def look_at(asked: Round, folder: Path, ruler: Ruler, seconds: float) -> Delivered:
    """Let the ruler measure the probed part, and compare it with the delivered one.

    Args:
        asked: the probed round.
        folder: of the round, with both STEP files.
        ruler: the ruler.
        seconds: ceiling of either, s.
    """
    path, region = folder / PROBE_STEP, edit_region(asked)
    measurement = ruler.measure(path, seconds)
    conservation = None
    if region is not None:
        conservation = ruler.conserved(folder / ARTIFACT, path, region, wall_s=seconds)
    return Delivered(measurement, sha256(path.read_bytes()), conservation)


def _write(path: Path, record: Measurement | Conservation | None) -> None:
    if record is not None:
        write_atomic(path, record.pretty())


def judged_or_not(
    asked: Round, delivered: Delivered, grade: GradeDelivery
) -> tuple[Grade | None, str]:
    """Return the grade of a probed part, or why there is none: a grader's fault is no verdict."""
    try:
        return grade(asked, delivered), ""
    except Exception as error:
        return None, f"the grader failed: {type(error).__name__}: {_one_line(str(error))}"


def made_probe(
    asked: Round,
    document_sha256: str | None,
    rebuilt: Rebuilt,
    delivered: Delivered,
    judged: Grade | None,
    fault: str,
) -> Probe:
    """Return the record of a probe.

    Args:
        asked: the round itself, with its probe.
        document_sha256: of the delivered document.
        rebuilt: what the host made of it.
        delivered: what the ruler says of that.
        judged: its grade, None where there is none.
        fault: why the grader gave none.
    """
    measurement = delivered.measurement
    fields: dict[str, Any] = {
        "document_sha256": document_sha256,
        "grade": judged,
        "artifact_sha256": delivered.artifact_sha256,
        "measurement_sha256": measurement.content_sha256() if measurement else None,
    }
    missing = rebuilt.reason or fault
    return Probe(
        round=asked.id,
        parameters=asked.probe,
        verdict=verdict_of(judged, rebuilt.rejected),
        reason=missing or _findings(judged),
        rejected=rebuilt.rejected,
        unknown={name: missing for name, value in fields.items() if value is None},
        **fields,
    )


def unmade_probe(asked: Round, result: RoundResult) -> Probe | None:
    """Return the record of a probe that a killed run owes; None where none was due."""
    if not asked.probe or result.outcome != "passed":
        return None
    return made_probe(asked, result.document_sha256, Rebuilt(reason=ENDED), Delivered(), None, "")


def _findings(judged: Grade | None) -> str:
    if judged is None:
        return ""
    found = [f"{c.name}: {c.finding}" for c in judged.checks if c.verdict != "pass"]
    reading = f"read as {judged.matched_reading}" if judged.matched_reading else ""
    return "; ".join(part for part in (reading, *found) if part)
