"""The mock speaks as the providers do: the official SDKs, told to be strict, read what it says."""

import json
from collections.abc import Iterator

import anthropic
import openai
import pytest
from google import genai
from google.genai import types as gemini

from gaugeblock.agents.mock import MockProvider, Say, Tokens
from gaugeblock.agents.mock.dialects import DIALECTS
from gaugeblock.agents.mock.script import ODD_SIGNATURE, ODD_TEXT
from gaugeblock.metering.reading import read_usage

ARGUMENTS = {"length_mm": 12.5, "note": ODD_TEXT}
BOTH = Say("Two calls.", (("cut", ARGUMENTS), ("look_up", {})), Tokens(1000, 200, 0, 0, 60, 20))
PARAMETERS = {"type": "object", "properties": {"length_mm": {"type": "number"}}}
KEY = "sk-a-key-that-must-not-be-kept"


@pytest.fixture
def mock() -> Iterator[MockProvider]:
    with MockProvider([BOTH]) as server:
        yield server


def openai_client(mock: MockProvider, dialect: str) -> openai.OpenAI:
    return openai.OpenAI(
        api_key=KEY,
        base_url=mock.url(dialect),
        max_retries=0,
        # xAI counts no cache writes, which OpenAI's own types demand.
        _strict_response_validation=dialect != "xai-responses",
    )


def responses_request() -> dict:
    tool = {"type": "function", "name": "cut", "parameters": PARAMETERS, "strict": False}
    return {"model": "mock-large", "input": "Make it.", "tools": [tool]}


@pytest.mark.parametrize("dialect", ["openai-responses", "xai-responses"])
@pytest.mark.parametrize("stream", [False, True])
def test_responses(mock, dialect, stream):
    client = openai_client(mock, dialect)
    if stream:
        events = list(client.responses.create(**responses_request(), stream=True))
        assert [event.sequence_number for event in events] == list(range(len(events)))
        answer = events[-1].response
        done = [e.item for e in events if e.type == "response.output_item.done"]
        assert done == answer.output
        said = "".join(e.delta for e in events if e.type == "response.output_text.delta")
        assert said == "Two calls."
    else:
        answer = client.responses.create(**responses_request())
    thought, message, cut, look_up = answer.output
    assert thought.encrypted_content.endswith(ODD_SIGNATURE)
    assert thought.summary[0].text == ODD_TEXT
    assert message.content[0].text == "Two calls."
    assert json.loads(cut.arguments) == ARGUMENTS
    assert (look_up.name, look_up.arguments) == ("look_up", "{}")
    assert answer.status == "completed"
    usage = answer.usage
    assert (usage.input_tokens, usage.input_tokens_details.cached_tokens) == (1200, 200)
    assert (usage.output_tokens, usage.output_tokens_details.reasoning_tokens) == (60, 20)
    assert usage.total_tokens == 1260
    if dialect == "xai-responses":
        assert usage.cost_in_usd_ticks == 37_756_000


@pytest.mark.parametrize("stream", [False, True])
def test_anthropic_messages(stream):
    request = {
        "model": "mock-large",
        "max_tokens": 100,
        "messages": [{"role": "user", "content": "Make it."}],
        "tools": [{"name": "cut", "input_schema": PARAMETERS}],
    }
    say = Say(BOTH.text, BOTH.calls, Tokens(1000, 200, 30, 7, 60, 20))
    with MockProvider([say]) as mock:
        client = anthropic.Anthropic(
            api_key=KEY,
            base_url=mock.url("anthropic-messages"),
            max_retries=0,
            _strict_response_validation=True,
        )
        if stream:
            with client.messages.stream(**request) as events:
                answer = events.get_final_message()
        else:
            answer = client.messages.create(**request)
    thought, redacted, text, cut, look_up = answer.content
    assert (thought.thinking, thought.signature[4:]) == (ODD_TEXT, ODD_SIGNATURE)
    assert redacted.data.endswith(ODD_SIGNATURE[::-1])
    assert text.text == "Two calls."
    assert (cut.name, cut.input, look_up.input) == ("cut", ARGUMENTS, {})
    assert answer.stop_reason == "tool_use"
    usage = answer.usage
    assert (usage.input_tokens, usage.cache_read_input_tokens) == (1000, 200)
    assert usage.cache_creation_input_tokens == 37
    assert usage.cache_creation.ephemeral_5m_input_tokens == 30
    assert usage.cache_creation.ephemeral_1h_input_tokens == 7
    assert (usage.output_tokens, usage.output_tokens_details.thinking_tokens) == (60, 20)


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("version", ["v1", "v1beta"])
def test_gemini_generate_content(mock, stream, version):
    options = gemini.HttpOptions(
        base_url=mock.url("gemini-generate-content"), api_version=version, timeout=10_000
    )
    client = genai.Client(api_key=KEY, vertexai=False, http_options=options)
    declared = gemini.FunctionDeclaration(name="cut", parameters_json_schema=PARAMETERS)
    request = {
        "model": "mock-large",
        "contents": "Make it.",
        "config": gemini.GenerateContentConfig(
            tools=[gemini.Tool(function_declarations=[declared])],
            automatic_function_calling=gemini.AutomaticFunctionCallingConfig(disable=True),
        ),
    }
    if stream:
        answers = list(client.models.generate_content_stream(**request))
    else:
        answers = [client.models.generate_content(**request)]
    parts = [part for answer in answers for part in answer.candidates[0].content.parts]
    assert "".join(part.text for part in parts if part.text) == "Two calls."
    cut, look_up = (part for part in parts if part.function_call)
    assert cut.function_call.args == ARGUMENTS
    assert (cut.function_call.id, look_up.function_call.id) == ("call_0001_0", "call_0001_1")
    assert cut.thought_signature is not None
    assert look_up.thought_signature is None
    assert answers[-1].candidates[0].finish_reason == gemini.FinishReason.STOP
    usage = answers[-1].usage_metadata
    assert (usage.prompt_token_count, usage.cached_content_token_count) == (1200, 200)
    assert (usage.candidates_token_count, usage.thoughts_token_count) == (40, 20)
    assert usage.total_token_count == 1260
    assert all(answer.model_version == "mock-large" for answer in answers)


