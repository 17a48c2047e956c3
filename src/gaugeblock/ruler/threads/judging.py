"""Is it a thread? What rays round one region say, and what only looks like one.

A thread is a ridge on a body (or in a bore) that winds round its axis at a regular lead, nearly as
deep as it is wide, with little land on crest or root. `docs/metrics/threads.md` tells what is
decided about worms, twisted prisms, oil grooves, springs and others.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from gaugeblock.ruler.facts.mesh import Floats
from gaugeblock.ruler.threads.candidates import Candidate
from gaugeblock.ruler.threads.form import COVERED, RINGS, SPOKES, Form, Rings, read_form, starts_of
from gaugeblock.ruler.threads.rays import Crossings, Grid
from gaugeblock.ruler.threads.regions import Region

STEEPEST = 35.0
"""Greatest lead angle in degrees. Eight-start lead screws reach 25; drill flutes, helical gears and
twisted prisms start at 45."""

ROUND = 270.0
"""Degrees round the axis that the faces must cover together: rays measure whole turns."""

TOLD = 120.0
"""Degrees from which on less than a whole turn is spoken of; blends of two cylinders have 90."""

SHALLOWEST = 0.25
"""Least depth over pitch. Truncated threads have 0.4, bottle caps 0.3, ball screws and oil grooves
below 0.2."""

DEEPEST = 1.2
"""Greatest depth over pitch: saw-tooth threads have 0.87, fins and augers more."""

MOST_CREST = 0.7
"""Greatest part of the pitch that is crest; an oil groove leaves more. A square thread has 0.5."""

MOST_ROOT = 0.8
"""Greatest part of the pitch that is root. Wood screws have 0.7, augers more than 0.9."""

MOST_STARTS = 12
"""More ridges round an axis are a knurl or a gear."""

LEAST_PITCHES = 1.5
"""Least length in pitches: below, the pitch cannot be told from the lead."""

IRREGULAR = 0.02
"""Greatest root mean square deviation of flank lines from the helix, as a part of the pitch. Sweeps
of the kernel stay below 0.003."""

FAITHFUL = 0.75
"""Least part of the rays that must end on one profile. A flat of half the radius leaves 0.8;
crossed (diamond) knurls have two profiles in each other's way."""

HOLLOW = 0.1
"""Greatest part of rays that leave the material where the thread's own enter it (or the other way
round): where the ridge has a back, it is a coil on no body."""

LEADS_AGREE = 0.01
"""Greatest relative difference of the leads by rays and by surfaces. The splines of one real file
are 0.004 off, exact ones 1e-8."""

CONICAL = 0.01
"""Greatest growth of the diameter along the axis; pipe threads of 1:16 have 0.0625."""

WHOLE = 0.05
"""Greatest distance of lead over pitch from a whole number."""

MOST_RAYS = 300_000
"""Rays at most: 198 pitches, 2 s and 300 MB. A longer thread is measured in its middle, and its
ends are not."""


@dataclass(frozen=True)
class Unlike:
    """Why helical faces are no thread."""

    reason: str
    told: bool = True
    """False: so unlike a thread that nobody would ask."""


@dataclass(frozen=True)
class Judged:
    """A thread with its rays."""

    form: Form
    internal: bool
    starts: int
    grid: Grid
    radius: Floats
    """(rings, spokes) mm; NaN: the ray meets no thread."""
    cut_short: bool
    """Whether the rays cover only the thread's middle."""
    findings: list[str] = field(default_factory=list)

    @property
    def full_length(self) -> float | None:
        """Length of the complete profile, mm; None where the ends were not measured."""
        if self.cut_short:
            return None
        rings = np.flatnonzero(self.form.complete)
        return float((rings[-1] - rings[0] + 1) * self.grid.step)

    def area(self, low: float, high: float) -> float:
        """Return the material between two radii (mm) where the profile is complete, mm²."""
        return float(self._areas(low, high)[self.form.clean].mean())

    def volume(self, low: float, high: float) -> float | None:
        """Return the material between minor and major radius between two heights (mm), mm³."""
        if self.cut_short:
            return None
        half = self.grid.step / 2
        z = self.grid.levels
        share = np.clip((np.minimum(z + half, high) - np.maximum(z - half, low)), 0.0, None)
        return float(self._areas(self.form.minor / 2, self.form.major / 2) @ share)

    def _areas(self, low: float, high: float) -> Floats:
        """Return each ring's material between two radii, mm². Where no ray meets it, none."""
        air = high if self.internal else low
        r = np.clip(np.where(np.isnan(self.radius), air, self.radius), low, high)
        part = high**2 - r**2 if self.internal else r**2 - low**2
        return np.asarray(math.pi * part.mean(axis=1))


def unlikely(candidate: Candidate) -> Unlike | None:
    """Return why helical faces are no thread before any ray is cast; None: they may be one."""
    rise = candidate.rise
    around = math.degrees(candidate.covered)
    winds = around >= TOLD and candidate.length >= LEAST_PITCHES * abs(candidate.fitted_lead)
    if rise > STEEPEST:
        # Blends and lofts fit a steep helix by chance, but do not go round it.
        told = around >= ROUND
        return Unlike(
            f"the helix rises at {rise:.0f}°: a flute, a gear or a twist, no thread", told
        )
    if around < ROUND:
        return Unlike(f"the helix is there on {around:.0f}° of its turn only: not measured", winds)
    return None


