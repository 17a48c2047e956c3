"""The random-hit rate: exact where it can be added up by hand, and as often as dice hit."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import overlap_shapes
import pytest
import ruler_shapes as shapes
import spectrum_shapes as made
from spectrum_shapes import asked, take

from gaugeblock.records.spectrum import Spectrum
from gaugeblock.ruler.spectrum.chance import random_hits
from gaugeblock.ruler.spectrum.matching import match_sheet
from gaugeblock.ruler.spectrum.tolerances import LINEAR

SLACK = 1e-4
"""mm by which a value on a limit may lie beyond it."""


def test_box_by_hand() -> None:
    """10 ± 0.2, 20 ± 0.2, and at 30 the step: 0.2 below it and 0.3 above; the angle 90° ± 1°."""
    hits = random_hits(take(shapes.box(10, 20, 30)))
    hand = (0.4 + 0.4 + 0.2 + 0.3 + 6 * SLACK) / math.sqrt(1400)
    assert hits.length == pytest.approx(hand, rel=1e-9)
    assert hits.diameter == hits.radius == 0.0
    assert hits.angle == pytest.approx((2 * 1.0 + 2e-3) / 180, rel=1e-9)
    assert hits.diagonal == pytest.approx(math.sqrt(1400))


def test_a_step_cuts_what_it_must() -> None:
    """30.25 is answered by (30, 30.55] at ± 0.3 and, since 30.25 − 0.2 > 30, by nothing below."""
    hits = random_hits(take(shapes.box(30.25, 30.25, 30.25)))
    assert hits.length == pytest.approx((0.55 + SLACK) / (30.25 * math.sqrt(3)), rel=1e-9)


def test_overlapping_values_count_once() -> None:
    one = random_hits(take(shapes.box(10, 10, 10.1)))
    assert one.length == pytest.approx((0.5 + 2 * SLACK) / math.sqrt(200 + 10.1**2), rel=1e-9)


PARTS: dict[str, Callable[[], Any]] = {
    "tray": lambda: shapes.tray()[0],
    "chiral": overlap_shapes.chiral,
    "shaft": made.shaft,
    "slotted": made.slotted,
    "bearing block": made.bearing_block,
}


def deviation(nominal: np.ndarray) -> np.ndarray:
    """Written apart from the ruler's own look-up."""
    limits = np.array([limit for limit, _ in LINEAR[:-1]])
    return np.array([step for _, step in LINEAR])[np.searchsorted(limits, nominal, side="left")]


@pytest.mark.parametrize("name", PARTS)
def test_as_often_as_dice_hit(name: str) -> None:
    """200,000 draws; five standard deviations are exceeded once in two million."""
    spectrum = take(PARTS[name]())
    hits = random_hits(spectrum)
    assert spectrum.diagonal is not None
    draws = 200_000
    dice = np.random.default_rng(20260101)
    nominal = dice.uniform(0, spectrum.diagonal, draws)
    for kinds, rate in (
        (("edge-length", "plane-distance", "axial-length"), hits.length),
        (("diameter",), hits.diameter),
    ):
        measured = np.array([d.value for d in spectrum.dimensions if d.kind in kinds])
        near = np.abs(nominal[:, None] - measured[None]).min(axis=1, initial=np.inf)
        share = float((near <= deviation(nominal) + SLACK).mean())
        assert rate is not None
        assert abs(share - rate) <= 5 * math.sqrt(rate * (1 - rate) / draws)


@pytest.mark.parametrize("kind", ["length", "diameter", "radius", "angle"])
def test_as_often_as_the_matching_itself_hits(kind: str) -> None:
    """Sheets of one random value each, through the matching; five standard deviations of 1500."""
    spectrum = take(made.bearing_block())
    rate = getattr(random_hits(spectrum), kind)
    assert spectrum.diagonal is not None
    top = 180.0 if kind == "angle" else spectrum.diagonal
    draws = 1500
    dice = np.random.default_rng(7)
    found = [
        match_sheet(spectrum, [asked(kind, value)]).found
        for value in dice.uniform(0.5, top, draws).tolist()
    ]
    # Below 0.5 mm no sheet value has a general tolerance; nothing of this part is so small.
    rate *= top / (top - 0.5)
    share = sum(number or 0 for number in found) / draws
    assert 0 < rate < 1
    assert abs(share - rate) <= 5 * math.sqrt(rate * (1 - rate) / draws)


def test_denser_parts_are_easier_to_hit() -> None:
    plain = random_hits(take(shapes.box(120, 80, 40))).length
    dense = random_hits(take(shapes.tray()[0])).length
    assert plain is not None and dense is not None
    assert dense > 2 * plain


def test_unmeasured_spectra_have_no_rate() -> None:
    box: Spectrum = take(shapes.box(1, 2, 3))
    lost = box.model_copy(update={"verdict": "could-not-measure", "code": "timeout", "reason": "x"})
    hits = random_hits(lost)
    assert (hits.verdict, hits.code, hits.length) == ("could-not-measure", "timeout", None)
