"""`case draw`, and what a plan says of its draws: what a user reads and may not read."""

import json
from types import SimpleNamespace

import pytest
from command_line import call

from gaugeblock.cli.fresh_cases import draw_lines
from gaugeblock.records.draws import Draw
from gaugeblock.suites import load_suite

SEED = "0123456789abcdef" * 4


def test_a_seed_shows_what_it_draws():
    done = call("case", "draw", "growth", "--seed", SEED.upper(), "--family", "T2", "--json")
    assert done.returncode == 0, done.stderr
    (shown,) = json.loads(done.stdout)
    drawn = load_suite("growth").draw(bytes.fromhex(SEED), "T2", 1, "open")
    assert shown["case"] == drawn.case.model_dump(mode="json")
    assert shown["rejected"] == drawn.rejected


def test_a_seed_is_told_for_people():
    done = call("case", "draw", "growth", "--seed", SEED, "--count", "2")
    assert done.returncode == 0, done.stderr
    ids = [line.split(":")[0] for line in done.stdout.splitlines() if not line.startswith(" ")]
    assert ids == ["T1.d1", "T1.d2", "T2.d1", "T2.d2", "T4.d1", "T4.d2"]
    case = load_suite("growth").draw(bytes.fromhex(SEED), "T1", 2, "open").case
    assert f"wall {case.rounds[0].parameters['wall']:g}" in done.stdout


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("case", "draw", "growth", "--seed", "12"), "64 hex digits"),
        (("case", "draw", "growth", "--seed", SEED, "--family", "T3"), "draws no `T3`"),
        (("case", "draw", "growth", "--seed", SEED, "--count", "101"), "at most 100"),
        (("plan", "growth/S1", "--profile", "reference", "--beacon", "x"), "--draws K"),
    ],
)
def test_a_slip_is_one_line(words, told):
    done = call(*words)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert told in done.stderr


def test_a_plan_says_how_many_and_whether_they_are_sealed():
    said = {"suite": "growth", "families": ("T1", "T2"), "count": 3, "rules_sha256": "0" * 64}
    sealed = Draw(**said, nonce_sha256="a" * 64, beacon="block 7")
    (line,) = draw_lines(SimpleNamespace(draw=sealed))
    assert "3 fresh cases each of T1, T2, sealed" in line and "'block 7'" in line
    (line,) = draw_lines(SimpleNamespace(draw=Draw(**said, seed=SEED)))
    assert "known seed: they are open" in line
    assert draw_lines(SimpleNamespace(draw=None)) == []
