"""The form of a thread from rays: pitch, lead, starts, diameters, flank angle.

Rays along the axis meet the flanks. The flank lines of one side at one radius obey
z = a + lead·φ/2π + k·pitch with whole k; one least-squares fit with lead and pitch both free gives
both, so that their ratio, the number of starts, is found and not assumed. Radial rays give r(z, φ)
and with it the diameters, the material's area and where the thread is complete: there every ring
of equal z sees the whole profile once round.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gaugeblock.ruler.facts.mesh import Floats, Ints
from gaugeblock.ruler.threads.helix import Bools
from gaugeblock.ruler.threads.rays import Grid, Wall

SPOKES = 41
"""Rays a ring. A prime, so that a ring sees 41 different places of the profile whatever the number
of starts."""

RINGS = 37
"""Rings a pitch; with SPOKES coprime, a pitch is seen at 1517 places: a sharp crest is missed by
at most 6e-4 of the pitch, a flat one by nothing."""

LEVELS = (0.35, 0.425, 0.5, 0.575, 0.65)
"""Where flank lines are taken, as parts of the depth, evenly: clear of rounded crests and roots."""

MIDDLE = len(LEVELS) // 2

STRAIGHT = 0.005
"""Part of the pitch by which a flank may leave its straight line before it has no angle."""

OUTLIER = 0.1
"""Part of the pitch by which a flank line may miss the fit before it is left out as an edge of
something else (a chamfer, a cross hole)."""

COMPLETE = 0.15
"""Part of the depth by which a ring may miss crest or root and still be complete."""

FAITHFUL = 0.08
"""Part of the depth by which a ray may miss the usual profile: half a place of the profile on a
flank is 0.02, a run-out of a quarter turn 0.1."""

ODD = 0.08
"""Part of a ring's rays that may miss it more than usual: three rays of 41. On steep flanks two
miss or hit it by chance."""

CLEAN = 0.03
"""The same where the material is measured: one ray. A good ring too few changes nothing there."""

COVERED = 0.6
"""Least part of a ring's rays that must meet the thread: one cut in half is not measured."""


@dataclass(frozen=True)
class Lines:
    """Places on flank lines."""

    level: Ints
    """Which of LEVELS."""
    z: Floats
    """mm."""
    phi: Floats
    """rad."""
    rising: Ints
    """1 where the radius grows with z, else 0."""

    def only(self, chosen: Bools) -> Lines:
        """Return those that are chosen."""
        return Lines(*(values[chosen] for values in vars(self).values()))


@dataclass(frozen=True)
class Rings:
    """A thread's radial rays."""

    wall: Wall
    grid: Grid
    radius: Floats
    """(rings, spokes) mm; NaN: the ray meets no thread."""
    internal: bool
    flanks: list[int]
    """Faces that the flank lines lie on."""

    def lines(self, root: float, crest: float) -> Lines:
        """Return the flank lines between root and crest radius (mm), by rays along the axis."""
        depth = crest - root
        first, step = root + LEVELS[0] * depth, (LEVELS[1] - LEVELS[0]) * depth
        hits = self.wall.flanks(Grid(first, step, len(LEVELS), SPOKES), self.flanks)
        rising = hits.leaving == self.internal
        return Lines(hits.ring, hits.at, self.grid.phi[hits.spoke], rising.astype(np.int64))

    def at(self, z: Floats) -> Ints:
        """Return the nearest ring of each height."""
        ring = np.round((z - self.grid.first) / self.grid.step).astype(np.int64)
        return np.asarray(np.clip(ring, 0, self.grid.rings - 1))


@dataclass(frozen=True)
class Form:
    """What the rays say of one thread; mm and degrees."""

    pitch: float
    starts: float
    """Lead over pitch, both fitted freely: near a whole number on a regular thread."""
    hand: int
    """1 right, −1 left."""
    residual: float
    """Root mean square by which flank lines of the complete part miss the helix, mm."""
    faithful: float
    """Part of a ring's rays that end on the profile that all rings share; the median of rings."""
    major: float
    minor: float
    pitch_diameter: float | None
    flank_angle: float | None
    crest: float
    """Part of the pitch within a tenth of the depth of the major diameter."""
    root: float
    """The same of the minor diameter."""
    taper: float
    """Growth of the diameter along the axis, mm a mm."""
    complete: Bools
    """(rings,) whole profile seen."""
    clean: Bools
    """(rings,) whole profile seen and nothing else."""


def starts_of(radius: Floats) -> int:
    """Return how often a level is crossed upwards once round; the commonest of all rings.

    Args:
        radius: (rings, spokes) mm.
    """
    level = 0.5 * (np.nanmin(radius) + np.nanmax(radius))
    above = np.where(np.isnan(radius), 0.0, radius) > level
    ups = (above & ~np.roll(above, 1, axis=1)).sum(axis=1)
    return int(np.bincount(ups).argmax()) if len(ups) else 0


