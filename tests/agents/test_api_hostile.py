"""Answers that would hold up, fill or mislead us: read in one pass, to a ceiling, off the loop."""

import gzip
import json
import threading

import anyio
import pytest
from api_talks import DIALECTS, RawProvider, open_talk, profile, turns
from test_api_wire import EMPTY, first_failure

from gaugeblock.agents.api import conversation, raw_json, wire
from gaugeblock.agents.api.conversation import WiredConversation
from gaugeblock.agents.api.provider import WireFailed
from gaugeblock.agents.api.wire import MOST_ERROR_BYTES, one_line

CHAT, CLAUDE, GEMINI = "openai-chat", "anthropic-messages", "gemini-generate-content"


def many(dialect, count, written):
    """Return an answer with so many calls; `written` are the arguments of each."""
    if dialect == CLAUDE:
        content = ",".join(
            f'{{"type":"tool_use","id":"c{n}","name":"look","input":{written}}}'
            for n in range(count)
        )
        return f'{{"content":[{content}],"stop_reason":"tool_use"}}'
    if dialect == GEMINI:
        parts = ",".join(
            f'{{"functionCall":{{"name":"look","args":{written}}}}}' for _ in range(count)
        )
        return f'{{"candidates":[{{"content":{{"parts":[{parts}]}},"finishReason":"STOP"}}]}}'
    calls = ",".join(
        f'{{"id":"c{n}","function":{{"name":"look","arguments":{written}}}}}' for n in range(count)
    )
    return f'{{"choices":[{{"message":{{"tool_calls":[{calls}]}}}}]}}'


def streamed(count, names):
    """Return a chat stream of so many calls in one event, and as many other members."""
    calls = [
        {"index": n, "id": f"c{n}", "function": {"name": "look", "arguments": "{}"}}
        for n in range(count)
    ]
    delta = {"tool_calls": calls, **{f"member{n}": "x" for n in range(names)}}
    end = {"choices": [{"delta": delta, "finish_reason": "tool_calls"}]}
    return f"data: {json.dumps(end)}\n\ndata: [DONE]\n\n"


class Decoder:
    """Counts the characters that are decoded to cut answers up."""

    def __init__(self):
        self.characters = 0
        self._real = json.JSONDecoder()

    def raw_decode(self, text, start=0):
        value, end = self._real.raw_decode(text, start)
        self.characters += end - start
        return value, end


def work(monkeypatch, dialect, answer, stream=False):
    """Return the characters decoded for an answer, and its calls."""
    decoder = Decoder()
    monkeypatch.setattr(raw_json, "_DECODER", decoder)
    with RawProvider(answer.encode()) as server:
        (reply,) = turns(open_talk(profile(dialect, server.url, stream=stream)), 1)
    return decoder.characters, reply.calls


@pytest.mark.parametrize("written", ["{}", "5"])
@pytest.mark.parametrize("dialect", [CHAT, CLAUDE, GEMINI])
def test_four_times_the_calls_are_four_times_the_work(monkeypatch, dialect, written):
    few, _ = work(monkeypatch, dialect, many(dialect, 40, written))
    more, calls = work(monkeypatch, dialect, many(dialect, 160, written))
    assert len(calls) == 160 and all((c.arguments == {}) == (written == "{}") for c in calls)
    assert 0 < more < 5 * few


@pytest.mark.parametrize(("calls", "names"), [(1, 0), (0, 1)])
def test_a_stream_is_work_in_proportion(monkeypatch, calls, names):
    few, _ = work(monkeypatch, CHAT, streamed(40 * calls, 40 * names), stream=True)
    more, made = work(monkeypatch, CHAT, streamed(160 * calls, 160 * names), stream=True)
    assert len(made) == 160 * calls
    assert 0 < more < 5 * few


