"""Environments that uv builds on demand, once, from a pinned list: hashes, and no addresses."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

BUILD_S = 600.0
"""Longest time for building an environment, s: a kernel has some 60 MB; 4 s were seen."""


def place_of(name: str, pinned: bytes) -> Path:
    """Return where the environment of a list lies in the user's cache: one a list and Python."""
    root = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    digest = hashlib.sha256(pinned).hexdigest()[:12]
    python = f"py{sys.version_info.major}.{sys.version_info.minor}"
    return root / "gaugeblock" / f"{name}-{digest}-{python}"


def build(place: Path, pinned: Path, *, compiled: bool = False) -> str:
    """Build an environment, whole or not at all; return why it could not be, or an empty text.

    Args:
        place: where it shall lie.
        pinned: the list, requirements with hashes.
        compiled: whether its modules are compiled, for those who may not write beside them.
    """
    uv = uv_program()
    if uv is None:
        return "there is no uv to build its environment with"
    place.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(prefix=f".{place.name}-", dir=place.parent))
    commands = [
        [uv, "venv", "--quiet", "--clear", "--relocatable", "--python", sys.executable, draft],
        [uv, "pip", "install", "--quiet", "--python", draft / "bin" / "python",
         *(["--compile-bytecode"] if compiled else []),
         "--only-binary", ":all:", "--require-hashes", "--requirement", pinned],
    ]  # fmt: skip
    try:
        for command in commands:
            done = subprocess.run(
                [str(word) for word in command],
                capture_output=True,
                text=True,
                timeout=BUILD_S,
                check=False,
            )
            if done.returncode:
                return f"uv could not build its environment: {last_line(done.stderr)}"
        draft.chmod(0o755)  # a sandbox may read it as nobody
        if not place.exists():
            draft.rename(place)
        return ""
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"its environment could not be built: {type(error).__name__}"
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def uv_program() -> str | None:
    """Return the uv beside our Python, or the one on PATH; None: there is none."""
    beside = Path(sys.executable).with_name("uv")
    return str(beside) if beside.exists() else shutil.which("uv")


def last_line(text: str) -> str:
    """Return the last line of a program's words, short."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:160] if lines else "no reason given"
