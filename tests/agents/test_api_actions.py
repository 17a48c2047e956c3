"""Actions as JSON: the schema means what the tools' schemas mean, and an action is read back."""

import json

import anyio
import jsonschema
import pytest
from api_talks import CUT, LOOK, TOOLS, RawProvider, open_talk, profile, turns

from gaugeblock.agents.api.json_actions import action_schema, read_action, told
from gaugeblock.agents.mock import MockProvider, Say
from gaugeblock.worlds.protocol import Tool, ToolResult

OTHER = Tool(
    "weld",
    "",
    {
        "type": "object",
        "properties": {
            "part": {"$ref": "#/$defs/Part"},
            "again": {"$ref": "#/properties/part"},
            "whole": {"$ref": "#"},
            "$ref": {"type": "string"},
            "odd/na~me": {"$ref": "#/definitions/a~1b~0c"},
            "datum": {"const": {"$ref": "#/$defs/Part"}},
        },
        "additionalProperties": False,
        "$defs": {"Part": {"enum": [7, "seven"]}},
        "definitions": {"a/b~c": {"oneOf": [{"type": "integer"}, {"$ref": "#/$defs/Part"}]}},
    },
)
"""A definition of the same name with another meaning, references of every kind, and data that only
looks like one."""

ARGUMENTS = [
    ("cut", {"part": {"name": "a"}}),
    ("cut", {"part": {"name": "a", "children": [{"name": "b", "children": []}]}, "count": 12}),
    ("cut", {"part": {"name": "A"}}),
    ("cut", {"part": {"name": "a", "children": [{"name": "a"}] * 4}}),
    ("cut", {"part": 7}),
    ("cut", {"part": {"name": "a"}, "count": 0}),
    ("cut", {"part": {"name": "a"}, "kind": "孔"}),
    ("cut", {"part": {"name": "a"}, "kind": "slot"}),
    ("cut", {"part": {"name": "a"}, "depth": 0.25}),
    ("cut", {"part": {"name": "a"}, "more": 1}),
    ("cut", {}),
    ("look", {}),
    ("look", {"part": 7}),
    ("weld", {"part": 7, "again": "seven"}),
    ("weld", {"part": {"name": "a"}}),
    ("weld", {"again": 8}),
    ("weld", {"whole": {"whole": {"part": 7}}}),
    ("weld", {"whole": {"whole": {"part": 8}}}),
    ("weld", {"odd/na~me": "seven"}),
    ("weld", {"odd/na~me": 7}),
    ("weld", {"odd/na~me": 8}),
    ("weld", {"datum": {"$ref": "#/$defs/Part"}}),
    ("weld", {"datum": 7}),
    ("weld", {"$ref": "x"}),
]


@pytest.mark.parametrize(("name", "arguments"), ARGUMENTS)
def test_an_action_is_valid_exactly_where_its_arguments_are(name, arguments):
    tools = {tool.name: tool for tool in (CUT, LOOK, OTHER)}
    whole = action_schema(tuple(tools.values()))
    jsonschema.Draft202012Validator.check_schema(whole)
    alone = jsonschema.Draft202012Validator(tools[name].schema)
    together = jsonschema.Draft202012Validator(whole)
    action = {"tool": name, "arguments": arguments}
    assert together.is_valid(action) == alone.is_valid(arguments)


@pytest.mark.parametrize(
    "action",
    [
        {"tool": "saw", "arguments": {}},
        {"tool": "look"},
        {"tool": "look", "arguments": {}, "final": "x"},
        {"final": 5},
        {},
        [],
    ],
)
def test_nothing_else_is_an_action(action):
    assert not jsonschema.Draft202012Validator(action_schema(TOOLS)).is_valid(action)


def test_the_schemas_are_not_changed_in_place():
    before = json.dumps([CUT.schema, OTHER.schema])
    action_schema((CUT, OTHER))
    assert json.dumps([CUT.schema, OTHER.schema]) == before


def test_definitions_of_one_name_keep_names_of_their_own():
    names = list(action_schema((CUT, OTHER))["$defs"])
    assert names == ["cut", "cut__Part", "weld", "weld__Part", "weld__a/b~c"]


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "other.json"},
        {"properties": {"a": {"$ref": "https://example.org/schema"}}},
        {"properties": {"a": {"$anchor": "here"}}},
        {"items": {"$defs": {"inner": {}}}},
        {"$id": "https://example.org/schema"},
    ],
)
def test_what_cannot_be_moved_is_refused(schema):
    with pytest.raises(ValueError, match="tool t: "):
        action_schema((Tool("t", "", schema),))


def test_a_model_is_told_all_of_its_tools():
    text = told(TOOLS)
    for tool in TOOLS:
        assert json.dumps(tool.schema, ensure_ascii=False, separators=(",", ":")) in text
        assert tool.description in text


def test_actions_are_read():
    call, said = read_action('{"tool": "cut", "arguments": { "a": 1.0 }}')
    assert call is not None and (call.name, call.arguments, said) == ("cut", {"a": 1.0}, "")
    assert call.written == '{ "a": 1.0 }'
    assert read_action('{"final": "done"}') == (None, "done")
    for text in ("I will look.", '{"tool": 5}', "[1]", "", '{"tool": "look", "arguments": [1]}'):
        call, said = read_action(text)
        assert call is not None and call.arguments is None and call.fault and said == ""


@pytest.mark.parametrize("stream", [False, True])
def test_a_talk_in_actions(stream):
    script = [
        Say('{"tool": "cut", "arguments": {"part": {"name": "a"}}}'),
        Say("oops"),
        Say('{"final": "made it"}'),
    ]
    with MockProvider(script) as mock:
        who = profile("openai-chat", mock.url("openai-chat"), tool_mode="json", stream=stream)
        talk = open_talk(who)
        seen = []

        async def talked():
            for answer in (ToolResult(False, "cut it"), ToolResult(True, "no action"), None):
                reply = await talk.send()
                seen.append(reply)
                if answer:
                    talk.results([(call, answer) for call in reply.calls])
            await talk.close()

        anyio.run(talked)
        bodies = [request.parsed for request in mock.received]
    assert [call.name for call in seen[0].calls] == ["cut"]
    assert seen[1].calls[0].fault and seen[2].calls == () and seen[2].text == "made it"
    assert all("tools" not in body for body in bodies)
    schema = bodies[0]["response_format"]["json_schema"]["schema"]
    assert schema == action_schema(TOOLS)
    assert told(TOOLS) in bodies[0]["messages"][0]["content"]
    roles = [message["role"] for message in bodies[2]["messages"]]
    assert roles == ["user", "assistant", "user", "assistant", "user"]
    assert bodies[2]["messages"][2]["content"] == "cut answered:\ncut it"


def test_an_action_that_was_cut_off_is_not_read():
    cut_off = (
        b'{"choices":[{"message":{"content":"{\\"final\\": \\"do"},"finish_reason":"length"}]}'
    )
    with RawProvider(cut_off) as server:
        talk = open_talk(profile("openai-chat", server.url, tool_mode="json"))
        (reply,) = turns(talk, 1)
    assert reply.cut_off and reply.calls == ()
