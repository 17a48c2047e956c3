"""Scripted agents at work for the calibration: a round as in a trial, and what it delivered."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import anyio

from gaugeblock.agents import SCRIPT_DONE, Agent, AgentReport, Brief, Desk
from gaugeblock.calibration.rehearsing import Delivery, Play
from gaugeblock.records.case import Case
from gaugeblock.records.profile import scripted_profile
from gaugeblock.records.reopening import Reopening
from gaugeblock.records.run_folder import ARTIFACT, REOPENING
from gaugeblock.records.store import Journal
from gaugeblock.ruler import Ruler
from gaugeblock.running.cast import make_agent
from gaugeblock.running.course import RoundSetup
from gaugeblock.running.rounds import run_round
from gaugeblock.running.run import warm_host
from gaugeblock.running.showing import images_of, workspace_of
from gaugeblock.suites import Suite
from gaugeblock.worlds import HostSettings


@contextmanager
def host_stage() -> Iterator[Play]:
    """Keep one warm sandbox and one ruler for all plays; a host is fresh for each.

    Raises:
        WrongUse: no sandbox can be had.
    """
    with warm_host(unsafe=False) as (host, _), Ruler() as ruler:
        yield partial(_played, host, ruler)


def _played(host: HostSettings, ruler: Ruler, suite: Suite, case: Case, agent: str) -> Delivery:
    """Let an agent play the first round of a case, and return what it delivered."""
    with tempfile.TemporaryDirectory(prefix="gaugeblock-rehearsal-") as name:
        folder = Path(name)
        asked = case.rounds[0]
        setup = RoundSetup(
            trial_id="rehearsal",
            asked=asked,
            limits=case.limits,
            language="en",
            start=suite.start_document(case),
            folder=folder,
            reopened=case.reopened,
            answer=case.answer,
            workspace=workspace_of(suite, case),
            images=images_of(suite, case),
        )
        host = replace(host, program_s=case.limits.program_s, tools=case.tools)
        player = _Watched(make_agent(scripted_profile(agent), suite, case, asked))
        with Journal(folder / "events.jsonl") as journal:
            grade = partial(suite.grade, ruler_fingerprint="rehearsal")
            play = partial(run_round, setup, player, host, ruler, grade, journal)
            result, document = anyio.run(play)
        again = _read(folder / REOPENING)
        return Delivery(
            document=document,
            step=_read(folder / ARTIFACT),
            reopening=None if again is None else Reopening.load(again, REOPENING),
            said=result.reason,
            undone="" if player.last == SCRIPT_DONE else player.last or result.reason,
        )


class _Watched:
    """An agent whose last words are kept."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self.last = ""

    async def work(self, brief: Brief, desk: Desk) -> AgentReport:
        """Let the agent work."""
        report = await self._agent.work(brief, desk)
        self.last = report.final_text
        return report


def _read(path: Path) -> bytes | None:
    return path.read_bytes() if path.exists() else None
