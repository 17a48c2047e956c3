"""What all facts of a file cost, beside the least that any reader of it must pay.

Bare: OCP read, BRepCheck and default volume of the whole shape's solids. Ours: `measure_fd`,
everything. Both in this process, warm, one after the other in each round; ratios are taken round by
round and their medians printed, of wall time and of processor time, which other load on the machine
disturbs less. Prints one line a file: median processor times in ms, the median ratios, and where
ours goes. `--sandbox` adds the median wall time
in ms of the same file through the sandboxed worker.

    python benchmarks/ruler_facts.py [--repeat 7] [--sandbox] [files...]
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from OCP.BRepAdaptor import BRepAdaptor_Curve
from OCP.BRepAlgoAPI import BRepAlgoAPI_Cut, BRepAlgoAPI_Fuse
from OCP.BRepCheck import BRepCheck_Analyzer
from OCP.BRepFilletAPI import BRepFilletAPI_MakeFillet
from OCP.BRepGProp import BRepGProp
from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox, BRepPrimAPI_MakeCylinder
from OCP.gp import gp_Ax2, gp_Dir, gp_Pnt
from OCP.GProp import GProp_GProps
from OCP.ShapeUpgrade import ShapeUpgrade_UnifySameDomain
from OCP.STEPControl import STEPControl_AsIs, STEPControl_Reader, STEPControl_Writer
from OCP.TopAbs import TopAbs_EDGE, TopAbs_SOLID
from OCP.TopoDS import TopoDS

from gaugeblock.ruler.explore import explore
from gaugeblock.ruler.facts.measuring import measure_fd
from gaugeblock.ruler.reading import silence

REAL = Path(__file__).resolve().parents[2] / "shared" / "data" / "step"


def cylinder(radius: float, height: float, x: float, y: float, z: float) -> Any:
    """Return an upright cylinder, mm."""
    axes = gp_Ax2(gp_Pnt(x, y, z), gp_Dir(0, 0, 1))
    return BRepPrimAPI_MakeCylinder(axes, radius, height).Shape()


def plate(columns: int, rows: int) -> Any:
    """Return a plate with columns × rows through holes: 6 faces more than holes."""
    shape = BRepPrimAPI_MakeBox(10.0 * columns + 10, 10.0 * rows + 10, 8.0).Shape()
    for i in range(columns):
        for j in range(rows):
            shape = BRepAlgoAPI_Cut(shape, cylinder(3, 10, 10 * i + 10, 10 * j + 10, -1)).Shape()
    return shape


def shaft(steps: int) -> Any:
    """Return a stepped shaft: 2 × steps + 1 faces."""
    shape = cylinder(5, 10, 0, 0, 0)
    for i in range(1, steps):
        tool = cylinder(5 + 3 * (i % 5) + 0.1 * i, 10, 0, 0, 10 * i)
        shape = BRepAlgoAPI_Fuse(shape, tool).Shape()
    return shape


def bracket() -> Any:
    """Return an angle bracket with six holes and filleted edges along y."""
    shape = BRepAlgoAPI_Fuse(
        BRepPrimAPI_MakeBox(80.0, 60.0, 8.0).Shape(), BRepPrimAPI_MakeBox(8.0, 60.0, 50.0).Shape()
    ).Shape()
    for x in (25, 45, 65):
        for y in (15, 45):
            shape = BRepAlgoAPI_Cut(shape, cylinder(4, 20, x, y, -5)).Shape()
    tidy = ShapeUpgrade_UnifySameDomain(shape, True, True, False)
    tidy.Build()
    fillet = BRepFilletAPI_MakeFillet(tidy.Shape())
    for item in explore(tidy.Shape(), TopAbs_EDGE):
        edge = TopoDS.Edge(item)
        curve = BRepAdaptor_Curve(edge)
        if curve.GetType().name == "GeomAbs_Line" and abs(curve.Line().Direction().Y()) > 0.9:
            fillet.Add(1.0, edge)
    return fillet.Shape()


def write_parts(folder: Path) -> list[Path]:
    """Write the elementary parts; their names end with the number of faces."""
    box = BRepPrimAPI_MakeBox(120.0, 80.0, 40.0).Shape()
    parts = {
        "box 6": box,
        "shaft 11": shaft(5),
        "bracket 20": bracket(),
        "plate 23": plate(17, 1),
        "shaft 31": shaft(15),
        "plate 60": plate(9, 6),
        "plate 111": plate(15, 7),
        "plate 119": plate(113, 1),
        "plate 234": plate(19, 12),
    }
    paths = []
    for name, shape in parts.items():
        path = folder / f"{name}.step"
        writer = STEPControl_Writer()
        writer.Transfer(shape, STEPControl_AsIs)
        writer.Write(str(path))
        paths.append(path)
    return paths


Seconds = tuple[float, float]
"""Wall and processor time."""


def since(start: Seconds) -> Seconds:
    """Return the seconds since `start`."""
    return time.perf_counter() - start[0], time.process_time() - start[1]


def bare(path: Path) -> Seconds:
    """Return the seconds of read + BRepCheck + default volume."""
    start = (time.perf_counter(), time.process_time())
    reader = STEPControl_Reader()
    reader.ReadFile(str(path))
    reader.TransferRoots()
    for solid in explore(reader.OneShape(), TopAbs_SOLID):
        BRepCheck_Analyzer(solid).IsValid()
        BRepGProp.VolumeProperties_s(solid, GProp_GProps())
    del reader, solid  # freeing them counts on both sides
    return since(start)


def ours(path: Path) -> tuple[Seconds, dict[str, float]]:
    """Return the seconds of all facts, in total and by step."""
    start = (time.perf_counter(), time.process_time())
    with path.open("rb") as file:
        found = measure_fd(file.fileno(), path.name, None)
    return since(start), found.timings


def sandboxed(ruler: Any, path: Path) -> float:
    """Return the seconds of one measurement through the warm sandboxed worker."""
    start = time.perf_counter()
    ruler.measure(path)
    return time.perf_counter() - start


def row(path: Path, repeat: int, ruler: Any) -> str:
    """Measure one file `repeat` times each way and return its line."""
    bare(path)
    ours(path)
    least, best, steps = [], [], []
    for _ in range(repeat):
        least.append(bare(path))
        seconds, timings = ours(path)
        best.append(seconds)
        steps.append(timings)
    wall, processor = (
        statistics.median(b[i] / a[i] for a, b in zip(least, best, strict=True)) for i in (0, 1)
    )
    middle = {
        step: statistics.median(timings.get(step, 0.0) for timings in steps) for step in steps[0]
    }
    total = statistics.median(b[0] for b in best)
    where = ", ".join(
        f"{step} {100 * part / total:.0f} %"
        for step, part in sorted(middle.items(), key=lambda item: -item[1])
        if part > 0.03 * total
    )
    times = [1e3 * statistics.median(t[1] for t in each) for each in (least, best)]
    line = f"{path.stem:28} {times[0]:8.1f} {times[1]:8.1f} {wall:6.2f} {processor:6.2f}"
    if ruler is not None:
        ruler.measure(path)
        line += f" {1e3 * statistics.median(sandboxed(ruler, path) for _ in range(repeat)):8.1f}"
    return f"{line}  {where}"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--repeat", type=int, default=7)
    parser.add_argument("--sandbox", action="store_true")
    options = parser.parse_args()
    silence()
    ruler: Any = None
    if options.sandbox:
        from gaugeblock.ruler import Ruler

        ruler = Ruler()
    with tempfile.TemporaryDirectory() as folder:
        files = options.files or [*write_parts(Path(folder)), *sorted(REAL.glob("*.st*p"))]
        sandbox = "  sandbox" if options.sandbox else ""
        print(
            f"{'part, faces or file':28} {'bare ms':>8} {'ours ms':>8}   wall    cpu{sandbox}  ours"
        )
        for path in files:
            print(row(path, options.repeat, ruler), flush=True)
    if ruler is not None:
        ruler.close()


if __name__ == "__main__":
    main()
