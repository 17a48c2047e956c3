"""``gaugeblock plan, run``: what would be run, and running it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from gaugeblock.cli.cases import JSON, LANGUAGE, language_of
from gaugeblock.cli.console import plain
from gaugeblock.cli.fresh_cases import draw_lines
from gaugeblock.cli.outputs import require_new_folder, require_open_folder
from gaugeblock.records.errors import WrongUse

if TYPE_CHECKING:
    from rich.progress import Progress

    from gaugeblock.records.plan import Plan, PlannedTrial
    from gaugeblock.records.run_folder import RunFolder
    from gaugeblock.records.trial import RoundResult
    from gaugeblock.running.plans import Wish
    from gaugeblock.running.run import Watch

TARGETS = typer.Argument(..., metavar="SUITE…", help="Suites, or SUITE/CASE, such as growth/S1.")
PROFILES = typer.Option(
    ..., "--profile", help="Profile id; may be given several times (reference, null, mutant:…)."
)
PROFILE_FILE = typer.Option(
    None, "--profiles", metavar="FILE", help="Profiles, instead of profiles.toml here."
)
PRICE_FILE = typer.Option(
    None, "--prices", metavar="FILE", help="Price snapshot, instead of gaugeblock-prices.json here."
)
BUDGET = typer.Option(
    None,
    "--budget-usd",
    metavar="USD",
    help="What this invocation may spend; paid profiles ask it.",
)
CONTINUE = typer.Option(
    False,
    "--continue-after-error",
    help="Send further paid requests after one whose billing is unknown.",
)
TRIALS = typer.Option(1, min=1, help="Repetitions of each cell; three are the least for a claim.")
UNSAFE = typer.Option(False, "--unsafe", help="Go on where no sandbox can be had; it is recorded.")
DRAWS = typer.Option(
    0, min=0, metavar="K", help="Sealed fresh cases of each family, drawn once the plan is frozen."
)
BEACON = typer.Option("", metavar="TEXT", help="Public text that enters the seed of the draws.")
SEED = typer.Option(
    None, metavar="HEX", help="Replay the draws of a revealed seed; their cases are then open."
)
HOST_PATH = typer.Option(
    None, "--host-path", metavar="DIR", help="Run the CAD host of another checkout of gaugeblock."
)
HOST = typer.Option(
    None, "--host", metavar="NAME", help="Run another CAD server; host list names them."
)
HOST_FILE = typer.Option(
    None, "--hosts", metavar="FILE", help="CAD servers, instead of hosts.toml here."
)

RESUMED = ("out", "resume", "profile_file", "host_path", "host_file")
"""What `run --resume` is told; all else stands in the folder's plan."""

WORDS = {
    "targets": "SUITE",
    "profiles": "--profile",
    "price_file": "--prices",
    "budget": "--budget-usd",
    "continue_after_error": "--continue-after-error",
}
"""How parameters of `run` are written, where that is not their name."""

LONGEST_TOLD = 40
"""Signs of a wrong amount that its refusal repeats."""


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command(name="plan")(plan)
    app.command(name="run")(run)


def plan(
    targets: list[str] = TARGETS,
    profiles: list[str] = PROFILES,
    trials: int = TRIALS,
    language: str = LANGUAGE,
    profile_file: Path = PROFILE_FILE,
    price_file: Path = PRICE_FILE,
    budget: str = BUDGET,
    go_on: bool = CONTINUE,
    unsafe: bool = UNSAFE,
    draws: int = DRAWS,
    beacon: str = BEACON,
    seed: str = SEED,
    host: str = HOST,
    host_file: Path = HOST_FILE,
    host_path: Path = HOST_PATH,
    as_json: bool = JSON,
) -> None:
    """Show all that `run` would do; no agent works and nothing is written.

    Example: gaugeblock plan growth --profile reference --trials 3
    """
    wish = _wish(
        targets,
        profiles,
        trials,
        language,
        unsafe,
        profile_file,
        price_file,
        budget,
        go_on,
        (draws, beacon, seed),
        (host, host_file, host_path),
    )
    from gaugeblock.cli.console import print_json
    from gaugeblock.records.draws import family_of
    from gaugeblock.running.run import plan_only

    made = plan_only(wish)
    if as_json:
        print_json({"commitment": made.commitment(), **made.model_dump(mode="json")})
        return
    _show_plan(made)
    for planned in made.trials:
        fresh = family_of(planned.case_id) is not None
        rounds = [] if fresh else [item.id for item in made.case(planned.case_id).rounds]
        told = "drawn once the plan of a run is frozen" if fresh else ", ".join(rounds)
        typer.echo(f"  {planned.id}: {told}")


