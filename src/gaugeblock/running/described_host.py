"""A host that is not ours, made ready: installed, its files found, and fingerprinted."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import anyio

from gaugeblock.calibration import pinned
from gaugeblock.records.base import digest
from gaugeblock.records.case import Case
from gaugeblock.records.errors import WrongUse
from gaugeblock.records.handwritten import read_text, read_whole
from gaugeblock.records.host_description import HostDescription
from gaugeblock.records.plan import FingerprintRecord, HostControls, ShownTools, toolset_of
from gaugeblock.running.known_hosts import KnownHost
from gaugeblock.running.showing import tools_on
from gaugeblock.sandbox import SandboxUnavailable, available_isolation
from gaugeblock.sandbox.confined import require_bubblewrap
from gaugeblock.worlds import ExternalSettings, ExternalWorld, Tool, WorldLost, signatures_bytes
from gaugeblock.worlds.external_world import announced_sha256

SOURCE = "described"
"""What a plan says of such a host's source."""

MOST_FILES = 20_000
"""Files of a server's own folder that are hashed; a folder of more is no server's."""

LARGEST_LOCK_BYTES = 10_000_000
"""Of a list of hashes; that of build123d-mcp has some 200 kB."""


class Unready(WrongUse):
    """Nothing is wrong with the description: its server cannot be had on this machine now."""


@dataclass(frozen=True)
class DescribedHost:
    """A described host, ready to be started.

    Attributes:
        settings: how its worlds are opened.
        code_sha256: SHA-256 (hex) over description, lock and files, before anything is started.
        tools: what an agent is shown.
        name: what the server calls itself.
        version: its own, as it says.
        versions: what else it says of its versions; empty: nothing.
    """

    settings: ExternalSettings
    code_sha256: str
    tools: tuple[Tool, ...]
    name: str
    version: str
    versions: str
    known: KnownHost

    @property
    def description(self) -> HostDescription:
        """The entry of the file."""
        return self.settings.description

    @property
    def fingerprint(self) -> FingerprintRecord:
        """What makes it another host: command, lock, files, name, versions and tools."""
        return self._fingerprint(self.code_sha256)

    def fingerprint_now(self) -> FingerprintRecord:
        """Return the fingerprint with its files as they are now; its tools are held to each time.

        Raises:
            WrongUse: a file is gone.
        """
        return self._fingerprint(_code_sha256(self.known, self.settings))

    def _fingerprint(self, code: str) -> FingerprintRecord:
        said = {"name": self.name, "version": self.version, "versions": self.versions}
        whole = digest({"code": code, "tools": announced_sha256(self.tools), **said})
        return FingerprintRecord(
            sha256=whole, code_sha256=code, versions={self.name or "unnamed": self.version}
        )

    def shown(self, cases: Iterable[Case]) -> dict[str, tuple[Tool, ...]]:
        """Return the tools shown by set: each set of our own host's is all that it announces."""
        sets = {toolset_of(case): case for case in cases}
        return {name: tools_on(case, self.tools) for name, case in sorted(sets.items())}

    def controls(self, cases: Iterable[Case]) -> HostControls:
        """Return what a plan says of the host: every case that shows tools shows all of them."""
        return HostControls(
            name=self.name or self.description.id,
            version=self.version or "not told",
            runtime=self.versions or "not told",
            toolsets={
                name: ShownTools(
                    names=tuple(tool.name for tool in tools),
                    schemas_sha256=announced_sha256(tools),
                    signatures_bytes=signatures_bytes(tools),
                )
                for name, tools in self.shown(cases).items()
            },
            source=SOURCE,
            description=self.description,
            sandbox="bubblewrap",
            sandbox_formal=available_isolation().formal,
        )


@contextmanager
def described_host(known: KnownHost) -> Iterator[DescribedHost]:
    """Make a host ready for a run, and try it out once.

    Raises:
        Unready: it cannot be installed or shut in, does not start, or announces what no agent can
            be shown.
        WrongUse: a file of it is missing, or is not what the description says.
    """
    yield anyio.run(tried, known)


async def tried(known: KnownHost) -> DescribedHost:
    """Start a host once and return it with what it said; errors as in `described_host`."""
    settings = settings_of(known)
    try:
        async with ExternalWorld.open(settings, None) as world:
            found = announced_sha256(world.tools)
            return DescribedHost(
                settings=replace(settings, announced_sha256=found),
                code_sha256=_code_sha256(known, settings),
                tools=world.tools,
                name=world.server_name,
                version=world.server_version,
                versions=world.versions,
                known=known,
            )
    except WorldLost as error:
        raise Unready(f"host {known.description.id}: {error}") from error


def settings_of(known: KnownHost) -> ExternalSettings:
    """Return how a host is started; its package is installed first where it has one.

    Raises:
        Unready: there is no bubblewrap, or it cannot be installed.
        WrongUse: a file of it is missing, or is not what the description says.
    """
    described, where = known.description, f"host {known.description.id}"
    try:
        require_bubblewrap()
    except SandboxUnavailable as error:
        raise Unready(f"{where}: {error}") from error
    environment: Path | None = None
    if described.lock is not None:
        environment = _installed(known, _beside(known, described.lock))
    elif described.environment is not None:
        environment = _beside(known, described.environment)
    folder = None if described.folder is None else _beside(known, described.folder)
    if folder is not None and known.base.resolve().is_relative_to(folder):
        raise WrongUse(
            f"{where}: folder {described.folder} holds the file of hosts itself, and the server "
            "would see all that lies there, such as runs and keys; give it a folder of its own"
        )
    return ExternalSettings(described, environment, folder)


def _installed(known: KnownHost, lock: Path) -> Path:
    described = known.description
    data = read_whole(lock, "list of hashes", LARGEST_LOCK_BYTES)
    pins = {line.split(" ")[0] for line in read_text(data, lock.name).splitlines()}
    if described.package not in pins:
        raise WrongUse(f"host {described.id}: {lock.name} does not pin {described.package}")
    place = pinned.place_of(f"host-{described.id}", data)
    if not place.exists():
        trouble = pinned.build(place, lock, compiled=True)
        if trouble:
            raise Unready(f"host {described.id}: {trouble}")
    return place


def _beside(known: KnownHost, name: str) -> Path:
    path = (known.base / name).resolve()
    if not path.exists():
        raise WrongUse(f"host {known.description.id}: no {name} beside its file of hosts")
    return path


def _code_sha256(known: KnownHost, settings: ExternalSettings) -> str:
    """Hash what the host is made of; for an environment, what is installed there."""
    described = settings.description
    parts: dict[str, object] = {"description": described.model_dump(mode="json")}
    if described.lock is not None:
        parts["lock"] = hashlib.sha256(_beside(known, described.lock).read_bytes()).hexdigest()
    elif settings.environment is not None:
        records = sorted((settings.environment / "lib").glob("python*/site-packages/*/RECORD"))
        parts["environment"] = {path.parent.name: _sha256(path) for path in records}
    if settings.folder is not None:
        parts["files"] = {name: _sha256(path) for name, path in _files(settings.folder, described)}
    return digest(parts)


def _files(folder: Path, described: HostDescription) -> Iterator[tuple[str, Path]]:
    if folder.is_file():
        yield folder.name, folder
        return
    for number, path in enumerate(sorted(folder.rglob("*"))):
        if number > MOST_FILES:
            raise WrongUse(f"host {described.id}: its folder has more than {MOST_FILES:,} files")
        if path.is_file() and "__pycache__" not in path.parts:
            yield path.relative_to(folder).as_posix(), path


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
