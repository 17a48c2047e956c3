"""Measuring a thread beside the kernel's own line intersection, and the cost where there is none.

An M8 screw swept by the kernel: all of `threads_of_solid`, and of it the radial rays; the same rays
asked of the kernel (`IntCurvesFace_ShapeIntersector`), a sample of them, scaled up. Radii of both
are compared. Then a plate of 234 faces without a thread: `threads_of_solid` over the walk along its
faces (`outline_of`) that every part of the ruler needs.

    python benchmarks/ruler_threads.py [--repeat 5] [--sample 400]
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from build123d import Align, Cylinder, Face, Helix, Plane, Polyline, Solid, Wire
from OCP.gp import gp_Dir, gp_Lin, gp_Pnt
from OCP.IntCurvesFace import IntCurvesFace_ShapeIntersector
from ruler_overlap import plate

from gaugeblock.ruler.facts.outline import outline_of
from gaugeblock.ruler.threads.candidates import candidates
from gaugeblock.ruler.threads.judging import Judged, judge
from gaugeblock.ruler.threads.measuring import threads_of_solid
from gaugeblock.ruler.threads.regions import boxes_of, regions


def screw() -> Any:
    """Return M8 x 12 with a plain shank behind, the groove swept by the kernel."""
    pitch, radius, over = 1.25, 4.0, 0.1
    depth = 5 / 8 * math.sqrt(3) / 2 * pitch
    low, high = pitch / 8, pitch / 8 + (depth + over) / math.sqrt(3)
    plane = Plane(origin=(radius, 0, -pitch), x_dir=(1, 0, 0), z_dir=(0, -1, 0))
    corners = [(over, -high), (over, high), (-depth, low), (-depth, -low)]
    outline = plane.from_local_coords(Polyline(*corners, close=True))
    path = Helix(pitch, 12 + pitch, radius, center=(0, 0, -pitch))
    groove = Solid.sweep(Face(Wire(outline.edges())), path, is_frenet=True)
    blank = Cylinder(radius, 20, align=(Align.CENTER, Align.CENTER, Align.MIN))
    return (blank - groove).solids()[0].wrapped


def best(work: Callable[[], Any], repeat: int) -> tuple[float, Any]:
    """Return the least processor time of several runs in s, and the last answer."""
    times, answer = [], None
    for _ in range(repeat):
        start = time.process_time()
        answer = work()
        times.append(time.process_time() - start)
    return min(times), answer


def kernel_radii(solid: Any, judged: Judged, frame: Any, chosen: np.ndarray) -> np.ndarray:
    """Return the outermost radius (mm) of some rays by the kernel."""
    cutter = IntCurvesFace_ShapeIntersector()
    cutter.Load(solid, 1e-7)
    x, y = frame.across()
    out = np.full(len(chosen), np.nan)
    for i, (ring, spoke) in enumerate(chosen):
        phi, z = judged.grid.phi[spoke], judged.grid.levels[ring]
        start = frame.origin + z * frame.axis
        along = math.cos(phi) * x + math.sin(phi) * y
        cutter.Perform(gp_Lin(gp_Pnt(*start.tolist()), gp_Dir(*along.tolist())), 0.0, 10.0)
        hits = [cutter.WParameter(n) for n in range(1, cutter.NbPnt() + 1)]
        out[i] = max(hits, default=np.nan)
    return out


def main() -> None:
    """Print both comparisons."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--sample", type=int, default=400, help="rays asked of the kernel")
    options = parser.parse_args()

    solid = screw()
    whole, found = best(lambda: threads_of_solid(solid), options.repeat)
    outline = outline_of(solid)
    (candidate,) = candidates(outline)
    (region,) = regions(outline, boxes_of(outline), candidate)
    judged = judge(region)
    assert isinstance(judged, Judged)
    rays = judged.radius.size
    ours, _ = best(lambda: region.wall.crossings(judged.grid, 3.2, 4.05), options.repeat)
    chosen = np.argwhere(~np.isnan(judged.radius))
    chosen = chosen[np.random.default_rng(3).choice(len(chosen), options.sample, replace=False)]
    start = time.process_time()
    theirs = kernel_radii(solid, judged, region.screw, chosen)
    kernel = (time.process_time() - start) * rays / len(chosen)
    off = np.abs(theirs - judged.radius[chosen[:, 0], chosen[:, 1]])
    print(f"{found.threads[0].designation}: {rays} radial rays")
    print(f"  all of the measuring          {whole:8.3f} s")
    print(f"  its radial rays               {ours:8.3f} s")
    print(f"  the same rays by the kernel   {kernel:8.3f} s   {kernel / ours:.0f} times ours")
    print(f"  radii differ by {np.nanmedian(off):.1e} mm (median), {np.nanmax(off):.1e} mm (most)")

    without = plate(0.0).solids()[0].wrapped
    walk, outline = best(lambda: outline_of(without), options.repeat)
    gate, _ = best(lambda: threads_of_solid(without, outline=outline), options.repeat)
    print(f"plate of {len(outline.faces)} faces, no thread: {gate / walk:.4f} of walking its faces")


if __name__ == "__main__":
    main()
