"""Usage of OpenAI Responses.

`input_tokens` is the whole input; `input_tokens_details.cached_tokens` (read) and
`cache_write_tokens` (written) are parts of it that do not overlap, `reasoning_tokens` is a part of
`output_tokens`, and `total_tokens` is input + output (openai 3.57, `types/responses/
response_usage.py`; https://developers.openai.com/api/docs/guides/prompt-caching: of 2,600 input
tokens, 2,000 read and 400 written, 200 are neither).

Writes are billed apart from GPT-5.6 on; older models bill none and their answers have no
`cache_write_tokens` (same guide), so absence is 0. Where the price list has a price for writes,
the model is one that reports them, and absence makes the cost unknown instead (`off_list`).

The bucket `cache_write_5min` is that of a provider's default lifetime: 30 minutes here. A request
asks for 12 hours (`prompt_cache_options.ttl`) or does not get them; ours never ask. Tokens written
for 12 hours go into `cache_write_1h`, the bucket of the longer lifetime.
"""

from __future__ import annotations

from gaugeblock.metering.reading.counts import (
    NONE,
    Count,
    Parts,
    Raw,
    Reader,
    count,
    or_zero,
    reconcile,
    rest_of,
    total_of,
    within,
)
from gaugeblock.metering.reading.extras import unreported_writes

DETAILS = "input_tokens_details"


def read(raw: Raw) -> Parts:
    """Return the buckets."""
    whole, output = count(raw, "input_tokens"), count(raw, "output_tokens")
    reasoning = count(raw, "output_tokens_details", "reasoning_tokens")
    cached = count(raw, DETAILS, "cached_tokens")
    written = or_zero(count(raw, DETAILS, "cache_write_tokens"))
    short, long = lifetimes(raw, DETAILS, written)
    reconcile(count(raw, "total_tokens"), whole, output)
    within(reasoning, output)
    within(cached, whole)
    return Parts(
        input_uncached=rest_of(whole, cached, written),
        cache_read=cached,
        cache_write_5min=short,
        cache_write_1h=long,
        output=output,
        reasoning=reasoning,
    )


def lifetimes(raw: Raw, details: str, written: Count) -> tuple[Count, Count]:
    """Return the tokens written for the default lifetime and for the longer one.

    Without a breakdown all have the default lifetime: the longer one must be asked for.
    """
    short = count(raw, details, "cache_write_tokens_details", "ttl_30m_tokens")
    long = count(raw, details, "cache_write_tokens_details", "ttl_12h_tokens")
    if short.absent and long.absent:
        return written, NONE
    reconcile(written, short, long)
    within(total_of(short, long), written)
    return short, long


def off_list(raw: Raw, writes_priced: bool) -> str:
    """Return why the price list does not say what was billed, or nothing."""
    return unreported_writes(raw, DETAILS, writes_priced)


OPENAI_RESPONSES = Reader(read, off_list)
