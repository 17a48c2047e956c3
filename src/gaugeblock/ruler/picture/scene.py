"""What a difference picture is drawn from: plain arrays of triangles and edges, in mm.

The worker packs a `Scene` into blobs; the parent unpacks it as input that may be wrong: sizes,
index ranges and finiteness are checked before anything is drawn.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from gaugeblock.records.errors import CouldNotMeasure
from gaugeblock.ruler.text import REASON_LIMIT, clean_text

Floats = npt.NDArray[np.float32]
Indices = npt.NDArray[np.uint32]

LAYERS = ("a", "b", "common", "only_a", "only_b")
"""Bodies of a scene: both files in the compared pose, and their mesh booleans."""

EDGES = ("common", "only_a", "only_b")
"""Edges of both files, of the first alone, of the second alone."""

TRIANGLES_MAX = 1_500_000
"""Triangles of all layers together: five times the worker's own ceiling (`picture.TRIANGLES`)."""

SEGMENTS_MAX = 1_000_000
"""Edge pieces of all kinds together."""

FLOAT32_LIMIT = 1e30
"""Coordinates beyond this are nonsense; below it, squares stay finite in 64 bits."""


@dataclass(frozen=True)
class Layer:
    """One triangulated body."""

    points: Floats
    """(n, 3) nodes in mm."""
    triangles: Indices
    """(m, 3) node numbers, counter-clockwise seen from outside."""


