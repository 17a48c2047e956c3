"""What a program's process may answer, read as the hostile input it is.

A program can write any bytes where its result is expected. What passes here is well formed; whether
the shapes are what the answer says is for the ``check`` job, which runs no model code.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, ValidationError

from gaugeblock.host.diagnostics import Code, PlanRejected
from gaugeblock.host.document import MAX_NAME_CHARS
from gaugeblock.records.base import Record

MAX_OBJECTS = 200
"""A case has a handful; a few hundred names would fill an agent's context."""
TEXT_CHARS = 2_000
"""Characters kept of each text that a program hands back."""
NOTES = 20
"""Notes kept; the build job writes at most two."""

Text = Annotated[str, AfterValidator(lambda text: text[:TEXT_CHARS])]
Channel = Annotated[float, Field(ge=0, le=1)]


class BuiltObject(Record):
    """One object as the program names and colours it."""

    name: str
    colour: Annotated[list[Channel], Field(min_length=3, max_length=4)] | None = None


class Built(Record):
    """A program's answer: its objects, and what it printed and what was noticed of it."""

    objects: list[BuiltObject]
    printed: Text
    notes: Annotated[list[Text], AfterValidator(lambda notes: notes[:NOTES])]


class ProgramFault(Record):
    """Why the build job says that the program makes nothing."""

    code: Code
    message: Text
    line: Annotated[int, Field(ge=1)] | None = None
    repair: Text | None = None


class _Rejection(Record):
    rejected: ProgramFault


TAMPERED = "Assign the shapes to `result`, let the program end, and leave its process alone."


def read_built(value: dict[str, Any], shapes: int) -> Built:
    """Return the answer of a build job that brought ``shapes`` shapes.

    Raises:
        PlanRejected: the job says what is wrong with the program, its objects have no usable
            names, or the answer is none.
    """
    try:
        if "rejected" in value:
            fault = _Rejection.model_validate(value).rejected
            raise PlanRejected(fault.code, fault.message, fault.line, fault.repair)
        built = Built.model_validate(value)
    except ValidationError:
        raise PlanRejected("runtime", "the program spoilt its own result", None, TAMPERED) from None
    if len(built.objects) != shapes:
        raise PlanRejected("runtime", "the program spoilt its own result", None, TAMPERED)
    if not built.objects:
        raise PlanRejected("no-solid", "`result` holds no object")
    if len(built.objects) > MAX_OBJECTS:
        raise PlanRejected("limit", f"{len(built.objects)} objects; at most {MAX_OBJECTS}")
    _require_names([item.name for item in built.objects])
    return built


def _require_names(names: list[str]) -> None:
    for name in names:
        fault: Literal["too long", "not printable", "used twice"] | None = None
        if len(name) > MAX_NAME_CHARS:
            fault = "too long"
        elif not name.strip() or not name.isprintable():
            fault = "not printable"
        elif names.count(name) > 1:
            fault = "used twice"
        if fault:
            raise PlanRejected(
                "runtime",
                f"the object name {name[:MAX_NAME_CHARS]!r} is {fault}",
                repair="Give each object in `result` its own name of 1 to "
                f"{MAX_NAME_CHARS} printable characters.",
            )
