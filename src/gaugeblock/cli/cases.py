"""``gaugeblock suite, case``: what there is to run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from gaugeblock.cli.case_check import case_check, drawing_lines
from gaugeblock.cli.fresh_cases import case_draw
from gaugeblock.cli.new_case import case_new
from gaugeblock.records.errors import WrongUse

if TYPE_CHECKING:
    from gaugeblock.records.case import Language

LANGUAGE = typer.Option("en", help="Language of the instructions: en or zh.")
JSON = typer.Option(False, "--json", help="Print the answer as JSON.")


def register(app: typer.Typer) -> None:
    """Add the commands."""
    suites = typer.Typer(help="The suites.")
    suites.command(name="list")(suite_list)
    app.add_typer(suites, name="suite")
    cases = typer.Typer(help="The cases of a suite.")
    cases.command(name="list")(case_list)
    cases.command(name="show")(case_show)
    cases.command(name="draw")(case_draw)
    cases.command(name="check")(case_check)
    cases.command(name="new")(case_new)
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
        told = f"axis {case.axis}; rounds {rounds}"
        if case.drawing is not None:
            told = f"{case.drawing.group}, {case.axis}; difficulty {case.drawing.difficulty}"
        typer.echo(f"{case.id:6} {case.title} ({told})")


def case_show(
    case: str = typer.Argument(..., metavar="SUITE/CASE"),
    language: str = LANGUAGE,
    as_json: bool = JSON,
) -> None:
    """Show a case: instruction, formulas and the figures they give.

    Example: gaugeblock case show growth/S4
    """
    from gaugeblock.cli.console import print_json
    from gaugeblock.suites import load_suite, probed_round
    from gaugeblock.suites.truth import expected_figures, figures

    name, _, case_id = case.partition("/")
    if not case_id:
        raise WrongUse(f"{case}: give SUITE/CASE, such as growth/S4 (see case list {case})")
    found = load_suite(name).case(case_id)
    if as_json:
        print_json(found.model_dump(mode="json"))
        return
    typer.echo(f"{found.title}, version {found.version}; lengths mm, volumes mm³")
    for asked in found.rounds:
        typer.echo(f"\n{asked.id}\n{asked.instruction[language_of(language)].strip()}\n")
        known = {**asked.parameters, **asked.truth.symbols}
        for name, formula in known.items():
            typer.echo(f"  with {name} = {formula}")
        for quantity, figure in expected_figures(asked).items():
            formula, value = figure["formula"].split("; with ")[0], f"{figure['value']}"
            steps = [formula] if formula == value else [formula, value]
            typer.echo(f"  {quantity} = {' = '.join(steps)}")
        for line in drawing_lines(found) if found.drawing is not None else ():
            typer.echo(line)
        probed = probed_round(asked)
        if probed is not None:
            told = ", ".join(f"{name} = {value:g}" for name, value in asked.probe.items())
            typer.echo(f"  probe, apart: {told}; volume = {figures(probed).volume}")


def language_of(word: str) -> Language:
    """Return what --language says; WrongUse: it is neither."""
    if word == "en":
        return "en"
    if word == "zh":
        return "zh"
    raise WrongUse(f"--language {word}: en or zh")
