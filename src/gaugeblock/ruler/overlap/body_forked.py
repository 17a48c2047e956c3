"""A body measured and meshed in a child process, which may hang or crash without harm.

What comes back are numbers alone: volumes, meshes, findings. The shapes stay the parent's own,
which takes the surfaces from them, face by face in the same order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

from OCP.TopAbs import TopAbs_FACE, TopAbs_FORWARD
from OCP.TopoDS import TopoDS

from gaugeblock.records.measurement import Bounds, Finding
from gaugeblock.ruler.explore import explore
from gaugeblock.ruler.facts.facets import Facets
from gaugeblock.ruler.facts.measuring import Clock
from gaugeblock.ruler.facts.surfaces import SurfaceTable, surface_of
from gaugeblock.ruler.overlap.body import Body, Part, build_body
from gaugeblock.ruler.overlap.forked import Child
from gaugeblock.ruler.reading import ReadSolid

ATTEMPTS = 3
"""Children that one body may need one after the other, which share the time there is: all at once;
the coarse mesh again by the slower mesher; the finer one."""


class Building:
    """A body being measured, meshed and refined in a child.

    Args:
        solids: In the file's order.
        seconds: Ceiling of each attempt, s.
    """

    def __init__(self, solids: list[ReadSolid], seconds: float) -> None:
        self.solids, self.seconds = solids, seconds
        self._child = self._start(_whole)

    def stop(self) -> None:
        """Kill the child if it still runs."""
        self._child.stop()

    def body(self) -> Body:
        """Return the body.

        Where the child hangs or breaks, the solids are meshed again without the quicker mesher,
        and refined apart, so that a mesher that hangs on the finer mesh leaves the coarse one.
        What could not be had is told as a finding; without any mesh, in the body's `problem`.
        """
        answer = self._child.result()
        if isinstance(answer, dict):
            return body_from(answer, self.solids)
        again = self._start(_coarse).result()
        if isinstance(again, str):
            return Body([], problem=f"its solids could not be measured and meshed: {again}")
        body = body_from(again, self.solids)
        body.findings.append(_told(f"the quicker mesher failed: {answer}"))
        if body.problem is None:
            fine = Child(lambda: _refined(body), self.seconds).result()
            if isinstance(fine, str):
                body.findings.append(_told(f"there is no finer mesh: {fine}"))
            else:
                for part, sent in zip(body.parts, fine["fine"], strict=True):
                    part.fine = Facets(**sent)
        return body

    def _start(self, work: Callable[[list[ReadSolid]], Body]) -> Child:
        return Child(lambda: _described(work(self.solids)), self.seconds)


def _whole(solids: list[ReadSolid]) -> Body:
    body = build_body(solids, Clock())
    if body.problem is None:
        body.refine()
    return body


def _coarse(solids: list[ReadSolid]) -> Body:
    return build_body(solids, Clock(), quick=False)


def _refined(body: Body) -> dict[str, Any]:
    body.refine(quick=False)
    return {"fine": [_numbers(part.fine) for part in body.parts if part.fine is not None]}


def _told(message: str) -> Finding:
    return Finding(code="mesher-failed", message=message)


def _described(body: Body) -> dict[str, Any]:
    return {
        "problem": body.problem,
        "findings": [finding.model_dump(mode="json") for finding in body.findings],
        "parts": [_sent(part) for part in body.parts],
    }


def body_from(answer: dict[str, Any], solids: list[ReadSolid]) -> Body:
    """Return the body that a child describes."""
    parts = []
    for read, part in zip(solids, answer["parts"], strict=False):
        faces = [TopoDS.Face(f.Oriented(TopAbs_FORWARD)) for f in explore(read.shape, TopAbs_FACE)]
        parts.append(
            Part(
                index=part["index"],
                name=read.name,
                shape=read.shape,
                bounds=Bounds.model_validate(part["bounds"]),
                volume=part["volume"],
                error=part["error"],
                centroid=tuple(part["centroid"]),
                valid=part["valid"],
                table=SurfaceTable([surface_of(face) for face in faces]),
                coarse=Facets(**part["coarse"]),
                fine=None if part["fine"] is None else Facets(**part["fine"]),
            )
        )
    findings = [Finding.model_validate(finding) for finding in answer["findings"]]
    return Body(parts=parts, problem=answer["problem"], findings=findings)


def _sent(part: Part) -> dict[str, Any]:
    return {
        "index": part.index,
        "bounds": part.bounds.model_dump(mode="json"),
        "volume": part.volume,
        "error": part.error,
        "centroid": list(part.centroid),
        "valid": part.valid,
        "coarse": _numbers(part.coarse),
        "fine": None if part.fine is None else _numbers(part.fine),
    }


def _numbers(facets: Facets) -> dict[str, Any]:
    return {field.name: getattr(facets, field.name) for field in fields(facets)}
