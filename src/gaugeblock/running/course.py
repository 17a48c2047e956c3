"""What one round needs, and how it went: filled in as it goes, read by whoever comes after."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from gaugeblock.agents import AgentReport, Image
from gaugeblock.metering.meter import Meter
from gaugeblock.records.case import Language, Limits, Round
from gaugeblock.records.trial import Context
from gaugeblock.running.counting import OWN, Counting
from gaugeblock.running.desk import TrialDesk
from gaugeblock.running.sheets import Held
from gaugeblock.worlds import Delivery, WorkspaceSettings


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
        reopened: whether a fresh host opens the saved document again.
        answer: `program`: the agent sees no tool, and the program in its answer is proposed.
        interference: whether the ruler measures which delivered solids share space.
        workspace: what lies in the workspace beside the host; None: there is none.
        images: shown with the instruction.
        counting: which calls are plans and commits.
        held: what a drawing's delivery is held against; None: the case shows no drawing.
        leaked: says of what came of the round, name → bytes, where a truth that must stay out of
            reach stands in it; None: it hides none.
    """

    trial_id: str
    asked: Round
    limits: Limits
    language: Language
    start: bytes | None
    folder: Path
    meter: Meter | None = None
    reopened: bool = False
    answer: Literal["tools", "program"] = "tools"
    interference: bool = False
    workspace: WorkspaceSettings | None = None
    images: tuple[Image, ...] = ()
    counting: Counting = OWN
    held: Held | None = None
    leaked: Callable[[Mapping[str, bytes]], str] | None = None


@dataclass
class Course:
    """How the round went.

    Attributes:
        stop: the limit that ended it, None where none did.
        layer: whose failure ended it, None where nobody failed.
        reason: of either, in one line.
        report: what the agent said at its end.
        unproposed: why the program of its answer was not committed, where that was asked for.
        start_step: the start as the host exported it before the agent began, of an edit.
        delivery: what lay in the world when the agent was done.
        desk: where the agent worked; None where it never began.
        total_s: instruction sent → agent done, s.
        peak_bytes: peak memory of host and programs.
        context: what the agent was given.
        started_at: when the instruction was sent.
    """

    stop: str | None = None
    layer: str | None = None
    reason: str = ""
    report: AgentReport | None = None
    unproposed: str = ""
    start_step: bytes | None = None
    delivery: Delivery | None = None
    desk: TrialDesk | None = None
    total_s: float | None = None
    peak_bytes: int | None = None
    context: Context | None = None
    started_at: str | None = None
