"""Volume, area and centroid of one solid as the sum of its faces' flux integrals.

Two Gauss orders along every piece of every boundary curve give the quadrature error; pieces that
have not converged are halved. The vector area ∮ n dA, which is zero for a closed boundary, shows
gaps between neighbouring faces and enters the error estimate.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gaugeblock.ruler.bspline import Floats, Ints
from gaugeblock.ruler.flux import (
    CHANNELS,
    extrusion_flux,
    patch_flux,
    plane_flux,
    revolution_flux,
    round_flux,
)
from gaugeblock.ruler.pcurves import CONIC, LINE, PCurves
from gaugeblock.ruler.segments import lay_segments, split
from gaugeblock.ruler.surfaces import ROUND, Surface, profile

ORDERS = (9, 6)
"""Gauss nodes along a piece: the value and the coarser one it is compared with."""

CONVERGED = 1e-11
"""Piece by piece difference of both orders, as a part of the solid's flux scale, that is accepted."""

ROUNDS = 6
"""Halvings of pieces that have not converged; 2⁶ pieces resolve any curve seen."""

ROUNDOFF = 4e-15
"""Rounding error as a part of the sum of absolute fluxes: a few units in the last place."""


@dataclass(frozen=True)
class Integral:
    """What the boundary integrals of one solid give."""

    volume: float
    """Signed, mm³: negative for a boundary that points inwards."""
    error: float
    """Estimated absolute error of `volume`, mm³."""
    area: float
    """mm²."""
    centroid: tuple[float, float, float]
    """mm."""
    method: str
    """`gauss`, `knot-span` or `gauss+knot-span`."""
    gap: float
    """Length of the vector area, mm²; 0 for a closed boundary."""


def integrate(
    surfaces: list[Surface], turned: list[bool], curves: PCurves, centre: Floats, radius: float
) -> Integral:
    """Integrate over all faces of one solid.

    Args:
        surfaces: One a face.
        turned: Whether the face's orientation is reversed.
        curves: All boundary curves, oriented in the forward faces.
        centre: (3,) reference point near the solid's middle, mm.
        radius: Half the solid's diagonal, mm.
    """
    work = _Work(surfaces, turned, curves, centre)
    pieces = lay_segments(surfaces, curves)
    fine, coarse = work.sums(pieces, ORDERS[0]), work.sums(pieces, ORDERS[1], coarser=True)
    scale = max(float(np.abs(fine[:, 0]).sum()), 1e-300)
    total, error = np.zeros(CHANNELS), 0.0
    for _ in range(ROUNDS):
        gap = np.abs(fine[:, 0] - coarse[:, 0])
        bad = ~(gap <= CONVERGED * scale)
        total += fine[~bad].sum(axis=0)
        error += float(gap[~bad].sum())
        if not bad.any():
            break
        pieces = split(*(p[bad] for p in pieces), np.full(int(bad.sum()), 2))
        fine, coarse = work.sums(pieces, ORDERS[0]), work.sums(pieces, ORDERS[1], coarser=True)
    else:
        total += fine.sum(axis=0)
        error += float(np.abs(fine[:, 0] - coarse[:, 0]).sum())
    gap = float(np.linalg.norm(total[2:5]))
    volume = float(total[0])
    moment = total[5:8] / volume if volume else np.full(3, np.nan)
    where = centre + moment
    return Integral(
        volume=volume,
        error=error + gap * radius / 3 + ROUNDOFF * scale,
        area=float(total[1]),
        centroid=(float(where[0]), float(where[1]), float(where[2])),
        method=_method(surfaces, curves),
        gap=gap,
    )


