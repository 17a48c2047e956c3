"""One document in work: the tools' behaviour, without the protocol around it."""

from __future__ import annotations

import hashlib
import re
import time
from pathlib import Path
from typing import Any, Literal

from gaugeblock.host.diagnostics import HostFault, PlanRejected
from gaugeblock.host.document import MAX_DOCUMENT_BYTES, DocumentState, Number
from gaugeblock.host.heads import Head, Timeline, committed
from gaugeblock.host.kernel import Kernel
from gaugeblock.host.objects import editing, looking
from gaugeblock.host.objects.editing import Call
from gaugeblock.host.objects.steps import Step
from gaugeblock.host.objects.workshop import Workshop
from gaugeblock.host.planning import Expectations, plan, rebuild
from gaugeblock.records.store import file_sha256, write_atomic

FILE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
QUERY_CHARS = 200


class Session:
    """The document of one host process and what its tools do to it.

    Every method that an agent can call returns plain data, or raises ``PlanRejected`` with a
    coded diagnostic, or ``HostFault`` when the host itself cannot go on.
    """

    def __init__(
        self, kernel: Kernel, document: Path, workspace: Path, saved: DocumentState
    ) -> None:
        """Make a session.

        Args:
            kernel: the way into the sandbox.
            document: where ``save`` writes.
            workspace: the only folder ``export_step`` writes to.
            saved: the state read from disk; an empty one for a new document.
        """
        self.kernel = kernel
        self._document = document
        self._on_disk = _file_sha256(document)
        self._workspace = workspace
        self._workshop = Workshop(kernel)
        self._timeline = Timeline(Head(saved))
        self._built = not saved.features
        self._core: list[str] | None = None

    def read_document(self) -> dict[str, Any]:
        """Return all there is to know of the document, and the program language's core."""
        head = self._open()
        state = head.state
        return {
            "units": state.units,
            "version": state.head.number if state.head else 0,
            "sha256": state.head.sha256 if state.head else None,
            "parameters": dict(state.parameters),
            "objects": [item.described() for item in state.objects],
            "program": state.program,
            **({"steps": looking.steps(head)} if state.has_steps else {}),
            "signatures": self._signatures(),
        }

    def _signatures(self) -> list[str]:
        """Return the language's core, asked for once: it never changes."""
        if self._core is None:
            self._core = self.kernel.help("signatures", {})["signatures"]
        return self._core

    def look_up(self, query: str) -> dict[str, Any]:
        """Return help on the program language."""
        return self.kernel.help("look_up", {"query": query[:QUERY_CHARS]})

    def propose(
        self, program: str, parameters: dict[str, Number], expectations: Expectations | None
    ) -> dict[str, Any]:
        """Validate a new program with its parameters and commit it."""
        return self._plan("propose", program, parameters, expectations)

    def set_parameters(
        self, values: dict[str, Number], expectations: Expectations | None
    ) -> dict[str, Any]:
        """Change values of parameters, rebuild, validate and commit."""
        state = self._open().state
        if state.program is None:
            raise PlanRejected(
                "parameter-unknown",
                "the document has no program and no parameters",
                repair="Propose a program with its parameters first.",
            )
        if not values:
            raise PlanRejected(
                "parameter-unknown",
                "no value is given, so nothing would change",
                repair='Name what changes, such as {"values": {"cols": 8}}.',
            )
        unknown = sorted(set(values) - set(state.parameters))
        if unknown:
            known = ", ".join(state.parameters) or "none"
            raise PlanRejected(
                "parameter-unknown", f"no parameter {', '.join(unknown)}; there are: {known}"
            )
        return self._plan(
            "set_parameters", state.program, {**state.parameters, **values}, expectations
        )

    def measure(self) -> dict[str, Any]:
        """Return the facts of every object and of the whole."""
        objects = self._open().state.objects
        total = sum(item.volume for item in objects)
        return {
            "objects": [item.described() for item in objects],
            "solids": sum(item.solids for item in objects),
            "faces": sum(item.faces for item in objects),
            "volume_mm3": total,
            "bounds_mm": {
                "min": [min(item.low[axis] for item in objects) for axis in range(3)],
                "max": [max(item.high[axis] for item in objects) for axis in range(3)],
            }
            if objects
            else None,
        }

    def save(self) -> dict[str, Any]:
        """Write the document to its file, unless somebody else has written there meanwhile."""
        state = self._open().state
        data = state.pretty()
        if len(data) > MAX_DOCUMENT_BYTES:
            raise PlanRejected(
                "limit", f"the document would have {len(data)} bytes; at most {MAX_DOCUMENT_BYTES}"
            )
        if _file_sha256(self._document) != self._on_disk:
            raise HostFault(
                f"{self._document.name} was changed by somebody else since it was opened; "
                "it is left as it is and nothing was saved"
            )
        _write(self._document, data)
        self._on_disk = hashlib.sha256(data).hexdigest()
        return {
            "file": self._document.name,
            "sha256": self._on_disk,
            "bytes": len(data),
            "version": state.head.number if state.head else 0,
        }

    def export_step(self, file: str) -> dict[str, Any]:
        """Write the objects as one STEP file into the workspace."""
        if not FILE_NAME.fullmatch(file) or not file.lower().endswith((".step", ".stp")):
            raise PlanRejected(
                "syntax",
                f"{file[:QUERY_CHARS]!r} is no plain file name ending in .step or .stp",
                repair="Give a name such as part.step, without folders: letters, digits, . _ -",
            )
        target = self._workspace / file
        if target.resolve() == self._document.resolve():
            raise PlanRejected(
                "syntax",
                f"{file!r} is the document itself",
                repair="Export to another name.",
            )
        head = self._open()
        if head.state.head is None:
            raise PlanRejected(
                "no-solid",
                "the document is empty; there is nothing to export",
                repair="Make an object or propose a program first.",
            )
        data = self._step_file(head, head.state.head.committed_at)
        _write(target, data)
        digest = hashlib.sha256(data).hexdigest()
        return {"file": file, "sha256": digest, "bytes": len(data)}

    def _step_file(self, head: Head, timestamp: str) -> bytes:
        items = [item for item in head.table if item.visible]
        if not items:
            raise PlanRejected(
                "no-solid",
                "there is no visible object to export",
                repair="Make an object, or show hidden ones with visibility.",
            )
        objects = [
            {
                "name": item.name,
                "colour": None if item.colour is None else list(item.colour),
                "group": item.group,
            }
            for item in items
        ]
        # By a job of its own: the kernel counts assemblies on in a process that exports again.
        breps = self._workshop.breps([item.shape for item in items])
        return self.kernel.export(objects, breps, timestamp)

    def step(self, step: Step, tool: str) -> dict[str, Any]:
        """Add one step of an object tool."""
        head = self._open()
        return self._advance(editing.with_step(self._workshop, head, step, tool))

    def batch(self, calls: list[Call]) -> dict[str, Any]:
        """Add several steps, all or nothing."""
        head = self._open()
        return self._advance(editing.with_calls(self._workshop, head, calls))

    def edit_step(self, step: int, changes: dict[str, Any]) -> dict[str, Any]:
        """Change arguments of an earlier step."""
        head = self._open()
        return self._advance(editing.with_changes(self._workshop, head, step, changes))

    def undo(self) -> dict[str, Any]:
        """Go back to the head before, as a new version."""
        head = self._open()
        new = committed(self._workshop, head, self._timeline.earlier(), "undo")
        self.kernel.require_caller()
        self._timeline.go_back(new)
        return looking.change(head, new)

    def redo(self) -> dict[str, Any]:
        """Go on to the head that was undone, as a new version."""
        head = self._open()
        new = committed(self._workshop, head, self._timeline.later(), "redo")
        self.kernel.require_caller()
        self._timeline.go_on(new)
        return looking.change(head, new)

    def list_objects(self) -> dict[str, Any]:
        """Return all objects in short."""
        return looking.listing(self._open())

    def inspect_object(self, object: str) -> dict[str, Any]:
        """Return all there is to know of one object."""
        return looking.inspection(self._workshop, self._open(), object)

    def measure_between(self, first: str, second: str) -> dict[str, Any]:
        """Return distance and shared volume of two objects."""
        return looking.between(self._workshop, self._open(), first, second)

    def _advance(self, new: Head) -> dict[str, Any]:
        """Make a new head the document, and tell what changed."""
        self.kernel.require_caller()
        before = self._timeline.head
        self._timeline.advance(new)
        return looking.change(before, new)

    def _plan(
        self,
        kind: Literal["propose", "set_parameters"],
        program: str,
        parameters: dict[str, Number],
        expectations: Expectations | None,
    ) -> dict[str, Any]:
        head = self._open()
        begun = time.monotonic()
        new, built = plan(
            self._workshop, head, kind, program, parameters, expectations or Expectations()
        )
        self.kernel.require_caller()
        self._timeline.advance(new)
        self._workshop.forget_breps(
            {thing.node.key for each in self._timeline.heads() for thing in each.made}
        )
        state = new.state
        assert state.head is not None
        return {
            "version": state.head.number,
            "sha256": state.head.sha256,
            "committed_at": state.head.committed_at,
            "parameters": dict(state.parameters),
            "objects": [item.described() for item in state.objects],
            "printed": built.printed,
            "notes": built.notes,
            "took_s": round(time.monotonic() - begun, 6),
        }

    def _open(self) -> Head:
        """Return the head, rebuilding a document that was read from disk at its first use."""
        if not self._built:
            try:
                self._timeline.head = rebuild(self._workshop, self._timeline.head.state)
            except PlanRejected as error:
                raise HostFault(
                    f"{self._document.name} does not rebuild to what was saved: "
                    f"{error.diagnostic.message}; open another copy of it"
                ) from error
            self._built = True
        return self._timeline.head


def _write(path: Path, data: bytes) -> None:
    """Write a file of the host's; that it cannot is never the agent's fault."""
    try:
        write_atomic(path, data)
    except OSError as error:
        raise HostFault(f"{path.name} cannot be written: {error.strerror}") from error


def _file_sha256(path: Path) -> str | None:
    """Return the hash of a file, None where there is none."""
    return file_sha256(path) if path.is_file() else None
