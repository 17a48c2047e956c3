"""Sizes of cylinders that no feature owns: diameters, radii, and what follows from them."""

from __future__ import annotations

import numpy as np

from gaugeblock.records.features import Boss
from gaugeblock.ruler.drawing.anatomy import Face, Floats
from gaugeblock.ruler.drawing.callouts import counted
from gaugeblock.ruler.drawing.lettering import number
from gaugeblock.ruler.drawing.sizing import POSITION, SIZE, Sizing
from gaugeblock.ruler.drawing.subject import Barrel, barrels, joined_by_size
from gaugeblock.ruler.drawing.wishes import Note, Round, Size, Spot


def round_parts(sizing: Sizing) -> None:
    """Ask for diameters and radii of cylinders, those of turned parts' own axis left out."""
    subject = sizing.subject
    loose = [face for face in subject.faces if _shaped(sizing, face)]
    found = barrels(loose, 10 * subject.close)
    arcs: list[Barrel] = []
    for group in joined_by_size(found, 10 * subject.close):
        whole = [b for b in group if b.whole]
        arcs += [b for b in group if not b.whole]
        if not whole:
            continue
        if subject.turned is not None and whole[0].axis == 0:
            continue
        _circles(sizing, whole)
    for group in joined_by_size(arcs, 10 * subject.close):
        # Where an arc goes over tangentially its place follows from what it touches.
        first = group[0]
        spots = tuple(Spot(b.centre, b.radius, b.axis, convex=b.outward > 0) for b in group)
        if not (subject.turned is not None and all(sizing.about_axis(b) for b in group)):
            # Arcs one behind the other are seen as one.
            middles = [np.delete(b.centre, b.axis) for b in group]
            places = distinct(middles, 10 * subject.close)
            text = counted(places, f"R{number(first.radius)}")
            sizes = (Size("radius", first.radius),)
            sizing.out.notes.append(Note(text, spots, sizing.names(group), rank=SIZE, sizes=sizes))
        for barrel in group:
            _tie_round(sizing, barrel)


def round_places(sizing: Sizing) -> None:
    """Ask for the place of whole cylinders that nothing has placed yet: a pin beside a plate."""
    subject = sizing.subject
    for barrel in barrels([f for f in subject.faces if subject.free(f)], 10 * subject.close):
        if not barrel.whole or sizing.about_axis(barrel):
            continue
        for d in (n for n in range(3) if n != barrel.axis):
            at = ((), (barrel.centre,))
            middle = float(barrel.centre[d])
            sizing.tie(d, sizing.low(d), middle, rank=POSITION, at=at, best=barrel.axis)


def _shaped(sizing: Sizing, face: Face) -> bool:
    owner = sizing.subject.claimed.get((face.solid, face.number))
    return owner is None or isinstance(owner, Boss)


def _circles(sizing: Sizing, group: list[Barrel]) -> None:
    """Dimension whole cylinders of one size."""
    first = group[0]
    places = distinct([np.delete(b.centre, b.axis) for b in group], 10 * sizing.subject.close)
    text = counted(places, f"⌀{number(2 * first.radius)}")
    sizing.out.round.append(
        Round("diameter", first.centre, first.radius, first.axis, text, sizing.names(group))
    )
    for barrel in group:
        _tie_round(sizing, barrel)


def _tie_round(sizing: Sizing, barrel: Barrel) -> None:
    """Note that a round outline's ends follow from its middle."""
    points = np.concatenate([face.points for face in barrel.faces])
    for k in range(3):
        if k == barrel.axis:
            continue
        centre = float(barrel.centre[k])
        for sign in (-1.0, 1.0):
            end = centre + sign * barrel.radius
            reached = np.abs(points[:, k] - end).min() < 1e-3 * barrel.radius
            known = any(abs(at - end) < sizing.levels.close for at in sizing.levels.at[k])
            if (reached or barrel.whole) and known:
                sizing.levels.tie(k, centre, end)
                sizing.round_ends[(k, sizing.levels.exact(k, end))] = barrel


def distinct(places: list[Floats], close: float) -> int:
    """Return how many of some places are different."""
    kept: list[Floats] = []
    for place in places:
        if all(float(np.linalg.norm(place - other)) > close for other in kept):
            kept.append(place)
    return len(kept)
