"""``gaugeblock measure``: the ruler by itself."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from gaugeblock.records.errors import CouldNotMeasure, WrongUse

if TYPE_CHECKING:
    from rich.console import Console

    from gaugeblock.records.measurement import Measurement, SolidFacts


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(name="measure")(measure)


def measure(
    files: list[Path] = typer.Argument(..., metavar="FILE…", help="STEP files."),
    as_json: bool = typer.Option(False, "--json", help="Print the facts as JSON."),
    seconds: float = typer.Option(120.0, min=1, max=3600, help="Time ceiling of one file, s."),
) -> None:
    """Measure STEP files: validity, volume with its cross-check, bounds, counts, names.

    Example: gaugeblock measure part.step --json

    Exit code 3 if any file, or the volume of any of its solids, could not be measured; 2 if one
    is missing.
    """
    for path in files:
        if not path.exists():
            raise WrongUse(f"{path}: no such file")
        if path.is_dir():
            raise WrongUse(f"{path}: a folder, not a STEP file")
    from gaugeblock.cli.console import answers, print_json, progress
    from gaugeblock.ruler import Ruler

    measured: list[Measurement] = []
    with progress() as bar, Ruler(wall_s=seconds) as ruler:
        task = bar.add_task("measuring", total=len(files))
        for path in files:
            bar.update(task, description=path.name)
            try:
                measured.append(ruler.measure(path))
            except OSError as error:
                raise WrongUse(f"{path}: {error.strerror or error}") from error
            bar.advance(task)
    if as_json:
        print_json({"files": [item.model_dump(mode="json") for item in measured]})
    else:
        console = answers()
        for item in measured:
            _show(console, item)
    pairs = zip(files, map(_refusal, measured), strict=True)
    refused = [f"{path}: {why}" for path, why in pairs if why]
    if refused and as_json:
        raise typer.Exit(CouldNotMeasure.exit_code)
    if refused:
        more = f" (and {len(refused) - 1} more files)" if len(refused) > 1 else ""
        raise CouldNotMeasure(refused[0] + more)


def _refusal(item: Measurement) -> str | None:
    """Return why a file has no volume, or None."""
    if item.totals is None:
        return item.reason or "could not be measured"
    if item.totals.volume is None:
        return f"volume unknown: {item.totals.volume_reason}"
    return None


def _show(console: Console, item: Measurement) -> None:
    """Print one file's facts as a table; a refused file is told on stderr by the caller."""
    if item.totals is None:
        return
    from rich.markup import escape
    from rich.table import Table

    file, totals = item.file, item.totals
    units = ", ".join(file.length_units) or "none declared"
    head = f"{file.name}: {file.file_schema or 'no schema'}, units {units}, {file.bytes:,} bytes"
    console.print(escape(head), style="bold")
    table = Table(show_edge=False, pad_edge=False)
    for name in ("solid", "name", "valid", "volume mm³", "± mm³", "checked", "bounds mm"):
        table.add_column(name, justify="left" if name in ("name", "bounds mm") else "right")
    table.add_column("faces", justify="right")
    table.add_column("genus", justify="right")
    for solid in item.solids:
        table.add_row(*map(escape, _cells(solid)))
    console.print(table)
    volume = "unknown" if totals.volume is None else f"{_figure(totals.volume)} mm³"
    counted = f"{totals.solids} solid{'' if totals.solids == 1 else 's'}, {totals.faces} faces"
    console.print(f"{counted}, volume {volume}, valid: {_yes(totals.valid)}")
    if totals.occupied_volume is None and totals.occupied_reason:
        console.print(escape(f"  that is the sum of the solids; {totals.occupied_reason}"))
    if totals.volume is None and totals.volume_reason:
        console.print(escape(f"  volume: {totals.volume_reason}"))
    for finding in item.findings:
        where = f" ({finding.where})" if finding.where else ""
        console.print(escape(f"  {finding.code}{where}: {finding.message}"))
    console.print()


def _cells(solid: SolidFacts) -> list[str]:
    volume, bounds = solid.volume, solid.bounds
    box = "unknown"
    if bounds is not None:
        low, high = (
            "[" + ", ".join(f"{round(v, 6) + 0.0:.10g}" for v in p) + "]"
            for p in (bounds.min, bounds.max)
        )
        box = f"{low}–{high}"
    error = volume.error_estimate
    return [
        str(solid.index),
        solid.name or "unnamed",
        _yes(solid.valid),
        "unknown" if volume.value is None else _figure(volume.value),
        "—" if error is None else f"{error:.1e}",
        _yes(volume.cross_check.agrees),
        box,
        str(solid.counts.faces),
        "—" if solid.topology.genus is None else str(solid.topology.genus),
    ]


def _point(point: tuple[float, float, float]) -> str:
    return "[" + ", ".join(f"{round(value, 6) + 0.0:.10g}" for value in point) + "]"


def _figure(value: float) -> str:
    """Return a volume with ten significant digits; grouped where that reads well."""
    return f"{value:,.{_decimals(value)}f}" if 1e-3 <= abs(value) < 1e12 else f"{value:.10g}"


def _decimals(value: float) -> int:
    return max(0, min(6, 9 - math.floor(math.log10(abs(value)))))


def _yes(value: bool | None) -> str:
    return {True: "yes", False: "no", None: "unknown"}[value]
