"""How often a random sheet value would be found: the measure of all values that would be.

A sheet value v is found at a measured m when |v − m| ≤ t(v), and t depends on v in steps. Within
one step (a, b] of constant t the values found are (a, b] ∩ [m − t, m + t]; their union over all
steps and measured values, over the range's length, is the rate. Nothing is sampled.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from gaugeblock.records.spectrum import RandomHits, Spectrum
from gaugeblock.ruler.spectrum.readings import SheetType, Supply, readings_of, supplies_of
from gaugeblock.ruler.spectrum.tolerances import ON_LIMIT, angular_deviation, linear_steps

HALF_TURN = 180.0

Span = tuple[float, float]


def random_hits(spectrum: Spectrum) -> RandomHits:
    """Return the random-hit rate of a body, by type of sheet value, under ISO 2768-m.

    Distances of axes are left out, as in recall. Below 0.5 mm and above 4000 mm, where ISO 2768
    gives no deviation, that of the first and the last step is taken.
    """
    if spectrum.verdict != "measured" or not spectrum.diagonal:
        return RandomHits(verdict="could-not-measure", code=spectrum.code, reason=spectrum.reason)
    supplies = supplies_of(spectrum.dimensions)
    size = spectrum.diagonal
    return RandomHits(
        verdict="measured",
        length=_share(_linear(supplies, "length"), size),
        diameter=_share(_linear(supplies, "diameter"), size),
        radius=_share(_linear(supplies, "radius"), size),
        angle=_share(_angular(supplies), HALF_TURN),
        diagonal=size,
    )


def _linear(supplies: list[Supply], asked: SheetType) -> Iterator[Span]:
    """Yield the sheet values that each measured dimension answers to, mm."""
    for supply in supplies:
        steps = linear_steps(supply.external if asked == "radius" else False)
        for _, measured in readings_of(supply, asked, extended=False):
            low = 0.0
            for number, (limit, deviation) in enumerate(steps):
                high = math.inf if number == len(steps) - 1 else limit
                reach = deviation + ON_LIMIT[asked]
                yield max(low, measured - reach), min(high, measured + reach)
                low = high


def _angular(supplies: list[Supply]) -> Iterator[Span]:
    """Yield the sheet angles that each measured angle answers to, degrees."""
    for supply in supplies:
        for _, measured in readings_of(supply, "angle", extended=False):
            reach = angular_deviation(supply.leg) + ON_LIMIT["angle"]
            yield measured - reach, measured + reach


def _share(spans: Iterable[Span], size: float) -> float:
    """Return the part of [0, size] that spans cover together; empty ones have high < low."""
    covered, reached = 0.0, 0.0
    for low, high in sorted(spans):
        low, high = max(low, reached), min(high, size)
        if high > low:
            covered += high - low
            reached = high
    return covered / size
