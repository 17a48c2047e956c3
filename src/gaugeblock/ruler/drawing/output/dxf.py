"""A sheet as DXF: lines by layer, HATCH, TEXT, and dimensions that a CAD program can measure again.

R2010, in mm of paper, drawn in model space; what is seen of a dimension comes from `ink`, as in
every other format.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from typing import Any, cast

import ezdxf
import numpy as np
from ezdxf import colors, lldxf, units
from ezdxf.document import Drawing
from ezdxf.layouts import BaseLayout

from gaugeblock.ruler.drawing.output.dxf_dimensions import add_dimension, dimension_style
from gaugeblock.ruler.drawing.output.dxf_entities import LETTERS, add_shape, add_text
from gaugeblock.ruler.drawing.output.expanding import Drawn, Lettered, lettered, table_items
from gaugeblock.ruler.drawing.output.hatching import outlines
from gaugeblock.ruler.drawing.output.pens import PENS
from gaugeblock.ruler.drawing.sheet import Hatch, Layer, Sheet

FONT = "DejaVuSansCondensed.ttf"
"""Asked for by name, since DXF holds no fonts: it has ⌀ and ↧ and runs as wide as
ours. TEXT is fitted to its width, whatever font takes its place; ⌴ and ⌵ few fonts have."""

LINETYPES: dict[Layer, tuple[str, str]] = {
    "hidden": ("DASHED_ISO128", "Hidden __ __ __"),
    "centre": ("CHAIN_ISO128", "Centre ____ . ____"),
}
"""Names and descriptions of the dash patterns."""

VERSION = "R2010"
"""Read by every CAD program of the last fifteen years; has true colours and line weights."""


def dxf_of(sheet: Sheet) -> str:
    """Return a sheet as DXF text.

    Raises:
        ValueError: a dimension names a view that the sheet does not have.
    """
    with _timeless():
        doc = ezdxf.new(VERSION, units=units.MM)
        _fill(doc, sheet)
        return _written(doc)


def _fill(doc: Drawing, sheet: Sheet) -> None:
    _set_up(doc, sheet)
    space = doc.modelspace()
    for hatch in sheet.hatches:
        _hatch(space, hatch)
    for stroke in sheet.strokes:
        add_shape(space, stroke.layer, stroke.shape)
    scales = {view.id: view.scale for view in sheet.views}
    for dim in sheet.dims:
        if dim.view not in scales:
            raise ValueError(f"a dimension of the view {dim.view!r}, which the sheet has not")
        add_dimension(doc, dim, scales[dim.view])
    for table in sheet.tables:
        for item in table_items(table):
            if isinstance(item, Drawn):
                add_shape(space, item.layer, item.shape)
            elif isinstance(item, Lettered):
                add_text(space, item)
    for label in sheet.labels:
        if label.text:
            add_text(space, lettered(label))


def _written(doc: Drawing) -> str:
    doc.classes.add_required_classes(doc.dxfversion)
    # They come out of a set, in an order of its own.
    doc.classes.classes = dict(sorted(doc.classes.classes.items()))
    out = StringIO()
    doc.write(out)
    return out.getvalue()


@contextmanager
def _timeless() -> Iterator[None]:
    """Keep ezdxf from writing the time and random numbers: the same sheet, the same bytes."""
    before = ezdxf.options.write_fixed_meta_data_for_testing
    ezdxf.options.write_fixed_meta_data_for_testing = True
    try:
        yield
    finally:
        ezdxf.options.write_fixed_meta_data_for_testing = before


def _set_up(doc: Drawing, sheet: Sheet) -> None:
    wide, tall = sheet.size
    doc.modelspace().reset_limits((0.0, 0.0), (wide, tall))
    doc.modelspace().reset_extents((0.0, 0.0, 0.0), (wide, tall, 0.0))
    doc.header["$LWDISPLAY"] = 1
    doc.header["$MEASUREMENT"] = 1
    doc.header["$LTSCALE"] = 1.0
    doc.styles.new(LETTERS, dxfattribs={"font": FONT})
    for layer, (name, told) in LINETYPES.items():
        # DXF writes gaps as negative lengths, after the whole pattern's length.
        parts = [p if n % 2 == 0 else -p for n, p in enumerate(PENS[layer].pattern)]
        doc.linetypes.add(name, [sum(map(abs, parts)), *parts], description=told)
    for layer, pen in PENS.items():
        linetype = LINETYPES.get(layer, ("Continuous", ""))[0]
        entry = doc.layers.add(layer, color=colors.BLACK, linetype=linetype)
        entry.dxf.lineweight = _weight(pen.width)
    dimension_style(doc)
    plotted = doc.paperspace()
    plotted.page_setup(size=(wide, tall), margins=(0, 0, 0, 0), units="mm")
    plotted.add_viewport(
        center=(wide / 2, tall / 2),
        size=(wide, tall),
        view_center_point=(wide / 2, tall / 2),
        view_height=tall,
    )
    doc.set_modelspace_vport(height=tall, center=(wide / 2, tall / 2))


def _weight(width: float) -> int:
    """Return the line weight of DXF (hundredths of a mm, from a fixed list) next to a width."""
    allowed = [w for w in lldxf.const.VALID_DXF_LINEWEIGHTS if w > 0]
    return int(min(allowed, key=lambda w: abs(w - 100.0 * width)))


def _hatch(space: BaseLayout, hatch: Hatch) -> None:
    entity = space.add_hatch(dxfattribs={"layer": "hatch"})
    entity.dxf.hatch_style = 0  # what lies inside an odd number of outlines
    angle = math.degrees(hatch.angle)
    across = (-hatch.spacing * math.sin(hatch.angle), hatch.spacing * math.cos(hatch.angle))
    entity.set_pattern_fill(
        "ISO128",
        color=colors.BLACK,
        angle=0.0,
        scale=1.0,
        definition=[[angle, (0.0, 0.0), across, []]],
    )
    for loop in outlines(hatch):
        points = cast(Any, loop[np.r_[True, (np.diff(loop, axis=0) != 0).any(axis=1)]].tolist())
        entity.paths.add_polyline_path(points, is_closed=True)