def run(
    context: typer.Context,
    targets: list[str] = typer.Argument(
        None, metavar="[SUITE…]", help="Suites, or SUITE/CASE, such as growth/S1."
    ),
    profiles: list[str] = typer.Option([], "--profile", help="Profile id; may be repeated."),
    out: Path = typer.Option(..., help="Folder of the run; must not exist (except with --resume)."),
    trials: int = TRIALS,
    language: str = LANGUAGE,
    profile_file: Path = PROFILE_FILE,
    price_file: Path = PRICE_FILE,
    budget: str = BUDGET,
    continue_after_error: bool = CONTINUE,
    resume: bool = typer.Option(
        False, "--resume", help="Go on with the same plan; trials that started are not repeated."
    ),
    unsafe: bool = UNSAFE,
    draws: int = DRAWS,
    beacon: str = BEACON,
    seed: str = SEED,
    host: str = HOST,
    host_file: Path = HOST_FILE,
    host_path: Path = HOST_PATH,
) -> None:
    """Run suites with profiles and write a self-contained evidence folder.

    Example: gaugeblock run growth --profile reference --out runs/first

    Exit code 1 if a round did not pass.
    """
    if resume:
        require_open_folder(out)
    else:
        require_new_folder("--out", out)
    from gaugeblock.running.run import resume as go_on
    from gaugeblock.running.run import run as start

    if resume:
        given = [name for name in context.params if _given(context, name)]
        strangers = [name for name in given if name not in RESUMED]
        if strangers:
            raise WrongUse(
                "--resume takes the plan of the folder, and so SUITE and every option but --out, "
                "--profiles, --hosts and --host-path; leave "
                f"{WORDS.get(strangers[0], f'--{strangers[0]}')} out"
            )
        watch, bar = progress_watch()
        with bar:
            folder = go_on(out, watch, profile_file, host_path, host_file)
    else:
        wish = _wish(
            targets or [],
            profiles,
            trials,
            language,
            unsafe,
            profile_file,
            price_file,
            budget,
            continue_after_error,
            (draws, beacon, seed),
            (host, host_file, host_path),
        )
        watch, bar = progress_watch()
        with bar:
            folder = start(wish, out, watch)
    show_end(folder, out)


def _given(context: typer.Context, name: str) -> bool:
    """Whether a parameter stands on the command line; a default does not."""
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def show_end(folder: RunFolder, out: Path) -> None:
    """Print how a run ended and where its report lies; exit code 1 if a round did not pass."""
    rows = folder.rows()
    passed = sum(row.final for row in rows)
    typer.echo(f"{passed} of {len(rows)} rounds passed")
    probes = [row.probe for row in rows if row.probe is not None]
    if probes:
        typer.echo(f"{probes.count('held')} of {len(probes)} re-edit probes held (apart)")
    typer.echo(plain(f"report: {out / 'report.md'}"))
    if passed < len(rows):
        raise typer.Exit(1)


def progress_watch() -> tuple[Watch, Progress]:
    """Return callbacks for a run and the progress bar (a context manager) that they move."""
    from gaugeblock.cli.console import progress
    from gaugeblock.running.run import Watch

    bar = progress()
    task = bar.add_task("warming the sandbox", total=None)

    def planned(made: Plan) -> None:
        rounds = sum(len(made.case(item.case_id).rounds) for item in made.trials)
        bar.update(task, total=rounds, description="running")
        _show_plan(made)

    def ended(planned_trial: PlannedTrial, result: RoundResult) -> None:
        bar.advance(task)
        bar.update(task, description=f"{planned_trial.profile_id} {result.round} {result.outcome}")

    return Watch(planned=planned, round_ended=ended), bar


