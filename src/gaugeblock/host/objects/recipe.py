"""A recipe made into objects: step after step, each built and checked before the next."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any

from gaugeblock.host.diagnostics import PlanRejected
from gaugeblock.host.document import Feature, ObjectState, ProgramFeature, StepFeature
from gaugeblock.host.objects.catalogue import TOOLS, read_step
from gaugeblock.host.objects.changing import Chamfer, Fillet, Shell
from gaugeblock.host.objects.quantities import MAX_COORDINATE
from gaugeblock.host.objects.selection import Edges, Faces
from gaugeblock.host.objects.steps import Step
from gaugeblock.host.objects.table import Draft, Item, Node, Table
from gaugeblock.host.objects.workshop import Workshop

PROGRAM_ID = "program:"
"""How ids of a program's objects begin; the name in the program follows."""


@dataclass(frozen=True)
class ProgramObject:
    """An object as the program made it."""

    name: str
    colour: tuple[float, ...] | None
    brep: bytes

    @cached_property
    def node(self) -> Node:
        """The node of its shape: the B-rep itself."""
        return Node("brep", {"sha256": sha256(self.brep).hexdigest()})


def replay(workshop: Workshop, features: Sequence[Feature], made: Sequence[ProgramObject]) -> Table:
    """Return the objects that a whole recipe adds up to.

    Args:
        workshop: has the program's objects already.
        features: the recipe.
        made: what its program made.

    Raises:
        PlanRejected: a step can no longer be done; which one is told.
    """
    table: Table = ()
    for number, feature in enumerate(features, 1):
        if isinstance(feature, ProgramFeature):
            table = _with_program(table, made)
            continue
        try:
            table = extend(workshop, table, read_step(feature.tool, feature.arguments), number)
        except PlanRejected as error:
            raise error.within(f"step {number} ({feature.tool})") from None
    return table


def extend(workshop: Workshop, table: Table, step: Step, number: int) -> Table:
    """Return the objects after one more step, built and checked.

    Raises:
        PlanRejected: it cannot be done.
    """
    draft = Draft(table, number)
    step.apply(draft)
    before = {item.shape for item in table}
    new = {item.shape: item.name for item in draft.table if item.shape not in before}
    if new:
        facts = workshop.facts(draft.nodes.values(), new)
        for key, name in new.items():
            _require_near(name, facts[key]["bounds"])
    return draft.table


def recorded(workshop: Workshop, table: Table, step: Step) -> tuple[Step, StepFeature]:
    """Return a step with names made ids, and as it is stored.

    Edges and faces picked by their ids are stored by a point on each: ids are counted anew
    whenever a shape is made again, and would then mean others without a word.

    Raises:
        PlanRejected: a name, an edge or a face is not there.
    """
    step = step.resolved(table)
    if isinstance(step, Fillet | Chamfer) and step.edges.ids:
        points = workshop.places(_shape(table, step.object), "edges", step.edges.ids)
        step = step.model_copy(update={"edges": Edges(through=points)})
    if isinstance(step, Shell) and step.open is not None and step.open.ids:
        points = workshop.places(_shape(table, step.object), "faces", step.open.ids)
        step = step.model_copy(update={"open": Faces(through=points)})
    return step, StepFeature(tool=TOOLS[type(step)], arguments=step.recipe())


def states(workshop: Workshop, table: Table) -> tuple[ObjectState, ...]:
    """Return the objects as a document stores and shows them."""
    facts = workshop.facts((), {item.shape: item.name for item in table})
    return tuple(_state(item, facts[item.shape]) for item in table)


def _state(item: Item, fact: dict[str, Any]) -> ObjectState:
    return ObjectState(
        id=None if item.id.startswith(PROGRAM_ID) else item.id,
        group=item.group,
        name=item.name,
        material=item.material,
        colour=item.colour,
        visible=item.visible,
        solids=fact["solids"],
        volume=fact["volume"],
        area=fact["area"],
        centroid=tuple(fact["centroid"]),
        low=tuple(fact["bounds"]["min"]),
        high=tuple(fact["bounds"]["max"]),
        faces=fact["faces"],
        edges=fact["edges"],
    )


def _with_program(table: Table, made: Iterable[ProgramObject]) -> Table:
    taken = {item.name for item in table} | {item.group for item in table}
    for thing in made:
        if thing.name in taken:
            raise PlanRejected(
                "name-taken",
                f"the program makes {thing.name!r}, a name that an object tool has given before",
            )
    objects = (
        Item(PROGRAM_ID + thing.name, thing.name, thing.node.key, colour=thing.colour)
        for thing in made
    )
    return (*table, *objects)


def _shape(table: Table, identity: str) -> str:
    return next(item.shape for item in table if item.id == identity)


def _require_near(name: str, bounds: dict[str, list[float]]) -> None:
    furthest = max(abs(value) for corner in bounds.values() for value in corner)
    if furthest > MAX_COORDINATE:
        raise PlanRejected(
            "limit",
            f"{name!r} would reach {furthest:g} mm from the origin; at most {MAX_COORDINATE:g} mm",
            repair="Keep objects within a kilometre of the origin.",
        )
