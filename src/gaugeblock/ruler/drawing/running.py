"""Running dimensions (ISO 129-1, superimposed): many lengths from one origin along one line.

They take one lane beside a view where parallel dimension lines would take as many as there are
lengths. Each number stands at the end of its own extension line, which bends where numbers would
come too close. mm of paper, along the side of the view.
"""

from __future__ import annotations

from collections.abc import Sequence

from gaugeblock.ruler.drawing.lettering import DESCENT
from gaugeblock.ruler.drawing.stacking import Bar, Stacked, stacked

LEAST = 3
"""Lengths from one origin that make a running set."""

DEEP = 3
"""Lanes up to which parallel dimension lines are read more easily."""

CLOSE = 1e-4
"""Ends nearer than this are one, mm."""

APART = 0.9
"""Between two numbers, mm."""

BEND = 3.0
"""Room in which extension lines bend to their numbers, mm."""


def pitch(height: float) -> float:
    """Return the least distance of two numbers along the side, mm."""
    return height * (1.0 + DESCENT) + APART


def stacked_running(bars: Sequence[Bar], height: float) -> list[Stacked]:
    """Return lanes and places of texts, lengths from the commonest origin in one outermost lane.

    Args:
        bars: What is stacked.
        height: Of the text, mm.
    """
    plain = stacked(bars, height)
    origin = commonest([(bar.low, bar.high) for bar in bars])
    if origin is None or max(place.lane for place in plain) < DEEP:
        return plain
    own = [
        n
        for n, bar in enumerate(bars)
        if origin in (_same(bar.low, origin), _same(bar.high, origin))
    ]
    rest = [n for n in range(len(bars)) if n not in own]
    far = [bars[n].high if _same(bars[n].low, origin) == origin else bars[n].low for n in own]
    inner = stacked([bars[n] for n in rest], height, [origin, *far])
    lane = max((place.lane for place in inner), default=-1) + 1
    found = dict(zip(rest, inner, strict=True))
    for n, middle in zip(own, spread(far, pitch(height)), strict=True):
        found[n] = Stacked(lane, middle, origin)
    return [found[n] for n in range(len(bars))]


def _same(at: float, origin: float) -> float:
    """Return the origin where a coordinate lies on it, else the coordinate."""
    return origin if abs(at - origin) < CLOSE else at


def commonest(spans: Sequence[tuple[float, float]]) -> float | None:
    """Return the coordinate at which most spans end, if a set of them may run from it."""
    ends = [end for span in spans for end in span]
    count = {end: sum(abs(end - other) < CLOSE for other in ends) for end in ends}
    best = max(count, key=lambda end: (count[end], -end), default=None)
    return best if best is not None and count[best] >= LEAST else None


def spread(wanted: Sequence[float], apart: float) -> list[float]:
    """Return places in the wanted order, at least so far apart, as near the wanted as may be.

    Args:
        wanted: Where each would stand, in any order.
        apart: Least distance of two, mm.
    """
    order = sorted(range(len(wanted)), key=lambda n: (wanted[n], n))
    # Less its number of steps each may stand anywhere not below the one before it: the least
    # squares of that are means of pooled neighbours.
    pools: list[tuple[float, int]] = []
    for place, n in enumerate(order):
        total, size = wanted[n] - place * apart, 1
        while pools and pools[-1][0] / pools[-1][1] > total / size:
            before = pools.pop()
            total, size = total + before[0], size + before[1]
        pools.append((total, size))
    level = [total / size for total, size in pools for _ in range(size)]
    found = [0.0] * len(wanted)
    for place, n in enumerate(order):
        found[n] = level[place] + place * apart
    return found
