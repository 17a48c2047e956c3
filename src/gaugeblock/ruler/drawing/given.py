"""Dimensions that the caller lists: each is found on the part and placed, or told."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from gaugeblock.records.spectrum import SheetDimension
from gaugeblock.ruler.drawing.callouts import given_text
from gaugeblock.ruler.drawing.lettering import fitted, number
from gaugeblock.ruler.drawing.printed import Said, located, said
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
from gaugeblock.ruler.spectrum.tolerances import deviations

SAME = 0.005
"""A part's size is a sheet's nominal one if it differs by less, mm or degrees: sheets round to a
hundredth."""

NUMERAL = re.compile(r"\d+(?:\.\d+)?(?P<degree>°?)$")
"""The size that a text ends with."""

LABEL_LIMIT = 60.0
"""Widest printed label, in heights of its letters."""


@dataclass
class _Offer:
    """One size that the part has, and how it would be dimensioned."""

    kind: SizeKind
    value: float
    wish: Linear | Round | Note | Angle
    used: bool = False


@dataclass
class _Shared:
    """A dimension whose label several entries of the list have in common."""

    wish: Linear | Round | Note | Angle
    told: list[tuple[SizeKind, float]]
    """What entries it serves already."""

    def tells(self, item: SheetDimension) -> bool:
        """Whether it serves another entry; the same one again asks for another dimension."""
        if (item.type, item.value) in self.told:
            return False
        self.told.append((item.type, item.value))
        return True


def chosen(given: Sequence[SheetDimension], own: Wishes, subject: Subject) -> Wishes:
    """Return wishes for the listed dimensions only.

    What the part has exactly is placed first. What it has within the tolerance is placed then, and
    prints the size that it has: a drawing that says another would be wrong.

    Args:
        given: The sheet's list.
        own: What the part would be dimensioned with.
        subject: The part.
    """
    choice = _Choice([*_offers(own), *_levels(subject), *_rounds(subject)])
    rest = [item for item in given if not choice.place(item, exactly=True)]
    for item in rest:
        if not choice.place(item, exactly=False):
            text = fitted(given_text(item), 1.0, LABEL_LIMIT)
            choice.out.told.append(f"not placed: {text} (no such {item.type} on the part)")
    return choice.out


@dataclass
class _Choice:
    """Sizes that the part has, and which of them are placed."""

    offers: list[_Offer]
    out: Wishes = field(default_factory=Wishes)
    shared: dict[str, _Shared] = field(default_factory=dict)

    def place(self, item: SheetDimension, *, exactly: bool) -> bool:
        """Place one entry of the list; whether the part has it."""
        limits = (0.0, 0.0) if exactly else deviations(item, external=None, leg=None)
        parts = said(item.label)
        if len(parts) > 1:
            placed = self.shared.get(item.label)
            if placed is not None and placed.tells(item):
                return True
            offer = _match_shared(item, parts, self.offers, limits)
        else:
            offer = _match(item, self.offers, limits)
        if offer is None:
            return False
        offer.used = True
        if len(parts) > 1:
            self.shared[item.label] = _Shared(offer.wish, [(item.type, item.value)])
        text = fitted(_as_built(given_text(item), item, offer.wish), 1.0, LABEL_LIMIT)
        match offer.wish:
            case Linear():
                self.out.linear.append(replace(offer.wish, text=text))
            case Round():
                self.out.round.append(replace(offer.wish, text=text))
            case Note():
                self.out.notes.append(replace(offer.wish, text=text))
            case Angle():
                self.out.angles.append(replace(offer.wish, text=text))
        return True


def _as_built(text: str, item: SheetDimension, wish: Linear | Round | Note | Angle) -> str:
    """Return a label with the sizes that the part has where they are off but within tolerance."""
    parts = said(text)
    if parts and parts[0].step:
        return _chain_as_built(text, parts, wish)
    done, pieces = 0, list[str]()
    for part, end in located(text):
        asked = item
        if (part.type, part.value) != (item.type, item.value):
            asked = SheetDimension(label=text, type=part.type, value=part.value)
        low, high = deviations(asked, external=None, leg=None)
        near = [
            size.value
            for size in _sizes(wish)
            if size.kind == part.type and low - SAME <= size.value - part.value <= high + SAME
        ]
        built = min(near, key=lambda value: abs(value - part.value), default=part.value)
        digits = NUMERAL.search(text[:end])
        alone = text[end : end + 1] in ("", " ", "×")  # the 12 of M12x1.75 is a name
        if digits is None or not alone or abs(built - part.value) < SAME:
            continue
        pieces.append(text[done : digits.start()] + number(built))
        done = end - len(digits["degree"])
    return "".join([*pieces, text[done:]])


def _chain_as_built(text: str, parts: Sequence[Said], wish: Linear | Round | Note | Angle) -> str:
    """Return the label of a chain of equal steps with the whole that the part has."""
    step, whole = parts
    built = _sizes(wish)[0].value
    if abs(built - whole.value) < SAME:
        return text
    return f"{step.count}× {number(built / step.count)} (= {number(built)})"


def _sizes(wish: Linear | Round | Note | Angle) -> tuple[Size, ...]:
    """Return what a wish measures on the part."""
    match wish:
        case Linear():
            return (Size("diameter" if wish.diameter else "length", wish.length),)
        case Round():
            return (Size(wish.kind, (2.0 if wish.kind == "diameter" else 1.0) * wish.radius),)
        case Angle():
            return (Size("angle", wish.degrees),)
        case Note():
            return wish.sizes


def _match_shared(
    item: SheetDimension,
    parts: Sequence[Said],
    offers: Sequence[_Offer],
    limits: tuple[float, float],
) -> _Offer | None:
    """Return the offer for a label of several sizes: a chain's whole, or a note that tells most."""
    if parts[0].step:
        whole = item.model_copy(update={"value": parts[-1].value})
        if any(limits):
            limits = deviations(whole, external=None, leg=None)
        lengths = [o for o in offers if isinstance(o.wish, Linear)]
        alike = [o for o in lengths if _steps(o.wish.text) == parts[0].count]
        # Two other places may be as far apart, without anything at the steps between.
        return _match(whole, alike, limits) or _match(whole, lengths, limits)

    def told(offer: _Offer) -> int:
        assert isinstance(offer.wish, Note)
        sizes = offer.wish.sizes
        return sum(any(_same(size, part) for size in sizes) for part in parts)

    notes = [o for o in offers if isinstance(o.wish, Note)]
    return _match(item, sorted(notes, key=told, reverse=True), limits)


