"""The part of suite ``drawings`` in the demo: its five dimensions, and the search before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from gaugeblock.records.run_folder import RunFolder

DRAWINGS, SHEET = "drawings", "bearing-block.vector"
"""The suite, and its case: 17 sizes, of which 14 can be measured on a finished body."""


def show_sheet(folder: RunFolder) -> None:
    """Print the reference's five dimensions beside threshold and ceiling."""
    from rich.markup import escape
    from rich.table import Table

    from gaugeblock.cli.console import answers
    from gaugeblock.running.reports import grades_of

    row = next(row for row in folder.rows() if row.case == SHEET and row.agent == "reference")
    grade = grades_of(folder).get((row.trial, row.round))
    table = Table(title="reference agent: a bearing block from its sheet", show_edge=False)
    table.add_column("dimension")
    table.add_column("measured", justify="right")
    table.add_column("verdict")
    table.add_column("rule", overflow="fold")
    for check in grade.checks if grade else ():
        measured = "—" if check.measured is None else f"{check.measured}"
        table.add_row(escape(check.name), escape(measured), check.verdict, escape(check.formula))
    answers().print(table)
    others = ", ".join(f"{name} {verdict}" for name, verdict in row.apart.items())
    sealed = {
        True: "sealed: nothing of the truth was found in the agent's view (isolation.json)",
        False: f"UNSEALED: {folder.plan.host.unsealed_why}",
    }
    told = sealed[row.sealed] if row.sealed is not None else row.unknown["sealed"]
    typer.echo(f"{row.outcome}; beside it: {others or 'nothing'}; {told}\n")
