"""The CAD host as an MCP server: tool names, descriptions and schemas, and how results look."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

import anyio.to_thread
from mcp.server.mcpserver import MCPServer
from mcp.types import CallToolResult, TextContent
from pydantic import Field

from gaugeblock.host.diagnostics import HostFault, PlanRejected
from gaugeblock.host.planning import Expectations
from gaugeblock.host.session import Session

NAME = "gaugeblock-host"

INSTRUCTIONS = """\
A parametric CAD document. Lengths are mm, volumes mm³, angles degrees; Z is up.
The model is made by one program in build123d (Python). read_document first; then propose a
program with named parameters, or set_parameters to change values only. Nothing changes unless a
call answers COMMITTED. A rejected call leaves the document as it was and says what to repair."""

READ_DOCUMENT = """\
Show the whole document: version, parameters with their values, objects (name, solids, volume mm³,
area mm², bounds mm, faces), the program text, and the signatures of the most used functions of
the program language. Takes no arguments. Read it before you plan."""

LOOK_UP = """\
Look up the program language (build123d). Give a name (`CounterBoreHole`, `Plane.offset`) for its
full help, or words (`sweep path`) for a short list. Example: {"query": "GridLocations"}. Help is
free of side effects; look up before you guess a signature."""

PROPOSE = """\
Replace the document's program and parameters, validate, and commit if all is well.
program: build123d code. `from build123d import *` and `import math` are already done. Each
parameter is a plain number under its own name: never assign it in the program. The program must
assign `result`: one shape, or a dict of object name -> shape. No files, no network, no other
packages; at most 64,000 characters, 60 s, 20,000 faces an object.
parameters: name -> number (mm, degrees or a count); these are all parameters of the document from
now on. Whole numbers arrive as integers, so they can drive range().
expectations (optional): what must hold, tested before the commit: solids, names, volume, bounds,
unchanged.
Example: {"program": "result = {'plate': Box(length, 20, 5) - Cylinder(holeDiameter / 2, 5)}",
"parameters": {"length": 40, "holeDiameter": 6}, "expectations": {"solids": 1, "names": ["plate"]}}
On failure the answer is an error with a code (syntax, runtime, timeout, not-valid,
expectation-missed, name-lost, not-conserved, parameter-unknown, no-solid, limit) and what to
repair; the document is unchanged. Correct it and call again."""

SET_PARAMETERS = """\
Change the values of existing parameters, rebuild with the same program, validate and commit.
Cheaper and safer than propose when only values change. Example: {"values": {"cols": 8}}.
Unknown names are rejected (parameter-unknown); other failures as in propose."""

MEASURE = """\
Measure the committed model: each object's solids, volume (mm³), area (mm²), centroid and bounds
(mm), faces and edges, and the totals. Takes no arguments."""

SAVE = """\
Save the document to its file. Takes no arguments. Saving the same version gives the same bytes."""

EXPORT_STEP = """\
Export the committed model as STEP (mm, AP214) with object names and colours into the workspace.
file: a plain name ending in .step, no folders. Example: {"file": "part.step"}."""

Values = Annotated[
    dict[str, int | float],
    Field(description="Parameter name -> number. Names: a letter, then letters, digits or _."),
]
Wanted = Annotated[
    Expectations | None, Field(description="What must hold, or the plan is not committed.")
]


def make_server(session: Session, version: str) -> MCPServer:
    """Return the MCP server over one session."""
    server = MCPServer(name=NAME, version=version, instructions=INSTRUCTIONS, log_level="WARNING")
    call = _Caller(session)

    @server.tool(description=READ_DOCUMENT)
    async def read_document() -> CallToolResult:
        return await call(session.read_document)

    @server.tool(description=LOOK_UP)
    async def look_up(
        query: Annotated[str, Field(description="A name, or words of a description.")],
    ) -> CallToolResult:
        return await call(session.look_up, query)

    @server.tool(description=PROPOSE)
    async def propose(
        program: Annotated[str, Field(description="build123d code that assigns `result`.")],
        parameters: Values,
        expectations: Wanted = None,
    ) -> CallToolResult:
        return await call(session.propose, program, parameters, expectations, head="COMMITTED")

    @server.tool(description=SET_PARAMETERS)
    async def set_parameters(values: Values, expectations: Wanted = None) -> CallToolResult:
        return await call(session.set_parameters, values, expectations, head="COMMITTED")

    @server.tool(description=MEASURE)
    async def measure() -> CallToolResult:
        return await call(session.measure)

    @server.tool(description=SAVE)
    async def save() -> CallToolResult:
        return await call(session.save, head="SAVED")

    @server.tool(description=EXPORT_STEP)
    async def export_step(
        file: Annotated[str, Field(description="Plain file name ending in .step.")],
    ) -> CallToolResult:
        return await call(session.export_step, file, head="EXPORTED")

    return server


class _Caller:
    """Runs a session method in a thread, one at a time, and words its answer."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._lock = threading.Lock()

    async def __call__(
        self, method: Callable[..., dict[str, Any]], *arguments: Any, head: str = ""
    ) -> CallToolResult:
        return await anyio.to_thread.run_sync(partial(self._run, method, arguments, head))

    def _run(
        self, method: Callable[..., dict[str, Any]], arguments: tuple[Any, ...], head: str
    ) -> CallToolResult:
        with self._lock:
            kernel = self._session.kernel
            kernel.start_account()
            try:
                value = method(*arguments)
            except PlanRejected as error:
                spent = kernel.spent.value()
                found = error.diagnostic
                data = {"status": "rejected", **found.value(), "spent": spent}
                return _result(found.text(), data, failed=True)
            except HostFault as error:
                data = {"status": "fault", "message": str(error), "spent": kernel.spent.value()}
                return _result(f"HOST FAULT: {error}", data, failed=True)
            data = {"status": "done", **value, "spent": kernel.spent.value()}
        shown = json.dumps(value, ensure_ascii=False)
        return _result(f"{head} {shown}".strip(), data, failed=False)


def _result(text: str, data: dict[str, Any], *, failed: bool) -> CallToolResult:
    return CallToolResult(
        content=[TextContent(type="text", text=text)], structured_content=data, is_error=failed
    )
