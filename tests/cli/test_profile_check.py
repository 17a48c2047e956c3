"""`profile check`: what profiles lack, and the fault matrix; an exit code that tells."""

import json
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from gaugeblock.cli import app
from gaugeblock.records.errors import WrongUse
from gaugeblock.running import fault_matrix as matrix
from gaugeblock.running import readiness

REAL = matrix.fault_matrix


@pytest.fixture
def asked(monkeypatch):
    """Call the command with one dialect and two faults; keywords go into every line."""

    def call(*words, **changes):
        def few(*, stream, on_line):
            lines = REAL(stream=stream, faults=("none", "http-401"), dialects=["openai-chat"])
            return [replace(line, **changes) for line in lines]

        monkeypatch.setattr(matrix, "fault_matrix", few)
        return CliRunner().invoke(app, ["profile", "check", *words])

    return call


def test_a_right_matrix_ends_with_0(asked):
    answer = asked("--faults", "--stream")
    assert answer.exit_code == 0, answer.output
    assert "http-401 openai-chat 1     error:provider null" in answer.output
    assert (
        "http-401 (all): request 1: HTTP 401: Incorrect API key provided: [key]." in answer.output
    )
    assert "no part is made" in answer.output
    assert answer.output.strip().endswith("2 lines, streamed: none wrong")


def test_a_wrong_line_ends_with_1_and_says_why(asked):
    answer = asked("--faults", wrong=("2 wire calls",))
    assert answer.exit_code == 1
    assert "http-401, openai-chat: 2 wire calls" in answer.output
    assert "WRONG" in answer.output


def test_json_holds_every_line(asked):
    answer = asked("--faults", "--json")
    assert answer.exit_code == 0
    good, bad = json.loads(answer.output)["lines"]
    assert (good["usage"], good["cost_usd"], good["later_calls"]) == ([2000, 120], "0.0054", 1)
    assert (bad["usage"], bad["cost_usd"], bad["later_calls"]) == (None, None, 0)
    assert bad["usage_reason"]
    assert bad["cost_reason"]


def test_faults_are_of_dialects_and_streams_of_faults(asked):
    assert isinstance(asked("--faults", "local-tiny").exception, WrongUse)
    assert isinstance(asked("--stream").exception, WrongUse)


# --- without faults: whether profiles could run ---------------------------------------------------

OWN = """
[[profile]]
id = "sol"
label = "Sol"
agent = "api"
dialect = "openai-responses"
model = "gpt-5.6-sol"
billing = "subscription"
key_variable = "SOL_KEY"
"""


@pytest.fixture
def fresh(tmp_path, monkeypatch):
    """Call the command in an empty folder, where the local model is not installed."""

    def absent(profile):
        raise WrongUse(f"profile {profile.id}: xllamacpp is not installed; install both")

    monkeypatch.setattr(readiness, "LocalServer", absent)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SOL_KEY", raising=False)
    return lambda *words: CliRunner().invoke(app, ["profile", "check", *words])


def test_a_fresh_install_lacks_nothing_that_was_asked_for(fresh):
    answer = fresh()
    assert answer.exit_code == 0, answer.output
    assert answer.output.startswith("local-tiny: not installed; xllamacpp is not installed;")
    assert "ready" not in answer.output
    assert json.loads(fresh("--json").output)["local-tiny"]["state"] == "not installed"


def test_what_is_named_must_be_there(fresh):
    answer = fresh("local-tiny")
    assert answer.exit_code == 1
    assert answer.output.startswith("local-tiny: lacks something; xllamacpp")


def test_a_profile_of_ones_own_must_lack_nothing(fresh, tmp_path, monkeypatch):
    (tmp_path / "profiles.toml").write_text(OWN)
    answer = fresh()
    assert answer.exit_code == 1
    assert "local-tiny: not installed" in answer.output
    assert "sol: lacks something; no key: SOL_KEY" in answer.output
    monkeypatch.setenv("SOL_KEY", "sk-SECRET\nmore")
    answer = fresh()
    assert answer.exit_code == 1 and "SECRET" not in answer.output
    assert "sol: lacks something; SOL_KEY: its key is none" in answer.output
    monkeypatch.setenv("SOL_KEY", "sk-1")
    answer = fresh()
    assert answer.exit_code == 0 and "sol: ready" in answer.output


def test_a_local_model_of_ones_own_is_no_built_in_one(fresh, tmp_path):
    own = OWN.replace('"sol"', '"local-tiny"').replace("openai-responses", "openai-chat")
    own = own.replace("subscription", "local").replace('key_variable = "SOL_KEY"', "")
    (tmp_path / "profiles.toml").write_text(own)
    answer = fresh()
    assert answer.exit_code == 1 and "local-tiny: lacks something" in answer.output
