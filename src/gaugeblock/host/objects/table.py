"""The table of objects that a recipe adds up to, and the shapes it needs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from gaugeblock.host.built import MAX_OBJECTS
from gaugeblock.host.diagnostics import PlanRejected
from gaugeblock.records.base import digest

KNOWN_NAMES = 20
"""Names that a rejection lists; all 200 would fill an agent's context."""
NAME_CHARS = 100
"""Characters of a wrong name that a rejection quotes."""


@dataclass(frozen=True)
class Node:
    """How one shape is made: an operation of the worker on other shapes.

    Two nodes that say the same are the same shape, so a shape is known by its node's key.

    Attributes:
        tool: the worker's name of the operation.
        arguments: what it takes besides shapes; plain data, mm and degrees.
        inputs: keys of the shapes it takes.
    """

    tool: str
    arguments: Mapping[str, Any]
    inputs: tuple[str, ...] = ()

    @cached_property
    def key(self) -> str:
        """The hash of all that the shape depends on."""
        return digest([self.tool, self.arguments, self.inputs])


@dataclass(frozen=True)
class Item:
    """An object: who it is, what it looks like, and the key of its shape.

    Attributes:
        id: ``o`` and the number of the step that made it (``o7``, ``o7.2`` for its second copy), or
            ``program:`` and the name in the program. It never changes.
    """

    id: str
    name: str
    shape: str
    material: str | None = None
    colour: tuple[float, ...] | None = None
    visible: bool = True
    group: str | None = None


Table = tuple[Item, ...]


class Draft:
    """A table in change: what one step does to it."""

    def __init__(self, table: Iterable[Item], number: int) -> None:
        """Begin from a table.

        Args:
            table: the objects before the step.
            number: the step's number in the recipe; new objects take their ids from it.
        """
        self._items = {item.id: item for item in table}
        self._number = number
        self._made = 0
        self.nodes: dict[str, Node] = {}

    @property
    def table(self) -> Table:
        """The objects as they are now."""
        return tuple(self._items.values())

    def item(self, identity: str) -> Item:
        """Return an object by its id, which an earlier step may have taken away."""
        if identity not in self._items:
            raise unknown(identity, self.table)
        return self._items[identity]

    def shape(self, node: Node) -> str:
        """Note that a shape is needed, and return its key."""
        self.nodes[node.key] = node
        return node.key

    def add(self, name: str, shape: str, like: Item | None = None) -> None:
        """Add a new object.

        Args:
            name: its name, not yet taken.
            shape: key of its shape.
            like: an object whose material, colour and visibility it takes.
        """
        self.require_free(name)
        if len(self._items) >= MAX_OBJECTS:
            raise PlanRejected(
                "limit",
                f"the document would hold more than {MAX_OBJECTS} objects",
                repair="Join objects (boolean union, or a pattern with combine), or delete some.",
            )
        self._made += 1
        identity = f"o{self._number}" + (f".{self._made}" if self._made > 1 else "")
        item = Item(identity, name, shape)
        if like is not None:
            item = replace(item, material=like.material, colour=like.colour, visible=like.visible)
        self._items[identity] = item

    def change(self, identity: str, **values: Any) -> None:
        """Change an object; its place in the table stays."""
        self._items[identity] = replace(self.item(identity), **values)

    def remove(self, identity: str) -> None:
        """Take an object away."""
        self.item(identity)
        del self._items[identity]

    def require_free(self, name: str) -> None:
        """Refuse a name that an object or a group already has."""
        for item in self._items.values():
            if name in (item.name, item.group):
                what = "an object" if item.name == name else "a group"
                raise PlanRejected("name-taken", f"there is already {what} {name!r}")


def unknown(reference: str, table: Table) -> PlanRejected:
    """Return the rejection of a reference to nothing, with what there is."""
    names = [item.name for item in table]
    shown = ", ".join(repr(name) for name in names[:KNOWN_NAMES]) or "none: the document is empty"
    more = f" and {len(names) - KNOWN_NAMES} more" if len(names) > KNOWN_NAMES else ""
    return PlanRejected(
        "object-unknown", f"no object {reference[:NAME_CHARS]!r}; there are {shown}{more}"
    )


def find(reference: str, table: Table) -> Item:
    """Return the object with this id or name; only a program's object can have another's id."""
    for item in table:
        if item.id == reference:
            return item
    for item in table:
        if item.name == reference:
            return item
    raise unknown(reference, table)


def find_all(references: Iterable[str], table: Table) -> list[Item]:
    """Return the objects with these names or ids, and the members of groups named so, once each."""
    found: dict[str, Item] = {}
    for reference in references:
        members = [item for item in table if item.group == reference]
        for item in members or [find(reference, table)]:
            found[item.id] = item
    return list(found.values())
