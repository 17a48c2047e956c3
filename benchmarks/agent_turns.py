"""What our loop costs a turn, beside the bare SDK in the same conversation.

Run it with ``.venv/bin/python benchmarks/agent_turns.py``. Both ask the same mock provider, in a
process of its own, over real HTTP; each answer calls a tool, and the transcript grows. Ours does
all that a trial does: loop, meter with its journal, desk with its journal; the world is one in
memory, so no MCP is in either figure. Times are processor seconds of this process, all threads.
"""

from __future__ import annotations

import multiprocessing as mp
import tempfile
import time
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import anyio

from gaugeblock.agents import ApiAgent, Brief
from gaugeblock.agents.mock import MockProvider, Say
from gaugeblock.agents.mock.world import GOOD_CALL, PROPOSE, MockWorld
from gaugeblock.metering.accounts import Account
from gaugeblock.metering.costs import Tariff
from gaugeblock.metering.meter import Gate, Meter
from gaugeblock.metering.pacing import Pacer
from gaugeblock.records.case import Limits
from gaugeblock.records.prices import PriceRow, Rate
from gaugeblock.records.profile import Pacing, Profile
from gaugeblock.records.store import Journal
from gaugeblock.running.desk import TrialDesk

TURNS = 48
"""As many as suite growth allows."""
BEYOND_MAX_S = 0.003
"""What a turn may cost beyond the SDK: no provider answers within a hundred times of it."""
MODEL = "mock-maker"
KEY = "sk-of-nobody"
TEXT = "Make a part of 12.5 mm."
SAYS = [Say("I change the length.", (GOOD_CALL,))] * TURNS + [Say("Done.")]
SCHEMA: dict[str, Any] = PROPOSE.schema


def serve(pipe: Connection, dialect: str) -> None:
    """Be the provider, in a process of its own, until told to end."""
    with MockProvider(SAYS) as mock:
        pipe.send(mock.url(dialect))
        pipe.recv()


def ours(dialect: str, url: str) -> float:
    """Return our processor time of a whole conversation, s."""
    profile = Profile(
        id="mock",
        label="mock",
        agent="api",
        dialect=dialect,
        provider="mock",
        model=MODEL,
        base_url=url,
    )
    price = Rate(usd_per_mtok="2")
    row = PriceRow(
        provider="mock", model=MODEL, source="bench", source_row=MODEL, input=price, output=price
    )
    row = row.model_copy(update={"cache_read": price})
    limits = Limits(
        wall_s=600, tool_calls=1000, turns=TURNS + 1, program_s=60, evaluation_s=60,
        request_bytes=10_000_000,
    )  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        events, usage = (Path(folder) / name for name in ("events.jsonl", "usage.jsonl"))
        with Journal(events) as journal, Journal(usage) as account:
            meter = Meter(
                profile=profile,
                tariff=Tariff(row, "", date.today().isoformat()),
                accounts=(Account("a", Decimal(100)), Account("b", Decimal(100))),
                gate=Gate(),
                pacer=Pacer(Pacing()),
                round_id="S1",
                journal=account,
            )
            agent = ApiAgent(profile, KEY, meter)
            desk = TrialDesk(MockWorld(), limits, journal)
            begun = time.process_time()
            anyio.run(agent.work, Brief(TEXT, "", limits), desk)
            took = time.process_time() - begun
            assert meter.sent == TURNS + 1
    return took


def bare_openai_responses(url: str) -> None:
    """Hold the conversation with the SDK alone."""
    from openai import OpenAI

    client = OpenAI(api_key=KEY, base_url=url, max_retries=0)
    talk: list[Any] = [{"role": "user", "content": TEXT}]
    tool: Any = {
        "type": "function",
        "name": PROPOSE.name,
        "description": PROPOSE.description,
        "parameters": SCHEMA,
        "strict": False,
    }
    for _ in SAYS:
        answer = client.responses.create(model=MODEL, input=talk, tools=[tool], store=False)
        talk += answer.output
        talk += [
            {"type": "function_call_output", "call_id": item.call_id, "output": "Committed."}
            for item in answer.output
            if item.type == "function_call"
        ]


