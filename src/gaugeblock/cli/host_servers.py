"""``gaugeblock host list, check``: the CAD servers that a run can be given."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from gaugeblock.running.host_check import HostCheck

HOST_FILE = typer.Option(
    None, "--hosts", metavar="FILE", help="CAD servers, instead of hosts.toml here."
)
JSON = typer.Option(False, "--json", help="Print the answer as JSON.")

FELL_SHORT = 1
"""Exit code of a host that made no part."""
NOT_MEASURED = 3
"""Exit code of a host whose part could not be measured."""

OURS = "our own host: object and program tools (docs/host.md)"


def list_hosts(host_file: Path = HOST_FILE, as_json: bool = JSON) -> None:
    """List the CAD servers: ours, those known from the start, and those of a file.

    Example: gaugeblock host list
    """
    from gaugeblock.cli.console import plain, print_json
    from gaugeblock.records.host_description import OWN_HOST
    from gaugeblock.running.host_check import source_of
    from gaugeblock.running.known_hosts import known_hosts

    found = [host.description for host in known_hosts(host_file)]
    if as_json:
        print_json([described.model_dump(mode="json") for described in found])
        return
    typer.echo(f"{OWN_HOST}: {OURS}")
    for described in found:
        able = ", ".join(described.capabilities)
        typer.echo(plain(f"{described.id}: {described.label} ({source_of(described)}; {able})"))


def check_host(
    name: str = typer.Argument(..., metavar="NAME", help="Id of a CAD server."),
    host_file: Path = HOST_FILE,
    as_json: bool = JSON,
) -> None:
    """Start a CAD server as a run would, say what it is, and let it make a trivial part.

    Example: gaugeblock host check build123d-mcp

    Exit code 1 if it made no part, 3 if it does not start or its part could not be measured.
    """
    import anyio

    from gaugeblock.cli.console import plain, print_json, progress
    from gaugeblock.records.errors import WrongUse
    from gaugeblock.running.host_check import check_host as check
    from gaugeblock.running.known_hosts import find_host

    known = find_host(name, host_file)
    if known is None:
        raise WrongUse(f"host {name}: ours needs no check; gaugeblock demo drives it")
    with progress() as bar:
        bar.add_task(f"starting {known.description.id}", total=None)
        found = anyio.run(check, known)
    answer = _told(found)
    if as_json:
        print_json(answer)
    else:
        for key, value in answer.items():
            text = ", ".join(value) if isinstance(value, list) else value
            typer.echo(plain(f"{key}: {text}"))
    if found.fell_short:
        raise typer.Exit(FELL_SHORT)
    if found.unmeasured:
        raise typer.Exit(NOT_MEASURED)


def _told(found: HostCheck) -> dict[str, Any]:
    host = found.host
    counting = host.description.counting
    return {
        "host": host.description.id,
        "server": f"{host.name or 'unnamed'} {host.version or 'of no version'}",
        "versions": host.versions or "not told",
        "capabilities": list(host.description.capabilities),
        "tools": [tool.name for tool in host.tools],
        "plans": "unknown" if counting.plans is None else list(counting.plans),
        "commits": "unknown" if counting.commits is None else list(counting.commits),
        "sandbox": "bubblewrap",
        "fingerprint": host.fingerprint.sha256,
        "part": found.made or "no smoke calls are described",
    }
