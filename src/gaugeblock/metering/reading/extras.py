"""What a request is billed that the price list of its tokens does not say."""

from __future__ import annotations

from gaugeblock.metering.reading.counts import Raw, count


def tools_used(raw: Raw, *path: str) -> str:
    """Return why a count of the provider's own tools makes the cost unknown, or nothing.

    No request of ours asks for such tools; they are billed by the call.
    """
    used = count(raw, *path)
    return "" if used.absent or used.value == 0 else f"{used.name}: billed apart from tokens"


def unreported_writes(raw: Raw, details: str, writes_priced: bool) -> str:
    """Return why cache writes that cost money are unknown, or nothing.

    OpenAI bills them for newer models only, and only those report them.

    Args:
        raw: usage as received.
        details: key of the input's details.
        writes_priced: whether the model's price list has a price for writes.
    """
    if writes_priced and count(raw, details, "cache_write_tokens").value is None:
        return "cache_write_tokens not reported, and this model bills them"
    return ""
