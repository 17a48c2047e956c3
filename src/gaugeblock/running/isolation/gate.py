"""The gate before a shut-in trial: views are searched from inside; nothing found is the ticket."""

from __future__ import annotations

import secrets
import subprocess
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from gaugeblock.records.isolation import (
    Hit,
    Isolation,
    MountSeen,
    NeedleKind,
    Proof,
    ViewSearched,
)
from gaugeblock.records.run_folder import ISOLATION
from gaugeblock.records.store import write_atomic
from gaugeblock.running.isolation.needles import Sought, hide
from gaugeblock.running.isolation.proving import prove
from gaugeblock.sandbox import Client, Limits, SandboxUnavailable, wire
from gaugeblock.sandbox.confined import Program, popen_arguments
from gaugeblock.sandbox.view import Tree
from gaugeblock.worlds import WorldLost

LAYER = "isolation"

SCAN_S = 300.0
"""One search; libraries without any package list take some seconds a gigabyte."""

MEMORY_BYTES = 4 << 30
"""Address space of a search: some chunks, and the identities of proven files."""

_SCAN_LIMITS = Limits(
    wall_s=SCAN_S,
    cpu_s=int(SCAN_S),
    memory_bytes=6 << 30,
    file_bytes=1 << 20,
    result_bytes=16 << 20,
    scratch_bytes=1 << 20,
)
"""As of the host's programs; a search writes nothing."""

_START = (
    "import sys; sys.path.insert(0, '/gauge'); from gaugeblock.sandbox.scan import main; main()"
)


class Gatehouse:
    """What the trials of a run share: the needles of all cases, and what was proven once."""

    def __init__(self, sought: Mapping[str, Sought], salt: str | None = None) -> None:
        """Nothing is searched yet.

        Args:
            sought: needles by the id of their case.
            salt: hex; None: a fresh one.
        """
        self._sought = dict(sought)
        self.salt = salt or secrets.token_hex(16)
        self._lock = threading.Lock()
        self._settled: dict[str, list[int]] = {}
        self._identities: frozenset[bytes] = frozenset()
        self.proof = Proof(by_record=0, by_dpkg=0, differing=0, seconds=0)

    def trial(self, trial_id: str, case_id: str, folder: Path) -> TrialGate:
        """Return the gate of one trial, whose proof goes into ``folder``."""
        return TrialGate(self, trial_id, self._sought[case_id], folder)

    @property
    def canaries(self) -> tuple[bytes, ...]:
        """Those of all cases: what leaked of another case leaked as well."""
        return tuple(text for item in self._sought.values() for text in item.canaries)

    def settle(self, program: Program) -> ViewSearched | None:
        """Search the libraries that a program sees for the needles of all cases, once a run.

        Returns:
            What was searched; None: all of it was before.
        """
        seen = program.view()
        trees = [*seen.system, *seen.interpreter, *seen.sites]
        with self._lock:
            new = [tree for tree in trees if self._settled.get(tree.inside) != place_of(tree)]
            if not new:
                return None
            self._prove(new)
            everything = Sought(
                content=tuple({item for one in self._sought.values() for item in one.content}),
                names=tuple({name for one in self._sought.values() for name in one.names}),
                numbers=(),
                dropped={},
                canaries=(),
            )
            request = {
                "walk": [tree.inside for tree in new],
                "settled": {},
                "libraries": True,
            }
            answer = _ask_program(program, _frame(request, everything, self._identities, b""))
            found = searched("libraries", answer, everything, self.salt)
            if not found.hits and not found.faults:
                self._settled |= answer["walked"]
            return found

    def _prove(self, trees: Sequence[Tree]) -> None:
        identities, proof = prove(trees)
        before = self.proof
        self._identities |= identities
        self.proof = Proof(
            by_record=before.by_record + proof.by_record,
            by_dpkg=before.by_dpkg + proof.by_dpkg,
            differing=before.differing + proof.differing,
            seconds=round(before.seconds + proof.seconds, 3),
        )

    def own(self, sought: Sought, command: Sequence[str]) -> bytes:
        """Return the request that searches all of a view that is not settled, for one case."""
        request = {"walk": None, "settled": self._settled, "libraries": False}
        return _frame(request, sought, (), "\0".join(command).encode())


