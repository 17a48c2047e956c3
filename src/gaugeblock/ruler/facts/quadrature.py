"""Quadrature rules on [0, 1]."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from gaugeblock.ruler.facts.bspline import Floats


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


@cache
def kronrod(order: int) -> Rule:
    """Return the Gauss–Kronrod pair (order, 2·order + 1): exact to 2·order − 1 and 3·order + 1.

    The added nodes are the roots of Stieltjes' polynomial E, of degree order + 1, for which
    ∫ P_order E P_k = 0 on [−1, 1] for k = 0 … order; the weights follow from the moments
    (Kronrod 1965; Monegato, SIAM Review 24, 1982). Well conditioned for the small orders used.
    """
    legendre = np.polynomial.legendre
    x, w = legendre.leggauss(2 * order + 3)
    values = legendre.legvander(x, order + 1)
    products = (values[:, : order + 1] * (w * values[:, order])[:, None]).T @ values
    lower = np.linalg.solve(products[:, : order + 1], -products[:, order + 1])
    inner, inner_weights = legendre.leggauss(order)
    added = np.sort(legendre.legroots(np.append(lower, 1.0)).real)
    nodes = np.sort(np.concatenate([inner, added]))
    nodes = 0.5 * (nodes - nodes[::-1])
    moments = np.zeros(2 * order + 1)
    moments[0] = 2.0
    weights = np.linalg.solve(legendre.legvander(nodes, 2 * order).T, moments)
    coarse = np.zeros(2 * order + 1)
    coarse[1::2] = inner_weights
    solved = np.asarray(weights, dtype=np.float64)
    return Rule(0.5 * (nodes + 1.0), 0.5 * solved, 0.5 * (solved - coarse))
