"""The object tools as any MCP client meets them: announcements, examples, errors, processes."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest
from jsonschema import Draft202012Validator

from gaugeblock.host.objects.catalogue import STEPS
from gaugeblock.worlds import HostSettings

from ..conftest import Host, open_host, session, start_failing
from .conftest import Desk
from .test_documents import machine

SHARED = ["measure", "save", "export_step"]
MORE = ["batch", "edit_step", "undo", "redo", "list_objects", "inspect_object", "measure_between"]
PROGRAM = ["read_document", "look_up", "propose", "set_parameters", *SHARED]


@pytest.fixture(scope="module")
def workbench(warm: HostSettings) -> Iterator[Host]:
    """A host that shows the object tools alone."""
    with open_host(replace(warm, tools="objects")) as opened:
        yield opened


def names(settings: HostSettings) -> list[str]:
    with open_host(settings) as host:
        return [tool.name for tool in host.world.tools]


def test_each_set_of_tools(warm: HostSettings, workbench: Host):
    assert names(warm) == PROGRAM, "growth's agents see no more than before"
    assert [tool.name for tool in workbench.world.tools] == [*STEPS, *MORE, *SHARED]
    assert names(replace(warm, tools="all")) == [*PROGRAM, *STEPS, *MORE]


def test_a_set_that_is_none_is_told(tmp_path: Path):
    line = start_failing(tmp_path, "--tools", "everything")
    assert "--tools" in line and "objects" in line


def test_no_tool_shows_a_picture(workbench: Host):
    for tool in workbench.world.tools:
        assert not re.search(r"camera|viewport|screenshot|render|zoom", tool.name)


def test_schemas_are_plain_and_say_units_and_limits(workbench: Host):
    for tool in workbench.world.tools:
        Draft202012Validator.check_schema(tool.schema)
        assert tool.schema["type"] == "object" and tool.schema["additionalProperties"] is False
        text = json.dumps(tool.schema)
        for word in ("$ref", "$defs", "anyOf", "prefixItems", '"title"', "null", '"kind": "step"'):
            assert word not in text, f"{tool.name}: {word} is not taken by every provider"
        for name, field in tool.schema["properties"].items():
            assert field.get("description"), f"{tool.name}.{name} says nothing"
    schemas = {tool.name: tool.schema["properties"] for tool in workbench.world.tools}
    size = schemas["box"]["size"]
    assert "mm" in size["description"]
    assert (size["minItems"], size["maxItems"]) == (3, 3)
    assert (size["items"]["minimum"], size["items"]["maximum"]) == (0.001, 1_000_000)
    assert schemas["linear_pattern"]["count"]["maximum"] == 200
    assert schemas["rotate"]["angle"]["maximum"] == 360
    assert schemas["batch"]["calls"]["maxItems"] == 100


def test_descriptions_are_short_and_have_an_example(workbench: Host):
    for tool in workbench.world.tools:
        assert "Takes no arguments" in tool.description or "Example: {" in tool.description
        assert len(tool.description) < 700, tool.name
    whole = sum(len(json.dumps(tool.wire())) for tool in workbench.world.tools)
    assert whole < 60_000, "a model reads all of it with every request"


def example(description: str) -> dict[str, Any] | None:
    if "Example: {" not in description:
        return None
    start = description.index("Example: {") + len("Example: ")
    found: dict[str, Any] = json.JSONDecoder().raw_decode(description[start:].replace("\n", " "))[0]
    return found


NEEDED = {
    "boolean": [("cylinder", {"name": "drill", "radius": 5, "height": 50, "at": [0, 0, -10]})],
    "shell": [("box", {"name": "housing", "size": [280, 200, 320], "at": [-140, 0, 20]})],
    "linear_pattern": [("box", {"name": "grate bar 1", "size": [200, 10, 6]})],
    "polar_pattern": [("cylinder", {"name": "bolt 1", "radius": 4, "height": 9, "at": [50, 0, 0]})],
    "delete": [("box", {"name": "drill", "size": [1, 1, 1]})],
    "ungroup": [],
    "measure_between": [("sphere", {"name": "portafilter", "radius": 32, "at": [0, -75, 200]})],
}
"""What the examples of some descriptions take for granted, besides the examples before them."""


def test_every_example_works(workbench: Host):
    tried = []
    for tool in workbench.world.tools:
        for before, arguments in NEEDED.get(tool.name, []):
            assert not workbench.call(before, **arguments).failed
        given = example(tool.description) or {}
        Draft202012Validator(tool.schema).validate(given)
        answer = workbench.call(tool.name, **given)
        assert not answer.failed, f"{tool.name}: {answer.text}"
        tried.append(tool.name)
    assert len(tried) == len(STEPS) + len(MORE) + len(SHARED)


def test_an_answer_tells_what_changed(workbench: Host):
    answer = workbench.call("box", name="new one", size=[1, 2, 3], at=[0, 0, 500])
    assert answer.text.startswith("COMMITTED {")
    assert answer.data["status"] == "done"
    (changed,) = answer.data["changed"]
    assert changed["name"] == "new one" and changed["volume_mm3"] == pytest.approx(6)
    assert (changed["min"], changed["max"]) == ([0, 0, 500], pytest.approx([1, 2, 503]))
    gone = workbench.call("delete", objects=["new one"])
    assert gone.data["removed"] == ["new one"] and gone.data["changed"] == []


def test_an_error_is_a_tool_error_with_a_mend(workbench: Host):
    answer = workbench.call("fillet", object="nil", radius=1, edges={"all": True})
    assert answer.failed and answer.data["status"] == "rejected"
    assert answer.data["code"] == "object-unknown"
    assert answer.text.startswith("REJECTED [object-unknown]: no object 'nil'; there are ")
    assert answer.text.endswith("\nRepair: Use a name or an id that list_objects shows.")


def test_values_sent_as_text_are_read_and_names_are_not(workbench: Host):
    made = workbench.call("box", name="12", size="[1, 1, 1]", at="[0, 0, 700]")
    assert not made.failed and made.data["changed"][0]["name"] == "12"
    assert not workbench.call("appearance", objects='["12"]', material="304").failed
    assert not workbench.call("delete", objects=["12"]).failed


def test_a_tool_that_is_not_shown_is_not_there(workbench: Host):
    answer = workbench.call("propose", program="result = Box(1, 1, 1)", parameters={})
    assert answer.failed and answer.data["code"] == "syntax" and "no tool" in answer.text


def test_a_document_that_another_sandbox_opens_is_the_same(
    shared: Desk, warm: HostSettings, tmp_path: Path
):
    machine(shared)
    document, step = shared.saved(), shared.step()
    (tmp_path / "document.json").write_bytes(document)

    async def work() -> None:
        async with session(tmp_path, "--tools", "objects") as client:
            for tool, arguments in (("export_step", {"file": "again.step"}), ("save", {})):
                answer = await client.call_tool(tool, arguments)
                assert not answer.is_error, answer

    anyio.run(work)
    assert (tmp_path / "again.step").read_bytes() == step
    assert (tmp_path / "document.json").read_bytes() == document
