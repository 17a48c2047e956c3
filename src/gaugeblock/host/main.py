"""Start the CAD host: open the document, have a sandbox, serve MCP until the client leaves."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from gaugeblock.host.document import DocumentState, read_document
from gaugeblock.host.kernel import ENTRY, PROGRAM_S, ROOMS, Kernel
from gaugeblock.records.errors import WrongUse
from gaugeblock.sandbox import SandboxUnavailable, WarmServer


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
    """

    document: Path
    workspace: Path
    sandbox_socket: Path | None = None
    http: str | None = None
    unsafe: bool = False
    program_s: float = PROGRAM_S


def make_sandbox(*, unsafe: bool) -> WarmServer:
    """Return the (not yet started) warm server that the host's programs run in."""
    return WarmServer(entry=ENTRY, rooms=ROOMS, name="host", unsafe=unsafe)


def serve(options: HostOptions, version: str) -> None:
    """Serve until the client closes the connection.

    Raises:
        WrongUse: the document cannot be opened, the address is no address, or no sandbox can
            be had and ``unsafe`` was not given.
    """
    where = _address(options.http)
    options.workspace.mkdir(parents=True, exist_ok=True)
    exists = options.document.exists()
    saved = read_document(options.document) if exists else DocumentState()
    if options.sandbox_socket is not None:
        _serve(options, version, saved, options.sandbox_socket, where)
        return
    sandbox = make_sandbox(unsafe=options.unsafe)
    try:
        sandbox.start()
    except SandboxUnavailable as error:
        raise WrongUse(f"{error}; or run with --unsafe, which is recorded") from error
    try:
        _serve(options, version, saved, sandbox.socket_path, where)
    finally:
        sandbox.close()


def _serve(
    options: HostOptions,
    version: str,
    saved: DocumentState,
    socket: Path,
    where: tuple[str, int] | None,
) -> None:
    # Imported only now: the sandbox warms up beside this import.
    from gaugeblock.host.server import make_server
    from gaugeblock.host.session import Session

    kernel = Kernel(socket, options.program_s)
    session = Session(kernel, options.document, options.workspace, saved)
    server = make_server(session, version)
    if where is None:
        server.run("stdio")
    else:
        server.run("streamable-http", host=where[0], port=where[1])


def _address(text: str | None) -> tuple[str, int] | None:
    if text is None:
        return None
    host, _, port = text.rpartition(":")
    if not host or not port.isdigit() or not 0 < int(port) < 65536:
        raise WrongUse(f"--http {text}: give HOST:PORT, such as 127.0.0.1:8765")
    return host, int(port)
