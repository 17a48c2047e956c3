"""A profile's settings in the words of each dialect. What is not set is the provider's default."""

from __future__ import annotations

from typing import Any

from gaugeblock.records.profile import Profile

COUNTS = ("top_k", "seed", "thinking_tokens")
WORDS = ("effort", "thinking", "verbosity")
"""Settings whose values are whole numbers, and words; all others are any number."""

PLACES: dict[str, dict[str, tuple[str, ...]]] = {
    "openai-responses": {
        "effort": ("reasoning", "effort"),
        "temperature": ("temperature",),
        "top_p": ("top_p",),
        "verbosity": ("text", "verbosity"),
    },
    "xai-responses": {
        "effort": ("reasoning", "effort"),
        "temperature": ("temperature",),
        "top_p": ("top_p",),
    },
    "anthropic-messages": {
        "effort": ("output_config", "effort"),
        "temperature": ("temperature",),
        "top_p": ("top_p",),
        "top_k": ("top_k",),
        "thinking": ("thinking", "type"),
        "thinking_tokens": ("thinking", "budget_tokens"),
    },
    "gemini-generate-content": {
        "effort": ("generationConfig", "thinkingConfig", "thinkingLevel"),
        "temperature": ("generationConfig", "temperature"),
        "top_p": ("generationConfig", "topP"),
        "top_k": ("generationConfig", "topK"),
        "seed": ("generationConfig", "seed"),
        "thinking_tokens": ("generationConfig", "thinkingConfig", "thinkingBudget"),
    },
    "openai-chat": {
        "effort": ("reasoning_effort",),
        "temperature": ("temperature",),
        "top_p": ("top_p",),
        "top_k": ("top_k",),
        "seed": ("seed",),
        "thinking": ("thinking", "type"),
    },
}
"""Dialect → setting → where it stands in a request's body."""


def check_settings(profile: Profile) -> list[str]:
    """Return one line for each setting that the profile's dialect lacks or cannot take."""
    places = PLACES[str(profile.dialect)]
    lines = []
    for name, value in profile.settings.items():
        if name not in places:
            lines.append(f"{profile.dialect} has no setting {name}; it has {', '.join(places)}")
        elif fault := _fault(name, value):
            lines.append(f"setting {name} = {value!r}: {fault}")
    return lines


def apply_settings(body: dict[str, Any], profile: Profile) -> dict[str, Any]:
    """Return a request's fields with the profile's settings among them.

    Raises:
        ValueError: what `check_settings` says against them.
    """
    faults = check_settings(profile)
    if faults:
        raise ValueError("; ".join(faults))
    for name, value in profile.settings.items():
        *folders, last = PLACES[str(profile.dialect)][name]
        where = body
        for folder in folders:
            where = where.setdefault(folder, {})
        where[last] = value
    thinking = body.get("thinking")
    if isinstance(thinking, dict) and "budget_tokens" in thinking:
        thinking.setdefault("type", "enabled")  # Anthropic takes a budget only with its switch
    return body


def _fault(name: str, value: Any) -> str:
    if name in WORDS:
        return "" if isinstance(value, str) and value else "must be a word"
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if name in COUNTS:
        return "" if number and isinstance(value, int) else "must be a whole number"
    if not number or value < 0 or (name == "top_p" and value > 1):
        return "must be a number from 0" + (" to 1" if name == "top_p" else "")
    return ""
