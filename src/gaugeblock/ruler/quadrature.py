"""Quadrature rules on [0, 1]."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from gaugeblock.ruler.bspline import Floats


@dataclass(frozen=True)
class Rule:
    """Nodes and weights on [0, 1]."""

    nodes: Floats
    weights: Floats
    difference: Floats
    """Weights minus those of the embedded lower-order rule; zeros where there is none."""


@cache
def gauss(order: int) -> Rule:
    """Return the Gauss–Legendre rule: exact to degree 2·order − 1."""
    nodes, weights = np.polynomial.legendre.leggauss(order)
    return Rule(0.5 * (nodes + 1.0), 0.5 * weights, np.zeros(order))


def _kronrod() -> Rule:
    """Return the Gauss–Kronrod pair (7, 15): exact to degrees 13 and 22.

    Piessens et al., QUADPACK (1983), routine QK15.
    """
    half = np.array(
        [
            0.991455371120812639206854697526329,
            0.949107912342758524526189684047851,
            0.864864423359769072789712788640926,
            0.741531185599394439863864773280788,
            0.586087235467691130294144691693013,
            0.405845151377397166906606412076961,
            0.207784955007898467600689403773245,
            0.0,
        ]
    )
    weight = np.array(
        [
            0.022935322010529224963732008058970,
            0.063092092629978553290700663189204,
            0.104790010322250183839876322541518,
            0.140653259715525918745189590510238,
            0.169004726639267902826583426598550,
            0.190350578064785409913256402421014,
            0.204432940075298892414161999234649,
            0.209482141084727828012999174891714,
        ]
    )
    nodes = np.concatenate([-half, half[-2::-1]])
    weights = np.concatenate([weight, weight[-2::-1]])
    coarse = np.zeros(15)
    coarse[1::2] = np.polynomial.legendre.leggauss(7)[1]
    return Rule(0.5 * (nodes + 1.0), 0.5 * weights, 0.5 * (weights - coarse))


KRONROD = _kronrod()
