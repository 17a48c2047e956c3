"""The difference as one web page that stands alone: 3-D view, facts, hints, and the still picture.

Everything is inside the file: style, viewer (`viewer.js`, raw WebGL 2), geometry, PNG. A
content security policy names the style and the script by their hashes and allows nothing else, so
that text out of a STEP file could not act even if it were not escaped, and nothing is ever loaded.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from typing import Any

import numpy as np
import numpy.typing as npt

from gaugeblock.ruler.picture.facts import Row
from gaugeblock.ruler.picture.scene import Layer, Scene, corner_normals
from gaugeblock.ruler.picture.views import COMMON, INK, ONLY_A, ONLY_B

SOLID = ("only_a", "only_b")
"""Layers that the opacity slider leaves alone."""

NAMES = {
    "common": "common",
    "only_a": "only in A",
    "only_b": "only in B",
    "a": "all of A",
    "b": "all of B",
}
COLOURS = {"common": COMMON, "only_a": ONLY_A, "only_b": ONLY_B, "a": ONLY_A, "b": ONLY_B}
EDGE_LAYERS = {
    "common": ["common", "a", "b"],
    "only_a": ["only_a", "a"],
    "only_b": ["only_b", "b"],
}
"""Edges are shown while one of these layers is."""

PLACES = 65535
"""Steps of a coordinate over the scene's box: 0.01 mm in 600 mm, a third of what can be seen when
zoomed in a hundredfold."""


@dataclass(frozen=True)
class PageText:
    """The words of a page; they are escaped here."""

    title: str
    verdict: str
    hints: Sequence[str]
    figures: Sequence[tuple[str, str]]
    rows: Sequence[Row]
    notes: Sequence[str]
    features: Sequence[Sequence[str]] = ()
    """Counts of features by kind, the heads first."""
    differences: Sequence[str] = ()
    """What became of the features, one line each."""


def page(scene: Scene, text: PageText, still: bytes) -> str:
    """Return the page.

    Args:
        scene: What the 3-D view shows.
        text: Title, verdict, hints, figures, facts, remarks.
        still: The same as a PNG, shown where WebGL is missing.
    """
    folder = files("gaugeblock.ruler.picture")
    style = folder.joinpath("page.css").read_text(encoding="utf-8")
    script = folder.joinpath("viewer.js").read_text(encoding="utf-8")
    manifest, data = _geometry(scene)
    shown = ("common", *SOLID) if scene.reason is None else ("a", "b")
    parts = {
        "style_hash": csp_hash(style),
        "script_hash": csp_hash(script),
        "style": style,
        "script": script,
        "title": escape(text.title),
        "verdict": escape(text.verdict),
        "hints": "".join(f"<li>{escape(hint)}</li>" for hint in text.hints),
        "layers": "\n".join(
            _switch(name, name in shown, len(scene.layers[name].triangles)) for name in NAMES
        ),
        "figures": "".join(
            f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>"
            for name, value in text.figures
        ),
        "facts": "".join(_fact(row) for row in text.rows),
        "features": _features(text.features),
        "differences": "".join(f"<li>{escape(line)}</li>" for line in text.differences),
        "notes": "".join(f'<p class="note">{escape(note)}</p>' for note in text.notes),
        "png": base64.b64encode(still).decode(),
        "scene": json.dumps(manifest, separators=(",", ":")).replace("<", "\\u003c"),
        "data": base64.b64encode(data).decode(),
    }
    return filled(folder.joinpath("page.html").read_text(encoding="utf-8"), parts)


def filled(frame: str, parts: Mapping[str, str]) -> str:
    """Return a frame with its marks filled; one pass: no part is looked through for marks."""
    return re.sub(r"\{\{(\w+)\}\}", lambda mark: parts[mark[1]], frame)


def csp_hash(content: str) -> str:
    """Return the hash by which a content security policy names a style or script."""
    return base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()


def _switch(name: str, checked: bool, triangles: int) -> str:
    state = (" checked" if checked else "") + ("" if triangles else " disabled")
    empty = "" if triangles else " (nothing)"
    return (
        f'<label><input type="checkbox" id="layer-{name}"{state}>'
        f'<span class="swatch {name}"></span> {NAMES[name]}{empty}</label>'
    )


def _fact(row: Row) -> str:
    kind, mark = (' class="differs"', "≠") if row.differs else ("", "")
    cells = "".join(f"<td>{escape(cell)}</td>" for cell in (row.a, row.b))
    return f"<tr{kind}><th>{escape(row.name)}</th>{cells}<td>{mark}</td></tr>"


def _features(rows: Sequence[Sequence[str]]) -> str:
    """Return the table of features; a kind in which something differs stands out."""
    if not rows:
        return ""
    heads = "".join(f"<th>{escape(name)}</th>" for name in rows[0])
    body = []
    for name, *cells in rows[1:]:
        told = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
        kind = ' class="differs"' if any(cells[3:]) else ""
        body.append(f"<tr{kind}><th>{escape(name)}</th>{told}</tr>")
    return (
        '<table class="features"><caption>Features</caption>'
        f"<thead><tr>{heads}</tr></thead><tbody>{''.join(body)}</tbody></table>"
    )


def _geometry(scene: Scene) -> tuple[dict[str, Any], bytes]:
    """Return a scene as the viewer takes it."""
    return viewed(
        {
            name: (scene.layers[name], COLOURS[name], name in SOLID)
            for name in ("a", "b", "common", "only_a", "only_b")
        },
        {name: (pieces, EDGE_LAYERS[name]) for name, pieces in scene.edges.items()},
        scene.box(),
    )


def viewed(
    layers: Mapping[str, tuple[Layer, tuple[int, int, int], bool]],
    edges: Mapping[str, tuple[npt.NDArray[Any], Sequence[str]]],
    box: tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]],
) -> tuple[dict[str, Any], bytes]:
    """Return where everything is, and everything: nodes of 12 bytes, indices of 4, edges of 8.

    Args:
        layers: Name to body, colour in sRGB (0 to 255), and whether it is solid whatever the
            opacity.
        edges: Name to (k, 2, 3) pieces in mm, and the layers that they are shown with.
        box: Lowest and highest corner of everything, mm.
    """
    low, high = box
    span = np.maximum(high - low, 1e-9)
    blobs: list[bytes] = []
    at = 0

    def put(blob: bytes) -> int:
        nonlocal at
        blobs.append(blob)
        at += len(blob)
        return at - len(blob)

    bodies, lines = {}, {}
    for name, (layer, colour, solid) in layers.items():
        nodes, indices = _nodes(layer, low, span)
        bodies[name] = {
            "nodes": [put(nodes.tobytes()), len(nodes)],
            "indices": [put(indices.tobytes()), len(indices)],
            "ink": [part / 255 for part in colour],
            "solid": solid,
        }
    for name, (pieces, along) in edges.items():
        ends = np.zeros((len(pieces) * 2, 4), dtype="<u2")
        ends[:, :3] = _places(pieces.reshape(-1, 3), low, span)
        lines[name] = {
            "nodes": [put(ends.tobytes()), len(ends)],
            "ink": [part / 255 for part in INK],
            "with": list(along),
        }
    manifest = {"low": low.tolist(), "high": high.tolist(), "layers": bodies, "edges": lines}
    return manifest, b"".join(blobs)


def _places(
    points: npt.NDArray[Any], low: npt.NDArray[Any], span: npt.NDArray[Any]
) -> npt.NDArray[np.uint16]:
    part = (points.astype(float) - low) / span
    return np.asarray(np.rint(np.clip(part, 0.0, 1.0) * PLACES).astype("<u2"))


def _nodes(
    layer: Layer, low: npt.NDArray[Any], span: npt.NDArray[Any]
) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Return nodes (n, 12 bytes: place, spare, normal, spare), shared where alike, and indices."""
    corners = np.zeros(layer.triangles.size, dtype=[("place", "<u2", 4), ("normal", "i1", 4)])
    corners["place"][:, :3] = _places(layer.points, low, span)[layer.triangles.ravel()]
    corners["normal"][:, :3] = np.rint(corner_normals(layer).reshape(-1, 3) * 127)
    keys = corners.view(np.dtype((np.void, corners.dtype.itemsize)))
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    return corners[first], inverse.astype("<u4").ravel()