def judge(region: Region) -> Judged | Unlike:
    """Cut a region with rays; return the thread, or why it is none."""
    lead, (low, high), (z0, z1) = region.screw.lead, region.radii, region.heights
    depth, length = high - low, z1 - z0
    if not depth > 0 or not length > 0:
        return Unlike("helical faces without depth", told=False)
    if region.wall.missing:
        return Unlike(f"{region.wall.missing} faces around it have no triangles: not measured")
    shell = (low - 0.02 * depth, high + 0.02 * depth)
    rings = Grid(z0 + length / 4, length / 2 / 8, 9, 360)
    first = region.wall.crossings(rings, *shell)
    internal = _internal(first)
    if internal is None:
        return Unlike(
            "a coil: the ridge stands on no body (a thread made apart is to be fused with its core)"
        )
    around = first.inward if internal else first.outward
    part = float(np.isfinite(around).mean())
    if part < COVERED:
        return Unlike(f"the helix is there on {360 * part:.0f}° of its turn only: not measured")
    starts = starts_of(around)
    if not 0 < starts <= MOST_STARTS:
        return Unlike(f"{starts} ridges round the axis: no thread")
    pitch = abs(lead) / starts
    if length < LEAST_PITCHES * pitch:
        return Unlike(f"only {length / pitch:.2f} pitches long: not enough to tell a thread")
    grid, cut_short = _grid(z0, z1, pitch)
    crossings = region.wall.crossings(grid, *shell)
    radius = crossings.inward if internal else crossings.outward
    form = read_form(Rings(region.wall, grid, radius, internal, region.members), lead, starts)
    if form is None:
        return Unlike("the rays see no flanks: no regular ridge")
    unlike = _unlike(form, region.fitted_lead, starts)
    if unlike is not None:
        return unlike
    judged = Judged(form, internal, starts, grid, radius, cut_short)
    return _remarked(judged)


def _grid(low: float, high: float, pitch: float) -> tuple[Grid, bool]:
    """Return the rays of a thread between two heights (mm), and whether only its middle gets any.

    A whole number of rings fills the length, with a pitch of them beyond either end; the ends
    themselves lie between rings.
    """
    inner = math.ceil((high - low) * RINGS / pitch)
    if inner + 2 * RINGS <= MOST_RAYS // SPOKES:
        step = (high - low) / inner
        return Grid(low - (RINGS - 0.5) * step, step, inner + 2 * RINGS, SPOKES), False
    step, rings = pitch / RINGS, MOST_RAYS // SPOKES
    return Grid((low + high - (rings - 1) * step) / 2, step, rings, SPOKES), True


def _internal(crossings: Crossings) -> bool | None:
    """Whether rays enter the material at the ridge; None: they enter and leave."""
    leaving = int(np.isfinite(crossings.outward).sum())
    entering = int(np.isfinite(crossings.inward).sum())
    if min(leaving, entering) > HOLLOW * max(leaving, entering) or not leaving + entering:
        return None
    return entering > leaving


def _unlike(form: Form, fitted_lead: float, starts: int) -> Unlike | None:
    """Return why the form is no thread's; None: it is one."""
    pitch, depth = form.pitch, (form.major - form.minor) / 2
    ratio = depth / pitch
    if abs(form.taper) > CONICAL:
        return Unlike(f"a conical thread (1:{1 / abs(form.taper):.0f}): not measured")
    if form.faithful < FAITHFUL or form.residual > IRREGULAR * pitch:
        return Unlike(
            f"the ridges follow no one helix: {form.faithful:.0%} of the rays end on it, flanks are"
            f" off by {form.residual / pitch:.1%} of the pitch"
        )
    if not SHALLOWEST <= ratio <= DEEPEST:
        return Unlike(f"depth over pitch is {ratio:.2f}, outside {SHALLOWEST} … {DEEPEST}")
    if form.crest > MOST_CREST:
        return Unlike(f"{form.crest:.0%} of the pitch is land: a helical groove, no thread")
    if form.root > MOST_ROOT:
        return Unlike(f"{form.root:.0%} of the pitch is root: a fin, no thread")
    if abs(form.starts - starts) > WHOLE:
        return Unlike(f"lead is {form.starts:.3f} pitches, yet {starts} ridges were counted")
    lead = form.hand * starts * pitch
    if abs(lead - fitted_lead) > LEADS_AGREE * abs(fitted_lead):
        return Unlike(
            f"two methods contradict: lead {lead:.4f} mm by rays, {fitted_lead:.4f} mm by its"
            " surfaces"
        )
    return None


def _remarked(judged: Judged) -> Judged:
    """Note what is odd about a thread."""
    form = judged.form
    rings = np.flatnonzero(form.complete)
    within = form.complete[rings[0] : rings[-1] + 1]
    if within.mean() < 0.98:
        judged.findings.append(
            f"interrupted: {1 - within.mean():.0%} of its length lacks the complete profile"
        )
    if judged.cut_short:
        judged.findings.append("longer than is measured: figures are of its middle")
    return judged
