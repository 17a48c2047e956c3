"""What a provider sends for its own use goes back byte for byte."""

import json

import pytest
from api_talks import DIALECTS, RawProvider, open_talk, profile, turns

from gaugeblock.agents.mock import MockProvider, Say

# Every spelling that a parser would even out: order, a key twice, white space, escapes that need
# none, half a surrogate pair, numbers no float holds, floats written oddly, what no version knows.
ODD = (
    '{ "zeta":1,"alpha" : [ 1.0, 1e2, -0.0, 1E+2, 0.10 ],\n\t"id":"\\u0041\\/é\\ud83d",'
    '"big":123456789012345678901234567890,"twice":1,"twice":2,'
    '"漢字🜚":"née\u2028","type":"KIND","new_in_2031":{"b":null,"a":true} }'
)
CALL = {
    "openai-responses": '{"type":"function_call","call_id":"c1","name":"look","arguments":"{ }"}',
    "anthropic-messages": '{"type":"tool_use","id":"c1","name":"look","input":{ }}',
    "gemini-generate-content": '{"functionCall":{"name":"look","args":{ }},'
    '"thoughtSignature":"a+/="}',
    "openai-chat": '{"id":"c1","type":"function","function":{"name":"look","arguments":"{ }"}}',
}


def odd(kind: str) -> str:
    return ODD.replace("KIND", kind)


def reasoning() -> dict[str, tuple[str, str]]:
    """Return dialect → a whole answer with a call, and what of it must stand in the next body."""
    item, call = odd("reasoning"), CALL["openai-responses"]
    block, redacted = odd("thinking"), odd("redacted_thinking")
    use = CALL["anthropic-messages"]
    part, made = odd("x"), CALL["gemini-generate-content"]
    message = (
        f'{{ "role":"assistant" ,"reasoning_content":"\\u0041 é","x":{part},'
        f'"content":null,"tool_calls":[{CALL["openai-chat"]}] }}'
    )
    return {
        "openai-responses": (f'{{"output":[ {item} ,{call} ]}}', f"{item} ,{call}"),
        "xai-responses": (f'{{"output":[ {item} ,{call} ]}}', f"{item} ,{call}"),
        "anthropic-messages": (
            f'{{"stop_reason":"tool_use","content":[{block},{redacted} , {use}]}}',
            f"[{block},{redacted} , {use}]",
        ),
        "gemini-generate-content": (
            f'{{"candidates":[{{"content":{{"parts":[{part}, {made}],"role":"model"}}}}]}}',
            f'{{"parts":[{part}, {made}],"role":"model"}}',
        ),
        "openai-chat": (
            f'{{"choices":[{{"message":{message},"finish_reason":"tool_calls"}}]}}',
            message,
        ),
    }


@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_answer_goes_back_as_it_was_written(dialect):
    answer, must_return = reasoning()[dialect]
    with RawProvider(answer.encode(), answer.encode(), answer.encode()) as server:
        replies = turns(open_talk(profile(dialect, server.url)), 3)
        assert [call.name for reply in replies for call in reply.calls] == ["look"] * 3
        assert replies[0].calls[0].arguments == {}
        bodies = server.bodies
    assert bodies[0].count(must_return.encode()) == 0
    assert bodies[1].count(must_return.encode()) == 1
    assert bodies[2].count(must_return.encode()) == 2
    # The conversation only grows at its end: natural caches depend on it.
    assert bodies[1].startswith(bodies[0][:-2]) and bodies[2].startswith(bodies[1][:-2])


def events(*texts: str) -> bytes:
    return "".join(f"data: {text}\n\n" for text in texts).encode()


@pytest.mark.parametrize("dialect", ["openai-responses", "xai-responses"])
def test_a_streamed_response_goes_back_as_its_end_wrote_it(dialect):
    answer, must_return = reasoning()[dialect]
    one_line = answer.replace("\n\t", "")  # an event's data is one line
    stream = events(
        '{"type":"response.output_text.delta","delta":"x"}',
        f'{{"type":"response.completed","response":{one_line}}}',
    )
    with RawProvider(stream, stream) as server:
        turns(open_talk(profile(dialect, server.url, stream=True)), 2)
        assert must_return.replace("\n\t", "").encode() in server.bodies[1]


def test_streamed_parts_go_back_as_they_came():
    first, second = odd("x").replace("\n\t", ""), CALL["gemini-generate-content"]
    stream = events(
        f'{{"candidates":[{{"content":{{"parts":[{first}],"role":"model"}}}}]}}',
        f'{{"candidates":[{{"content":{{"parts":[ {second}]}},"finishReason":"STOP"}}]}}',
    )
    with RawProvider(stream, stream) as server:
        turns(open_talk(profile("gemini-generate-content", server.url, stream=True)), 2)
        assert f"[{first}, {second}]".encode() in server.bodies[1]


def piece(index: int, delta: str) -> str:
    return f'{{"type":"content_block_delta","index":{index},"delta":{delta}}}'


