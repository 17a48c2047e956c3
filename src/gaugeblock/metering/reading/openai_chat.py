"""Usage of OpenAI's chat completions and of servers that speak it.

`prompt_tokens` is the whole input. Its cached part stands in `prompt_tokens_details.cached_tokens`
(OpenAI, xAI, vLLM with `--enable-prompt-tokens-details`, llama.cpp), in `prompt_cache_hit_tokens`
(DeepSeek, which also sends the nested one: they are the same tokens and are never added) or flat in
`cached_tokens`. DeepSeek's prompt "equals prompt_cache_hit_tokens + prompt_cache_miss_tokens"
(https://api-docs.deepseek.com/api/create-chat-completion). A server that tells no cached part, as
Ollama, leaves it unknown, and with it the uncached part.

`completion_tokens` holds the reasoning with OpenAI, DeepSeek, vLLM and llama.cpp, and leaves it out
with xAI (https://docs.x.ai/docs/key-information/consumption-and-rate-limits); `total_tokens` tells
which, and nothing else is trusted to.

Writes (`prompt_tokens_details.cache_write_tokens`, OpenAI from GPT-5.6 on) are a part of the
prompt. Servers that send none bill none: 0, unless the price list has a price for writes.
"""

from __future__ import annotations

from gaugeblock.metering.reading.counts import (
    Parts,
    Raw,
    Reader,
    count,
    or_zero,
    output_of,
    reconcile,
    rest_of,
    same,
    within,
)
from gaugeblock.metering.reading.extras import tools_used, unreported_writes
from gaugeblock.metering.reading.openai_responses import lifetimes

DETAILS = "prompt_tokens_details"


def read(raw: Raw) -> Parts:
    """Return the buckets."""
    whole = count(raw, "prompt_tokens")
    cached = same(
        count(raw, DETAILS, "cached_tokens"),
        count(raw, "prompt_cache_hit_tokens"),
        count(raw, "cached_tokens"),
    )
    reconcile(whole, cached, count(raw, "prompt_cache_miss_tokens"))
    written = or_zero(count(raw, DETAILS, "cache_write_tokens"))
    short, long = lifetimes(raw, DETAILS, written)
    reasoning = same(
        count(raw, "completion_tokens_details", "reasoning_tokens"),
        count(raw, "reasoning_tokens"),
    )
    within(cached, whole)
    output = output_of(
        count(raw, "completion_tokens"), reasoning, whole, count(raw, "total_tokens")
    )
    return Parts(
        input_uncached=rest_of(whole, cached, written),
        cache_read=cached,
        cache_write_5min=short,
        cache_write_1h=long,
        output=output,
        reasoning=reasoning,
    )


def off_list(raw: Raw, writes_priced: bool) -> str:
    """Return why the price list does not say what was billed, or nothing."""
    return (
        tools_used(raw, "server_tool_use", "web_search_requests")
        or tools_used(raw, "server_tool_use", "web_fetch_requests")
        or tools_used(raw, "num_server_side_tools_used")
        or unreported_writes(raw, DETAILS, writes_priced)
    )


OPENAI_CHAT = Reader(read, off_list)
