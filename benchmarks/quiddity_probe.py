"""What quiddity says of STEP files, in the words of `calibration.feature_parts.scoring.Claim`.

Runs in a process of its own, with quiddity's folder first on its path: one JSON line for each file
named, in order. Imports nothing of the project.

Where its words cover several of ours the claim names all of them, and what it does not say is left
out. Left aside, because they are another reading and no mistake: the outside of round stock told
as a boss, flats, plates, steps and levels.
"""

from __future__ import annotations

import json
import math
import sys
import time
from typing import Any

from quiddity import build_framed_recognition_result, import_step_geometry

LETTERS = {"x": 0, "y": 1, "z": 2}
UNIT = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
RECESSES = ["slot", "keyway", "pocket", "breakthrough"]

STOCK = 0.98
"""Part of the body's width from which a round outside is the stock and no boss."""


class Teller:
    """Claims of one file, in its own coordinates."""

    def __init__(self, framed: Any) -> None:
        self.frame, self.result = framed.frame, framed.result
        box = framed.part.bounding_box()
        self.size = (box.size.X, box.size.Y, box.size.Z)
        self.claims: list[dict[str, Any]] = []

    def direction(self, local: Any) -> list[float]:
        """Return a direction in the file's coordinates."""
        axes = (self.frame.x, self.frame.y, self.frame.z)
        return [sum(local[i] * axes[i][k] for i in range(3)) for k in range(3)]

    def add(self, kinds: list[str], at: Any, axis: Any, sizes: Any, **labels: str) -> None:
        """Take one claim; `at` and `axis` are in the frame of the answer."""
        self.claims.append(
            {
                "kinds": kinds,
                "at": list(self.frame.to_world(tuple(at))),
                "axis": None if axis is None else self.direction(axis),
                "sizes": {name: value for name, value in sizes.items() if value is not None},
                "labels": labels,
            }
        )

    def all(self) -> list[dict[str, Any]]:
        """Return the claims of all families that have a word of ours."""
        self.holes()
        self.bosses()
        self.recesses()
        self.edges()
        return self.claims

    def holes(self) -> None:
        """Holes, and countersinks that belong to none of them."""
        own = []
        for hole in self.result.holes:
            sizes = {"diameter": hole.diameter}
            if hole.cbore is not None:
                sizes["counterbore diameter"] = hole.cbore.diameter
            if hole.csink is not None:
                sizes["countersink diameter"] = hole.csink.major_diameter
                own.append(hole.csink)
            ends = {"through": "through", "flat": "blind", "drill_point": "blind"}
            labels = {"end": ends[hole.bottom]} if hole.bottom in ends else {}
            self.add(["hole"], hole.location, hole.axis, sizes, **labels)
        held = [hole.location for hole in self.result.holes]
        for sink in self.result.countersinks:
            if sink not in own and not any(on_line(at, sink) for at in held):
                leg = (sink.major_diameter - sink.drill_diameter) / 2
                self.add(["chamfer", "hole"], sink.location, sink.axis, {"larger leg": leg})

    def bosses(self) -> None:
        """Round and straight-sided ones."""
        for boss in self.result.bosses:
            along = max(range(3), key=lambda i: abs(boss.axis[i]))
            across = [self.size[i] for i in range(3) if i != along]
            if boss.diameter >= STOCK * max(across):
                continue
            base = [a - boss.height * d for a, d in zip(boss.location, boss.axis, strict=True)]
            self.add(["boss"], base, boss.axis, {"diameter": boss.diameter})
        for boss in self.result.polygonal_bosses:
            wide = boss.across_flats if boss.side_count == 4 else None
            axis = UNIT[LETTERS[boss.axis]]
            self.add(["boss"], boss.center, axis, {"length": wide, "width": wide})
        for pad in self.result.pads:
            low, high = (pad.x0, pad.y0, pad.z0), (pad.x1, pad.y1, pad.z1)
            along = LETTERS[pad.axis]
            sides = sorted(high[i] - low[i] for i in range(3) if i != along)
            at = [(a + b) / 2 for a, b in zip(low, high, strict=True)]
            sizes = {"length": sides[1], "width": sides[0], "height": high[along] - low[along]}
            self.add(["boss"], at, UNIT[along], sizes)

    def recesses(self) -> None:
        """Slots, section recesses, grooves."""
        for slot in self.result.slots:
            wide, long = LETTERS[slot.width_axis], LETTERS[slot.long_axis]
            deep = 3 - wide - long
            at = [0.0, 0.0, 0.0]
            at[wide], at[long] = slot.w_center, (slot.lo + slot.hi) / 2
            at[deep] = (slot.d_lo + slot.d_hi) / 2
            sizes = {"length": slot.length, "width": slot.width}
            self.add(RECESSES, at, UNIT[deep], sizes)
        for slot in self.result.oriented_slots:
            sizes = {"length": slot.length, "width": slot.width}
            self.add(RECESSES, slot.center, slot.depth_direction, sizes)
        for recess in self.result.section_recesses:
            self.section(recess.geometry)
        for groove in self.result.grooves:
            sizes = {"diameter": groove.diameter, "width": groove.width}
            self.add(["groove"], groove.at, UNIT[LETTERS[groove.axis]], sizes)

    def section(self, geometry: Any) -> None:
        """Return a recess given by its section and how far that runs."""
        frame, low, high = geometry.frame, *geometry.run_interval
        outline = points(geometry.profile.boundary, geometry.profile.closure == "closed")
        u, v = ((min(p[i] for p in outline), max(p[i] for p in outline)) for i in (0, 1))
        at = [
            frame.origin[i]
            + frame.run[i] * (low + high) / 2
            + frame.u[i] * (u[0] + u[1]) / 2
            + frame.v[i] * (v[0] + v[1]) / 2
            for i in range(3)
        ]
        if geometry.profile.closure == "closed":
            length, width = extents(outline)
            ends = {geometry.ends.low.condition, geometry.ends.high.condition}
            label = "through" if ends == {"open"} else "blind"
            sizes = {"length": length, "width": width}
            if label == "blind":
                sizes["depth"] = high - low
            self.add(RECESSES, at, frame.run, sizes, end=label)
        else:  # a channel: which side of its section is its depth it does not say
            self.add(RECESSES, at, None, {})

    def edges(self) -> None:
        """Chamfers and fillets."""
        for bevel in self.result.chamfers:
            small, large = sorted((bevel.leg1, bevel.leg2))
            sizes = {"smaller leg": small, "larger leg": large}
            self.add(["chamfer"], bevel.at, UNIT[LETTERS[bevel.axis]], sizes)
        for bevel in self.result.oriented_chamfers:
            small, large = sorted((bevel.leg1, bevel.leg2))
            sizes = {"smaller leg": small, "larger leg": large}
            self.add(["chamfer"], bevel.at, bevel.run, sizes)
        for round_ in self.result.fillets:
            axis = UNIT[LETTERS[round_.axis]]
            self.add(["fillet"], round_.at, axis, {"radius": round_.radius}, side=round_.side)
        for blend in self.result.blends:
            path = blend.path
            straight = hasattr(path, "direction")
            at, axis = (path.at, path.direction) if straight else (path.center, path.normal)
            self.add(["fillet"], at, axis, {"radius": blend.radius}, side=blend.side)