def read_form(rings: Rings, lead: float, starts: int) -> Form | None:
    """Return the form of the thread; None where the rays show no flank lines.

    Args:
        rings: Its radial rays.
        lead: Estimate, mm; positive for right-hand.
        starts: Ridges counted round the axis.
    """
    grid, radius = rings.grid, rings.radius
    seen = ~np.isnan(radius)
    high = np.where(seen, radius, -np.inf).max(axis=1)
    low = np.where(seen, radius, np.inf).min(axis=1)
    rough = _rough(seen, high, low)
    if not rough.any():
        return None
    crest, root = _extremes(high, low, rough)
    lines = rings.lines(root, crest)
    free = _fit(lines.only(lines.level == MIDDLE), lead, abs(lead) / starts, grid)
    if free is None:
        return None
    faithful = _faithful(radius, grid, free, rough, FAITHFUL * (crest - root))
    usual = float(np.median(faithful[rough]))
    complete = rough & (faithful >= usual - ODD)
    if not complete.any():
        return None
    crest, root = _extremes(high, low, complete)
    depth = crest - root
    lines = rings.lines(root, crest)
    lines = lines.only(complete[rings.at(lines.z)])
    middle = lines.only(lines.level == MIDDLE)
    free = _fit(middle, free.lead, free.pitch, grid)
    if free is None:
        return None
    bound = _bound(middle, free, math.copysign(starts, lead))
    sides, residual = _flanks(lines, root, depth, bound)
    angle, diameter = _profile(sides, bound.pitch)
    if diameter is not None and not 2 * root < diameter < 2 * crest:
        diameter = None
    found = radius[complete]
    with np.errstate(invalid="ignore"):
        land, floor = (found > crest - 0.1 * depth).mean(), (found < root + 0.1 * depth).mean()
    return Form(
        pitch=bound.pitch,
        starts=abs(free.lead) / free.pitch,
        hand=1 if lead > 0 else -1,
        residual=residual,
        faithful=usual,
        major=2 * crest,
        minor=2 * root,
        pitch_diameter=diameter,
        flank_angle=angle,
        crest=float(land),
        root=float(floor),
        taper=_taper(grid.levels[complete], high[complete] + low[complete]),
        complete=complete,
        clean=rough & (faithful >= usual - CLEAN),
    )


def _rough(seen: Bools, high: Floats, low: Floats) -> Bools:
    """Return which rings meet the thread and reach both its crest and its root."""
    covered = seen.mean(axis=1) >= COVERED
    if not covered.any():
        return np.asarray(covered)
    crest, root = float(np.median(high[covered])), float(np.median(low[covered]))
    slack = COMPLETE * (crest - root)
    return np.asarray(covered & (high > crest - slack) & (low < root + slack))


def _faithful(radius: Floats, grid: Grid, fit: _Fit, rough: Bools, slack: float) -> Floats:
    """Return which part of each ring's rays ends within `slack` mm of the profile of all rings.

    The profile is the median radius over places in the pitch. A keyway along the whole thread
    takes the same part of every ring.
    """
    place = grid.levels[:, None] - fit.lead * grid.phi / (2 * math.pi)
    place = np.mod(place / fit.pitch, 1.0)
    middle = (np.arange(2 * RINGS) + 0.5) / (2 * RINGS)
    known = rough[:, None] & ~np.isnan(radius)
    order = np.argsort(place[known])
    cuts = np.searchsorted(place[known][order], np.arange(1, 2 * RINGS) / (2 * RINGS))
    parts = np.split(radius[known][order], cuts)
    median = np.array([np.median(part) if len(part) else np.nan for part in parts])
    usual = np.interp(place, middle, median, period=1.0)
    with np.errstate(invalid="ignore"):
        return np.asarray((np.abs(radius - usual) <= slack).mean(axis=1))


@dataclass(frozen=True)
class _Fit:
    lead: float
    pitch: float
    start: Floats
    """(2,) height of the falling and of the rising flank at φ = 0, k = 0; mm."""

    def missed(self, lines: Lines) -> Floats:
        """Return by how much lines miss the nearest flank of their side, mm."""
        off = lines.z - self.start[lines.rising] - self.lead * lines.phi / (2 * math.pi)
        return np.asarray(off - self.pitch * np.round(off / self.pitch))


def _fit(lines: Lines, lead: float, pitch: float, grid: Grid) -> _Fit | None:
    """Fit all flank lines, from a few pitches in the middle outwards.

    Far from there a poor estimate of the pitch would number them wrongly.
    """
    if not len(lines.z) or not pitch > 0:
        return None
    middle = float(np.median(lines.z))
    reach, whole = 1.5 * pitch, grid.step * grid.rings
    start = np.zeros(2)
    for side in (0, 1):
        own = lines.rising == side
        if not own.any():
            return None
        near = own & (np.abs(lines.z - middle) <= reach)
        use = near if near.any() else own
        start[side] = _mean(lines.z[use] - lead * lines.phi[use] / (2 * math.pi), pitch)
    fit = _Fit(lead, pitch, start)
    while True:
        for _ in range(3):
            near = np.abs(lines.z - middle) <= reach
            off = fit.missed(lines)
            use = near & (np.abs(off) <= OUTLIER * fit.pitch)
            better = _solve(lines, fit, off, use)
            fit = better or fit
        if reach >= whole:
            return fit if better is not None else None
        reach *= 2


