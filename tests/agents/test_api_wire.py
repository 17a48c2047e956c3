"""What goes over the wire: one call, whole schemas, images, the right key, and nothing else."""

import base64
import json
import unicodedata

import anyio
import pytest
from api_talks import CUT, DIALECTS, KEY, SCHEMA, TOOLS, RawProvider, open_talk, profile, turns

from gaugeblock.agents.api.provider import WireFailed
from gaugeblock.agents.api.wire import HEADERS, QUOTED_CHARS
from gaugeblock.agents.mock import FAULTS, Fault, MockProvider, Say
from gaugeblock.agents.protocol import Image
from gaugeblock.worlds.protocol import ToolResult

KEY_HEADERS = {
    "openai-responses": ("authorization", f"Bearer {KEY}"),
    "xai-responses": ("authorization", f"Bearer {KEY}"),
    "anthropic-messages": ("x-api-key", KEY),
    "gemini-generate-content": ("x-goog-api-key", KEY),
    "openai-chat": ("authorization", f"Bearer {KEY}"),
}

EMPTY = {
    "openai-responses": b'{"output":[]}',
    "xai-responses": b'{"output":[]}',
    "anthropic-messages": b'{"content":[],"stop_reason":"end_turn"}',
    "gemini-generate-content": b'{"candidates":[{"finishReason":"STOP"}]}',
    "openai-chat": b'{"choices":[{"message":{"content":""}}]}',
}

SCHEMA_AT = {
    "openai-responses": ("tools", 0, "parameters"),
    "xai-responses": ("tools", 0, "parameters"),
    "anthropic-messages": ("tools", 0, "input_schema"),
    "gemini-generate-content": ("tools", 0, "functionDeclarations", 0, "parametersJsonSchema"),
    "openai-chat": ("tools", 0, "function", "parameters"),
}

REPLIES = ("empty", "missing-usage", "inconsistent-totals", "usage-repeated")
"""Faults of an answer that is usable all the same; the account judges its usage."""

NOTHING_TO_READ = [("empty", "openai-chat"), ("empty", "gemini-generate-content")]
"""Without a choice or candidate there is not even an end to read."""

ELSEWHERE = "http://127.0.0.1:9"


def at(value, path):
    for step in path:
        value = value[step]
    return value


def first_failure(talk):
    async def asked():
        try:
            with anyio.fail_after(10):
                await talk.send()
        finally:
            await talk.close()

    with pytest.raises(WireFailed) as failure:
        anyio.run(asked)
    return failure.value


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("kind", [k for k in FAULTS if "hang" not in k and "arguments" not in k])
def test_a_fault_is_one_call_and_one_line(kind, dialect, stream):
    with MockProvider([Fault(kind)] * 3) as mock:
        talk = open_talk(profile(dialect, mock.url(dialect), stream=stream))
        if kind in REPLIES and (kind, dialect) not in NOTHING_TO_READ:
            (reply,) = turns(talk, 1)
            assert reply.calls == () and not reply.cut_off
            assert (reply.answer.raw_usage is None) == (kind == "missing-usage")
        else:
            failure = first_failure(talk)
            line = str(failure)
            assert line and len(line) <= QUOTED_CHARS and "\n" not in line
            if kind.startswith("http"):
                assert failure.status == int(kind[-3:]) and line.startswith(f"HTTP {kind[-3:]}: ")
            else:
                assert failure.status == (None if kind == "drop" else 200)
        assert mock.calls == 1


@pytest.mark.parametrize("kind", ["hang", "hang-mid-body"])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_hanging_answer_can_be_left(dialect, kind):
    async def left(talk):
        try:
            with anyio.move_on_after(0.3) as scope:
                await talk.send()
        finally:
            await talk.close()
        return scope.cancelled_caught

    with MockProvider([Fault(kind)]) as mock:
        who = profile(dialect, mock.url(dialect), stream=kind == "hang-mid-body")
        assert anyio.run(left, open_talk(who))
        assert mock.calls == 1


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_redirect_is_not_followed(dialect):
    with RawProvider(b"{}", b"{}", status=307, headers={"Location": "/elsewhere"}) as server:
        failure = first_failure(open_talk(profile(dialect, server.url)))
        assert failure.status == 307
        assert len(server.paths) == 1


