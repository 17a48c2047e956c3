"""Usage of each provider with its tokens and dollars, computed by hand."""

import datetime as dt

from price_rows import (
    DEEPSEEK,
    GEMINI,
    GPT_OLD,
    GPT_SOL,
    GROK,
    SONNET,
    anthropic,
    chat,
    gemini,
    openai,
)

from gaugeblock.metering.costs import Tariff, bill
from gaugeblock.metering.reading import read_usage

BUCKETS = (
    "input_uncached",
    "cache_read",
    "cache_write_5min",
    "cache_write_1h",
    "output",
    "reasoning",
)
DAY = dt.date(2026, 11, 30)


def billed(dialect, usage, row, *, tier=None, day=DAY, until=None):
    tariff = Tariff(row, "", "2026-11-30", until)
    buckets = read_usage(dialect, usage)
    return bill(dialect, usage, buckets, tariff, service_tier=tier, day=day)


def cached_twice():
    """DeepSeek's cached tokens, told flat and nested: the same tokens."""
    usage = chat(1_000, 900, 200, 150, 1_200)
    return {**usage, "prompt_cache_hit_tokens": 900, "prompt_cache_miss_tokens": 100}


GOLDEN = {
    # 200·4 + 2000·0.4 + 400·5 + 300·20 = 9600 per million
    "openai: cached, written, reasoning": (
        "openai-responses",
        openai(2_600, 2_000, 400, 300, 120),
        GPT_SOL,
        (200, 2_000, 400, 0, 300, 120),
        "0.0096",
    ),
    # 86·5 + 1920·0.5 + 300·30 = 10390
    "openai: a model that bills no writes": (
        "openai-responses",
        openai(2_006, 1_920, None, 300, 0),
        GPT_OLD,
        (86, 1_920, 0, 0, 300, 0),
        "0.01039",
    ),
    # 27·1.25 + 98·0.2 + 48·2.5 = 173.35
    "xai responses: reasoning inside": (
        "xai-responses",
        openai(125, 98, None, 48, 12),
        GROK,
        (27, 98, 0, 0, 48, 12),
        "0.00017335",
    ),
    # 9992·1.25 + 128·0.2 + (1499 + 2809)·2.5 = 23285.6, which xAI billed as 232856000 ticks
    "xai chat: reasoning outside": (
        "openai-chat",
        {**chat(10_120, 128, 1_499, 2_809, 14_428), "cost_in_usd_ticks": 232_856_000},
        GROK,
        (9_992, 128, 0, 0, 4_308, 2_809),
        "0.0232856",
    ),
    # 10·2 + 30000·0.1 + 3000·2.5 + 2000·4 + 500·10 = 23520
    "anthropic: writes of both lifetimes": (
        "anthropic-messages",
        anthropic(10, 30_000, 3_000, 2_000, 500, 200),
        SONNET,
        (10, 30_000, 3_000, 2_000, 500, 200),
        "0.02352",
    ),
    # (1000 - 400 + 50)·2 + 400·0.2 + (100 + 60)·12 = 3300
    "gemini: tool prompt and thoughts": (
        "gemini-generate-content",
        gemini(1_000, 400, 50, 100, 60),
        GEMINI,
        (650, 400, 0, 0, 160, 60),
        "0.0033",
    ),
    # 1000·2 + 60·12 = 2720
    "gemini: candidates left out": (
        "gemini-generate-content",
        gemini(1_000, 0, 0, 0, 60),
        GEMINI,
        (1_000, 0, 0, 0, 60, 60),
        "0.00272",
    ),
    # 100·0.27 + 900·0.07 + 200·1.1 = 310
    "deepseek: hits and misses": (
        "openai-chat",
        cached_twice(),
        DEEPSEEK,
        (100, 900, 0, 0, 200, 150),
        "0.00031",
    ),
}
