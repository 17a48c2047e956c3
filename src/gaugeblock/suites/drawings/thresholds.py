"""From which value on each of the five dimensions counts as right; see docs and the source."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

THRESHOLDS: Mapping[str, Fraction] = {
    "dimensionRecall": Fraction(95, 100),
    "semanticMatch": Fraction(90, 100),
    "shapeIoU": Fraction(90, 100),
    "threadMatch": Fraction(1),
    "drawingMatch": Fraction(90, 100),
}
"""The source's own. As fractions, since 19 of 20 is 0.95 and 0.95 is no binary number."""

SAME_SHAPE = 1e-6
"""How far below 1 the IoU of the right shape may lie: the ruler accepts booleans that add up to
within 1e-6, and a part built anew from the same sizes lies a thousand times nearer."""
