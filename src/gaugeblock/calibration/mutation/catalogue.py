"""The kinds of mutation: listing what applies to a part, and making one.

A `Spec` is plain data: it can be listed in one process and made in another, and says the same in
both. Names say what and where.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

from gaugeblock.calibration.mutation import local, whole
from gaugeblock.calibration.mutation.bodies import NotApplicable, Part, box_of
from gaugeblock.calibration.mutation.features import flats, rounds, sharp_edges

MOVE = 0.5
"""How far a hole is moved, mm: five times a usual positional tolerance of 0.1 mm."""

STEP = 0.1
"""How far a plane is moved or a diameter changed, mm: ISO 2768-m allows 0.1 mm up to 6 mm."""

SMALL = 0.02
"""Both are at most this part of the box's shortest side, so that small parts stay whole."""

STRETCH = 1.005
"""Stretch along one axis: 0.5 mm on 100 mm, beyond ISO 2768-m (0.3 mm)."""

SCALES = (1.01, 25.4, 1 / 25.4, 1000.0)
"""1 % (a shrinkage allowance), inch for mm, mm for inch, m for mm."""

MOST = 4
"""Features of one sort that are mutated, spread evenly over a part's own order; the number left
out is told. A part's holes differ in place, not in kind."""

SEED = 20250101
"""Of the random bodies."""

T = TypeVar("T")


@dataclass(frozen=True)
class Spec:
    """One mutation of one part."""

    kind: str
    name: str
    body: int = 0
    """Index of the item."""
    index: int = 0
    """Index of the feature among those of its sort."""
    axis: str = ""
    amount: float = 0.0

    def value(self) -> dict[str, Any]:
        """Return it as plain data."""
        return asdict(self)


@dataclass(frozen=True)
class Listing:
    """What there is to do to a part."""

    specs: tuple[Spec, ...]
    left_out: dict[str, int]
    """Features of a sort that were not taken, by sort."""


def listing(part: Part, most: int = MOST) -> Listing:
    """Return every mutation of a part, in a fixed order.

    Args:
        part: the reference.
        most: features taken of a sort.
    """
    specs: list[Spec] = [_spec(kind) for kind in ("rewritten",)]
    left_out: dict[str, int] = {}
    low, high = whole.box(part)
    small = SMALL * min(h - v for v, h in zip(low, high, strict=True))
    size = min(STEP, small)
    for sort, entries in _features(part).items():
        taken = _spread(entries, most)
        left_out[sort] = len(entries) - len(taken)
        for order, (body, index, feature) in enumerate(taken):
            specs += _OF_FEATURE[sort](body, index, feature, order, size)
    largest = _largest(part)
    if largest is not None:
        specs += [
            Spec("hole-added", "a hole added on the largest plane", *largest),
            Spec("imprinted", "a circle imprinted on the largest plane", *largest),
        ]
    specs += _whole_specs()
    return Listing(tuple(specs), {sort: n for sort, n in left_out.items() if n})


def _spec(kind: str) -> Spec:
    return Spec(kind, {"rewritten": "read and written again (control)"}[kind])


def _features(part: Part) -> dict[str, list[tuple[int, int, Any]]]:
    """Return features by sort, each with the indices of its body and of itself."""
    found: dict[str, list[tuple[int, int, Any]]] = {"hole": [], "boss": [], "plane": [], "edge": []}
    for body, item in enumerate(part.items):
        for index, turn in enumerate(rounds(item.shape)):
            found["hole" if turn.hole else "boss"].append((body, index, turn))
        found["plane"] += [(body, i, flat) for i, flat in enumerate(flats(item.shape))]
        found["edge"] += [(body, i, edge) for i, edge in enumerate(sharp_edges(item.shape))]
    return found


def _spread(entries: Sequence[T], most: int) -> list[T]:
    if len(entries) <= most:
        return list(entries)
    step = len(entries) / most
    return [entries[int((i + 0.5) * step)] for i in range(most)]


