"""The CAD servers that a run can be given: those known from the start, and those of a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gaugeblock.records.errors import WrongUse
from gaugeblock.records.handwritten import is_there, read_toml
from gaugeblock.records.host_description import OWN_HOST, HostDescription
from gaugeblock.records.plan import Plan
from gaugeblock.suites.case_files import near

DEFAULT = Path("hosts.toml")
"""Read from the working folder where no other file is named."""

BUILT_IN = Path(__file__).parent / "servers" / "hosts.toml"
"""Servers that are known from the start."""


@dataclass(frozen=True)
class KnownHost:
    """A description, and the folder that its paths start from.

    Attributes:
        description: the entry.
        base: the folder of its file.
    """

    description: HostDescription
    base: Path


def known_hosts(path: Path | None) -> tuple[KnownHost, ...]:
    """Return the built-in hosts and those of a file, which may have others of the same ids.

    Args:
        path: the file; None: `hosts.toml` in the working folder, if there is one.

    Raises:
        WrongUse: there is no such file, or an entry is no host; the first fault is named.
    """
    if path is None:
        path = DEFAULT if is_there(DEFAULT) else None
    own = () if path is None else _read(path)
    taken = {host.description.id for host in own}
    return (*(host for host in _read(BUILT_IN) if host.description.id not in taken), *own)


def find_host(name: str | None, path: Path | None) -> KnownHost | None:
    """Return the host of a name, None for our own.

    Args:
        name: its id; None or `gaugeblock`: our own.
        path: the file of hosts, as in `known_hosts`.

    Raises:
        WrongUse: there is none; near names are told.
    """
    if name is None or name == OWN_HOST:
        if path is not None:
            known_hosts(path)  # a file that is named is looked at
        return None
    known = {host.description.id: host for host in known_hosts(path)}
    if name not in known:
        raise WrongUse(f"--host: no host `{name}`{near(name, [OWN_HOST, *known])}")
    return known[name]


def planned_host(plan: Plan, path: Path | None) -> KnownHost | None:
    """Return the user's own entry for the host of a plan; None: the plan's is no described one.

    A command is never taken from a run's folder, which can come from anywhere.

    Raises:
        WrongUse: the user has no host of this name, or another one.
    """
    described = plan.host.description
    if described is None:
        return None
    known = find_host(described.id, path)
    if known is None or known.description != described:
        raise WrongUse(
            f"host {described.id}: the folder's plan describes another one than your file; give "
            "that one with --hosts"
        )
    return known


def _read(path: Path) -> Sequence[KnownHost]:
    content, _ = read_toml(path, "file of hosts")
    for key in content:
        if key != "host":
            raise WrongUse(f"{path.name}: unknown key `{key}`{near(key, ['host'])}")
    entries = content.get("host", [])
    if not isinstance(entries, list):
        raise WrongUse(f"{path.name}: write each host as [[host]]")
    found: dict[str, KnownHost] = {}
    for number, entry in enumerate(entries, 1):
        name = entry.get("id") if isinstance(entry, dict) else None
        short = isinstance(name, str) and len(name) <= 40
        where = f"{path.name}, host {name if short else number}"
        described = HostDescription.build(entry, where)
        if described.id in found:
            raise WrongUse(f"{where}: there are two of this id")
        found[described.id] = KnownHost(described, path.resolve().parent)
    return tuple(found.values())
