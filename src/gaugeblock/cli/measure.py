"""``gaugeblock measure``: the ruler by itself."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from gaugeblock.cli.outputs import check_inputs, check_outputs
from gaugeblock.records.errors import CouldNotMeasure, WrongUse

if TYPE_CHECKING:
    from rich.console import Console

    from gaugeblock.records.features import FeatureSet
    from gaugeblock.records.measurement import Measurement, SolidFacts
    from gaugeblock.records.spectrum import Spectrum


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(name="measure")(measure)


def measure(
    files: list[Path] = typer.Argument(..., metavar="FILE…", help="STEP files."),
    spectrum: bool = typer.Option(
        True, help="List lengths, diameters, radii and angles with their number of places."
    ),
    features: bool = typer.Option(
        False, "--features", help="List holes, bosses, slots, chamfers, fillets, …"
    ),
    png: Path | None = typer.Option(
        None, metavar="OUT", help="Write four views as PNG, features in colour (one FILE)."
    ),
    force: bool = typer.Option(False, "--force", help="Overwrite OUT."),
    as_json: bool = typer.Option(False, "--json", help="Print all that was measured as JSON."),
    seconds: float = typer.Option(120.0, min=1, max=3600, help="Time ceiling of each step, s."),
) -> None:
    """Measure STEP files: validity, volume with its cross-check, bounds, counts, dimensions.

    Example: gaugeblock measure part.step --features --png part.png

    Exit code 3 if any file, the volume of any of its solids, its dimensions (without
    --no-spectrum) or its features (with --features or --png) could not be measured; 2 if one is
    missing.
    """
    check_inputs(files)
    if png is not None and len(files) > 1:
        raise WrongUse(f"--png {png}: a picture shows one FILE, not {len(files)}")
    check_outputs(files, {"--png": png}, force=force)
    from gaugeblock.cli.console import answers, print_json, progress
    from gaugeblock.ruler import Ruler

    measured: list[Measurement] = []
    spectra: list[Spectrum | None] = []
    sets: list[FeatureSet | None] = []
    with progress() as bar, Ruler(wall_s=seconds) as ruler:
        task = bar.add_task("measuring", total=len(files))
        for path in files:
            bar.update(task, description=path.name)
            try:
                measured.append(ruler.measure(path))
                sound = measured[-1].totals is not None
                spectra.append(ruler.spectrum(path) if spectrum and sound else None)
                sets.append(ruler.features(path) if features or png else None)
            except OSError as error:
                raise WrongUse(f"{path}: {error.strerror or error}") from error
            bar.advance(task)
        if png is not None and sets[0] is not None and sets[0].verdict == "measured":
            from gaugeblock.cli.feature_list import write_picture

            write_picture(ruler.portrait(files[0], wall_s=seconds), sets[0], png)
    if as_json:
        told = [_as_json(*item) for item in zip(measured, spectra, sets, strict=True)]
        print_json({"files": told})
    else:
        console = answers()
        for item, dimensions, found in zip(measured, spectra, sets, strict=True):
            _show(console, item, dimensions, found if features else None)
    refused = [
        f"{path}: {why}"
        for path, item, dimensions, found in zip(files, measured, spectra, sets, strict=True)
        if (why := _refusal(item, dimensions, found))
    ]
    if refused and as_json:
        raise typer.Exit(CouldNotMeasure.exit_code)
    if refused:
        more = f" (and {len(refused) - 1} more files)" if len(refused) > 1 else ""
        raise CouldNotMeasure(refused[0] + more)


def _as_json(
    item: Measurement, dimensions: Spectrum | None, found: FeatureSet | None
) -> dict[str, Any]:
    told = item.model_dump(mode="json")
    for name, more in (("spectrum", dimensions), ("features", found)):
        if more is not None:
            told[name] = more.model_dump(mode="json")
    return told


def _refusal(
    item: Measurement, dimensions: Spectrum | None, found: FeatureSet | None
) -> str | None:
    """Return why a file has no volume, no dimensions or no features, or None."""
    if item.totals is None:
        return item.reason or "could not be measured"
    if item.totals.volume is None:
        return f"volume unknown: {item.totals.volume_reason}"
    if dimensions is not None and dimensions.verdict != "measured":
        return f"dimensions unknown: {dimensions.reason}"
    if found is not None and found.verdict != "measured":
        return f"features unknown: {found.reason}"
    return None


def _show(
    console: Console,
    item: Measurement,
    dimensions: Spectrum | None,
    found: FeatureSet | None,
) -> None:
    """Print all that is known of one file; a refusal is told on stderr by the caller."""
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
    if dimensions is not None and dimensions.verdict == "measured":
        from gaugeblock.cli import dimension_list

        dimension_list.show(console, dimensions)
    if found is not None and found.verdict == "measured":
        from gaugeblock.cli.feature_list import show

        show(console, found)
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