def _of_hole(body: int, index: int, hole: Any, order: int, size: float) -> list[Spec]:
    axis, _ = local.across(hole)
    move = min(MOVE, 5 * size, 0.25 * hole.radius)
    step = size if order % 2 == 0 else -size
    what = f"hole {index + 1} ({hole.words()})"
    new = 2 * hole.radius + step
    return [
        Spec("hole-moved", f"{what} moved {move:g} mm along {axis}", body, index, axis, move),
        Spec("hole-resized", f"{what} resized to Ø{new:.2f}", body, index, "", step / 2),
        Spec("hole-dropped", f"{what} dropped", body, index),
    ]


def _of_boss(body: int, index: int, boss: Any, order: int, size: float) -> list[Spec]:
    step = size if order % 2 == 0 else -size
    new = 2 * boss.radius + step
    what = f"round {index + 1} ({boss.words()}) turned to Ø{new:.2f}"
    return [Spec("round-resized", what, body, index, "", step / 2)]


def _of_plane(body: int, index: int, flat: Any, order: int, size: float) -> list[Spec]:
    step = size if order % 2 == 0 else -size
    way = "out" if step > 0 else "in"
    what = f"plane {index + 1} ({flat.words()}) moved {size:g} mm {way}"
    return [Spec("plane-moved", what, body, index, "", step)]


def _of_edge(body: int, index: int, edge: Any, order: int, size: float) -> list[Spec]:
    kind = "fillet" if order % 2 == 0 else "chamfer"
    reach = min(5 * size, edge.length / 10)
    place = ", ".join(f"{v + 0.0:.1f}" for v in edge.middle)
    what = f"{kind} of {reach:.3g} mm on edge {index + 1} (at {place})"
    return [Spec(f"{kind}-added", what, body, index, "", reach)]


_OF_FEATURE: dict[str, Callable[[int, int, Any, int, float], list[Spec]]] = {
    "hole": _of_hole,
    "boss": _of_boss,
    "plane": _of_plane,
    "edge": _of_edge,
}


def _largest(part: Part) -> tuple[int, int] | None:
    """Return body and index of the largest plane."""
    planes = [
        (flat.area, -body, -index)
        for body, item in enumerate(part.items)
        for index, flat in enumerate(flats(item.shape))
    ]
    if not planes:
        return None
    _, body, index = max(planes)
    return -body, -index


def _whole_specs() -> list[Spec]:
    return [
        *(Spec("stretched", f"stretched along {a} by {STRETCH:g}", 0, 0, a, STRETCH)
          for a in "XYZ"),
        *(Spec("mirrored", f"mirrored along {a}", 0, 0, a) for a in "XYZ"),
        *(Spec("rotated", f"rotated by 90° about {a}", 0, 0, a) for a in "XYZ"),
        Spec("shifted", "moved by 1 mm along X", 0, 0, "X", 1.0),
        *(Spec("scaled", f"scaled by {factor:.6g}", 0, 0, "", factor) for factor in SCALES),
        Spec("unit-claimed", "the same numbers declared as inches"),
        Spec("unit-other", "the same size written in inches"),
        Spec("renamed", "every body renamed"),
        Spec("nameless", "names lost"),
        Spec("merged", "all bodies merged into one"),
        Spec("split", "the first body split into two that touch"),
        Spec("duplicated", "the first body twice in the same place"),
        Spec("stray-solid", "a stray cube of 1 mm beside the part"),
        Spec("face-removed", "the last face of the first body left out"),
        Spec("inside-out", "every body turned inside out"),
        Spec("boxed", "replaced by the box of its size"),
        Spec("null", "no solid delivered"),
        Spec("random", "a random body of the same volume", 0, 0, "", float(SEED)),
    ]  # fmt: skip


TURNED = frozenset({"mirrored", "rotated"})
"""Kinds that move the whole part by an isometry, so that its faces' parameters may turn."""

IN_THE_TEXT = frozenset({"inside-out"})
"""Kinds that differ in the file's face senses only."""


