"""The mock's faults on the wire, and its check that what it sent came back."""

import http.client
import json
import socket
import threading
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest

from gaugeblock.agents.mock import FAULTS, Fault, MockProvider, Say
from gaugeblock.agents.mock.dialects import DIALECTS

PATIENCE_S = 10.0
SHORT_S = 0.2
"""How long a test waits for an answer that must not come, s."""

TOOL = "cut"
CALL = ((TOOL, {"length_mm": 1.5}),)


def ask(dialect: str, stream: bool = False) -> tuple[str, dict[str, Any]]:
    """Return address and body of a first request."""
    text, schema = "Make it.", {"type": "object"}
    if dialect.endswith("-responses"):
        tools = [{"type": "function", "name": TOOL, "parameters": schema}]
        body: dict[str, Any] = {"input": [{"role": "user", "content": text}], "tools": tools}
        path = "/responses"
    elif dialect == "anthropic-messages":
        body = {"messages": [{"role": "user", "content": text}], "tools": [{"name": TOOL}]}
        path = "/v1/messages"
    elif dialect == "openai-chat":
        tools = [{"type": "function", "function": {"name": TOOL}}]
        body = {"messages": [{"role": "user", "content": text}], "tools": tools}
        path = "/chat/completions"
    else:
        tools = [{"functionDeclarations": [{"name": TOOL}]}]
        body = {"contents": [{"role": "user", "parts": [{"text": text}]}], "tools": tools}
        verb = "streamGenerateContent?alt=sse" if stream else "generateContent"
        return f"/v1beta/models/mock-large:{verb}", body
    return path, {**body, "model": "mock-large", "stream": stream}


def post(mock: MockProvider, dialect: str, path: str, body: Any) -> tuple[Any, bytes]:
    url = urlsplit(mock.url(dialect))
    connection = http.client.HTTPConnection("127.0.0.1", url.port or 0, timeout=PATIENCE_S)
    try:
        text = body if isinstance(body, str) else json.dumps(body)
        connection.request("POST", url.path + path, text.encode())
        response = connection.getresponse()
        return response, response.read()
    finally:
        connection.close()


def events(stream: bytes) -> list[str]:
    lines = stream.decode().split("\n")
    return [line.removeprefix("data: ") for line in lines if line.startswith("data: ")]


each_dialect = pytest.mark.parametrize("dialect", DIALECTS)
each_way = pytest.mark.parametrize("stream", [False, True])


@each_dialect
@each_way
@pytest.mark.parametrize("status", [401, 429, 500])
def test_an_http_error_invites_to_try_again_and_is_counted(dialect, stream, status):
    with MockProvider([Fault(f"http-{status}")]) as mock:
        response, body = post(mock, dialect, *ask(dialect, stream))
    assert response.status == status
    assert json.loads(body)
    assert (response.headers.get("x-should-retry") == "true") == (status != 401)
    assert mock.calls == 1


@each_dialect
@each_way
def test_a_drop_comes_before_a_byte_or_in_the_middle(dialect, stream):
    with MockProvider([Fault("drop"), Fault("drop-mid-body")]) as mock:
        with pytest.raises(http.client.RemoteDisconnected):
            post(mock, dialect, *ask(dialect, stream))
        with pytest.raises(http.client.IncompleteRead) as cut:
            post(mock, dialect, *ask(dialect, stream))
    assert cut.value.partial
    assert mock.calls == 2


@each_dialect
@each_way
@pytest.mark.parametrize("kind", ["hang", "hang-mid-body"])
def test_a_hang_does_not_keep_the_server_from_closing(dialect, stream, kind):
    ended: list[Exception] = []

    def client() -> None:
        try:
            post(mock, dialect, *ask(dialect, stream))
        except (OSError, http.client.HTTPException) as error:
            ended.append(error)

    with MockProvider([Fault(kind)]) as mock:
        waiting = threading.Thread(target=client)
        waiting.start()
        waiting.join(SHORT_S)
        assert waiting.is_alive()
    waiting.join(PATIENCE_S)
    assert not waiting.is_alive()
    assert len(ended) == 1
    assert not isinstance(ended[0], TimeoutError)


