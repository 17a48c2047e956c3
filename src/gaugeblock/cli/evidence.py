"""``gaugeblock report, audit, regrade, invalidate``: what a run folder says."""

from __future__ import annotations

from pathlib import Path

import typer

from gaugeblock.cli.console import plain, print_json, progress, whole
from gaugeblock.cli.outputs import require_open_folder

JSON = typer.Option(False, "--json", help="Print the answer as JSON.")
REASON = typer.Option(..., help="Why; it is written into the amendment.")
FOLDER = typer.Argument(..., metavar="DIR", help="A run's folder.")


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command(name="report")(report)
    app.command(name="audit")(audit)
    app.command(name="regrade")(regrade)
    app.command(name="invalidate")(invalidate)


def report(
    folders: list[Path] = typer.Argument(..., metavar="DIR…", help="Run folders, in any state."),
    as_json: bool = JSON,
) -> None:
    """Print the report of runs, closed or left by a kill, as Markdown.

    Example: gaugeblock report runs/first

    Exit code 1 if a file of a run is missing, unreadable, or not the one that was closed.
    """
    from gaugeblock.analysis.run_summary import summary
    from gaugeblock.running.reports import report_of
    from gaugeblock.running.soundness import faults, read_run, require_sound

    runs = [(run, faults(run)) for run in map(read_run, folders)]
    if as_json:
        print_json(
            [
                {**summary(run.plan, run.rows()), "closed": run.closed, "faults": lines}
                for run, lines in runs
            ]
        )
    else:
        told = [
            report_of(run, faults=lines, beside=[other for other in runs if other[0] is not run])
            for run, lines in runs
        ]
        typer.echo("\n\n".join(told))
    for run, lines in runs:
        require_sound(run, lines, "see gaugeblock audit")


def audit(folder: Path = FOLDER, as_json: bool = JSON) -> None:
    """Hash, measure and grade everything in a run again, and say where it differs.

    Example: gaugeblock audit runs/first

    Exit code 1 on any mismatch, and for a run that is not closed.
    """
    from dataclasses import asdict

    from gaugeblock.running.audit import audit as check

    with progress() as bar:
        task = bar.add_task("auditing", total=None)
        found = check(folder, lambda line: bar.update(task, description=line))
    if as_json:
        print_json({**asdict(found), "sound": found.sound})
    else:
        state = "closed" if found.closed else "not closed"
        typer.echo(
            f"{state}; {found.files} files hashed, {found.regraded} deliveries graded again"
            + (f", {found.probes} probed parts too" if found.probes else "")
        )
        for line in found.notes:
            typer.echo(f"  note: {plain(line)}")
        for line in found.mismatches:
            typer.echo(f"  MISMATCH: {plain(line)}")
        typer.echo("sound" if found.sound else "not sound")
    if not found.sound:
        raise typer.Exit(1)


def regrade(folder: Path = FOLDER, reason: str = REASON) -> None:
    """Grade a closed run's artifacts again and append the grades; nothing is overwritten.

    Example: gaugeblock regrade runs/first --reason "ruler revision 2"
    """
    from gaugeblock.running.amending import regrade as again

    require_open_folder(folder)
    typer.echo(f"{again(folder, whole(reason))} rounds graded again; amendment written")


def invalidate(folder: Path = FOLDER, reason: str = REASON) -> None:
    """Withdraw a closed run; its records stay and say why.

    Example: gaugeblock invalidate runs/first --reason "wrong host build"
    """
    from gaugeblock.running.amending import invalidate as withdraw

    require_open_folder(folder)
    withdraw(folder, whole(reason))
    typer.echo("invalidated; amendment written")
