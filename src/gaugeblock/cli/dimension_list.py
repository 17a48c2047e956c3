"""The dimensions of a part as ``gaugeblock measure`` prints them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

    from gaugeblock.records.spectrum import Dimension, Spectrum

ENDS = 12
"""Values at each end of a list that are printed; a longer one is cut in its middle."""

ROWS = {
    "plane-distance": ("faces apart, mm", ""),
    "axial-length": ("other round lengths, mm", ""),
    "edge-length": ("other edges, mm", ""),
    "diameter": ("diameters, mm", "⌀"),
    "radius": ("radii, mm", "R"),
    "torus-radius": ("torus radii, mm", "R"),
    "plane-angle": ("faces inclined", ""),
    "cone-angle": ("cones, half-angle", ""),
    "axis-distance": ("axes apart, mm", ""),
}
"""What is written beside the values of each kind, and before each value."""

ANGLES = ("plane-angle", "cone-angle")


OWN = ("free-form", "recognised", "nearly-parallel", "open-edges")
"""Findings of the spectrum; those of reading the file stand beside the facts already."""


def show(console: Console, spectrum: Spectrum) -> None:
    """Print a spectrum, a row a kind: each value nearly as a sheet writes it, `4×⌀8`."""
    from rich.markup import escape
    from rich.table import Table

    from gaugeblock.ruler.spectrum.chance import random_hits

    repeated = sum(d.count for d in spectrum.dimensions if not d.serves)
    table = Table(show_edge=False, pad_edge=False)
    table.add_column("dimensions")
    table.add_column("values", justify="right")
    table.add_column("places × value")
    cut = False
    for kind, (name, sign) in ROWS.items():
        found = [d for d in spectrum.dimensions if d.kind == kind and d.serves]
        if found:
            cut |= len(found) > 2 * ENDS
            table.add_row(name, str(len(found)), _values(found, sign))
    console.print(table)
    notes = []
    if cut:
        notes.append("long lists are cut, --json has all")
    if repeated:
        notes.append(f"{repeated} edges and round faces whose length faces give are left out")
    if notes:
        console.print(f"  {'; '.join(notes)}")
    hits = random_hits(spectrum)
    rates = {"length": hits.length, "diameter": hits.diameter, "radius": hits.radius}
    told = ", ".join(
        f"{name} {100 * rate:.1f} %"
        for name, rate in {**rates, "angle": hits.angle}.items()
        if rate is not None
    )
    console.print(f"  found by chance under ISO 2768-m: {told}")
    for finding in spectrum.findings:
        if finding.code in OWN:
            where = f" ({finding.where})" if finding.where else ""
            console.print(escape(f"  {finding.code}{where}: {finding.message}"))


def _values(found: list[Dimension], sign: str) -> str:
    told = [_value(d, sign) for d in found]
    if len(told) > 2 * ENDS:
        left_out = f"… {len(told) - 2 * ENDS} more …"
        told = [*told[:ENDS], left_out, *told[-ENDS:]]
    return ", ".join(told)


def _value(dimension: Dimension, sign: str) -> str:
    number = f"{dimension.value:.4f}".rstrip("0").rstrip(".")
    places = f"{dimension.serves}×" if dimension.serves > 1 else ""
    return f"{places}{sign}{number}{'°' if dimension.kind in ANGLES else ''}"
