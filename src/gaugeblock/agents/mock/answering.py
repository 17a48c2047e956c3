"""From an answer of the script to what goes over the wire."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from gaugeblock.agents.mock.dialects import Dialect, Event
from gaugeblock.agents.mock.dialects.dialect import Asked, Json, written
from gaugeblock.agents.mock.script import WRONG_ARGUMENTS, Answers, Fault, Say

Drop = Literal["at once", "half-way", "never", "stalled"]

NO_JSON = '{"half": '
"""What stands where JSON was to be."""


@dataclass(frozen=True)
class Wire:
    """What goes back on a connection.

    Attributes:
        status: of HTTP.
        pieces: the body as it is written, piece by piece.
        stream: whether it is one of events.
        drop: what becomes of the connection, where it is not kept.
        answer: whole, as a client that reads it gets it; None where it cannot.
    """

    status: int = 200
    pieces: tuple[bytes, ...] = ()
    stream: bool = False
    drop: Drop | None = None
    answer: Json | None = None

    def headers(self) -> dict[str, str]:
        """Return the headers, with every invitation to try again that a provider knows."""
        kind = "text/event-stream; charset=utf-8" if self.stream else "application/json"
        headers = {"Content-Type": kind, "x-request-id": "req_mock", "request-id": "req_mock"}
        if self.status in (429, 500):
            headers |= {"retry-after": "0", "retry-after-ms": "1", "x-should-retry": "true"}
        return headers


def refusal(dialect: Dialect, status: int, message: str) -> Wire:
    """Return an HTTP error in a dialect's words."""
    return Wire(status, _halved(written(dialect, dialect.error(status, message))))


def wire(
    dialect: Dialect, answer: Answers, number: int, asked: Asked, body: Json, key: str
) -> Wire:
    """Return what goes back for one answer of the script.

    Args:
        dialect: of the request.
        answer: what to say.
        number: of the request.
        asked: what the address asks for.
        body: of the request.
        key: that came with it; an answer of 401 quotes it, as some servers do.
    """
    if isinstance(answer, Say):
        return _sent(dialect, dialect.answer(answer, number, asked.model, body), asked, body)
    if answer.kind.startswith("http-"):
        status = int(answer.kind.removeprefix("http-"))
        said = f"Incorrect API key provided: {key}." if status == 401 else "As the script says."
        return refusal(dialect, status, said)
    if answer.kind == "drop":
        return Wire(drop="at once")
    if answer.kind == "hang":
        return Wire(drop="never")
    return _spoilt(dialect, answer, number, asked, body)


def _spoilt(dialect: Dialect, fault: Fault, number: int, asked: Asked, body: Json) -> Wire:
    kind, say = fault.kind, fault.say
    if kind in WRONG_ARGUMENTS:
        tool = dialect.tools(body)[0]
        say = replace(say, calls=((tool, {}),), raw_arguments=WRONG_ARGUMENTS[kind])
    answer = dialect.answer(say, number, asked.model, body)
    if kind == "missing-usage":
        dialect.drop_usage(answer)
    elif kind == "inconsistent-totals":
        dialect.unbalance(answer)
    elif kind == "empty":
        dialect.emptied(answer)
    elif kind == "error-in-body":
        failed = dialect.failed(answer, body, stream=asked.stream)
        if isinstance(failed, list):
            return Wire(pieces=_lines(dialect, failed), stream=True)
        return Wire(pieces=_halved(written(dialect, failed)))
    sent = _sent(dialect, answer, asked, body, usage_repeated=kind == "usage-repeated")
    if kind == "drop-mid-body":
        return replace(sent, drop="half-way", answer=None)
    if kind == "hang-mid-body":
        return replace(sent, drop="stalled", answer=None)
    if kind in ("malformed-json", "cut-short"):
        return _broken(dialect, sent, cut_short=kind == "cut-short")
    return sent


def _sent(
    dialect: Dialect, answer: Json, asked: Asked, body: Json, *, usage_repeated: bool = False
) -> Wire:
    if not asked.stream:
        return Wire(pieces=_halved(written(dialect, answer)), answer=answer)
    events = dialect.events(answer, body, usage_repeated=usage_repeated)
    return Wire(pieces=_lines(dialect, events), stream=True, answer=answer)


def _broken(dialect: Dialect, sent: Wire, *, cut_short: bool) -> Wire:
    """Return an answer that ends politely and cannot be read."""
    half = sent.pieces[: len(sent.pieces) // 2]
    if cut_short:
        return replace(sent, pieces=half, answer=None)
    last = _lines(dialect, [Event(NO_JSON)]) if sent.stream else (NO_JSON.encode(),)
    return replace(sent, pieces=(*half, *last) if sent.stream else last, answer=None)


def _halved(text: str) -> tuple[bytes, ...]:
    body = text.encode()
    middle = len(body) // 2
    return body[:middle], body[middle:]


def _lines(dialect: Dialect, events: list[Event]) -> tuple[bytes, ...]:
    return tuple(_line(dialect, event) for event in events)


def _line(dialect: Dialect, event: Event) -> bytes:
    data = event.data if isinstance(event.data, str) else written(dialect, event.data)
    name = f"event: {event.name}\n" if event.name else ""
    return f"{name}data: {data}\n\n".encode()
