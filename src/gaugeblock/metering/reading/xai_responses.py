"""Usage of xAI Responses.

Shaped as OpenAI's, without cache writes: input tokens are either read from the cache or billed in
full (https://docs.x.ai/developers/advanced-api-usage/prompt-caching/usage-and-pricing), so both
write buckets are 0. Reasoning may be counted beside the output instead of inside it: in xAI's chat
"reasoning token consumption will be counted separately from completion_tokens, but will be counted
in the total_tokens" (docs.x.ai, consumption and rate limits); the total tells which.

`cost_in_usd_ticks` is what xAI billed, 10^10 ticks a US dollar
(https://docs.x.ai/developers/cost-tracking); `reported.py` reads it.
"""

from __future__ import annotations

from gaugeblock.metering.reading.counts import (
    NONE,
    Parts,
    Raw,
    Reader,
    count,
    output_of,
    rest_of,
)
from gaugeblock.metering.reading.extras import tools_used


def read(raw: Raw) -> Parts:
    """Return the buckets."""
    whole, output = count(raw, "input_tokens"), count(raw, "output_tokens")
    reasoning = count(raw, "output_tokens_details", "reasoning_tokens")
    cached = count(raw, "input_tokens_details", "cached_tokens")
    return Parts(
        input_uncached=rest_of(whole, cached),
        cache_read=cached,
        cache_write_5min=NONE,
        cache_write_1h=NONE,
        output=output_of(output, reasoning, whole, count(raw, "total_tokens")),
        reasoning=reasoning,
    )


def off_list(raw: Raw, writes_priced: bool) -> str:
    """Return why the price list does not say what was billed, or nothing."""
    return tools_used(raw, "num_server_side_tools_used")


XAI_RESPONSES = Reader(read, off_list)