def _steps(text: str) -> int:
    """Return of how many equal steps a label says it is, 0 of none."""
    parts = said(text)
    return parts[0].count if parts and parts[0].step else 0


def _same(size: Size, part: Said) -> bool:
    return size.kind == part.type and abs(size.value - part.value) < SAME


def _match(
    item: SheetDimension, offers: Sequence[_Offer], limits: tuple[float, float]
) -> _Offer | None:
    """Return the unused offer of the listed type and value: the one that reads as the label does
    for longest, then the nearest, then the first.

    Args:
        item: What is asked.
        offers: What the part has.
        limits: Lower and upper deviation that it may have, mm or degrees.
    """
    low, high = item.value + limits[0] - SAME, item.value + limits[1] + SAME
    fit = [o for o in offers if o.kind == item.type and low <= o.value <= high and not o.used]

    def farness(offer: _Offer) -> tuple[int, float]:
        # A thread's diameter is fitted: of M16x2 and M16x2-LH the words tell, not the fifth digit.
        reads = len(offer.wish.text) if item.label.startswith(offer.wish.text) else 0
        return -reads, round(abs(offer.value - item.value), 6)

    return min(fit, key=farness, default=None)


def _offers(own: Wishes) -> Iterator[_Offer]:
    """Yield the sizes that the drawing would show anyway."""
    for wish in own.linear:
        yield _Offer("diameter" if wish.diameter else "length", wish.length, wish)
    for ring in own.round:
        diameter = ring.kind == "diameter"
        yield _Offer(ring.kind, (2.0 if diameter else 1.0) * ring.radius, ring)
    for angle in own.angles:
        yield _Offer("angle", angle.degrees, angle)
    for note in (*own.notes, *own.general):
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
