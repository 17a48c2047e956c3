"""What a job can see: the system, the interpreter, its libraries, and a few rooms of this package.

One ``View`` serves both walls: as bubblewrap arguments (bubblewrap.py) and as Landlock rules.
Nothing of the package beyond the asked rooms, of its checkout or of its metadata may show through
any bound tree, so each tree carries the list of what is covered inside it.
"""

from __future__ import annotations

import sys
import sysconfig
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from . import lean_system

PACKAGE = Path(__file__).resolve().parents[1]
PACKAGE_NAME = PACKAGE.name

# Programs, shared libraries and fonts. /etc/alternatives is where Debian's library links lead.
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_SYSTEM_FILES = ("/etc/ld.so.cache", "/etc/fonts", "/etc/alternatives", "/etc/localtime")

# Where libraries and this package appear inside; neutral, so that no outer path is told.
SITE = "/site"
PACKAGE_PARENT = "/gauge"

# The same for a program that is not ours: its virtual environment, and a folder of its own.
ENVIRONMENT = "/server"
SHOWN = "/folder"


@dataclass(frozen=True)
class Tree:
    """A folder or file bound read-only, with what inside it is covered (as outer paths)."""

    source: Path
    inside: str
    covered: tuple[Path, ...] = ()


@dataclass(frozen=True)
class View:
    """Everything visible. ``links``: symbolic links of the root, as (inside, target)."""

    links: tuple[tuple[str, str], ...]
    system: tuple[Tree, ...]
    interpreter: tuple[Tree, ...]
    sites: tuple[Tree, ...]
    package: tuple[Tree, ...]
    modules: tuple[Tree, ...]
    python: Path

    def trees(self) -> tuple[Tree, ...]:
        """All trees in the order to bind them."""
        return (*self.system, *self.interpreter, *self.sites, *self.package, *self.modules)

    def import_path(self) -> str:
        """PYTHONPATH inside bubblewrap."""
        return ":".join((PACKAGE_PARENT, *(tree.inside for tree in self.sites)))


def build(
    rooms: Sequence[str],
    modules: Sequence[Path] = (),
    hide: Sequence[Path] = (),
    *,
    lean: bool = False,
) -> View:
    """The view for a server of the given rooms.

    rooms: sub-folders (or single modules, ``records/case.py``) of the package; ``sandbox`` is
    always among them, the server itself runs from it. modules: further Python files, importable by
    their stem. hide: outer folders to cover wherever a bound tree holds them. lean: of the system
    only what the libraries load (lean_system.py), for a view that is searched before it is used.
    Raises ValueError for a room or module that does not exist.
    """
    sites = site_folders()
    prefix = Path(sys.base_prefix).resolve()
    hidden = [PACKAGE, *_checkout(), *_home(), *(path.resolve() for path in hide)]
    hidden += [entry for site in (*sites, *_base_sites()) for entry in _traces(site)]

    links, system = _system(hidden, lean_system.loaded() if lean else _SYSTEM)
    shown, needless = lean_system.interpreter(prefix) if lean else ((prefix,), ())
    return View(
        links=links,
        system=system,
        interpreter=tuple(_tree(path, str(path), [*hidden, *needless]) for path in shown),
        sites=tuple(
            _tree(site, SITE + (str(number) if number else ""), hidden)
            for number, site in enumerate(sites)
        ),
        package=tuple(_package_trees(rooms)),
        modules=tuple(_module_tree(path) for path in modules),
        python=_interpreter(prefix),
    )


def of_program(environment: Path | None, shown: Path | None) -> View:
    """The view for a program that is not ours: the system, its interpreter and what it brings.

    environment: its virtual environment, which appears at ``ENVIRONMENT``; None: it has none, and
    the running interpreter is there. shown: a folder or file of its own, which appears as ``SHOWN``
    or in it. Of this package it sees the room of the sandbox, and no other.
    Raises ValueError for an environment that is none.
    """
    prefix = Path(sys.base_prefix).resolve() if environment is None else _base_of(environment)
    hidden = [PACKAGE, *_checkout(), *_home()]
    hidden += [entry for site in (*site_folders(), *_base_sites()) for entry in _traces(site)]
    own = []
    if environment is not None:
        sites = (environment / "lib").glob("python*/site-packages")
        hidden += [entry for site in sites for entry in _traces(site)]
        own.append(_tree(environment, ENVIRONMENT, hidden))
    if shown is not None:
        inside = SHOWN if shown.is_dir() else f"{SHOWN}/{shown.name}"
        own.append(_tree(shown, inside, hidden))
    links, system = _system(hidden, _SYSTEM)
    ours = Path(sys.base_prefix).resolve()
    return View(
        links=links,
        system=system,
        interpreter=(_tree(ours, str(ours), hidden),),
        sites=() if prefix == ours else (_tree(prefix, str(prefix), hidden),),
        package=(*_package_trees(()), *own),
        modules=(),
        python=_interpreter(ours),
    )