def test_calls_go_back_changed_only_where_they_must():
    calls = '[ {"id":"a","function":{"name":"look","arguments":"{ }"}} , {"id":"b",'
    answer = (
        f'{{"choices":[{{"message":{{"tool_calls":{calls}"function":{{"arguments":"{{"}}}}]}}}}]}}'
    )
    with RawProvider(answer.encode(), EMPTY[CHAT]) as server:
        turns(open_talk(profile(CHAT, server.url)), 2)
        assert f'{calls}"function":{{"arguments":"{{}}"}}}}]'.encode() in server.bodies[1]


def test_an_answer_that_takes_long_to_read_keeps_to_the_time_limit(monkeypatch):
    ended = threading.Event()
    hear = WiredConversation._hear

    def slowly(self, received):
        ended.wait(20)
        return hear(self, received)

    monkeypatch.setattr(WiredConversation, "_hear", slowly)

    async def asked(talk):
        try:
            with anyio.move_on_after(0.2) as scope:
                await talk.send()
            return scope.cancelled_caught
        finally:
            ended.set()
            await talk.close()

    with RawProvider(EMPTY[CHAT]) as server:
        assert anyio.run(asked, open_talk(profile(CHAT, server.url)))


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_answer_has_a_ceiling(monkeypatch, dialect, stream):
    monkeypatch.setattr(wire, "MOST_ANSWER_BYTES", 5_000)
    body = b"data: {}\n\n" * 501 if stream else EMPTY[dialect] + b" " * 5_000
    with RawProvider(body) as server:
        failure = first_failure(open_talk(profile(dialect, server.url, stream=stream)))
    assert failure.status == 200 and "more than 5,000 bytes" in str(failure)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_answer_of_exactly_the_ceiling_is_read(monkeypatch, dialect):
    monkeypatch.setattr(wire, "MOST_ANSWER_BYTES", 5_000)
    with RawProvider(EMPTY[dialect].ljust(5_000)) as server:
        assert len(turns(open_talk(profile(dialect, server.url)), 1)) == 1


@pytest.mark.parametrize("stream", [False, True])
def test_one_text_of_an_answer_has_a_ceiling(monkeypatch, stream):
    monkeypatch.setattr(conversation, "MOST_TEXT_CHARS", 500)
    body = b"data: " + b'{"type":"ping"}'.ljust(501) + b"\n\n" if stream else EMPTY[CHAT].ljust(501)
    with RawProvider(body) as server:
        failure = first_failure(open_talk(profile(CHAT, server.url, stream=stream)))
    assert str(failure) == "the answer has a JSON text of 501 characters, 500 are the most"


@pytest.mark.parametrize("dialect", DIALECTS)
def test_of_an_error_only_the_beginning_is_read(dialect):
    body = json.dumps({"error": {"message": "x" * MOST_ERROR_BYTES}}).encode()
    with RawProvider(body, status=500) as server:
        failure = first_failure(open_talk(profile(dialect, server.url)))
    # Cut off it is no JSON any more, so it is quoted as it stands.
    assert failure.status == 500 and str(failure).startswith('HTTP 500: {"error"')


@pytest.mark.parametrize("status", [200, 500])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_nothing_packed_is_asked_for_or_unpacked(dialect, status):
    packed = gzip.compress(EMPTY[dialect])
    headers = {"Content-Encoding": "gzip"}
    with RawProvider(packed, status=status, headers=headers) as server:
        failure = first_failure(open_talk(profile(dialect, server.url)))
        assert server.headers[0]["accept-encoding"] == "identity"
    assert failure.status == status
    assert str(failure) == f"HTTP {status}: the body is packed (gzip), which was not asked for"


def test_a_line_of_a_long_text_holds_no_beginning_of_the_key():
    key = "sk-" + "k" * 40
    hidden = "\u200b" * (wire.LOOKED_AT_CHARS - 20) + key
    assert one_line(hidden, key) == ""
    assert one_line(hidden[30:], key) != hidden and "sk-" not in one_line(hidden[30:], key)


