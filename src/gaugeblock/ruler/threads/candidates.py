"""Where a thread might be: helical faces of one solid, gathered by the screw motion they share.

In this order: only free-form surfaces are looked at (a solid without any has no modelled thread,
and costs nothing); each face gets the motion that fits it; faces that one motion leaves where they
are join; the axis is put on that of coaxial cylinders and cones, which are exact where swept
splines are not.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gaugeblock.ruler.facts.mesh import Floats, Ints
from gaugeblock.ruler.facts.outline import Outline
from gaugeblock.ruler.facts.surfaces import Surface
from gaugeblock.ruler.threads.helix import FITS, Bools, Samples, Screw, fit, sample

FREE = ("BSplineSurface", "BezierSurface", "OffsetSurface", "OtherSurface")
"""Kinds that can hold a helicoid; planes, surfaces of revolution and extrusions cannot."""

LEAST_RISE = 1e-3
"""Least lead as a part of the circumference. The finest standard thread (M300 x 4) has 0.004,
while splines that stand for surfaces of revolution come out below 2e-4."""

ROUNDS = 4
"""Times that members are gathered and fitted anew; two settle, more cost nothing."""

SEED = 0.5
"""Least angle in rad that a face covers round its own axis to start a group; blends cover less."""

SLOPES = 0.1
"""Least mean part of a flank's normals along the axis: 45° saw-teeth have 0.7, lands 0."""

COAXIAL_ANGLE = 0.02
"""Greatest angle in rad between a fitted axis and that of a coaxial face (splines of one real
file are 0.0014 off)."""

COAXIAL_SHIFT = 0.02
"""Greatest distance of both axes at the faces' middle, as a part of their radius."""

MOST_AXES = 4
"""Coaxial faces tried; lands of one thread all have the same axis."""

COAXIAL_FITS = (1.5, 1e-4)
"""An axis is taken over only where the helical faces fit it about as well as their own: residual
at most this many times as large, plus so many rad. A thread that is eccentric to its shank is
not measured about the shank."""


@dataclass(frozen=True)
class Candidate:
    """Helical faces of one motion."""

    screw: Screw
    members: list[int]
    """Flanks: faces that the motion leaves where they are, with a slope along the axis."""
    lands: set[int]
    """Free-form faces of the solid without a slope along the axis: crests and roots among them."""
    radius: float
    """Mean radius of the members' points, mm."""
    fitted_lead: float
    """Lead in mm by the fit to the surfaces alone."""
    covered: float
    """Angle in rad that the members cover round the axis."""
    length: float
    """Extent of the members' points along the axis, mm."""

    @property
    def rise(self) -> float:
        """Lead angle in degrees at the mean radius."""
        return math.degrees(math.atan(abs(self.fitted_lead) / (2 * math.pi * self.radius)))


def candidates(outline: Outline) -> list[Candidate]:
    """Return the groups of helical faces of a solid, largest first."""
    numbers, taken = [], []
    for i, surface in enumerate(outline.surfaces):
        found = None
        if surface.kind in FREE:
            found = sample(outline.faces[i], surface, outline.turned[i])
        if found is not None:
            numbers.append(i)
            taken.append(found)
    if not numbers:
        return []
    faces = Samples(
        np.stack([face.points for face in taken]), np.stack([face.normals for face in taken])
    )
    seeds = []
    for i, face in enumerate(taken):
        screw = fit(face)
        if screw is not None and screw.angle(face) <= FITS and _winds(screw, face):
            seeds.append((-float(np.linalg.norm(np.ptp(face.points, axis=0))), i, screw))
    out = []
    free = np.ones(len(numbers), dtype=bool)
    for _, i, screw in sorted(seeds, key=lambda seed: seed[:2]):
        if not free[i]:
            continue
        group, screw = _gather(screw, i, faces, free)
        free[group] = False
        candidate = _candidate(screw, group, faces, numbers, outline.surfaces)
        if candidate is not None:
            out.append(candidate)
    return out


def _winds(screw: Screw, face: Samples) -> bool:
    """Whether the motion advances enough to be no mere turning, and the face goes round it."""
    local = screw.local(face.points)
    if abs(screw.lead) <= LEAST_RISE * 2 * math.pi * float(local[:, 0].mean()):
        return False
    return _covered(local[:, 1]) >= SEED


def _covered(angles: Floats) -> float:
    """Return the angle in rad that points cover round an axis: all but the largest gap."""
    order = np.sort(angles)
    return 2 * math.pi - float(np.max(np.diff(order, append=order[0] + 2 * math.pi)))


def _gather(screw: Screw, seed: int, faces: Samples, free: Bools) -> tuple[Ints, Screw]:
    """Return all free flanks that one motion leaves where they are, and the motion fitted to them.

    Lands turn with the motion as well but say nothing of its lead. Faces are told by their place
    in `faces`.
    """
    group = np.array([seed])
    for _ in range(ROUNDS):
        fits = free & (_slope(faces, screw) > SLOPES) & (screw.angle(faces) <= FITS)
        joined = np.flatnonzero(fits)
        found = fit(faces.only(joined)) if len(joined) else None
        if found is None or np.array_equal(joined, group):
            break
        group, screw = joined, found
    return group, screw


def _slope(faces: Samples, screw: Screw) -> Floats:
    """Return the mean part of each face's normals along the axis, (faces,)."""
    return np.asarray(np.abs(faces.normals @ screw.axis).mean(axis=1))


def _candidate(
    screw: Screw, group: Ints, faces: Samples, numbers: list[int], surfaces: list[Surface]
) -> Candidate | None:
    """Return the group with its axis put on coaxial faces; None where nothing winds."""
    flanks = faces.only(group)
    local = screw.local(flanks.flat.points)
    radius = float(local[:, 0].mean())
    if not radius > 0 or abs(screw.lead) <= LEAST_RISE * 2 * math.pi * radius:
        return None
    return Candidate(
        screw=_coaxial(screw, flanks, radius, surfaces),
        members=[numbers[i] for i in group],
        lands={numbers[i] for i in np.flatnonzero(_slope(faces, screw) <= SLOPES)},
        radius=radius,
        fitted_lead=screw.lead,
        covered=_covered(local[:, 1]),
        length=float(np.ptp(local[:, 2])),
    )


def _coaxial(screw: Screw, flanks: Samples, radius: float, surfaces: list[Surface]) -> Screw:
    """Return the screw about the axis of a coaxial cylinder or cone, if its flanks allow that.

    The cylinder nearest to the flanks' radius is tried first: a crest or a root.
    """
    centre = screw.origin + ((flanks.points - screw.origin) @ screw.axis).mean() * screw.axis
    factor, slack = COAXIAL_FITS
    most = factor * screw.angle(flanks).max() + slack
    near: list[tuple[float, int, Screw]] = []
    for surface in surfaces:
        if surface.kind not in ("Cylinder", "Cone"):
            continue
        direction = surface.frame[3]
        cosine = float(direction @ screw.axis)
        if abs(cosine) < math.cos(COAXIAL_ANGLE):
            continue
        away = centre - surface.frame[0]
        away = away - (away @ direction) * direction
        if np.linalg.norm(away) <= COAXIAL_SHIFT * radius:
            off = abs(surface.a - radius) + (0.0 if surface.kind == "Cylinder" else radius)
            axis = math.copysign(1.0, cosine) * direction
            near.append((off, len(near), Screw(centre - away, axis, screw.lead)))
    for _, _, moved in sorted(near, key=lambda found: found[:2])[:MOST_AXES]:
        if moved.angle(flanks).max() <= most:
            return moved
    return screw