def _base_of(environment: Path) -> Path:
    """The prefix of the interpreter that a virtual environment was made from."""
    python = environment / "bin" / "python"
    if not (environment / "pyvenv.cfg").is_file() or not python.exists():
        raise ValueError(f"{environment.name} is no virtual environment")
    return python.resolve().parent.parent


def _system(
    hidden: Iterable[Path], shown: Iterable[str]
) -> tuple[tuple[tuple[str, str], ...], tuple[Tree, ...]]:
    """The system's programs and libraries: links of the root, and trees."""
    links = {name: str(Path(name).readlink()) for name in _SYSTEM if Path(name).is_symlink()}
    names = [name for name in (*shown, *_SYSTEM_FILES) if name not in links]
    system = (_tree(Path(name), name, hidden) for name in names if Path(name).exists())
    return tuple(links.items()), tuple(system)


def site_folders() -> tuple[Path, ...]:
    """The folders of installed libraries on sys.path, in its order; never a source checkout."""
    standard = {Path(sysconfig.get_path(key)).resolve() for key in ("stdlib", "platstdlib")}
    found: list[Path] = []
    for entry in sys.path:
        path = Path(entry or ".").resolve()
        if not path.is_dir() or path in standard or path in found:
            continue
        named = path.name in ("site-packages", "dist-packages")
        if named or next(path.glob("*.dist-info"), None) is not None:
            found.append(path)
    return tuple(found)


def _base_sites() -> tuple[Path, ...]:
    """Library folders of the base interpreter, visible because its whole prefix is bound."""
    base = {"base": sys.base_prefix, "platbase": sys.base_prefix}
    paths = {Path(sysconfig.get_path(key, vars=base)).resolve() for key in ("purelib", "platlib")}
    return tuple(path for path in paths if path.is_dir())


def _interpreter(prefix: Path) -> Path:
    """The real file of the running interpreter, outside any virtual environment."""
    for candidate in (
        Path(getattr(sys, "_base_executable", sys.executable)),
        prefix / "bin" / f"python{sys.version_info.major}.{sys.version_info.minor}",
    ):
        if candidate.exists():
            return candidate.resolve()
    raise ValueError(f"no python executable found below {prefix}")


def _checkout() -> list[Path]:
    """The source checkout the package runs from, if it does."""
    for folder in list(PACKAGE.parents)[:3]:
        if (folder / ".git").exists() or (folder / "pyproject.toml").exists():
            return [folder]
    return []


def _home() -> list[Path]:
    try:
        return [Path.home().resolve()]
    except RuntimeError:  # a user without a name, as in some containers
        return []


def _traces(site: Path) -> list[Path]:
    """Everything of this package in a library folder: itself, its metadata, editable hooks."""
    return [entry for entry in site.iterdir() if PACKAGE_NAME in entry.name.lower()]


def _tree(source: Path, inside: str, hidden: Iterable[Path]) -> Tree:
    real = source.resolve()
    covered = {path for path in hidden if path != real and path.is_relative_to(real)}
    outermost = [
        path for path in covered if not any(path != o and path.is_relative_to(o) for o in covered)
    ]
    return Tree(real, inside, tuple(sorted(outermost)))


def _package_trees(rooms: Sequence[str]) -> Iterable[Tree]:
    """The package's own __init__.py, those of the rooms' parents, and the rooms."""
    wanted: dict[str, Path] = {}
    for room in dict.fromkeys(("sandbox", *rooms)):
        path = PACKAGE / room
        relative = Path(room)
        if relative.is_absolute() or ".." in relative.parts or not path.exists():
            raise ValueError(f"{PACKAGE_NAME} has no room {room!r}")
        for parent in relative.parents:
            init = parent / "__init__.py"
            if (PACKAGE / init).exists():
                wanted.setdefault(init.as_posix(), PACKAGE / init)
        wanted[relative.as_posix()] = path
    for name, path in wanted.items():
        # A file inside a room that is bound whole needs no bind of its own.
        if not any(name != other and Path(name).is_relative_to(other) for other in wanted):
            yield Tree(path, f"{PACKAGE_PARENT}/{PACKAGE_NAME}/{name}")


def _module_tree(path: Path) -> Tree:
    real = path.resolve()
    if real.suffix != ".py" or not real.is_file():
        raise ValueError(f"an extra module must be one .py file, which {path} is not")
    return Tree(real, f"{PACKAGE_PARENT}/{real.name}")


def allowed_paths(tree: Tree) -> tuple[list[Path], list[Path]]:
    """``tree`` without what it covers, for a wall that can only allow.

    Returns (trees and files to read, trees whose names may be listed). Where something is covered
    the names in the whole tree show, contents do not.
    """
    if not tree.covered:
        return [tree.source], []
    return list(_around(tree.source, tree.covered)), [tree.source]


def _around(folder: Path, covered: tuple[Path, ...]) -> Iterable[Path]:
    for entry in sorted(folder.iterdir()):
        if entry in covered:
            continue
        if any(path.is_relative_to(entry) for path in covered):
            yield from _around(entry, covered)
        else:
            yield entry
