"""Fingerprints: what changes them, what does not, and what a built wheel knows of itself."""

import hashlib
import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import gaugeblock
from gaugeblock.running import fingerprints

PACKAGE = Path(gaugeblock.__file__).parent
CHECKOUT = PACKAGE.parent.parent

SAMPLE = '''
"""Module."""
from __future__ import annotations

import math as m
from . import sibling


class Bore:
    """Class."""

    depth: float = 12.5
    tags: dict[str, int] = {**{}, "a": -1}


async def drill(x, /, *args, y: int | None = None, z, **kw) -> str:
    """Function."""
    async with x as a, y as b:
        pass
    match x:
        case {"k": [1, *rest], **other} if rest:
            return f"{x!r:>{y}} mm" "µ\u2028\U0001fae8" f"{z=}" rf"\\d{x:}"
        case Bore(depth=0x10) | None:
            raise ValueError(*args) from None
    try:
        w = [i async for i in kw[..., 1:2] if (n := i)]
    except* OSError:
        del x[0]
    return u"text" if not True else b"\\x00" * 1_000 + 1j + 1e-7
'''
SAMPLE_SHA256 = "5af18fdc7f2d209b6b468d26c83484c7d43ed57516f12db86bb8a0b4819d1c4c"


def tree(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def ruler_of(root: Path) -> str:
    return fingerprints.compute(root)["ruler"].code_sha256


def test_normal_form_is_the_same_on_every_python():
    text = fingerprints.normalised(SAMPLE)
    assert hashlib.sha256(text.encode()).hexdigest() == SAMPLE_SHA256


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x = 1", "x  =  1  # a comment\n\n"),
        (
            "def f(a, b):\n    return a",
            'def f(\n    a,\n    b,\n):\n    """Doc."""\n    return (a)',
        ),
        ("class A:\n    pass", 'class A:\n    """Doc."""'),
        ("'''Doc.'''\nx = 'a'", 'x = "a"'),
        ("x = u'a' 'b'", "x = 'ab'"),
        ("x = 1000", "x = 1_000"),
    ],
)
def test_writing_does_not_count(one, other):
    assert fingerprints.normalised(one) == fingerprints.normalised(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x = 1", "x = 2"),
        ("x = 1", "x = True"),
        ("x = 1", "x = 1.0"),
        ("x = None", "x = ..."),
        ("x = 'a'", "x = b'a'"),
        ("f(a)", "f(*a)"),
        ("f(a)", "f(**a)"),
        ("{**a}", "{a}"),
        ("if a:\n    b\nelse:\n    c", "if a:\n    c\nelse:\n    b"),
        ("if a:\n    pass\nelse:\n    b", "if a:\n    b"),
        ("def f(*, a, b=1): ...", "def f(*, a=1, b): ..."),
        ("x = f'{a}'", "x = f'{a!r}'"),
        ("x: int = 1", "x: float = 1"),
        ("def f():\n    x = 'no docstring'", "def f():\n    pass"),
    ],
)
def test_meaning_counts(one, other):
    assert fingerprints.normalised(one) != fingerprints.normalised(other)


def test_what_changes_a_room(tmp_path):
    files = {"ruler/facts.py": "x = 1\n", "ruler/threads/iso.toml": "m6 = 1.0\n"}
    package = tree(tmp_path, files)
    before = ruler_of(package)

    tree(package, {"ruler/README.md": "text", "web/page.py": "y = 1\n", "ruler/.cache": "text"})
    tree(
        package,
        {"ruler/__pycache__/facts.pyc": "text", "ruler/facts.py": "x = 1  # one\n"},
    )
    assert ruler_of(package) == before

    for name, text in {
        "ruler/facts.py": "x = 2\n",
        "ruler/threads/iso.toml": "m6 = 1.0  # bytes count\n",
        "ruler/prompt.md": "text",
        "ruler/new.py": "",
        "ruler/broken.py": "x = = 1",
    }.items():
        tree(package, {name: text})
        assert ruler_of(package) != before
        (package / name).unlink()
        tree(package, files)
    assert ruler_of(package) == before

    (package / "ruler/facts.py").rename(package / "ruler/fact.py")
    assert ruler_of(package) != before


def test_drawing_has_its_own(tmp_path):
    package = tree(tmp_path, {"ruler/facts.py": "x = 1\n", "ruler/drawing/sheet.py": "y = 1\n"})
    before = fingerprints.compute(package)
    tree(package, {"ruler/drawing/sheet.py": "y = 2\n"})
    after = fingerprints.compute(package)
    assert {name for name in before if before[name] != after[name]} == {"drawing"}


def test_code_and_versions_are_apart(tmp_path, monkeypatch):
    package = tree(tmp_path, {"host/server.py": "x = 1\n"})
    before = fingerprints.compute(package)["host"]
    assert set(before.versions) == {"build123d", "cadquery-ocp-novtk", "mcp"}
    monkeypatch.setattr(fingerprints.metadata, "version", lambda _: "0.0")
    after = fingerprints.compute(package)["host"]
    assert after.code_sha256 == before.code_sha256
    assert after.sha256 != before.sha256


def test_checkout_has_nothing_to_verify():
    assert set(fingerprints.compute(PACKAGE)) == set(fingerprints.FINGERPRINTED)
    assert fingerprints.stored(PACKAGE) is None
    assert fingerprints.verify(PACKAGE) == []


@pytest.mark.skipif(not shutil.which("git"), reason="needs git")
def test_state_of_a_checkout(tmp_path):
    package = tree(tmp_path, {"pkg/__init__.py": ""}) / "pkg"
    assert fingerprints.checkout_state(package) == {"commit": None, "dirty": None}

    def git(*arguments: str) -> str:
        identity = ["-c", "user.name=name", "-c", "user.email=mail"]
        command = ["git", "-C", str(tmp_path), *identity, *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    git("init", "--quiet")
    git("add", ".")
    git("commit", "--quiet", "--message", "first")
    commit = git("rev-parse", "HEAD")
    assert fingerprints.checkout_state(package) == {"commit": commit, "dirty": False}

    tree(tmp_path, {"untracked/pkg/__init__.py": ""})
    assert fingerprints.checkout_state(package) == {"commit": commit, "dirty": True}
    stranger = tmp_path / "untracked" / "pkg"
    assert fingerprints.checkout_state(stranger) == {"commit": None, "dirty": None}


def test_a_wheel_knows_its_code(tmp_path):
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=CHECKOUT,
        check=True,
        capture_output=True,
    )
    [wheel] = tmp_path.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    package = tmp_path / "site" / "gaugeblock"
    assert not (PACKAGE / fingerprints.BUILD_FILE).exists()
    assert fingerprints.verify(package) == []
    state = fingerprints.checkout_state(CHECKOUT / "src" / "gaugeblock")
    assert fingerprints.checkout_state(package) == state

    code = package / "running" / "fingerprints.py"
    text = code.read_text(encoding="utf-8")
    code.write_text(f"# A comment.\n{text}", encoding="utf-8")
    assert fingerprints.verify(package) == []

    code.write_text(f"{text}\nCHANGED = True\n", encoding="utf-8")
    [mismatch] = fingerprints.verify(package)
    assert mismatch.startswith("harness: code differs")

    (package / fingerprints.BUILD_FILE).write_text(json.dumps([]), encoding="utf-8")
    assert "install the package again" in fingerprints.verify(package)[0]
