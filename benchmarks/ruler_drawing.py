"""What a full drawing sheet costs: A3, dimensioned, as SVG, PDF, PNG and DXF, the worker warm.

Ours is the whole way of a file: read and its features recognised in the sandboxed worker, views and
a section projected and checked, sizes chosen and placed without collisions, four formats written,
the finished sheet measured again. Seconds on the clock, least of the rounds, and processor seconds
of worker and command together, their median: the clock tells little where others share the machine.

Peer: build123d's `project_to_viewport` of the same views in this process, written by `ExportSVG`
and `ExportDXF`: lines alone, no dimension, no check. In processor time, round by round, after
reading the file. `views`: what four views of the same file take by `gaugeblock render`, s.

    python benchmarks/ruler_drawing.py [--repeat 3] [--real]
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from build123d import (
    Align,
    Axis,
    Box,
    CounterBoreHole,
    Cylinder,
    ExportDXF,
    ExportSVG,
    LineType,
    Part,
    Plane,
    Pos,
    SlotOverall,
    Solid,
    chamfer,
    export_step,
    extrude,
    fillet,
)
from OCP.TopAbs import TopAbs_FACE
from ruler_facts import REAL, write_parts
from ruler_views import whole

from gaugeblock.cli.draw import DPI, FORMATS, _content
from gaugeblock.ruler import Ruler
from gaugeblock.ruler.drawing.client import DrawOptions
from gaugeblock.ruler.drawing.reading_back import match, own_dimensions
from gaugeblock.ruler.drawing.sheet import Sheet
from gaugeblock.ruler.explore import explore
from gaugeblock.ruler.reading import read_step, silence

PARTS = ("bracket 20", "plate 60", "plate 111")


class Metered(Ruler):
    """A ruler that keeps what its last job used of the processor, s."""

    cpu_s = 0.0

    def _run(self, *job: Any) -> Any:
        answer = super()._run(*job)
        self.cpu_s = answer.cpu_s
        return answer


def housing() -> Any:
    """Return a milled block: pockets, steps, slots, bosses, holes of four kinds, chamfers."""
    low = (Align.CENTER, Align.CENTER, Align.MIN)
    part: Part = Box(160, 100, 40, align=low)
    part = chamfer(part.edges().filter_by(Axis.Z), 5)
    for x in (-1, 1):
        part -= Pos(x * 75, 0, 30) * Box(10, 100, 10, align=low)
    part -= pocket(70, 46, 25, 8, (0, 0, 15))
    part += [Pos(x, 0, 15) * Cylinder(9, 12, align=low) for x in (-18, 18)]
    part -= [Pos(x, 0, 17) * Cylinder(4, 10, align=low) for x in (-18, 18)]
    bore = Cylinder(3, 8, align=low)
    slot = extrude(SlotOverall(24, 8), 40)
    part -= [Pos(x, 0, 0) * slot.rotate(Axis.Z, 90) for x in (-50, 50)]
    for place in [Pos(x, y, 40) for x in (-60, -20, 20, 60) for y in (-38, 38)]:
        part -= place * CounterBoreHole(3.3, 5.5, 6, 40)
    part -= [Pos(x, y, 0) * Cylinder(2.5, 40, align=low) for x in (-40, 0, 40) for y in (-38, 38)]
    part -= [Pos(x, y, 18) * Cylinder(2, 12, align=low) for x in (-75, 75) for y in (-30, 0, 30)]
    for side in (-1, 1):
        face = Plane((0, side * 50, 0), x_dir=(1, 0, 0), z_dir=(0, -side, 0))
        part -= [face * Pos(x, side * 20, 0) * bore for x in (-45, 45)]
        face = Plane((side * 80, 0, 0), x_dir=(0, 1, 0), z_dir=(-side, 0, 0))
        part -= [face * Pos(y, -side * 12, 0) * bore for y in (-30, 30)]
    part -= pocket(60, 20, 6, 4, (0, 0, 0))
    return part


def pocket(long: float, wide: float, deep: float, corner: float, at: tuple[float, ...]) -> Any:
    """Return what a pocket with round corners takes away, mm."""
    block = Box(long, wide, deep, align=(Align.CENTER, Align.CENTER, Align.MIN))
    return Pos(*at) * fillet(block.edges().filter_by(Axis.Z), corner)


def draw(ruler: Metered, path: Path, folder: Path) -> tuple[float, float, Sheet, float]:
    """Return seconds on the clock and of the processor of a sheet in four formats, the sheet, and
    the share of its sizes that are measured again.
    """
    start, used = time.perf_counter(), time.process_time()
    sheet = ruler.draw(path, DrawOptions(format="A3"))
    found = match(sheet, own_dimensions(sheet))
    for suffix in FORMATS:
        (folder / f"sheet.{suffix}").write_bytes(_content(sheet, suffix, DPI[0]))
    clock = time.perf_counter() - start
    share = found.match if found.match is not None else 0.0
    return clock, time.process_time() - used + ruler.cpu_s, sheet, share


def peer(path: Path, sheet: Sheet, folder: Path) -> float:
    """Return the processor seconds of build123d for the sheet's views as SVG and DXF."""
    parts = [Solid(solid.shape) for solid in read_step(str(path)).solids]
    part = parts[0] if len(parts) == 1 else Part(parts)
    middle = part.bounding_box().center()
    start = time.process_time()
    for view in (v for v in sheet.views if not v.id.startswith("detail")):
        camera = view.camera
        eye = tuple(c + 1e4 * d for c, d in zip(middle, camera.direction, strict=True))
        visible, hidden = part.project_to_viewport(eye, camera.up, middle)
        drawing = ExportSVG()
        plan = ExportDXF()
        for layer, line, shapes in (
            ("hidden", LineType.ISO_DASH, hidden),
            ("visible", LineType.CONTINUOUS, visible),
        ):
            drawing.add_layer(layer, line_type=line)
            drawing.add_shape(shapes, layer=layer)
            plan.add_layer(layer, line_type=line)
            plan.add_shape(shapes, layer=layer)
        drawing.write(folder / f"{view.id}.svg")
        plan.write(folder / f"{view.id}.dxf")
    return time.process_time() - start


