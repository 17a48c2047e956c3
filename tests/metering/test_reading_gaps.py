"""Usage with parts that are missing, and figures that contradict each other."""

import pytest
from golden_usage import BUCKETS, GOLDEN, billed, cached_twice
from price_rows import SONNET, anthropic, chat, gemini, openai

from gaugeblock.metering.reading import read_usage

LOST_WRITES = {"cached_tokens": 101, "cache_write_tokens": -1}


def without(usage, *path):
    inner = usage
    for key in path[:-1]:
        inner[key] = dict(inner[key])
        inner = inner[key]
    del inner[path[-1]]
    return usage


@pytest.mark.parametrize(
    ("dialect", "usage", "path", "unknown"),
    [
        (
            "openai-responses",
            openai(100, 40, 0, 10, 5),
            ("input_tokens_details", "cached_tokens"),
            {"input_uncached", "cache_read"},
        ),
        (
            "openai-responses",
            openai(100, 40, 0, 10, 5),
            ("output_tokens_details",),
            {"reasoning"},
        ),
        ("openai-responses", openai(100, 40, 0, 10, 5), ("output_tokens",), {"output"}),
        ("openai-responses", openai(100, 40, 0, 10, 5), ("input_tokens",), {"input_uncached"}),
        ("openai-responses", openai(100, 40, 0, 10, 5), ("total_tokens",), set()),
        ("openai-chat", chat(100, 40, 10, 5, 110), ("total_tokens",), {"output"}),
        ("openai-chat", chat(100, 40, 10, 0, 110), ("total_tokens",), set()),
        (
            "openai-chat",
            chat(100, 40, 10, 5, 110),
            ("prompt_tokens_details",),
            {"input_uncached", "cache_read"},
        ),
        ("openai-chat", chat(100, 40, 10, 5, 110), ("completion_tokens_details",), {"reasoning"}),
        (
            "anthropic-messages",
            anthropic(10, 20, 30, 40, 50, 5),
            ("cache_creation",),
            {"cache_write_5min", "cache_write_1h"},
        ),
        ("anthropic-messages", anthropic(10, 20, 0, 0, 50, 5), ("cache_creation",), set()),
        (
            "anthropic-messages",
            anthropic(10, 20, 30, 40, 50, 5),
            ("cache_read_input_tokens",),
            {"cache_read"},
        ),
        (
            "gemini-generate-content",
            gemini(100, 10, 5, 20, 0),
            ("totalTokenCount",),
            {"output", "reasoning"},
        ),
        (
            "gemini-generate-content",
            gemini(100, 10, 5, 20, 7),
            ("promptTokenCount",),
            {"input_uncached"},
        ),
    ],
)
def test_a_missing_part_is_unknown_with_its_name(dialect, usage, path, unknown):
    buckets = read_usage(dialect, without(usage, *path))
    assert set(buckets.unknown) == unknown
    assert all("not reported" in why for why in buckets.unknown.values())


@pytest.mark.parametrize("dialect", [golden[0] for golden in GOLDEN.values()])
def test_no_usage_or_an_empty_one_tells_nothing(dialect):
    for usage in (None, {}):
        buckets = read_usage(dialect, usage)
        assert buckets.output is None and buckets.input_uncached is None
        assert billed(dialect, usage, SONNET)[0] is None


def test_thoughts_that_no_count_names_make_the_output_unknown():
    """A total above the sum of its parts: Gemini's compatible server hides thoughts so."""
    buckets = read_usage("openai-chat", {**chat(758, 0, 102, 0, 1_725)})
    assert buckets.output is None
    assert "total_tokens is 1725" in buckets.unknown["output"]


@pytest.mark.parametrize("name", GOLDEN)
def test_totals_that_do_not_reconcile_make_everything_unknown(name):
    dialect, usage, row, *_ = GOLDEN[name]
    total = {"anthropic-messages": "cache_creation_input_tokens"}.get(dialect, "total_tokens")
    total = "totalTokenCount" if dialect.startswith("gemini") else total
    wrong = {**usage, total: usage[total] + 1}
    assert set(read_usage(dialect, wrong).unknown) == set(BUCKETS)
    assert billed(dialect, wrong, row)[0] is None


@pytest.mark.parametrize(
    ("dialect", "usage", "word"),
    [
        ("openai-responses", openai(100, 0, 0, 50, 51), "reasoning_tokens is 51, more than"),
        ("openai-responses", openai(100, 101, 0, 50, 0), "cached_tokens"),
        ("openai-responses", openai(100, 60, 41, 50, 0), "cached_tokens + cache_write_tokens"),
        ("openai-responses", openai(100, 101, -1, 50, 0), "cached_tokens is 101, more than"),
        ("xai-responses", openai(100, 101, None, 50, 0), "cached_tokens"),
        ("openai-chat", chat(100, 0, 50, 51, 150), "reasoning_tokens is 51, more than"),
        ("openai-chat", chat(100, 101, 50, 0, 150), "cached_tokens"),
        (
            "openai-chat",
            {**chat(100, 0, 50, 0, 150), "prompt_tokens_details": LOST_WRITES},
            "cached_tokens is 101, more than",
        ),
        ("anthropic-messages", anthropic(1, 0, 0, 0, 50, 51), "thinking_tokens is 51, more than"),
        ("gemini-generate-content", gemini(100, 101, 0, 50, 0), "cachedContentTokenCount"),
    ],
)
def test_a_part_above_its_whole_makes_everything_unknown(dialect, usage, word):
    buckets = read_usage(dialect, usage)
    assert set(buckets.unknown) == set(BUCKETS)
    assert all(word in why for why in buckets.unknown.values())


def test_hits_and_misses_are_the_prompt():
    usage = {**cached_twice(), "prompt_cache_miss_tokens": 99}
    assert set(read_usage("openai-chat", usage).unknown) == set(BUCKETS)


def test_one_lifetime_above_all_writes_makes_everything_unknown():
    usage = anthropic(1, 0, 30, 0, 5)
    usage["cache_creation"] = {"ephemeral_5m_input_tokens": 31}
    assert set(read_usage("anthropic-messages", usage).unknown) == set(BUCKETS)
    usage["cache_creation"] = {"ephemeral_1h_input_tokens": 31}
    assert set(read_usage("anthropic-messages", usage).unknown) == set(BUCKETS)


def test_camel_and_snake_case_are_one_figure():
    camel = gemini(100, 10, 5, 20, 7)
    snake = {
        "prompt_token_count": 100,
        "cached_content_token_count": 10,
        "tool_use_prompt_token_count": 5,
        "candidates_token_count": 20,
        "thoughts_token_count": 7,
        "total_token_count": 132,
    }
    dialect = "gemini-generate-content"
    assert read_usage(dialect, camel) == read_usage(dialect, snake)
    assert read_usage(dialect, {**camel, **snake}) == read_usage(dialect, camel)
    assert read_usage(dialect, {**camel, "prompt_token_count": 99}).input_uncached is None
