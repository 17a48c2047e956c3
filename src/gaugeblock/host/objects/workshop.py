"""The host's way to the kept job: shapes made where they are not yet, measured once."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from gaugeblock.host.diagnostics import HostFault, PlanRejected
from gaugeblock.host.kernel import MAX_FACES, MESSAGE_CHARS, Kernel
from gaugeblock.host.objects.table import Node
from gaugeblock.sandbox import JobResult

STEP_S = 60.0
"""Wall time of one step, as of a program."""
REMAKE_S = 300.0
"""Wall time of making again what a new job has forgotten: many steps at once."""
LIFE_CPU_S = 24 * 3600
"""Processor time of one job: a day of work, for it stays as long as the host. Each request has its
own clock."""
ROUNDS = 3
"""Requests for one answer: it may be told once what is missing, and once more for a job that was
ended in between."""


class Workshop:
    """Knows how every shape is made, and has the kept job make and measure them."""

    def __init__(self, kernel: Kernel) -> None:
        """Nothing starts before the first request."""
        self.kernel = kernel
        self._job = kernel.keep("objects", LIFE_CPU_S)
        self._nodes: dict[str, Node] = {}
        self._facts: dict[str, dict[str, Any]] = {}
        self._breps: dict[str, bytes] = {}

    def close(self) -> None:
        """End the job; the next request starts a new one."""
        self._job.close()

    def hand_in(self, node: Node, brep: bytes, facts: dict[str, Any]) -> None:
        """Take a shape that was made and measured elsewhere: an object of the program."""
        self._nodes[node.key], self._breps[node.key] = node, brep
        self._facts[node.key] = facts

    def forget_breps(self, kept: Collection[str]) -> None:
        """Drop the B-reps that no document to which one can go back uses."""
        self._breps = {key: brep for key, brep in self._breps.items() if key in kept}

    def facts(self, nodes: Iterable[Node], named: Mapping[str, str]) -> dict[str, dict[str, Any]]:
        """Make shapes and return what is measured of them.

        Args:
            nodes: how shapes are made that may be new, inputs first.
            named: key → object name of the shapes that are to be measured.

        Raises:
            PlanRejected: one cannot be made, or is not valid.
            HostFault: the sandbox is gone.
        """
        nodes = list(nodes)
        self._nodes.update((node.key, node) for node in nodes)
        unmeasured = {key: name for key, name in named.items() if key not in self._facts}
        if unmeasured:
            fresh = [node for node in nodes if node.key not in self._facts]
            value = {"do": "make", "measure": unmeasured, "max_faces": MAX_FACES}
            answer = self._ask(value, fresh)
            self._facts |= answer.value["facts"]
        return {key: self._facts[key] for key in named}

    def breps(self, keys: list[str]) -> tuple[bytes, ...]:
        """Return the B-reps of shapes."""
        if all(key in self._breps for key in keys):
            return tuple(self._breps[key] for key in keys)
        return self._ask({"do": "breps", "keys": keys}).blobs

    def parts(self, key: str, most: int) -> dict[str, Any]:
        """Return the edges and faces of a shape, at most so many of each."""
        return self._ask({"do": "parts", "key": key, "most": most}).value

    def places(self, key: str, what: str, ids: list[int]) -> list[list[float]]:
        """Return a point on each of the edges or faces (``what``) with these ids."""
        value = {"do": "places", "key": key, "what": what, "ids": ids}
        points: list[list[float]] = self._ask(value).value["points"]
        return points

    def between(self, first: str, second: str) -> dict[str, Any]:
        """Return distance and shared volume of two shapes."""
        return self._ask({"do": "between", "keys": [first, second]}).value

    def _ask(self, value: dict[str, Any], nodes: Iterable[Node] = ()) -> JobResult:
        """Ask the job; where it lacks shapes, send along how they are made."""
        begun = time.monotonic()
        sent = list(nodes)
        wall_s = STEP_S
        try:
            for _ in range(ROUNDS):
                result = self._job_result(value, sent, wall_s)
                missing = result.value.get("missing")
                if not missing:
                    return result
                needed = self._history([*missing, *(key for node in sent for key in node.inputs)])
                if value["do"] != "make":
                    made = {"do": "make", "measure": {}, "max_faces": MAX_FACES}
                    self._job_result(made, needed, REMAKE_S)
                else:
                    known = {node.key for node in needed}
                    sent = [*needed, *(node for node in sent if node.key not in known)]
                    wall_s = REMAKE_S
        finally:
            self.kernel.spent.validate_s += time.monotonic() - begun
        raise HostFault("the sandbox forgets shapes as soon as they are made")

    def _job_result(self, value: dict[str, Any], nodes: list[Node], wall_s: float) -> JobResult:
        blobs = [self._breps[node.key] for node in nodes if node.tool == "brep"]
        if value["do"] == "make":
            described = [
                {
                    "key": node.key,
                    "tool": node.tool,
                    "arguments": dict(node.arguments),
                    "inputs": list(node.inputs),
                }
                for node in nodes
            ]
            value = {**value, "nodes": described}
        self.kernel.require_caller()
        result = self._job.ask(value, blobs=blobs, wall_s=wall_s)
        self.kernel.note(result)
        if result.status != "done":
            raise _failure(result, wall_s)
        fault = result.value.get("fault")
        if fault:
            raise PlanRejected(fault["code"], fault["message"], None, fault["repair"])
        return result

    def _history(self, keys: Iterable[str]) -> list[Node]:
        """Return how shapes and all their inputs are made, inputs first."""
        ordered: dict[str, Node] = {}
        waiting = [(key, False) for key in dict.fromkeys(keys)]
        while waiting:
            key, inputs_done = waiting.pop()
            if key in ordered:
                continue
            node = self._nodes[key]
            if inputs_done or not node.inputs:
                ordered[key] = node
            else:
                waiting += [(key, True), *((each, False) for each in node.inputs)]
        return list(ordered.values())


def _failure(result: JobResult, wall_s: float) -> PlanRejected:
    said = (result.error or "")[:MESSAGE_CHARS]
    if result.status == "timeout":
        return PlanRejected(
            "timeout",
            f"the geometry kernel took longer than {wall_s:g} s",
            repair="Take fewer or simpler objects at once, or build the shape in another way.",
        )
    if result.status == "limit":
        return PlanRejected("limit", f"the geometry kernel passed a limit: {said}")
    if result.status == "crashed":
        return PlanRejected("not-built", f"the geometry kernel crashed ({said})")
    raise HostFault(f"object tools: {result.status}: {said}")
