"""The key stands in nothing that is kept, whoever says it; what goes back to the provider does."""

import dataclasses
import json

import pytest
from api_talks import DIALECTS, KEY, RawProvider, open_talk, profile, turns
from hypothesis import given
from hypothesis import strategies as st
from test_api_wire import EMPTY, first_failure

from gaugeblock.agents.api.secrecy import HIDDEN, SHORTEST_KEY, Cover

CHAT = "openai-chat"
FUNCTION = {"id": "c1", "function": {"name": "look", "arguments": "{}"}}


def chat(message, **more):
    finish = more.pop("finish_reason", "stop")
    choice = {"message": {"content": "x", **message}, "finish_reason": finish}
    return {"choices": [choice], **more}


def call(**function):
    return chat({"tool_calls": [{"id": "c1", "function": FUNCTION["function"] | function}]})


PLACES = {
    "model": chat({}, model=KEY),
    "finish": chat({}, finish_reason=KEY),
    "service tier": chat({}, service_tier=KEY),
    "usage": chat({}, usage={"note": {"deep": [f"it is {KEY}"]}}),
    "name in the usage": chat({}, usage={KEY: 1}),
    "nowhere": chat({}, usage={"x": 1}),
    "text": chat({"content": f"your key is {KEY}."}),
    "tool": call(name=KEY),
    "arguments": call(arguments=json.dumps({"a": [KEY], KEY: 1})),
    "arguments, escaped": call(arguments='{"a":"\\u0073' + KEY[1:] + '"}'),
    "arguments, unreadable": call(arguments=f"{KEY} {{"),
}


@pytest.mark.parametrize("place", PLACES)
def test_no_part_of_a_reply_has_the_key(place):
    with RawProvider(json.dumps(PLACES[place]).encode(), EMPTY[CHAT]) as server:
        reply = turns(open_talk(profile(CHAT, server.url)), 2)[0]
        went_back = server.bodies[1].decode()
    kept = json.dumps(dataclasses.asdict(reply), default=str, ensure_ascii=False)
    assert KEY not in kept
    assert (HIDDEN in kept) == (place != "nowhere")
    if place in ("text", "tool", "arguments"):  # what the provider wrote goes back as it wrote it
        assert KEY in went_back


@pytest.mark.parametrize("between", ["\u200b", "\x00", "\u202e", "\n", "\r\n", "\ufeff", " "])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_error_that_quotes_the_key_with_unseen_signs_in_it(dialect, between):
    body = json.dumps({"error": {"message": f"bad {between.join(KEY)}"}}).encode()
    with RawProvider(body, status=401) as server:
        line = str(first_failure(open_talk(profile(dialect, server.url))))
    assert line == f"HTTP 401: bad {HIDDEN}"


@given(st.text(), st.text(), st.text(min_size=SHORTEST_KEY).filter(str.isalnum))
def test_a_key_is_hidden_wherever_it_stands(before, after, key):
    said = f"{before}{key}{after}"
    assert key not in Cover(key).text(said).replace(HIDDEN, " ")
    assert Cover(key).value({"a": [said, 1, None, True, 0.5]})["a"][1:] == [1, None, True, 0.5]


@pytest.mark.parametrize("key", [None, "", "none", "x", "\u200b" * 9])
def test_what_is_no_key_hides_nothing(key):
    said = {"text": "none of x \u200b\u200b\u200b\u200b\u200b\u200b\u200b\u200b\u200b"}
    assert Cover(key).value(said) == said


def test_no_depth_breaks_it():
    deep = []
    for _ in range(50_000):
        deep = [deep]
    assert KEY not in str(Cover(KEY).value({"a": KEY, "b": deep}))