def test_a_failure_without_end_is_one_line():
    with RawProvider(json.dumps({"error": {"message": "x" * 100_000}}).encode()) as server:
        failure = first_failure(open_talk(profile(CHAT, server.url)))
    assert isinstance(failure, WireFailed) and len(str(failure)) == wire.QUOTED_CHARS


# --- usage ----------------------------------------------------------------------------------------

TWICE = '{"prompt_tokens":9,"prompt_tokens":1,"completion_tokens":1}'
NESTED = '{"input_tokens":9,"details":[{"cached":1,"cached":2}]}'


@pytest.mark.parametrize(
    ("dialect", "member", "key"),
    [
        (CHAT, f'"usage":{TWICE}', "prompt_tokens"),
        (CHAT, '"usage":{"prompt_tokens":9},"usage":{"prompt_tokens":1}', "usage"),
        (CLAUDE, f'"usage":{NESTED}', "cached"),
        (GEMINI, f'"usageMetadata":{TWICE}', "prompt_tokens"),
        ("openai-responses", f'"usage":{NESTED}', "cached"),
        ("xai-responses", '"usage":{"cost_in_usd_ticks":1,"a":1,"a":1}', "a"),
    ],
)
def test_a_usage_with_a_key_written_twice_is_not_believed(dialect, member, key):
    body = EMPTY[dialect].decode()[:-1] + f",{member}}}"
    with RawProvider(body.encode()) as server:
        (reply,) = turns(open_talk(profile(dialect, server.url)), 1)
    assert reply.answer.raw_usage is None and reply.answer.reported_cost_usd is None
    assert reply.answer.usage_fault == f"the usage is not clear: {key!r} is written twice"


def test_what_is_written_twice_elsewhere_says_nothing_of_the_usage():
    body = EMPTY[CHAT].decode()[:-1] + ',"x":{"a":1,"a":2},"usage":{"prompt_tokens":1}}'
    with RawProvider(body.encode()) as server:
        (reply,) = turns(open_talk(profile(CHAT, server.url)), 1)
    assert reply.answer.raw_usage == {"prompt_tokens": 1} and not reply.answer.usage_fault


STREAMS = {
    CHAT: (
        '{{"choices":[{{"delta":{{"content":"x"}}}}],"usage":{0}}}',
        '{{"choices":[{{"delta":{{}},"finish_reason":"stop"}}],"usage":{0}}}',
        "[DONE]",
    ),
    GEMINI: (
        '{{"candidates":[{{"content":{{"parts":[{{"text":"x"}}]}}}}],"usageMetadata":{0}}}',
        '{{"candidates":[{{"finishReason":"STOP"}}],"usageMetadata":{0}}}',
    ),
    CLAUDE: (
        '{{"type":"message_start","message":{{"content":[],"stop_reason":null,"usage":{0}}}}}',
        '{{"type":"message_delta","delta":{{"stop_reason":"end_turn"}},"usage":{0}}}',
        '{"type":"message_stop"}',
    ),
}


def told_in_a_stream(dialect, first, last):
    begun, ended, *rest = STREAMS[dialect]
    texts = [begun.format(first), ended.format(last), *rest]
    body = "".join(f"data: {text}\n\n" for text in texts)
    with RawProvider(body.encode()) as server:
        (reply,) = turns(open_talk(profile(dialect, server.url, stream=True)), 1)
    return reply.answer


@pytest.mark.parametrize("dialect", STREAMS)
def test_the_last_usage_of_a_stream_is_taken_whole(dialect):
    """A cached part that only an earlier piece told would be billed as cached."""
    told = told_in_a_stream(dialect, '{"in":1,"details":{"cached":900}}', '{"in":2}')
    kept = {"details": {"cached": 900}} if dialect == CLAUDE else {}
    assert told.raw_usage == {"in": 2} | kept


@pytest.mark.parametrize("dialect", STREAMS)
def test_a_key_written_twice_in_a_stream_is_noticed(dialect):
    told = told_in_a_stream(dialect, '{"in":1,"in":2}', '{"in":2}')
    assert told.raw_usage is None and "'in' is written twice" in told.usage_fault
