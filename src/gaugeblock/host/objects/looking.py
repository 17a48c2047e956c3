"""The object tools that only look: list, inspect, what a change did, the space between two."""

from __future__ import annotations

from typing import Any

from gaugeblock.host.document import ObjectState, ProgramFeature, StepFeature
from gaugeblock.host.heads import Head
from gaugeblock.host.objects.recipe import PROGRAM_ID
from gaugeblock.host.objects.table import Item, find
from gaugeblock.host.objects.workshop import Workshop

TOLD = 40
"""Changed objects that an answer describes; list_objects tells all."""
PARTS = 200
"""Edges, and again faces, that inspect_object lists."""


def change(before: Head, after: Head) -> dict[str, Any]:
    """Return what a commit did, as the agent is told."""
    old = dict(zip(before.table, before.state.objects, strict=True))
    changed = [pair for pair in _pairs(after) if pair[0] not in old]
    left = {item.id for item in after.table}
    head = after.state.head
    assert head is not None
    told = {
        "version": head.number,
        "sha256": head.sha256,
        "step": len(after.state.features),
        "changed": [brief(*pair) for pair in changed[:TOLD]],
        "removed": [item.name for item in before.table if item.id not in left],
        "objects": len(after.table),
    }
    if len(changed) > TOLD:
        told["changed_left_out"] = len(changed) - TOLD
    return told


def listing(head: Head) -> dict[str, Any]:
    """Return every object in short, and the groups."""
    groups: dict[str, list[str]] = {}
    for item in head.table:
        if item.group is not None:
            groups.setdefault(item.group, []).append(item.name)
    version = head.state.head
    return {
        "version": version.number if version else 0,
        "sha256": version.sha256 if version else None,
        "objects": [brief(*pair) for pair in _pairs(head)],
        "groups": groups,
        "steps": len(head.state.features),
    }


def inspection(workshop: Workshop, head: Head, reference: str) -> dict[str, Any]:
    """Return all there is to know of one object: facts, recipe, edges, faces.

    Raises:
        PlanRejected: there is no such object.
    """
    item = find(reference, head.table)
    state = next(state for each, state in _pairs(head) if each is item)
    shown = {"id": item.id, **state.described(), "group": item.group}
    parts = workshop.parts(item.shape, PARTS)
    return {**shown, "recipe": _recipe(head, item), **parts}


def steps(head: Head) -> list[dict[str, Any]]:
    """Return the whole recipe, numbered; its program stands elsewhere."""
    return [
        {"step": number, "tool": feature.tool, "arguments": feature.arguments}
        if isinstance(feature, StepFeature)
        else {"step": number, "tool": "propose"}
        for number, feature in enumerate(head.state.features, 1)
    ]


def between(workshop: Workshop, head: Head, first: str, second: str) -> dict[str, Any]:
    """Return distance and shared volume of two objects.

    Raises:
        PlanRejected: there is no such object.
    """
    return workshop.between(find(first, head.table).shape, find(second, head.table).shape)


def brief(item: Item, state: ObjectState) -> dict[str, Any]:
    """Return an object in short: what a next step needs to know."""
    told: dict[str, Any] = {
        "name": item.name,
        "id": item.id,
        "volume_mm3": state.volume,
        "min": list(state.low),
        "max": list(state.high),
    }
    if state.solids > 1:
        told["solids"] = state.solids
    if item.material is not None:
        told["material"] = item.material
    if item.colour is not None:
        told["colour"] = list(item.colour)
    if item.group is not None:
        told["group"] = item.group
    if not item.visible:
        told["visible"] = False
    return told


def _pairs(head: Head) -> list[tuple[Item, ObjectState]]:
    return list(zip(head.table, head.state.objects, strict=True))


def _recipe(head: Head, item: Item) -> list[dict[str, Any]]:
    """Return the steps that made an object what it is, with those of what it was made from."""
    wanted, found = {item.id}, []
    for number in range(len(head.state.features), 0, -1):
        feature = head.state.features[number - 1]
        if isinstance(feature, ProgramFeature):
            if any(identity.startswith(PROGRAM_ID) for identity in wanted):
                found.append({"step": number, "tool": "propose"})
            continue
        sources = _sources(feature, number, wanted)
        if sources is not None:
            wanted |= sources
            found.append({"step": number, "tool": feature.tool, "arguments": feature.arguments})
    return found[::-1]


def _sources(feature: StepFeature, number: int, wanted: set[str]) -> set[str] | None:
    """Return what a step made the wanted objects from, None where it did nothing to them."""
    given = feature.arguments
    if feature.tool == "boolean":
        return set(given["tools"]) if given["target"] in wanted else None
    named = {given["object"]} if "object" in given else set(given.get("objects", ()))
    own = f"o{number}"
    if any(identity == own or identity.startswith(f"{own}.") for identity in wanted):
        return named
    return set() if named & wanted else None