def on_line(at: Any, sink: Any) -> bool:
    """Whether a hole's opening lies on a countersink's axis."""
    arm = [a - b for a, b in zip(at, sink.location, strict=True)]
    along = sum(a * d for a, d in zip(arm, sink.axis, strict=True))
    return math.dist(arm, [along * d for d in sink.axis]) < 0.01


def points(boundary: Any, closed: bool) -> list[tuple[float, float]]:
    """Return the corners of a section and points on its arcs (bulge = tan of a quarter angle)."""
    out: list[tuple[float, float]] = []
    count = len(boundary)
    for i in range(count if closed else count - 1):
        one, two = boundary[i], boundary[(i + 1) % count]
        (x0, y0), (x1, y1) = one.point, two.point
        out.append((x0, y0))
        if one.bulge:
            sweep = 4 * math.atan(one.bulge)
            chord = math.hypot(x1 - x0, y1 - y0)
            radius = chord / 2 / math.sin(sweep / 2)
            away = radius * math.cos(sweep / 2)
            cx = (x0 + x1) / 2 - (y1 - y0) / chord * away
            cy = (y0 + y1) / 2 + (x1 - x0) / chord * away
            start = math.atan2(y0 - cy, x0 - cx)
            out += [
                (
                    cx + abs(radius) * math.cos(start + sweep * k / 16),
                    cy + abs(radius) * math.sin(start + sweep * k / 16),
                )
                for k in range(1, 16)
            ]
    out.append(tuple(boundary[-1].point))
    return out


def extents(outline: list[tuple[float, float]]) -> tuple[float, float]:
    """Return the longer and the shorter side of the smallest box around an outline."""
    best = (math.inf, math.inf)
    for (x0, y0), (x1, y1) in zip(outline, [*outline[1:], outline[0]], strict=True):
        size = math.hypot(x1 - x0, y1 - y0)
        if size < 1e-9:
            continue
        c, s = (x1 - x0) / size, (y1 - y0) / size
        along = [x * c + y * s for x, y in outline]
        across = [y * c - x * s for x, y in outline]
        sides = sorted((max(along) - min(along), max(across) - min(across)))
        if sides[0] * sides[1] < best[0] * best[1] - 1e-9:
            best = (sides[1], sides[0])
    return best


def asked(path: str, repeat: int) -> dict[str, Any]:
    """Return claims, and the best wall and processor times in s from file to features."""
    wall, spent, framed = [], [], None
    for _ in range(repeat):
        start = (time.perf_counter(), time.process_time())
        part = import_step_geometry(path)
        framed = build_framed_recognition_result(part)
        wall.append(time.perf_counter() - start[0])
        spent.append(time.process_time() - start[1])
    times = {"wall": min(wall), "processor": min(spent)}
    if not hasattr(framed, "result"):
        return {"refused": str(framed), "claims": [], **times}
    return {"claims": Teller(framed).all(), **times}


if __name__ == "__main__":
    for name in sys.argv[2:]:
        try:
            answer = asked(name, int(sys.argv[1]))
        except Exception as error:
            answer = {"failed": f"{type(error).__name__}: {error}"[:200], "claims": []}
        print(json.dumps(answer), flush=True)
