"""Usage of each provider against tokens and dollars computed by hand."""

import datetime as dt
from decimal import Decimal

import pytest
from golden_usage import BUCKETS, GOLDEN, billed, cached_twice
from price_rows import GEMINI, GPT_SOL, HAIKU, SONNET, anthropic, chat, gemini, openai

from gaugeblock.metering.reading import (
    READERS,
    last_usage,
    read_usage,
    reported_cost,
    streamed_usage,
)


@pytest.mark.parametrize("name", GOLDEN)
def test_tokens_and_dollars_by_hand(name):
    dialect, usage, row, tokens, dollars = GOLDEN[name]
    buckets = read_usage(dialect, usage)
    assert tuple(getattr(buckets, bucket) for bucket in BUCKETS) == tokens
    assert buckets.unknown == {}
    assert billed(dialect, usage, row) == (Decimal(dollars), "")


@pytest.mark.parametrize(
    ("fresh", "read", "dollars"),
    [
        (99_999, 0, "0.0104999"),  # 99999·0.1 + 1000·0.5
        (100_000, 0, "0.0105"),  # at the break point the lower price holds
        (100_001, 0, "0.0525005"),  # 100001·0.5 + 1000·2.5: every token at the higher price
        (50_000, 50_001, "0.03000005"),  # cached input counts: 50000·0.5 + 50001·0.05 + 1000·2.5
        (50_000, 50_000, "0.006"),  # 50000·0.1 + 50000·0.01 + 1000·0.5
    ],
)
def test_steps_are_by_all_input_and_for_all_tokens(fresh, read, dollars):
    usage = anthropic(fresh, read, 0, 0, 1_000)
    assert billed("anthropic-messages", usage, HAIKU) == (Decimal(dollars), "")


def test_tool_prompt_tokens_count_towards_a_step():
    # 199990 + 20 input at 4, 10 output at 24
    usage = gemini(199_990, 0, 20, 10, 0)
    assert billed("gemini-generate-content", usage, GEMINI) == (Decimal("0.80028"), "")


def test_what_xai_says_it_billed_is_exact():
    usage = GOLDEN["xai chat: reasoning outside"][1]
    assert reported_cost("openai-chat", usage, "x-ai") == Decimal("0.0232856")
    assert reported_cost("xai-responses", {"cost_in_usd_ticks": 37_756_000}) == Decimal("0.0037756")


@pytest.mark.parametrize("ticks", [None, True, -1, 1.5, "37756000", 10**15, [1]])
def test_a_cost_that_is_none_is_not_reported(ticks):
    assert reported_cost("xai-responses", {"cost_in_usd_ticks": ticks}) is None
    assert reported_cost("xai-responses", None) is None


@pytest.mark.parametrize("dialect", [*READERS, None])
@pytest.mark.parametrize("provider", ["deepseek", "mock", None])
def test_a_cost_is_believed_only_of_the_provider_that_documents_it(dialect, provider):
    """Any server of one's choice can write a field that xAI has."""
    found = reported_cost(dialect, {"cost_in_usd_ticks": 0}, provider)
    assert found == (0 if dialect == "xai-responses" else None)


# --- accounting faults of others ---------------------------------------------------------------


def test_writes_are_not_billed_twice():
    """Their total and its two parts are the same tokens."""
    buckets = read_usage("anthropic-messages", anthropic(10, 0, 3_000, 2_000, 5))
    told = (buckets.input_uncached, buckets.cache_write_5min, buckets.cache_write_1h)
    assert told == (10, 3_000, 2_000)


def test_long_writes_are_not_billed_at_the_short_rate():
    # 1000·4, never 1000·2.5
    usage = anthropic(0, 0, 0, 1_000, 0)
    assert billed("anthropic-messages", usage, SONNET) == (Decimal("0.004"), "")


def test_a_longer_lifetime_without_a_price_has_no_cost():
    usage = openai(2_600, 2_000, 400, 300, 0)
    usage["input_tokens_details"]["cache_write_tokens_details"] = {
        "ttl_30m_tokens": 100,
        "ttl_12h_tokens": 300,
    }
    buckets = read_usage("openai-responses", usage)
    assert (buckets.cache_write_5min, buckets.cache_write_1h) == (100, 300)
    assert billed("openai-responses", usage, GPT_SOL) == (
        None,
        "gpt-5.6-sol has no price for cache_write_1h",
    )


def test_reasoning_is_not_billed_twice():
    inside = read_usage("openai-responses", openai(100, 0, 0, 50, 40))
    assert (inside.output, inside.reasoning) == (50, 40)
    beside = read_usage("openai-chat", chat(100, 0, 10, 40, 150))
    assert (beside.output, beside.reasoning) == (50, 40)


def test_flat_and_nested_cached_fields_are_not_added():
    assert read_usage("openai-chat", cached_twice()).cache_read == 900


