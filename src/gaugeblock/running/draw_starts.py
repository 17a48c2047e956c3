"""Start documents of fresh draws, made by our host through its MCP server as an agent would."""

from __future__ import annotations

import hashlib
from dataclasses import replace

from gaugeblock.records.draws import Drawn
from gaugeblock.records.errors import WrongUse
from gaugeblock.records.plan import Plan
from gaugeblock.running.draws import drawing_suite, drawn_by
from gaugeblock.suites import ToolCall
from gaugeblock.worlds import HostSettings, HostWorld, WorldLost


async def drawn_with_starts(
    plan: Plan, nonce: str | None, host: HostSettings
) -> tuple[Drawn, dict[str, bytes]]:
    """Return what a frozen plan draws, and file → document of its starts.

    Raises:
        WrongUse: the host does not make one.
    """
    drawn = drawn_by(plan, nonce)
    assert plan.draw is not None
    suite, documents = drawing_suite(plan.draw.suite), {}
    for case in drawn.cases:
        call = suite.drawn_start(case)
        if case.start is not None and call is not None:
            settings = replace(host, program_s=case.limits.program_s)
            documents[case.start] = await _made(call, settings, case.id)
    starts = {name: hashlib.sha256(data).hexdigest() for name, data in documents.items()}
    return drawn.model_copy(update={"starts": starts}), documents


async def _made(call: ToolCall, host: HostSettings, case_id: str) -> bytes:
    try:
        async with HostWorld.open(host, None) as world:
            answer = await world.call(call.tool, call.arguments)
            document = None if answer.failed else (await world.deliver()).document
            if document is None:
                raise WrongUse(f"the host does not make the start of {case_id}: {answer.text}")
            return document
    except WorldLost as error:
        raise WrongUse(f"the host does not make the start of {case_id}: {error}") from error
