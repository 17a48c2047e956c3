"""What the server needs to know of a provider's wire."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from gaugeblock.agents.mock.script import Say

Json = dict[str, Any]

Block = Json | tuple[str, Any]
"""What must go back: an object, or one member of an object that the client builds itself."""

CREATED_AT = 1_790_000_000
"""Seconds since 1970 in every answer: a mock has no clock."""


@dataclass(frozen=True)
class Event:
    """One event of a stream.

    Attributes:
        data: its JSON, or a word that is none.
        name: the event's type line; empty for none.
    """

    data: Json | str
    name: str = ""


@dataclass(frozen=True)
class Asked:
    """What a dialect makes of a request's address.

    Attributes:
        model: from the body or the address.
        stream: whether a stream is asked for.
    """

    model: str
    stream: bool


class Dialect(Protocol):
    """One provider's wire. Every answer is first built whole; a stream is that answer in pieces."""

    name: str
    base: str
    """What follows the server's address in the base address of the SDK."""
    escapes: bool
    """Whether it writes characters outside ASCII as escapes."""

    def asked(self, path: str, query: str, body: Json) -> Asked | None:
        """Return what is asked for; None where the address is not this dialect's."""
        ...

    def tools(self, body: Json) -> list[str]:
        """Return the names of the tools announced."""
        ...

    def begins(self, body: Json) -> bool:
        """Whether a request begins a conversation: nothing of a model is in it."""
        ...

    def answered(self, body: Json) -> list[str]:
        """Return the ids of the calls whose results a request holds, in order."""
        ...

    def answer(self, say: Say, number: int, model: str, body: Json) -> Json:
        """Return a whole answer.

        Args:
            say: what to say.
            number: of the request on this server; part of all ids.
            model: asked for.
            body: of the request.
        """
        ...

    def events(self, answer: Json, body: Json, *, usage_repeated: bool = False) -> list[Event]:
        """Return an answer as a stream."""
        ...

    def blocks(self, answer: Json) -> Sequence[Block]:
        """Return what must go back untouched, in order."""
        ...

    def call_ids(self, answer: Json) -> list[str]:
        """Return the ids under which the results of the answer's calls must come."""
        ...

    def drop_usage(self, answer: Json) -> None:
        """Take the usage out of an answer."""
        ...

    def unbalance(self, answer: Json) -> None:
        """Make the totals of an answer's usage contradict their parts."""
        ...

    def emptied(self, answer: Json) -> None:
        """Take all content out of an answer."""
        ...

    def error(self, status: int, message: str) -> Json:
        """Return the body of an HTTP error."""
        ...

    def failed(self, answer: Json, body: Json, *, stream: bool) -> Json | list[Event]:
        """Return an answer with status 200 that is an error."""
        ...


def written(dialect: Dialect, value: Any) -> str:
    """Return JSON as a dialect writes it, the same at every depth."""
    return json.dumps(value, ensure_ascii=dialect.escapes)


def halves(text: str) -> list[str]:
    """Return a text in two pieces, one where it is too short, none where it is empty."""
    middle = len(text) // 2
    return [piece for piece in (text[:middle], text[middle:]) if piece]


def as_value(written: str) -> Any:
    """Return arguments for a dialect that carries them as JSON: a string where they are none."""
    try:
        return json.loads(written)
    except ValueError:
        return written


def arguments(say: Say) -> list[tuple[str, str]]:
    """Return the calls with their arguments as a model writes them."""
    calls = [(name, json.dumps(dict(given), ensure_ascii=False)) for name, given in say.calls]
    if say.raw_arguments is not None:
        calls[0] = (calls[0][0], say.raw_arguments)
    return calls
