"""What a host's answer to `save` makes of the delivery: a failed one is told with its reason."""

from pathlib import Path
from types import SimpleNamespace

import anyio
import pytest
from mcp.types import CallToolResult, TextContent

from gaugeblock.worlds import Delivery, HostSettings, HostWorld

MESSAGE = "the document would have 9 bytes;\nat most 8"


def delivered(*answers: CallToolResult) -> Delivery:
    """Return what a world delivers whose host answers so."""
    waiting = list(answers)

    async def call_tool(name, arguments, read_timeout_seconds):
        return waiting.pop(0)

    world = HostWorld(SimpleNamespace(call_tool=call_tool), HostSettings(), Path(), "1")
    found = anyio.run(world.deliver)
    assert not waiting
    return found


def answer(failed, text, **data):
    content = [TextContent(type="text", text=text)]
    return CallToolResult(content=content, is_error=failed, structured_content=data)


@pytest.mark.parametrize("data", [{"message": MESSAGE, "code": "limit"}, {}])
def test_a_failed_save_has_its_reason_in_one_line(data):
    found = delivered(answer(True, MESSAGE, **data))
    assert found == Delivery(
        None, None, "nothing was saved: the document would have 9 bytes; at most 8"
    )


def test_a_document_of_no_commit_is_no_failure():
    assert delivered(answer(False, "saved", version=0)) == Delivery(None, None)
