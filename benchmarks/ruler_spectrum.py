"""What a spectrum costs, beside reading the file, and a sheet's match beside the spectrum.

A 33-face bracket, a 234-face plate, and all STEP files of a folder, each in this process. Ours:
`spectrum_fd`, everything from reading on. Bare: `read_step` of the same file alone. Prints wall and
processor seconds, the ratio of the latter, where ours goes, and what a sheet of 30 values and the
random-hit rate take.

    python benchmarks/ruler_spectrum.py [FOLDER] [--repeat 3]
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from build123d import export_step
from ruler_overlap import bracket, plate

from gaugeblock.records.spectrum import SheetDimension, Spectrum
from gaugeblock.ruler.reading import read_step
from gaugeblock.ruler.spectrum.chance import random_hits
from gaugeblock.ruler.spectrum.matching import match_sheet
from gaugeblock.ruler.spectrum.taking import spectrum_fd
from gaugeblock.ruler.worker import warm_up

VALUES = 30
"""Of the sheet: a crowded drawing of one part."""


def timed(work: Callable[[], Any], repeat: int) -> tuple[float, float, Any]:
    """Return the least wall and processor seconds of several runs, and the last answer."""
    wall, spent, answer = float("inf"), float("inf"), None
    for _ in range(repeat):
        start, before = time.perf_counter(), time.process_time()
        answer = work()
        wall = min(wall, time.perf_counter() - start)
        spent = min(spent, time.process_time() - before)
    return wall, spent, answer


def taken(path: Path) -> Spectrum:
    """Return the spectrum of a file."""
    with path.open("rb") as file:
        return spectrum_fd(file.fileno(), path.name, None)


def sheet_of(spectrum: Spectrum) -> list[SheetDimension]:
    """Return a sheet of values spread over all that a body has."""
    kinds = {"plane-distance": "length", "diameter": "diameter", "radius": "radius"}
    found = [d for d in spectrum.dimensions if d.kind in kinds and 0.5 <= d.value <= 4000]
    return [
        SheetDimension(label=str(i), type=kinds[d.kind], value=d.value, count=d.serves)
        for i, d in enumerate(found[:: max(1, len(found) // VALUES)][:VALUES])
    ]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    warm_up()
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for name, make in (("bracket", bracket), ("plate", plate)):
            paths.append(Path(folder) / f"{name}.step")
            export_step(make(0.0), str(paths[-1]))
        paths += sorted(options.folder.glob("*.st*p")) if options.folder else []
        for path in paths:
            _, floor, _ = timed(lambda path=path: read_step(str(path)), options.repeat)
            wall, ours, found = timed(lambda path=path: taken(path), options.repeat)
            _, matched, match = timed(
                lambda found=found: match_sheet(found, sheet_of(found)), options.repeat
            )
            _, chance, hits = timed(lambda found=found: random_hits(found), options.repeat)
            places = sum(d.count for d in found.dimensions)
            where = sorted(found.timings.items(), key=lambda item: -item[1])[:4]
            rates = " / ".join(
                f"{100 * rate:.1f}"
                for rate in (hits.length, hits.diameter, hits.radius, hits.angle)
            )
            print(
                f"{path.name}: {wall:.2f} s, {ours:.2f} s of processor, {ours / floor:.1f} ×"
                f" reading; {len(found.dimensions)} dimensions at {places} places; "
                + ", ".join(f"{step} {seconds:.2f}" for step, seconds in where)
                + f"; sheet of {match.asked}: {matched:.3f} s, recall {match.recall};"
                f" chance {rates} %: {chance:.3f} s"
            )


if __name__ == "__main__":
    main()