def _solve(lines: Lines, fit: _Fit, off: Floats, use: Bools) -> _Fit | None:
    side, phi = lines.rising[use], lines.phi[use]
    predicted = lines.z[use] - off[use]
    number = (predicted - fit.start[side] - fit.lead * phi / (2 * math.pi)) / fit.pitch
    number = np.round(number)
    rows = np.stack([side == 0, side == 1, phi / (2 * math.pi), number], axis=1).astype(float)
    if len(rows) < 8:
        return None
    answer, _, rank, _ = np.linalg.lstsq(rows, lines.z[use], rcond=1e-9)
    if rank < 4 or not answer[3] > 0:
        return None
    return _Fit(float(answer[2]), float(answer[3]), answer[:2])


def _bound(lines: Lines, fit: _Fit, starts: float) -> _Fit:
    """Return the fit with lead = starts × pitch: one unknown less, and a better pitch."""
    off = fit.missed(lines)
    use = np.abs(off) <= OUTLIER * fit.pitch
    side, turn = lines.rising[use], lines.phi[use] / (2 * math.pi)
    number = (lines.z[use] - off[use] - fit.start[side] - fit.lead * turn) / fit.pitch
    rows = np.stack([side == 0, side == 1, np.round(number) + starts * turn], axis=1).astype(float)
    answer = np.linalg.lstsq(rows, lines.z[use], rcond=None)[0]
    return _Fit(float(starts * answer[2]), float(answer[2]), answer[:2])


def _flanks(
    lines: Lines, root: float, depth: float, fit: _Fit
) -> tuple[list[tuple[Floats, Floats]], float]:
    """Return each side's (radii, mean heights) over the levels, and by how much lines miss, mm."""
    held, missed = 0, 0.0
    sides: list[tuple[Floats, Floats]] = []
    for side in (0, 1):
        radii, heights = [], []
        for number, part in enumerate(LEVELS):
            own = lines.only((lines.level == number) & (lines.rising == side))
            if not len(own.z):
                continue
            # Off the middle a slanted flank lies off the fit: its own mean is what counts.
            off = fit.missed(own)
            centre = _mean(off, fit.pitch)
            off = off - centre
            off -= fit.pitch * np.round(off / fit.pitch)
            off = off[np.abs(off) <= OUTLIER * fit.pitch]
            if not len(off):
                continue
            radii.append(root + part * depth)
            heights.append(fit.start[side] + centre + float(off.mean()))
            missed += float(np.square(off - off.mean()).sum())
            held += len(off)
        sides.append((np.array(radii), np.array(heights)))
    return sides, math.sqrt(missed / held) if held else math.inf


def _mean(values: Floats, period: float) -> float:
    """Return the mean of values that repeat with a period."""
    turn = 2j * math.pi / period
    return float(np.angle(np.exp(turn * values).mean())) * period / (2 * math.pi)


def _profile(sides: list[tuple[Floats, Floats]], pitch: float) -> tuple[float | None, float | None]:
    """Return the included flank angle in degrees and the pitch diameter in mm.

    The pitch diameter is where the ridge is half a pitch wide. None for both where a flank is not
    straight.
    """
    slopes, places = [], []
    for radii, heights in sides:
        if len(radii) < len(LEVELS):
            return None, None
        slope, place = np.polyfit(radii, heights, 1)
        if np.abs(np.polyval((slope, place), radii) - heights).max() > STRAIGHT * pitch:
            return None, None
        slopes.append(float(slope))
        places.append(float(place))
    angle = abs(math.degrees(math.atan(slopes[1]) - math.atan(slopes[0])))
    # Width of the ridge at radius r: falling flank less rising flank, brought between 0 and P.
    change = slopes[0] - slopes[1]
    middle = float(np.mean(sides[0][0]))
    width = (places[0] - places[1] + change * middle) % pitch
    if abs(change) < 1e-6:
        return angle, None
    return angle, 2 * (middle + (pitch / 2 - width) / change)


def _extremes(high: Floats, low: Floats, complete: Bools) -> tuple[float, float]:
    """Return major and minor radius: medians over stretches of one pitch of their extremes."""
    rows = np.flatnonzero(complete)
    parts = np.array_split(rows, max(1, len(rows) // RINGS))
    return (
        float(np.median([high[part].max() for part in parts])),
        float(np.median([low[part].min() for part in parts])),
    )


def _taper(z: Floats, diameter: Floats) -> float:
    if len(z) < 3:
        return 0.0
    return float(np.polyfit(z - z.mean(), diameter, 1)[0])
