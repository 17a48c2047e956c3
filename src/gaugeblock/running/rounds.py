"""One round: a fresh world, an agent at its desk, a delivery, the ruler's word, the grade."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import asdict, replace
from functools import partial

import anyio

from gaugeblock.agents import Agent, AgentFailed, Brief
from gaugeblock.metering.limits import LimitReached
from gaugeblock.records.run_folder import ARTIFACT, DOCUMENT, EVENTS, OWN_DRAWING, RESULT
from gaugeblock.records.store import Journal, now, write_atomic
from gaugeblock.records.trial import Context, RoundResult
from gaugeblock.ruler import Ruler
from gaugeblock.running.answers import NoProgram, only_program
from gaugeblock.running.counting import counting_of
from gaugeblock.running.course import Course, RoundSetup
from gaugeblock.running.desk import TrialDesk
from gaugeblock.running.judging import GradeDelivery, judge
from gaugeblock.running.readback import OpenDocument, read_back, sha256
from gaugeblock.running.translation import PROPOSE, translated
from gaugeblock.suites import ToolCall
from gaugeblock.worlds import (
    AnyHost,
    CombinedWorld,
    Delivery,
    WorkspaceCall,
    World,
    WorldLost,
    open_world,
    signatures_bytes,
    unguarded,
)

DELIVER_S = 180.0
"""Saving and exporting after the agent is done; a host that takes longer counts as lost."""


async def run_round(
    setup: RoundSetup,
    agent: Agent,
    host: AnyHost,
    ruler: Ruler,
    grade: GradeDelivery,
    journal: Journal,
) -> tuple[RoundResult, bytes | None]:
    """Run one conversation and judge what it delivered.

    Returns:
        The result (also written to the round's folder) and the saved document for the next round.
    """
    opening = _hosted(host, setup, journal)
    reopen = partial(open_world, unguarded(host))
    counting = counting_of(host)
    if setup.workspace is not None:
        names = frozenset(tool.name for tool in setup.workspace.tools)
        counting = replace(counting, files=names)
    setup = replace(setup, counting=counting)
    return await run_round_in(opening, setup, agent, ruler, grade, journal, reopen)


@asynccontextmanager
async def _hosted(host: AnyHost, setup: RoundSetup, journal: Journal) -> AsyncIterator[World]:
    if setup.workspace is None:
        async with open_world(host, setup.start) as world:
            journal.append("host-started", server_version=world.server_version)
            yield world
        return

    def record(call: WorkspaceCall) -> None:
        journal.append("workspace-call", **asdict(call))

    async with CombinedWorld.open(host, setup.start, setup.workspace, record) as both:
        journal.append("host-started", server_version=both.host.server_version)
        files = {name: sha256(data) for name, data in setup.workspace.files.items()}
        journal.append("workspace-started", files=files)
        yield both


async def run_round_in(
    opening: AbstractAsyncContextManager[World],
    setup: RoundSetup,
    agent: Agent,
    ruler: Ruler,
    grade: GradeDelivery,
    journal: Journal,
    reopen: OpenDocument | None = None,
) -> tuple[RoundResult, bytes | None]:
    """Run one conversation in any world; see `run_round`.

    Args:
        opening: opens the world, and closes it behind the agent.
        setup: what the round needs.
        agent: who works.
        ruler: measures what is delivered.
        grade: judges it.
        journal: of the trial's events.
        reopen: opens the saved document in a fresh world.
    """
    journal.append("round-started", round=setup.asked.id)
    course = Course()
    try:
        async with opening as world:
            if setup.asked.edit is not None:
                course.start_step = await world.export()
            await _work(setup, agent, world, journal, course)
    except WorldLost as error:
        course.layer, course.reason = error.layer, str(error)
    if course.layer:
        journal.append("error", layer=course.layer, message=course.reason)
    if setup.leaked is not None and (leak := setup.leaked(_came_of(setup, course))):
        course.layer, course.reason = "isolation", leak
        journal.append("error", layer=course.layer, message=course.reason)
    found = await read_back(setup, course, ruler, reopen, journal)
    result = judge(setup, course, found, grade, journal)
    write_atomic(setup.folder / RESULT, result.pretty())
    journal.append("round-ended", round=setup.asked.id, outcome=result.outcome)
    return result, course.delivery.document if course.delivery else None


def _came_of(setup: RoundSetup, course: Course) -> dict[str, bytes]:
    """Return what the agent said, read and delivered, by the names under which it is kept."""
    came = {EVENTS: (setup.folder.parent / EVENTS).read_bytes()}
    delivery = course.delivery
    if delivery is not None:
        came |= {
            DOCUMENT: delivery.document or b"",
            ARTIFACT: delivery.step or b"",
            OWN_DRAWING: delivery.drawing or b"",
        }
    return came


async def _work(
    setup: RoundSetup, agent: Agent, world: World, journal: Journal, course: Course
) -> None:
    """Let the agent work within its limits, then take what lies in the world."""
    instruction = setup.asked.instruction[setup.language]
    brief = Brief(instruction, "", setup.limits, setup.images)
    shown = () if setup.answer == "program" else world.tools
    course.context = Context(
        message_bytes=len(brief.message().encode()),
        document_bytes=len(brief.document_context.encode()),
        signatures_bytes=signatures_bytes(shown),
    )
    shown_with = {"images": [sha256(image.data) for image in brief.images]} if brief.images else {}
    journal.append("instruction", text=brief.message(), language=setup.language, **shown_with)
    course.started_at = now()
    patience = min(setup.limits.wall_s, setup.limits.no_commit_s or setup.limits.wall_s)
    if setup.answer == "program" or setup.counting.commits is None:
        patience = setup.limits.wall_s  # nothing is committed before the end, or nobody can tell
    with anyio.move_on_after(patience) as scope:
        begun = anyio.current_time()

        def committed() -> None:
            scope.deadline = begun + setup.limits.wall_s

        desk = course.desk = TrialDesk(
            world, setup.limits, journal, committed, shown, setup.counting
        )
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
        if setup.answer == "program":
            try:
                course.unproposed = await _propose(course.report.answer, desk, journal)
            except LimitReached as reached:
                course.stop, course.reason = reached.limit, str(reached)
    with anyio.move_on_after(DELIVER_S) as delivering:
        course.delivery = await _delivered(world, desk, journal)
        course.peak_bytes = world.peak_bytes()
    if delivering.cancelled_caught:
        raise WorldLost("host", f"the host did not export within {DELIVER_S:g} s")


async def _delivered(world: World, desk: TrialDesk, journal: Journal) -> Delivery | None:
    """Take what lies in the world: an untouched start is no delivery, a file needs no commit."""
    if not isinstance(world, CombinedWorld):
        return None if desk.uncommitted() else await world.deliver()
    found = world.filed() if desk.uncommitted() else await world.deliver()
    if found is not None:
        journal.append(
            "delivered",
            taken=found.taken or "host",
            step_sha256=sha256(found.step),
            reason=found.reason,
            drawing_sha256=sha256(found.drawing),
            drawing_refused=found.undrawn,
        )
    return found


async def _propose(answer: str, desk: TrialDesk, journal: Journal) -> str:
    """Propose the program of an answer to the host; return why it was not committed, or nothing.

    Raises:
        WorldLost: the host failed.
    """
    journal.append("answer", text=answer)
    try:
        program = only_program(answer)
    except NoProgram as fault:
        return str(fault)
    proposed = ToolCall(tool=PROPOSE, arguments={"program": program, "parameters": {}})
    call = translated(proposed, desk.counting.described)
    result = await desk.submit(call.tool, call.arguments)
    return f"the program was rejected: {result.text}" if desk.counting.rejected(result) else ""
