"""Walking a shape's items."""

from __future__ import annotations

from typing import Any

from OCP.collections import IndexedMap_TopoDS_Shape_TopTools_ShapeMapHasher as ShapeMap
from OCP.TopExp import TopExp, TopExp_Explorer


def explore(shape: Any, kind: Any, avoid: Any = None) -> list[Any]:
    """Return every occurrence of `kind` in `shape`, in order, outside items of type `avoid`."""
    explorer = (
        TopExp_Explorer(shape, kind) if avoid is None else TopExp_Explorer(shape, kind, avoid)
    )
    found = []
    while explorer.More():
        found.append(explorer.Current())
        explorer.Next()
    return found


def count_distinct(shape: Any, kind: Any) -> int:
    """Return how many distinct items of `kind` the shape has (a shared edge counts once)."""
    items = ShapeMap()
    TopExp.MapShapes_s(shape, kind, items)
    return int(items.Size())