@pytest.mark.parametrize("stream", [False, True])
def test_openai_chat(mock, stream):
    request = {
        "model": "mock-large",
        "messages": [{"role": "user", "content": "Make it."}],
        "tools": [{"type": "function", "function": {"name": "cut", "parameters": PARAMETERS}}],
    }
    completions = openai_client(mock, "openai-chat").chat.completions
    if stream:
        with completions.stream(**request, stream_options={"include_usage": True}) as events:
            chunks = [event.chunk for event in events if event.type == "chunk"]
            answer = events.get_final_completion()
        deltas = [chunk.choices[0].delta.model_extra for chunk in chunks if chunk.choices]
        thought = "".join(delta.get("reasoning_content", "") for delta in deltas)
    else:
        answer = completions.create(**request)
        thought = answer.choices[0].message.reasoning_content
    choice = answer.choices[0]
    assert thought.endswith(ODD_TEXT)
    assert choice.message.content == "Two calls."
    cut, look_up = choice.message.tool_calls
    assert json.loads(cut.function.arguments) == ARGUMENTS
    assert (look_up.id, look_up.function.arguments) == ("call_0001_1", "{}")
    assert choice.finish_reason == "tool_calls"
    usage = answer.usage
    assert (usage.prompt_tokens, usage.completion_tokens, usage.total_tokens) == (1200, 60, 1260)
    assert usage.prompt_tokens_details.cached_tokens == 200
    assert usage.completion_tokens_details.reasoning_tokens == 20


def test_a_chat_stream_tells_its_usage_only_when_asked(mock):
    messages = [{"role": "user", "content": "Make it."}]
    client = openai_client(mock, "openai-chat")
    chunks = list(
        client.chat.completions.create(model="mock-large", messages=messages, stream=True)
    )
    assert all(chunk.usage is None for chunk in chunks)


FINISHES = {
    "openai-responses": ("max_output_tokens", "content_filter"),
    "anthropic-messages": ("max_tokens", "refusal"),
    "gemini-generate-content": ("MAX_TOKENS", "SAFETY"),
    "openai-chat": ("length", "content_filter"),
}


def test_gemini_has_no_field_that_its_types_lack():
    # The SDK itself drops what it does not know before it looks.
    answer = DIALECTS["gemini-generate-content"].answer(BOTH, 1, "mock-large", {})
    assert gemini.GenerateContentResponse.model_validate(answer).response_id == "mock0001"


@pytest.mark.parametrize("dialect", FINISHES)
def test_why_it_ended_is_said_in_the_providers_word(dialect):
    for finish, word in zip(("cut-off", "filtered"), FINISHES[dialect], strict=True):
        answer = DIALECTS[dialect].answer(Say("Half a", finish=finish), 1, "mock-large", {})
        assert word in json.dumps(answer)


def test_a_key_is_noted_and_not_kept(mock):
    openai_client(mock, "openai-responses").responses.create(**responses_request())
    (received,) = mock.received
    assert received.has_key
    assert received.headers["authorization"] == "(a key)"
    assert KEY not in repr(received)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_our_account_reads_in_it_what_was_put_in(dialect):
    told = Tokens(input=1000, cache_read=200, output=60, reasoning=20)
    answer = DIALECTS[dialect].answer(Say("Done.", usage=told), 1, "mock-large", {})
    buckets = read_usage(dialect, answer.get("usage") or answer["usageMetadata"])
    assert (buckets.input_uncached, buckets.cache_read) == (1000, 200)
    assert (buckets.output, buckets.reasoning) == (60, 20)
    assert not set(buckets.unknown) & {"input_uncached", "cache_read", "output", "reasoning"}