def _show_plan(made: Plan) -> None:
    typer.echo(f"plan {made.commitment()}", err=True)
    typer.echo(
        f"{len(made.trials)} trials, sandbox {made.host.sandbox}, {made.host.runtime}", err=True
    )
    for line in [*draw_lines(made), *plan_lines(made)]:
        typer.echo(plain(line), err=True)


def plan_lines(made: Plan) -> list[str]:
    """Return what a plan says of money and of how sure its rates can be, one line each."""
    from gaugeblock.running.estimates import trials_for, widest_half_width

    lines = _unrun_lines(made)
    if made.host.sealed is False:
        lines.append(f"UNSEALED, for no headline table: {made.host.unsealed_why}")
    for item in made.estimates:
        if item.first_reserve_usd is None:
            lines.append(f"{item.profile}: {item.unknown['first_reserve_usd']}")
            continue
        likely = item.likely_usd or f"unknown ({item.unknown['likely_usd']})"
        checked = "" if item.price_checked else ", UNCHECKED (gaugeblock price confirm)"
        lines.append(
            f"{item.profile}: first reserve {item.first_reserve_usd} USD, likely {likely}, at most "
            f"{item.most_usd} USD; prices of {item.price_date}{checked}"
        )
    if made.estimates:
        width = widest_half_width(made.repetitions)
        lines.append(
            f"{made.repetitions} trials a cell: a 95 % interval of up to ±{width:.2f}; "
            f"±0.20 takes {trials_for(0.2)}, ±0.10 takes {trials_for(0.1)}"
        )
    return lines


def _unrun_lines(made: Plan) -> list[str]:
    """Return what of a plan will not be run for want of something in a profile."""
    from gaugeblock.running.showing import profile_lacks

    missing = dict[tuple[str, str], list[str]]()
    for trial in made.trials:
        profile = made.profile(trial.profile_id)
        case = next((case for case in made.cases if case.id == trial.case_id), None)
        why = None if case is None else profile_lacks(profile, case)
        if why is not None:
            missing.setdefault((profile.id, why), []).append(trial.case_id)
    return [
        f"{profile}: not run on {', '.join(dict.fromkeys(cases))}: {why}"
        for (profile, why), cases in missing.items()
    ]


def _wish(
    targets: list[str],
    profiles: list[str],
    trials: int,
    language: str,
    unsafe: bool,
    profile_file: Path | None,
    price_file: Path | None,
    budget: str | None,
    continue_after_error: bool,
    fresh: tuple[int, str, str | None],
    hosts: tuple[str | None, Path | None, Path | None],
) -> Wish:
    from gaugeblock.metering.snapshot import working_snapshot
    from gaugeblock.running.known_hosts import find_host
    from gaugeblock.running.plans import Wish

    return Wish(
        tuple(targets),
        tuple(profiles),
        trials,
        language_of(language),
        unsafe,
        profile_file=profile_file,
        prices=working_snapshot(price_file),
        budget_usd=money(budget),
        continue_after_error=continue_after_error,
        draws=fresh[0],
        beacon=fresh[1],
        seed=fresh[2],
        host_path=hosts[2],
        host=find_host(hosts[0], hosts[1]),
    )


def money(text: str | None) -> str | None:
    """Return an amount of --budget-usd in plain digits; None stays None.

    Raises:
        WrongUse: it is none, or nothing.
    """
    from decimal import Decimal

    from gaugeblock.records.prices import AMOUNT

    if text is None:
        return None
    if not AMOUNT.fullmatch(text) or not Decimal(text):
        told = text if len(text) <= LONGEST_TOLD else f"{text[:LONGEST_TOLD]}…"
        raise WrongUse(f"--budget-usd {told}: an amount of US dollars in digits, such as 2.50")
    return f"{Decimal(text):f}"
