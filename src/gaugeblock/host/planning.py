"""From a plan to a commit: run, check, compare with what was expected, keep what must stay."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import Field

from gaugeblock.host.built import Built
from gaugeblock.host.diagnostics import PlanRejected
from gaugeblock.host.document import (
    MAX_NAME_CHARS,
    MAX_PARAMETERS,
    MAX_PROGRAM_CHARS,
    PARAMETER_NAME,
    DocumentState,
    Feature,
    Number,
    ObjectState,
    ProgramFeature,
    format_of,
)
from gaugeblock.host.heads import Head, committed
from gaugeblock.host.objects.recipe import ProgramObject, replay, states
from gaugeblock.host.objects.workshop import Workshop
from gaugeblock.records.base import Record

VOLUME_RELATIVE = 1e-6
"""Default tolerance of an expected volume: what the ruler will judge by."""
BOUND_MM = 1e-6
"""Default tolerance of an expected bound, mm: what the ruler will judge by."""
MAX_VALUE = 1e12
"""Largest magnitude of a parameter: a thousand kilometres in mm, a thousand times over."""
REBUILD_RELATIVE = 1e-9
"""The same program on the same kernel gives the same volume to rounding."""
NAMES_SHOWN = 4
"""Names of each kind in one message; each has up to ``MAX_NAME_CHARS``."""

Point = Annotated[list[float], Field(min_length=3, max_length=3)]


class ExpectedVolume(Record):
    """Expected total volume."""

    value: float = Field(gt=0, description="Total volume of all objects, mm³.")
    relative_tolerance: float = Field(
        default=VOLUME_RELATIVE, gt=0, le=0.5, description="Allowed |V − value| / value."
    )


class ExpectedBounds(Record):
    """Expected axis-aligned bounds of everything."""

    min: Point = Field(description="Lowest x, y, z, mm.")
    max: Point = Field(description="Highest x, y, z, mm.")
    tolerance: float = Field(default=BOUND_MM, gt=0, le=10, description="mm, each component.")


class Expectations(Record):
    """What the plan must bring about; what is left out is not tested."""

    solids: int | None = Field(default=None, ge=1, description="Total number of solids.")
    names: list[str] | None = Field(
        default=None, description="Exact set of object names after the plan."
    )
    volume: ExpectedVolume | None = None
    bounds: ExpectedBounds | None = None
    unchanged: list[str] = Field(
        default_factory=list,
        description="Objects that must stay exactly as they are (volume of the symmetric "
        "difference at most 1e-6 of the object's volume).",
    )


def plan(
    workshop: Workshop,
    head: Head,
    kind: Literal["propose", "set_parameters"],
    program: str,
    parameters: dict[str, Number],
    expectations: Expectations,
) -> tuple[Head, Built]:
    """Validate a plan in the sandbox.

    Returns:
        The new head and what was built (printed text, notes). Nothing of the old head changes.

    Raises:
        PlanRejected: with a coded diagnostic; the document stays as it was.
    """
    parameters = _clean_parameters(parameters)
    _require_program(program)
    kernel = workshop.kernel
    built, breps = kernel.build(program, parameters)
    made = _made(workshop, built, breps)
    features = _with_program(head.state.features, program)
    table = replay(workshop, features, made)
    objects = states(workshop, table)
    _keep_names(head.state, objects, expectations)
    _meet(objects, expectations)
    after = Head(
        head.state.model_copy(
            update={
                "format": format_of(features),
                "parameters": parameters,
                "features": features,
                "objects": objects,
            }
        ),
        made,
        table,
    )
    _keep_unchanged(workshop, head, after, expectations)
    return committed(workshop, head, after, kind), built


def rebuild(workshop: Workshop, state: DocumentState) -> Head:
    """Build a document that was read from disk, and hold it to what it says of itself.

    Raises:
        PlanRejected: it does not build, or builds something else than was saved.
    """
    made: tuple[ProgramObject, ...] = ()
    if state.program is not None:
        made = _made(workshop, *workshop.kernel.build(state.program, state.parameters))
    table = replay(workshop, state.features, made)
    objects = states(workshop, table)
    _keep_all(state.objects, objects)
    for saved, rebuilt in zip(state.objects, objects, strict=True):
        same = math.isclose(saved.volume, rebuilt.volume, rel_tol=REBUILD_RELATIVE)
        if not same or _signature(saved) != _signature(rebuilt):
            raise PlanRejected(
                "not-conserved",
                f"object {saved.name!r} was saved with volume {saved.volume!r} mm³ and rebuilds "
                f"as {rebuilt.name!r} with {rebuilt.volume!r} mm³",
            )
    return Head(state, made, table)


def _keep_all(saved: Sequence[ObjectState], rebuilt: Sequence[ObjectState]) -> None:
    """Hold a rebuilt document to the names of its objects, before any two are compared."""
    before, after = [item.name for item in saved], [item.name for item in rebuilt]
    missing = [name for name in before if name not in after]
    strange = [name for name in after if name not in before]
    if not (missing or strange) and len(before) == len(after):
        return
    told = [f"{len(before)} objects were saved, {len(after)} rebuild"]
    for what, names in (("missing", missing), ("not saved", strange)):
        if names:
            rest = f" and {len(names) - NAMES_SHOWN} more" if len(names) > NAMES_SHOWN else ""
            told.append(f"{what}: {', '.join(map(repr, names[:NAMES_SHOWN]))}{rest}")
    raise PlanRejected("not-conserved", "; ".join(told))


def _signature(item: ObjectState) -> tuple[object, ...]:
    return (item.id, item.name, item.solids, item.faces, item.material, item.colour, item.visible)


def _with_program(features: tuple[Feature, ...], program: str) -> tuple[Feature, ...]:
    """Return the recipe with another program in the place of the old one, or at its end."""
    new = ProgramFeature(source=program)
    if not any(isinstance(feature, ProgramFeature) for feature in features):
        return (*features, new)
    return tuple(new if isinstance(feature, ProgramFeature) else feature for feature in features)


def _made(workshop: Workshop, built: Built, breps: tuple[bytes, ...]) -> tuple[ProgramObject, ...]:
    """Check a program's objects and hand them to the workshop, for the steps that follow."""
    facts = workshop.kernel.check([item.name for item in built.objects], breps)
    made = tuple(
        ProgramObject(look.name, None if look.colour is None else tuple(look.colour), brep)
        for look, brep in zip(built.objects, breps, strict=True)
    )
    for thing, fact in zip(made, facts, strict=True):
        workshop.hand_in(thing.node, thing.brep, fact)
    return made