@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_error_is_quoted_short_and_without_the_key(dialect):
    said = f"Key {KEY}\x1b[31m\x00\u202e is\r\nbad " + "x" * 900
    body = json.dumps({"error": {"message": said}}).encode()
    with RawProvider(body, status=401) as server:
        line = str(first_failure(open_talk(profile(dialect, server.url))))
    assert line.startswith("HTTP 401: Key [key][31m is bad xxx") and line.endswith("…")
    assert len(line) == QUOTED_CHARS
    assert not any(unicodedata.category(sign).startswith("C") for sign in line)


@pytest.mark.parametrize("body", [b"<h1>Bad gateway</h1>", b"", b'["x"]', b"[" * 10_000, b"\xff"])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_error_body_can_be_anything(dialect, body):
    with RawProvider(body, status=502) as server:
        failure = first_failure(open_talk(profile(dialect, server.url)))
    assert failure.status == 502 and str(failure).startswith("HTTP 502: ")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"[]",
        b"{}",
        b'"text"',
        b"\xff\xfe",
        b'{"output":NaN}',
        b"[" * 100_000,
        b'{"output":[1],"content":{},"candidates":[null],"choices":[{"message":5}]}',
        b'{"output":[{"type":5}],"content":[{"type":null}],"stop_reason":[],'
        b'"candidates":[{"content":{"parts":[{"functionCall":7}]}}],"choices":[{"message":{"tool_calls":{}}}]}',
        b'{"output":[],"content":[],"stop_reason":"x","candidates":[{}],"choices":[{"message":{}}],'
        b'"usage":7,"usageMetadata":[]}',
    ],
)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_rubbish_is_a_failure_and_no_traceback(dialect, body):
    with RawProvider(body) as server:
        failure = first_failure(open_talk(profile(dialect, server.url)))
    assert failure.status == 200 and len(str(failure)) <= QUOTED_CHARS


@pytest.mark.parametrize(
    "event", ["null", "[]", "7", '{"type":7}', '{"choices":[7],"candidates":7}']
)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_rubbish_in_a_stream_is_a_failure(dialect, event):
    with RawProvider(f"data: {event}\n\n".encode()) as server:
        failure = first_failure(open_talk(profile(dialect, server.url, stream=True)))
    assert failure.status == 200


