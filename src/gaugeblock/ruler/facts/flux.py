"""Flux integrals over trimmed faces by Green's theorem.

For a closed boundary with outward normal n, and x taken from a reference point (divergence
theorem):

    V = 1/3 ∮ x·n dA        A = ∮ dA        0 = ∮ n dA        ∫ x dV = 1/4 ∮ x (x·n) dA

Over one face ∬ g du dv = ∮ G dv with ∂G/∂u = g, along its boundary curves in parameter space. G is
known in closed form for planes and rotational surfaces (and with u and v exchanged for extrusions);
for B-splines it is integrated span by span; only the curve is left to Gauss.
"""

from __future__ import annotations

import numpy as np

from gaugeblock.ruler.facts.bspline import Floats, Patch, basis
from gaugeblock.ruler.facts.quadrature import Rule, gauss, kronrod
from gaugeblock.ruler.facts.surfaces import Surface, breaks, derivatives, profile

CHANNELS = 8
"""Volume, area, three of the normal, three of the moment."""

FREE = kronrod(7)
"""Rule across a span where none is exact: fifteen nodes, exact to degree 22."""

BLOCK = 40_000
"""Surface points evaluated in one numpy pass: about 10 MB."""


def plane_flux(local: Floats, hand: Floats, u: Floats, v: Floats) -> Floats:
    """Return G (n, 8) of points on planes, vectors in the planes' own axes.

    Args:
        local: (n, 3) each plane's origin from the reference point, in its own axes, mm.
        hand: (n,) +1 where the axes are right-handed, else −1.
        u: (n,) mm.
        v: (n,) mm.
    """
    out = np.zeros((len(u), CHANNELS))
    x, y, z = local.T
    signed = hand * u
    quarter = z * signed / 4
    out[:, 0] = z * signed / 3
    out[:, 1] = u
    out[:, 4] = signed
    out[:, 5] = (x + u / 2) * quarter
    out[:, 6] = (y + v) * quarter
    out[:, 7] = z * quarter
    return out


def round_flux(
    local: Floats,
    hand: Floats,
    angle: Floats,
    shape: tuple[Floats, Floats, Floats, Floats],
) -> Floats:
    """Return G (n, 8) of points on rotational surfaces, vectors in the surfaces' own axes.

    Args:
        local: (n, 3) each surface's origin from the reference point, in its own axes, mm.
        hand: (n,) +1 where the axes are right-handed, else −1.
        angle: (n,) angle from X in rad.
        shape: ρ, dρ/dv, z, dz/dv, each (n,), mm.
    """
    rho, rho_v, z, z_v = shape
    x, y, h = local[:, 0], local[:, 1], local[:, 2] + z
    c, s = np.cos(angle), np.sin(angle)
    rise = rho * z_v
    even = rho * (rise - rho_v * h)
    cosine, sine = rise * x, rise * y
    g = even * angle + cosine * s - sine * c
    out = np.empty((len(angle), CHANNELS))
    out[:, 0] = g / 3
    out[:, 1] = np.abs(rho) * np.hypot(rho_v, z_v) * angle
    out[:, 2] = rise * s
    out[:, 3] = -rise * c
    out[:, 4] = -rho * rho_v * angle
    both = s * c
    out[:, 5] = x * g + rho * (even * s + cosine * (angle + both) / 2 + sine * s * s / 2)
    out[:, 6] = y * g + rho * (-even * c + cosine * s * s / 2 + sine * (angle - both) / 2)
    out[:, 7] = h * g
    out[:, 5:] *= 0.25
    out[:, 0] *= hand
    out[:, 2:] *= hand[:, None]
    return out


def revolution_flux(surface: Surface, centre: Floats, u: Floats, v: Floats) -> Floats:
    """Return G (n, 8) of points on one surface of revolution."""
    rho, rho_v, z, z_v, offset = profile(surface, v)
    axes, local, hand = own_axes(surface.frame[None], centre)
    shape = (rho, rho_v, z, z_v)
    out = round_flux(np.repeat(local, len(u), 0), np.repeat(hand, len(u)), u + offset, shape)
    out[:, 2:5] = out[:, 2:5] @ axes[0]
    out[:, 5:8] = out[:, 5:8] @ axes[0]
    return out


