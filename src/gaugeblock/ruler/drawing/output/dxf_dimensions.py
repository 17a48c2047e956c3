"""Dimensions as DXF entities: points, factor and text, and a block of what is seen.

A CAD program measures a DIMENSION between its definition points times `dimlfac`, which is one over
the view's scale: the part's own size. Its block is drawn here, so that it looks as in the other
formats; a program that draws it anew follows the dimension style.
"""

from __future__ import annotations

import math
from typing import Any

from ezdxf.document import Drawing
from ezdxf.entities import Dimension

from gaugeblock.ruler.drawing.ink import ARROW, GAP, LIFT, OVERSHOOT, feet, ink
from gaugeblock.ruler.drawing.output.dxf_entities import LETTERS, add_shape, add_text, plain
from gaugeblock.ruler.drawing.output.expanding import (
    dim_label,
    dim_lines,
    head_corners,
    lettered,
)
from gaugeblock.ruler.drawing.sheet import AngularDim, Dim, Leader, LinearDim, RoundDim
from gaugeblock.ruler.views.shapes import Point

STYLE = "ISO129"
"""Name of the dimension style."""

LAYER = "dimension"


def dimension_style(doc: Drawing) -> None:
    """Add the dimension style."""
    style = doc.dimstyles.new(STYLE)
    values: dict[str, Any] = {
        "dimtxsty": LETTERS,
        "dimasz": ARROW,
        "dimexo": GAP,
        "dimexe": OVERSHOOT,
        "dimgap": LIFT,
        "dimtxt": 3.5,
        "dimtad": 1,
        "dimtih": 0,
        "dimtoh": 0,
        "dimzin": 8,
        "dimdec": 3,
        "dimadec": 2,
        "dimazin": 2,
        "dimlunit": 2,
        "dimdsep": ord("."),
        "dimscale": 1.0,
        "dimclrd": 0,
        "dimclre": 0,
        "dimclrt": 0,
    }
    for name, value in values.items():
        style.dxf.set(name, value)


def add_dimension(doc: Drawing, dim: Dim, scale: float) -> None:
    """Add one dimension to model space.

    Args:
        doc: The drawing.
        dim: The dimension.
        scale: Of its view, mm of paper for one of the part.
    """
    if isinstance(dim, Leader):
        _leader(doc, dim)
        return
    space = doc.modelspace()
    factor = 1.0 if isinstance(dim, AngularDim) else 1.0 / scale
    common: dict[str, Any] = {
        "text": dxf_text(dim.text),
        "dimstyle": STYLE,
        "override": {"dimlfac": factor, "dimtxt": dim.height},
        "dxfattribs": {"layer": LAYER},
    }
    match dim:
        case LinearDim():
            styled = space.add_linear_dim(
                base=feet(dim)[1],
                p1=dim.points[0],
                p2=dim.points[1],
                angle=math.degrees(dim.angle),
                **common,
            )
        case RoundDim(kind="diameter"):
            styled = space.add_diameter_dim(center=dim.centre, mpoint=dim.on, **common)
        case RoundDim():
            styled = space.add_radius_dim(center=dim.centre, mpoint=dim.on, **common)
        case AngularDim():
            styled = space.add_angular_dim_3p(
                base=_middle(dim), center=dim.apex, p1=dim.points[0], p2=dim.points[1], **common
            )
    styled.commit()  # writes the factor and the height to the entity
    entity = styled.dimension
    entity.dxf.text_midpoint = (*dim.text_at, 0.0)
    entity.dxf.actual_measurement = factor * dim.measured
    if isinstance(dim, AngularDim):
        entity.dxf.actual_measurement = math.radians(dim.measured)
    _draw(doc, entity, dim)


def _middle(dim: AngularDim) -> Point:
    """Return the middle of an angle's arc."""
    first = dim.points[0]
    start = math.atan2(first[1] - dim.apex[1], first[0] - dim.apex[0])
    angle = start + math.radians(dim.measured) / 2
    return (
        dim.apex[0] + dim.radius * math.cos(angle),
        dim.apex[1] + dim.radius * math.sin(angle),
    )


def _draw(doc: Drawing, entity: Dimension, dim: Dim) -> None:
    """Give a dimension the block of what is seen of it."""
    block = doc.blocks.new_anonymous_block(type_char="D")
    found = ink(dim)
    for shape in dim_lines(found):
        add_shape(block, LAYER, shape)
    for head in found.heads:
        tip, left, right = head_corners(head)
        block.add_solid([tip, left, right, right], dxfattribs={"layer": LAYER})
    if dim.text:
        add_text(block, lettered(dim_label(dim)))
    entity.dxf.geometry = block.name


def _leader(doc: Drawing, dim: Leader) -> None:
    """Add an arrow with its text: LEADER and MTEXT, tied to each other."""
    space = doc.modelspace()
    note = space.add_mtext(
        dxf_text(dim.text),
        dxfattribs={
            "layer": LAYER,
            "style": LETTERS,
            "char_height": dim.height,
            "insert": (*dim.text_at, 0.0),
            "attachment_point": 5,  # middle centre
            "rotation": math.degrees(dim.text_angle),
            "width": 0.0,  # one line
        },
    )
    arrow = space.add_leader(
        list(dim.points),
        dimstyle=STYLE,
        override={"dimtxt": dim.height},
        dxfattribs={
            "layer": LAYER,
            "annotation_type": 0,
            "annotation_handle": note.dxf.handle,
            "has_hookline": 0,  # the line under the text is its own last piece
        },
    )
    arrow.dxf.text_height = dim.height
    arrow.dxf.text_width = lettered(dim_label(dim)).width


def dxf_text(text: str) -> str:
    r"""Return text for MTEXT and dimensions, in which \\, { and } would be commands."""
    clean = plain(text)
    return clean.replace("\\", "\\\\").replace("{", "\\{").replace("}", "\\}") or " "
