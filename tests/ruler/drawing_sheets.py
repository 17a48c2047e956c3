"""Sheets drawn by hand, with sizes that are known: a plate 160 × 80 of four holes at 1:2."""

from __future__ import annotations

import math
from typing import Any

from gaugeblock.ruler.drawing.sheet import (
    AngularDim,
    Dim,
    Hatch,
    Label,
    Layer,
    Leader,
    LinearDim,
    PlacedView,
    RoundDim,
    Sheet,
    Stroke,
    Table,
    Title,
)
from gaugeblock.ruler.views.cameras import CAMERAS
from gaugeblock.ruler.views.shapes import TURN, Arc, Bezier, EllipseArc, Line, Point, Polyline

SCALE = 0.5
HOLES = ((60.0, 120.0), (120.0, 120.0), (60.0, 140.0), (120.0, 140.0))
RADIUS = 3.0


def line(a: Point, b: Point, layer: Layer = "visible") -> Stroke:
    return Stroke(layer=layer, shape=Line(start=a, end=b))


def circle(at: Point, radius: float, layer: Layer = "visible") -> Stroke:
    return Stroke(layer=layer, shape=Arc(centre=at, radius=radius, start=0.0, sweep=TURN))


def rectangle(x: float, y: float, wide: float, tall: float) -> list[Stroke]:
    corners = [(x, y), (x + wide, y), (x + wide, y + tall), (x, y + tall)]
    return [line(a, b) for a, b in zip(corners, corners[1:] + corners[:1], strict=True)]


def view(**changes: Any) -> PlacedView:
    values: dict[str, Any] = {
        "id": "front",
        "camera": CAMERAS["front"],
        "origin": (50.0, 110.0),
        "scale": SCALE,
        "box": ((50.0, 110.0), (230.0, 150.0)),
    }
    return PlacedView(**(values | changes))


def sheet(strokes: list[Stroke], dims: list[Dim] | None = None, **more: Any) -> Sheet:
    values: dict[str, Any] = {
        "format": "A4",
        "landscape": True,
        "convention": "first-angle",
        "scale": (1, 2),
        "title": Title(name="Plate"),
        "views": (view(),),
    }
    return Sheet(**(values | more), strokes=tuple(strokes), dims=tuple(dims or ()))


def width(**changes: Any) -> LinearDim:
    values: dict[str, Any] = {
        "view": "front",
        "text": "160",
        "points": ((50.0, 110.0), (130.0, 110.0)),
        "line_at": (90.0, 98.0),
        "angle": 0.0,
        "text_at": (90.0, 100.6),
    }
    return LinearDim(**(values | changes))


def height(**changes: Any) -> LinearDim:
    values: dict[str, Any] = {
        "view": "front",
        "text": "80 ±0.1",
        "points": ((50.0, 110.0), (50.0, 150.0)),
        "line_at": (38.0, 130.0),
        "angle": 0.5 * math.pi,
        "text_at": (35.4, 130.0),
        "text_angle": 0.5 * math.pi,
    }
    return LinearDim(**(values | changes))


def holes(**changes: Any) -> Leader:
    x, y = HOLES[3]
    values: dict[str, Any] = {
        "view": "front",
        "text": "4× ⌀12 H7",
        "points": (
            (x + RADIUS * math.cos(1.0), y + RADIUS * math.sin(1.0)),
            (135, 160),
            (155, 160),
        ),
        "text_at": (145.0, 162.6),
    }
    return Leader(**(values | changes))


def pitch(**changes: Any) -> LinearDim:
    """Between the middles of two holes."""
    values: dict[str, Any] = {"text": "120", "points": HOLES[:2], "line_at": (90.0, 104.0)}
    return width(**(values | {"text_at": (90.0, 106.6)} | changes))


def angle(**changes: Any) -> AngularDim:
    values: dict[str, Any] = {
        "view": "front",
        "text": "45°",
        "apex": (180.0, 110.0),
        "points": ((215.0, 110.0), (205.0, 135.0)),
        "radius": 25.0,
        "text_at": (210.0, 122.0),
    }
    return AngularDim(**(values | changes))


def fillet(**changes: Any) -> RoundDim:
    values: dict[str, Any] = {
        "view": "front",
        "kind": "radius",
        "text": "R20",
        "centre": (190.0, 135.0),
        "on": (190.0 + 10.0 * math.cos(2.0), 135.0 + 10.0 * math.sin(2.0)),
        "text_at": (170.0, 160.0),
    }
    return RoundDim(**(values | changes))


def bore(**changes: Any) -> RoundDim:
    return fillet(
        **(
            {
                "kind": "diameter",
                "text": "⌀12",
                "centre": HOLES[0],
                "on": (HOLES[0][0] - RADIUS, HOLES[0][1]),
                "text_at": (30.0, 160.0),
            }
            | changes
        )
    )


def lines() -> list[Stroke]:
    """All that the dimensions above stand on."""
    return [
        *rectangle(50.0, 110.0, 80.0, 40.0),
        *(circle(at, RADIUS) for at in HOLES),
        line((180.0, 110.0), (215.0, 110.0)),
        line((180.0, 110.0), (205.0, 135.0)),
        Stroke(
            layer="visible",
            shape=Arc(centre=(190.0, 135.0), radius=10.0, start=0.5 * math.pi, sweep=1.2),
        ),
    ]


def plate() -> Sheet:
    """A sheet whose every dimension is borne out."""
    return sheet(lines(), [width(), height(), holes(), pitch(), angle(), fillet()])


EVIL = "</text><script>alert(1)</script> {\\C1;x} %%c ^J & \"'"


def everything() -> Sheet:
    """A sheet with every kind of line, text, table, hatch and dimension."""
    outline = (
        Line(start=(150, 60), end=(190, 60)),
        Arc(centre=(170, 60), radius=20, start=0, sweep=math.pi),
    )
    ring = tuple(
        (Arc(centre=(100.0, 60.0), radius=r, start=0.0, sweep=TURN),) for r in (20.0, 12.0)
    )
    more = [
        line((60, 130), (120, 130), "hidden"),
        line((40, 130), (135, 130), "centre"),
        line((90, 155), (90, 148), "section"),
        Stroke(
            layer="tangent", shape=Bezier(points=((150, 110), (160, 130), (165, 90), (172, 110)))
        ),
        Stroke(layer="hidden", shape=Polyline(points=((150, 150), (160, 160), (170, 150)))),
        Stroke(
            layer="visible",
            shape=EllipseArc(centre=(235, 115), major=(12, 6), ratio=0.4, start=0, sweep=TURN),
        ),
        Stroke(
            layer="visible",
            shape=EllipseArc(centre=(235, 115), major=(8, 4), ratio=0.4, start=0.5, sweep=-2.0),
        ),
        Stroke(layer="visible", shape=Arc(centre=(235, 80), radius=9.0, start=0.3, sweep=-2.5)),
    ]
    labels = (
        Label(at=(20, 190), text=EVIL, height=3.5),
        Label(at=(270, 100), text="A–A", height=5, angle=0.5 * math.pi, anchor="middle"),
        Label(layer="title", at=(280, 20), text="Ж", height=2.5, anchor="right", baseline="top"),
    )
    table = Table(at=(200, 50), columns=(15, 30), rows=(("Hole", "⌀"), ("A1", "⌀8 ↧ 5")))
    return sheet(
        [*lines(), *more],
        [width(), height(), holes(), pitch(), angle(), fillet(), bore()],
        labels=labels,
        tables=(table,),
        hatches=(Hatch(loops=ring), Hatch(loops=(outline,), angle=-0.25 * math.pi, spacing=1.5)),
    )
