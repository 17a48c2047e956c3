"""The fault matrix as a command: a table or JSON, and an exit code that tells."""

import json
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from gaugeblock.cli import app
from gaugeblock.records.errors import WrongUse
from gaugeblock.running import fault_matrix as matrix

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


def test_nothing_to_check_is_wrong_use(asked):
    assert isinstance(asked().exception, WrongUse)