def test_a_hanging_answer_ends_with_its_client():
    with MockProvider([Fault("hang"), Say("Next.")]) as mock:
        before = set(threading.enumerate())
        url = urlsplit(mock.url("openai-chat"))
        path, body = ask("openai-chat")
        connection = http.client.HTTPConnection("127.0.0.1", url.port or 0, timeout=SHORT_S)
        connection.request("POST", url.path + path, json.dumps(body))
        with pytest.raises(socket.timeout):
            connection.getresponse()
        (waiting,) = set(threading.enumerate()) - before
        connection.close()
        waiting.join(PATIENCE_S)
        assert not waiting.is_alive()
        response, _ = post(mock, "openai-chat", path, body)
        assert response.status == 200


@each_dialect
@each_way
def test_malformed_json_is_none_and_comes_whole(dialect, stream):
    with MockProvider([Fault("malformed-json")]) as mock:
        response, body = post(mock, dialect, *ask(dialect, stream))
    assert response.status == 200
    with pytest.raises(json.JSONDecodeError):
        json.loads(events(body)[-1] if stream else body)


@each_dialect
def test_a_stream_cut_short_lacks_its_end(dialect):
    with MockProvider([Say("All."), Fault("cut-short", Say("All."))]) as mock:
        _, whole = post(mock, dialect, *ask(dialect, stream=True))
        _, half = post(mock, dialect, *ask(dialect, stream=True))
    assert 0 < len(events(half)) < len(events(whole))
    assert events(whole)[-1] not in events(half)


def usages(body: bytes, stream: bool) -> list[Any]:
    """Return every usage that an answer holds, at any depth."""
    found: list[Any] = []

    def search(value: Any) -> None:
        if isinstance(value, dict):
            found.extend(v for k, v in value.items() if k in ("usage", "usageMetadata") and v)
        for child in value.values() if isinstance(value, dict) else value:
            if isinstance(child, dict | list):
                search(child)

    for text in events(body) if stream else [body.decode()]:
        if text != "[DONE]":
            search(json.loads(text))
    return found


@each_dialect
@each_way
def test_a_usage_is_missing_contradicts_itself_or_comes_often(dialect, stream):
    faults = ("missing-usage", "inconsistent-totals", "usage-repeated")
    path, body = ask(dialect, stream)
    body["stream_options"] = {"include_usage": True}
    with MockProvider([Say("Fine."), *map(Fault, faults)]) as mock:
        answers = [post(mock, dialect, path, body)[1] for _ in range(4)]
    fine, missing, wrong, often = (usages(answer, stream) for answer in answers)
    assert fine
    assert missing == []
    assert wrong[-1] != fine[-1]
    assert wrong[-1].keys() == fine[-1].keys()
    assert often[-1] == fine[-1]
    if stream:
        assert len(often) > 1


@each_dialect
@each_way
def test_an_empty_answer_has_a_usage(dialect, stream):
    path, body = ask(dialect, stream)
    body["stream_options"] = {"include_usage": True}
    with MockProvider([Fault("empty")]) as mock:
        _, answer = post(mock, dialect, path, body)
    assert usages(answer, stream)
    assert b"spoilt" not in answer


@each_dialect
@each_way
def test_an_error_can_hide_behind_status_200(dialect, stream):
    with MockProvider([Fault("error-in-body")]) as mock:
        response, body = post(mock, dialect, *ask(dialect, stream))
    assert response.status == 200
    last = json.loads(events(body)[-1] if stream else body)
    assert "error" in last.get("response", last)


@each_dialect
@each_way
@pytest.mark.parametrize("kind", [kind for kind in FAULTS if kind.startswith("arguments")])
def test_wrong_arguments_are_for_the_first_tool_announced(dialect, stream, kind):
    with MockProvider([Fault(kind)]) as mock:
        response, body = post(mock, dialect, *ask(dialect, stream))
    assert response.status == 200
    assert f'"{TOOL}"'.encode() in body


@each_dialect
def test_what_it_does_not_serve(dialect):
    path, body = ask(dialect)
    with MockProvider() as mock:
        assert post(mock, dialect, path, body)[0].status == 500  # the script is over
        assert post(mock, dialect, path, "no json")[0].status in (400, 404)
        stranger = json.dumps(body).replace("mock-large", "large")
        address = path.replace("mock-large", "large")
        assert post(mock, dialect, address, stranger)[0].status == 404
        assert post(mock, dialect, "/v1/files", body)[0].status == 404
    assert mock.calls == 4


# A conversation of two requests, spoilt in each way that a careless client knows.

Change = Callable[[dict[str, Any]], None]


