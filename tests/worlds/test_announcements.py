"""What a strange server announces is judged before anybody is shown it, and never mended."""

import pytest

from gaugeblock.records.host_description import HostDescription
from gaugeblock.worlds import Tool, WorldLost
from gaugeblock.worlds.announcements import (
    LARGEST_ANNOUNCEMENT_BYTES,
    MOST_TOOLS,
    plain,
    shown_tools,
)


def described(**changes):
    entry = {
        "id": "cad",
        "label": "cad",
        "command": ["cad"],
        "capabilities": ["step"],
        "export": {"file": "out.step"},
    }
    return HostDescription.build({**entry, **changes}, "test")


def tool(name, description="", **schema):
    return Tool(name, description, {"type": "object", **schema})


def test_only_what_is_allowed_is_shown_in_the_servers_order():
    announced = [tool("c"), tool("a"), tool("b")]
    assert [t.name for t in shown_tools(announced, described(allowed=["a", "c"]))] == ["c", "a"]
    assert [t.name for t in shown_tools(announced, described(denied=["a"]))] == ["c", "b"]


def test_what_is_shown_is_what_was_announced():
    text = "Längen in mm.\n\tΔ ≤ 1 µm 📐"
    shown = shown_tools([tool("a", text, title="Ä")], described())
    assert shown == (tool("a", text, title="Ä"),)


@pytest.mark.parametrize(
    ("announced", "told"),
    [
        ([tool("a"), tool("b"), tool("a")], "announces the tool a twice"),
        ([tool(f"t{n}") for n in range(MOST_TOOLS + 1)], f"{MOST_TOOLS + 1} tools"),
        ([tool("a b")], "a name that no provider takes"),
        ([tool("")], "a name that no provider takes"),
        ([tool("x" * 65)], "a name that no provider takes"),
        ([tool("a", "look: \x1b[2Jgone")], "control characters"),
        ([tool("a", properties={"x\x00": {}})], "control characters"),
        ([tool("a", enum=["ok", "\x9b31m"])], "control characters"),
        ([tool("a", "\ud800")], "no readable text"),
        ([tool("a", "x" * LARGEST_ANNOUNCEMENT_BYTES)], "bytes, at most"),
    ],
)
def test_what_no_agent_can_be_shown_loses_the_world(announced, told):
    with pytest.raises(WorldLost, match=told) as caught:
        shown_tools(announced, described())
    assert caught.value.layer == "host"


def test_a_hidden_tool_may_be_called_and_described_as_it_likes():
    strange = tool("a b", "\x1b[2J" + "x" * LARGEST_ANNOUNCEMENT_BYTES)
    assert shown_tools([strange, tool("ok")], described(allowed=["ok"])) == (tool("ok"),)


def test_a_named_tool_that_is_not_announced_loses_the_world():
    wanting = described(export={"tool": "export"}, allowed=["a"])
    with pytest.raises(WorldLost, match="no tool export, which its description names"):
        shown_tools([tool("a")], wanting)
    assert shown_tools([tool("a"), tool("export")], wanting) == (tool("a"),)


def test_a_deeply_nested_schema_is_refused_and_no_crash():
    deep: dict[str, object] = {}
    for _ in range(20_000):
        deep = {"items": deep}
    with pytest.raises(WorldLost, match="no readable text"):
        shown_tools([tool("a", properties=deep)], described())


def test_words_of_a_server_become_one_short_plain_line():
    assert plain("a\n\tb\x1b[31m\u202e c") == "a b[31m c"
    assert len(plain("x" * 1000)) == 201
