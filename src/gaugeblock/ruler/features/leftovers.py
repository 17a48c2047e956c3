"""What is left over: slots joined across a gap, and faces that no recogniser could read."""

from __future__ import annotations

import math

import numpy as np

from gaugeblock.records.features import Feature, Recess
from gaugeblock.ruler.features.air import air_between
from gaugeblock.ruler.features.coaxial import PARALLEL, WHOLE
from gaugeblock.ruler.features.forms import cross
from gaugeblock.ruler.features.limits import within
from gaugeblock.ruler.features.sheet import Sheet, triple

SLOT_GAP = 5.0
"""Largest gap between two pieces of one slot in widths; as `holes.GAP` for holes."""


def join_slots(sheet: Sheet) -> None:
    """Join slots that lie in one line with only air between: one cut made them."""
    done: list[Feature] = []
    for feature in sheet.features:
        if isinstance(feature, Recess) and feature.kind in ("slot", "keyway"):
            for i, other in enumerate(done):
                joined = _joined(sheet, other, feature) if isinstance(other, Recess) else None
                if joined is not None:
                    done[i] = joined
                    break
            else:
                done.append(feature)
        else:
            done.append(feature)
    sheet.features = done


def _joined(sheet: Sheet, a: Recess, b: Recess) -> Recess | None:
    tolerance = 4 * sheet.graph.tolerance
    if a.kind != b.kind or a.direction is None or b.direction is None:
        return None
    if a.ends not in ("open", "mixed") or b.ends not in ("open", "mixed"):
        return None
    if a.through or b.through or a.length is None or b.length is None:
        return None
    along, axis = np.array(a.direction), np.array(a.axis)
    same_way = abs(float(along @ np.array(b.direction))) > math.cos(PARALLEL)
    if not same_way or float(axis @ np.array(b.axis)) < math.cos(PARALLEL):
        return None
    if abs(a.depth - b.depth) > tolerance or abs((a.width or 0) - (b.width or 0)) > tolerance:
        return None
    shift = np.array(b.position) - np.array(a.position)
    if np.linalg.norm(cross(along, shift)) > tolerance:
        return None
    apart = abs(float(shift @ along))
    gap = apart - 0.5 * (a.length + b.length)
    if gap < -tolerance or not within(gap, SLOT_GAP * (a.width or 0.0)):
        return None
    toward = along if float(shift @ along) > 0 else -along
    half_down = 0.5 * a.depth * axis
    start = np.array(a.position) + 0.5 * a.length * toward + half_down
    if not air_between(sheet.graph, start, start + gap * toward):
        return None
    length = gap + a.length + b.length
    place = np.array(a.position) + 0.5 * (length - a.length) * toward
    return a.model_copy(
        update={
            "position": triple(place),
            "length": length,
            "faces": sorted({*a.faces, *b.faces}),
            "ends": "open" if a.ends == b.ends == "open" else "mixed",
            "findings": [*a.findings, *b.findings, f"interrupted for {gap:.6g} mm"],
        }
    )


def tell_leftovers(sheet: Sheet) -> None:
    """Refuse bores that taper or are domes, and name the free surfaces that were not read."""
    for group in sheet.groups:
        for piece in group.pieces:
            if piece.kind != "cone" or piece.side > 0 or piece.coverage < WHOLE:
                continue
            if not sheet.claimed(piece.regions) and not set(piece.regions) & set(sheet.blends):
                message = "a tapered bore has no single diameter"
                sheet.refuse("tapered-bore", piece.regions, message)
    graph = sheet.graph
    for region in graph.regions:
        loose = not sheet.claimed([region.number]) and region.number not in sheet.blends
        dome = region.kind == "sphere" and region.outward < 0 and region.edges
        if loose and dome and all(graph.bends[edge] == "convex" for edge, _ in region.edges):
            sheet.refuse("dome", [region.number], "a round dimple without a cylindrical wall")
    free = [
        region.number
        for region in graph.regions
        if region.kind == "other"
        and region.number not in sheet.blends
        and not sheet.claimed([region.number])
    ]
    if free:
        sheet.remark("free-surface", free, "free surfaces that no feature was read from")
