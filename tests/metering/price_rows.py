"""Price rows with the figures of November 2026, and usage as each provider sends it."""

from gaugeblock.records.prices import PriceRow


def row(model, *, above=0, factor=1, **prices):
    """A row; `factor` times its prices where the input is above `above` tokens."""
    from decimal import Decimal

    rates = {}
    for name, price in prices.items():
        step = {"above_tokens": above, "usd_per_mtok": f"{Decimal(price) * factor:f}"}
        rates[name] = {"usd_per_mtok": price, "steps": [step] if above else []}
    return PriceRow.model_validate(
        {"provider": "p", "model": model, "source": "test", "source_row": model, **rates}
    )


GPT_SOL = row("gpt-5.6-sol", input="4", cache_read="0.4", cache_write_5min="5", output="20")
GPT_OLD = row("gpt-5.5", input="5", cache_read="0.5", output="30")
GROK = row("grok-4.20", above=199_999, factor=2, input="1.25", cache_read="0.2", output="2.5")
SONNET = row(
    "claude-sonnet-5-5",
    input="2",
    cache_read="0.1",
    cache_write_5min="2.5",
    cache_write_1h="4",
    output="10",
)
HAIKU = row(
    "claude-haiku-5-5",
    above=100_000,
    factor=5,
    input="0.1",
    cache_read="0.01",
    cache_write_5min="0.125",
    cache_write_1h="0.2",
    output="0.5",
)
GEMINI = row("gemini", above=200_000, factor=2, input="2", cache_read="0.2", output="12")
DEEPSEEK = row("deepseek-chat", input="0.27", cache_read="0.07", output="1.1")


def openai(whole, cached, written, output, reasoning):
    details = {"cached_tokens": cached}
    if written is not None:
        details["cache_write_tokens"] = written
    return {
        "input_tokens": whole,
        "input_tokens_details": details,
        "output_tokens": output,
        "output_tokens_details": {"reasoning_tokens": reasoning},
        "total_tokens": whole + output,
    }


def chat(whole, cached, output, reasoning, total):
    return {
        "prompt_tokens": whole,
        "completion_tokens": output,
        "total_tokens": total,
        "prompt_tokens_details": {"cached_tokens": cached},
        "completion_tokens_details": {"reasoning_tokens": reasoning},
    }


def anthropic(fresh, read, short, long, output, thinking=None):
    usage = {
        "input_tokens": fresh,
        "cache_read_input_tokens": read,
        "cache_creation_input_tokens": short + long,
        "cache_creation": {
            "ephemeral_5m_input_tokens": short,
            "ephemeral_1h_input_tokens": long,
        },
        "output_tokens": output,
        "service_tier": "standard",
    }
    if thinking is not None:
        usage["output_tokens_details"] = {"thinking_tokens": thinking}
    return usage


def gemini(prompt, cached, tools, candidates, thoughts):
    counts = {
        "promptTokenCount": prompt,
        "cachedContentTokenCount": cached,
        "toolUsePromptTokenCount": tools,
        "candidatesTokenCount": candidates,
        "thoughtsTokenCount": thoughts,
    }
    told = {name: count for name, count in counts.items() if count}  # proto3: zeros are left out
    return {**told, "totalTokenCount": prompt + tools + candidates + thoughts}
