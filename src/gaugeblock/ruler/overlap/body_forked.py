"""A body measured, meshed and looked at in a child process, while its parent does the other one.

What comes back are numbers alone: volumes, meshes, findings. The shapes stay the parent's own,
which takes the surfaces from them, face by face in the same order.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from OCP.TopAbs import TopAbs_FACE, TopAbs_FORWARD
from OCP.TopoDS import TopoDS

from gaugeblock.records.measurement import Bounds, Finding
from gaugeblock.ruler.explore import explore
from gaugeblock.ruler.facts.measuring import Clock
from gaugeblock.ruler.facts.surfaces import SurfaceTable, surface_of
from gaugeblock.ruler.overlap.body import Body, Facets, Part, build_body
from gaugeblock.ruler.overlap.forked import Child
from gaugeblock.ruler.reading import ReadSolid


def start_body(solids: list[ReadSolid], seconds: float) -> Child:
    """Start to build and refine a body in a child."""

    def work() -> dict[str, Any]:
        clock = Clock()
        body = build_body(solids, clock)
        if body.problem is None:
            body.refine()
        return {
            "problem": body.problem,
            "findings": [finding.model_dump(mode="json") for finding in body.findings],
            "parts": [_sent(part) for part in body.parts],
        }

    return Child(work, seconds)


def body_from(answer: dict[str, Any], solids: list[ReadSolid]) -> Body:
    """Return the body that a child of `start_body` describes."""
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
        "valid": part.valid,
        "coarse": _numbers(part.coarse),
        "fine": None if part.fine is None else _numbers(part.fine),
    }


def _numbers(facets: Facets) -> dict[str, Any]:
    return {field.name: getattr(facets, field.name) for field in fields(facets)}
