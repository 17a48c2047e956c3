"""What is written beside the pictures: cameras, scales, methods, and what could not be had."""

from __future__ import annotations

from typing import Any

from gaugeblock.ruler.views.cameras import PLACES, Camera
from gaugeblock.ruler.views.client import FileViews
from gaugeblock.ruler.views.projection import Projection
from gaugeblock.ruler.views.shading import Picture
from gaugeblock.ruler.views.svg import Sheet

STAND_OFF = 2.0
"""Distance of an orthographic camera from the middle of the part, in parts of its size. It changes
nothing in the picture; another program's camera may be put there."""


def camera_facts(camera: Camera, views: FileViews) -> dict[str, Any]:
    """Return a camera as plain data; `position` (mm) only where the part's middle is known."""
    position = None
    if not isinstance(views.body, str):
        reach = STAND_OFF * views.body.size
        position = [c + reach * d for c, d in zip(views.body.centre, camera.direction, strict=True)]
    return {
        "projection": "orthographic",
        "direction": list(camera.direction),
        "up": list(camera.up),
        "right": list(camera.right),
        "position": position,
        "axes": camera.axes,
        "place": {
            convention: list(places[camera.name]) if camera.name in places else None
            for convention, places in PLACES.items()
        },
    }


def line_facts(found: Projection | str) -> dict[str, Any]:
    """Return how a projection came about, and how many curves it has."""
    if isinstance(found, str):
        return {"method": None, "reason": found}
    return {
        "method": found.method,
        "reason": found.reason,
        "tolerance_mm": found.tolerance,
        "check": None if found.check is None else found.check.model_dump(mode="json"),
        "check_reason": found.check_reason,
        "curves": len(found.curves),
        "seconds": round(found.seconds, 3),
    }


def sheet_facts(name: str, sheet: Sheet) -> dict[str, Any]:
    """Return where a drawing lies in the plane of its view."""
    return {
        "file": name,
        "paper_mm_per_mm": sheet.scale,
        "low_mm": list(sheet.low),
        "high_mm": list(sheet.high),
        "visible": sheet.visible,
        "hidden": sheet.hidden,
    }


def picture_facts(name: str, picture: Picture) -> dict[str, Any]:
    """Return where a shaded view lies in the plane of its view."""
    return {
        "file": name,
        "size_px": picture.pixels.shape[0],
        "px_per_mm": picture.scale,
        "centre_mm": list(picture.centre),
    }
