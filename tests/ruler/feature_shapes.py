"""Parts with features known by construction, and short ways to ask for them."""

from __future__ import annotations

from collections import Counter
from typing import Any

from build123d import (
    Axis,
    BuildLine,
    BuildPart,
    BuildSketch,
    Plane,
    Polyline,
    make_face,
    revolve,
)
from OCP.TopoDS import TopoDS

from gaugeblock.records.features import Feature
from gaugeblock.ruler.features.building import build_graph
from gaugeblock.ruler.features.recognising import features_of_shape, recognise
from gaugeblock.ruler.features.sheet import Sheet

PLACES = {"id", "solid", "faces", "entry_faces", "exit_faces", "base_faces"}
DIRECTED = {"position", "axis", "direction"}


def turned(*profile: tuple[float, float]) -> Any:
    """A body of revolution about Z from its (radius, height) profile."""
    with BuildPart() as part:
        with BuildSketch(Plane.XZ):
            with BuildLine():
                Polyline(*profile, close=True)
            make_face()
        revolve(axis=Axis.Z)
    return part.part


def prism(plane: Plane, length: float, *outline: tuple[float, float]) -> Any:
    """A prism on an outline in `plane`."""
    from build123d import extrude

    with BuildPart() as part:
        with BuildSketch(plane):
            with BuildLine():
                Polyline(*outline, close=True)
            make_face()
        extrude(amount=length)
    return part.part


def of(shape: Any, kind: str) -> list[Any]:
    """All features of one kind."""
    return [feature for feature in features_of_shape(shape) if feature.kind == kind]


def only(shape: Any, kind: str) -> Any:
    """The only feature of one kind."""
    found = of(shape, kind)
    assert len(found) == 1, [feature.model_dump() for feature in found]
    return found[0]


def kinds(shape: Any) -> dict[str, int]:
    return dict(Counter(feature.kind for feature in features_of_shape(shape)))


def sheet_of(shape: Any) -> Sheet:
    """The recogniser's whole answer for a shape of one solid."""
    solid = shape.solid().wrapped if hasattr(shape, "solid") else shape
    return recognise(build_graph(TopoDS.Solid(solid)))


def codes(shape: Any) -> tuple[list[str], list[str]]:
    """Codes of what was refused, and of remarks."""
    sheet = sheet_of(shape)
    return [f.code for f in sheet.refused], [f.code for f in sheet.remarks]


def signature(feature: Feature, scale: float = 1.0) -> tuple[Any, ...]:
    """What of a feature does not depend on where it lies, lengths divided by `scale`."""
    lengthless = {"angle", "tip_angle"}

    def plain(name: str, value: Any) -> Any:
        if isinstance(value, bool) or value is None or isinstance(value, str):
            return value
        if isinstance(value, (int, float)):
            return float(f"{value if name in lengthless else value / scale:.5g}")
        if isinstance(value, dict):
            return tuple((key, plain(key, item)) for key, item in sorted(value.items()))
        return tuple(plain(name, item) for item in value)

    data = feature.model_dump(exclude=PLACES | DIRECTED | {"findings"})
    return tuple((name, plain(name, value)) for name, value in sorted(data.items()))


def signatures(shape: Any, scale: float = 1.0) -> Counter[tuple[Any, ...]]:
    return Counter(signature(feature, scale) for feature in features_of_shape(shape))
