"""``gaugeblock calibrate``: the ruler's own proof, before any agent is measured."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from gaugeblock.records.errors import WrongUse

if TYPE_CHECKING:
    from rich.console import Console

    from gaugeblock.calibration.records import Calibration, TargetResult

FELL_SHORT = 1
"""Exit code of a calibration that did not succeed."""

SHOWN = 12
"""Reasons shown of a calibration; the record holds all of them."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(name="calibrate")(calibrate)


def calibrate(
    targets: list[str] = typer.Argument(
        ..., metavar="TARGET…", help="`parts`, parts/NAME, a suite, SUITE/CASE, or a STEP file."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print the record as JSON."),
    out: Path | None = typer.Option(None, help="Write the record to this file."),
    second_kernel: bool = typer.Option(
        True, help="Have an older kernel release confirm the references."
    ),
    seconds: float = typer.Option(
        60.0, min=1, max=3600, help="Time ceiling of one mutation or measure, s."
    ),
) -> None:
    """Prove the ruler: references reach their ceilings, every mutant of them is seen.

    Example: gaugeblock calibrate growth/S1 --out calibration.json

    Exit code 1 if a mutant survives, a formula or control does not hold, or the proof is incomplete
    (a missing second kernel counts, unless --no-second-kernel was given; the record still says so).
    """
    from gaugeblock.calibration.targets import find_targets

    find_targets(targets)  # wrong words are told before anything heavy is imported
    if out is not None and out.exists():
        raise WrongUse(f"{out}: exists already; a record never replaces a file")
    if out is not None and not out.parent.is_dir():
        raise WrongUse(f"{out.parent}: no such folder to write {out.name} to")
    import gaugeblock
    from gaugeblock.calibration import calibrate as prove
    from gaugeblock.cli.console import answers, print_json, progress
    from gaugeblock.running.fingerprints import compute

    fingerprint = compute(Path(gaugeblock.__file__).parent)["ruler"].sha256
    with progress() as bar:
        task = bar.add_task("calibrating", total=None)

        def told(target: str, line: str) -> None:
            bar.update(task, description=f"{target}: {line}"[:70], advance=1)

        found = prove(
            targets,
            ruler_fingerprint=fingerprint,
            second_kernel=second_kernel,
            seconds=seconds,
            told=told,
        )
    if out is not None:
        from gaugeblock.records.store import write_atomic

        write_atomic(out, found.pretty())
    if as_json:
        print_json(found.model_dump(mode="json"))
    else:
        _show(answers(), found)
    if found.state != "calibrated" and not _only_declined(found, second_kernel):
        raise typer.Exit(FELL_SHORT)


def _only_declined(found: Calibration, second_kernel: bool) -> bool:
    """Whether all that is missing is the second kernel, which the user declined."""
    return (
        not second_kernel
        and found.state == "incomplete"
        and all("second kernel not asked" in reason for reason in found.reasons)
    )


def _show(console: Console, found: Calibration) -> None:
    from rich.markup import escape
    from rich.table import Table

    table = Table(show_edge=False, pad_edge=False)
    columns = "target killed tolerated survive unmeasured n/a controls formulas kernels s state"
    for name in columns.split():
        left = name in ("target", "state")
        table.add_column(name, justify="left" if left else "right", no_wrap=True)
    for result in found.targets:
        table.add_row(*map(escape, _cells(result)))
    console.print(table)
    for result in found.targets:
        for mutant in result.mutants:
            if mutant.outcome == "tolerated":
                line = f"  tolerated, {result.target}: {mutant.name}: {mutant.finding}"
                console.print(escape(line), style="yellow")
        for check in result.formulas:
            if not check.holds:
                line = f"  ill-posed, {check.what}: {check.why}"
                console.print(escape(line), style="yellow")
    for reason in found.reasons[:SHOWN]:
        console.print(escape(f"  {reason}"), style="red")
    if len(found.reasons) > SHOWN:
        console.print(f"  and {len(found.reasons) - SHOWN} more reasons (--json lists them)")
    for note in found.domains:
        console.print(escape(f"  {note}"))
    if found.kept_out:
        console.print(escape(f"kept out of formal runs: {', '.join(found.kept_out)}"))
    if not found.overlap:
        console.print("overlap was not taken: facts alone judged")
    kernels = found.versions
    line = f"ruler {found.ruler_fingerprint[:12]}, kernel {kernels['ocp']}"
    console.print(f"{line}, second kernel {kernels['second kernel'] or 'none'}")
    console.print(f"{found.state} ({found.seconds:.0f} s)", style="bold")


def _cells(result: TargetResult) -> list[str]:
    counts = result.counts()
    held = sum(control.ok is True for control in result.controls)
    agreed = sum(check.holds is True for check in result.formulas)
    second = {kernel.state for kernel in result.second_kernel}
    return [
        result.target,
        *(str(counts[name]) for name in counts),
        f"{held}/{len(result.controls)}",
        f"{agreed}/{len(result.formulas)}",
        ", ".join(sorted(second)) or "—",
        f"{result.seconds:.1f}",
        # A cell that its suite keeps out has been found ill-posed, as it must be.
        "ill-posed" if result.kind == "cell" and result.state == "calibrated" else result.state,
    ]
