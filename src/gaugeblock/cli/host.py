"""``gaugeblock host``: the CAD host as an MCP server; ``host list, check``: other servers."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import typer

from gaugeblock.cli.host_servers import check_host, list_hosts
from gaugeblock.cli.outputs import require_makeable
from gaugeblock.records.errors import WrongUse


def register(app: typer.Typer) -> None:
    """Add the command, which serves by itself, and the commands of other servers below it."""
    hosts = typer.Typer(invoke_without_command=True)
    hosts.callback()(host)
    hosts.command(name="list")(list_hosts)
    hosts.command(name="check")(check_host)
    app.add_typer(hosts, name="host")


def host(
    context: typer.Context,
    document: Path = typer.Option(
        Path("document.json"), help="Document to open, or to make on save."
    ),
    workspace: Path = typer.Option(Path(), help="Folder that export_step writes to."),
    http: str | None = typer.Option(
        None, help="Serve streamable HTTP at HOST:PORT instead of stdio."
    ),
    unsafe: bool = typer.Option(
        False, "--unsafe", help="Run programs without a sandbox where none can be had."
    ),
    sandbox_socket: Path | None = typer.Option(
        None, help="Socket of a warm sandbox that is already running.", hidden=True
    ),
    tools: Literal["all", "program", "objects"] = typer.Option(
        "all", help="Tools to show: of programs, of objects, or all."
    ),
    program_seconds: float = typer.Option(
        60.0, min=1, max=3600, help="Wall time of one program, s."
    ),
) -> None:
    """Serve the CAD host over MCP, on stdio or HTTP.

    With list or check behind it: the CAD servers that a run can be given instead.

    Example: gaugeblock host --document bracket.json --workspace out
    """
    if context.invoked_subcommand is not None:
        return
    from gaugeblock.cli.console import version_line
    from gaugeblock.host.main import HostOptions, serve

    if document.is_dir():
        raise WrongUse(f"--document {document}: a folder; give the name of a file in it")
    if not document.exists():  # one that is there may be opened only to be looked at
        require_makeable("--document", document)
    options = HostOptions(
        document=document,
        workspace=workspace,
        sandbox_socket=sandbox_socket,
        http=http,
        unsafe=unsafe,
        program_s=program_seconds,
        tools=tools,
    )
    serve(options, version_line().split()[-1])