@pytest.mark.parametrize("dialect", DIALECTS)
def test_nothing_comes_out_of_the_environment(dialect, monkeypatch):
    for name in (
        *("OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "GOOGLE_GEMINI_BASE_URL"),
        *("GOOGLE_VERTEX_BASE_URL", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy"),
    ):
        monkeypatch.setenv(name, ELSEWHERE)
    for name in (
        *("OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"),
        *("GOOGLE_API_KEY", "GEMINI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"),
        *("GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION", "ANTHROPIC_PROFILE"),
    ):
        monkeypatch.setenv(name, "from-the-environment")
    others = "Authorization: other\nX-Api-Key: other\nx-goog-api-key: other\nX-Mine: 1"
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", others)
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", others + "\nanthropic-version: other")
    monkeypatch.setenv("GOOGLE_GENAI_USE_VERTEXAI", "true")
    monkeypatch.setenv("GOOGLE_GENAI_API_VERSION", "v1alpha")
    monkeypatch.setenv("OTEL_TRACES_EXPORTER", "console")
    name, value = KEY_HEADERS[dialect]
    for key in (KEY, None):
        with RawProvider(EMPTY[dialect]) as server:
            turns(open_talk(profile(dialect, server.url), key=key), 1)
            sent, path = server.headers[0], server.paths[0]
        allowed = {*HEADERS, name} if key else {*HEADERS}
        if dialect == "anthropic-messages":
            allowed.add("anthropic-version")
            assert sent["anthropic-version"] == "2023-06-01"
        assert set(sent) <= allowed
        assert sent.get(name) == (value if key else None)
        assert not dialect.startswith("gemini") or path == "/v1/models/mock-model:generateContent"


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_whole_schema_is_on_the_wire(dialect, stream):
    with MockProvider([Say("ok")]) as mock:
        who = profile(dialect, mock.url(dialect), stream=stream, model="mock-m")
        turns(open_talk(who, output_tokens=777), 1)
        (request,) = mock.received
    as_written = json.dumps(SCHEMA, ensure_ascii=False, separators=(",", ":")).encode()
    assert as_written in request.body
    assert at(request.parsed, SCHEMA_AT[dialect]) == SCHEMA
    assert CUT.description in request.body.decode()
    assert b"777" in request.body
    # Nothing marks the request, and nothing is kept at the provider's.
    forbidden = {"metadata", "user", "safety_identifier", "prompt_cache_key", "cache_control"}
    assert not forbidden & set(request.parsed) and b"cache_control" not in request.body
    assert request.parsed.get("store", False) is False


@pytest.mark.parametrize("dialect", DIALECTS)
def test_images_and_sizes(dialect):
    pictures = (
        Image("image/png", b"\x89PNG" + bytes(range(256))),
        Image("image/jpeg", b"\xff\xd8x"),
    )
    with MockProvider([Say("ok", calls=(("look", {}),)), Say("done")]) as mock:
        who = profile(
            dialect, mock.url(dialect), input_modalities=("text", "image"), image_tokens=9
        )
        talk = open_talk(who, message="Bohrung Ø5 – 孔", images=pictures)
        sizes = []

        async def talked():
            for _ in range(2):
                sizes.append(talk.size())
                reply = await talk.send()
                if reply.calls:
                    talk.results([(call, ToolResult(False, "é" * 50)) for call in reply.calls])
            await talk.close()

        anyio.run(talked)
        bodies = [request.body for request in mock.received]
    for size, body in zip(sizes, bodies, strict=True):
        assert size.request_bytes + size.image_bytes == len(body)
        assert size.images == 2
        for picture in pictures:
            text = base64.b64encode(picture.data)
            assert body.count(text) == 1 and picture.media_type.encode() in body
        assert size.image_bytes == sum(len(base64.b64encode(p.data)) for p in pictures)
        assert "Bohrung Ø5 – 孔".encode() in body


@pytest.mark.parametrize("dialect", DIALECTS)
def test_results_go_back_under_their_calls(dialect):
    script = [Say("", calls=(("look", {}), ("cut", {"part": {"name": "a"}}))), Say("done")]
    with MockProvider(script) as mock:
        talk = open_talk(profile(dialect, mock.url(dialect)))
        turns(talk, 2, text='it said "no"\n\ud800', failed=True)
        second = mock.received[1].parsed
        assert mock.check_continuation(exact=True) == []
    text = 'it said "no"\n\ud800'
    match dialect:
        case "anthropic-messages":
            blocks = second["messages"][-1]["content"]
            assert [(b["content"], b["is_error"]) for b in blocks] == [(text, True)] * 2
        case "gemini-generate-content":
            parts = [part["functionResponse"] for part in second["contents"][-1]["parts"]]
            assert [part["name"] for part in parts] == ["look", "cut"]
            assert [part["response"] for part in parts] == [{"error": text}] * 2
        case "openai-chat":
            assert [m["content"] for m in second["messages"][-2:]] == [text] * 2
        case _:
            assert [item["output"] for item in second["input"][-2:]] == [text] * 2


NO = "I will not."
REFUSALS = {
    "openai-responses": (
        {"output": [{"type": "message", "content": [{"type": "refusal", "refusal": NO}]}]},
        "completed",
    ),
    "anthropic-messages": (
        {
            "content": [
                {"type": "text", "text": NO},
                {"type": "tool_use", "id": "a", "name": "look", "input": {}},
            ],
            "stop_reason": "refusal",
        },
        "refusal",
    ),
    "gemini-generate-content": (
        {"candidates": [{"finishReason": "SAFETY", "finishMessage": NO}]},
        "SAFETY",
    ),
    "openai-chat": (
        {"choices": [{"message": {"refusal": NO}, "finish_reason": "content_filter"}]},
        "content_filter",
    ),
}


@pytest.mark.parametrize("dialect", REFUSALS)
def test_a_refusal_is_a_reply_without_calls(dialect):
    body, finish = REFUSALS[dialect]
    with RawProvider(json.dumps(body).encode()) as server:
        (reply,) = turns(open_talk(profile(dialect, server.url)), 1)
    assert (reply.text, reply.calls, reply.answer.finish) == (NO, (), finish)
    assert not reply.cut_off


def test_a_blocked_prompt_is_a_reply():
    body = b'{"promptFeedback":{"blockReason":"OTHER"},"usageMetadata":{"promptTokenCount":3}}'
    with RawProvider(body) as server:
        (reply,) = turns(open_talk(profile("gemini-generate-content", server.url)), 1)
    assert (reply.text, reply.calls, reply.answer.finish) == ("", (), "OTHER")
    assert reply.answer.raw_usage == {"promptTokenCount": 3}


CUT_SHORT = {
    "openai-responses": {
        "status": "incomplete",
        "incomplete_details": {"reason": "max_output_tokens"},
        "output": [
            {
                "type": "function_call",
                "call_id": "a",
                "name": "look",
                "arguments": "{}",
                "status": "incomplete",
            }
        ],
    },
    "openai-chat": {
        "choices": [
            {
                "message": {
                    "tool_calls": [{"id": "a", "function": {"name": "look", "arguments": "{}"}}]
                },
                "finish_reason": "length",
            }
        ]
    },
    "anthropic-messages": {
        "content": [{"type": "tool_use", "id": "a", "name": "look", "input": {}}],
        "stop_reason": "max_tokens",
    },
    "gemini-generate-content": {
        "candidates": [
            {
                "finishReason": "MAX_TOKENS",
                "content": {"parts": [{"functionCall": {"name": "look", "args": {}}}]},
            }
        ]
    },
}


@pytest.mark.parametrize("dialect", CUT_SHORT)
def test_a_call_that_was_cut_off_is_not_made(dialect):
    """Its arguments may look whole: these providers close what they cut."""
    with RawProvider(json.dumps(CUT_SHORT[dialect]).encode()) as server:
        (reply,) = turns(open_talk(profile(dialect, server.url)), 1)
    assert reply.cut_off and reply.calls[0].arguments is None
    assert "cut off" in reply.calls[0].fault


def test_only_the_last_call_of_a_chat_is_cut_off():
    function = {"name": "look", "arguments": "{}"}
    calls = [{"id": name, "function": function} for name in "ab"]
    for finish, faults in (("length", [False, True]), ("tool_calls", [False, False])):
        whole = {"choices": [{"message": {"tool_calls": calls}, "finish_reason": finish}]}
        with RawProvider(json.dumps(whole).encode()) as server:
            (reply,) = turns(open_talk(profile("openai-chat", server.url)), 1)
        assert ["cut off" in call.fault for call in reply.calls] == faults


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_answer_tells_of_itself(dialect, stream):
    with MockProvider([Say("ok", finish="cut-off")]) as mock:
        (reply,) = turns(open_talk(profile(dialect, mock.url(dialect), stream=stream)), 1)
    assert reply.cut_off and reply.calls == () and reply.text == "ok"
    assert reply.answer.model == "mock-model" and reply.answer.http_status == 200
    assert (reply.answer.first_token_s is not None) == stream
    assert reply.answer.raw_usage
    assert (reply.answer.reported_cost_usd is not None) == (dialect == "xai-responses")


def test_tools_are_announced_in_order():
    with MockProvider([Say("ok")]) as mock:
        turns(open_talk(profile("openai-chat", mock.url("openai-chat"))), 1)
        announced = [tool["function"]["name"] for tool in mock.received[0].parsed["tools"]]
    assert announced == [tool.name for tool in TOOLS]
