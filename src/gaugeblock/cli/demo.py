"""``gaugeblock demo``: the whole journey, no key needed."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from gaugeblock.cli.console import plain
from gaugeblock.cli.demo_machine import ASSEMBLY, MACHINE, picture_of, show_machine
from gaugeblock.cli.demo_sheet import DRAWINGS, SHEET, show_sheet
from gaugeblock.cli.outputs import require_new_folder
from gaugeblock.records.errors import WrongUse

if TYPE_CHECKING:
    from gaugeblock.records.case import Case
    from gaugeblock.records.profile import Profile
    from gaugeblock.records.row import Row
    from gaugeblock.records.run_folder import RunFolder

REFERENCE = ("S1", "S4", "depth", "T2", "T5", MACHINE, SHEET)
"""Cases of the reference: ten parts of every axis, a machine by object tools, a part from its
sheet. All of them would take minutes."""
SHOWN = frozenset(
    {
        ("null", "S1"),
        ("mutant:hole-size", "S1"),
        ("mutant:shifted", "S1"),
        ("mutant:imprinted", "S1"),
        ("mutant:no-holes", "S1"),
        ("mutant:no-holes", "S4"),  # the source's own criterion for S4 would have let it pass
        ("mutant:columns-narrow", "depth"),
        ("mutant:ends-kept", "T5"),
        ("mutant:hard-coded", "S1"),  # passes, and must miss the re-edit probe
        ("mutant:housing-wide", MACHINE),
        ("mutant:box", SHEET),
    }
)
"""Controls: each check has one that it alone, or it among others, must catch."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(name="demo")(demo)


def demo(
    out: Path | None = typer.Option(None, help="Folder of the run; default runs/demo-TIME."),
    unsafe: bool = typer.Option(False, "--unsafe", help="Go on where no sandbox can be had."),
) -> None:
    """Prove the wiring and the ruler: reference, null and mutants through the real CAD host.

    Example: gaugeblock demo

    Exit code 1 if the reference fails anywhere, or a wrong part is not caught by exactly the
    checks that should catch it; a re-edit probe counts as a part.
    """
    place = out or Path("runs") / f"demo-{datetime.now().astimezone():%Y%m%d-%H%M%S}"
    require_new_folder("--out", place)
    picture = picture_of(place)
    if picture.exists():
        raise WrongUse(f"{picture}: exists already; the picture of the machine goes there")
    from gaugeblock.cli.running import progress_watch
    from gaugeblock.running.plans import Wish
    from gaugeblock.running.run import run
    from gaugeblock.suites import load_suite

    suites = ("growth", ASSEMBLY, DRAWINGS)
    agents = dict.fromkeys(agent.name for name in suites for agent in load_suite(name).agents())

    def wanted(profile: Profile, case: Case) -> bool:
        """Show a choice, to keep to a minute; the tests run all agents on all cases."""
        if profile.agent == "reference":
            return case.id in REFERENCE
        return (profile.agent, case.id) in SHOWN

    names = tuple(name for name in agents if name == "reference" or name in dict(SHOWN))
    targets = ("growth", f"{ASSEMBLY}/{MACHINE}", f"{DRAWINGS}/{SHEET}")
    wish = Wish(targets, names, trials=1, unsafe=unsafe, wanted=wanted)
    watch, bar = progress_watch()
    with bar:
        folder = run(wish, place, watch)
    _show_reference(folder)
    show_machine(folder, picture)
    show_sheet(folder)
    wrong = _show_controls(folder)
    told = plain(str(place))
    typer.echo(f"\nreport:   {told}/report.md")
    typer.echo(f"evidence: {told}/  (gaugeblock audit {told})")
    if wrong:
        typer.echo(f"\n{wrong} rounds did not end as they must", err=True)
        raise typer.Exit(1)


def _show_reference(folder: RunFolder) -> None:
    """Print the reference's figures beside the formulas they come from."""
    from rich.markup import escape
    from rich.table import Table

    from gaugeblock.cli.console import answers
    from gaugeblock.running.reports import grades_of

    grades = grades_of(folder)
    table = Table(title="reference agent: measured beside the closed formula", show_edge=False)
    columns = (
        "round",
        "outcome",
        "probe",
        "volume mm³",
        "formula gives",
        "rel. dev.",
        "faces",
        "s",
    )
    for name in columns:
        table.add_column(name, justify="left" if name in ("outcome", "probe") else "right")
    table.add_column("volume formula, and in numbers", overflow="fold")
    parts = (row for row in folder.rows() if row.agent == "reference" and row.suite == "growth")
    for row in parts:
        grade = grades.get((row.trial, row.round))
        checks = {check.name: check for check in grade.checks} if grade else {}
        volume, faces = checks.get("volume"), checks.get("faces")
        table.add_row(
            row.round,
            row.outcome,
            row.probe or "—",
            "—" if row.volume_mm3 is None else f"{row.volume_mm3:,.2f}",
            "—" if row.expected_volume_mm3 is None else f"{row.expected_volume_mm3:,.2f}",
            "—" if volume is None or volume.deviation is None else f"{volume.deviation:.0e}",
            "—" if faces is None else f"{faces.measured}",
            "—" if row.total_s is None else f"{row.total_s:.2f}",
            escape(_in_numbers(folder, row)),
        )
    answers().print(table)
    typer.echo("each symbol's own formula: gaugeblock case show growth/S4\n")


def _in_numbers(folder: RunFolder, row: Row) -> str:
    """Return a round's volume formula, and the same with its symbols' values put in."""
    from gaugeblock.suites.truth import figures

    asked = next(item for item in folder.plan.case(row.case).rounds if item.id == row.round)
    formula = asked.truth.volume or ""
    symbols = figures(asked).symbols
    values = re.sub(
        r"[A-Za-z_]\w*",
        lambda name: f"{symbols[name[0]]:.8g}" if name[0] in symbols else name[0],
        formula,
    )
    return f"{formula} = {values}"


def _show_controls(folder: RunFolder) -> int:
    """Print what caught each wrong part; return how many rounds ended otherwise than they must."""
    from rich.markup import escape
    from rich.table import Table

    from gaugeblock.cli.console import answers

    demanded = {trial.id: trial for trial in folder.plan.trials}
    table = Table(title="wrong parts: each must be caught by its checks", show_edge=False)
    for name in ("agent", "round", "outcome", "must fail", "failed", "as it must"):
        table.add_column(name)
    wrong = 0
    for row in folder.rows():
        trial = demanded[row.trial]
        right = trial.as_it_must(
            row.round,
            row.outcome,
            row.failed_checks,
            row.matched_reading,
            row.probe,
            row.probe_failed_checks,
        )
        wrong += right is False
        if right and (row.agent == "reference" or row.outcome == "not-run"):
            continue
        reading = f" (reading {row.matched_reading})" if row.matched_reading else ""
        probe = f", probe {row.probe}" if row.probe else ""
        due = {**(trial.must_fail or {}), **trial.misses_probe}.get(row.round, ())
        table.add_row(
            escape(row.agent),
            row.round,
            escape(row.outcome + reading + probe),
            ", ".join(due) or "nothing",
            ", ".join(row.failed_checks + row.probe_failed_checks) or "nothing",
            "yes" if right else "NO",
        )
    answers().print(table)
    return wrong
