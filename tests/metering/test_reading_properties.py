"""Usage that nobody chose: rubbish never raises, and what is sound comes back whole."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st
from price_rows import anthropic, chat, gemini, openai

from gaugeblock.metering.reading import READERS, off_list, read_usage, reported_cost
from gaugeblock.metering.reading.counts import MOST_TOKENS
from gaugeblock.records.usage import BUCKETS

NAMES = (
    "input_tokens output_tokens total_tokens input_tokens_details output_tokens_details "
    "cached_tokens cache_write_tokens cache_write_tokens_details ttl_30m_tokens ttl_12h_tokens "
    "reasoning_tokens prompt_tokens completion_tokens prompt_tokens_details "
    "completion_tokens_details prompt_cache_hit_tokens prompt_cache_miss_tokens "
    "cache_read_input_tokens cache_creation_input_tokens cache_creation "
    "ephemeral_5m_input_tokens ephemeral_1h_input_tokens thinking_tokens service_tier speed "
    "inference_geo server_tool_use web_search_requests iterations type promptTokenCount "
    "cachedContentTokenCount toolUsePromptTokenCount candidatesTokenCount thoughtsTokenCount "
    "totalTokenCount prompt_token_count trafficType serviceTier cost_in_usd_ticks"
).split()

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-5, 50)
    | st.integers()
    | st.floats()
    | st.text(string.printable, max_size=8)
    | st.sampled_from(["standard", "message", "\ud800", "9" * 5_000])
)
KEYS = st.sampled_from(NAMES) | st.text(max_size=5)
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=12),
    max_leaves=25,
)
OBJECTS = st.dictionaries(KEYS, JSON, max_size=15)
DIALECTS = st.sampled_from([*READERS, None, "unheard-of"])
TOKENS = st.integers(0, MOST_TOKENS // 10)


@given(DIALECTS, OBJECTS | JSON)
def test_rubbish_never_raises(dialect, usage):
    buckets = read_usage(dialect, usage)
    for name in (*BUCKETS, "reasoning"):
        count = getattr(buckets, name)
        assert (count is None) == bool(buckets.unknown.get(name))
        assert count is None or 0 <= count <= 3 * MOST_TOKENS
    assert all("\n" not in why and len(why) < 400 for why in buckets.unknown.values())
    for priced in (True, False):
        assert isinstance(off_list(dialect, usage, writes_priced=priced, service_tier=None), str)
    cost = reported_cost(dialect, usage)
    assert cost is None or cost >= 0


def deep(levels):
    nested = {}
    for _ in range(levels):
        nested = {"input_tokens_details": nested, "iterations": [nested], "speed": [nested]}
    return nested


@pytest.mark.parametrize("dialect", READERS)
def test_depth_never_raises(dialect):
    usage = deep(50_000)
    assert read_usage(dialect, usage).output is None
    off_list(dialect, usage, writes_priced=True, service_tier=None)


@pytest.mark.parametrize("rubbish", [-1, True, 1.0, "5", [5], {"n": 5}, 10**12, float("nan")])
@pytest.mark.parametrize(
    ("dialect", "usage"),
    [
        ("openai-responses", openai(100, 40, 0, 10, 5)),
        ("openai-chat", chat(100, 40, 10, 5, 110)),
        ("anthropic-messages", anthropic(10, 20, 30, 40, 50, 5)),
        ("gemini-generate-content", gemini(100, 10, 5, 20, 7)),
    ],
)
def test_rubbish_in_any_count_is_never_a_number(dialect, usage, rubbish):
    sound = read_usage(dialect, usage)
    for name in [name for name, value in usage.items() if isinstance(value, int)]:
        buckets = read_usage(dialect, {**usage, name: rubbish})
        for bucket in (*BUCKETS, "reasoning"):
            assert getattr(buckets, bucket) in (None, getattr(sound, bucket))
        total = name in ("total_tokens", "totalTokenCount")
        assert total or buckets.unknown, f"{name} was read as a count"


@given(TOKENS, TOKENS, TOKENS, TOKENS, TOKENS)
def test_openai_buckets_sum_to_the_reported_totals(fresh, read, written, silent, reasoning):
    usage = openai(fresh + read + written, read, written, silent + reasoning, reasoning)
    buckets = read_usage("openai-responses", usage)
    assert (buckets.input_uncached, buckets.cache_read) == (fresh, read)
    assert (buckets.cache_write_5min, buckets.cache_write_1h) == (written, 0)
    assert (buckets.output, buckets.reasoning) == (silent + reasoning, reasoning)
    assert sum(getattr(buckets, name) for name in BUCKETS) == usage["total_tokens"]


@given(TOKENS, TOKENS, TOKENS, TOKENS, st.booleans())
def test_chat_buckets_sum_to_the_reported_totals(fresh, read, silent, reasoning, beside):
    written = silent if beside else silent + reasoning
    total = fresh + read + silent + reasoning
    buckets = read_usage("openai-chat", chat(fresh + read, read, written, reasoning, total))
    assert (buckets.input_uncached, buckets.cache_read) == (fresh, read)
    assert (buckets.output, buckets.reasoning) == (silent + reasoning, reasoning)
    assert sum(getattr(buckets, name) for name in BUCKETS) == total


@given(TOKENS, TOKENS, TOKENS, TOKENS, TOKENS)
def test_anthropic_buckets_are_what_was_told(fresh, read, short, long, output):
    buckets = read_usage("anthropic-messages", anthropic(fresh, read, short, long, output))
    told = tuple(getattr(buckets, name) for name in BUCKETS)
    assert told == (fresh, read, short, long, output)
    assert buckets.unknown == {"reasoning": "thinking_tokens not reported"}


@given(TOKENS, TOKENS, TOKENS, TOKENS, TOKENS)
def test_gemini_buckets_sum_to_the_reported_total(fresh, read, tools, silent, thoughts):
    usage = gemini(fresh + read, read, tools, silent, thoughts)
    buckets = read_usage("gemini-generate-content", usage)
    if fresh + read == 0:  # a prompt of nothing: left out, and so unknown
        assert buckets.input_uncached is None
        return
    assert (buckets.input_uncached, buckets.cache_read) == (fresh + tools, read)
    assert (buckets.output, buckets.reasoning) == (silent + thoughts, thoughts)
    assert sum(getattr(buckets, name) for name in BUCKETS) == usage["totalTokenCount"]
