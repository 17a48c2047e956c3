"""Heads: committed states of the document with their geometry, and the way back to earlier ones."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from gaugeblock.host.diagnostics import PlanRejected
from gaugeblock.host.document import DocumentState, Version
from gaugeblock.host.objects.recipe import ProgramObject
from gaugeblock.host.objects.table import Table
from gaugeblock.host.objects.workshop import Workshop
from gaugeblock.records.store import now

UNDO_STEPS = 200
"""Commits one can go back; further back there is the saved document."""


@dataclass(frozen=True)
class Head:
    """A committed document with its geometry.

    Attributes:
        state: what is saved.
        made: what the program made.
        table: the objects with the keys of their shapes.
    """

    state: DocumentState
    made: tuple[ProgramObject, ...] = ()
    table: Table = ()


def committed(workshop: Workshop, head: Head, draft: Head, tool: str) -> Head:
    """Return a draft as the version that follows a head."""
    begun = time.monotonic()
    history = head.state.history
    version = Version(
        number=len(history) + 1,
        sha256=draft.state.content_hash(),
        committed_at=now(),
        plan=tool,
    )
    state = draft.state.model_copy(update={"history": (*history, version)})
    workshop.kernel.spent.commit_s += time.monotonic() - begun
    return replace(draft, state=state)


@dataclass
class Timeline:
    """The head, those before it, and those that were taken back.

    Attributes:
        head: the document now.
    """

    head: Head
    _past: list[Head] = field(default_factory=list)
    _future: list[Head] = field(default_factory=list)

    def advance(self, new: Head) -> None:
        """Make a new head; what was taken back before is gone."""
        self._past = [*self._past[1 - UNDO_STEPS :], self.head]
        self._future = []
        self.head = new

    def earlier(self) -> Head:
        """Return what undo goes back to.

        Raises:
            PlanRejected: there is nothing before.
        """
        if not self._past:
            raise PlanRejected(
                "no-effect",
                "there is nothing to undo: undo reaches back to where this session began, and at "
                f"most {UNDO_STEPS} commits",
            )
        return self._past[-1]

    def later(self) -> Head:
        """Return what redo goes to.

        Raises:
            PlanRejected: nothing was undone since the last change.
        """
        if not self._future:
            raise PlanRejected(
                "no-effect", "there is nothing to redo: nothing was undone since the last change"
            )
        return self._future[-1]

    def go_back(self, new: Head) -> None:
        """Make the earlier head, as the new version it now is, the head."""
        self._past.pop()
        self._future.append(self.head)
        self.head = new

    def go_on(self, new: Head) -> None:
        """Make the later head, as the new version it now is, the head."""
        self._future.pop()
        self._past.append(self.head)
        self.head = new

    def heads(self) -> Iterator[Head]:
        """Yield every head that can be gone to."""
        yield from self._past
        yield self.head
        yield from self._future