def test_streamed_thinking_keeps_the_escapes_it_came_in():
    start = '{"type":"thinking","zeta":1.0,"thinking":"","signature":"","alpha":1e2}'
    sealed = odd("redacted_thinking").replace("\n\t", "")
    use = '{"type":"tool_use","id":"c1","name":"look","input":{}}'
    stream = events(
        '{"type":"message_start","message":{"content":[],"stop_reason":null,"model":"m"}}',
        f'{{"type":"content_block_start","index":0,"content_block":{start}}}',
        # The halves of one character, in two pieces.
        piece(0, '{"type":"thinking_delta","thinking":"\\u0041 \\ud83d"}'),
        piece(0, '{"type":"thinking_delta","thinking":"\\ude00é"}'),
        piece(0, '{"type":"signature_delta","signature":"a+\\/="}'),
        f'{{"type":"content_block_start","index":1,"content_block":{sealed}}}',
        f'{{"type":"content_block_start","index":2,"content_block":{use}}}',
        piece(2, '{"type":"input_json_delta","partial_json":"{ \\"a\\": 1."}'),
        piece(2, '{"type":"input_json_delta","partial_json":"0 }"}'),
        '{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":5}}',
        '{"type":"message_stop"}',
    )
    with RawProvider(stream, stream) as server:
        replies = turns(open_talk(profile("anthropic-messages", server.url, stream=True)), 2)
        body = server.bodies[1].decode()
    whole = start.replace('"thinking":""', '"thinking":"\\u0041 \\ud83d\\ude00é"')
    whole = whole.replace('"signature":""', '"signature":"a+\\/="')
    called = '{"type":"tool_use","id":"c1","name":"look","input":{ "a": 1.0 }}'
    assert f"[{whole},{sealed},{called}]" in body
    assert replies[0].calls[0].written == '{ "a": 1.0 }'
    assert json.loads(body)["messages"][1]["content"][0]["thinking"] == "A 😀é"


def delta(inner: str) -> str:
    return f'{{"model":"m","choices":[{{"delta":{{{inner}}}}}]}}'


def called(inner: str) -> str:
    return delta(f'"tool_calls":[{{"index":0,{inner}}}]')


def test_streamed_chat_goes_back_whole():
    first = '"extra":{"sig":"a+\\/="},"type":"function","function":{"name":"look","arguments":'
    stream = events(
        delta('"role":"assistant","content":null,"reasoning_content":"\\u0041\\ud83d"'),
        delta('"reasoning_content":"\\ude00é","signed":{"zeta":1.0,"alpha":1e2}'),
        called(f'"id":"c1",{first}""}}'),
        called('"function":{"arguments":"{ "}'),
        called('"function":{"arguments":"}"}'),
        called('"id":"c2","function":{"name":"look","arguments":"{}"}'),
        '{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}',
        '{"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4,"total_tokens":7}}',
        "[DONE]",
    )
    with RawProvider(stream, stream) as server:
        replies = turns(open_talk(profile("openai-chat", server.url, stream=True)), 2)
        body = server.bodies[1].decode()
    assert '"reasoning_content":"\\u0041\\ud83d\\ude00é"' in body
    assert '"signed":{"zeta":1.0,"alpha":1e2}' in body
    assert f'{first}"{{ }}"' in body
    # Two calls, though the server gave both the same index.
    assert [call.id for call in replies[0].calls] == ["c1", "c2"]
    answered = [message.get("tool_call_id") for message in json.loads(body)["messages"]]
    assert answered[2:] == ["c1", "c2"]
    assert replies[0].answer.raw_usage == {
        "prompt_tokens": 3,
        "completion_tokens": 4,
        "total_tokens": 7,
    }
    assert replies[0].answer.first_token_s is not None


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_scripted_talk_comes_back_whole(dialect, stream):
    script = [
        Say("one", calls=(("look", {}), ("cut", {"part": {"name": "é"}}))),
        Say("two", calls=(("look", {}),)),
        Say("done"),
    ]
    with MockProvider(script) as mock:
        replies = turns(open_talk(profile(dialect, mock.url(dialect), stream=stream)), 3)
        assert [reply.text for reply in replies] == ["one", "two", "done"]
        assert [len(reply.calls) for reply in replies] == [2, 1, 0]
        # What a stream gives in pieces is put together without free spaces.
        assert mock.check_continuation(exact=not stream) == []
        assert mock.calls == 3


def test_a_call_that_cannot_be_parsed_goes_back_in_a_form_that_servers_take():
    """They parse history: an HTTP error for it would blame the provider for the model's fault."""
    made = {"id": "c1", "function": {"name": "look", "arguments": "{oops"}}
    broken = json.dumps({"choices": [{"message": {"tool_calls": [made]}}]})
    with RawProvider(broken.encode(), broken.encode()) as server:
        replies = turns(open_talk(profile("openai-chat", server.url)), 2)
        sent = json.loads(server.bodies[1])["messages"][1]["tool_calls"][0]["function"]
    assert replies[0].calls[0].arguments is None
    assert replies[0].calls[0].written == "{oops"
    assert "no JSON" in replies[0].calls[0].fault
    assert sent == {"name": "look", "arguments": "{}"}
