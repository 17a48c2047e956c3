"""The server: real HTTP on loopback, so that what is proven holds for what is sent."""

from __future__ import annotations

import json
import select
import socket
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from gaugeblock.agents.mock.answering import Wire, refusal, wire
from gaugeblock.agents.mock.continuation import Turn, continuation_faults
from gaugeblock.agents.mock.dialects import DIALECTS
from gaugeblock.agents.mock.script import MODEL_PREFIX, Answers

KEY_HEADERS = ("authorization", "x-api-key", "x-goog-api-key", "api-key")
"""Headers that carry a key, by provider."""

HIDDEN = "(a key)"
"""Stands in the record for a key's value, which is never kept."""

POLL_S = 0.01
"""How soon the server, or an answer that hangs, sees that it is to end, s."""


@dataclass(frozen=True)
class Received:
    """A request as it came.

    Attributes:
        path: without its query, where a key could stand.
        dialect: by the address; empty where it is none's.
        headers: lower-case names; the values of keys are replaced.
        body: its bytes.
        parsed: the body's JSON; empty where it is no object.
        has_key: whether a key came.
    """

    path: str
    dialect: str
    headers: dict[str, str]
    body: bytes
    parsed: dict[str, Any]
    has_key: bool


class MockProvider:
    """Answers requests from a script, in the order they come, and notes them.

    Use as a context manager; leaving it ends every answer under way. Models of other names than
    ``mock-…`` are unknown to it (404); when the script is over it answers 500.
    """

    def __init__(self, answers: Sequence[Answers] = ()) -> None:
        """Prepare a server.

        Args:
            answers: what to say, one a request.
        """
        self._answers = list(answers)
        self._turns: list[Turn] = []
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._server: _Server | None = None
        self._thread: threading.Thread | None = None
        self.received: list[Received] = []

    def __enter__(self) -> MockProvider:
        """Listen on a free port of 127.0.0.1."""
        self._server = _Server(self)
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": POLL_S}, daemon=True
        )
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        """Stop, also in the middle of an answer."""
        self._closing.set()
        if self._server is not None and self._thread is not None:
            self._server.shutdown()
            self._thread.join()
            self._server.hang_up()
            self._server.server_close()

    @property
    def calls(self) -> int:
        """How many requests were on the wire, whatever became of them."""
        with self._lock:
            return len(self.received)

    @property
    def left(self) -> int:
        """How many answers of the script were not asked for."""
        with self._lock:
            return len(self._answers)

    def url(self, dialect: str) -> str:
        """Return the base address to give to the dialect's SDK."""
        if self._server is None:
            raise RuntimeError("the mock provider is not open")
        return f"http://127.0.0.1:{self._server.server_port}{DIALECTS[dialect].base}"

    def check_continuation(self, conversations: int = 1, *, exact: bool = False) -> list[str]:
        """Return what did not come back as it was sent; see `continuation`.

        Args:
            conversations: how many there were.
            exact: whether white space between tokens and escapes count as well.
        """
        with self._lock:
            return continuation_faults(self._turns, conversations, exact=exact)

    def take(self, target: str, headers: dict[str, str], body: bytes) -> Wire:
        """Note a request and return what goes back."""
        split = urlsplit(target)
        try:
            parsed = json.loads(body)
        except ValueError:
            parsed = None
        found = parsed if isinstance(parsed, dict) else {}
        name, asked = "", None
        for dialect in DIALECTS.values():
            asked = dialect.asked(split.path, split.query, found)
            if asked is not None:
                name = dialect.name
                break
        key = next((headers[name] for name in KEY_HEADERS if headers.get(name)), "")
        has_key = bool(key) or "key=" in split.query
        shown = {k: HIDDEN if k in KEY_HEADERS else value for k, value in headers.items()}
        with self._lock:
            self.received.append(Received(split.path, name, shown, body, found, has_key))
            number = len(self.received)
            if asked is None:
                return Wire(404)
            dialect = DIALECTS[name]
            if parsed is not found:
                return refusal(dialect, 400, "the body is no JSON object")
            if not asked.model.startswith(MODEL_PREFIX):
                return refusal(dialect, 404, f"no model named {asked.model}")
            if not self._answers:
                return refusal(dialect, 500, "script is over")
            said = wire(dialect, self._answers.pop(0), number, asked, found, key.split(" ")[-1])
            self._turns.append(Turn(number, name, body, said.answer))
            return said

    def wait_for_end(self, connection: socket.socket) -> None:
        """Wait until the client leaves or the server closes."""
        while not self._closing.is_set():
            readable, _, _ = select.select([connection], [], [], POLL_S)
            if readable:
                try:
                    if not connection.recv(1):
                        return
                except OSError:
                    return


class _Server(ThreadingHTTPServer):
    """Serves one provider; knows its connections, so that it can hang up."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, provider: MockProvider) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.provider = provider
        self._connections: set[socket.socket] = set()

    def process_request(self, request: Any, client_address: Any) -> None:
        """Note the connection and serve it on a thread."""
        self._connections.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        """Close a connection that was served."""
        self._connections.discard(request)
        super().shutdown_request(request)

    def hang_up(self) -> None:
        """End the connections that are still open."""
        for connection in tuple(self._connections):
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: a client that leaves is what is tested."""


class _Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def do_POST(self) -> None:
        """Answer as the script says."""
        provider = self.server.provider
        headers = {name.lower(): value for name, value in self.headers.items()}
        body = self._body(headers)
        said = provider.take(self.path, headers, body)
        if said.drop == "at once":
            self.close_connection = True
            return
        if said.drop == "never":
            provider.wait_for_end(self.connection)
            self.close_connection = True
            return
        pieces, streamed = said.pieces, said.stream
        self.send_response(said.status)
        for name, value in said.headers().items():
            self.send_header(name, value)
        if streamed:
            self.send_header("Transfer-Encoding", "chunked")
        else:
            self.send_header("Content-Length", str(sum(map(len, pieces))))
        self.end_headers()
        sent = len(pieces) if said.drop is None else len(pieces) // 2
        for piece in pieces[:sent]:
            self.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece) if streamed else piece)
        if said.drop is not None:
            if said.drop == "stalled":
                provider.wait_for_end(self.connection)
            self.close_connection = True
        elif streamed:
            self.wfile.write(b"0\r\n\r\n")

    do_GET = do_POST  # any request is noted, also one that no dialect has

    def _body(self, headers: dict[str, str]) -> bytes:
        if headers.get("transfer-encoding", "").lower() == "chunked":
            body = b""
            while size := int(self.rfile.readline().split(b";")[0], 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
            return body
        return self.rfile.read(int(headers.get("content-length") or 0))

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""
