"""What is compared of a feature: by kind, its sizes, its form, its place and its axis.

Two features are held against each other only within one `family`: what would have to be another
operation on the machine (a boss for a hole, an inner groove for an outer one) is never a change.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from gaugeblock.records.features import (
    Boss,
    Chamfer,
    Feature,
    Fillet,
    Groove,
    Hole,
    Recess,
    Thread,
)

Vector = npt.NDArray[np.float64]

SOMETIMES = frozenset({"pitch diameter", "flank angle"})
"""Parameters that the ruler cannot always have: not compared where one side lacks them."""

PITCHES = frozenset({"pitch", "lead"})
"""Parameters with a tolerance of their own."""


@dataclass(frozen=True)
class Traits:
    """One feature as it is compared. Lengths in mm, angles in degrees."""

    feature: Feature
    family: tuple[str, ...]
    at: Vector
    """(3,) reference point."""
    axis: Vector | None
    """(3,) unit vector."""
    signed: bool
    """Whether the axis' sense carries meaning."""
    own: float
    """How large it is across: the measure for near."""
    sizes: dict[str, float] = field(default_factory=dict)
    extents: dict[str, float] = field(default_factory=dict)
    """Lengths that follow from the body around it."""
    angles: dict[str, float] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    half: float | None = None
    """Half its length along the axis, for features along a line; `middle` is its middle."""
    middle: Vector | None = None
    give: dict[str, float] = field(default_factory=dict)
    """How far the reference point moves at most, per mm of a parameter's difference."""
    cross: Vector | None = None
    """(3,) direction of its length, without sense; None: as long as wide, or no length."""

    @property
    def lengths(self) -> dict[str, float]:
        """Sizes and extents together."""
        return {**self.sizes, **self.extents}


def traits(feature: Feature) -> Traits:
    """Return what is compared of `feature`, in its own coordinates."""
    return _BY_KIND[type(feature)](feature)


def turned_over(item: Traits) -> Traits | None:
    """Return a through hole seen from its other end, or None for all else.

    Which end of a through hole counts as its entry is a choice of the recogniser; a counterbore
    on the wrong side is none.
    """
    hole = item.feature
    if not isinstance(hole, Hole) or not hole.through:
        return None
    axis = np.array(hole.axis)
    far = np.array(hole.position) + hole.depth * axis
    return _hole(
        hole.model_copy(
            update={
                "position": tuple(far.tolist()),
                "axis": tuple((-axis).tolist()),
                "counterbore": hole.far_counterbore,
                "countersink": hole.far_countersink,
                "far_counterbore": hole.counterbore,
                "far_countersink": hole.countersink,
                "steps": hole.steps[::-1],
            }
        )
    )


def _hole(hole: Hole) -> Traits:
    at, axis = np.array(hole.position), np.array(hole.axis)
    sizes = {"diameter": hole.diameter}
    angles: dict[str, float] = {}
    for words, bore in (
        ("counterbore", hole.counterbore),
        ("far counterbore", hole.far_counterbore),
    ):
        if bore is not None:
            sizes |= {f"{words} diameter": bore.diameter, f"{words} depth": bore.depth}
    for words, sink in (
        ("countersink", hole.countersink),
        ("far countersink", hole.far_countersink),
    ):
        if sink is not None:
            sizes[f"{words} diameter"] = sink.diameter
            angles[f"{words} angle"] = sink.angle
    for number, (diameter, length) in enumerate(_inner_steps(hole), 1):
        sizes |= {f"step {number} diameter": diameter, f"step {number} length": length}
    if hole.tip_angle is not None:
        angles["tip angle"] = hole.tip_angle
    return Traits(
        feature=hole,
        family=("hole",),
        at=at,
        axis=axis,
        signed=True,
        own=hole.diameter,
        sizes=sizes if hole.through else {**sizes, "depth": hole.depth},
        extents={"depth": hole.depth} if hole.through else {},
        angles=angles,
        labels={"end": "through" if hole.through else "blind", "bottom": hole.bottom},
        half=hole.depth / 2 if hole.through else None,
        middle=at + axis * hole.depth / 2 if hole.through else None,
        give={"depth": 1.0},
    )


def _inner_steps(hole: Hole) -> list[tuple[float, float]]:
    """Return the steps that are neither the bore nor a counterbore told by itself."""
    steps = list(hole.steps)
    for bore, end in ((hole.counterbore, 0), (hole.far_counterbore, -1)):
        if bore is not None and steps and abs(steps[end][0] - bore.diameter) < 1e-9:
            del steps[end]
    narrowest = min(range(len(steps)), key=lambda i: steps[i][0], default=None)
    return [step for i, step in enumerate(steps) if i != narrowest]


