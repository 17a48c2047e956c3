"""Volume, area and centroid of one solid as the sum of its faces' flux integrals.

Two Gauss orders along every piece of every boundary curve give the quadrature error; pieces that
have not converged are halved. The vector area ∮ n dA, which is zero for a closed boundary, shows
gaps between neighbouring faces and enters the error estimate.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from gaugeblock.ruler.facts.bspline import Floats, Ints, Patch
from gaugeblock.ruler.facts.flux import (
    CHANNELS,
    extrusion_flux,
    own_axes,
    patch_flux,
    plane_flux,
    revolution_flux,
    round_flux,
)
from gaugeblock.ruler.facts.pcurves import CONIC, LINE, PCurves
from gaugeblock.ruler.facts.quadrature import Rule, kronrod
from gaugeblock.ruler.facts.segments import Pieces, lay_segments, split
from gaugeblock.ruler.facts.surfaces import Surface, SurfaceTable

SMOOTH = kronrod(7)
"""Rule along a piece of a line or conic of an elementary surface, at most a quarter of a turn:
fifteen nodes, and seven of them are good to 1e-11 of it, so that hardly a piece is halved."""

ROUGH = kronrod(4)
"""Rule along any other piece: nine nodes, exact to degree 13, its error seen by four of them.
Pieces are short (see `segments`); those that need more are halved."""

CONVERGED = 1e-10
"""Piece by piece difference of both orders, as a part of the solid's flux scale, that is accepted.
The difference is the coarser rule's error, thousands of times that of the value used."""

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
    table: SurfaceTable, turned: list[bool], curves: PCurves, centre: Floats, radius: float
) -> Integral:
    """Integrate over all faces of one solid.

    Args:
        table: The surfaces, one a face.
        turned: Whether the face's orientation is reversed.
        curves: All boundary curves, oriented in the forward faces.
        centre: (3,) reference point near the solid's middle, mm.
        radius: Half the solid's diagonal, mm.
    """
    work = _Work(table, turned, curves, centre)
    smooth, rough = lay_segments(table.surfaces, curves)
    rounds = [(SMOOTH, smooth, *work.sums(smooth, SMOOTH))]
    if len(rough[0]):
        rounds.append((ROUGH, rough, *work.sums(rough, ROUGH)))
    scale = max(sum(float(np.abs(values[:, 0]).sum()) for _, _, values, _ in rounds), 1e-300)
    total, error = np.zeros(CHANNELS), 0.0
    for rule, pieces, values, doubt in rounds:
        for attempt in range(ROUNDS + 1):
            bad = ~(doubt <= CONVERGED * scale) & (attempt < ROUNDS)
            if not bad.any():
                total += values.sum(axis=0)
                error += float(doubt.sum())
                break
            total += values[~bad].sum(axis=0)
            error += float(doubt[~bad].sum())
            use, start, end = pieces
            pieces = split(use[bad], start[bad], end[bad], np.full(int(bad.sum()), 2))
            values, doubt = work.sums(pieces, rule, 2 ** (attempt + 1))
    gap = float(np.linalg.norm(total[2:5]))
    volume = float(total[0])
    moment = total[5:8] / volume if volume else np.full(3, np.nan)
    where = centre + moment
    return Integral(
        volume=volume,
        error=error + gap * radius / 3 + ROUNDOFF * scale,
        area=float(total[1]),
        centroid=(float(where[0]), float(where[1]), float(where[2])),
        method=_method(table.surfaces, curves),
        gap=gap,
    )


