"""One request over an official SDK's client: our bytes out, its bytes back, one call on the wire.

The SDKs build address, authorisation and connection. They are not left to write the body or to read
the answer: both would change what they carry (order of keys, spelling of numbers, fields that a
version does not know), and signatures of providers do not survive that.
"""

from __future__ import annotations

import functools
import json
import ssl
import time
import unicodedata
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

import httpx2

from gaugeblock.agents.api.provider import WireFailed
from gaugeblock.agents.api.secrecy import Cover

PLAIN = "identity"
"""The content coding that is none."""

HEADERS = (
    "host",
    "accept",
    "accept-encoding",
    "connection",
    "content-length",
    "content-type",
    "user-agent",
)
"""All that is sent of the SDKs' headers. The rest tells of this machine (platform, architecture,
runtime), repeats counters of retries there are none of, or comes out of environment variables."""

QUOTED_CHARS = 300
"""Characters of a provider's error that are quoted: enough to know what it means."""

LOOKED_AT_CHARS = 20_000
"""Characters of a text that are looked at for a line of it: all that an error body may have, and
no work worth a name."""

MOST_ANSWER_BYTES = 32 * 2**20
"""Of an answer that is read. Today's largest ceiling of output tokens, 128,000, streamed one an
event of some 250 bytes."""

MOST_ERROR_BYTES = 16 * 1024
"""Of an error's body that are read: it is quoted in one line."""


@dataclass(frozen=True)
class Received:
    """An answer as it came.

    Attributes:
        status: of HTTP.
        texts: the body; of a stream the data of each event.
        first_s: sent → first piece of the answer itself, where it was streamed, s.
    """

    status: int
    texts: tuple[str, ...]
    first_s: float | None = None


@functools.cache
def certificates() -> ssl.SSLContext:
    """Return what servers' certificates are checked against; reading it takes a while."""
    return httpx2.create_ssl_context(trust_env=False)


class PlainClient(httpx2.AsyncClient):
    """The HTTP under an SDK.

    It takes no proxy and no certificate store from the environment, follows no redirect (that
    would be a second call) and has no time-out of its own: the loop's holds for the whole answer.
    """

    def __init__(self, own_headers: Mapping[str, str]) -> None:
        """Make a client.

        Args:
            own_headers: what a request carries beside `HEADERS`, such as the key.
        """
        super().__init__(
            verify=certificates(), trust_env=False, timeout=None, follow_redirects=False
        )
        self._own_headers = dict(own_headers)

    async def send(self, request: httpx2.Request, **how: Any) -> httpx2.Response:
        """Send a request with no other headers than it needs; its answer can only be so large.

        Nothing packed is asked for or read: a few bytes of it unpack to any size.

        Raises:
            WireFailed: the answer is packed all the same.
        """
        kept = {name: request.headers[name] for name in HEADERS if name in request.headers}
        kept["accept-encoding"] = PLAIN
        request.headers = httpx2.Headers(kept | self._own_headers)
        response = await super().send(request, **how)
        packing = response.headers.get("content-encoding", PLAIN)
        if packing.strip().lower() not in ("", PLAIN):
            await response.aclose()
            status = response.status_code
            told = f"HTTP {status}: the body is packed ({packing}), which was not asked for"
            raise WireFailed(told, status)
        if isinstance(response.stream, httpx2.AsyncByteStream):
            response.stream = _Bounded(response.stream, response.status_code, response.is_success)
        return response


class _Bounded(httpx2.AsyncByteStream):
    """A body that ends: an answer's with a failure, an error's without a word."""

    def __init__(self, stream: httpx2.AsyncByteStream, status: int, answers: bool) -> None:
        self._stream = stream
        self._status = status
        self._answers = answers

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = MOST_ANSWER_BYTES if self._answers else MOST_ERROR_BYTES
        async for piece in self._stream:
            if len(piece) > left:
                if self._answers:
                    raise WireFailed(
                        f"the answer has more than {MOST_ANSWER_BYTES:,} bytes", self._status
                    )
                yield piece[:left]
                return
            left -= len(piece)
            yield piece

    async def aclose(self) -> None:
        await self._stream.aclose()


class Wire:
    """Sends bodies and reads answers, streamed or not."""

    def __init__(
        self,
        post: Callable[[bytes], Awaitable[httpx2.Response]],
        errors: tuple[type[Exception], ...],
        piece: str | None,
    ) -> None:
        """Make a wire.

        Args:
            post: sends a body and returns the response, its own body unread.
            errors: what the SDK raises.
            piece: answers are streamed, and an event whose data has this in it carries a piece of
                the answer; None: not streamed.
        """
        self._post = post
        self._errors: tuple[type[Exception], ...] = (
            *errors,
            httpx2.HTTPError,
            httpx2.StreamError,
        )
        self._piece = piece

    async def send(self, body: bytes) -> Received:
        """Send a body, once, and return the whole answer.

        Raises:
            WireFailed: an HTTP error, or no whole answer.
        """
        begun = time.monotonic()
        status = None
        try:
            response = await self._post(body)
            status = response.status_code
            try:
                return await self._read(response, begun)
            finally:
                await response.aclose()
        except self._errors as error:
            raise _failed(error, status) from None

    async def _read(self, response: httpx2.Response, begun: float) -> Received:
        if self._piece is None:
            content = await response.aread()
            try:
                return Received(response.status_code, (content.decode("utf-8"),))
            except UnicodeDecodeError:
                raise WireFailed("the answer is not UTF-8", response.status_code) from None
        first: float | None = None
        texts = []
        async for event in httpx2.EventSource(response, max_event_size=None):
            if first is None and self._piece in event.data:
                first = time.monotonic() - begun
            texts.append(event.data)
        return Received(response.status_code, tuple(texts), first)


def one_line(text: str, key: str | None = None) -> str:
    """Return a text as one short line without control characters and without the key."""
    seen = _spaced(text[:LOOKED_AT_CHARS])
    line = "".join(sign for sign in seen if unicodedata.category(sign)[0] != "C")
    if key and len(text) > LOOKED_AT_CHARS:
        line = line[: -len(key)]  # it may end within the key
    line = " ".join(Cover(key, shortest=1).text(line).split())
    return line if len(line) <= QUOTED_CHARS else line[: QUOTED_CHARS - 1] + "…"


def message_of(body: Any) -> str:
    """Return the message of an error body, whatever its form; all of it where there is none."""
    inner = body[0] if isinstance(body, list) and body else body
    inner = inner.get("error", inner) if isinstance(inner, dict) else inner
    message = inner.get("message") if isinstance(inner, dict) else inner
    return message if isinstance(message, str) and message else json.dumps(body)


def _failed(error: Exception, status: int | None) -> WireFailed:
    response = getattr(error, "response", None)
    if isinstance(response, httpx2.Response):
        try:
            said = message_of(response.json())
        except (ValueError, RecursionError):
            said = response.text
        except httpx2.HTTPError:
            said = "its body did not come"
        status = response.status_code
        return WireFailed(f"HTTP {status}: {said or 'no message'}", status)
    cause = error.__cause__ or error
    if isinstance(cause, WireFailed):
        return cause
    return WireFailed(f"no whole answer: {type(cause).__name__}: {cause}", status)


def _spaced(text: str) -> str:
    """Return a text with its line ends and tabs as spaces, so that words stay apart."""
    return text.translate(dict.fromkeys(map(ord, "\r\n\t\v\f"), " "))
