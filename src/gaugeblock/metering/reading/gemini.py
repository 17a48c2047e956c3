"""Usage of Gemini generateContent.

`promptTokenCount` includes `cachedContentTokenCount`; `toolUsePromptTokenCount` is further input;
`thoughtsTokenCount` is output beside `candidatesTokenCount`; `totalTokenCount` is "the sum of
prompt_token_count, candidates_token_count, tool_use_prompt_token_count, and thoughts_token_count"
(google-genai 3.6.1, `GenerateContentResponseUsageMetadata`). Names are camelCase on the wire and
snake_case where the SDK wrote them.

The message is proto3, whose JSON leaves zeros out (https://protobuf.dev/programming-guides/json/):
a count that is absent is 0 by definition. For candidates and thoughts, which some answers were seen
to leave out without being 0, the total must confirm it; without a total they are unknown. For the
cached part "no content was cached" is 0 (Firebase's reference of `UsageMetadata`).

Writing the implicit cache costs nothing, and explicit caches, which are billed by storage, are
never made: both write buckets are 0. `trafficType` and `serviceTier` tell of other rates.
"""

from __future__ import annotations

import re

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
    same,
    total_of,
)

STANDARD: dict[str, tuple[str, ...]] = {
    "trafficType": ("on_demand", "traffic_type_unspecified"),
    "serviceTier": ("standard", "unspecified", "service_tier_unspecified"),
}
"""Field → values, in lower case, that mean the standard price."""


def read(raw: Raw) -> Parts:
    """Return the buckets."""
    prompt, total = _count(raw, "promptTokenCount"), _count(raw, "totalTokenCount")
    cached = or_zero(_count(raw, "cachedContentTokenCount"))
    tools = or_zero(_count(raw, "toolUsePromptTokenCount"))
    candidates, thoughts = _count(raw, "candidatesTokenCount"), _count(raw, "thoughtsTokenCount")
    if None not in (total.value, prompt.value, tools.value):  # the total can confirm a zero
        candidates, thoughts = or_zero(candidates), or_zero(thoughts)
    reconcile(total, prompt, candidates, tools, thoughts)
    return Parts(
        input_uncached=total_of(rest_of(prompt, cached), tools),
        cache_read=cached,
        cache_write_5min=NONE,
        cache_write_1h=NONE,
        output=total_of(candidates, thoughts),
        reasoning=thoughts,
    )


def _count(raw: Raw, name: str) -> Count:
    return same(count(raw, name), count(raw, _snake(name)))


def _snake(name: str) -> str:
    return re.sub("[A-Z]", lambda sign: "_" + sign.group().lower(), name)


def off_list(raw: Raw, writes_priced: bool) -> str:
    """Return why the price list does not say what was billed, or nothing."""
    for name, values in STANDARD.items():
        for key in (name, _snake(name)):
            found = raw.get(key)
            standard = isinstance(found, str) and found.lower() in values
            if found is not None and not standard:
                return f"{name} is not the standard one, which is billed by other rates"
    return ""


GEMINI = Reader(read, off_list)
