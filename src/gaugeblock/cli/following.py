"""``gaugeblock void, rerun, refill``: a cell taken out of every figure, and trials taken again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from gaugeblock.cli.console import plain, whole
from gaugeblock.cli.evidence import FOLDER, REASON
from gaugeblock.cli.outputs import require_new_folder, require_open_folder
from gaugeblock.cli.running import (
    BUDGET,
    CONTINUE,
    HOST_FILE,
    PRICE_FILE,
    PROFILE_FILE,
    UNSAFE,
    money,
    progress_watch,
    show_end,
)

if TYPE_CHECKING:
    from gaugeblock.running.follow_ups import Means

OUT = typer.Option(..., "--out", metavar="DIR", help="Folder of the new run; must not exist.")


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command(name="void")(void)
    app.command(name="rerun")(rerun)
    app.command(name="refill")(refill)


def void(
    folder: Path = FOLDER,
    case: str = typer.Option(..., "--cell", metavar="CASE", help="Case, such as S1 or growth/S1."),
    profile: str = typer.Option(..., "--profile", metavar="ID", help="Profile of the cell."),
    reason: str = REASON,
) -> None:
    """Take a whole cell of a closed run out of every figure; its rows keep their verdicts.

    Example: gaugeblock void runs/first --cell S1 --profile model-a --reason "wrong time limit"

    For faults of the protocol, not of the agent. It cannot be taken back.
    """
    from gaugeblock.running.amending import void as take_out

    require_open_folder(folder)
    take_out(folder, case, profile, whole(reason))
    told = plain(f"{profile} on {case}")
    typer.echo(f"{told} is void; amendment written (gaugeblock rerun takes it again)")


def rerun(
    folder: Path = FOLDER,
    out: Path = OUT,
    case: str = typer.Option(None, "--cell", metavar="CASE", help="Only void cells of this case."),
    profile: str = typer.Option(
        None, "--profile", metavar="ID", help="Only void cells of this profile."
    ),
    mended: list[str] = typer.Option(
        [],
        "--mended",
        metavar="PART",
        help="What was mended since (harness, protocol, suite, …); may be repeated. Any other "
        "part that differs is refused.",
    ),
    profile_file: Path = PROFILE_FILE,
    price_file: Path = PRICE_FILE,
    budget: str = BUDGET,
    go_on: bool = CONTINUE,
    unsafe: bool = UNSAFE,
    host_file: Path = HOST_FILE,
) -> None:
    """Take void cells of a run again, as they were planned, in a new run that says so.

    Example: gaugeblock rerun runs/first --out runs/first-again --mended harness

    Exit code 1 if a round did not pass.
    """
    require_new_folder("--out", out)
    from gaugeblock.running.follow_ups import rerun as again

    means = _means(profile_file, price_file, budget, go_on, unsafe, host_file)
    watch, bar = progress_watch()
    with bar:
        made = again(folder, out, means, watch, case=case, profile=profile, mended=mended)
    show_end(made, out)


def refill(
    folder: Path = FOLDER,
    out: Path = OUT,
    profile_file: Path = PROFILE_FILE,
    price_file: Path = PRICE_FILE,
    budget: str = BUDGET,
    go_on: bool = CONTINUE,
    unsafe: bool = UNSAFE,
    host_file: Path = HOST_FILE,
) -> None:
    """Take every trial again that ended error:provider, in a new run that shows both rates.

    Example: gaugeblock refill runs/first --out runs/first-refill --budget-usd 5

    Exit code 1 if a round did not pass.
    """
    require_new_folder("--out", out)
    from gaugeblock.running.follow_ups import refill as again

    means = _means(profile_file, price_file, budget, go_on, unsafe, host_file)
    watch, bar = progress_watch()
    with bar:
        made = again(folder, out, means, watch)
    show_end(made, out)


def _means(
    profile_file: Path | None,
    price_file: Path | None,
    budget: str | None,
    go_on: bool,
    unsafe: bool,
    host_file: Path | None,
) -> Means:
    from gaugeblock.metering.snapshot import working_snapshot
    from gaugeblock.running.follow_ups import Means

    return Means(
        profile_file, working_snapshot(price_file), money(budget), go_on, unsafe, host_file
    )
