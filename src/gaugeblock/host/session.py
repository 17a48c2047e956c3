"""One document in work: the tools' behaviour, without the protocol around it."""

from __future__ import annotations

import hashlib
import re
import time
from pathlib import Path
from typing import Any, Literal

from gaugeblock.host.diagnostics import HostFault, PlanRejected
from gaugeblock.host.document import DocumentState, Number
from gaugeblock.host.kernel import Kernel
from gaugeblock.host.planning import Expectations, Head, plan, rebuild
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
        self._head = Head(saved)
        self._built = saved.program is None
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
                "the document is empty and has no parameters",
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
                repair="Propose a program first.",
            )
        objects = [
            {"name": item.name, "colour": None if item.colour is None else list(item.colour)}
            for item in head.state.objects
        ]
        data = self.kernel.export(objects, head.breps, head.state.head.committed_at)
        _write(target, data)
        digest = hashlib.sha256(data).hexdigest()
        return {"file": file, "sha256": digest, "bytes": len(data)}

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
            self.kernel, head, kind, program, parameters, expectations or Expectations()
        )
        self.kernel.require_caller()
        self._head = new
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
                self._head = rebuild(self.kernel, self._head.state)
            except PlanRejected as error:
                raise HostFault(
                    f"{self._document.name} does not rebuild to what was saved: "
                    f"{error.diagnostic.message}; open another copy of it"
                ) from error
            self._built = True
        return self._head


def _write(path: Path, data: bytes) -> None:
    """Write a file of the host's; that it cannot is never the agent's fault."""
    try:
        write_atomic(path, data)
    except OSError as error:
        raise HostFault(f"{path.name} cannot be written: {error.strerror}") from error


def _file_sha256(path: Path) -> str | None:
    """Return the hash of a file, None where there is none."""
    return file_sha256(path) if path.is_file() else None
