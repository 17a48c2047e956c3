"""Descriptions of CAD servers: what a hand-written entry may say, and what is told of a slip."""

import pytest

from gaugeblock.records.errors import WrongUse
from gaugeblock.records.host_description import HostDescription, StepExport, ToolUse

ENTRY = {
    "id": "cad",
    "label": "a CAD server",
    "command": ["cad-server"],
    "capabilities": ["program", "step"],
    "export": {"tool": "export", "arguments": {"filename": "{path}"}},
}
DOCUMENT = {"file": "part.cad", "save": {"tool": "save"}, "open": {"tool": "open"}}


def described(**changes):
    return HostDescription.build({**ENTRY, **changes}, "hosts.toml, host cad")


def test_what_is_not_said_is_unknown_or_all():
    plain = described()
    assert plain.counting.plans is None and plain.counting.commits is None
    assert plain.shows("anything") and plain.version.tool is None and plain.document is None
    assert plain.needed() == {"export"}


def test_allowed_and_denied():
    assert not described(denied=["shell"]).shows("shell")
    only = described(allowed=["build"])
    assert only.shows("build") and not only.shows("export")  # the runner's tool, not the agent's


def test_needed_tools_are_all_that_are_named():
    whole = described(
        capabilities=["program", "step", "document"],
        document=DOCUMENT,
        version={"tool": "version"},
        program={"tool": "execute", "argument": "code"},
        counting={"plans": ["execute", "edit"], "commits": ["edit"]},
        smoke=[{"tool": "make_box"}],
    )
    named = {"export", "save", "open", "version", "execute", "edit", "make_box"}
    assert whole.needed() == named


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"colour": "red"}, "colour: Extra inputs are not permitted"),
        ({"id": "gaugeblock"}, "gaugeblock is our own host"),
        ({"id": "a b"}, "id: "),
        ({"command": []}, "command: "),
        ({"capabilities": ["program"]}, "`step` is missing"),
        ({"capabilities": ["flying", "step"]}, "capabilities.0: "),
        ({"capabilities": ["step", "document"]}, "`document` needs [host.document]"),
        ({"document": DOCUMENT}, "`document` needs [host.document]"),
        ({"package": "cad==1.0"}, "a package needs its lock"),
        ({"lock": "cad.txt"}, "a package needs its lock"),
        ({"package": "cad>=1.0", "lock": "cad.txt"}, "package: "),
        ({"package": "cad @ https://x", "lock": "cad.txt"}, "package: "),
        ({"package": "cad==1", "lock": "a", "environment": "e"}, "give one of them"),
        ({"folder": "/opt/cad"}, "folder: Value error, a path that starts from the folder"),
        ({"environment": "~/cad"}, "a path that starts from the folder"),
        ({"export": {}}, "name the tool that writes the STEP, or the file"),
        ({"export": {"file": "../out.step"}}, "export.file: "),
        ({"export": {"file": "/etc/passwd"}}, "export.file: "),
        ({"export": {"file": ".."}}, "export.file: "),
        ({"denied": ["run"], "allowed": ["run"]}, "allowed: run is denied"),
        (
            {"denied": ["run"], "program": {"tool": "run", "argument": "code"}},
            "program: run is denied",
        ),
        ({"counting": {"plans": ["a"], "commits": ["b"]}}, "b commits and is no plan"),
        ({"counting": {"rejected_when": ""}}, "counting.rejected_when: "),
        ({"pass_variables": ["OPENAI_API_KEY"]}, "looks like a secret"),
        ({"set_variables": {"GITHUB_TOKEN": "x"}}, "looks like a secret"),
        ({"pass_variables": ["MYSQL_PWD"]}, "looks like a secret"),
        ({"pass_variables": ["GITHUB_PAT"]}, "looks like a secret"),
        ({"pass_variables": ["NPM_AUTH"]}, "looks like a secret"),
        ({"set_variables": {"A=B": "x"}}, "the name of an environment variable"),
        ({"call_s": 0}, "call_s"),
        ({"call_s": "60"}, "call_s"),
        ({"smoke": [{"tool": "rm -rf"}]}, "a tool's name has letters"),
    ],
)
def test_a_slip_is_told_in_one_line(changes, told):
    with pytest.raises(WrongUse) as caught:
        described(**changes)
    message = str(caught.value)
    assert told in message and message.startswith("hosts.toml, host cad: ")
    assert "\n" not in message


def test_placeholders_are_filled_at_any_depth():
    use = ToolUse(
        tool="export", arguments={"to": ["{path}", {"as": "x/{name}"}], "n": 3, "other": "{else}"}
    )
    assert use.filled("/in/a.step", "a.step") == {
        "to": ["/in/a.step", {"as": "x/a.step"}],
        "n": 3,
        "other": "{else}",
    }


def test_a_file_that_the_agent_writes_needs_no_tool():
    assert described(export={"file": "part.step"}).export.use is None
    assert StepExport(tool="export").use == ToolUse(tool="export")
