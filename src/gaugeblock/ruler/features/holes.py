"""Holes: round bores with all of their coaxial steps.

A bore is an inner cylinder whose wall covers more than half a turn. From it the wall is followed
both ways (`chains`); what is wider on both sides is a groove, what is much longer a chamber that
parts two holes. Chains that face each other through a gap on one axis are one hole.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from gaugeblock.records.features import Counterbore, Countersink, Hole
from gaugeblock.ruler.features.air import air_between
from gaugeblock.ruler.features.chains import Chain, Stop, chain_from
from gaugeblock.ruler.features.chamfers import chamfer_of
from gaugeblock.ruler.features.coaxial import WHOLE, AxisGroup, End, Piece
from gaugeblock.ruler.features.fillets import fillet_of
from gaugeblock.ruler.features.limits import reaches, within
from gaugeblock.ruler.features.sheet import Sheet, triple

WALL = math.pi * 1.02
"""Least turn of a bore's wall in rad: with half a turn or less a tool is not held by its hole, and
round slot ends and corners have exactly half or less. 2 % over half keeps rounding out."""

SINK = 1.5
"""Least ratio of a conical mouth's diameter to the bore's for a countersink. Broken edges reach
1.33 (0.5 mm on 3 mm), screw heads need 1.8 and more; between them this is the geometric mean."""

GAP = 5.0
"""Largest gap between two bores of one hole in diameters. A fork's arms or a crossing hole part one
drilled hole; a drill that had to cross more air would wander, so such walls have a hole each."""

SAME = 1e-3
"""Part of a diameter within which two bores have the same."""


@dataclass
class _Step:
    pieces: list[Piece]
    diameter: float
    z: list[float]
    """Start and end along the axis, shoulders included."""


@dataclass
class _Bore:
    """One hole in the making, on the axis of its group, from low to high."""

    group: AxisGroup
    low: Stop
    steps: list[_Step]
    high: Stop
    cones: list[tuple[Piece, End]]
    """Cones beyond the first or last step."""
    pieces: list[Piece]
    findings: list[str] = field(default_factory=list)

    @property
    def narrowest(self) -> float:
        """Diameter of the narrowest step."""
        return min(step.diameter for step in self.steps)

    def step(self, end: End) -> _Step:
        """Return the step at an end."""
        return self.steps[0 if end == -1 else -1]

    def stop(self, end: End) -> Stop:
        """Return the stop at an end."""
        return self.low if end == -1 else self.high

    def sunk(self, end: End) -> Piece | None:
        """Return the countersink at an end."""
        for cone, at in self.cones:
            wide = reaches(2 * cone.rho[1], SINK * self.step(end).diameter)
            if at == end and self.stop(end).closing == "open" and wide:
                return cone
        return None


def find_holes(sheet: Sheet) -> None:
    """Add the holes of a solid to its sheet."""
    for group in sheet.groups:
        bores: list[_Bore] = []
        used: set[int] = set()
        for piece in group.pieces:
            if not _is_bore(sheet, group, piece) or id(piece) in used:
                continue
            chain = chain_from(group, piece)
            used |= {id(each) for each in chain.pieces}
            bores += _bores(sheet, chain)
        for bore in _joined(sheet, bores):
            _add(sheet, bore)


def _is_bore(sheet: Sheet, group: AxisGroup, piece: Piece) -> bool:
    return (
        piece.kind == "cylinder"
        and piece.side < 0
        and piece.coverage >= WALL
        and group.broken(piece)
        and sheet.free(piece)
    )


def _bores(sheet: Sheet, chain: Chain) -> list[_Bore]:
    """Read a chain as holes: cut at its chambers, grooves left out."""
    runs: list[list[Piece]] = [[]]
    cylinders = [p for p in chain.cylinders if not sheet.is_groove(p.regions)]
    for i, piece in enumerate(cylinders):
        before, after = cylinders[max(i - 1, 0)], cylinders[min(i + 1, len(cylinders) - 1)]
        if _wider(piece, before) and _wider(piece, after):
            sheet.remark("chamber", piece.regions, "a wide room between two narrower bores")
            runs.append([])
        else:
            runs[-1].append(piece)
    found = []
    for number, run in enumerate(runs):
        if not run:
            continue
        first, last = chain.pieces.index(run[0]), chain.pieces.index(run[-1])
        low = chain.low if number == 0 else _into_chamber(chain, first, -1)
        high = chain.high if run is runs[-1] else _into_chamber(chain, last, 1)
        start = 0 if low is chain.low else first
        stop = len(chain.pieces) if high is chain.high else last + 1
        found.append(_bore(sheet, chain.group, low, chain.pieces[start:stop], high))
    return found


def _wider(a: Piece, b: Piece) -> bool:
    return a.radius > b.radius * (1 + SAME)


def _into_chamber(chain: Chain, index: int, end: End) -> Stop:
    """Return the opening of a bore into the chamber beyond its piece's end."""
    beyond = chain.pieces[index + end]
    z = chain.pieces[index].z[1 if end == 1 else 0]
    return Stop("open", z, beyond.regions)


