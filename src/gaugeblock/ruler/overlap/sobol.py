"""Scrambled Sobol points of the plane.

They are those of ``scipy.stats.qmc.Sobol(2, seed=random)`` to the bit, and a test holds them to it.
That class is not used itself because its package takes as long to import (1 s) as the kernel, and
every start of the worker would pay for it, also where nothing is ever cast.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gaugeblock.ruler.facts.mesh import Floats

BITS = 30
"""Binary digits of a coordinate: a grid of 2⁻³⁰, a millionth of a millimetre in a box of 1 m, is
far finer than lines need to be apart; at most 2³⁰ points differ."""

Digits = NDArray[np.uint32]


def sobol_points(count: int, random: np.random.Generator) -> Floats:
    """Return the first points of a scrambled Sobol sequence.

    The scrambling is a random lower triangular matrix and a digital shift (Matoušek, J. of
    Complexity 14, 1998), so that each point by itself is uniform, and together they fill the square
    evenly: of 2ᵐ points every dyadic rectangle of area 2⁻ᵐ holds one.

    Args:
        count: How many; a power of two, or they are less even than they could be.
        random: Its next child draws the scrambling; it draws nothing itself.

    Returns:
        (count, 2) coordinates, each at least 0 and below 1.
    """
    random = random.spawn(1)[0]
    shift = _numbers(random.integers(2, size=(2, BITS), dtype=np.uint32)[:, ::-1])
    matrices = np.tril(random.integers(2, size=(2, BITS, BITS), dtype=np.uint32))
    matrices[:, range(BITS), range(BITS)] = 1
    # (2, BITS) numbers: what each digit of a point's place in the sequence adds to it.
    steps = _numbers((matrices @ _directions()).swapaxes(1, 2) % 2)
    places = np.arange(count, dtype=np.uint32)
    places ^= places >> 1  # Gray code, so that a point differs from the last by one step
    points = np.tile(shift, (count, 1))
    for digit in range(max(count - 1, 0).bit_length()):
        points ^= ((places >> digit) & 1)[:, None] * steps[:, digit]
    return np.asarray(points * 2.0**-BITS, dtype=np.float64)


def _directions() -> Digits:
    """Return Sobol's direction numbers of the plane as (2, BITS, BITS) digits, highest first.

    Those of the first coordinate are the powers of two, those of the second follow from the
    polynomial x + 1 over two elements: mₖ = 2 mₖ₋₁ ⊕ mₖ₋₁. The last axis is k.
    """
    digits = np.zeros((2, BITS, BITS), dtype=np.uint32)
    known = 1
    for k in range(BITS):
        digits[0, k, k] = 1
        digits[1, : k + 1, k] = [int(digit) for digit in f"{known:0{k + 1}b}"]
        known ^= known << 1
    return digits


def _numbers(digits: Digits) -> Digits:
    """Return the numbers whose BITS digits, highest first, are along the last axis."""
    return np.asarray(digits @ (1 << np.arange(BITS)[::-1]), dtype=np.uint32)