def row(ruler: Metered, path: Path, folder: Path, repeat: int, compare: bool) -> str:
    """Measure one file and return its line."""
    rounds = []
    for _ in range(repeat):
        clock, own, sheet, share = draw(ruler, path, folder)
        rounds.append((clock, own, peer(path, sheet, folder) if compare else float("nan")))
    faces = sum(len(explore(s.shape, TopAbs_FACE)) for s in read_step(str(path)).solids)
    clock = min(r[0] for r in rounds)
    own, theirs = (statistics.median(r[i] for r in rounds) for i in (1, 2))
    ratio = statistics.median(r[1] / r[2] for r in rounds)
    views = min(whole(ruler, path, folder) for _ in range(repeat))
    return (
        f"{path.stem:22} {faces:5} {len(sheet.dims):5} {len(sheet.views):5} {share:6.3f} "
        f"{clock:7.2f} {own:7.2f} {theirs:7.2f} {ratio:6.2f} {views:6.2f}"
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--real", action="store_true", help="the real files too")
    options = parser.parse_args()
    silence()
    with tempfile.TemporaryDirectory() as name, Metered() as ruler:
        folder = Path(name)
        paths = options.files
        if not paths:
            milled = folder / "housing.step"
            export_step(housing(), str(milled))
            paths = [milled, *(p for p in write_parts(folder) if p.stem in PARTS)]
        ruler.warm_up()
        print(
            f"{'file':22} faces  dims views  match clock s   cpu s  peer s  ratio views s",
            flush=True,
        )
        for path in paths:
            print(row(ruler, path, folder, options.repeat, True), flush=True)
        for path in sorted(REAL.glob("*.st*p")) if options.real else []:
            print(row(ruler, path, folder, 1, False), flush=True)


if __name__ == "__main__":
    main()
