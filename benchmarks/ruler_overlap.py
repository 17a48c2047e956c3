"""What an aligned, cross-checked overlap costs, beside the kernel's bare common and its volume.

A 33-face bracket and a 234-face plate, each against an edited copy that was turned and shifted, and
against an equal one. Ours: `compare_fds`, everything from reading on. Bare: one common of the pair
(the copy in place), its volume and both bodies', in a child, since booleans start threads. Prints
wall and processor seconds, best and middle, their ratio, and where ours goes. The parts are made in
another process, so that this one is no larger than the ruler's worker, which is forked five times.

    python benchmarks/ruler_overlap.py [--repeat 3]
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from OCP.BRepAlgoAPI import BRepAlgoAPI_Common
from OCP.BRepGProp import BRepGProp
from OCP.GProp import GProp_GProps

from gaugeblock.ruler.overlap.comparing import compare_fds
from gaugeblock.ruler.overlap.forked import Child
from gaugeblock.ruler.reading import read_step
from gaugeblock.ruler.worker import warm_up


def bracket(edit: float) -> Any:
    """An angle bracket of 33 faces; `edit` moves one of its holes, mm."""
    from build123d import Align, Axis, Box, Cylinder, Pos, Rot, fillet

    low, foot = (Align.MIN,) * 3, (Align.CENTER, Align.CENTER, Align.MIN)
    part = Box(80, 50, 8, align=low) + Box(8, 50, 60, align=low)
    part = fillet(part.edges().filter_by(Axis.Z).sort_by(Axis.X)[-2:], 6)
    for x, y in ((25, 10), (25, 40), (50, 10), (50, 40), (70 + edit, 25)):
        part -= Pos(x, y, -1) * Cylinder(3.2, 20, align=foot)
    for y, z in ((10, 25), (40, 25), (10, 48), (40, 48)):
        part -= Pos(-1, y, z) * Rot(0, 90, 0) * Cylinder(2.5, 20, align=foot)
    for x, y in ((25, 10), (50, 40)):
        part -= Pos(x, y, 5) * Cylinder(5, 10, align=foot)
    part -= Pos(60, 14, 4) * Box(4, 10, 10, align=low)
    part -= Pos(35, 20, 4) * Box(8, 12, 10, align=low)
    return part


def plate(edit: float) -> Any:
    """A plate of 234 faces: 112 holes and pockets, a window; `edit` moves one hole, mm."""
    from build123d import Align, Box, Cylinder, Pos

    low, centre = (Align.MIN,) * 3, (Align.CENTER, Align.CENTER, Align.MIN)
    tools = [Pos(22.4, 26, -1) * Box(4, 4, 30, align=centre)]
    for i in range(14):
        for j in range(8):
            x, y = 12 + 20.8 * i, 14 + 24 * j
            if i % 3 == 1 and j % 4 in (1, 3) and i < 11:
                tools.append(Pos(x, y, 10) * Box(12, 9, 20, align=centre))
            else:
                x += edit if (i, j) == (5, 4) else 0.0
                foot = -1 if (i + j) % 2 else 8
                tools.append(Pos(x, y, foot) * Cylinder(3 + 0.1 * (i % 4), 30, align=centre))
    return Box(300, 200, 20, align=low) - tools


def write(folder: Path) -> dict[str, int]:
    """Write all files and return the parts' numbers of faces."""
    from build123d import Pos, Rot, export_step

    turn = Pos(7, -14, 3.5) * Rot(20, 35, 50)
    faces = {}
    for name, make in (("bracket", bracket), ("plate", plate)):
        faces[name] = len(make(0.0).faces())
        for kind, shape in (
            ("given", make(0.0)),
            ("edited", make(2.0)),
            ("edited, turned", turn * make(2.0)),
            ("equal, turned", turn * make(0.0)),
        ):
            export_step(shape, str(folder / f"{name} {kind}.step"))
    return faces


def bare(a: Path, b: Path) -> tuple[float, float]:
    """Return wall and processor seconds of a common and three volumes."""

    def work() -> dict[str, Any]:
        one, other = (read_step(str(path)).solids[0].shape for path in (a, b))
        start, spent = time.perf_counter(), time.process_time()
        common = BRepAlgoAPI_Common(one, other).Shape()
        for shape in (one, other, common):
            BRepGProp.VolumeProperties_s(shape, GProp_GProps())
        return {"wall": time.perf_counter() - start, "cpu": time.process_time() - spent}

    answer = Child(work, 300.0).result()
    if isinstance(answer, str):
        raise SystemExit(f"bare: {answer}")
    return answer["wall"], answer["cpu"]


def ours(a: Path, b: Path) -> tuple[float, float, Any]:
    """Return wall seconds, processor seconds (children included) and the record."""
    before = os.times()
    start = time.perf_counter()
    with a.open("rb") as one, b.open("rb") as other:
        fds = (one.fileno(), other.fileno())
        found = compare_fds(fds, ("a", "b"), ("a", "b"), True, 300.0)
    wall = time.perf_counter() - start
    after = os.times()
    spent = sum(after[i] - before[i] for i in range(4))
    return wall, spent, found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            faces = pool.apply(write, (folder,))
        warm_up()
        print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
        for part, number in faces.items():
            given, edited = (folder / f"{part} {kind}.step" for kind in ("given", "edited"))
            floor = min(bare(given, edited) for _ in range(options.repeat))
            print(f"{part}, {number} faces: bare common + volumes {floor[0]:.2f} s")
            for kind in ("edited, turned", "equal, turned"):
                runs = [ours(given, folder / f"{part} {kind}.step") for _ in range(options.repeat)]
                print(row(kind, runs, floor[0]))


def row(kind: str, runs: list[tuple[float, float, Any]], floor: float) -> str:
    """Return one pair's line."""
    wall, spent, found = min(runs, key=lambda run: run[0])
    middle = statistics.median(run[0] for run in runs)
    where = sorted(found.timings.items(), key=lambda item: -item[1])[:6]
    return (
        f"  {kind}: best {wall:.2f}, middle {middle:.2f} s ({spent:.2f} s of processor), "
        f"{wall / floor:.1f} × bare; IoU {found.aligned.iou} {found.aligned.method}; "
        + ", ".join(f"{step} {seconds:.2f}" for step, seconds in where)
    )


if __name__ == "__main__":
    main()
