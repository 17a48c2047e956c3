"""The host driven by another client: the official TypeScript SDK's, as a user's agent would.

It takes Node and a download, and so is rarely run: `./dev test -m long tests/host/other_clients`.
"""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from gaugeblock.host.objects.catalogue import STEPS

from ..conftest import command
from .calls import MISTAKES, WORK

SDK = "@modelcontextprotocol/sdk@1.32.2"
SCRIPT = Path(__file__).parent / "typescript.mjs"
INSTALL_S = 300
CALLS_S = 300

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The client's script in a folder where its SDK is installed."""
    for name in ("node", "npm"):
        if shutil.which(name) is None:
            pytest.skip(f"{name} is not installed")
    folder = tmp_path_factory.mktemp("client")
    (folder / "package.json").write_text("{}")
    words = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", SDK]
    made = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=INSTALL_S)
    if made.returncode != 0:
        pytest.skip(f"npm cannot install {SDK}: {made.stderr.strip()[-200:]}")
    return Path(shutil.copy(SCRIPT, folder))


@pytest.fixture(scope="module")
def told(client: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the client was told: of all work, then of each mistake with a look before and after."""
    folder = tmp_path_factory.mktemp("document")
    line = command(folder, "--tools", "objects")
    look = ("list_objects", {})
    calls = [*WORK, look]
    for _, tool, arguments in MISTAKES:
        calls += [(tool, arguments), look]
    request = {"command": line[0], "args": line[1:], "cwd": str(folder), "calls": calls}
    ended = subprocess.run(
        ["node", client.name],
        cwd=client.parent,
        input=json.dumps(request),
        capture_output=True,
        text=True,
        timeout=CALLS_S,
    )
    assert ended.returncode == 0, ended.stderr
    found: dict[str, Any] = json.loads(ended.stdout)
    found["folder"] = folder
    return found


def test_it_is_shown_the_object_tools_whole(told: dict[str, Any]):
    shown = {tool["name"]: tool for tool in told["tools"]}
    assert {tool for tool, _ in WORK} == set(shown), "each is tried"
    assert len(shown) == len(STEPS) + 7 + 3
    assert told["server"]["name"] == "gaugeblock-host"
    assert "mm" in told["instructions"]
    for tool in shown.values():
        assert tool["description"] and tool["inputSchema"]["type"] == "object"


def test_every_tool_works(told: dict[str, Any]):
    for (tool, arguments), answer in zip(WORK, told["answers"], strict=False):
        assert "thrown" not in answer, (tool, answer)
        assert not answer.get("isError"), (tool, arguments, answer["content"][0]["text"])
        assert answer["structuredContent"]["status"] == "done"
    listed = told["answers"][len(WORK)]["structuredContent"]
    names = {item["name"] for item in listed["objects"]}
    assert {"base", "knob right", "grate bar 5", "seal", "tray"} < names and "drill" not in names
    step = (told["folder"] / "machine.step").read_text()
    assert "PRODUCT('steam wand'" in step
    assert (told["folder"] / "document.json").is_file()


def test_every_mistake_is_a_tool_error_with_its_code_and_changes_nothing(told: dict[str, Any]):
    before, *answers = told["answers"][len(WORK) :]
    version = before["structuredContent"]["sha256"]
    assert len(answers) == 2 * len(MISTAKES)
    for (code, tool, _), answer, after in zip(MISTAKES, answers[::2], answers[1::2], strict=True):
        assert answer["isError"] is True, (tool, answer)
        text = answer["content"][0]["text"]
        assert text.startswith(f"REJECTED [{code}]"), (tool, text)
        assert "\nRepair: " in text
        assert answer["structuredContent"]["code"] == code
        assert after["structuredContent"]["sha256"] == version, tool
    taken = {code for code, _, _ in MISTAKES}
    assert taken == {
        "syntax",
        "limit",
        "name-taken",
        "object-unknown",
        "no-effect",
        "no-solid",
        "nothing-selected",
        "not-built",
        "not-valid",
    }
