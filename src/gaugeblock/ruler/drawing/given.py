"""Dimensions that the caller lists: each is found on the part and placed, or told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from gaugeblock.records.spectrum import SheetDimension
from gaugeblock.ruler.drawing.callouts import given_text
from gaugeblock.ruler.drawing.lettering import fitted
from gaugeblock.ruler.drawing.subject import Barrel, Subject, aligned, barrels
from gaugeblock.ruler.drawing.wishes import (
    Angle,
    Linear,
    Note,
    Places,
    Round,
    Size,
    SizeKind,
    Spot,
    Wishes,
)

SAME = 0.005
"""A part's size is a sheet's nominal one if it differs by less, mm or degrees: sheets round to a
hundredth."""

LABEL_LIMIT = 60.0
"""Widest printed label, in heights of its letters."""


@dataclass
class _Offer:
    """One size that the part has, and how it would be dimensioned."""

    kind: SizeKind
    value: float
    wish: Linear | Round | Note | Angle
    used: bool = False


def chosen(given: Sequence[SheetDimension], own: Wishes, subject: Subject) -> Wishes:
    """Return wishes for the listed dimensions only.

    Args:
        given: The sheet's list.
        own: What the part would be dimensioned with.
        subject: The part.
    """
    offers = [*_offers(own), *_levels(subject), *_rounds(subject)]
    out = Wishes(told=[], printed=[])
    for item in given:
        offer = _match(item, offers)
        text = fitted(given_text(item), 1.0, LABEL_LIMIT)
        if offer is None:
            out.told.append(f"not placed: {text} (no such {item.type} on the part)")
            continue
        offer.used = True
        match offer.wish:
            case Linear():
                out.linear.append(replace(offer.wish, text=text))
            case Round():
                out.round.append(replace(offer.wish, text=text))
            case Note():
                out.notes.append(replace(offer.wish, text=text))
            case Angle():
                out.angles.append(replace(offer.wish, text=text))
    return out


def _match(item: SheetDimension, offers: Sequence[_Offer]) -> _Offer | None:
    """Return the first offer of the listed type and value, unused ones first."""
    low = item.value + min(item.lower or 0.0, 0.0) - SAME
    high = item.value + max(item.upper or 0.0, 0.0) + SAME
    fit = [o for o in offers if o.kind == item.type and low <= o.value <= high and not o.used]
    return min(fit, key=lambda o: round(abs(o.value - item.value), 6), default=None)


def _offers(own: Wishes) -> Iterator[_Offer]:
    """Yield the sizes that the drawing would show anyway."""
    for wish in own.linear:
        yield _Offer("diameter" if wish.diameter else "length", wish.length, wish)
    for ring in own.round:
        diameter = ring.kind == "diameter"
        yield _Offer(ring.kind, (2.0 if diameter else 1.0) * ring.radius, ring)
    for angle in own.angles:
        yield _Offer("angle", angle.degrees, angle)
    for note in own.notes:
        for size in note.sizes:
            yield _Offer(size.kind, size.value, note)


def _levels(subject: Subject) -> Iterator[_Offer]:
    """Yield the distances of all planes and axes in each direction, planes first."""
    for k in range(3):
        found: dict[float, tuple[int, Places, int | None]] = {}
        for face in subject.faces:
            along = aligned(face.axis) if face.kind == "Plane" else None
            if along is not None and along[0] == k:
                found.setdefault(round(float(face.point[k]), 6), (0, (), None))
        for barrel in barrels(subject.faces, 10 * subject.close):
            at = round(float(barrel.centre[k]), 6)
            if barrel.axis != k and at not in found:
                found[at] = (1, (barrel.centre,), barrel.axis)
        pairs = [(found[a][0] + found[b][0], a, b) for a in found for b in found if a < b]
        for _, a, b in sorted(pairs):
            best = found[a][2] if found[a][2] is not None else found[b][2]
            wish = Linear(k, (a, b), "", at=(found[a][1], found[b][1]), best=best)
            yield _Offer("length", b - a, wish)


def _rounds(subject: Subject) -> Iterator[_Offer]:
    """Yield the diameters and radii of all cylinders."""
    for barrel in barrels(subject.faces, 10 * subject.close):
        spot = Spot(barrel.centre, barrel.radius, barrel.axis, convex=barrel.outward > 0)
        yield _Offer("diameter", 2.0 * barrel.radius, _note(spot, barrel))
        yield _Offer("radius", barrel.radius, _note(spot, barrel))


def _note(spot: Spot, barrel: Barrel) -> Note:
    return Note("", (spot,), sizes=(Size("radius", barrel.radius),))