def make(part: Part, spec: Spec) -> tuple[Part, str]:
    """Make one mutant.

    Returns:
        The mutant, and a name that knows what the making found out (where a hole was added).

    Raises:
        NotApplicable: it cannot be made of this part.
    """
    if spec.kind in _WHOLE:
        return _WHOLE[spec.kind](part, spec), spec.name
    solid = part.items[spec.body].shape
    name, shape = spec.name, None
    if spec.kind.startswith("hole-") and spec.kind != "hole-added":
        shape = _on_hole(solid, spec)
    elif spec.kind == "round-resized":
        boss = rounds(solid)[spec.index]
        shape = local.boss_resized(solid, boss, boss.radius + spec.amount)
    elif spec.kind == "plane-moved":
        shape = local.plane_moved(solid, flats(solid)[spec.index], spec.amount)
    elif spec.kind in ("fillet-added", "chamfer-added"):
        edge = sharp_edges(solid)[spec.index]
        shape = local.rounded(solid, edge, spec.amount, chamfer=spec.kind == "chamfer-added")
    elif spec.kind in ("hole-added", "imprinted"):
        shape, name = _on_plane(solid, spec)
    else:
        raise NotApplicable(f"no such kind: {spec.kind}")
    return part.with_shape(spec.body, shape), name


def _on_hole(solid: Any, spec: Spec) -> Any:
    hole = rounds(solid)[spec.index]
    if spec.kind == "hole-dropped":
        return local.filled(solid, hole)
    if spec.kind == "hole-resized":
        return local.resized(solid, hole, hole.radius + spec.amount)
    _, way = local.across(hole)
    x, y, z = (spec.amount * part for part in way)
    return local.moved(solid, hole, (x, y, z))


def _on_plane(solid: Any, spec: Spec) -> tuple[Any, str]:
    flat = flats(solid)[spec.index]
    low, high = box_of([solid])
    shortest = min(h - v for v, h in zip(low, high, strict=True))
    _, room = local.roomiest(flat)
    radius = min(2.0, 0.5 * room)
    if spec.kind == "imprinted":
        shape, at = local.imprinted(solid, flat, radius)
        what = f"circle of Ø{2 * radius:.2f} imprinted at "
    else:
        shape, at = local.hole_added(solid, flat, radius, min(2.0, 0.5 * shortest))
        what = f"hole of Ø{2 * radius:.2f} added at "
    return shape, what + ", ".join(f"{v + 0.0:.1f}" for v in at)


_WHOLE: dict[str, Callable[[Part, Spec], Part]] = {
    "rewritten": lambda part, spec: part,
    "stretched": lambda part, spec: whole.stretched(part, spec.axis, spec.amount),
    "mirrored": lambda part, spec: whole.mirrored(part, spec.axis),
    "rotated": lambda part, spec: whole.rotated(part, spec.axis),
    "shifted": lambda part, spec: whole.shifted(part, spec.axis, spec.amount),
    "scaled": lambda part, spec: whole.scaled(part, spec.amount),
    "unit-claimed": lambda part, spec: whole.claimed_in_inches(part),
    "unit-other": lambda part, spec: Part(part.items, unit="INCH"),
    "renamed": lambda part, spec: whole.renamed(part),
    "nameless": lambda part, spec: whole.nameless(part),
    "merged": lambda part, spec: whole.merged(part),
    "split": lambda part, spec: whole.split(part),
    "duplicated": lambda part, spec: whole.duplicated(part),
    "stray-solid": lambda part, spec: whole.with_stray_solid(part),
    "face-removed": lambda part, spec: whole.face_removed(part),
    "inside-out": lambda part, spec: whole.inside_out(part),
    "boxed": lambda part, spec: whole.boxed(part),
    "null": lambda part, spec: whole.empty(part),
    "random": lambda part, spec: whole.random_body(part, int(spec.amount)),
}

KINDS = tuple(
    [*_WHOLE, "hole-moved", "hole-resized", "hole-dropped", "hole-added", "round-resized",
     "plane-moved", "fillet-added", "chamfer-added", "imprinted"]
)  # fmt: skip
