"""Whether what a provider sent came back as it was.

Asked loosely, two things are no difference: white space between the tokens of JSON, and whether a
character stands as it is or escaped; clients that parse and write again change both. Everything
else is one: the order of an object's members, a member more or less, the spelling of a number, one
character of a text. Asked exactly, the block's own bytes must stand in the request. The mock writes
a value the same way at every depth and in a stream, so those bytes are well defined, also of a text
that a stream gives in pieces.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gaugeblock.agents.mock.dialects import DIALECTS, Dialect
from gaugeblock.agents.mock.dialects.dialect import Block, written

_NUMBER = "\0"
"""Begins a text that stands for a number, so that 1.0 and 1 differ; no text begins so."""


@dataclass(frozen=True)
class Turn:
    """One request and what was answered.

    Attributes:
        number: of the request on the server, from 1.
        dialect: its name.
        body: of the request, as received.
        answer: whole; None where none reached the client.
    """

    number: int
    dialect: str
    body: bytes
    answer: dict[str, Any] | None


def spelt(text: str | bytes) -> str:
    """Return JSON without free white space and free escapes, numbers as they were written.

    Raises:
        ValueError: it is no JSON.
    """

    def kept(number: str) -> str:
        return f"{_NUMBER}{number}"

    value = json.loads(text, parse_int=kept, parse_float=kept, parse_constant=kept)
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def continuation_faults(turns: Sequence[Turn], expected: int, *, exact: bool) -> list[str]:
    """Return what did not come back in the later requests of its conversation.

    Args:
        turns: in the order they happened.
        expected: how many conversations there were: a client that forgets all that was said
            would otherwise only seem to begin a new one.
        exact: whether white space and escapes count.
    """
    found: list[list[Turn]] = []
    for turn in turns:  # a request without a model's words begins a conversation
        if not found or DIALECTS[turn.dialect].begins(json.loads(turn.body)):
            found.append([])
        found[-1].append(turn)
    faults = []
    if len(found) != expected:
        faults.append(f"{len(found)} conversations, {expected} expected")
    for one in found:
        for index, turn in enumerate(one):
            faults += _faults(turn, one[:index], exact) if index else []
    return faults


def _faults(turn: Turn, before: Sequence[Turn], exact: bool) -> list[str]:
    """Return what one request lacks of the answers before it."""
    dialect = DIALECTS[turn.dialect]
    body = turn.body.decode() if exact else spelt(turn.body)
    faults: list[str] = []
    ids: list[str] = []
    at = 0
    for earlier in before:
        if earlier.answer is None:
            continue
        ids += dialect.call_ids(earlier.answer)
        for block in dialect.blocks(earlier.answer):
            pattern, shown = _pattern(dialect, block, exact)
            places = [found.start() for found in pattern.finditer(body)]
            where = f"request {turn.number}: {shown[:60]} of answer {earlier.number}"
            if not places:
                faults.append(f"{where} did not come back as it was")
            elif len(places) > 1:
                faults.append(f"{where} came back {len(places)} times")
            elif places[0] < at:
                faults.append(f"{where} came back out of order")
            else:
                at = places[0]
    answered = dialect.answered(json.loads(turn.body))
    if answered != ids:
        faults.append(f"request {turn.number}: results for {answered}, asked for {ids}")
    return faults


def _pattern(dialect: Dialect, block: Block, exact: bool) -> tuple[re.Pattern[str], str]:
    """Return what finds a block inside a request, and the block's own text.

    Of one member of an object the colon is the client's to write.
    """

    def text(value: Any) -> str:
        return written(dialect, value) if exact else spelt(written(dialect, value))

    if isinstance(block, dict):
        return re.compile(re.escape(text(block))), text(block)
    name, value = map(text, block)
    return re.compile(rf"{re.escape(name)}\s*:\s*{re.escape(value)}"), f"{name}: {value}"