@dataclass(frozen=True)
class Scene:
    """Two bodies laid over each other, in the first file's coordinates."""

    layers: dict[str, Layer]
    """By name of `LAYERS`; the booleans are empty where `reason` says why."""
    edges: dict[str, Floats]
    """(k, 2, 3) pieces of edges in mm, by name of `EDGES`."""
    volumes: dict[str, float]
    """Volumes in mm³ from the meshes, thin pieces included; empty without booleans."""
    sag: float
    """Largest distance of the triangles from the true surface, mm."""
    reason: str | None
    """Why there are no booleans, or None."""

    @property
    def differs(self) -> bool:
        """Whether anything is drawn as belonging to one file alone."""
        return bool(len(self.layers["only_a"].triangles) or len(self.layers["only_b"].triangles))

    def box(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Return the lowest and the highest corner of everything, mm."""
        points = np.concatenate([layer.points for layer in self.layers.values()])
        if not len(points):
            return np.zeros(3), np.ones(3)
        return points.min(axis=0).astype(float), points.max(axis=0).astype(float)


def pack(scene: Scene) -> tuple[dict[str, Any], list[bytes]]:
    """Return `scene` as a JSON-able header and blobs in the order of `LAYERS`, then `EDGES`."""
    blobs: list[bytes] = []
    for name in LAYERS:
        layer = scene.layers[name]
        blobs.append(np.ascontiguousarray(layer.points, dtype="<f4").tobytes())
        blobs.append(np.ascontiguousarray(layer.triangles, dtype="<u4").tobytes())
    blobs += [np.ascontiguousarray(scene.edges[name], dtype="<f4").tobytes() for name in EDGES]
    return {"volumes": scene.volumes, "sag": scene.sag, "reason": scene.reason}, blobs


def unpack(value: dict[str, Any], blobs: tuple[bytes, ...]) -> Scene:
    """Return the scene of a worker's answer.

    Raises:
        CouldNotMeasure: the answer is not a scene.
    """
    try:
        if len(blobs) != 2 * len(LAYERS) + len(EDGES):
            raise ValueError("wrong number of parts")
        layers = {
            name: Layer(
                read_points(blobs[2 * i], (-1, 3)),
                read_triangles(blobs[2 * i + 1], len(blobs[2 * i]) // 12),
            )
            for i, name in enumerate(LAYERS)
        }
        edges = {
            name: read_points(blobs[2 * len(LAYERS) + i], (-1, 2, 3))
            for i, name in enumerate(EDGES)
        }
        if sum(len(layer.triangles) for layer in layers.values()) > TRIANGLES_MAX:
            raise ValueError("too many triangles")
        if sum(len(pieces) for pieces in edges.values()) > SEGMENTS_MAX:
            raise ValueError("too many edges")
        reason = value.get("reason")
        return Scene(
            layers=layers,
            edges=edges,
            volumes={
                name: finite(value["volumes"][name])
                for name in ("common", "only_a", "only_b")
                if name in value["volumes"]
            },
            sag=finite(value["sag"]),
            reason=None if reason is None else clean_text(str(reason), REASON_LIMIT),
        )
    except (ValueError, TypeError, KeyError) as error:
        raise CouldNotMeasure(f"the worker's answer is not a picture: {error}") from error


def read_points(blob: bytes, shape: tuple[int, ...]) -> Floats:
    """Return coordinates of a shape out of bytes; ValueError if one is not finite."""
    points = np.frombuffer(blob, dtype="<f4").reshape(shape)
    if points.size and not float(np.abs(points).max()) < FLOAT32_LIMIT:
        raise ValueError("a coordinate is not finite")
    return points


def read_triangles(blob: bytes, nodes: int) -> Indices:
    """Return (m, 3) node numbers out of bytes; ValueError if one is not below `nodes`."""
    triangles = np.frombuffer(blob, dtype="<u4").reshape(-1, 3)
    if triangles.size and int(triangles.max()) >= nodes:
        raise ValueError("a triangle names a node that is not there")
    return triangles


def finite(value: Any) -> float:
    """Return a number; ValueError if it is none or not finite."""
    number = float(value)
    if not math.isfinite(number):
        raise ValueError("a number is not finite")
    return number


def corner_normals(layer: Layer, crease: float = 0.5) -> Floats:
    """Return (m, 3, 3) unit normals at the corners: smooth over curved faces, sharp at edges.

    Args:
        layer: The body.
        crease: Neighbouring triangles whose normals differ by more than this angle in rad keep a
            sharp edge between them; above the mesher's angular deflection, below a chamfer's.
    """
    normal, weights = normals_and_weights(layer.points.astype(float)[layer.triangles])
    angle = weights.ravel()
    node = layer.triangles.ravel().astype(np.int64)
    order = np.argsort(node, kind="stable")
    valence = np.bincount(node, minlength=len(layer.points))
    first = np.cumsum(valence) - valence
    total = np.zeros((len(node), 3))
    limit = math.cos(crease)
    own = np.arange(len(node)) // 3
    # Step k pairs every corner with the k-th corner at its node: as many steps as the busiest node.
    active = np.arange(len(node))
    for k in range(min(int(valence.max(initial=0)), VALENCE_MAX)):
        active = active[valence[node[active]] > k]
        other = order[first[node[active]] + k]
        theirs = normal[other // 3]
        alike = (normal[own[active]] * theirs).sum(axis=1) > limit
        total[active[alike]] += theirs[alike] * angle[other[alike], None]
    length = np.linalg.norm(total, axis=1, keepdims=True)
    plain = normal[own]
    smooth = np.where((length > 0) & (valence[node] <= VALENCE_MAX)[:, None], total, plain)
    smooth /= np.maximum(np.linalg.norm(smooth, axis=1, keepdims=True), 1e-300)
    return smooth.reshape(-1, 3, 3).astype(np.float32)


def normals_and_weights(
    corners: npt.NDArray[np.float64],
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return (m, 3) unit normals of triangles, and (m, 3) what each says at its corners.

    A triangle's word is its angle at the corner; slivers, whose normals are rounding, are heard
    less the thinner they are.

    Args:
        corners: (m, 3, 3) corners in mm.
    """
    sides = np.roll(corners, -1, axis=1) - corners
    normal = np.cross(sides[:, 0], sides[:, 1])
    area = np.linalg.norm(normal, axis=1)
    normal /= np.maximum(area, 1e-300)[:, None]
    length = np.linalg.norm(sides, axis=2)
    unit = sides / np.maximum(length, 1e-300)[..., None]
    angle = np.arccos(np.clip(-(unit * np.roll(unit, 1, axis=1)).sum(axis=2), -1.0, 1.0))
    return normal, np.asarray(angle * np.clip(thickness(corners), 1e-6, 1.0)[:, None])


def thickness(corners: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return (m,) heights of triangles over their longest side, as multiples of a sliver's.

    Args:
        corners: (m, 3, 3) corners in mm.
    """
    sides = np.roll(corners, -1, axis=1) - corners
    area = np.linalg.norm(np.cross(sides[:, 0], sides[:, 1]), axis=1)
    longest = np.linalg.norm(sides, axis=2).max(axis=1, initial=0.0)
    span = np.ptp(corners.reshape(-1, 3), axis=0) if len(corners) else np.zeros(3)
    sliver = max(float(np.linalg.norm(span)) * SLIVER, 1e-300)
    return np.asarray(area / np.maximum(longest, 1e-300) / sliver)


SLIVER = 1e-4
"""Height of a triangle, as a part of the body's diagonal, below which it is a sliver."""

VALENCE_MAX = 256
"""Triangles at one node beyond which it is shaded flat: only tips of large fans have as many, and
their triangles are mostly in one plane."""
