"""B-spline bases in vectorised numpy (de Boor–Cox; Piegl & Tiller, The NURBS Book, A2.2, A2.3).

Knots are flat (repeated by multiplicity) and non-periodic. Outside the knot range the end spans
continue as polynomials, which is what the kernel does too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Axis:
    """One parametric direction of a B-spline."""

    degree: int
    knots: Floats
    """Flat knots, length poles + degree + 1."""
    period: float
    """Parameter period, 0 when not periodic."""

    @property
    def first(self) -> float:
        """Start of the knot range."""
        return float(self.knots[self.degree])

    @property
    def last(self) -> float:
        """End of the knot range."""
        return float(self.knots[-self.degree - 1])

    def breaks(self, low: float, high: float) -> Floats:
        """Return the knots strictly inside (low, high), periodic ones at every turn."""
        inner = np.unique(self.knots[self.degree : len(self.knots) - self.degree])
        if self.period:
            turns = np.arange(
                np.floor((low - self.first) / self.period),
                np.ceil((high - self.first) / self.period) + 1,
            )
            inner = np.unique((inner[None, :] + turns[:, None] * self.period).ravel())
        elif len(inner) > 2:
            inner = inner[1:-1]  # beyond its ends the surface continues without a break
        else:
            return np.empty(0)
        eps = 1e-12 * max(1.0, abs(low), abs(high))
        return inner[(inner > low + eps) & (inner < high - eps)]

    def reduced(self, at: Floats, inside: Floats) -> tuple[Floats, Ints]:
        """Return parameters brought into the base period and their span numbers.

        Args:
            at: Parameters.
            inside: For each, a parameter in the interior of the span meant, so that a parameter on
                a knot takes the side its integration interval lies on.
        """
        if self.period:
            shift = np.floor((inside - self.first) / self.period) * self.period
            at, inside = at - shift, inside - shift
        span = np.searchsorted(self.knots, inside, side="right") - 1
        return at, np.clip(span, self.degree, len(self.knots) - self.degree - 2)


def basis(axis: Axis, at: Floats, span: Ints) -> tuple[Floats, Floats]:
    """Return values and first derivatives of the degree+1 basis functions of each span.

    Args:
        axis: Degree and knots.
        at: (n,) parameters in the base period.
        span: (n,) span numbers.

    Returns:
        Two (n, degree + 1) arrays, for poles span − degree … span.
    """
    degree, knots = axis.degree, axis.knots
    values = np.ones((len(at), 1))
    lower = values
    for order in range(1, degree + 1):
        lower = values
        values = np.zeros((len(at), order + 1))
        for j in range(order):
            right = knots[span + j + 1]
            left = knots[span + j + 1 - order]
            part = lower[:, j] / (right - left)
            values[:, j] += part * (right - at)
            values[:, j + 1] += part * (at - left)
    slopes = np.zeros_like(values)
    if degree:
        for j in range(degree):
            part = degree * lower[:, j] / (knots[span + j + 1] - knots[span + j + 1 - degree])
            slopes[:, j] -= part
            slopes[:, j + 1] += part
    return values, slopes


@dataclass(frozen=True)
class Patch:
    """A B-spline surface; poles are homogenous (wx, wy, wz, w), already located, in mm."""

    u: Axis
    v: Axis
    poles: Floats
    """(nu, nv, 4)."""
    rational: bool

    def points(self, uv: Floats) -> Floats:
        """Return (n, 3) points at (n, 2) parameters."""
        u, us = self.u.reduced(uv[:, 0], uv[:, 0])
        v, vs = self.v.reduced(uv[:, 1], uv[:, 1])
        bu, bv = basis(self.u, u, us)[0], basis(self.v, v, vs)[0]
        total = np.zeros((len(uv), 4))
        for i in range(self.u.degree + 1):
            row = np.zeros((len(uv), 4))
            for j in range(self.v.degree + 1):
                pole = self.poles[us - self.u.degree + i, vs - self.v.degree + j]
                row += bv[:, j, None] * pole
            total += bu[:, i, None] * row
        return np.asarray(total[:, :3] / total[:, 3:])

    def columns(self, v: Floats, inside: Floats) -> tuple[Floats, Floats]:
        """Return poles in u, and their v-derivatives, of the curves v = constant.

        Returns:
            Two (n, nu, 4) arrays.
        """
        at, span = self.v.reduced(v, inside)
        values, slopes = basis(self.v, at, span)
        window = span[:, None] - self.v.degree + np.arange(self.v.degree + 1)
        near = self.poles.transpose(1, 0, 2)[window]
        near = near.reshape(len(v), self.v.degree + 1, -1)
        shape = (len(v), *self.poles.shape[::2])
        column, column_v = values[:, None] @ near, slopes[:, None] @ near
        return column.reshape(shape), column_v.reshape(shape)