class _Work:
    """Sums of flux over pieces, by kind of surface."""

    def __init__(
        self, table: SurfaceTable, turned: list[bool], curves: PCurves, centre: Floats
    ) -> None:
        self.table, self.curves, self.centre = table, curves, centre
        self.axes, self.local, self.hand = own_axes(table.frames, centre)
        self.face = np.array(curves.face, dtype=np.int64)
        self.outward = np.where(np.array(turned, dtype=bool), -1.0, 1.0)
        self.sign = np.array(curves.sign)
        self.crossed = {i: _across(table.surfaces[i]) for i in table.free}
        self.start = {i: self._lowest(i) for i in table.free}
        self.loose = np.full(len(self.face), -1, dtype=np.int64)
        for use, number in curves.loose.items():
            self.loose[use] = number

    def _lowest(self, number: int) -> float:
        """Lowest inner parameter of a free face, the common lower limit of its inner integrals."""
        uses = np.flatnonzero(self.face == number)
        if not len(uses):
            return 0.0
        steps = np.linspace(0.0, 1.0, 17)
        first, last = np.array(self.curves.first)[uses], np.array(self.curves.last)[uses]
        t = first[:, None] + steps * (last - first)[:, None]
        points = self.curves.evaluate(uses, t)[0]
        return float(points[:, :, 1 if self.crossed[number] is not None else 0].min())

    def sums(self, pieces: Pieces, rule: Rule, parts: int = 1) -> tuple[Floats, Floats]:
        """Return the contribution of each piece (n, 8) and its error estimate in volume (n,).

        `parts` is the number of pieces that inner integrals without an exact rule are cut into.
        """
        use, start, end = pieces
        order = len(rule.nodes)
        length = end - start
        t = start[:, None] + rule.nodes * length[:, None]
        uv, slope = (each.reshape(-1, 2) for each in self.curves.evaluate(use, t))
        many = np.repeat(use, order)
        face = self.face[many]
        values = np.zeros((len(many), CHANNELS))
        doubt = np.zeros(len(many))
        table = self.table
        for kind, mask in table.elementary.items():
            chosen = np.flatnonzero(mask[face])
            if not len(chosen):
                continue
            mine, u, v = face[chosen], uv[chosen, 0], uv[chosen, 1]
            local, hand = self.local[mine], self.hand[mine]
            if kind == "Plane":
                g = plane_flux(local, hand, u, v)
            else:
                g = round_flux(local, hand, u, table.profiles(kind, mine, v))
            values[chosen] = g * slope[chosen, 1, None]
        for number in table.free:
            mine = np.flatnonzero(face == number)
            if len(mine):
                values[mine], doubt[mine] = self._free(number, uv[mine], slope[mine], parts, order)
        sense = self.sign[use] * self.outward[self.face[use]]
        cells = values.reshape(len(use), order, CHANNELS)
        if self.curves.loose:
            cells += self._ribbons(many, t.ravel(), uv).reshape(cells.shape)
        difference = np.abs(cells[:, :, 0] @ rule.difference) * length
        inner = (doubt.reshape(len(use), order) @ rule.weights) * length
        found = (rule.weights @ cells) * (length * sense)[:, None]
        found[:, 1] *= self.outward[self.face[use]]
        self._turn(use, found)
        return found, difference + inner

    def _turn(self, use: Ints, found: Floats) -> None:
        """Bring vectors of elementary faces from the faces' own axes into the file's."""
        rows = np.flatnonzero(self.table.known[self.face[use]])
        axes = self.axes[self.face[use[rows]]]
        for low in (2, 5):
            found[rows, low : low + 3] = (found[rows, low : low + 3, None] * axes).sum(axis=1)

    def _free(
        self, number: int, uv: Floats, slope: Floats, parts: int, order: int
    ) -> tuple[Floats, Floats]:
        surface = self.table.surfaces[number]
        none = np.zeros(len(uv))
        if surface.kind == "SurfaceOfExtrusion":
            return -extrusion_flux(surface, self.centre, *uv.T) * slope[:, 0, None], none
        if surface.kind == "SurfaceOfRevolution":
            return revolution_flux(surface, self.centre, *uv.T) * slope[:, 1, None], none
        area_sign = 1.0
        crossed = self.crossed[number]
        if crossed is not None:
            # Exchanging u and v turns both the normal and the sense of the boundary.
            surface, uv, slope, area_sign = crossed, uv[:, ::-1], slope[:, ::-1], -1.0
        out, doubt = np.zeros((len(uv), CHANNELS)), none
        middle = uv[:, 1].reshape(-1, order).mean(axis=1).repeat(order)
        # A piece along u contributes nothing: no need to integrate up to it.
        reach = np.abs(slope[:, 1]) > 1e-14 * np.abs(slope[:, 0])
        reach &= uv[:, 0] - self.start[number] > 0
        if reach.any():
            out[reach], doubt[reach] = patch_flux(
                surface, self.centre, uv[reach], middle[reach], self.start[number], parts
            )
        out[:, 1] *= area_sign
        return out * slope[:, 1, None], doubt * np.abs(slope[:, 1])

    def _ribbons(self, use: Ints, t: Floats, uv: Floats) -> Floats:
        """Return the flux through the strips between a face's boundary and its edges' curves.

        Both faces of an edge are closed to the same curve, so that the volume does not depend on
        the reference point where an importer has fitted curves loosely. Per parameter, with gap δ
        from the face to the curve C: ⅓ x·(δ × C′), to first order in δ. As with the faces
        themselves: before their sense, and in the own axes of elementary ones.
        """
        out = np.zeros((len(use), CHANNELS))
        rows = np.flatnonzero(self.loose[use] >= 0)
        if not len(rows):
            return out
        curve, tangent = self.curves.space.evaluate(self.loose[use[rows]], t[rows])
        face = self.face[use[rows]]
        edge = self.table.points(face, uv[rows])
        normal = np.cross(curve - edge, tangent)
        middle = 0.5 * (curve + edge) - self.centre
        g = (middle * normal).sum(axis=1)
        axes = np.where(self.table.known[face][:, None, None], self.axes[face], np.eye(3))
        normal = (axes @ normal[:, :, None])[:, :, 0]
        middle = (axes @ middle[:, :, None])[:, :, 0]
        out[rows, 0] = g / 3
        out[rows, 2:5] = normal
        out[rows, 5:8] = middle * (g / 4)[:, None]
        return out


def _across(surface: Surface) -> Surface | None:
    """Return the surface with u and v exchanged where that gives inner integrals fewer spans."""
    patch = surface.patch
    if patch is None:
        return None
    spans_u, spans_v = (len(np.unique(axis.knots)) * axis.degree for axis in (patch.u, patch.v))
    if spans_u <= spans_v:
        return None
    turned = Patch(patch.v, patch.u, patch.poles.transpose(1, 0, 2).copy(), patch.rational)
    return replace(surface, patch=turned)


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
