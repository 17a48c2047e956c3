"""Finds all edge treatments of a solid, and takes sheet-metal bends out again.

In this order: rolled fillets and bevels, free fillets, corners where fillets meet, bends.
"""

from __future__ import annotations

import numpy as np

from gaugeblock.ruler.features.blends import Blend
from gaugeblock.ruler.features.chamfers import chamfer_of
from gaugeblock.ruler.features.coaxial import PARALLEL
from gaugeblock.ruler.features.fillets import corners, fillet_of, free_fillet
from gaugeblock.ruler.features.forms import about, cross
from gaugeblock.ruler.features.graph import SolidGraph
from gaugeblock.ruler.features.sheet import Sheet


def find_blends(sheet: Sheet) -> None:
    """Fill `sheet.blends` with the fillets and chamfers that nothing has claimed so far."""
    graph = sheet.graph
    for region in graph.regions:
        if sheet.claimed([region.number]):
            continue
        blend = fillet_of(graph, region) or chamfer_of(graph, region)
        if blend is None and region.kind in ("other", "cone"):
            blend = free_fillet(sheet, region)
        if blend is not None:
            sheet.blends[region.number] = blend
    _leave_out_wide_bevels(sheet)
    for blend in corners(graph, sheet.blends):
        if not sheet.claimed([blend.region.number]):
            sheet.blends[blend.region.number] = blend
    _leave_out_bends(sheet)


def _leave_out_wide_bevels(sheet: Sheet) -> None:
    """Of two bevels that each take the other for a face they are cut from, keep the narrower."""
    bevels = [b for b in sheet.blends.values() if b.treatment == "chamfer" and b.form == "straight"]
    for blend in sorted(bevels, key=lambda b: -sum(b.legs)):
        for bank in (0, 1):
            for number in blend.supports(sheet.graph, bank):
                other = sheet.blends.get(number)
                if other in bevels and other is not None and sum(other.legs) <= sum(blend.legs):
                    sheet.blends.pop(blend.region.number, None)


def _leave_out_bends(sheet: Sheet) -> None:
    """Take out pairs of coaxial fillets around a sheet of constant thickness."""
    graph = sheet.graph
    straight = [
        b for b in sheet.blends.values() if b.treatment == "fillet" and b.form == "straight"
    ]
    for inner in straight:
        for outer in straight:
            if inner.side != "concave" or outer.side != "convex":
                continue
            thickness = outer.radius - inner.radius
            if thickness > graph.tolerance and _wrap(graph, inner, outer, thickness):
                numbers = (inner.region.number, outer.region.number)
                if all(number in sheet.blends for number in numbers):
                    sheet.remark(
                        "bend",
                        numbers,
                        f"a bend of a sheet {thickness:.6g} mm thick, inner radius"
                        f" {inner.radius:.6g} mm",
                    )
                    for number in numbers:
                        del sheet.blends[number]
                        sheet.owner[number] = "bend"


def _wrap(graph: SolidGraph, inner: Blend, outer: Blend, thickness: float) -> bool:
    """Whether two fillets lie about one axis and join faces that are parallel at a distance."""
    a, b = inner.region.form, outer.region.form
    if np.linalg.norm(cross(a.axis, b.axis)) > PARALLEL:
        return False
    if about(a.origin, a.axis, b.origin[None])[0][0] > 4 * graph.tolerance:
        return False
    matched = 0
    for bank in (0, 1):
        for number in inner.supports(graph, bank):
            face = graph.regions[number].form
            for other in (n for i in (0, 1) for n in outer.supports(graph, i)):
                back = graph.regions[other].form
                if face.kind != "plane" or back.kind != "plane":
                    continue
                opposite = float(face.axis @ back.axis) < -np.cos(PARALLEL)
                apart = abs(float((face.origin - back.origin) @ face.axis))
                if opposite and abs(apart - thickness) <= 8 * graph.tolerance:
                    matched += 1
                    break
            else:
                continue
            break
    return matched == 2
