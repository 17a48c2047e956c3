"""The object tools that change the document: one step, many at once, an earlier step, undo."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from pydantic import Field

from gaugeblock.host.diagnostics import PlanRejected
from gaugeblock.host.document import (
    MAX_FEATURES,
    Feature,
    StepFeature,
    format_of,
)
from gaugeblock.host.heads import Head, committed
from gaugeblock.host.objects.catalogue import read_step
from gaugeblock.host.objects.recipe import extend, recorded, replay, states
from gaugeblock.host.objects.steps import Step
from gaugeblock.host.objects.table import Table
from gaugeblock.host.objects.workshop import Workshop
from gaugeblock.records.base import Record, canonical_json

MAX_RECIPE_BYTES = 512 << 10
"""Canonical JSON of all steps; indented as in the file it is at most five times as much, which the
largest document still holds."""

BATCH_S = 120.0
"""Wall time after which a batch begins no further call: an agent waits for it."""


class Call(Record):
    """One call of a batch."""

    tool: str = Field(description="Name of a tool that changes objects, such as box.")
    arguments: dict[str, Any] = Field(description="Its arguments.")


def with_step(workshop: Workshop, head: Head, step: Step, tool: str) -> Head:
    """Return the head after one more step.

    Raises:
        PlanRejected: it cannot be done.
    """
    table, feature = _stepped(workshop, head.table, step, len(head.state.features) + 1)
    return _head(workshop, head, (*head.state.features, feature), table, tool)


def with_calls(workshop: Workshop, head: Head, calls: Sequence[Call]) -> Head:
    """Return the head after all calls, in their order; objects of earlier ones can be named.

    Raises:
        PlanRejected: one cannot be done; which one is told.
    """
    table, features = head.table, list(head.state.features)
    deadline = time.monotonic() + BATCH_S
    for number, call in enumerate(calls, 1):
        if time.monotonic() > deadline:
            raise PlanRejected(
                "timeout",
                f"the first {number - 1} of {len(calls)} calls took longer than {BATCH_S:g} s",
                repair="Send fewer calls at once.",
            )
        try:
            step = read_step(call.tool, call.arguments)
            table, feature = _stepped(workshop, table, step, len(features) + 1)
        except PlanRejected as error:
            raise error.within(f"call {number} of {len(calls)} ({call.tool[:100]})") from None
        features.append(feature)
    return _head(workshop, head, tuple(features), table, "batch")


def with_changes(workshop: Workshop, head: Head, number: int, changes: dict[str, Any]) -> Head:
    """Return the head with other arguments of an earlier step, and all after it made anew.

    Raises:
        PlanRejected: there is no such step, or it or a later one cannot be done so.
    """
    features = head.state.features
    feature = features[number - 1] if number <= len(features) else None
    if not isinstance(feature, StepFeature):
        what = "there is no such step" if feature is None else "it is the program"
        raise PlanRejected(
            "syntax",
            f"step {number} cannot be edited: {what}",
            repair="Use a step number of inspect_object; a program is changed by propose.",
        )
    try:
        before = replay(workshop, features[: number - 1], head.made)
        arguments = {**feature.arguments, **changes}
        wanted = read_step(
            feature.tool, {name: value for name, value in arguments.items() if value is not None}
        )
        _, new = recorded(workshop, before, wanted)
    except PlanRejected as error:
        raise error.within(f"step {number} ({feature.tool})") from None
    if new == feature:
        raise PlanRejected("no-effect", f"step {number} has these arguments already")
    edited: tuple[Feature, ...] = (*features[: number - 1], new, *features[number:])
    return _head(workshop, head, edited, replay(workshop, edited, head.made), "edit_step")


def _stepped(
    workshop: Workshop, table: Table, step: Step, number: int
) -> tuple[Table, StepFeature]:
    if number > MAX_FEATURES:
        raise PlanRejected(
            "limit",
            f"the recipe would have more than {MAX_FEATURES} steps",
            repair="Change an earlier step with edit_step instead of adding new ones.",
        )
    step, feature = recorded(workshop, table, step)
    return extend(workshop, table, step, number), feature


def _head(
    workshop: Workshop, head: Head, features: tuple[Feature, ...], table: Table, tool: str
) -> Head:
    """Return the committed head of a recipe and its objects; unchanged objects are kept."""
    size = len(canonical_json([f.arguments for f in features if isinstance(f, StepFeature)]))
    if size > MAX_RECIPE_BYTES:
        raise PlanRejected(
            "limit",
            f"the recipe would have {size} bytes; at most {MAX_RECIPE_BYTES}",
            repair="Use patterns instead of many like steps, and fewer points in outlines.",
        )
    known = {item: state for item, state in zip(head.table, head.state.objects, strict=True)}
    fresh = [item for item in table if item not in known]
    known |= zip(fresh, states(workshop, tuple(fresh)), strict=True)
    update = {
        "format": format_of(features),
        "features": features,
        "objects": tuple(known[item] for item in table),
    }
    draft = Head(head.state.model_copy(update=update), head.made, table)
    return committed(workshop, head, draft, tool)