def bare_anthropic(url: str) -> None:
    """Hold the conversation with the SDK alone."""
    from anthropic import Anthropic

    client = Anthropic(api_key=KEY, base_url=url, max_retries=0)
    talk: list[Any] = [{"role": "user", "content": TEXT}]
    tool: Any = {
        "name": PROPOSE.name,
        "description": PROPOSE.description,
        "input_schema": SCHEMA,
    }
    for _ in SAYS:
        answer = client.messages.create(model=MODEL, max_tokens=8192, messages=talk, tools=[tool])
        results = [
            {"type": "tool_result", "tool_use_id": block.id, "content": "Committed."}
            for block in answer.content
            if block.type == "tool_use"
        ]
        talk += [{"role": "assistant", "content": answer.content}]
        talk += [{"role": "user", "content": results}]


def bare_gemini(url: str) -> None:
    """Hold the conversation with the SDK alone."""
    from google import genai
    from google.genai import types

    client = genai.Client(
        api_key=KEY, http_options=types.HttpOptions(base_url=url, api_version="v1")
    )
    declared = types.FunctionDeclaration(
        name=PROPOSE.name, description=PROPOSE.description, parameters_json_schema=SCHEMA
    )
    config = types.GenerateContentConfig(
        tools=[types.Tool(function_declarations=[declared])],
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
    )
    talk = [types.Content(role="user", parts=[types.Part(text=TEXT)])]
    for _ in SAYS:
        answer = client.models.generate_content(model=MODEL, contents=talk, config=config)
        content = answer.candidates[0].content
        calls = [part.function_call for part in content.parts if part.function_call]
        results = [
            types.Part.from_function_response(name=call.name, response={"output": "Committed."})
            for call in calls
        ]
        talk += [content, types.Content(role="user", parts=results)]


def bare_chat(url: str) -> None:
    """Hold the conversation with the SDK alone."""
    from openai import OpenAI

    client = OpenAI(api_key=KEY, base_url=url, max_retries=0)
    talk: list[Any] = [{"role": "user", "content": TEXT}]
    tool: Any = {
        "type": "function",
        "function": {
            "name": PROPOSE.name,
            "description": PROPOSE.description,
            "parameters": SCHEMA,
        },
    }
    for _ in SAYS:
        answer = client.chat.completions.create(model=MODEL, messages=talk, tools=[tool])
        message = answer.choices[0].message
        talk += [message]
        talk += [
            {"role": "tool", "tool_call_id": call.id, "content": "Committed."}
            for call in message.tool_calls or []
        ]


BARE: dict[str, Callable[[str], None]] = {
    "openai-responses": bare_openai_responses,
    "xai-responses": bare_openai_responses,
    "anthropic-messages": bare_anthropic,
    "gemini-generate-content": bare_gemini,
    "openai-chat": bare_chat,
}


def with_provider(dialect: str, work: Callable[[str], float]) -> float:
    """Return what some work against a fresh provider returns."""
    here, there = mp.Pipe()
    provider = mp.get_context("spawn").Process(target=serve, args=(there, dialect))
    provider.start()
    try:
        return work(here.recv())
    finally:
        here.send("end")
        provider.join()


def bare(dialect: str, url: str) -> float:
    """Return the SDK's own processor time, its import left out, s."""
    __import__({"anthropic-messages": "anthropic", "gemini-generate-content": "google.genai"}.get(
        dialect, "openai"
    ))  # fmt: skip
    begun = time.process_time()
    BARE[dialect](url)
    return time.process_time() - begun


def main() -> None:
    """Print one line a dialect."""
    print(f"{TURNS + 1} turns; ms of processor a turn")
    for dialect in BARE:
        for work in (bare, ours):  # once before: what is built at first use counts for neither
            with_provider(dialect, lambda url, d=dialect, w=work: w(d, url))
        theirs = with_provider(dialect, lambda url, d=dialect: bare(d, url)) / len(SAYS)
        mine = with_provider(dialect, lambda url, d=dialect: ours(d, url)) / len(SAYS)
        beyond = mine - theirs
        said = "within" if beyond <= BEYOND_MAX_S else "OVER"
        print(
            f"{dialect:24} SDK {1e3 * theirs:6.2f}  ours {1e3 * mine:6.2f}  ratio "
            f"{mine / theirs:.2f}  beyond {1e3 * beyond:+.2f} ({said} {1e3 * BEYOND_MAX_S:g})"
        )


if __name__ == "__main__":
    main()