def _boss(boss: Boss) -> Traits:
    across = _given({"diameter": boss.diameter, "length": boss.length, "width": boss.width})
    return Traits(
        feature=boss,
        family=("boss", boss.shape),
        at=np.array(boss.position),
        axis=np.array(boss.axis),
        signed=True,
        own=max(across.values(), default=boss.height),
        sizes=across | {"height": boss.height},
        give={"height": 1.0, "length": 0.5, "width": 0.5},
    )


def _recess(recess: Recess) -> Traits:
    across = _given({"length": recess.length, "width": recess.width})
    sizes = across | _given({"corner radius": recess.corner_radius})
    at, axis = np.array(recess.position), np.array(recess.axis)
    oblong = recess.length is None or recess.width is None or recess.length > recess.width * 1.001
    return Traits(
        feature=recess,
        family=("recess",),
        at=at,
        axis=axis,
        signed=not recess.through,
        own=max(across.values(), default=recess.depth),
        sizes=sizes if recess.through else sizes | {"depth": recess.depth},
        extents={"depth": recess.depth} if recess.through else {},
        labels={
            "kind": recess.kind,
            "end": "through" if recess.through else "blind",
            "ends": recess.ends or "none",
        },
        half=recess.depth / 2 if recess.through else None,
        middle=at + axis * recess.depth / 2 if recess.through else None,
        give={"length": 0.5, "width": 0.5, "depth": 1.0},
        cross=np.array(recess.direction) if recess.direction is not None and oblong else None,
    )


def _groove(groove: Groove) -> Traits:
    return Traits(
        feature=groove,
        family=("groove", groove.where),
        at=np.array(groove.position),
        axis=np.array(groove.axis),
        signed=False,
        own=groove.width,
        sizes={"diameter": groove.diameter, "width": groove.width, "depth": groove.depth},
        give={"width": 1.0},
    )


def _chamfer(chamfer: Chamfer) -> Traits:
    legs = {"smaller leg": chamfer.legs[0], "larger leg": chamfer.legs[1]}
    straight = chamfer.form == "straight" and chamfer.axis is not None
    return Traits(
        feature=chamfer,
        family=("chamfer", chamfer.side),
        at=np.array(chamfer.position),
        axis=None if chamfer.axis is None else np.array(chamfer.axis),
        signed=False,
        own=chamfer.legs[1],
        sizes=legs | _given({"diameter": chamfer.diameter}),
        extents={"length": chamfer.length} if straight else {},
        labels={"form": chamfer.form},
        half=chamfer.length / 2 if straight else None,
        middle=np.array(chamfer.position) if straight else None,
        give={"smaller leg": 1.0, "larger leg": 1.0, "diameter": 0.5, "length": 0.5},
    )


def _fillet(fillet: Fillet) -> Traits:
    straight = fillet.form == "straight" and fillet.axis is not None
    return Traits(
        feature=fillet,
        family=("fillet", fillet.side),
        at=np.array(fillet.position),
        axis=None if fillet.axis is None else np.array(fillet.axis),
        signed=False,
        own=fillet.radius,
        sizes={"radius": fillet.radius} | _given({"ring diameter": fillet.diameter}),
        extents={"length": fillet.length} if straight else {},
        labels={"form": fillet.form},
        half=fillet.length / 2 if straight else None,
        middle=np.array(fillet.position) if straight else None,
        give={"radius": 1.0, "ring diameter": 0.5, "length": 0.5},
    )


def _thread(thread: Thread) -> Traits:
    return Traits(
        feature=thread,
        family=("thread", "internal" if thread.internal else "external"),
        at=np.array(thread.position),
        axis=np.array(thread.axis),
        signed=False,
        own=thread.major,
        sizes={
            "pitch": thread.pitch,
            "lead": thread.lead,
            "major diameter": thread.major,
            "minor diameter": thread.minor,
            "length": thread.length,
        }
        | _given({"pitch diameter": thread.pitch_diameter}),
        angles=_given({"flank angle": thread.flank_angle}),
        labels={"hand": thread.hand, "starts": str(thread.starts)}
        | ({} if thread.through is None else {"end": "through" if thread.through else "blind"}),
        give={"length": 0.5},
    )


def _given(parameters: dict[str, float | None]) -> dict[str, float]:
    return {name: value for name, value in parameters.items() if value is not None}


_BY_KIND: dict[type[Any], Callable[[Any], Traits]] = {
    Hole: _hole,
    Boss: _boss,
    Recess: _recess,
    Groove: _groove,
    Chamfer: _chamfer,
    Fillet: _fillet,
    Thread: _thread,
}