class TrialGate:
    """Implements ``worlds.Gate`` for one trial."""

    def __init__(self, house: Gatehouse, trial_id: str, sought: Sought, folder: Path) -> None:
        """Made by `Gatehouse.trial`."""
        self._house, self._sought, self._folder = house, sought, folder
        self._trial_id = trial_id
        self._views: list[ViewSearched] = []
        self._transcript: tuple[Hit, ...] = ()
        self.keep()

    def admit(self, name: str, program: Program) -> None:
        """Search the view that a program is about to have.

        Raises:
            WorldLost: of layer `isolation`: a needle was found, or something could not be searched.
        """
        try:
            self._enter(self._house.settle(program))
            request = self._house.own(self._sought, program.command)
            self._enter(self._searched(name, _ask_program(program, request)))
        except (SandboxUnavailable, ValueError, OSError) as error:
            raise WorldLost(LAYER, f"the view of the {name} was not searched: {error}") from error

    def admit_jobs(self, socket: Path) -> None:
        """Search the view that a program of the agent has in the warm sandbox.

        Raises:
            WorldLost: as in `admit`.
        """
        request, blobs = wire.decode(self._house.own(self._sought, ()))
        request.pop("blobs", None)
        result = Client(socket).run("scan", request, blobs=blobs, limits=_SCAN_LIMITS)
        if result.status != "done":
            said = result.error or result.status
            raise WorldLost(LAYER, f"the view of a program was not searched: {said}")
        self._enter(self._searched("job", result.value))

    def withdraw(self, texts: Mapping[str, bytes]) -> str:
        """Look for canaries in what came of the trial, and return where one stands, else nothing.

        Args:
            texts: name → bytes of what the agent said, read or delivered.
        """
        hits = []
        for name, data in texts.items():
            met = [text for text in self._house.canaries if text in data]
            hits += [_hit("canary", text, name, self._house.salt) for text in met[:1]]
        self._transcript = tuple(hits)
        self.keep()
        return f"a canary of a truth stands in {hits[0].path}" if hits else ""

    def keep(self) -> None:
        """Write the proof as it is now."""
        proof = Isolation(
            trial_id=self._trial_id,
            salt=self._house.salt,
            needles=self._sought.hidden(self._house.salt),
            dropped=self._sought.dropped,
            proof=self._house.proof,
            views=tuple(self._views),
            transcript=self._transcript,
        )
        write_atomic(self._folder / ISOLATION, proof.pretty())

    def _searched(self, name: str, answer: dict[str, Any]) -> ViewSearched:
        return searched(name, answer, self._sought, self._house.salt)

    def _enter(self, view: ViewSearched | None) -> None:
        if view is None:
            return
        self._views.append(view)
        self.keep()
        if view.hits:
            hit = view.hits[0]
            raise WorldLost(LAYER, f"{view.name}: a needle ({hit.kind}) was found in {hit.path}")
        if view.faults:
            raise WorldLost(LAYER, f"{view.name}: not all can be searched: {view.faults[0]}")


def place_of(tree: Tree) -> list[int]:
    """Return device and inode of what a tree shows; they are the same inside."""
    found = tree.source.stat()
    return [found.st_dev, found.st_ino]


def searched(name: str, answer: dict[str, Any], sought: Sought, salt: str) -> ViewSearched:
    """Return a scan's answer as a record, its needles hidden."""
    return ViewSearched(
        name=name,
        mounts=tuple(
            MountSeen(inside=inside, file_system=kind, writable=mode == "rw")
            for inside, kind, mode in answer["mounts"]
        ),
        searched=tuple(sorted(answer["walked"])),
        settled=tuple(answer["skipped"]),
        files=answer["files"],
        bytes=answer["bytes"],
        proven=answer["proven"],
        members=answer["members"],
        unreadable=answer["unreadable"],
        faults=tuple(answer["faults"]),
        hits=tuple(
            _hit(*_needle(item["needle"], sought), item["path"], salt) for item in answer["hits"]
        ),
        seconds=round(answer["seconds"], 3),
    )


def _needle(told: str, sought: Sought) -> tuple[NeedleKind, bytes]:
    what, _, value = told.partition(" ")
    if what == "bytes":
        return sought.content[int(value)]
    return ("name" if what == "name" else "figure"), value.encode()


def _hit(kind: NeedleKind, needle: bytes, path: str, salt: str) -> Hit:
    hidden = hide(kind, needle, salt)
    clean = path.encode(errors="replace").decode()
    return Hit(kind=hidden.kind, sha256=hidden.sha256, path=clean)


def _frame(
    request: dict[str, Any], sought: Sought, identities: Iterable[bytes], command: bytes
) -> bytes:
    value = {**request, "names": sought.names, "numbers": sought.numbers}
    blobs = [b"".join(identities), command, *(needle for _, needle in sought.content)]
    return wire.encode(value, blobs)


def _ask_program(program: Program, request: bytes) -> dict[str, Any]:
    """Let the search run in a program's place, behind exactly its walls.

    Raises:
        SandboxUnavailable: there are no walls, or the search did not end well.
    """
    python = str(program.view().python)
    scanner = replace(
        program,
        command=(python, "-I", "-S", "-B", "-c", _START),
        memory_bytes=MEMORY_BYTES,
    )
    try:
        done = subprocess.run(
            **popen_arguments(scanner), input=request, capture_output=True, timeout=SCAN_S
        )
    except subprocess.TimeoutExpired:
        raise SandboxUnavailable(f"the search took longer than {SCAN_S:g} s") from None
    try:
        answer, _ = wire.decode(done.stdout)
    except wire.BadFrame:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        why = said[-1][:300] if said else f"exit status {done.returncode}"
        raise SandboxUnavailable(f"the search ended without an answer: {why}") from None
    return answer
