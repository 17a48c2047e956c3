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
    from gaugeblock.running.reports import report_of, summary_of
    from gaugeblock.running.soundness import faults, read_run, require_sound

    runs = [(run, faults(run)) for run in map(read_run, folders)]
    if as_json:
        print_json(
            [{**summary_of(run), "closed": run.closed, "faults": lines} for run, lines in runs]
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


def regrade(
    folder: Path = FOLDER,
    reason: str = typer.Option(
        "", help="What was corrected; it is written into the amendment.", show_default=False
    ),
    as_json: bool = typer.Option(
        False, "--json", help="Print all revisions as JSON; without --reason only that."
    ),
) -> None:
    """Grade a closed run's artifacts again and append the grades; nothing is overwritten.

    Example: gaugeblock regrade runs/first --reason "ruler revision 2"

    Example: gaugeblock regrade runs/first --json

    The second one grades nothing: it lists what was graded again before.
    """
    from gaugeblock.analysis.revisions import revision_data
    from gaugeblock.running.amending import regrade as again
    from gaugeblock.running.soundness import faults, read_run, require_sound

    if reason or not as_json:
        require_open_folder(folder)
        with progress() as bar:
            task = bar.add_task("grading", total=None)
            again(folder, whole(reason), lambda line: bar.update(task, description=line))
    run = read_run(folder)
    require_sound(run, faults(run), "see gaugeblock audit")
    revisions = run.standing.revisions
    if as_json:
        print_json(revision_data(revisions))
        return
    typer.echo(f"{revisions[-1].told}; {revisions[-1].name} written")
    for item in revisions[-1].content.grades:
        if item.changed:
            was, now = item.before.outcome, item.outcome
            told = f"{was} → {now}" if was != now else f"{now}, other checks"
            typer.echo(f"  {plain(f'{item.trial} {item.round}: {told}')}")


def invalidate(
    folder: Path = FOLDER,
    reason: str = REASON,
    suite: str = typer.Option(
        "", "--suite", metavar="SUITE", help="Only this suite of the run; else the whole run."
    ),
) -> None:
    """Withdraw a closed run, or one suite of it; its records stay and say why.

    Example: gaugeblock invalidate runs/first --reason "wrong host build"
    """
    from gaugeblock.running.amending import invalidate as withdraw

    require_open_folder(folder)
    withdraw(folder, whole(reason), suite or None)
    typer.echo(f"{plain(suite) or 'run'} invalidated; amendment and INVALIDATED.json written")
