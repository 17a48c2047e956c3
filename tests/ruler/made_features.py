"""Features by hand: what a recogniser would say of parts that nobody made."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gaugeblock.records.feature_match import FeatureMatch
from gaugeblock.records.features import (
    Boss,
    Chamfer,
    Counterbore,
    Countersink,
    Feature,
    FeatureSet,
    Fillet,
    Groove,
    Hole,
    Recess,
    Thread,
)
from gaugeblock.records.measurement import FileFacts, Finding, Versions
from gaugeblock.records.overlap import Alignment
from gaugeblock.ruler.matching.match import match
from gaugeblock.ruler.matching.tolerances import RIGHT

NO_VERSIONS = Versions(ocp=None, numpy=None)


def own(kind: str, position: tuple[float, float, float]) -> dict[str, Any]:
    """The fields every feature has; the name tells the place, so that tests can read it."""
    x, y, z = (round(value, 3) for value in position)
    return {"id": f"{kind}-{x}/{y}/{z}", "solid": 0, "faces": [], "position": position}


def hole(
    at: tuple[float, float, float] = (10, 20, 5),
    diameter: float = 8.0,
    depth: float = 5.0,
    through: bool = True,
    axis: tuple[float, float, float] = (0, 0, -1),
    counterbore: tuple[float, float] | None = None,
    countersink: tuple[float, float] | None = None,
    **more: Any,
) -> Hole:
    bore = None
    steps = [(diameter, depth)]
    if counterbore is not None:
        bore = Counterbore(diameter=counterbore[0], depth=counterbore[1])
        steps = [counterbore, (diameter, depth - counterbore[1])]
    sink = None
    if countersink is not None:
        wide, angle = countersink
        deep = (wide - diameter) / 2 / math.tan(math.radians(angle / 2))
        sink = Countersink(diameter=wide, angle=angle, depth=deep)
    fields = {
        "through": through,
        "axis": axis,
        "diameter": diameter,
        "depth": depth,
        "bottom": "open" if through else "flat",
        "counterbore": bore,
        "countersink": sink,
        "steps": steps,
        "entry_faces": [],
    }
    return Hole(**{**own("hole", at), **fields, **more})


def seen_from_the_other_end(through: Hole) -> Hole:
    """The same through hole as a recogniser that starts at its other end tells it."""
    axis = np.array(through.axis)
    far = np.array(through.position) + through.depth * axis
    return through.model_copy(
        update={
            "position": tuple(far.tolist()),
            "axis": tuple((-axis).tolist()),
            "counterbore": through.far_counterbore,
            "far_counterbore": through.counterbore,
            "countersink": through.far_countersink,
            "far_countersink": through.countersink,
            "steps": through.steps[::-1],
        }
    )


def boss(at: tuple[float, float, float] = (0, 0, 10), diameter: float = 20.0) -> Boss:
    return Boss(
        **own("boss", at), shape="round", axis=(0, 0, 1), height=6, diameter=diameter,
        base_faces=[],
    )  # fmt: skip


def slot(at: tuple[float, float, float] = (30, 0, 10), **more: Any) -> Recess:
    fields: dict[str, Any] = {
        "kind": "slot",
        "axis": (0, 0, -1),
        "length": 20,
        "width": 6,
        "depth": 4,
        "direction": (1, 0, 0),
        "ends": "round",
    }
    return Recess(**own("slot", at), **{**fields, **more})


def groove(at: tuple[float, float, float] = (0, 0, 40), **more: Any) -> Groove:
    fields: dict[str, Any] = {
        "where": "external",
        "axis": (0, 0, 1),
        "diameter": 18,
        "width": 2,
        "depth": 1,
    }
    return Groove(**own("groove", at), **{**fields, **more})


def chamfer(at: tuple[float, float, float] = (0, 30, 10), leg: float = 2.0) -> Chamfer:
    return Chamfer(
        **own("chamfer", at), form="straight", side="convex", legs=(leg, leg), angle=45,
        axis=(1, 0, 0), length=60,
    )  # fmt: skip


def fillet(at: tuple[float, float, float] = (0, -30, 10), **more: Any) -> Fillet:
    fields: dict[str, Any] = {
        "side": "convex",
        "radius": 3,
        "form": "straight",
        "axis": (1, 0, 0),
        "length": 60,
    }
    return Fillet(**own("fillet", at), **{**fields, **more})


def thread(at: tuple[float, float, float] = (0, 0, 60), **more: Any) -> Thread:
    fields: dict[str, Any] = {
        "internal": False,
        "axis": (0, 0, 1),
        "designation": "M8x1.25",
        "standard": "ISO 261",
        "pitch": 1.25,
        "lead": 1.25,
        "starts": 1,
        "hand": "right",
        "major": 8.0,
        "minor": 6.647,
        "pitch_diameter": 7.188,
        "flank_angle": 60.0,
        "length": 20.0,
    }
    return Thread(**own("thread", at), **{**fields, **more})


def one_of_each() -> list[Feature]:
    return [
        hole(),
        hole((40, 20, 5), 5.0, 12.0, through=False, bottom="conical", tip_angle=118.0),
        hole((-40, 20, 5), 6.0, 10.0, counterbore=(11.0, 6.0)),
        hole((-40, -20, 5), 6.0, 10.0, countersink=(12.0, 90.0)),
        boss(),
        slot(),
        slot((30, 40, 10), kind="breakthrough", through=True, ends=None, corner_radius=2.0),
        groove(),
        chamfer(),
        fillet(),
        thread(),
    ]


def feature_set(
    *features: Feature, refused: tuple[str, ...] = (), reason: str | None = None
) -> FeatureSet:
    """A set of features; `refused` are words about faces, `reason` why nothing was measured."""
    return FeatureSet(
        verdict="measured" if reason is None else "could-not-measure",
        reason=reason,
        file=FileFacts(name="made.step", sha256=None, bytes=1),
        features=list(features),
        refused=[Finding(code="unclear", message=text) for text in refused],
        versions=NO_VERSIONS,
    )


def moved_rigidly(feature: Feature, turn: np.ndarray, shift: np.ndarray) -> Feature:
    """The same feature of a part that was turned and then shifted."""
    changed = {"position": tuple((turn @ np.array(feature.position) + shift).tolist())}
    for name in ("axis", "direction"):
        vector = getattr(feature, name, None)
        if vector is not None:
            changed[name] = tuple((turn @ np.array(vector)).tolist())
    return feature.model_copy(update=changed)


def motion_of(turn: np.ndarray, shift: np.ndarray, *, ties: int = 0) -> Alignment:
    return Alignment(
        rotation=tuple(tuple(row) for row in turn.tolist()),
        translation=tuple(shift.tolist()),
        angle_deg=0.0,
        shift_mm=0.0,
        candidates=1,
        ambiguous=ties > 0,
        ties=ties,
        method="made",
        residual=None,
    )


DIAGONAL = 120.0
"""Of the parts that nobody made, mm."""


def fates(found: FeatureMatch) -> dict[str, int]:
    count: dict[str, int] = {}
    for outcome in found.outcomes:
        count[outcome.outcome] = count.get(outcome.outcome, 0) + 1
    return count


def held(reference, candidate, limits=RIGHT, motion=None, diagonal=DIAGONAL):
    return match(
        feature_set(*reference), feature_set(*candidate), motion, limits, diagonal=diagonal
    )


def only(reference, candidate, limits=RIGHT):
    """The one outcome of a pair of features."""
    found = held([reference], [candidate], limits)
    assert len(found.outcomes) == 1, fates(found)
    return found.outcomes[0]