def extrusion_flux(surface: Surface, centre: Floats, u: Floats, v: Floats) -> Floats:
    """Return H (n, 8) with ∂H/∂v = g of points on one extrusion: ∬ g du dv = −∮ H du."""
    point, along, direction = derivatives(surface.adaptor, u, np.zeros_like(v))
    point = point - centre
    normal = np.cross(along, direction)
    g = np.einsum("ni,ni->n", point, normal)
    out = np.empty((len(u), CHANNELS))
    out[:, 0] = g * v / 3
    out[:, 1] = np.linalg.norm(normal, axis=1) * v
    out[:, 2:5] = normal * v[:, None]
    out[:, 5:8] = (point * v[:, None] + direction * (v * v / 2)[:, None]) * (g / 4)[:, None]
    return out


def patch_flux(
    surface: Surface, centre: Floats, uv: Floats, inside: Floats, start: float, parts: int
) -> tuple[Floats, Floats]:
    """Return G (n, 8) = ∫ g du from `start` to u of points on one B-spline or free surface.

    Args:
        surface: The surface.
        centre: (3,) reference point in mm.
        uv: (n, 2) end points.
        inside: (n,) v of the middle of each point's piece: tells which side of a knot is meant.
        start: Common lower limit in u; no greater than any u.
        parts: Pieces each knot span is cut into where no rule is exact.

    Returns:
        G, and the (n,) error estimate of its volume channel.
    """
    u, v = uv[:, 0], uv[:, 1]
    cuts = np.concatenate([[start], breaks(surface, 0, start, float(u.max()))])
    rule = inner_rule(surface)
    if rule is FREE and parts > 1:
        ends = np.append(cuts, u.max())
        share = np.arange(parts) / parts
        cuts = (cuts[:, None] + share * np.diff(ends)[:, None]).ravel()
    out, error = np.empty((len(u), CHANNELS)), np.empty(len(u))
    step = max(1, BLOCK // (len(rule.nodes) * len(cuts)))
    for low in range(0, len(u), step):
        part = slice(low, low + step)
        out[part], error[part] = _patch_block(
            surface, centre, (u[part], v[part], inside[part]), cuts, rule
        )
    return out, error


def inner_rule(surface: Surface) -> Rule:
    """Return the rule for one knot span in u.

    x·(Su×Sv) of a polynomial patch of degree p has degree 3p − 1 in u and its moment 4p − 1, so 2p
    nodes are exact. Rational patches and free surfaces get a pair of rules that shows its error.
    """
    if surface.patch is None or surface.patch.rational:
        return FREE
    return gauss(max(3, 2 * surface.patch.u.degree))


def _patch_block(
    surface: Surface,
    centre: Floats,
    at: tuple[Floats, Floats, Floats],
    cuts: Floats,
    rule: Rule,
) -> tuple[Floats, Floats]:
    """Whole spans by a tensor product, then the last, partial span of each point."""
    u, v, inside = at
    piece = np.clip(np.searchsorted(cuts, u, side="left") - 1, 0, len(cuts) - 1)
    whole = int(piece.max())
    total, error = np.zeros((len(u), CHANNELS)), np.zeros(len(u))
    columns = surface.patch.columns(v, inside) if surface.patch is not None else None
    if whole:
        width = np.diff(cuts)[:whole]
        line = (cuts[:whole, None] + rule.nodes * width[:, None]).ravel()
        middle = np.repeat(cuts[:whole] + 0.5 * width, len(rule.nodes))
        rows = np.broadcast_to(line, (len(v), len(line)))
        grid = _grid(surface, columns, rows, middle, v, True)
        passed = np.where(np.arange(whole) < piece[:, None], width, 0.0)
        for channel, density in enumerate(_density(grid, centre)):
            spans = density.reshape(len(v), whole, len(rule.nodes))
            total[:, channel] = ((spans @ rule.weights) * passed).sum(axis=1)
            if channel == 0:
                error += (np.abs(spans @ rule.difference) * passed).sum(axis=1)
    width = u - cuts[piece]
    rows = cuts[piece][:, None] + rule.nodes * width[:, None]
    middle = np.broadcast_to((cuts[piece] + 0.5 * width)[:, None], rows.shape)
    grid = _grid(surface, columns, rows, middle, v, False)
    for channel, density in enumerate(_density(grid, centre)):
        total[:, channel] += (density @ rule.weights) * width
        if channel == 0:
            error += np.abs((density @ rule.difference) * width)
    return total, error


def _grid(
    surface: Surface,
    columns: tuple[Floats, Floats] | None,
    at: Floats,
    middle: Floats,
    v: Floats,
    same: bool,
) -> tuple[Floats, Floats, Floats]:
    """Return S, Su, Sv, each (n, k, 3), at `at` (n, k) of the n curves v = constant.

    `same` says that all rows of `at` are equal, so one basis matrix serves.
    """
    if surface.patch is None or columns is None:
        shape = (*at.shape, 3)
        rows = np.repeat(v, at.shape[1])
        point, du, dv = derivatives(surface.adaptor, at.ravel(), rows)
        return point.reshape(shape), du.reshape(shape), dv.reshape(shape)
    poles, slopes = columns
    patch = surface.patch
    if same:
        value, slope = _basis_matrix(patch, at[0], middle)
        point, du, dv = value @ poles, slope @ poles, value @ slopes
    else:
        reduced, span = patch.u.reduced(at.ravel(), middle.ravel())
        value, slope = (b.reshape(*at.shape, -1) for b in basis(patch.u, reduced, span))
        # One span for all nodes of a row: its window of poles serves them all.
        first = span.reshape(at.shape)[:, 0] - patch.u.degree
        window = first[:, None] + np.arange(patch.u.degree + 1)
        row = np.arange(len(at))[:, None]
        near, near_v = poles[row, window], slopes[row, window]
        point, du, dv = value @ near, slope @ near, value @ near_v
    if not patch.rational:
        return point[..., :3], du[..., :3], dv[..., :3]
    weight = point[..., 3:]
    place = point[..., :3] / weight
    return (
        place,
        (du[..., :3] - place * du[..., 3:]) / weight,
        (dv[..., :3] - place * dv[..., 3:]) / weight,
    )


def _basis_matrix(patch: Patch, at: Floats, middle: Floats) -> tuple[Floats, Floats]:
    reduced, span = patch.u.reduced(at, middle)
    value, slope = basis(patch.u, reduced, span)
    rows = np.zeros((2, len(at), patch.poles.shape[0]))
    window = span[:, None] - patch.u.degree + np.arange(patch.u.degree + 1)
    index = np.arange(len(at))[:, None]
    rows[0][index, window] = value
    rows[1][index, window] = slope
    return rows[0], rows[1]


def _density(grid: tuple[Floats, Floats, Floats], centre: Floats) -> list[Floats]:
    """Return the eight integrands, each (n, k)."""
    point, du, dv = (np.ascontiguousarray(np.moveaxis(g, -1, 0)) for g in grid)
    x, y, z = point - centre[:, None, None]
    nx = du[1] * dv[2] - du[2] * dv[1]
    ny = du[2] * dv[0] - du[0] * dv[2]
    nz = du[0] * dv[1] - du[1] * dv[0]
    g = x * nx + y * ny + z * nz
    quarter = g / 4
    area = np.sqrt(nx * nx + ny * ny + nz * nz)
    return [g / 3, area, nx, ny, nz, x * quarter, y * quarter, z * quarter]


def own_axes(frames: Floats, centre: Floats) -> tuple[Floats, Floats, Floats]:
    """Return axes (n, 3, 3), origins from `centre` in those axes (n, 3), and handedness (n,).

    Args:
        frames: (n, 4, 3) origins and axes, mm.
        centre: (3,) reference point, mm.
    """
    axes = frames[:, 1:]
    local = ((frames[:, 0] - centre)[:, None] * axes).sum(axis=2)
    return axes, local, np.sign(np.linalg.det(axes))
