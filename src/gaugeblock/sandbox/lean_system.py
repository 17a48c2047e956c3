"""The least of a system that the interpreter and the installed libraries need to run.

A view that is searched for the truth of a case before anybody works in it should not hold compilers
and browsers: each file shown is a file to prove.
"""

from __future__ import annotations

import sys
import sysconfig
from pathlib import Path

_FONTS_AND_ZONES = ("/usr/share/fonts", "/usr/share/zoneinfo")

_NEEDLESS = ("site-packages", "dist-packages", "test", "idlelib", "ensurepip", "lib2to3")
"""Parts of the standard library's folder that no program of ours imports."""


def loaded() -> tuple[str, ...]:
    """Return the folders in which the loader finds shared libraries, and data that they read."""
    triplet = sysconfig.get_config_var("MULTIARCH")
    found: list[str] = []
    for top in ("/lib", "/usr/lib"):
        if triplet and Path(top, triplet).is_dir():
            top = f"{top}/{triplet}"
        if not _within_a_link(top):
            found.append(top)
    found += [name for name in ("/lib64", "/usr/lib64") if Path(name).is_dir()]
    return (*found, *_FONTS_AND_ZONES)


def _within_a_link(name: str) -> bool:
    """Whether a path leads through a link of the root, which is shown as such."""
    return Path("/", *Path(name).parts[1:2]).is_symlink()


def interpreter(prefix: Path) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
    """Return what is shown of an interpreter, and what in it is covered.

    prefix: where it was installed, links resolved.
    """
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    bases = dict.fromkeys(("base", "installed_base", "platbase", "installed_platbase"), str(prefix))
    paths = {sysconfig.get_path(key, vars=bases) for key in ("stdlib", "platstdlib")}
    standard = {Path(path).resolve() for path in paths if Path(path).is_dir()}
    executable = prefix / "bin" / version
    shown = [*standard, executable.resolve()]
    shown += [path for path in (prefix / "lib").glob("libpython*.so*") if path.is_file()]
    needless = [folder / name for folder in standard for name in _NEEDLESS]
    needless += [path for folder in standard for path in folder.glob("config-*")]
    return tuple(sorted(shown)), tuple(path for path in needless if path.exists())