class _Work:
    """Sums of flux over pieces, by kind of surface."""

    def __init__(
        self, surfaces: list[Surface], turned: list[bool], curves: PCurves, centre: Floats
    ) -> None:
        self.surfaces, self.curves, self.centre = surfaces, curves, centre
        self.face = np.array(curves.face, dtype=np.int64)
        sign = np.array(curves.sign)
        self.sign = sign * np.where(np.array(turned, dtype=bool), -1.0, 1.0)[self.face]
        kinds = np.array([s.kind for s in surfaces])
        self.plane = kinds == "Plane"
        self.round = np.isin(kinds, ROUND)
        self.frames = np.array([s.frame for s in surfaces])
        self.others = [i for i in range(len(kinds)) if not (self.plane[i] or self.round[i])]
        self.start = self._starts()

    def _starts(self) -> dict[int, float]:
        """Lowest u of each free face, the common lower limit of its inner integrals."""
        starts = {}
        for number in self.others:
            uses = np.flatnonzero(self.face == number)
            steps = np.linspace(0.0, 1.0, 17)
            first = np.array(self.curves.first)[uses]
            last = np.array(self.curves.last)[uses]
            t = first[:, None] + steps * (last - first)[:, None]
            points = self.curves.evaluate(np.repeat(uses, 17), t.ravel())[0]
            starts[number] = float(points[:, 0].min()) if len(points) else 0.0
        return starts

    def sums(
        self, pieces: tuple[Ints, Floats, Floats], order: int, coarser: bool = False
    ) -> Floats:
        """Return the contribution of each piece, (n, 8)."""
        use, start, end = pieces
        nodes, weights = np.polynomial.legendre.leggauss(order)
        length = end - start
        t = start[:, None] + 0.5 * (nodes + 1.0) * length[:, None]
        many = np.repeat(use, order)
        uv, slope = self.curves.evaluate(many, t.ravel())
        face = self.face[many]
        weight = (0.5 * weights * length[:, None]).ravel() * self.sign[many]
        values = np.zeros((len(many), CHANNELS))
        chosen = self.plane[face]
        if chosen.any():
            g = plane_flux(self.frames[face[chosen]], self.centre, *uv[chosen].T)
            values[chosen] = g * (weight * slope[:, 1])[chosen, None]
        chosen = self.round[face]
        if chosen.any():
            g = round_flux(
                self.frames[face[chosen]],
                self.centre,
                uv[chosen, 0],
                self._profiles(face[chosen], uv[chosen, 1]),
            )
            values[chosen] = g * (weight * slope[:, 1])[chosen, None]
        for number in self.others:
            mine = np.flatnonzero(face == number)
            if len(mine):
                values[mine] = self._free(number, mine, uv, slope, order, coarser) * (
                    weight[mine, None]
                )
        return values.reshape(len(use), order, CHANNELS).sum(axis=1)

    def _profiles(self, face: Ints, v: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        out = np.empty((4, len(v)))
        a = np.array([s.a for s in self.surfaces])[face]
        b = np.array([s.b for s in self.surfaces])[face]
        kinds = np.array([s.kind for s in self.surfaces])[face]
        for kind in ROUND:
            mine = kinds == kind
            if mine.any():
                like = Surface(kind, None, np.zeros((4, 3)), a[mine], b[mine])
                out[:, mine] = profile(like, v[mine])[:4]
        return out[0], out[1], out[2], out[3]

    def _free(
        self, number: int, mine: Ints, uv: Floats, slope: Floats, order: int, coarser: bool
    ) -> Floats:
        surface = self.surfaces[number]
        u, v = uv[mine, 0], uv[mine, 1]
        if surface.kind == "SurfaceOfExtrusion":
            return -extrusion_flux(surface, self.centre, u, v) * slope[mine, 0, None]
        if surface.kind == "SurfaceOfRevolution":
            return revolution_flux(surface, self.centre, u, v) * slope[mine, 1, None]
        out = np.zeros((len(mine), CHANNELS))
        middle = v.reshape(-1, order).mean(axis=1).repeat(order)
        # A piece along u contributes nothing: no need to integrate up to it.
        reach = np.abs(slope[mine, 1]) > 1e-14 * (np.abs(slope[mine, 0]) + 1e-300)
        reach &= u - self.start[number] > 0
        if reach.any():
            inner = inner_order(surface) - (2 if coarser else 0)
            out[reach] = patch_flux(
                surface,
                self.centre,
                uv[mine][reach],
                middle[reach],
                self.start[number],
                inner,
            )
        return out * slope[mine, 1, None]


def inner_order(surface: Surface) -> int:
    """Gauss nodes per span in u.

    x·(Su×Sv) of a polynomial patch of degree p has degree 3p − 1 in u, so ⌈3p/2⌉ nodes are exact;
    two more serve the moment (degree 4p − 1), the area and rational patches.
    """
    if surface.patch is None:
        return 8
    return max(6, (3 * surface.patch.u.degree + 1) // 2 + (4 if surface.patch.rational else 2))


def _method(surfaces: list[Surface], curves: PCurves) -> str:
    """Name the way the solid's faces were integrated."""
    plain = np.ones(len(surfaces), dtype=bool)
    for number, surface in enumerate(surfaces):
        plain[number] = surface.elementary
    kinds = np.array(curves.kind)
    plain[np.array(curves.face, dtype=np.int64)[(kinds != LINE) & (kinds != CONIC)]] = False
    if plain.all():
        return "gauss"
    return "gauss+knot-span" if plain.any() else "knot-span"