def _bore(sheet: Sheet, group: AxisGroup, low: Stop, pieces: list[Piece], high: Stop) -> _Bore:
    """Return the hole of the pieces between two stops: shoulders bound its steps."""
    steps: list[_Step] = []
    level: float | None = None
    cones: list[tuple[Piece, End]] = []
    for piece in pieces:
        if sheet.is_groove(piece.regions):
            continue
        if piece.kind == "cone":
            cones.append((piece, 1 if steps else -1))
            level = None
        elif piece.kind == "plane":
            level = 0.5 * (piece.z[0] + piece.z[1])
        elif piece.kind == "cylinder":
            diameter = 2 * piece.radius
            if steps and abs(steps[-1].diameter - diameter) <= SAME * diameter:
                steps[-1].z[1] = piece.z[1]
                steps[-1].pieces.append(piece)
            else:
                if steps and level is not None:
                    steps[-1].z[1] = level
                start = piece.z[0] if level is None else level
                steps.append(_Step([piece], diameter, [start, piece.z[1]]))
            cones = [(cone, at) for cone, at in cones if at == -1]
            level = None
    bore = _Bore(group, low, steps, high, cones, list(pieces))
    if low.closing not in ("conical", "spherical") and not bore.sunk(-1):
        steps[0].z[0] = low.z
    if high.closing not in ("conical", "spherical") and not bore.sunk(1):
        steps[-1].z[1] = high.z
    return bore


def _joined(sheet: Sheet, bores: list[_Bore]) -> list[_Bore]:
    """Join holes of one axis that face each other through a gap: one tool made them."""
    left = sorted(bores, key=lambda bore: bore.low.z)
    out: list[_Bore] = []
    for bore in left:
        before = out[-1] if out else None
        if (
            before is not None
            and before.high.closing == bore.low.closing == "open"
            and abs(before.steps[-1].diameter - bore.steps[0].diameter)
            <= SAME * bore.steps[0].diameter
            and before.sunk(1) is None
            and bore.sunk(-1) is None
            and within(bore.low.z - before.high.z, GAP * bore.steps[0].diameter)
            and air_between(
                sheet.graph,
                bore.group.place(before.high.z),
                bore.group.place(bore.low.z),
            )
        ):
            gap = bore.low.z - before.high.z
            last, first = before.steps[-1], bore.steps[0]
            bridge = _Step(last.pieces + first.pieces, last.diameter, [last.z[0], first.z[1]])
            out[-1] = _Bore(
                bore.group,
                before.low,
                [*before.steps[:-1], bridge, *bore.steps[1:]],
                bore.high,
                before.cones + bore.cones,
                before.pieces + bore.pieces,
                [*before.findings, *bore.findings, f"interrupted for {gap:.6g} mm"],
            )
        else:
            out.append(bore)
    return out


