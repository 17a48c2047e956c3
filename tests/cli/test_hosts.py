"""`host list` and `host check`, and `--host` of plan and run: what is told, and the exit codes."""

import json
import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gaugeblock.cli import app
from gaugeblock.records.errors import CouldNotMeasure, WrongUse
from gaugeblock.sandbox import available_isolation

SERVERS = Path(__file__).parents[1] / "worlds" / "hostile"
walled = pytest.mark.skipif(
    available_isolation().kind != "bubblewrap", reason="bubblewrap cannot be used here"
)


def cli(*words):
    return CliRunner().invoke(app, [str(word) for word in words])


def hosts(tmp_path, mode, smoke=True):
    path = tmp_path / "hosts.toml"
    path.write_text(f"""
[[host]]
id = "mycad"
label = "one of the tests"
folder = "{os.path.relpath(SERVERS, tmp_path)}"
command = ["{{python}}", "-B", "{{folder}}/hostile_server.py", "{mode}", "mark"]
capabilities = ["program", "step"]
allowed = ["build"]
export = {{ tool = "export", arguments = {{ filename = "{{path}}" }} }}
""")
    if smoke:
        with path.open("a") as file:
            file.write('[[host.smoke]]\ntool = "build"\narguments = { step = "no STEP at all" }\n')
    return path


def test_hosts_are_listed(tmp_path):
    told = cli("host", "list", "--hosts", hosts(tmp_path, "honest")).output
    assert [line.split(":")[0] for line in told.splitlines()] == [
        "gaugeblock",
        "build123d-mcp",
        "mycad",
    ]
    listed = json.loads(cli("host", "list", "--json").output)
    assert [item["id"] for item in listed] == ["build123d-mcp"]


@walled
def test_a_host_without_smoke_calls_is_told(tmp_path):
    answer = cli("host", "check", "mycad", "--hosts", hosts(tmp_path, "honest", False), "--json")
    assert answer.exit_code == 0
    told = json.loads(answer.stdout)
    assert told["tools"] == ["build"] and told["server"] == "hostile 1.0"
    assert told["plans"] == "unknown" and len(told["fingerprint"]) == 64
    assert told["part"] == "no smoke calls are described"


@walled
@pytest.mark.parametrize(
    ("mode", "code", "told"),
    [
        ("honest", 3, "part: the part could not be measured"),
        ("refuses", 1, "part: build says: "),
        ("lies", 1, "part: nothing was exported: there is no file delivery.step"),
    ],
)
def test_how_a_check_ends(tmp_path, mode, code, told):
    answer = cli("host", "check", "mycad", "--hosts", hosts(tmp_path, mode))
    assert (answer.exit_code, told in answer.output) == (code, True), answer.output


@walled
def test_a_host_that_does_not_start_could_not_be_checked(tmp_path):
    answer = cli("host", "check", "mycad", "--hosts", hosts(tmp_path, "dies-at-start"))
    assert isinstance(answer.exception, CouldNotMeasure)
    assert "no licence found" in str(answer.exception)
    plan = cli("plan", "growth/S1", "--profile", "null", "--host", "mycad", "--hosts",
               hosts(tmp_path, "dies-at-start"))  # fmt: skip
    assert isinstance(plan.exception, WrongUse) and "no licence found" in str(plan.exception)


@walled
@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ('package = "cad==1"\nlock = "cad.lock"', "no cad.lock beside its file of hosts"),
        ('package = "cad==2"\nlock = "other.lock"', "other.lock does not pin cad==2"),
    ],
)
def test_a_description_of_what_is_not_there_is_wrong_use(tmp_path, asked, told):
    path = hosts(tmp_path, "honest")
    text = path.read_text()
    folder = next(line for line in text.splitlines() if line.startswith("folder"))
    path.write_text(text.replace(folder, asked).replace("{folder}", "{environment}"))
    (tmp_path / "other.lock").write_text("cad==1 --hash=sha256:00\n")
    answer = cli("host", "check", "mycad", "--hosts", path)
    assert isinstance(answer.exception, WrongUse) and answer.exception.exit_code == 2
    assert told in str(answer.exception)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["host", "check", "none"], "no host `none`"),
        (["host", "check", "gaugeblock"], "ours needs no check"),
        (["host", "list", "--hosts", "none.toml"], "no such file of hosts"),
        (["plan", "growth/S1", "--profile", "null", "--host", "none"], "no host `none`"),
        (["plan", "growth/S1", "--profile", "null", "--hosts", "none.toml"], "no such file"),
    ],
)
def test_wrong_use_is_told(words, told):
    answer = cli(*words)
    assert isinstance(answer.exception, WrongUse) and answer.exception.exit_code == 2
    assert told in str(answer.exception)


def test_a_resumed_run_keeps_its_host(tmp_path):
    (tmp_path / "run").mkdir()
    answer = cli("run", "--resume", "--out", tmp_path / "run", "--host", "build123d-mcp")
    assert isinstance(answer.exception, WrongUse) and "--host out" in str(answer.exception)
