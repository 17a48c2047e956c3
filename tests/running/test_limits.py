"""A profile may tighten a case's limits: never loosen them, and never to nonsense."""

import pytest

from gaugeblock.records.errors import WrongUse
from gaugeblock.records.profile import Profile
from gaugeblock.running.cast import limits_of
from gaugeblock.suites import load_suite

CASE = load_suite("growth").case("S1")


def profile(**limits):
    entry = {"id": "p", "label": "p", "agent": "api", "dialect": "openai-chat", "model": "m"}
    return Profile.build({**entry, "billing": "local", "limits": limits}, "profiles.toml")


def test_the_tighter_of_both_holds():
    own = limits_of(profile(turns=3, tool_calls=10_000, wall_s=12.5), CASE)
    assert (own.turns, own.tool_calls, own.wall_s) == (3, CASE.limits.tool_calls, 12.5)
    assert own.output_tokens == CASE.limits.output_tokens


@pytest.mark.parametrize(
    "limits",
    [
        {"turns": 0},
        {"turns": -3},
        {"output_tokens": -100_000},
        {"turns": 2.7},
        {"turns": True},
        {"turns": "5"},
        {"wall_s": float("inf")},
        {"wall_s": float("nan")},
        {"repairs": 1},
    ],
)
def test_what_is_no_limit_is_refused(limits):
    with pytest.raises(WrongUse, match="limits"):
        profile(**limits)
