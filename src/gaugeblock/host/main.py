"""Start the CAD host: have a sandbox, open the document, serve MCP until the client leaves."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NoReturn

from gaugeblock.records.errors import WrongUse
from gaugeblock.sandbox import SandboxUnavailable, WarmServer

# The rest is imported only once the sandbox warms up beside it: that takes the longest.

ENTRY = "gaugeblock.host.worker"
ROOMS = ("sandbox", "host/worker")
PROGRAM_S = 60.0
"""Wall time of one program run (suite growth's bound)."""
TERMINATED = 128 + signal.SIGTERM
"""The shell's own exit code for a process that was told to end."""


@dataclass(frozen=True)
class HostOptions:
    """How one host process runs.

    Attributes:
        document: file of the document; it is opened if it exists, and ``save`` writes it.
        workspace: folder that ``export_step`` writes to.
        sandbox_socket: socket of a warm sandbox server started by somebody else; None starts
            an own one, which imports build123d while MCP is already being served.
        http: ``host:port`` to serve streamable HTTP; None serves stdio.
        unsafe: go on where no sandbox can be had.
        program_s: wall time of one program, s.
        tools: which tools are shown: all, program or objects.
    """

    document: Path
    workspace: Path
    sandbox_socket: Path | None = None
    http: str | None = None
    unsafe: bool = False
    program_s: float = PROGRAM_S
    tools: Literal["all", "program", "objects"] = "all"


def make_sandbox(*, unsafe: bool, lean: bool = False) -> WarmServer:
    """Return the (not yet started) warm server that the host's programs run in.

    Args:
        unsafe: whether it starts where no sandbox can be had.
        lean: whether programs see of the system only what libraries load.
    """
    return WarmServer(entry=ENTRY, rooms=ROOMS, name="host", unsafe=unsafe, lean=lean)


def serve(options: HostOptions, version: str) -> None:
    """Serve until the client closes the connection.

    Raises:
        WrongUse: the document or the workspace cannot be opened, the address is no address or
            taken, or no sandbox can be had and ``unsafe`` was not given.
    """
    where = _address(options.http)
    if options.sandbox_socket is not None:
        _serve(options, version, options.sandbox_socket, where)
        if threading.active_count() > 1:  # a call that the client did not wait for
            sys.stderr.flush()
            os._exit(0)  # its job ends with this process's connection to the sandbox
        return
    sandbox = make_sandbox(unsafe=options.unsafe)
    try:
        sandbox.start()
    except SandboxUnavailable as error:
        raise WrongUse(f"{error}; or run with --unsafe, which is recorded") from error
    except ValueError as error:
        raise WrongUse(str(error)) from error
    signal.signal(signal.SIGTERM, _ending(sandbox.close))
    try:
        _serve(options, version, sandbox.socket_path, where)
    finally:
        sandbox.close()


def _serve(
    options: HostOptions, version: str, sandbox: Path, where: tuple[str, int] | None
) -> None:
    from gaugeblock.host.document import DocumentState, read_document

    exists = options.document.exists()
    saved = read_document(options.document) if exists else DocumentState()
    _make_workspace(options.workspace)

    from gaugeblock.host.kernel import Kernel
    from gaugeblock.host.server import HostServer
    from gaugeblock.host.session import Session
    from gaugeblock.host.toolsets import shown

    session = Session(
        Kernel(sandbox, options.program_s), options.document, options.workspace, saved
    )
    server = HostServer(session, shown(options.tools), version)
    if where is None:
        server.run("stdio")
        return
    print(f"gaugeblock: serving http://{options.http}/mcp", file=sys.stderr, flush=True)
    server.run("streamable-http", host=where[0], port=where[1])


def _ending(close: Callable[[], None]) -> Callable[..., NoReturn]:
    """Return a signal handler that takes the sandbox along; its folder would stay otherwise."""

    def end(*_: object) -> NoReturn:
        close()
        os._exit(TERMINATED)

    return end


def _make_workspace(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WrongUse(f"--workspace {folder}: cannot be made ({error.strerror})") from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise WrongUse(f"--workspace {folder}: cannot be written; give a folder that can")


def _address(text: str | None) -> tuple[str, int] | None:
    if text is None:
        return None
    host, _, port = text.rpartition(":")
    if not host or not (port.isascii() and port.isdigit()) or not 0 < int(port) < 65536:
        raise WrongUse(f"--http {text}: give HOST:PORT, such as 127.0.0.1:8765")
    host = host.removeprefix("[").removesuffix("]")
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        with socket.create_server((host, int(port)), family=family):
            pass  # free now; a server that found it taken would say so in a page of its own
    except OSError as error:
        raise WrongUse(f"--http {text}: cannot be served ({error.strerror})") from error
    return host, int(port)
