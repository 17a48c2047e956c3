"""Usage of Anthropic Messages.

`input_tokens`, `cache_read_input_tokens` and `cache_creation_input_tokens` are disjoint, and their
sum is the whole input (https://platform.claude.com/docs/en/build-with-claude/prompt-caching). The
two lifetimes in `cache_creation` are the parts of `cache_creation_input_tokens`, no further tokens:
counting all three bills writes twice. Without them the lifetimes are unknown, and so is the cost,
unless nothing was written. `output_tokens` is "the inclusive, authoritative total used for
billing", `output_tokens_details.thinking_tokens` a part of it (anthropic 2.14, `types/usage.py`).
There is no total.

What is billed by other rates (same file; https://platform.claude.com/docs/en/about-claude/pricing):
another `service_tier` than standard, `speed` fast, `inference_geo` us (×1.1), web searches; and
`iterations` of other kinds than messages are tokens "not included in the top-level usage fields".
"""

from __future__ import annotations

from gaugeblock.metering.reading.counts import (
    NONE,
    Count,
    Parts,
    Raw,
    Reader,
    count,
    reconcile,
    total_of,
    within,
)
from gaugeblock.metering.reading.extras import tools_used

STANDARD: dict[str, tuple[str | None, ...]] = {
    "service_tier": (None, "standard"),
    "speed": (None, "standard"),
    "inference_geo": (None, "", "global", "not_available"),
}
"""Field → values that mean the standard price; not_available: a model older than the choice."""


def read(raw: Raw) -> Parts:
    """Return the buckets."""
    output = count(raw, "output_tokens")
    thinking = count(raw, "output_tokens_details", "thinking_tokens")
    within(thinking, output)
    short, long = _written(raw)
    return Parts(
        input_uncached=count(raw, "input_tokens"),
        cache_read=count(raw, "cache_read_input_tokens"),
        cache_write_5min=short,
        cache_write_1h=long,
        output=output,
        reasoning=thinking,
    )


def _written(raw: Raw) -> tuple[Count, Count]:
    whole = count(raw, "cache_creation_input_tokens")
    short = count(raw, "cache_creation", "ephemeral_5m_input_tokens")
    long = count(raw, "cache_creation", "ephemeral_1h_input_tokens")
    reconcile(whole, short, long)
    within(short, whole)
    within(long, whole)
    if whole.value == 0 and total_of(short, long).value is None:
        return NONE, NONE
    if whole.value is None and not whole.absent:  # rubbish: the parts have no witness
        return whole, whole
    return short, long


def off_list(raw: Raw, writes_priced: bool) -> str:
    """Return why the price list does not say what was billed, or nothing."""
    for name, values in STANDARD.items():
        found = raw.get(name)
        if not (found is None or isinstance(found, str)) or found not in values:
            return f"{name} is not the standard one, which is billed by other rates"
    return tools_used(raw, "server_tool_use", "web_search_requests") or _left_out(raw)


def _left_out(raw: Raw) -> str:
    iterations = raw.get("iterations")
    if iterations is None or (
        isinstance(iterations, list)
        and all(isinstance(item, dict) and item.get("type") == "message" for item in iterations)
    ):
        return ""
    return "iterations hold tokens that the totals leave out"


ANTHROPIC_MESSAGES = Reader(read, off_list)
