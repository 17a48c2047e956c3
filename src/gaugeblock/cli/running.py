"""``gaugeblock suite, case, plan, run``: what there is to run, and running it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from gaugeblock.cli.console import plain
from gaugeblock.cli.outputs import require_new_folder, require_open_folder
from gaugeblock.records.errors import WrongUse

if TYPE_CHECKING:
    from rich.progress import Progress

    from gaugeblock.records.case import Language
    from gaugeblock.records.plan import Plan, PlannedTrial
    from gaugeblock.records.trial import RoundResult
    from gaugeblock.running.plans import Wish
    from gaugeblock.running.run import Watch

TARGETS = typer.Argument(..., metavar="SUITE…", help="Suites, or SUITE/CASE, such as growth/S1.")
PROFILES = typer.Option(
    ..., "--profile", help="Profile id; may be given several times (reference, null, mutant:…)."
)
TRIALS = typer.Option(1, min=1, help="Repetitions of each cell; three are the least for a claim.")
LANGUAGE = typer.Option("en", help="Language of the instructions: en or zh.")
UNSAFE = typer.Option(False, "--unsafe", help="Go on where no sandbox can be had; it is recorded.")
JSON = typer.Option(False, "--json", help="Print the answer as JSON.")


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command(name="plan")(plan)
    app.command(name="run")(run)
    suites = typer.Typer(help="The suites.")
    suites.command(name="list")(suite_list)
    app.add_typer(suites, name="suite")
    cases = typer.Typer(help="The cases of a suite.")
    cases.command(name="list")(case_list)
    cases.command(name="show")(case_show)
    app.add_typer(cases, name="case")


def suite_list(as_json: bool = JSON) -> None:
    """List the suites.

    Example: gaugeblock suite list
    """
    from gaugeblock.cli.console import print_json
    from gaugeblock.suites import SUITES, load_suite

    found = {name: [case.id for case in load_suite(name).cases()] for name in SUITES}
    if as_json:
        print_json(found)
        return
    for name, cases in found.items():
        typer.echo(f"{name}: {', '.join(cases)}")


def case_list(suite: str = typer.Argument(..., metavar="SUITE"), as_json: bool = JSON) -> None:
    """List the cases of a suite.

    Example: gaugeblock case list growth
    """
    from gaugeblock.cli.console import print_json
    from gaugeblock.suites import load_suite

    cases = load_suite(suite).cases()
    if as_json:
        print_json([case.model_dump(mode="json") for case in cases])
        return
    for case in cases:
        rounds = ", ".join(item.id for item in case.rounds)
        typer.echo(f"{case.id:6} {case.title} (axis {case.axis}; rounds {rounds})")


def case_show(
    case: str = typer.Argument(..., metavar="SUITE/CASE"),
    language: str = LANGUAGE,
    as_json: bool = JSON,
) -> None:
    """Show a case: instruction, formulas and the figures they give.

    Example: gaugeblock case show growth/S4
    """
    from gaugeblock.cli.console import print_json
    from gaugeblock.suites import load_suite
    from gaugeblock.suites.truth import expected_figures

    name, _, case_id = case.partition("/")
    if not case_id:
        raise WrongUse(f"{case}: give SUITE/CASE, such as growth/S4 (see case list {case})")
    found = load_suite(name).case(case_id)
    if as_json:
        print_json(found.model_dump(mode="json"))
        return
    typer.echo(f"{found.title}, version {found.version}; lengths mm, volumes mm³")
    for asked in found.rounds:
        typer.echo(f"\n{asked.id}\n{asked.instruction[_language(language)].strip()}\n")
        known = {**asked.parameters, **asked.truth.symbols}
        for name, formula in known.items():
            typer.echo(f"  with {name} = {formula}")
        for quantity, figure in expected_figures(asked).items():
            formula, value = figure["formula"].split("; with ")[0], f"{figure['value']}"
            steps = [formula] if formula == value else [formula, value]
            typer.echo(f"  {quantity} = {' = '.join(steps)}")


def plan(
    targets: list[str] = TARGETS,
    profiles: list[str] = PROFILES,
    trials: int = TRIALS,
    language: str = LANGUAGE,
    unsafe: bool = UNSAFE,
    as_json: bool = JSON,
) -> None:
    """Show all that `run` would do; no agent works and nothing is written.

    Example: gaugeblock plan growth --profile reference --trials 3
    """
    from gaugeblock.cli.console import print_json
    from gaugeblock.running.run import plan_only

    made = plan_only(_wish(targets, profiles, trials, language, unsafe))
    if as_json:
        print_json({"commitment": made.commitment(), **made.model_dump(mode="json")})
        return
    _show_plan(made)
    for planned in made.trials:
        rounds = ", ".join(item.id for item in made.case(planned.case_id).rounds)
        typer.echo(f"  {planned.id}: {rounds}")


def run(
    targets: list[str] = typer.Argument(
        None, metavar="[SUITE…]", help="Suites, or SUITE/CASE, such as growth/S1."
    ),
    profiles: list[str] = typer.Option([], "--profile", help="Profile id; may be repeated."),
    out: Path = typer.Option(..., help="Folder of the run; must not exist (except with --resume)."),
    trials: int = TRIALS,
    language: str = LANGUAGE,
    resume: bool = typer.Option(
        False, "--resume", help="Go on with the same plan; trials that started are not repeated."
    ),
    unsafe: bool = UNSAFE,
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
        if targets or profiles:
            raise WrongUse("--resume takes the plan of the folder: leave SUITE and --profile out")
        watch, bar = progress_watch()
        with bar:
            folder = go_on(out, watch)
    else:
        wish = _wish(targets or [], profiles, trials, language, unsafe)
        watch, bar = progress_watch()
        with bar:
            folder = start(wish, out, watch)
    rows = folder.rows()
    passed = sum(row.final for row in rows)
    typer.echo(f"{passed} of {len(rows)} rounds passed")
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


def _wish(
    targets: list[str], profiles: list[str], trials: int, language: str, unsafe: bool
) -> Wish:
    from gaugeblock.running.plans import Wish

    return Wish(tuple(targets), tuple(profiles), trials, _language(language), unsafe)


def _language(word: str) -> Language:
    if word == "en":
        return "en"
    if word == "zh":
        return "zh"
    raise WrongUse(f"--language {word}: en or zh")
