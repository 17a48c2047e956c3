"""``gaugeblock compare``: two host releases, or models against each other."""

from __future__ import annotations

from pathlib import Path

import typer

from gaugeblock.cli.console import print_json
from gaugeblock.records.errors import WrongUse

FELL_SHORT = 1
"""A comparison that is refused: the runs were read, and do not meet its conditions."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(name="compare")(compare)


def compare(
    folders: list[Path] = typer.Argument(None, metavar="[DIR]…", help="Run folders, with --by."),
    before: list[Path] = typer.Option([], "--before", metavar="DIR", help="Run on the one host."),
    after: list[Path] = typer.Option([], "--after", metavar="DIR", help="Run on the other host."),
    by: str = typer.Option("", "--by", metavar="profile", help="Compare the runs' models."),
    as_json: bool = typer.Option(False, "--json", help="Print the answer as JSON."),
) -> None:
    """Compare two host releases, or models with each other; refused where it would mislead.

    Example: gaugeblock compare --before runs/host-1 --after runs/host-2

    Example: gaugeblock compare --by profile runs/first runs/second

    --before and --after may be given several times. Exit code 1 if nothing is compared; every
    reason is named.
    """
    from gaugeblock.analysis.run_summary import jsonable
    from gaugeblock.running.comparing import measured

    folders = folders or []
    if by:
        from gaugeblock.analysis.comparison_text import render_profiles
        from gaugeblock.analysis.contests import compare_profiles

        if by != "profile":
            raise WrongUse(f"--by {by}: only --by profile is known")
        if before or after or not folders:
            raise WrongUse("--by profile takes run folders, and neither --before nor --after")
        profiles = compare_profiles([measured(folder) for folder in folders])
        refused, data, text = profiles.refused, jsonable(profiles), render_profiles(profiles)
    else:
        from gaugeblock.analysis.comparison_text import render_releases
        from gaugeblock.analysis.releases import compare_releases

        if folders or not (before and after):
            raise WrongUse("give --before DIR and --after DIR, or --by profile DIR…")
        sides = [[measured(folder) for folder in side] for side in (before, after)]
        releases = compare_releases(*sides)
        refused, data, text = releases.refused, jsonable(releases), render_releases(releases)
    if as_json:
        print_json(data)
    else:
        typer.echo(text, nl=False)
    if refused:
        raise typer.Exit(FELL_SHORT)
