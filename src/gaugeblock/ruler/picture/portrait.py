"""One file to look at, its faces coloured by what they belong to.

The worker packs a `Portrait` into blobs; the parent unpacks it as input that may be wrong, colours
it (`scene_by_kind`) and draws it with `views`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from gaugeblock.records.errors import CouldNotMeasure
from gaugeblock.records.features import Feature
from gaugeblock.ruler.picture.scene import (
    SEGMENTS_MAX,
    TRIANGLES_MAX,
    Floats,
    Indices,
    Layer,
    Scene,
    finite,
    read_points,
    read_triangles,
)
from gaugeblock.ruler.picture.views import COMMON, Colour, Style

KIND_COLOURS: dict[str, Colour] = {
    "hole": (0, 114, 178),
    "boss": (230, 159, 0),
    "slot": (86, 180, 233),
    "keyway": (0, 92, 66),
    "pocket": (0, 158, 115),
    "breakthrough": (240, 228, 66),
    "groove": (213, 94, 0),
    "chamfer": (204, 121, 167),
    "fillet": (150, 130, 205),
    "thread": (110, 70, 40),
}
"""Okabe and Ito's seven colours for what is met most and must be told apart, three more beside
them; what belongs to no feature is grey."""


@dataclass(frozen=True)
class Portrait:
    """Triangles of one file and the faces that they lie on."""

    points: Floats
    """(n, 3) nodes in mm."""
    triangles: Indices
    """(m, 3) node numbers, counter-clockwise seen from outside."""
    solid: Indices
    """(m,) index of the solid in the file's order."""
    face: Indices
    """(m,) index of the face in the solid's order."""
    edges: Floats
    """(k, 2, 3) pieces of edges in mm."""
    sag: float
    """Largest distance of the triangles from the true surface, mm."""


def pack(portrait: Portrait) -> tuple[dict[str, Any], list[bytes]]:
    """Return a portrait as a JSON-able header and blobs."""
    return {"sag": portrait.sag}, [
        np.ascontiguousarray(portrait.points, dtype="<f4").tobytes(),
        np.ascontiguousarray(portrait.triangles, dtype="<u4").tobytes(),
        np.ascontiguousarray(portrait.solid, dtype="<u4").tobytes(),
        np.ascontiguousarray(portrait.face, dtype="<u4").tobytes(),
        np.ascontiguousarray(portrait.edges, dtype="<f4").tobytes(),
    ]


def unpack(value: dict[str, Any], blobs: tuple[bytes, ...]) -> Portrait:
    """Return the portrait of a worker's answer.

    Raises:
        CouldNotMeasure: the answer is none.
    """
    try:
        points, triangles, solid, face, edges = blobs
        portrait = Portrait(
            points=read_points(points, (-1, 3)),
            triangles=read_triangles(triangles, len(points) // 12),
            solid=np.frombuffer(solid, dtype="<u4"),
            face=np.frombuffer(face, dtype="<u4"),
            edges=read_points(edges, (-1, 2, 3)),
            sag=finite(value["sag"]),
        )
        if not len(portrait.triangles) == len(portrait.solid) == len(portrait.face):
            raise ValueError("not every triangle has its face")
        if len(portrait.triangles) > TRIANGLES_MAX or len(portrait.edges) > SEGMENTS_MAX:
            raise ValueError("too many triangles or edges")
    except (ValueError, TypeError, KeyError) as error:
        raise CouldNotMeasure(f"the worker's answer is not a picture: {error}") from error
    return portrait


def scene_by_kind(
    portrait: Portrait, features: Sequence[Feature]
) -> tuple[Scene, tuple[Style, ...]]:
    """Return what is drawn: one layer for each kind of feature, one for all else.

    Args:
        portrait: The file.
        features: Of the same file; a face that two of them name takes the first one's colour.
    """
    kinds = list(KIND_COLOURS)
    known = {(f.solid, face): kinds.index(f.kind) for f in reversed(features) for face in f.faces}
    owner = np.full(len(portrait.triangles), -1)
    for (solid, face), kind in known.items():
        owner[(portrait.solid == solid) & (portrait.face == face)] = kind
    names = ["other", *kinds]
    layers = {name: _part(portrait, owner == number) for number, name in enumerate(names, start=-1)}
    nothing = np.empty((0, 2, 3), dtype=np.float32)
    edges = {"common": portrait.edges, "only_a": nothing, "only_b": nothing}
    styles = [Style("other", COMMON, 1.0)]
    styles += [Style(kind, colour, 1.0) for kind, colour in KIND_COLOURS.items()]
    shown = tuple(style for style in styles if len(layers[style.layer].triangles))
    return Scene(layers, edges, {}, portrait.sag, None), shown


def _part(portrait: Portrait, chosen: npt.NDArray[np.bool_]) -> Layer:
    triangles = portrait.triangles[chosen]
    used, flat = np.unique(triangles, return_inverse=True)
    return Layer(portrait.points[used], flat.reshape(-1, 3).astype(np.uint32))
