"""Which sizes a part needs, each once: see README.md for the rules and their order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar

import numpy as np

from gaugeblock.ruler.drawing import feature_sizes, treatments
from gaugeblock.ruler.drawing.anatomy import Face
from gaugeblock.ruler.drawing.hole_positions import holes
from gaugeblock.ruler.drawing.lettering import number
from gaugeblock.ruler.drawing.levels import Levels
from gaugeblock.ruler.drawing.printed import LEAST, too_small
from gaugeblock.ruler.drawing.rounds import round_parts, round_places
from gaugeblock.ruler.drawing.sizing import FACE, OVERALL, SIZE, Sizing
from gaugeblock.ruler.drawing.subject import Subject, aligned
from gaugeblock.ruler.drawing.turned_sizes import turned_sizes
from gaugeblock.ruler.drawing.wishes import Linear, Mark, Note, Round, Wishes

NEAR_END = 0.3
"""A face nearer than this part of the whole to the far end is dimensioned from there, as the
thickness of a wall is."""

WALL = 0.35
"""Two facing planes nearer than this part of the whole are the sides of a wall or rib."""

ALIKE = 0.5
"""Areas of a wall's sides differ by at most this factor."""


def wishes_of(subject: Subject, sectioned: bool) -> Wishes:
    """Return all dimensions that a part needs.

    Args:
        subject: The part.
        sectioned: Whether a section along the axis of a turned part is drawn.
    """
    sizing = Sizing(subject, sectioned, Levels(10 * subject.close))
    _seed(sizing)
    round_parts(sizing)
    if subject.turned is not None:
        turned_sizes(sizing)
    _overall(sizing)
    feature_sizes.recesses(sizing)
    feature_sizes.grooves(sizing)
    holes(sizing)
    feature_sizes.bosses(sizing)
    round_places(sizing)
    _planes(sizing)
    treatments.angles(sizing)
    treatments.fillets(subject, sizing.out)
    treatments.chamfers(subject, sizing.out)
    return sizing.out


_Text = TypeVar("_Text", Linear, Round, Note, Mark)


def printable(wishes: Wishes) -> Wishes:
    """Return wishes without those that would print a length below `printed.LEAST`, which is told.

    Args:
        wishes: All that a part needs.
    """
    small = 0

    def kept(asked: Iterable[_Text]) -> list[_Text]:
        nonlocal small
        every = list(asked)
        found = [wish for wish in every if not too_small(wish.text)]
        small += len(every) - len(found)
        return found

    linear = [
        replace(wish, otherwise=None) if wish.otherwise and too_small(wish.otherwise.text) else wish
        for wish in kept(wishes.linear)
    ]
    tables = [replace(table, marks=tuple(kept(table.marks))) for table in wishes.tables]
    general = [line for line in wishes.printed if not too_small(line)]
    small += len(wishes.printed) - len(general)
    found = replace(
        wishes,
        linear=linear,
        round=kept(wishes.round),
        notes=kept(wishes.notes),
        tables=[table for table in tables if table.marks],
        printed=general,
    )
    if small:
        sizes = "1 size" if small == 1 else f"{small} sizes"
        found.told = [*found.told, f"too small to print: {sizes} below {LEAST:g} mm"]
    return found


def _seed(sizing: Sizing) -> None:
    """Make levels of bounds and planes first, so that all later ones snap to them."""
    for k in range(3):
        sizing.levels.add(k, sizing.low(k))
        sizing.levels.add(k, sizing.high(k))
    for face in sizing.subject.faces:
        along = aligned(face.axis) if face.kind == "Plane" else None
        if along is not None and sizing.levelled(face):
            sizing.levels.add(along[0], float(face.point[along[0]]))
    if sizing.subject.turned is not None:
        for face in sizing.subject.faces:
            if sizing.tapered(face):
                for at in face.reach(np.eye(3)[0]):
                    sizing.levels.add(0, at)


def _overall(sizing: Sizing) -> None:
    """Ask for the part's length, width and height; a round end follows from its middle."""
    for k in range(3):
        flat = {end: sizing.flat(k, end) for end in (sizing.low(k), sizing.high(k))}
        for end, other in ((sizing.low(k), sizing.high(k)), (sizing.high(k), sizing.low(k))):
            barrel = sizing.round_ends.get((k, sizing.levels.exact(k, end)))
            if barrel is not None and flat[other] and not flat[end]:
                sizing.tie(
                    k,
                    other,
                    float(barrel.centre[k]),
                    rank=OVERALL,
                    at=((), (barrel.centre,)),
                    best=barrel.axis,
                )
        sizing.tie(k, sizing.low(k), sizing.high(k), rank=OVERALL)


def _walls(sizing: Sizing, k: int) -> None:
    """Ask for the thickness of walls and ribs: material between two facing planes."""
    low, high = sizing.low(k), sizing.high(k)
    sides: dict[float, list[Face]] = {-1.0: [], 1.0: []}
    for face in sizing.subject.faces:
        along = aligned(face.axis) if face.kind == "Plane" else None
        if along is not None and along[0] == k and sizing.levelled(face):
            sides[along[1]].append(face)
    found = []
    for a in sides[-1.0]:
        for b in sides[1.0]:
            thick = float(b.point[k] - a.point[k])
            if not 0 < thick < WALL * (high - low):
                continue
            if min(a.area, b.area) > ALIKE * max(a.area, b.area) and _facing(a, b, k):
                found.append((thick, float(a.point[k]), float(b.point[k])))
    groups: dict[str, list[tuple[float, float]]] = {}
    for thick, first, last in sorted(set(found)):
        groups.setdefault(number(thick), []).append((first, last))
    for alike in groups.values():
        sizing.tie_alike(k, alike, rank=SIZE)


def _planes(sizing: Sizing) -> None:
    """Tie all planes that nothing else has tied."""
    for k in range(3):
        if sizing.subject.turned is None:
            _walls(sizing, k)
        low, high = sizing.low(k), sizing.high(k)
        areas: dict[float, float] = {}
        best: dict[float, int | None] = {}
        for face in sizing.subject.faces:
            along = aligned(face.axis) if face.kind == "Plane" else None
            if along is not None and along[0] == k and sizing.levelled(face):
                at = sizing.levels.exact(k, float(face.point[k]))
                areas[at] = areas.get(at, 0.0) + face.area
                best[at] = None
        total = max(sum(areas.values()), 1e-300)
        for at in sorted(sizing.levels.loose(k, low), key=lambda a: (-areas.get(a, 0.0), a)):
            if sizing.levels.tied(k, at, low):
                continue
            far = high - at < NEAR_END * (high - low) and sizing.levels.tied(k, low, high)
            sizing.tie(
                k,
                high if far else low,
                at,
                rank=FACE + 1.0 - areas.get(at, 0.0) / total,
            )


def _facing(a: Face, b: Face, k: int) -> bool:
    """Whether two planes across k lie before each other over half of their extent."""
    for n in (n for n in range(3) if n != k):
        (p, q), (r, s) = a.reach(np.eye(3)[n]), b.reach(np.eye(3)[n])
        if min(q, s) - max(p, r) < 0.5 * max(q - p, s - r):
            return False
    return True
