"""What the conversations of all dialects have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Annotated, Any

import anyio
from pydantic import PlainValidator, ValidationError

from gaugeblock.agents.api.body import Body
from gaugeblock.agents.api.provider import Call, Reply, WireFailed
from gaugeblock.agents.api.raw_json import Twice, parse
from gaugeblock.agents.api.secrecy import Cover
from gaugeblock.agents.api.wire import Received, Wire, message_of, one_line
from gaugeblock.metering.costs import Size
from gaugeblock.metering.meter import Answer
from gaugeblock.worlds.protocol import ToolResult

STREAM_END = "[DONE]"
"""The last event of streams in OpenAI's dialects; the only one that is no JSON."""

MOST_TEXT_CHARS = 4 * 2**20
"""Of one JSON text: an answer, an event, or an answer put together from a stream. Today's largest
ceiling of output tokens, 128,000, is written in one or two million; while the parser is at one text
nothing else runs, no time limit either."""

USAGES = ("usage", "usageMetadata")
"""Members of an answer under which its usage stands."""

USAGE_HOLDERS = ("message", "response")
"""Members of a stream's event in which the usage may stand (Anthropic's, OpenAI's Responses)."""


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("should be a text")
    return value


Text = Annotated[str, PlainValidator(_text)]
"""A text of the model's. Half a surrogate pair is let pass, which a plain `str` would not: streams
cut between the halves, and models write anything."""


@dataclass(frozen=True)
class Heard:
    """What a dialect reads in an answer.

    Attributes:
        turn: how the answer stands in the next request, as JSON; empty: not at all.
        finish: why the model ended, in the provider's word.
        model: that answered.
        usage: as received.
        text: what the model says.
        calls: the tools it asks for.
        cut_off: it ended at the ceiling of output tokens.
        reported_cost_usd: what the provider says it cost.
        service_tier: that served it, where it is told beside the usage.
        usage_fault: why there is a usage that cannot be believed; then it is not given.
    """

    turn: str
    finish: str | None
    model: str | None
    usage: dict[str, Any] | None
    text: str
    calls: tuple[Call, ...]
    cut_off: bool
    reported_cost_usd: Decimal | None = None
    service_tier: str | None = None
    usage_fault: str = ""


class WiredConversation(ABC):
    """Sends its body, has the dialect read the answer, and keeps what must go back."""

    def __init__(
        self,
        wire: Wire,
        body: Body,
        key: str | None,
        stream: bool,
        close: Callable[[], Awaitable[None]],
    ) -> None:
        """Begin a conversation.

        Args:
            wire: to the provider.
            body: with the user's message.
            key: kept out of every message.
            stream: answers come in pieces.
            close: closes the connection.
        """
        self._wire = wire
        self._body = body
        self._key = key
        self._cover = Cover(key)
        self._stream = stream
        self._close = close

    def size(self) -> Size:
        """Return how large the next request will be."""
        return self._body.size()

    async def send(self) -> Reply:
        """Send the next request, exactly once, and keep the answer.

        Raises:
            WireFailed: there is no usable answer.
        """
        try:
            received = await self._wire.send(self._body.whole())
            # Away from the event loop, so that no answer, however long, holds up a time limit.
            turn, reply = await anyio.to_thread.run_sync(
                self._understand, received, abandon_on_cancel=True
            )
        except WireFailed as failure:
            raise WireFailed(one_line(str(failure), self._key), failure.status) from None
        if turn:
            self._body.add(turn)
        return reply

    async def close(self) -> None:
        """Close the connection."""
        await self._close()

    @abstractmethod
    def results(self, answered: Sequence[tuple[Call, ToolResult]]) -> None:
        """Put the tools' answers into the conversation, in the order of the calls."""

    @abstractmethod
    def _read(self, text: str, whole: dict[str, Any]) -> Heard:
        """Read an answer.

        Args:
            text: as it came, or as it was put together from a stream.
            whole: the same, parsed.

        Raises:
            ValueError: it is not what the provider's answers look like.
            WireFailed: it says that it failed.
        """

    @abstractmethod
    def _assemble(self, events: list[tuple[str, dict[str, Any]]]) -> str:
        """Put a streamed answer together as if it had not been streamed.

        Args:
            events: text and the same parsed, in order; none is an error; nothing is parsed of
                `STREAM_END`.

        Raises:
            ValueError: the events are not what the provider's streams look like, or the last ones
                are missing.
        """

    def _understand(self, received: Received) -> tuple[str, Reply]:
        """Return what goes back to the provider, as it wrote it, and the reply without the key.

        The one place through which everything passes that is kept of an answer.
        """
        heard = self._hear(received)
        hide = self._cover
        answer = Answer(
            raw_usage=hide.value(heard.usage),
            model=hide.value(heard.model),
            finish=hide.value(heard.finish),
            http_status=received.status,
            reported_cost_usd=heard.reported_cost_usd,
            first_token_s=received.first_s,
            service_tier=hide.value(heard.service_tier),
            usage_fault=hide.text(heard.usage_fault),
        )
        calls = tuple(
            replace(
                call,
                name=hide.text(call.name),
                arguments=hide.value(call.arguments),
                written=hide.text(call.written),
                fault=hide.text(call.fault),
            )
            for call in heard.calls
        )
        return heard.turn, Reply(answer, hide.text(readable(heard.text)), calls, heard.cut_off)

    def _hear(self, received: Received) -> Heard:
        try:
            wholes = [{} if text == STREAM_END else _object(text) for text in received.texts]
            if self._stream:
                text = self._assemble(list(zip(received.texts, wholes, strict=True)))
                heard = self._read(text, _object(text))
            else:
                heard = self._read(received.texts[0], wholes[0])
            fault = next(filter(None, map(usage_fault, wholes)), "")
            if not fault:
                return heard
            return replace(heard, usage=None, reported_cost_usd=None, usage_fault=fault)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            fault = f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
        except ValueError as error:
            fault = str(error)
        raise WireFailed(f"malformed answer: {fault}", received.status)


