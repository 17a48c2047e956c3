"""Copies to work on: what is kept in memory stays as it was made.

The kernel writes into the shapes it is given: fillets and booleans widen the tolerances of their
vertices and edges, also where they fail. A shape that one call kept and another rounded in vain
would then no longer be what the recipe makes of it in a new process.
"""

from __future__ import annotations

from OCP.BRepBuilderAPI import BRepBuilderAPI_Copy
from OCP.TopoDS import TopoDS_Shape


def copying(shape: TopoDS_Shape) -> BRepBuilderAPI_Copy:
    """Return a copy that can be asked for the copy of an edge or face: `ModifiedShape`.

    Curves and surfaces are shared, for nothing writes into those.
    """
    return BRepBuilderAPI_Copy(shape, False, False)


def copied(shape: TopoDS_Shape) -> TopoDS_Shape:
    """Return a copy of a shape with the same faces and edges in the same order."""
    return copying(shape).Shape()