def second(dialect: str, answer: dict[str, Any]) -> dict[str, Any]:
    """Return the body that goes on after an answer with one call."""
    body = ask(dialect)[1]
    if dialect.endswith("-responses"):
        call = answer["output"][-1]["call_id"]
        body["input"] += answer["output"]
        body["input"].append({"type": "function_call_output", "call_id": call, "output": "ok"})
    elif dialect == "anthropic-messages":
        result = {"type": "tool_result", "tool_use_id": answer["content"][-1]["id"]}
        body["messages"].append({"role": "assistant", "content": answer["content"]})
        body["messages"].append({"role": "user", "content": [result]})
    elif dialect == "openai-chat":
        message = answer["choices"][0]["message"]
        result = {"role": "tool", "tool_call_id": message["tool_calls"][0]["id"], "content": "ok"}
        body["messages"] += [message, result]
    else:
        content = answer["candidates"][0]["content"]
        call = content["parts"][-1]["functionCall"]["id"]
        response = {"functionResponse": {"id": call, "name": TOOL, "response": {}}}
        body["contents"] += [content, {"role": "user", "parts": [response]}]
    return body


def converse(dialect: str, spoil: Callable[[str], str]) -> tuple[list[str], list[str]]:
    """Return what is found, loosely and exactly, when the second request is spoilt."""
    with MockProvider([Say("One.", CALL), Say("Two.")]) as mock:
        path, body = ask(dialect)
        _, first = post(mock, dialect, path, body)
        text = json.dumps(
            second(dialect, json.loads(first)), ensure_ascii=DIALECTS[dialect].escapes
        )
        post(mock, dialect, path, spoil(text))
        assert mock.calls == 2
        return mock.check_continuation(), mock.check_continuation(exact=True)


@each_dialect
def test_what_comes_back_untouched_is_right(dialect):
    assert converse(dialect, lambda text: text) == ([], [])


@each_dialect
def test_white_space_and_escapes_count_only_when_asked_exactly(dialect):
    loosely, exactly = converse(
        dialect, lambda text: json.dumps(json.loads(text), separators=(" ,", " :"))
    )
    assert loosely == []
    assert exactly != []


@each_dialect
def test_sorted_members_are_found(dialect):
    loosely, _ = converse(dialect, lambda text: json.dumps(json.loads(text), sort_keys=True))
    # What a chat sends is one member alone, which has no order.
    assert bool(loosely) == (dialect != "openai-chat")


@each_dialect
def test_one_changed_character_is_found(dialect):
    odd = {"openai-chat": "漢"}.get(dialect, "+/8g")
    loosely, exactly = converse(dialect, lambda text: text.replace(odd, "-_8g"))
    assert loosely
    assert exactly


@each_dialect
def test_a_lost_or_doubled_block_is_found(dialect):
    def forget(text: str) -> str:
        body = json.loads(text)
        turns = body.get("input") or body.get("messages") or body["contents"]
        del turns[1]
        return json.dumps(body)

    def twice(text: str) -> str:
        body = json.loads(text)
        turns = body.get("input") or body.get("messages") or body["contents"]
        turns.insert(1, turns[1])
        return json.dumps(body)

    assert converse(dialect, forget)[0]
    assert any("2 times" in fault for fault in converse(dialect, twice)[0])


@each_dialect
def test_a_call_without_a_result_is_found(dialect):
    def silent(text: str) -> str:
        body = json.loads(text)
        turns = body.get("input") or body.get("messages") or body["contents"]
        del turns[-1]
        return json.dumps(body)

    assert any("asked for" in fault for fault in converse(dialect, silent)[0])


@each_dialect
def test_a_client_that_forgets_all_is_found(dialect):
    loosely, _ = converse(dialect, lambda _: json.dumps(ask(dialect)[1]))
    assert loosely == ["2 conversations, 1 expected"]


def test_blocks_out_of_order_are_found():
    def swap(text: str) -> str:
        body = json.loads(text)
        blocks = body["messages"][1]["content"]
        blocks[0], blocks[1] = blocks[1], blocks[0]
        return json.dumps(body)

    loosely, _ = converse("anthropic-messages", swap)
    assert ["out of order" in fault for fault in loosely] == [True]


def test_another_spelling_of_a_number_is_found():
    def longer(text: str) -> str:
        assert '"length_mm": 1.5}' in text
        return text.replace('"length_mm": 1.5}', '"length_mm": 1.50}')

    assert converse("gemini-generate-content", longer)[0]
