"""The pictures of the documentation: made by the program, shown on a page, and modest."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from test_docs import MAKING, pages, pictures, prose

VERMILION, BLUE = (213, 94, 0), (0, 114, 178)
"""Colours of what only A and only B have (Okabe and Ito), in every legend of `diff`."""

MODEST = 100_000
"""Bytes: a picture above this ought to be drawn smaller; those of today have about 50,000."""


def has_colour(image: Image.Image, colour: tuple[int, int, int]) -> bool:
    """Return whether some pixels have a colour, but for what the palette costs."""
    pixels = np.asarray(image.convert("RGB")).reshape(-1, 3).astype(int)
    return int((np.abs(pixels - colour).max(axis=1) <= 16).sum()) > 50


def test_every_picture_has_a_recipe_and_a_page():
    drawn = {path.name for path in pictures.FOLDER.iterdir()}
    assert drawn == {name + picture.suffix for name, picture in pictures.PICTURES.items()}
    shown = {
        name for path in pages() for name in re.findall(r"pictures/(\w+\.(?:png|svg))", prose(path))
    }
    assert shown == drawn


def check_shows(path: Path) -> None:
    """Check that a picture shows what its command draws."""
    picture = pictures.PICTURES[path.stem]
    if picture.suffix == ".svg":
        assert len(re.findall(r"L-?\d", path.read_text(encoding="utf-8"))) > 20
        return
    with Image.open(path) as image:
        if picture.command == "diff":
            assert has_colour(image, VERMILION) and has_colour(image, BLUE)
            return
        grey = np.asarray(image.convert("L"))
    # Something is drawn, on white paper that it does not fill.
    assert 0.01 < (grey < 128).mean() < 0.5
    assert (grey > 250).mean() > 0.3


@pytest.mark.parametrize("name", pictures.PICTURES)
def test_pictures_are_modest_and_show_what_is_drawn(name):
    path = pictures.FOLDER / f"{name}{pictures.PICTURES[name].suffix}"
    assert path.stat().st_size < MODEST
    check_shows(path)


def test_an_empty_picture_shows_nothing(tmp_path):
    """Negative control of the test above."""
    Image.new("RGB", (100, 100), "white").save(tmp_path / "cover_sheet.png")
    with pytest.raises(AssertionError):
        check_shows(tmp_path / "cover_sheet.png")


def test_shrinking_keeps_rare_colours():
    """Palettes chosen by frequency lose a few coloured pixels among many grey ones."""
    steps = np.linspace(0, 255, 1100 * 700).astype(np.uint8).reshape(700, 1100)
    grey = np.dstack([steps] * 3)
    grey[:8, :8], grey[10:18, :8] = VERMILION, BLUE
    image = Image.fromarray(grey)
    assert has_colour(pictures.shrink(image), VERMILION)
    assert has_colour(pictures.shrink(image), BLUE)
    assert not has_colour(image, (0, 255, 0))


def drawn_anew(folder: Path, *names: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(MAKING / "pictures.py"), *names, "--out", str(folder)]
    return subprocess.run(command, capture_output=True, text=True)


def check_drawn(folder: Path, name: str) -> None:
    file = name + pictures.PICTURES[name].suffix
    check_shows(folder / file)
    if file.endswith(".png"):
        with Image.open(folder / file) as image, Image.open(pictures.FOLDER / file) as committed:
            assert image.size == committed.size


def test_pictures_are_made_anew(tmp_path):
    names = ("tray_hole_moved", "cover_sheet", "bracket_iso_lines")
    answer = drawn_anew(tmp_path, *names)
    assert answer.returncode == 0, answer.stderr
    assert {path.stem for path in tmp_path.iterdir()} == set(names)
    for name in names:
        check_drawn(tmp_path, name)


@pytest.mark.long
def test_all_pictures_are_made_anew(tmp_path):
    """Those of public files are left out, and told: the folder with them is not named here."""
    answer = drawn_anew(tmp_path)
    assert answer.returncode == 0, answer.stderr
    made = {path.stem for path in tmp_path.iterdir()}
    left = {name for name in pictures.PICTURES if f"{name}: left as it is" in answer.stdout}
    assert made | left == set(pictures.PICTURES) and not made & left
    real = {
        name
        for name, picture in pictures.PICTURES.items()
        if any(isinstance(part, pictures.Real) for part in picture.parts)
    }
    assert left == real
    for name in made:
        check_drawn(tmp_path, name)


def test_a_picture_that_cannot_be_made_is_told(tmp_path):
    unknown = drawn_anew(tmp_path, "none")
    assert unknown.returncode == 2 and "no picture none" in unknown.stderr
    assert not list(tmp_path.iterdir())
