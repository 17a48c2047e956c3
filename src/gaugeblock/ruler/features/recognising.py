"""Features of a file: reading, a graph for each solid, the recognisers one after the other.

In this order, each reading what those before have claimed: threads (a room of their own), grooves,
holes, round bosses, edge treatments, recesses, openings, prismatic bosses, and what is left over.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from OCP.TopAbs import TopAbs_SOLID
from OCP.TopoDS import TopoDS

from gaugeblock.records.features import Feature, FeatureSet, Thread
from gaugeblock.records.measurement import FileFacts, Finding
from gaugeblock.ruler.explore import explore
from gaugeblock.ruler.facts.measuring import Clock
from gaugeblock.ruler.facts.outline import outline_of
from gaugeblock.ruler.features.bosses import find_round_bosses
from gaugeblock.ruler.features.building import build_graph
from gaugeblock.ruler.features.chamfers import add_chamfers
from gaugeblock.ruler.features.fillets import add_fillets
from gaugeblock.ruler.features.graph import SolidGraph
from gaugeblock.ruler.features.grooves import find_grooves
from gaugeblock.ruler.features.holes import find_holes
from gaugeblock.ruler.features.leftovers import join_slots, tell_leftovers
from gaugeblock.ruler.features.openings import find_openings
from gaugeblock.ruler.features.pads import find_pads
from gaugeblock.ruler.features.recesses import find_recesses
from gaugeblock.ruler.features.sheet import Sheet, new_sheet
from gaugeblock.ruler.features.treatments import find_blends
from gaugeblock.ruler.features.vees import find_vees
from gaugeblock.ruler.header import Refused, inspect
from gaugeblock.ruler.reading import read_step
from gaugeblock.ruler.refusals import refused_features, versions
from gaugeblock.ruler.threads.measuring import threads_of_solid

ORDER = (
    "thread",
    "hole",
    "boss",
    "slot",
    "keyway",
    "pocket",
    "breakthrough",
    "groove",
    "chamfer",
    "fillet",
)
"""Order of kinds in the answer."""

RECOGNISERS = (
    find_grooves,
    find_holes,
    find_round_bosses,
    find_blends,
    find_recesses,
    find_vees,
    find_openings,
    find_pads,
    join_slots,
    add_chamfers,
    add_fillets,
    tell_leftovers,
)


def features_fd(fd: int, name: str, sha256: str | None) -> FeatureSet:
    """Recognise the features of the STEP file open as `fd`, in this process.

    Args:
        fd: Descriptor of a regular file, open for reading.
        name: File name for the record.
        sha256: Digest computed by the caller, or None.
    """
    clock = Clock()
    file = FileFacts(name=name, sha256=sha256, bytes=os.fstat(fd).st_size)
    try:
        header = inspect(fd)
        file = header.told_of(file, header.length_units)
        read = read_step(f"/proc/self/fd/{fd}", units=False)
    except Refused as refusal:
        return refused_features(file, refusal.code, refusal.reason)
    clock.lap("read")
    if not read.solids:
        return refused_features(file, "no-solid", "the file holds no solid to have features")
    sheets = []
    for index, solid in enumerate(read.solids):
        outline = outline_of(solid.shape)
        clock.lap("graph")
        threads = threads_of_solid(solid.shape, index, outline)
        clock.lap("threads")
        graph = build_graph(solid.shape, index, outline)
        clock.lap("graph")
        sheet = recognise(graph, threads.threads)
        sheet.refused += threads.refused
        sheets.append(sheet)
        clock.lap("recognise")
    return FeatureSet(
        verdict="measured",
        file=file,
        features=numbered(sheets),
        refused=[finding for sheet in sheets for finding in sheet.refused],
        findings=read.findings + [finding for sheet in sheets for finding in sheet.remarks],
        versions=versions(),
        timings={step: round(seconds, 6) for step, seconds in clock.seconds.items()},
    )


def features_of_shape(shape: Any) -> list[Feature]:
    """Recognise the features of an OCP shape (or build123d object) that you trust."""
    shape = getattr(shape, "wrapped", shape)
    solids = [TopoDS.Solid(solid) for solid in explore(shape, TopAbs_SOLID)]
    sheets = []
    for index, solid in enumerate(solids):
        threads = threads_of_solid(solid, index).threads
        sheets.append(recognise(build_graph(solid, index), threads))
    return numbered(sheets)


def recognise(
    graph: SolidGraph, threads: Sequence[Thread] = (), taken_faces: Collection[int] = ()
) -> Sheet:
    """Recognise the features of one solid.

    Args:
        graph: The solid.
        threads: Its threads: features of their own, and what they are cut into is read as if it
            were plain.
        taken_faces: Further faces (in the solid's order) that somebody else claims: no feature is
            made of them.

    Returns:
        A sheet with features (ids still empty), what was refused, and remarks.
    """
    taken = {*taken_faces, *(face for thread in threads for face in thread.faces)}
    for region in graph.regions:
        region.taken = any(face in taken for face in region.faces)
    sheet = new_sheet(graph, threads)
    sheet.features += threads
    for message in graph.oddities:
        sheet.refused.append(
            Finding(code="open-boundary", message=message, where=f"solid {graph.index}")
        )
    for find in RECOGNISERS:
        find(sheet)
    return sheet


def numbered(sheets: list[Sheet]) -> list[Feature]:
    """Return the features of all solids by kind, then by place, with their ids."""
    found = [feature for sheet in sheets for feature in sheet.features]
    found.sort(key=lambda f: (ORDER.index(f.kind), f.solid, _place(f), min(f.faces, default=0)))
    counts: dict[str, int] = {}
    out: list[Feature] = []
    for feature in found:
        counts[feature.kind] = counts.get(feature.kind, 0) + 1
        out.append(feature.model_copy(update={"id": f"{feature.kind}-{counts[feature.kind]}"}))
    return out


def _place(feature: Feature) -> tuple[float, ...]:
    # To the µm, so that rounding noise does not order what lies in one plane.
    return tuple(np.round(feature.position, 3).tolist())
