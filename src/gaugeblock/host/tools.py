"""The tools as a model sees them: names, descriptions, arguments and their JSON Schemas."""

from __future__ import annotations

import json
from dataclasses import dataclass
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import Field, ValidationError, WithJsonSchema
from pydantic.fields import FieldInfo

from gaugeblock.host.diagnostics import misfit
from gaugeblock.host.planning import Expectations
from gaugeblock.records.base import Record

INSTRUCTIONS = """\
A parametric CAD document. Lengths are mm, volumes mm³, angles degrees; Z is up.
The model is made by one program in build123d (Python). read_document first; then propose a
program with named parameters, or set_parameters to change values only. Nothing changes unless a
call answers COMMITTED. A rejected call leaves the document as it was and says what to repair."""

READ_DOCUMENT = """\
Show the whole document: version, parameters with their values, objects (name, solids, volume mm³,
area mm², bounds mm, faces), the program text, and the signatures of the most used functions of
the program language. Takes no arguments. Read it before you plan."""

LOOK_UP = """\
Look up the program language (build123d). Give a name (`CounterBoreHole`, `Plane.offset`) for its
full help, or words (`sweep path`) for a short list of at most 8. Example:
{"query": "GridLocations"}. Help is free of side effects; look up before you guess a signature."""

PROPOSE = """\
Replace the document's program and parameters, validate, and commit if all is well.
program: build123d code. `from build123d import *` and `import math` are already done. Each
parameter is a plain number under its own name: never assign it in the program. The program must
assign `result`: one shape, or a dict of object name -> shape. No files, no network, no other
packages; at most 64,000 characters, 60 s, 20,000 faces an object, 200 objects. It must always
make the same shape from the same parameters.
parameters: name -> number (mm, degrees or a count); these are all parameters of the document from
now on. Whole numbers arrive as integers, so they can drive range().
expectations (optional): what must hold, tested before the commit: solids, names, volume, bounds,
unchanged.
Example: {"program": "result = {'plate': Box(length, 20, 5) - Cylinder(holeDiameter / 2, 5)}",
"parameters": {"length": 40, "holeDiameter": 6}, "expectations": {"solids": 1, "names": ["plate"]}}
On failure the answer is an error with a code (syntax, runtime, timeout, not-valid,
expectation-missed, name-lost, not-conserved, parameter-unknown, no-solid, limit) and what to
repair; the document is unchanged. Correct it and call again."""

SET_PARAMETERS = """\
Change the values of existing parameters, rebuild with the same program, validate and commit.
Cheaper and safer than propose when only values change. Example: {"values": {"cols": 8}}.
Unknown names are rejected (parameter-unknown); units, limits and other failures as in propose."""

MEASURE = """\
Measure the committed model: each object's solids, volume (mm³), area (mm²), centroid and bounds
(mm), faces and edges, and the totals. Takes no arguments."""

SAVE = """\
Save the document to its file. Takes no arguments. Saving the same version gives the same bytes."""

EXPORT_STEP = """\
Export the committed model as STEP (mm, AP214) with object names and colours into the workspace.
file: a plain name ending in .step, no folders. Example: {"file": "part.step"}."""

Value = Annotated[Any, WithJsonSchema({"type": "number"})]
"""Judged by planning, whose rejection names the parameter."""
Values = Annotated[
    dict[str, Value],
    Field(
        description="Parameter name -> finite number, at most 200. Names: a letter, then letters, "
        "digits or _; at most 64."
    ),
]
Wanted = Annotated[
    Expectations | None, Field(description="What must hold, or the plan is not committed.")
]


class Nothing(Record):
    """The arguments of a tool that takes none."""


class LookUp(Record):
    """The arguments of look_up."""

    query: str = Field(description="A name, or words of a description; 200 characters are read.")


class Propose(Record):
    """The arguments of propose."""

    program: str = Field(description="build123d code that assigns `result`.")
    parameters: Values
    expectations: Wanted = None


class SetParameters(Record):
    """The arguments of set_parameters."""

    values: Values
    expectations: Wanted = None


class ExportStep(Record):
    """The arguments of export_step."""

    file: str = Field(description="Plain file name ending in .step, at most 100 characters.")


@dataclass(frozen=True)
class ToolText:
    """One tool: what it is called, what it says of itself, what it takes.

    Attributes:
        answer: the first word of an answer that changed or wrote something.
    """

    name: str
    description: str
    arguments: type[Record]
    answer: str = ""

    def schema(self) -> dict[str, Any]:
        """Return the arguments as plain JSON Schema: no references, titles or unions with null."""
        whole = self.arguments.model_json_schema()
        plain: dict[str, Any] = _plain(whole, whole.get("$defs", {}))
        plain.pop("description", None)  # the record's own; the tool has one
        plain.setdefault("properties", {})
        return plain

    def read(self, arguments: dict[str, Any]) -> Record:
        """Return the arguments of a call.

        An object that was sent as JSON text, as some clients do with nested values, is accepted.

        Raises:
            PlanRejected: they do not fit the schema.
        """
        fields = self.arguments.model_fields
        opened = {
            name: _opened(value) if name in fields and not _is_text(fields[name]) else value
            for name, value in arguments.items()
        }
        try:
            return self.arguments.model_validate(opened)
        except ValidationError as error:
            raise misfit(self.name, self.arguments, error) from None


TOOLS = (
    ToolText("read_document", READ_DOCUMENT, Nothing),
    ToolText("look_up", LOOK_UP, LookUp),
    ToolText("propose", PROPOSE, Propose, "COMMITTED"),
    ToolText("set_parameters", SET_PARAMETERS, SetParameters, "COMMITTED"),
    ToolText("measure", MEASURE, Nothing),
    ToolText("save", SAVE, Nothing, "SAVED"),
    ToolText("export_step", EXPORT_STEP, ExportStep, "EXPORTED"),
)


def _is_text(field: FieldInfo) -> bool:
    """Whether a field takes text as it is, such as a name that looks like a number."""
    wished = field.annotation
    kinds = get_args(wished) if get_origin(wished) in (Union, UnionType) else (wished,)
    bare = (get_args(kind)[0] if get_origin(kind) is Annotated else kind for kind in kinds)
    return any(kind is str for kind in bare)


def _opened(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def _plain(schema: Any, definitions: dict[str, Any]) -> Any:
    """Return a schema without what some providers do not take: $ref, null unions, titles."""
    if isinstance(schema, list):
        return [_plain(item, definitions) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        named = definitions[schema["$ref"].rpartition("/")[2]]
        schema = {**named, **{key: value for key, value in schema.items() if key != "$ref"}}
    kinds = [kind for kind in schema.get("anyOf", ()) if kind != {"type": "null"}]
    if len(kinds) == 1:
        rest = {key: value for key, value in schema.items() if key not in ("anyOf", "default")}
        return _plain({**kinds[0], **rest}, definitions)
    plain = {}
    for key, value in schema.items():
        if key == "properties":
            plain[key] = {name: _plain(item, definitions) for name, item in value.items()}
        elif key not in ("title", "$defs"):
            plain[key] = _plain(value, definitions)
    return plain
