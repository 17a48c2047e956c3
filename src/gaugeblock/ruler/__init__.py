"""Measuring geometry: what a STEP file holds, with how each figure was obtained.

Importing this package is cheap: the CAD kernel is loaded only by the forked worker, or on the
first call of an in-process function.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gaugeblock.ruler.client import Ruler
from gaugeblock.ruler.opening import MAX_BYTES

if TYPE_CHECKING:
    from gaugeblock.records.measurement import SolidFacts

__all__ = ["MAX_BYTES", "Ruler", "facts_of_shape"]


def facts_of_shape(shape: Any) -> list[SolidFacts]:
    """Measure every solid of an OCP shape in this process.

    Args:
        shape: A TopoDS_Shape, or anything whose ``wrapped`` is one (build123d objects).

    Returns:
        One SolidFacts per solid, in the shape's order; mm, mm², mm³.

    A shape that hangs or crashes the kernel takes the calling process with it; use `Ruler` for
    files made by others.
    """
    from gaugeblock.ruler.facts.measuring import facts_of_shape as in_process

    return in_process(shape)
