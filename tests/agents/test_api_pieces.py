"""The small pieces: JSON as text, and settings in every dialect's words."""

import json

import pytest
from api_talks import DIALECTS, RawProvider, open_talk, profile, turns
from hypothesis import given
from hypothesis import strategies as st
from test_api_wire import EMPTY

from gaugeblock.agents.api.raw_json import cut, joined, parse, put, write
from gaugeblock.agents.api.settings import PLACES, check_settings

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
SPACES = st.sampled_from([None, 1, "\t"])


@given(VALUES, SPACES, st.booleans())
def test_what_is_cut_out_is_what_was_there(value, indent, ascii_only):
    text = json.dumps({"a": [0, value, 2], "b": value}, indent=indent, ensure_ascii=ascii_only)
    for path in (("a", 1), ("b",)):
        piece = cut(text, *path)
        assert piece in text and json.loads(piece) == value
        assert piece == piece.strip()


@given(VALUES, VALUES, SPACES)
def test_what_is_put_in_is_there_and_nothing_else_changed(before, after, indent):
    text = json.dumps({"x": {"a": before, "z": 1.0}, "b": [before]}, indent=indent)
    new = put(text, ("x", "a"), json.dumps(after))
    assert json.loads(new) == {"x": {"a": after, "z": 1.0}, "b": [before]}
    added = put(text, ("x", "new"), json.dumps(after))
    assert json.loads(added) == {"x": {"a": before, "z": 1.0, "new": after}, "b": [before]}
    assert json.loads(put("{ }", ("k",), "1")) == {"k": 1}


@given(st.lists(st.text(), max_size=4))
def test_strings_join_as_they_are_written(texts):
    assert json.loads(joined([json.dumps(text) for text in texts])) == "".join(texts)


@given(VALUES)
def test_what_is_written_is_read(value):
    assert parse(write(value)) == value


def test_keys_written_twice_and_what_is_missing():
    assert cut('{"a":1, "a" : 2.0 }', "a") == "2.0"
    for path in (("b",), ("a", 0), (0,)):
        with pytest.raises(ValueError, match="no "):
            cut('{"a":1}', *path)


@pytest.mark.parametrize("text", ["NaN", "[Infinity]", "{", "", "[" * 100_000, '{"a":}'])
def test_what_is_no_json(text):
    with pytest.raises(ValueError):
        parse(text)


def test_half_a_pair_travels_as_its_escape():
    assert write("\ud83d") == b'"\\ud83d"'


SET = {
    "effort": "high",
    "temperature": 0.5,
    "top_p": 0.9,
    "top_k": 40,
    "seed": 7,
    "thinking": "enabled",
    "thinking_tokens": 2048,
    "verbosity": "low",
}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_settings_stand_where_the_dialect_reads_them(dialect):
    chosen = {name: SET[name] for name in PLACES[dialect]}
    with RawProvider(EMPTY[dialect]) as server:
        turns(open_talk(profile(dialect, server.url, settings=chosen)), 1)
        body = json.loads(server.bodies[0])
    for name, path in PLACES[dialect].items():
        value = body
        for step in path:
            value = value[step]
        assert value == SET[name]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_what_is_not_set_is_not_sent(dialect):
    with RawProvider(EMPTY[dialect]) as server:
        turns(open_talk(profile(dialect, server.url)), 1)
        text = server.bodies[0].decode()
    for name in ("temperature", "top", "seed", "effort", "thinking", "verbosity", "stream"):
        assert f'"{name}' not in text


@pytest.mark.parametrize("dialect", DIALECTS)
def test_settings_that_a_dialect_lacks_are_told_one_by_one(dialect):
    lines = check_settings(profile(dialect, None, settings=SET))
    assert len(lines) == len(set(SET) - set(PLACES[dialect]))
    assert all("has no setting" in line for line in lines)


def test_a_budget_for_thinking_brings_its_switch():
    with RawProvider(EMPTY["anthropic-messages"]) as server:
        who = profile("anthropic-messages", server.url, settings={"thinking_tokens": 2048})
        turns(open_talk(who), 1)
        body = json.loads(server.bodies[0])
    assert body["thinking"] == {"budget_tokens": 2048, "type": "enabled"}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("temperature", "hot"),
        ("temperature", -1),
        ("temperature", True),
        ("top_p", 1.5),
        ("seed", 1.5),
        ("seed", False),
        ("effort", 3),
        ("effort", ""),
    ],
)
def test_values_of_the_wrong_kind_are_told(name, value):
    (line,) = check_settings(profile("openai-chat", None, settings={name: value}))
    assert line.startswith(f"setting {name} = ")
