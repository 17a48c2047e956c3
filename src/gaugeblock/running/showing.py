"""What an agent is shown beside the host: a workspace of files, pictures, and the tools of both."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Protocol, runtime_checkable

from gaugeblock.agents.protocol import Image
from gaugeblock.records.case import Case
from gaugeblock.records.drawing_task import DrawingTask
from gaugeblock.records.errors import WrongUse
from gaugeblock.records.plan import IMAGE, WORKSPACE
from gaugeblock.records.profile import SCRIPTED_AGENTS, Profile
from gaugeblock.suites import Suite
from gaugeblock.worlds import Tool, WorkspaceSettings, clashing

READABLE = ("drawing", "rulebook")
"""Roots of a workspace that are only read; one that a case has nothing for is empty."""

WRITABLE = ("work",)

WORKSPACE_TOOLS = tuple(WorkspaceSettings(READABLE, WRITABLE).tools)
"""The same on every case, so that one fingerprint holds for all."""


@runtime_checkable
class Showing(Protocol):
    """What a suite is besides, whose cases show files."""

    def shown(self, case: Case) -> dict[str, bytes]:
        """Return path in the workspace, such as ``/drawing/drawing.svg`` → bytes of the file."""


def profile_lacks(profile: Profile, case: Case) -> str | None:
    """Say what a profile lacks for a case, or None; a script looks at nothing and lacks nothing."""
    if IMAGE not in case.needs or IMAGE in profile.input_modalities:
        return None
    if profile.agent.split(":")[0] in SCRIPTED_AGENTS:
        return None
    return f"profile lacks {IMAGE}"


def tools_on(case: Case, host: Sequence[Tool]) -> tuple[Tool, ...]:
    """Return the tools that an agent is shown on a case.

    Args:
        case: the case.
        host: those of the host for it.

    Raises:
        WrongUse: a tool of the host has the name of one of the workspace.
    """
    if case.answer == "program":
        return ()
    if WORKSPACE not in case.needs:
        return tuple(host)
    twice = clashing(host, WORKSPACE_TOOLS)
    if twice:
        raise WrongUse(
            f"the host's tool {twice} has the name of one of the workspace, which case {case.id} "
            "gives beside it: hide it in the host's description"
        )
    return (*host, *WORKSPACE_TOOLS)


def workspace_of(suite: Suite, case: Case) -> WorkspaceSettings | None:
    """Return the workspace of a case, None for a case without one.

    Raises:
        WrongUse: a file is not the one that the case names by its hash.
    """
    if WORKSPACE not in case.needs:
        return None
    return WorkspaceSettings(READABLE, WRITABLE, _shown(suite, case))


def images_of(suite: Suite, case: Case) -> tuple[Image, ...]:
    """Return the pictures that stand in the brief of a case; errors as of `workspace_of`."""
    if IMAGE not in case.needs:
        return ()
    files = _shown(suite, case)
    names = sorted(name for name in files if name.startswith("/drawing/") and _is_png(name))
    if not names:
        raise WrongUse(f"case {case.id}: it asks for a profile with images, and shows none")
    return tuple(Image("image/png", files[name]) for name in names)


def _is_png(name: str) -> bool:
    return name.endswith(".png")


def _shown(suite: Suite, case: Case) -> dict[str, bytes]:
    assert isinstance(suite, Showing), f"suite {suite.name} has no files to show"
    files = suite.shown(case)
    if case.drawing is not None:
        _require_named(case.id, case.drawing, files)
    return files


def _require_named(case_id: str, task: DrawingTask, files: Mapping[str, bytes]) -> None:
    """Refuse files that are not those of the plan, by their hashes."""
    named = {f"/drawing/{name}": sha256 for name, sha256 in task.shown.items()}
    drawing = {name: data for name, data in files.items() if name.startswith("/drawing/")}
    for name in sorted({*named, *drawing}):
        found = drawing.get(name)
        if found is None or hashlib.sha256(found).hexdigest() != named.get(name):
            raise WrongUse(f"case {case_id}: {name} is not the file that the case names")
    books = [data for name, data in files.items() if name.startswith("/rulebook/")]
    wanted = [] if task.rulebook_sha256 is None else [task.rulebook_sha256]
    if [hashlib.sha256(data).hexdigest() for data in books] != wanted:
        raise WrongUse(f"case {case_id}: the rulebook is not the edition that the case names")
