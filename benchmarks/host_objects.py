"""How long the object tools make an agent wait, beside the same work done by build123d itself.

Run it on an idle machine: ``.venv/bin/python benchmarks/host_objects.py``. Times are wall time in
ms, over stdio, as any MCP client would see them, and beside them the mean processor time of the
host and its sandbox, which a busy machine stretches less; each tool is called on shapes it has not
met before. The peer makes the same shape in its own process and asks it for what a commit needs:
validity, volume, area, centroid and box.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import anyio
import build123d
import psutil
from mcp import ClientSession
from mcp.client.stdio import StdioServerParameters, stdio_client

ROUNDS = 12
"""Calls of each tool after the first, which is left out: it meets cold pages of the fork."""
SIMPLE_MS = 20.0
"""What a simple tool may take, warm."""
LOOK_MS = 100.0
"""What a look at, or a step back in, a document of 200 objects may take."""
OBJECTS = 200

SIMPLE = ("box", "cylinder", "cone", "sphere", "torus", "extrude", "revolve", "move", "rotate")
SIMPLE += ("mirror", "rename", "appearance", "visibility", "delete")

Arguments = dict[str, Any]
Times = dict[str, list[tuple[float, float]]]
"""By tool: wall and processor time of each call, ms."""


def calls(n: int) -> Iterator[tuple[str, Arguments]]:
    """Yield one round: every tool once, with sizes of this round alone."""
    at, size = [40.0 * n, 0.0, 0.0], 10 + n / 10
    disc = {"kind": "circle", "centre": [60 + n, 10], "radius": 5}
    yield "box", {"name": f"box {n}", "size": [size, 20, 30], "at": at}
    yield "cylinder", {"name": f"cylinder {n}", "radius": size, "height": 30, "at": at}
    yield "cone", {"name": f"cone {n}", "radius": size, "top_radius": 2, "height": 30}
    yield "sphere", {"name": f"sphere {n}", "radius": size}
    yield "torus", {"name": f"torus {n} a", "radius": size, "tube_radius": 2}
    rectangle = {"kind": "rectangle", "size": [size, 20], "corner_radius": 2}
    sketch = {"plane": "XZ", "outline": rectangle}
    yield "extrude", {"name": f"extrusion {n}", "sketch": sketch, "distance": 5}
    sketch = {"plane": "XZ", "outline": disc}
    yield "revolve", {"name": f"ring {n}", "sketch": sketch, "axis": "v"}
    path = [[0, 0, 0], [100 + n, 0, 0], [100 + n, 80, 0]]
    profile = {"outline": {"kind": "circle", "radius": 4}}
    yield "sweep", {"name": f"pipe {n}", "profile": profile, "path": path, "bend_radius": 20}
    sections = [{"at": 0, "outline": disc}, {"at": 20 + n, "outline": {**disc, "radius": 8}}]
    yield "loft", {"name": f"loft {n}", "plane": "XY", "sections": sections, "ruled": True}
    yield "fillet", {"object": f"box {n}", "radius": 2, "edges": {"parallel": "Z"}}
    yield "chamfer", {"object": f"box {n}", "length": 1, "edges": {"side": "bottom"}}
    yield "shell", {"object": f"box {n}", "thickness": 1, "open": {"side": "top"}}
    yield "move", {"objects": [f"cylinder {n}"], "by": [size, 0, 25]}
    tools = {"target": f"box {n}", "tools": [f"cylinder {n}"]}
    yield "boolean", {"operation": "union", **tools}
    yield "rotate", {"objects": [f"cone {n}"], "axis": "X", "angle": 10 + n}
    yield "mirror", {"objects": [f"cone {n}"], "plane": "YZ", "at": n}
    pattern = {"object": f"sphere {n}", "count": 5, "combine": True}
    yield "linear_pattern", {**pattern, "step": [100, 0, 0]}
    yield "polar_pattern", {"object": f"torus {n} a", "count": 3, "axis": "Z", "about": [90, 0, n]}
    yield "rename", {"object": f"cone {n}", "name": f"funnel {n}"}
    yield "appearance", {"objects": [f"funnel {n}"], "colour": "#204060"}
    yield "visibility", {"objects": [f"funnel {n}"], "visible": False}
    yield "delete", {"objects": [f"loft {n}", f"pipe {n}", f"ring {n}", f"extrusion {n}"]}
    yield "inspect_object", {"object": f"box {n}"}
    yield "measure_between", {"first": f"box {n}", "second": f"funnel {n}"}


def peer(n: int) -> Iterator[tuple[str, Callable[[], build123d.Solid]]]:
    """Yield how build123d makes the shapes of some of the calls."""
    size = 10 + n / 10
    yield "box", lambda: build123d.Solid.make_box(size, 20, 30)
    yield "cylinder", lambda: build123d.Solid.make_cylinder(size, 30)
    yield "cone", lambda: build123d.Solid.make_cone(size, 2, 30)
    yield "sphere", lambda: build123d.Solid.make_sphere(size)
    yield "torus", lambda: build123d.Solid.make_torus(size, 2)


def asked_for(solid: build123d.Solid) -> tuple[Any, ...]:
    """Return what every commit tells of an object."""
    facts = solid.is_valid, solid.volume, solid.area, solid.center(), solid.bounding_box()
    return facts


async def timed(client: ClientSession, tool: str, arguments: Arguments) -> tuple[float, float]:
    """Call a tool that must succeed; return how long it took on the wall and on processors, ms."""
    spent, begun = processor_s(), time.perf_counter()
    answer = await client.call_tool(tool, arguments)
    took = time.perf_counter() - begun
    if answer.is_error:
        raise SystemExit(f"{tool} was rejected: {answer.content}")
    return took * 1000, (processor_s() - spent) * 1000


def processor_s() -> float:
    """Return the processor time of the host and all its processes so far, s."""
    total = 0.0
    for process in psutil.Process().children(recursive=True):
        try:
            times = process.cpu_times()
        except psutil.NoSuchProcess:
            continue
        total += times.user + times.system
    return total


async def measure() -> tuple[Times, Times]:
    """Return the times of each tool, and of looks at a document of 200 objects."""
    tools: Times = {}
    looks: Times = {}
    with tempfile.TemporaryDirectory() as folder:
        line = ["-m", "gaugeblock", "host", "--tools", "objects", "--workspace", folder]
        server = StdioServerParameters(
            command=sys.executable,
            args=[*line, "--document", str(Path(folder) / "document.json")],
            cwd=folder,
        )
        async with stdio_client(server) as (read, write), ClientSession(read, write) as client:
            await client.initialize()
            for n in range(ROUNDS + 1):
                for tool, arguments in calls(n):
                    took = await timed(client, tool, arguments)
                    if n:
                        tools.setdefault(tool, []).append(took)
            listed = await client.call_tool("list_objects", {})
            assert listed.structured_content is not None
            count = len(listed.structured_content["objects"])
            for number in range(count, OBJECTS):
                made = {"name": f"more {number}", "size": [5, 5, 5], "at": [0, 9 * number, 0]}
                await timed(client, "box", made)
            for number in range(ROUNDS):
                for tool, arguments in looking(number):
                    took = await timed(client, tool, arguments)
                    looks.setdefault(tool, []).append(took)
    return tools, looks


def looking(n: int) -> Iterator[tuple[str, Arguments]]:
    """Yield what an agent does in a full document."""
    yield "list_objects", {}
    yield "inspect_object", {"object": f"more {OBJECTS - 1 - n}"}
    yield "measure", {}
    yield "move", {"objects": [f"more {OBJECTS - 1 - n}"], "by": [n + 1, 0, 0]}
    yield "undo", {}
    yield "redo", {}
    yield "save", {}


def row(
    what: str, times: list[tuple[float, float]], limit: float | None, peers: list[float] | None
) -> bool:
    """Print one line; return whether the limit is met."""
    walls = [wall for wall, _ in times]
    middle, largest = statistics.median(walls), max(walls)
    processor = statistics.fmean(spent for _, spent in times)
    met = limit is None or middle <= limit
    said = "" if limit is None else f"≤ {limit:g}: {'met' if met else 'MISSED'}"
    beside = "" if not peers else f"{processor / statistics.fmean(peers):.1f} × build123d"
    print(
        f"{what:<18} {middle:>8.1f} {largest:>8.1f} {processor:>10.1f} {len(times):>4}  {said:<14} "
        f"{beside}"
    )
    return met


def main() -> None:
    """Measure and print; exit 1 where a limit is missed."""
    bare: dict[str, list[float]] = {}
    for n in range(ROUNDS + 1):
        for tool, make in peer(n):
            begun = time.process_time()
            asked_for(make())
            if n:
                bare.setdefault(tool, []).append((time.process_time() - begun) * 1000)
    tools, looks = anyio.run(measure)
    print(f"{'ms':<18} {'median':>8} {'max':>8} {'processor':>10} {'n':>4}")
    met = [
        row(tool, times, SIMPLE_MS if tool in SIMPLE else None, bare.get(tool))
        for tool, times in tools.items()
    ]
    print(f"with {OBJECTS} objects:")
    met += [row(tool, times, LOOK_MS, None) for tool, times in looks.items()]
    raise SystemExit(0 if all(met) else 1)


if __name__ == "__main__":
    main()
