"""One round: a fresh world, an agent at its desk, a delivery, the ruler's word, the grade."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread

from gaugeblock.agents import Agent, AgentFailed, AgentReport, Brief
from gaugeblock.metering.limits import LimitReached
from gaugeblock.metering.meter import Meter
from gaugeblock.records.base import canonical_json
from gaugeblock.records.case import Language, Limits, Round
from gaugeblock.records.conservation import Conservation
from gaugeblock.records.grade import Grade
from gaugeblock.records.measurement import Measurement
from gaugeblock.records.row import instruction_digest
from gaugeblock.records.run_folder import (
    ARTIFACT,
    CONSERVATION,
    DOCUMENT,
    GRADE,
    MEASUREMENT,
    RESULT,
    START,
)
from gaugeblock.records.store import Journal, now, write_atomic
from gaugeblock.records.trial import CadTimes, Context, RoundResult
from gaugeblock.records.usage import scripted_usage
from gaugeblock.ruler import Ruler
from gaugeblock.running.desk import TrialDesk
from gaugeblock.suites import edit_region
from gaugeblock.worlds import Delivery, HostSettings, HostWorld, World, WorldLost

DELIVER_S = 180.0
"""Saving and exporting after the agent is done; a host that takes longer counts as lost."""

GradeDelivery = Callable[[Round, Measurement | None, str | None, Conservation | None], Grade]


@dataclass(frozen=True)
class RoundSetup:
    """What one round needs.

    Attributes:
        trial_id: the trial it belongs to.
        asked: instruction and truth.
        limits: ceilings.
        language: of the instruction.
        start: the document to begin on, None for an empty one.
        folder: where its evidence goes.
        meter: accounts for provider requests; None for an agent that sends none.
    """

    trial_id: str
    asked: Round
    limits: Limits
    language: Language
    start: bytes | None
    folder: Path
    meter: Meter | None = None


@dataclass
class _Course:
    """How the round went, filled in as it goes."""

    stop: str | None = None
    layer: str | None = None
    reason: str = ""
    report: AgentReport | None = None
    start_step: bytes | None = None
    delivery: Delivery | None = None
    desk: TrialDesk | None = None
    total_s: float | None = None
    peak_bytes: int | None = None
    context: Context | None = None
    started_at: str | None = None


async def run_round(
    setup: RoundSetup,
    agent: Agent,
    host: HostSettings,
    ruler: Ruler,
    grade: GradeDelivery,
    journal: Journal,
) -> tuple[RoundResult, bytes | None]:
    """Run one conversation and judge what it delivered.

    Returns:
        The result (also written to the round's folder) and the saved document for the next round.
    """
    return await run_round_in(
        _hosted(host, setup.start, journal), setup, agent, ruler, grade, journal
    )


@asynccontextmanager
async def _hosted(
    host: HostSettings, start: bytes | None, journal: Journal
) -> AsyncIterator[World]:
    async with HostWorld.open(host, start) as world:
        journal.append("host-started", server_version=world.server_version)
        yield world


async def run_round_in(
    opening: AbstractAsyncContextManager[World],
    setup: RoundSetup,
    agent: Agent,
    ruler: Ruler,
    grade: GradeDelivery,
    journal: Journal,
) -> tuple[RoundResult, bytes | None]:
    """Run one conversation in any world; see `run_round`.

    Args:
        opening: opens the world, and closes it behind the agent.
        setup: what the round needs.
        agent: who works.
        ruler: measures what is delivered.
        grade: judges it.
        journal: of the trial's events.
    """
    journal.append("round-started", round=setup.asked.id)
    course = _Course()
    try:
        async with opening as world:
            if setup.asked.edit is not None:
                course.start_step = await world.export()
            await _work(setup, agent, world, journal, course)
    except WorldLost as error:
        course.layer, course.reason = error.layer, str(error)
    if course.layer:
        journal.append("error", layer=course.layer, message=course.reason)
    measurement = await _read_back(setup, course, ruler, journal)
    conservation = await _compared(setup, course, ruler, journal)
    result = _judge(setup, course, measurement, conservation, grade, journal)
    write_atomic(setup.folder / RESULT, result.pretty())
    journal.append("round-ended", round=setup.asked.id, outcome=result.outcome)
    return result, course.delivery.document if course.delivery else None


async def _work(
    setup: RoundSetup, agent: Agent, world: World, journal: Journal, course: _Course
) -> None:
    """Let the agent work within its limits, then take what lies in the world."""
    brief = Brief(setup.asked.instruction[setup.language], "", setup.limits)
    tools = [tool.wire() for tool in world.tools]
    course.context = Context(
        message_bytes=len(brief.message().encode()),
        document_bytes=len(brief.document_context.encode()),
        signatures_bytes=len(canonical_json(tools)),
    )
    journal.append("instruction", text=brief.message(), language=setup.language)
    course.started_at = now()
    patience = min(setup.limits.wall_s, setup.limits.no_commit_s or setup.limits.wall_s)
    with anyio.move_on_after(patience) as scope:
        begun = anyio.current_time()

        def committed() -> None:
            scope.deadline = begun + setup.limits.wall_s

        desk = course.desk = TrialDesk(world, setup.limits, journal, committed)
        try:
            course.report = await agent.work(brief, desk)
        except LimitReached as reached:
            course.stop, course.reason = reached.limit, str(reached)
        except AgentFailed as failed:
            course.layer, course.reason = failed.layer, str(failed)
        except WorldLost:
            raise
        except Exception as error:  # the agent's own code failed: never the model's fault
            course.layer, course.reason = "adapter", f"{type(error).__name__}: {error}"
        finally:
            course.total_s = desk.elapsed_s()
    if scope.cancelled_caught:
        waited = desk.counts.commits == 0 and patience < setup.limits.wall_s
        course.stop = "no-commit" if waited else "wall"
        course.reason = f"{course.total_s:.1f} s passed"
    if course.report is not None:
        journal.append("agent-done", text=course.report.final_text)
    with anyio.move_on_after(DELIVER_S) as delivering:
        if desk.counts.commits:  # an untouched start is no delivery
            course.delivery = await world.deliver()
        course.peak_bytes = world.peak_bytes()
    if delivering.cancelled_caught:
        raise WorldLost("host", f"the host did not export within {DELIVER_S:g} s")


async def _read_back(
    setup: RoundSetup, course: _Course, ruler: Ruler, journal: Journal
) -> tuple[Measurement, float] | None:
    """Write the delivery down and let the ruler, in its own process, measure the STEP."""
    delivery = course.delivery
    if delivery is None:
        return None
    if delivery.document is not None:
        write_atomic(setup.folder / DOCUMENT, delivery.document)
    if delivery.step is None:
        return None
    path = setup.folder / ARTIFACT
    write_atomic(path, delivery.step)
    begun = anyio.current_time()
    measurement = await anyio.to_thread.run_sync(ruler.measure, path, setup.limits.evaluation_s)
    took = anyio.current_time() - begun
    write_atomic(setup.folder / MEASUREMENT, measurement.pretty())
    journal.append("measured", verdict=measurement.verdict, readback_s=round(took, 6))
    return measurement, took


async def _compared(
    setup: RoundSetup, course: _Course, ruler: Ruler, journal: Journal
) -> Conservation | None:
    """Let the ruler compare the delivery with what the host exported before the agent began."""
    region = edit_region(setup.asked)
    if course.start_step is None or region is None:
        return None
    if course.delivery is None or course.delivery.step is None:
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


def _judge(
    setup: RoundSetup,
    course: _Course,
    measured: tuple[Measurement, float] | None,
    conservation: Conservation | None,
    grade: GradeDelivery,
    journal: Journal,
) -> RoundResult:
    """Grade the delivery and name the outcome: errors and stops come before the grade."""
    judged: Grade | None = None
    fault = ""
    artifact = _sha256(course.delivery.step if course.delivery else None)
    if course.layer is None:
        try:
            facts = measured[0] if measured else None
            judged = grade(setup.asked, facts, artifact, conservation)
        except Exception as error:  # a grader's own fault must never read as a verdict
            fault = f"{type(error).__name__}: {error}"
        else:
            write_atomic(setup.folder / GRADE, judged.pretty())
            journal.append("graded", verdict=judged.verdict, failed=list(judged.failed()))
    outcome, reason = _outcome(course, judged, fault)
    return _result(setup, course, measured, outcome, reason, artifact)


def _outcome(course: _Course, judged: Grade | None, fault: str) -> tuple[str, str]:
    if course.layer is not None:
        return f"error:{course.layer}", course.reason
    if course.stop is not None:
        return f"stopped:{course.stop}", course.reason
    if judged is None:
        return "error:grader", fault
    if course.desk is None or course.desk.counts.commits == 0:
        last = course.report.final_text if course.report else ""
        return "no-delivery", f"nothing was committed; {last}".rstrip("; ")
    if judged.verdict == "passed":
        return "passed", ""
    found = [f"{c.name}: {c.finding}" for c in judged.checks if c.verdict != "pass"]
    outcome = "failed" if judged.verdict == "failed" else "could-not-grade"
    return outcome, "; ".join(found)


def _result(
    setup: RoundSetup,
    course: _Course,
    measured: tuple[Measurement, float] | None,
    outcome: str,
    reason: str,
    artifact: str | None,
) -> RoundResult:
    desk = course.desk
    counts = desk.counts if desk else None
    never = f"the agent never began: {course.reason}"
    unknown: dict[str, str] = {}

    def known(name: str, value: Any, why: str) -> Any:
        if value is None:
            unknown[name] = why
        return value

    cad = counts and CadTimes(
        preview_s=counts.preview_s,
        validate_s=counts.validate_s,
        commit_s=counts.commit_s,
        readback_s=measured[1] if measured else 0.0,
    )
    nothing = "nothing was delivered"
    usage = None
    if desk is not None:
        usage = setup.meter.usage() if setup.meter else scripted_usage()
    # An agent of a provider is attempted once something is sent: a stop before that says nothing.
    attempted = desk is not None and (setup.meter is None or setup.meter.sent > 0)
    return RoundResult(
        trial_id=setup.trial_id,
        round=setup.asked.id,
        outcome=outcome,
        reason=reason,
        attempted=attempted,
        started_at=known("started_at", course.started_at, never),
        total_s=known("total_s", course.total_s, never),
        first_commit_s=known(
            "first_commit_s", counts.first_commit_s if counts else None, "nothing was committed"
        ),
        first_try=known("first_try", counts.first_try if counts else None, never),
        plans=known("plans", counts.plans if counts else None, never),
        repairs=known("repairs", counts.repairs if counts else None, never),
        commits=known("commits", counts.commits if counts else None, never),
        tool_calls=known("tool_calls", counts.tool_calls if counts else None, never),
        repeated_calls=known("repeated_calls", counts.repeated_calls if counts else None, never),
        idle_commits=known("idle_commits", counts.idle_commits if counts else None, never),
        look_ups=known("look_ups", len(counts.look_up_queries) if counts else None, never),
        look_up_queries=tuple(counts.look_up_queries) if counts else (),
        program_chars=known("program_chars", counts.program_chars if counts else None, never),
        cad=known("cad", cad, never),
        host_peak_bytes=known("host_peak_bytes", course.peak_bytes, "the host was gone"),
        context=known("context", course.context, never),
        usage=known("usage", usage, never),
        instruction_sha256=instruction_digest(setup.asked.instruction[setup.language]),
        start_sha256=known("start_sha256", _sha256(setup.start), "starts from an empty document"),
        document_sha256=known(
            "document_sha256",
            _sha256(course.delivery.document if course.delivery else None),
            nothing,
        ),
        artifact_sha256=known("artifact_sha256", artifact, nothing),
        measurement_sha256=known(
            "measurement_sha256",
            measured[0].content_sha256() if measured else None,
            nothing,
        ),
        unknown=unknown,
    )


def _sha256(data: bytes | None) -> str | None:
    return None if data is None else hashlib.sha256(data).hexdigest()
