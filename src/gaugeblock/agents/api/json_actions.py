"""Tool calls for models that have none: one action a turn, as JSON bound to a schema.

An action is `{"tool": NAME, "arguments": {…}}` or `{"final": TEXT}`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gaugeblock.agents.api.conversation import asked
from gaugeblock.agents.api.provider import Call
from gaugeblock.agents.api.raw_json import cut, parse, write
from gaugeblock.worlds.protocol import Tool

SUBSCHEMA = (
    "additionalItems",
    "additionalProperties",
    "contains",
    "else",
    "if",
    "items",
    "not",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
)
SUBSCHEMAS = ("allOf", "anyOf", "items", "oneOf", "prefixItems")
NAMED_SUBSCHEMAS = ("dependentSchemas", "patternProperties", "properties")
"""Keywords of JSON Schema whose value is a schema, a list, or an object of schemas. What stands
under others (`const`, `enum`, `default`) is data and is never looked into."""

DEFINITIONS = ("$defs", "definitions")

UNMOVABLE = ("$anchor", "$dynamicAnchor", "$dynamicRef", "$id", "$recursiveRef")
"""Keywords by which a schema is found from elsewhere: they would point elsewhere after a move."""


def action_schema(tools: Sequence[Tool]) -> dict[str, Any]:
    """Return the schema of an action.

    Each tool's definitions move to the top under a name with the tool in it. Converters of schemas
    into grammars name a rule after the last part of a `$ref`, so that two tools' definitions of one
    name would become one.

    Raises:
        ValueError: a tool's schema cannot be moved without a change of meaning.
    """
    definitions: dict[str, Any] = {}
    actions = []
    for tool in tools:
        definitions |= _moved(tool)
        arguments = {"$ref": f"#/$defs/{_pointer(tool.name)}"}
        actions.append(_closed({"tool": {"const": tool.name}, "arguments": arguments}))
    actions.append(_closed({"final": {"type": "string"}}))
    return {"anyOf": actions, "$defs": definitions}


def told(tools: Sequence[Tool]) -> str:
    """Return what a model is told of its tools: a schema that binds it may never reach its eyes."""
    announced = write([tool.wire() for tool in tools]).decode()
    return (
        "Answer with one JSON object and nothing else. To call a tool: "
        '{"tool": "<name>", "arguments": {…}}; its answer comes with the next message. '
        'When you are done: {"final": "<what you did>"}. The tools, as JSON:\n'
        f"{announced}"
    )


def read_action(content: str) -> tuple[Call | None, str]:
    """Return the call in an action, or None and the final text.

    Text that is no action is a call to a tool without a name: it is counted and refused, and the
    model reads why.
    """
    try:
        action = parse(content)
    except ValueError as error:
        return Call("", "", None, content, f"the answer is no JSON: {error}"), ""
    if isinstance(action, dict) and isinstance(action.get("final"), str):
        return None, action["final"]
    if isinstance(action, dict) and isinstance(action.get("tool"), str):
        written = cut(content, "arguments") if "arguments" in action else "{}"
        return asked("", action["tool"], written), ""
    return Call("", "", None, content, "the answer is no action: it names no tool"), ""


def _closed(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _moved(tool: Tool) -> dict[str, Any]:
    """Return a tool's schema and its definitions by their names in the whole."""
    places = {"#": f"#/$defs/{_pointer(tool.name)}"}
    moved = {}
    for folder in DEFINITIONS:
        for name in tool.schema.get(folder, {}):
            new = f"{tool.name}__{name}"
            places[f"#/{folder}/{_pointer(name)}"] = f"#/$defs/{_pointer(new)}"
            moved[new] = tool.schema[folder][name]
    rest = {
        key: value for key, value in tool.schema.items() if key not in (*DEFINITIONS, "$schema")
    }
    moved = {tool.name: rest} | moved
    return {name: _rewritten(schema, places, tool.name) for name, schema in moved.items()}


def _rewritten(schema: Any, places: dict[str, str], tool: str) -> Any:
    """Return a schema with its references leading to the new places."""
    if not isinstance(schema, dict):
        return schema  # true and false are schemas too
    found = sorted({*UNMOVABLE, *DEFINITIONS} & set(schema))
    if found:
        raise ValueError(f"tool {tool}: {', '.join(found)} inside its schema cannot be moved")
    new: dict[str, Any] = {}
    for key, value in schema.items():
        if key == "$ref":
            new[key] = _led(value, places, tool)
        elif key in SUBSCHEMAS and isinstance(value, list):
            new[key] = [_rewritten(each, places, tool) for each in value]
        elif key in SUBSCHEMA:
            new[key] = _rewritten(value, places, tool)
        elif key in NAMED_SUBSCHEMAS and isinstance(value, dict):
            new[key] = {name: _rewritten(each, places, tool) for name, each in value.items()}
        else:
            new[key] = value
    return new


def _led(reference: str, places: dict[str, str], tool: str) -> str:
    """Return where a reference leads after the move: the longest place it begins with."""
    for old in sorted(places, key=len, reverse=True):
        if reference == old or reference.startswith(f"{old}/"):
            return places[old] + reference[len(old) :]
    raise ValueError(f"tool {tool}: reference {reference} leads out of its schema")


def _pointer(name: str) -> str:
    """Return a name as it is written in a JSON pointer."""
    return name.replace("~", "~0").replace("/", "~1")