def test_flat_and_nested_cached_fields_must_agree():
    usage = {**cached_twice(), "prompt_cache_hit_tokens": 800}
    buckets = read_usage("openai-chat", usage)
    assert buckets.cache_read is None and buckets.output is None
    assert "cached_tokens is 900 and prompt_cache_hit_tokens is 800" in buckets.unknown["output"]


@pytest.mark.parametrize("times", [3, 8])
def test_usage_repeated_once_a_block_does_not_multiply(times):
    once = anthropic(10, 20, 30, 40, 50)
    assert read_usage("anthropic-messages", streamed_usage([once] * times)) == read_usage(
        "anthropic-messages", once
    )


def test_running_totals_of_a_stream_end_with_the_last_and_keep_the_first():
    """Anthropic's last event may tell the output alone; the cached part came with the first."""
    first = anthropic(25, 1_000, 0, 0, 1)
    last = {"output_tokens": 15, "input_tokens": None}
    buckets = read_usage("anthropic-messages", streamed_usage([first, last]))
    assert (buckets.input_uncached, buckets.cache_read, buckets.output) == (25, 1_000, 15)
    # 25·2 + 1000·0.1 + 15·10: streamed cache reads at their own rate
    assert billed("anthropic-messages", streamed_usage([first, last]), SONNET)[0] == Decimal(
        "0.0003"
    )
    assert streamed_usage([None, None]) is None


def test_the_last_of_a_stream_is_taken_whole_where_nobody_documents_parts():
    """1,000 tokens of which 900 were cached, says a first chunk; the last knows of no cache."""
    last = {"prompt_tokens": 1_000, "completion_tokens": 60, "total_tokens": 1_060}
    found = last_usage([chat(1_000, 900, 1, 0, 1_001), None, last, None])
    assert found == last
    buckets = read_usage("openai-chat", found)
    assert (buckets.input_uncached, buckets.cache_read, buckets.output) == (None, None, 60)
    assert last_usage([None, None]) is None


# --- other rates than the list's -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("dialect", "more", "word"),
    [
        ("anthropic-messages", {"service_tier": "priority"}, "service_tier"),
        ("anthropic-messages", {"service_tier": ["standard"]}, "service_tier"),
        ("anthropic-messages", {"speed": "fast"}, "speed"),
        ("anthropic-messages", {"inference_geo": "us"}, "inference_geo"),
        ("anthropic-messages", {"server_tool_use": {"web_search_requests": 1}}, "web_search"),
        ("anthropic-messages", {"iterations": [{"type": "compaction"}]}, "iterations"),
        ("xai-responses", {"num_server_side_tools_used": 2}, "num_server_side_tools_used"),
        ("openai-chat", {"server_tool_use": {"web_search_requests": 2}}, "web_search_requests"),
        ("gemini-generate-content", {"trafficType": "ON_DEMAND_PRIORITY"}, "trafficType"),
        ("gemini-generate-content", {"service_tier": "flex"}, "serviceTier"),
    ],
)
def test_what_is_billed_by_other_rates_has_no_cost(dialect, more, word):
    known = {golden[0]: golden for golden in GOLDEN.values()}[dialect]
    cost, why = billed(dialect, {**known[1], **more}, known[2])
    assert cost is None and word in why


def test_what_means_the_standard_rates_has_a_cost():
    usage = {
        **anthropic(10, 0, 0, 0, 5),
        "inference_geo": "global",
        "speed": "standard",
        "server_tool_use": {"web_search_requests": 0, "web_fetch_requests": 0},
        "iterations": [{"type": "message"}],
    }
    assert billed("anthropic-messages", usage, SONNET) == (Decimal("0.00007"), "")
    usage = {**gemini(10, 0, 0, 5, 0), "trafficType": "ON_DEMAND", "serviceTier": "STANDARD"}
    assert billed("gemini-generate-content", usage, GEMINI) == (Decimal("0.00008"), "")


@pytest.mark.parametrize(("tier", "known"), [("default", True), (None, True), ("priority", False)])
def test_the_tier_beside_the_usage_decides_too(tier, known):
    cost, why = billed("openai-responses", openai(10, 0, 0, 5, 0), GPT_SOL, tier=tier)
    assert (cost is not None) == known
    assert known or "priority" in why


def test_writes_that_a_model_bills_but_an_answer_leaves_out_have_no_cost():
    cost, why = billed("openai-responses", openai(2_600, 2_000, None, 300, 0), GPT_SOL)
    assert cost is None and "cache_write_tokens not reported" in why


def test_no_cost_from_the_day_on_which_prices_change():
    usage, changes = anthropic(10, 0, 0, 0, 5), dt.date(2026, 12, 1)
    assert billed("anthropic-messages", usage, SONNET, until=changes)[0] == Decimal("0.00007")
    cost, why = billed("anthropic-messages", usage, SONNET, day=changes, until=changes)
    assert cost is None and "2026-12-01" in why
