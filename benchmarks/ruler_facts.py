"""What all facts of a file cost, beside the least that any reader of it must pay.

Bare: OCP read, BRepCheck and default volume of each solid. Ours: `measure_fd`, everything. Both in
this process, warm, alternating; the fastest of a few runs of each, so that other load on the
machine counts little. Prints one line a file: both times in s, their ratio, and where ours goes.

    python benchmarks/ruler_facts.py [--repeat 5] [files...]
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from OCP.BRepCheck import BRepCheck_Analyzer
from OCP.BRepGProp import BRepGProp
from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox
from OCP.GProp import GProp_GProps
from OCP.STEPControl import STEPControl_AsIs, STEPControl_Reader, STEPControl_Writer
from OCP.TopAbs import TopAbs_SOLID

from gaugeblock.ruler.explore import explore
from gaugeblock.ruler.facts import measure_fd
from gaugeblock.ruler.worker import warm_up

REAL = Path(__file__).resolve().parents[2] / "shared" / "data" / "step"


def bare(path: Path) -> float:
    """Return the seconds of read + BRepCheck + default volume."""
    start = time.perf_counter()
    reader = STEPControl_Reader()
    reader.ReadFile(str(path))
    reader.TransferRoots()
    for solid in explore(reader.OneShape(), TopAbs_SOLID):
        BRepCheck_Analyzer(solid).IsValid()
        BRepGProp.VolumeProperties_s(solid, GProp_GProps())
    return time.perf_counter() - start


def ours(path: Path) -> tuple[float, dict[str, float]]:
    """Return the seconds of all facts, in total and by step."""
    start = time.perf_counter()
    with path.open("rb") as file:
        found = measure_fd(file.fileno(), path.name, None)
    return time.perf_counter() - start, found.timings


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    warm_up()
    with tempfile.TemporaryDirectory() as folder:
        box = Path(folder) / "box.step"
        writer = STEPControl_Writer()
        writer.Transfer(BRepPrimAPI_MakeBox(120.0, 80.0, 40.0).Solid(), STEPControl_AsIs)
        writer.Write(str(box))
        files = options.files or [box, *sorted(REAL.glob("*.st*p"))]
        print(f"{'file':30} {'bare':>7} {'ours':>7} {'ratio':>6}  where ours goes")
        for path in files:
            least, best, steps = float("inf"), float("inf"), {}
            for _ in range(options.repeat):
                least = min(least, bare(path))
                seconds, timings = ours(path)
                if seconds < best:
                    best, steps = seconds, timings
            where = ", ".join(
                f"{step} {100 * part / best:.0f} %"
                for step, part in sorted(steps.items(), key=lambda item: -item[1])
                if part > 0.03 * best
            )
            print(f"{path.name:30} {least:7.3f} {best:7.3f} {best / least:6.2f}  {where}")


if __name__ == "__main__":
    main()
