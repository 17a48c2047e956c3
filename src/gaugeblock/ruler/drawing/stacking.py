"""Parallel dimension lines beside a view: short ones near it, texts clear of all other lines.

Works on one side of one view, along its edge (x for dimensions below or above, y for those beside)
and away from it, in mm of paper.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gaugeblock.ruler.drawing.ink import TAIL, TIGHT
from gaugeblock.ruler.drawing.lettering import DESCENT, width

FIRST = 5.0
"""From the view to the nearest text of the first dimension line, mm; ISO 129-1: clear of it."""

BETWEEN = 2.2
"""Between a dimension line and the next text, mm."""

APART = 1.5
"""Between texts, or between text and a foreign extension line, mm."""


@dataclass(frozen=True)
class Bar:
    """A dimension to be stacked."""

    low: float
    high: float
    text: str


@dataclass(frozen=True)
class Stacked:
    """Where it came to lie."""

    lane: int
    middle: float
    """Of its text, along the side."""
    origin: float | None = None
    """Where a running dimension begins; None: it has a line of its own."""


def pitch(height: float) -> float:
    """Return the distance of two dimension lines, mm."""
    return height * (1.0 + DESCENT) + BETWEEN + 1.0


def first(height: float) -> float:
    """Return the distance of the first dimension line from the view, mm."""
    return height * (1.0 + DESCENT) + FIRST


def stacked(bars: Sequence[Bar], height: float, farther: Sequence[float] = ()) -> list[Stacked]:
    """Return the lane of each bar and where its text stands.

    Args:
        bars: What is stacked.
        height: Of the text, mm.
        farther: Where extension lines run through to what stands farther out.
    """
    centre = 0.5 * (
        min((b.low for b in bars), default=0.0) + max((b.high for b in bars), default=0.0)
    )
    queue = sorted(range(len(bars)), key=lambda i: (bars[i].high - bars[i].low, bars[i].low, i))
    lanes: list[list[tuple[float, float]]] = []
    found: dict[int, Stacked] = {}
    deferred: set[int] = set()
    while queue:
        i = queue.pop(0)
        bar, waiting = bars[i], [bars[j] for j in queue]
        place: Stacked | None = None
        for lane in range(len(lanes) + 1):
            outer = [bars[j] for j, other in found.items() if other.lane >= lane]
            foreign = [*farther, *(x for b in waiting + outer for x in (b.low, b.high))]
            taken = lanes[lane] if lane < len(lanes) else []
            middle = _text_place(bar, height, taken, foreign, centre)
            if middle is not None:
                place = Stacked(lane, middle)
                break
        if place is None and i not in deferred:
            # Outside of all others nothing runs through its text.
            deferred.add(i)
            queue.append(i)
            continue
        if place is None:
            place = Stacked(len(lanes), _beyond(bar, height, waiting, farther))
        if place.lane == len(lanes):
            lanes.append([])
        lanes[place.lane] += _taken(bar, place.middle, height)
        found[i] = place
    return [found[i] for i in range(len(bars))]


def _beyond(bar: Bar, height: float, waiting: Sequence[Bar], farther: Sequence[float]) -> float:
    """Return where a text stands clear of all lines that are still to come: beside the last."""
    last = max([*farther, *(x for b in (bar, *waiting) for x in (b.low, b.high))])
    return last + TAIL + APART + 0.5 * width(bar.text, height)


def _taken(bar: Bar, middle: float, height: float) -> list[tuple[float, float]]:
    """Return what a dimension takes up of its lane."""
    half = 0.5 * width(bar.text, height)
    tail = TAIL if bar.high - bar.low < TIGHT else 0.0
    low = min(bar.low - tail, middle - half)
    high = max(bar.high + tail, middle + half)
    return [(low, high)]


def _text_place(
    bar: Bar,
    height: float,
    taken: Sequence[tuple[float, float]],
    foreign: Sequence[float],
    centre: float,
) -> float | None:
    """Return where a text may stand in a lane, or None; beside its line rather towards `centre`,
    away from what stands around the corner of the view.
    """
    half = 0.5 * width(bar.text, height)
    middle, long = 0.5 * (bar.low + bar.high), bar.high - bar.low
    tail = TAIL if long < TIGHT else 1.0
    places = []
    room = 0.5 * long - half - 0.5
    if room >= 0:
        steps = [0.0] + [s * room * f for f in (0.25, 0.5, 0.75, 1.0) for s in (1, -1)]
        places += [middle + step for step in steps]
    beside = [bar.high + tail + half, bar.low - tail - half]
    places += sorted(beside, key=lambda place: round(abs(place - centre), 6))
    for place in places:
        low, high = place - half, place + half
        if any(low - APART < x < high + APART for x in foreign if not _own(x, bar, low, high)):
            continue
        a, b = _taken(bar, place, height)[0]
        # Dimensions in a chain touch at their ends; texts keep apart.
        if all(b <= c + 1e-6 or a >= d - 1e-6 for c, d in taken):
            return place
    return None


def _own(x: float, bar: Bar, low: float, high: float) -> bool:
    """Whether a foreign line runs where the bar's own extension line does, clear of the text."""
    return min(abs(x - bar.low), abs(x - bar.high)) < 1e-6 and not low < x < high
