"""What the views of a part cost, beside build123d's own line drawings of the same part.

Peer: build123d's `project_to_viewport` and `ExportSVG` (the same hidden-line removal of the kernel,
its result drawn as it comes), four views. Ours: lines read edge by edge, outlines on their
surfaces, no line twice, as SVG, the same four views. Both in this process, warm, one after the
other in each round; ratios of processor time are taken round by round and their medians printed.
`all` is the whole way of a file through the warm sandboxed worker, in s on the clock: exact lines
checked by triangles, four SVG and four PNG of 800 pixels; `--real` adds the real files there.

    python benchmarks/ruler_views.py [--repeat 3] [--real]
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from build123d import ExportSVG, LineType, Solid
from ruler_facts import REAL, write_parts

from gaugeblock.cli import render
from gaugeblock.ruler import Ruler
from gaugeblock.ruler.reading import read_step, silence
from gaugeblock.ruler.views.cameras import CAMERAS, USUAL
from gaugeblock.ruler.views.hidden_lines import exact_lines
from gaugeblock.ruler.views.projection import Projection
from gaugeblock.ruler.views.svg import svg
from gaugeblock.ruler.views.taking import _diagonal

PARTS = ("bracket 20", "plate 60", "plate 111")


def peer(shape: Any, folder: Path) -> None:
    """Draw four views with build123d."""
    part = Solid(shape)
    middle = part.bounding_box().center()
    for name in USUAL:
        camera = CAMERAS[name]
        eye = tuple(c + 1e4 * d for c, d in zip(middle, camera.direction, strict=True))
        visible, hidden = part.project_to_viewport(eye, camera.up, middle)
        drawing = ExportSVG()
        drawing.add_layer("hidden", line_type=LineType.ISO_DASH)
        drawing.add_layer("visible")
        drawing.add_shape(hidden, layer="hidden")
        drawing.add_shape(visible, layer="visible")
        drawing.write(folder / f"{name}.svg")


def ours(shape: Any, diagonal: float, folder: Path) -> None:
    """Draw four views with the ruler."""
    for name in USUAL:
        curves = exact_lines([shape], CAMERAS[name], diagonal, 1e-5 * diagonal).curves
        view = Projection(
            camera=CAMERAS[name],
            curves=tuple(curves),
            method="exact",
            tolerance=1e-5 * diagonal,
            check=None,
            seconds=0.0,
        )
        (folder / f"{name}.svg").write_text(svg(view, name, []).text, encoding="utf-8")


def processor(work: Callable[[], None]) -> float:
    """Return the processor time of `work` in s."""
    start = time.process_time()
    work()
    return time.process_time() - start


def whole(ruler: Ruler, path: Path, folder: Path) -> float:
    """Return the seconds of a file's way to eight pictures, the worker being warm."""
    start = time.perf_counter()
    wanted = [render._View(CAMERAS[name]) for name in USUAL]
    found = ruler.views(path, [view.camera for view in wanted])
    render._draw_lines(wanted, found, render.SIZE)
    render._draw_shaded(wanted, found, render.SIZE)
    render._write(path, folder, wanted, render._facts(path, wanted, found, ["svg", "png"]))
    return time.perf_counter() - start


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--real", action="store_true")
    options = parser.parse_args()
    silence()
    with tempfile.TemporaryDirectory() as name, Ruler() as ruler:
        folder = Path(name)
        ruler.warm_up()
        print(f"{'part, faces or file':28} {'peer ms':>8} {'ours ms':>8} {'ratio':>6} {'all s':>6}")
        for path in (p for p in write_parts(folder) if p.stem in PARTS):
            found = read_step(str(path))
            shape, diagonal = found.solids[0].shape, _diagonal(found)
            rounds = []
            for _ in range(options.repeat + 1):  # the first one warms up
                theirs = processor(lambda shape=shape: peer(shape, folder))
                own = processor(lambda shape=shape, size=diagonal: ours(shape, size, folder))
                rounds.append((theirs, own))
            times = [1e3 * statistics.median(r[i] for r in rounds[1:]) for i in (0, 1)]
            ratio = statistics.median(own / theirs for theirs, own in rounds[1:])
            total = min(whole(ruler, path, folder) for _ in range(options.repeat))
            print(f"{path.stem:28} {times[0]:8.1f} {times[1]:8.1f} {ratio:6.2f} {total:6.2f}")
        for path in sorted(REAL.glob("*.st*p")) if options.real else []:
            print(f"{path.stem:28} {'':24} {whole(ruler, path, folder):6.2f}", flush=True)


if __name__ == "__main__":
    main()
