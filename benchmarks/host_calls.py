"""How long the CAD host makes an agent wait, beside what importing build123d alone takes.

Run it on an idle machine: ``.venv/bin/python benchmarks/host_calls.py``. All times are wall time
in s. The first commit counts from the start of a host process with its own sandbox to the answer
of the committed proposal, over stdio, as any MCP client would see it.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
from mcp import ClientSession
from mcp.client.stdio import StdioServerParameters, stdio_client

from gaugeblock.host.kernel import Kernel
from gaugeblock.host.main import make_sandbox
from gaugeblock.suites import load_suite

STARTS = 3
"""Starts whose median is taken; each takes seconds."""
CALLS = 20
RATIO_MAX = 1.5
"""First commit over the bare import: what a host may add to what build123d itself costs."""
CALL_MAX_S = 0.3
"""A warm call: what a person still feels as at once."""
READY_S = 120.0


def bare_import() -> float:
    """Return the time of one process that imports build123d."""
    begun = time.monotonic()
    subprocess.run([sys.executable, "-c", "import build123d"], check=True)
    return time.monotonic() - begun


def reference() -> dict[str, Any]:
    """Return the arguments of suite growth's reference proposal for case S1."""
    suite = load_suite("growth")
    case = suite.case("S1")
    (call,) = suite.script(case, case.rounds[0], "reference").calls
    assert call.tool == "propose"
    return dict(call.arguments)


async def standalone(proposal: dict[str, Any], calls: int) -> tuple[float, float, list[float]]:
    """Start a host; return times to initialize and to the first commit, and of warm calls."""
    with tempfile.TemporaryDirectory() as folder:
        line = ["-m", "gaugeblock", "host", "--document", str(Path(folder) / "document.json")]
        server = StdioServerParameters(
            command=sys.executable, args=[*line, "--workspace", folder], cwd=folder
        )
        begun = time.monotonic()
        async with stdio_client(server) as (read, write), ClientSession(read, write) as client:
            await client.initialize()
            initialized = time.monotonic() - begun
            await commit(client, "propose", proposal)
            first = time.monotonic() - begun
            warm = []
            for number in range(calls):
                values = {"cols": 4 + number % 2}  # each call builds and checks anew
                before = time.monotonic()
                await commit(client, "set_parameters", {"values": values})
                warm.append(time.monotonic() - before)
    return initialized, first, warm


async def commit(client: ClientSession, tool: str, arguments: dict[str, Any]) -> None:
    """Call a tool that must commit."""
    answer = await client.call_tool(tool, arguments)
    if answer.is_error:
        raise SystemExit(f"{tool} was rejected: {answer.content}")


def empty_jobs() -> list[float]:
    """Return the times of a fork with a job that does next to nothing."""
    with make_sandbox(unsafe=False) as sandbox:
        sandbox.wait_ready(READY_S)
        kernel = Kernel(sandbox.socket_path)
        return [timed(lambda: kernel.help("about", {})) for _ in range(CALLS)]


def timed(work: Callable[[], object]) -> float:
    """Return how long a function took."""
    begun = time.monotonic()
    work()
    return time.monotonic() - begun


def row(what: str, figures: list[float], limit: str = "") -> None:
    """Print one line: median, largest, how many, and the limit."""
    middle, largest = statistics.median(figures), max(figures)
    print(f"{what:<46} {middle:>8.3f} {largest:>8.3f} {len(figures):>4}  {limit}")


def main() -> None:
    """Measure and print."""
    proposal = reference()
    bare: list[float] = []
    starts: list[tuple[float, float, list[float]]] = []
    for number in range(STARTS):  # in turns, so that a busy spell of the machine hits both
        bare.append(bare_import())
        calls = CALLS if number == STARTS - 1 else 0
        starts.append(anyio.run(standalone, proposal, calls))
    first = [start[1] for start in starts]
    warm = starts[-1][2]
    ratio = statistics.median(first) / statistics.median(bare)
    met = {True: "met", False: "MISSED"}
    print(f"{'s':<46} {'median':>8} {'max':>8} {'n':>4}  limit")
    row("python -c 'import build123d'", bare)
    row("host started → MCP initialized", [start[0] for start in starts])
    row("host started → first commit (S1 reference)", first)
    row("warm set_parameters", warm, f"max ≤ {CALL_MAX_S} s: {met[max(warm) <= CALL_MAX_S]}")
    row("fork + empty job", empty_jobs())
    print(f"first commit / bare import: {ratio:.2f} (≤ {RATIO_MAX}: {met[ratio <= RATIO_MAX]})")


if __name__ == "__main__":
    main()
