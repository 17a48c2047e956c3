"""``gaugeblock calibrate``: the ruler's own proof, before any agent is measured."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from gaugeblock.cli.calibrate_sheets import show_sheets
from gaugeblock.cli.outputs import require_new_file

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console

    from gaugeblock.calibration.records import Calibration, TargetResult

FELL_SHORT = 1
"""Exit code of a calibration that did not succeed."""

LEGEND = (
    "killed: the case fails it (parts, files: a figure named for the fault left its tolerance)",
    "tolerated: it passes, though a figure moved; survived: no figure moved; n/a: no such mutant",
)
"""What the table's columns count."""

SHOWN = 12
"""Reasons shown of a calibration; the record holds all of them."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(name="calibrate")(calibrate)


def calibrate(
    targets: list[str] = typer.Argument(
        ...,
        metavar="TARGET…",
        help="`parts`, parts/NAME, a suite, SUITE/CASE, a STEP file, a folder of a drawn case.",
    ),
    as_json: bool = typer.Option(False, "--json", help="Print the record as JSON."),
    out: Path | None = typer.Option(None, help="Write the record to this file."),
    mutants: bool = typer.Option(
        False, "--mutants", help="List every mutant: its outcome and the figure that names it."
    ),
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
    if out is not None:
        require_new_file("--out", out, mend="a record never replaces a file: give another name")
    import gaugeblock
    from gaugeblock.calibration import calibrate as prove
    from gaugeblock.cli.console import answers, print_json, progress
    from gaugeblock.running.fingerprints import compute
    from gaugeblock.running.rehearsal import host_stage

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
            stage=host_stage,
        )
    if as_json:
        print_json(found.model_dump(mode="json"))
    else:
        _show(answers(), found, every=mutants)
    if out is not None:  # after the answer: a disk that filled up meanwhile does not cost it
        from gaugeblock.records.store import write_atomic

        write_atomic(out, found.pretty())
    if found.state != "calibrated" and not _only_declined(found, second_kernel):
        raise typer.Exit(FELL_SHORT)


def _only_declined(found: Calibration, second_kernel: bool) -> bool:
    """Whether all that is missing is the second kernel, which the user declined."""
    return (
        not second_kernel
        and found.state == "incomplete"
        and all("second kernel not asked" in reason for reason in found.reasons)
    )


def _show(console: Console, found: Calibration, *, every: bool) -> None:
    """Print the table, then what it does not hold, one thing a line, never broken.

    Args:
        console: where to.
        found: the record.
        every: list all mutants, not only those that were tolerated.
    """
    from rich.markup import escape
    from rich.table import Table

    def say(text: str, style: str | None = None) -> None:
        console.print(escape(text), style=style, soft_wrap=True)

    table = Table(show_edge=False, pad_edge=False, collapse_padding=True)
    columns = "target killed tolerated survived unmeasured n/a controls formulas kernels s state"
    for name in columns.split():
        left = name in ("target", "state")
        table.add_column(name, justify="left" if left else "right", no_wrap=True)
    for result in found.targets:
        table.add_row(*map(escape, _cells(result)))
    console.print(table)
    for words in LEGEND:
        say(words, "dim")
    show_sheets(console, found.targets, say)
    for result in found.targets:
        _show_mutants(say, result, every)
        for check in result.formulas:
            if check.holds is False and not check.expected:
                say(f"{result.target} is ill-posed, as it must be: {check.why}", "yellow")
    for note in found.domains:
        say(note)
    if found.kept_out:
        say(f"kept out of formal runs: {', '.join(found.kept_out)}")
    kernels = found.versions
    line = f"ruler {found.ruler_fingerprint[:12]}, kernel {kernels['ocp']}"
    say(f"{line}, second kernel {kernels['second kernel'] or 'none'}")
    meaning = "" if found.state == "calibrated" else ": no formal run may rest on this"
    say(f"{found.state}{meaning} ({found.seconds:.0f} s)", "bold")
    for reason in found.reasons[:SHOWN]:
        say(f"  {reason}", "red")
    if len(found.reasons) > SHOWN:
        say(f"  and {len(found.reasons) - SHOWN} more reasons (--json lists them)", "red")


def _show_mutants(say: Callable[..., None], result: TargetResult, every: bool) -> None:
    """Print a target's mutants, the tolerated ones or all, under its name."""
    shown = [m for m in result.mutants if every or m.outcome == "tolerated"]
    if not shown:
        return
    left = ", ".join(f"{count} {what}" for what, count in result.left_out.items() if count)
    rest = f" (left out: {left})" if every and left else ""
    say(f"{result.target}{rest if every else ': tolerated'}", "bold")
    for mutant in shown:
        said = mutant.finding or mutant.reason
        outcome = f"{mutant.outcome:15}" if every else ""
        style = {"survivor": "red", "unmeasured": "red", "tolerated": "yellow"}.get(mutant.outcome)
        say(f"  {outcome}{mutant.name}: {said}", style)


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
