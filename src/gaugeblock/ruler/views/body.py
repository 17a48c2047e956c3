"""What shaded views are drawn from: coloured triangles and edges in mm, as plain arrays.

The worker packs a `Body` into blobs; the parent unpacks it as input that may be wrong: sizes,
index ranges, colours and finiteness are checked before anything is drawn.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from gaugeblock.ruler.picture.scene import FLOAT32_LIMIT, SEGMENTS_MAX, TRIANGLES_MAX

Floats32 = npt.NDArray[np.float32]
Indices = npt.NDArray[np.uint32]

PALETTE_MAX = 4096
"""Different colours of one file; the largest real file has 9."""

EDGE_KINDS = ("sharp", "smooth")

_COLOUR = re.compile(r"#[0-9a-f]{6}")


@dataclass(frozen=True)
class Body:
    """All solids of a file."""

    centre: tuple[float, float, float]
    """Middle of the box in mm; points and edges are relative to it, so that single precision is
    enough wherever the part lies."""
    points: Floats32
    """(n, 3) nodes in mm from `centre`."""
    triangles: Indices
    """(m, 3) node numbers, counter-clockwise seen from outside."""
    colours: Indices
    """(m,) number of each triangle's colour in `palette`."""
    palette: tuple[str | None, ...]
    """Colours of the file as #rrggbb in sRGB; None where it has none."""
    edges: dict[str, Floats32]
    """(k, 2, 3) chords of edges in mm from `centre`, by name of `EDGE_KINDS`."""
    sag: float
    """Distance of the triangles from the surface, mm."""
    notes: tuple[str, ...]
    """What is not shown, one line each."""

    @property
    def size(self) -> float:
        """Diagonal of the box in mm."""
        return float(np.linalg.norm(np.ptp(self.points.astype(float), axis=0)))


def packed(body: Body) -> tuple[dict[str, Any], list[bytes]]:
    """Return a body as a JSON-able header and blobs."""
    header = {
        "centre": list(body.centre),
        "palette": list(body.palette),
        "sag": body.sag,
        "notes": list(body.notes),
    }
    return header, [
        np.ascontiguousarray(body.points, dtype="<f4").tobytes(),
        np.ascontiguousarray(body.triangles, dtype="<u4").tobytes(),
        np.ascontiguousarray(body.colours, dtype="<u4").tobytes(),
        *(np.ascontiguousarray(body.edges[kind], dtype="<f4").tobytes() for kind in EDGE_KINDS),
    ]


def unpacked(header: dict[str, Any], blobs: list[bytes], clean: Any) -> Body:
    """Return the body of a worker's answer.

    Args:
        header: What `packed` gave.
        blobs: Likewise.
        clean: Makes one line of text safe.

    Raises:
        ValueError: the answer is no body.
        TypeError: likewise.
        KeyError: likewise.
    """
    points, triangles, colours, *edges = blobs
    palette = tuple(header["palette"])
    if not 0 < len(palette) <= PALETTE_MAX:
        raise ValueError("wrong number of colours")
    if any(c is not None and not _COLOUR.fullmatch(c) for c in palette):
        raise ValueError("a colour is not one")
    body = Body(
        centre=_triple(header["centre"]),
        points=_points(points, (-1, 3)),
        triangles=np.frombuffer(triangles, dtype="<u4").reshape(-1, 3),
        colours=np.frombuffer(colours, dtype="<u4"),
        palette=palette,
        edges={
            kind: _points(blob, (-1, 2, 3)) for kind, blob in zip(EDGE_KINDS, edges, strict=True)
        },
        sag=_finite(header["sag"]),
        notes=tuple(clean(str(note)) for note in header["notes"][:20]),
    )
    if not 0 < len(body.triangles) <= TRIANGLES_MAX or len(body.colours) != len(body.triangles):
        raise ValueError("wrong number of triangles")
    if int(body.triangles.max()) >= len(body.points) or int(body.colours.max()) >= len(palette):
        raise ValueError("a number points nowhere")
    if sum(len(part) for part in body.edges.values()) > SEGMENTS_MAX:
        raise ValueError("too many edges")
    return body


def _points(blob: bytes, shape: tuple[int, ...]) -> Floats32:
    points = np.frombuffer(blob, dtype="<f4").reshape(shape)
    if points.size and not float(np.abs(points).max()) < FLOAT32_LIMIT:
        raise ValueError("a coordinate is not finite")
    return points


def _triple(value: Any) -> tuple[float, float, float]:
    x, y, z = map(_finite, value)
    return x, y, z


def _finite(value: Any) -> float:
    number = float(value)
    if not math.isfinite(number):
        raise ValueError("a number is not finite")
    return number