def asked(
    call_id: str, name: str, written: str, *, parsed: Any = None, cut_short: bool = False
) -> Call:
    """Return a tool call as a model made it.

    Args:
        call_id: the provider's id.
        name: the tool.
        written: the arguments as the model wrote them.
        parsed: the same, where the provider sends them as JSON.
        cut_short: the answer ended within this call.
    """
    name = readable(name)
    if cut_short:
        return Call(call_id, name, None, written, "the call was cut off at the output ceiling")
    try:
        arguments = parse(written) if parsed is None else parsed
    except ValueError as error:
        return Call(call_id, name, None, written, f"the arguments are no JSON: {error}")
    if not isinstance(arguments, dict):
        return Call(call_id, name, None, written, "the arguments are no JSON object")
    return Call(call_id, name, arguments, written)


def readable(text: str) -> str:
    """Return a text that can be written down: half a surrogate pair becomes a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8")


def usage_fault(whole: dict[str, Any]) -> str:
    """Return why nobody knows what an answer, or an event of a stream, says of its usage.

    Of a key written twice a parser takes the last without a word: one of the two counts is wrong.
    """
    for holder in (whole, *(whole.get(name) for name in USAGE_HOLDERS)):
        if not isinstance(holder, dict):
            continue
        again = [name for key in USAGES for name in _twice(holder.get(key))]
        if isinstance(holder, Twice):
            again += sorted(holder.names & {*USAGE_HOLDERS, *USAGES})
        if again:
            return f"the usage is not clear: {again[0][:40]!r} is written twice"
    return ""


def _twice(value: Any) -> Iterator[str]:
    """Yield the keys that are written twice anywhere in a value."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, Twice):
            yield from sorted(item.names)
        if isinstance(item, (dict, list)):
            waiting += item.values() if isinstance(item, dict) else item


def _object(text: str) -> dict[str, Any]:
    """Return a JSON object that is no error.

    Raises:
        ValueError: it is none.
        WireFailed: it is an error, whatever the status said, or larger than any answer.
    """
    if len(text) > MOST_TEXT_CHARS:
        told = f"a JSON text of {len(text):,} characters, {MOST_TEXT_CHARS:,} are the most"
        raise WireFailed(f"the answer has {told}", 200)
    value = parse(text)
    if isinstance(value, dict):
        if value.get("type") == "error" or value.get("error"):
            raise WireFailed(f"the answer is an error: {message_of(value)}", 200)
        return value
    raise ValueError("not an object")
