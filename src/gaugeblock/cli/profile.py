"""``gaugeblock profile``: who can work, and whether the way to a provider holds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from gaugeblock.records.errors import WrongUse

if TYPE_CHECKING:
    from gaugeblock.running.fault_matrix import FaultLine

PROFILE_FILE = typer.Option(
    None, "--profiles", metavar="FILE", help="Profiles, instead of profiles.toml here."
)
PRICE_FILE = typer.Option(
    None, "--prices", metavar="FILE", help="Price snapshot, instead of gaugeblock-prices.json here."
)
JSON = typer.Option(False, "--json", help="Print the answer as JSON.")

FELL_SHORT = 1
"""Exit code of a profile that lacks something, and of a matrix with a wrong line."""

READY, LACKING, ABSENT = "ready", "lacks something", "not installed"
"""How a profile stands. Built-in ones may lack their packages: nobody asked for them by name."""

ON_TRIAL = (
    "On trial: agent, meter, accounts, desk, journals and the naming of outcomes, over HTTP with a "
    "mock provider. The world is one in memory: no part is made, and nothing here is a result."
)

COLUMNS = "fault dialect calls outcome in+out USD charged evidence later verdict".split()

LEGEND = (
    "calls: requests of the conversation that met the fault, counted at the server; later: those "
    "of the next one",
    "USD: by the prices; charged: to the budget, a reserve where nothing is known, or what the "
    "provider itself says (xAI)",
)
"""What the table's columns count."""


def register(app: typer.Typer) -> None:
    """Add the commands."""
    profiles = typer.Typer(help="Profiles, and the way to their providers.")
    profiles.command(name="list")(list_profiles)
    profiles.command(name="check")(check)
    app.add_typer(profiles, name="profile")


def list_profiles(profile_file: Path = PROFILE_FILE, as_json: bool = JSON) -> None:
    """List the profiles: the built-in ones and those of a file.

    Example: gaugeblock profile list --profiles profiles.toml
    """
    from gaugeblock.cli.console import plain, print_json
    from gaugeblock.running.profiles import load_profiles

    found = load_profiles(profile_file)
    if as_json:
        print_json([profile.model_dump(mode="json") for profile in found])
        return
    for item in found:
        typer.echo(plain(f"{item.id}: {item.label} ({item.dialect} {item.model}, {item.billing})"))


def check(
    names: list[str] = typer.Argument(
        None, metavar="[PROFILE…]", help="Profiles by id; without any: all."
    ),
    profile_file: Path = PROFILE_FILE,
    price_file: Path = PRICE_FILE,
    faults: bool = typer.Option(
        False, "--faults", help="Try every fault of a provider in every dialect, with a mock."
    ),
    stream: bool = typer.Option(False, "--stream", help="With streamed answers."),
    as_json: bool = JSON,
) -> None:
    """Check that profiles could run: settings, key, price, local server; nothing is sent.

    With --faults: the way to the providers on trial, every failure of a mock in every dialect; each
    must cost one request and be told as it is.

    Example: gaugeblock profile check
    Example: gaugeblock profile check --faults --stream

    Exit code 1 if a profile lacks something (a built-in one that is not installed only if it is
    named), or if a line of the matrix is wrong.
    """
    if faults:
        if names:
            raise WrongUse("--faults tries the dialects, not profiles: leave PROFILE out")
        _check_faults(stream, as_json)
        return
    if stream:
        raise WrongUse("--stream goes with --faults")
    _check_profiles(tuple(names or ()), profile_file, price_file, as_json)


def _check_profiles(
    names: tuple[str, ...], profile_file: Path | None, price_file: Path | None, as_json: bool
) -> None:
    from gaugeblock.cli.console import plain, print_json
    from gaugeblock.metering.snapshot import working_snapshot
    from gaugeblock.running.profiles import built_in, load_profiles
    from gaugeblock.running.readiness import readiness
    from gaugeblock.suites.case_files import near

    known = {profile.id: profile for profile in load_profiles(profile_file)}
    strangers = [name for name in names if name not in known]
    if strangers:
        raise WrongUse(f"no profile `{strangers[0]}`{near(strangers[0], known)}")
    prices = working_snapshot(price_file)
    found = {name: readiness(known[name], prices) for name in names or known}
    unasked = () if names else built_in()
    states = {
        name: READY if not lacks else ABSENT if known[name] in unasked else LACKING
        for name, (lacks, _) in found.items()
    }
    if as_json:
        print_json(
            {
                name: {"state": states[name], "lacks": lacks, "notes": notes}
                for name, (lacks, notes) in found.items()
            }
        )
    else:
        for name, (lacks, notes) in found.items():
            typer.echo(plain(f"{name}: {'; '.join([states[name], *lacks, *notes])}"))
    if LACKING in states.values():
        raise typer.Exit(FELL_SHORT)


def _check_faults(stream: bool, as_json: bool) -> None:
    from dataclasses import asdict

    from gaugeblock.cli.console import print_json, progress
    from gaugeblock.running.fault_matrix import DIALECTS, LINES, fault_matrix

    with progress() as bar:
        task = bar.add_task("faults", total=len(LINES) * len(DIALECTS))
        lines = fault_matrix(stream=stream, on_line=lambda _: bar.advance(task))
    wrong = [line for line in lines if line.wrong]
    if as_json:
        print_json({"on_trial": ON_TRIAL, "lines": [asdict(line) for line in lines]})
    else:
        _print_matrix(lines)
    if wrong:
        raise typer.Exit(FELL_SHORT)


def _print_matrix(lines: list[FaultLine]) -> None:
    from rich.markup import escape
    from rich.table import Table

    from gaugeblock.cli.console import answers, plain

    out = answers()
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    for name in COLUMNS:
        table.add_column(name, no_wrap=True)
    for line in lines:
        table.add_row(
            line.fault,
            line.dialect,
            str(line.wire_calls),
            line.outcome,
            "null" if line.usage is None else f"{line.usage[0]}+{line.usage[1]}",
            line.cost_usd or "null",
            line.charged_usd,
            "whole" if line.evidence_complete else "lacking",
            str(line.later_calls),
            "WRONG" if line.wrong else "right",
        )
    out.print(table)

    def say(text: str, style: str | None = None) -> None:
        out.print(escape(plain(text)), style=style, soft_wrap=True)

    for legend in LEGEND:
        say(legend, "dim")
    say("Why null:")
    for why, where in _reasons(lines).items():
        say(f"  {where}: {why}")
    say(ON_TRIAL)
    for line in lines:
        for fault in line.wrong:
            say(f"{line.fault}, {line.dialect}: {fault}", "red")
    wrong = sum(bool(line.wrong) for line in lines)
    how = "streamed" if lines[0].stream else "not streamed"
    say(f"{len(lines)} lines, {how}: {wrong or 'none'} wrong", "bold")


def _reasons(lines: list[FaultLine]) -> dict[str, str]:
    """Return each reason for a null with the faults and dialects that have it."""
    found: dict[str, dict[str, list[str]]] = {}
    for line in lines:
        tokens, cost = line.usage_reason, line.cost_reason
        same = tokens.partition(": ")[2] in cost  # unknown for want of the tokens
        for why in filter(None, (tokens, "" if same else cost)):
            dialects = found.setdefault(why, {}).setdefault(line.fault, [])
            dialects += [line.dialect] if line.dialect not in dialects else []
    every = len({line.dialect for line in lines})
    return {
        why: "; ".join(
            f"{fault} ({'all' if len(names) == every else ', '.join(names)})"
            for fault, names in where.items()
        )
        for why, where in found.items()
    }
