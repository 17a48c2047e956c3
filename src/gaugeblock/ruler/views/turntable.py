"""A body as one web page that turns it: the viewer of the difference page, in the file's colours.

Everything is inside the page: it works from a folder, without a network, and its content security
policy lets it fetch nothing. It holds geometry and colours and no word out of the STEP file, so a
blind review can show it.
"""

from __future__ import annotations

import base64
import json
from importlib.resources import files
from typing import Any

import numpy as np
import numpy.typing as npt

from gaugeblock.ruler.picture.page import csp_hash, filled, viewed
from gaugeblock.ruler.picture.scene import Layer
from gaugeblock.ruler.views.body import Body
from gaugeblock.ruler.views.shading import NEUTRAL

LAYERS_MAX = 64
"""Colours drawn apart: each is a layer of the viewer with buffers of its own. The largest real file
has 9 colours."""


def turntable(body: Body) -> str:
    """Return the page.

    Args:
        body: What is shown.

    Raises:
        ValueError: it has more colours than `LAYERS_MAX`.
    """
    used = np.unique(body.colours)
    if len(used) > LAYERS_MAX:
        raise ValueError(f"{len(used)} colours; a 3-D view shows at most {LAYERS_MAX}")
    layers = {
        f"c{number}": (_layer(body, int(colour)), _ink(body.palette[colour]), True)
        for number, colour in enumerate(used)
    }
    edges: dict[str, tuple[npt.NDArray[Any], list[str]]] = {
        "sharp": (body.edges["sharp"], list(layers))
    }
    box = tuple(part(body.points, axis=0).astype(float) for part in (np.min, np.max))
    manifest, data = viewed(layers, edges, (box[0], box[1]))
    switches = "".join(f'<input type="checkbox" id="layer-{name}" checked>' for name in layers)
    return _page(manifest, data, switches)


def frame() -> str:
    """Return the page without a body: what is in every such page, whoever made the part."""
    return _page({}, b"", "")


def _page(manifest: dict[str, Any], data: bytes, switches: str) -> str:
    here, viewer = files("gaugeblock.ruler.views"), files("gaugeblock.ruler.picture")
    style = here.joinpath("turntable.css").read_text(encoding="utf-8")
    script = viewer.joinpath("viewer.js").read_text(encoding="utf-8")
    parts = {
        "style_hash": csp_hash(style),
        "script_hash": csp_hash(script),
        "style": style,
        "script": script,
        "layers": switches,
        "scene": json.dumps(manifest, separators=(",", ":")),
        "data": base64.b64encode(data).decode(),
    }
    return filled(here.joinpath("turntable.html").read_text(encoding="utf-8"), parts)


def _layer(body: Body, colour: int) -> Layer:
    """Return the triangles of one colour with the nodes that they use."""
    chosen = body.triangles[body.colours == colour]
    used, places = np.unique(chosen, return_inverse=True)
    return Layer(body.points[used], places.reshape(-1, 3).astype(np.uint32))


def _ink(colour: str | None) -> tuple[int, int, int]:
    red, green, blue = bytes.fromhex((colour or NEUTRAL).removeprefix("#"))
    return red, green, blue