def _add(sheet: Sheet, bore: _Bore) -> None:
    graph, group = sheet.graph, bore.group
    near: End = -1
    if bore.low.closing != "open" or (
        bore.high.closing == "open" and _rank(sheet, bore, 1) > _rank(sheet, bore, -1)
    ):
        near = 1
    far: End = -near
    entry, bottom = bore.stop(near), bore.stop(far)
    own = {number for piece in bore.pieces if _own(sheet, bore, piece) for number in piece.regions}
    if entry.closing != "open":
        own |= {*entry.regions, *bottom.regions}
        sheet.remark("closed-cavity", own, "a round cavity without an opening")
        return
    through = bottom.closing == "open"
    if not through:
        own |= set(bottom.regions)
    steps = bore.steps[::-near]
    extents = [step.z[1] - step.z[0] for step in steps]
    end = bottom.z
    if bottom.closing in ("conical", "spherical"):
        end = bore.step(far).z[0 if far == -1 else 1]
    sheet.add(
        Hole(
            id="",
            solid=graph.index,
            faces=graph.faces_of(own),
            position=triple(group.place(entry.z)),
            findings=_findings(bore, entry, bottom),
            through=through,
            axis=triple(-near * group.axis),
            diameter=bore.narrowest,
            depth=abs(end - entry.z),
            bottom="flat" if bottom.closing == "island" else bottom.closing,
            tip_angle=bottom.tip,
            counterbore=_counterbore(bore, near),
            countersink=_countersink(bore, near),
            far_counterbore=_counterbore(bore, far),
            far_countersink=_countersink(bore, far),
            steps=[(step.diameter, extent) for step, extent in zip(steps, extents, strict=True)],
            entry_faces=graph.faces_of(entry.regions),
            exit_faces=graph.faces_of(bottom.regions) if through else [],
        ),
        own,
    )


def _own(sheet: Sheet, bore: _Bore, piece: Piece) -> bool:
    """Whether a piece belongs to the hole itself: edge treatments and grooves do not."""
    if sheet.is_groove(piece.regions):
        return False
    if piece.kind == "cylinder":
        return any(piece in step.pieces for step in bore.steps)
    if piece.kind not in ("cone", "torus") or piece in (bore.sunk(-1), bore.sunk(1)):
        return True
    region = sheet.graph.regions[piece.regions[0]]
    return fillet_of(sheet.graph, region) is None and chamfer_of(sheet.graph, region) is None


def _findings(bore: _Bore, entry: Stop, bottom: Stop) -> list[str]:
    found = list(bore.findings)
    walls = [piece for step in bore.steps for piece in step.pieces]
    covered = min(piece.coverage for piece in walls)
    if covered < WHOLE:
        found.append(f"the wall covers {math.degrees(covered):.4g} of 360°")
    if any(piece.threaded for piece in walls):
        found.append("threaded")
    if any(piece.openings for piece in walls):
        found.append("the wall has openings")
    if len(entry.regions) > 1:
        found.append("the entry lies in several faces")
    if not entry.sure or not bottom.sure:
        found.append("an end lies in a free surface: measured at the middle of its rim")
    if bottom.closing == "island":
        found.append("a core stands on the floor")
    return found


def _rank(sheet: Sheet, bore: _Bore, end: End) -> tuple[float, ...]:
    """Rank an opening as entry: the wider mouth, then the deeper step, then the larger face."""
    step, scale = bore.step(end), bore.narrowest
    sink = bore.sunk(end)
    mouth = step.diameter if sink is None else 2 * sink.rho[1]
    size = max((_extent(sheet, region) for region in bore.stop(end).regions), default=0.0)
    return (
        round(mouth / scale, 3),
        round((step.z[1] - step.z[0]) / scale, 3) if mouth > scale * (1 + SAME) else 0.0,
        round(size / scale, 3),
    )


def _extent(sheet: Sheet, region: int) -> float:
    points = sheet.graph.boundary(sheet.graph.regions[region])
    if not len(points):
        return 0.0
    return float(np.linalg.norm(points - points.mean(axis=0), axis=1).max())


def _counterbore(bore: _Bore, end: End) -> Counterbore | None:
    stop, steps = bore.stop(end), bore.steps[::-end]
    if stop.closing != "open" or len(steps) < 2 or steps[0].diameter <= steps[1].diameter:
        return None
    depth = max(abs(z - stop.z) for z in steps[0].z)
    return Counterbore(diameter=steps[0].diameter, depth=depth)


def _countersink(bore: _Bore, end: End) -> Countersink | None:
    cone, stop = bore.sunk(end), bore.stop(end)
    if cone is None:
        return None
    form = bore.group.graph.regions[cone.regions[0]].form
    apex = float(bore.group.z(form.origin[None])[0])
    slope = math.tan(form.half_angle)
    diameter = 2 * abs(stop.z - apex) * slope
    return Countersink(
        diameter=diameter,
        angle=math.degrees(2 * form.half_angle),
        depth=(diameter - bore.step(end).diameter) / 2 / slope,
    )