def _require_program(program: str) -> None:
    if len(program) > MAX_PROGRAM_CHARS:
        raise PlanRejected(
            "limit", f"the program has {len(program)} characters; at most {MAX_PROGRAM_CHARS}"
        )
    if any("\ud800" <= character <= "\udfff" for character in program):
        raise PlanRejected("syntax", "the program holds half a character (a lone surrogate)")


def _clean_parameters(parameters: dict[str, Any]) -> dict[str, Number]:
    """Check names and values; whole floats become ints, so that counts can drive loops."""
    if len(parameters) > MAX_PARAMETERS:
        raise PlanRejected("limit", f"{len(parameters)} parameters; at most {MAX_PARAMETERS}")
    return {name: _clean(name, value) for name, value in parameters.items()}


def _clean(name: str, value: Any) -> Number:
    if not PARAMETER_NAME.fullmatch(name):
        raise PlanRejected(
            "parameter-unknown",
            f"{name[:MAX_NAME_CHARS]!r} is no parameter name",
            repair="Name it with a letter of A to Z, then letters, digits or _; at most 64.",
        )
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not -MAX_VALUE <= value <= MAX_VALUE:  # NaN is in no range
        shown = "not a number" if not number else "not finite, or beyond ±1e12"
        raise PlanRejected(
            "parameter-unknown",
            f"the value of {name} is {shown}",
            repair="Give a plain finite number, such as 12 or 7.5: no text, no true or false.",
        )
    return int(value) if float(value).is_integer() else float(value)


def _keep_names(
    before: DocumentState, objects: tuple[ObjectState, ...], expectations: Expectations
) -> None:
    names = {item.name for item in objects}
    if expectations.names is not None:
        expected = set(expectations.names)
        if expected != names:
            raise PlanRejected(
                "expectation-missed",
                f"names: expected {sorted(expected)}, the program made {sorted(names)}",
            )
        return
    lost = sorted({item.name for item in before.objects} - names)
    if lost:
        raise PlanRejected("name-lost", f"the program no longer makes {', '.join(map(repr, lost))}")


def _meet(objects: tuple[ObjectState, ...], expectations: Expectations) -> None:
    missed: list[str] = []
    solids = sum(item.solids for item in objects)
    if expectations.solids is not None and solids != expectations.solids:
        missed.append(f"solids: expected {expectations.solids}, got {solids}")
    volume = sum(item.volume for item in objects)
    wanted = expectations.volume
    if wanted is not None and abs(volume - wanted.value) > wanted.relative_tolerance * wanted.value:
        missed.append(f"volume: expected {wanted.value:.6f} mm³, got {volume:.6f} mm³")
    box = expectations.bounds
    if box is not None:
        low = [min(item.low[axis] for item in objects) for axis in range(3)]
        high = [max(item.high[axis] for item in objects) for axis in range(3)]
        pairs = zip((*box.min, *box.max), (*low, *high), strict=True)
        if any(abs(expected - got) > box.tolerance for expected, got in pairs):
            missed.append(f"bounds: expected {[*box.min]}–{[*box.max]} mm, got {low}–{high} mm")
    if missed:
        raise PlanRejected("expectation-missed", "; ".join(missed))


def _keep_unchanged(
    workshop: Workshop, head: Head, after: Head, expectations: Expectations
) -> None:
    if not expectations.unchanged:
        return
    old, new = ({item.name: item.shape for item in side.table} for side in (head, after))
    names = list(dict.fromkeys(expectations.unchanged))
    missing = [name for name in names if name not in old or name not in new]
    if missing:
        absent = "document" if missing[0] not in old else "new result"
        raise PlanRejected(
            "name-lost",
            f"{missing[0]!r} is to stay unchanged but the {absent} has no such object",
            repair="List in expectations.unchanged only objects that are there before and after.",
        )
    changing = [name for name in names if old[name] != new[name]]
    before, then = (workshop.breps([side[name] for name in changing]) for side in (old, new))
    compared = workshop.kernel.same(list(zip(before, then, strict=True))) if changing else []
    changed = [
        f"{name!r} differs by {item['relative']:.3g} of its volume"
        for name, item in zip(changing, compared, strict=True)
        if not item["same"]
    ]
    if changed:
        raise PlanRejected("not-conserved", "; ".join(changed))
