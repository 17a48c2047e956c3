"""Make the pictures of docs/ anew, with gaugeblock itself: `./dev docs pictures [NAME…]`.

Every picture is what a command of the program writes of parts that are made here, or of public
files where a folder with them is given. The parts are programs, made in the calibration's sandbox.
A new picture is a new line in `PICTURES`.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from PIL import Image

from gaugeblock.calibration.deliveries import played, start_of
from gaugeblock.calibration.part_files import load_part
from gaugeblock.calibration.workshop import Workshop
from gaugeblock.running.rehearsal import host_stage
from gaugeblock.suites import drawings, load_suite

FOLDER = Path(__file__).resolve().parents[1] / "pictures"
"""Where the pages look for them."""

CASES = Path(drawings.__file__).parent / "cases"

WIDTH = 1100
"""Pixels: twice what a page is wide on an ordinary screen would weigh four times as much."""

SHEET_DPI = 94
"""Of a drawing sheet: A4 becomes `WIDTH` pixels wide, and its letters stay sharp."""

SIDE = 640
"""Pixels of a view by itself."""

COLOURS = 256
"""Of the palette; chosen so that they reach every colour that occurs. Chosen by how often a colour
occurs, as is usual, they lose the few pixels that tell what differs. The file is four times smaller
than without a palette; no channel moves by more than some 10 of 255."""

SECONDS = 300
"""Time ceiling of one command, s; on a quiet machine it takes five."""

DIFFERENT = 1
"""Exit code of `diff` for parts that differ; those shown here all do."""


@dataclass(frozen=True)
class Made:
    """A part made by a program; lengths in mm."""

    name: str
    """Stem of its STEP file, as the picture names it."""
    program: str
    parameters: Mapping[str, float] = field(default_factory=dict)

    def put(self, folder: Path, workshop: Workshop, real: Path | None) -> Path:
        """Write the part's STEP file and return its path."""
        path = folder / f"{self.name}.step"
        path.write_bytes(workshop.build(self.program, dict(self.parameters)))
        return path


@dataclass(frozen=True)
class Real:
    """A public STEP file; it is not part of the project."""

    name: str

    def put(self, folder: Path, workshop: Workshop, real: Path | None) -> Path:
        """Return where the file lies.

        Raises:
            FileNotFoundError: it is not in the folder given.
        """
        if real is None or not (real / self.name).is_file():
            raise FileNotFoundError(f"needs {self.name}: name its folder with --step")
        return (real / self.name).resolve()


@dataclass(frozen=True)
class Played:
    """What the reference agent of a suite builds, by the CAD host."""

    name: str
    """Stem of its STEP file, as the picture names it."""
    suite: str
    case: str

    def put(self, folder: Path, workshop: Workshop, real: Path | None) -> Path:
        """Let the reference work, write what it delivered and return the path.

        Raises:
            RuntimeError: it delivered nothing; holds why.
        """
        suite = load_suite(self.suite)
        with host_stage() as play:
            delivery = play(suite, suite.case(self.case), "reference")
        if delivery.step is None:
            raise RuntimeError(f"the reference of {self.suite}/{self.case}: {delivery.said}")
        path = folder / f"{self.name}.step"
        path.write_bytes(delivery.step)
        return path


@dataclass(frozen=True)
class Picture:
    """What one command draws: `gaugeblock COMMAND PART… OPTION…`, run in a folder of its own."""

    command: str
    parts: tuple[Made | Real | Played, ...]
    options: tuple[str, ...] = ("--png", "picture.png")
    written: str = "picture.png"
    """The file that becomes the picture: a PNG, or an SVG as it is."""
    ends: int = 0
    """Exit code it must end with."""

    @property
    def suffix(self) -> str:
        """Ending of the picture's name."""
        return Path(self.written).suffix


@dataclass(frozen=True)
class CaseSheet:
    """The sheet of a part of suite drawings, as agents are shown it."""

    part: str
    command: str = "draw"
    suffix: str = ".png"

    @property
    def path(self) -> Path:
        """Where the frozen sheet lies."""
        return CASES / self.part / "sheet" / "drawing.png"


TRAY = """
tray = Box(120, 80, 40, align=Align.MIN) - Pos(2, 2, 2) * Box(116, 76, 38, align=Align.MIN)
for y in (25, 55):
    for column in range(6):
        x = 15 + 18 * column + (moved if (column, y) == (2, 25) else 0)
        tray -= Pos(x, y, 1) * Cylinder(3, 2)
result = {"tray": tray}
"""
"""An open tray with twelve holes; `moved` shifts one of them along X."""


def edited() -> tuple[Made, Made]:
    """Return suite growth's box before the first edit of the depth axis and after the last."""
    suite = load_suite("growth")
    case = suite.case("depth")
    before = start_of(suite, case)
    after = [document for _, document in played(suite, case, "reference")][-1]
    return (
        Made("before_k1", before.program or "", before.parameters),
        Made("after_k6", after.program or "", after.parameters),
    )


def thicker() -> tuple[Made, Made]:
    """Return the calibration's bracket, and the same with a thicker plate and wall."""
    part = load_part("bracket")
    return (
        Made("bracket", part.program(), part.parameters),
        Made("bracket_thicker", part.program(), {**part.parameters, "thickness": 8}),
    )


def calibrated(name: str) -> Made:
    """Return a part of the calibration."""
    part = load_part(name)
    return Made(name, part.program(), part.parameters)


def sheet(part: Made | Real, *more: str) -> Picture:
    """Return a drawing sheet of a part, at the width that pages show."""
    stem = Path(part.name).stem
    options = ("--formats", "png", "--format", "A4", "--dpi", str(SHEET_DPI), *more)
    return Picture("draw", (part,), options, f"{stem}.png")


def view(part: Made | Real | Played, name: str, kind: str) -> Picture:
    """Return one view of a part: `kind` is ``png``, shaded, or ``svg``, lines."""
    stem = Path(part.name).stem
    options = ("--views", name, f"--{kind}", "--size", str(SIDE))
    return Picture("render", (part,), options, f"{stem}-{name}.{kind}")


PICTURES: dict[str, Picture | CaseSheet] = {
    "aero_assembly_iso": view(Real("partcad_aero_assembly.step"), "iso", "png"),
    "bearing_block_sheet": CaseSheet("bearing-block"),
    "bracket_iso": view(calibrated("bracket"), "iso", "png"),
    "bracket_iso_lines": view(calibrated("bracket"), "iso", "svg"),
    "bracket_thicker": Picture("diff", thicker(), ends=DIFFERENT),
    "cover_sheet": sheet(
        calibrated("cover"), "--title", "Cover", "--number", "GB-001", "--material", "EN AW-6082"
    ),
    "espresso_machine": view(
        Played("espresso_machine", "assembly", "espresso-machine"), "iso", "png"
    ),
    "growth_edits": Picture("diff", edited(), ends=DIFFERENT),
    "m3_screw_sheet": sheet(Real("partcad_m3_screw.step"), "--title", "M3 screw"),
    "nist_ctc_01": Picture(
        "diff", (Real("nist_ctc_01_ap203.stp"), Real("nist_ctc_01_ap242.stp")), ends=DIFFERENT
    ),
    "tray_hole_moved": Picture(
        "diff",
        (Made("tray", TRAY, {"moved": 0}), Made("tray_hole_moved", TRAY, {"moved": 5})),
        ends=DIFFERENT,
    ),
}


def draw(picture: Picture | CaseSheet, target: Path, workshop: Workshop, real: Path | None) -> None:
    """Make the parts, run the command and put the picture where it belongs.

    Raises:
        FileNotFoundError: a public file is not there.
        RuntimeError: the command did not end as it must; holds what it said.
    """
    if isinstance(picture, CaseSheet):
        with Image.open(picture.path) as image:
            shrink(image).save(target, optimize=True)
        return
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        parts = [part.put(folder, workshop, real) for part in picture.parts]
        words = [picture.command, *map(str, parts), *picture.options]
        answer = subprocess.run(
            [sys.executable, "-m", "gaugeblock", *words],
            capture_output=True,
            text=True,
            timeout=SECONDS,
            cwd=folder,
        )
        if answer.returncode != picture.ends:
            said = answer.stderr.strip() or answer.stdout.strip()
            raise RuntimeError(f"{picture.command} ended with {answer.returncode}: {said}")
        drawn = folder / picture.written
        if picture.suffix == ".svg":
            shutil.copyfile(drawn, target)
            return
        with Image.open(drawn) as image:
            shrink(image).save(target, optimize=True)


def shrink(image: Image.Image) -> Image.Image:
    """Return a picture of modest size: `WIDTH` pixels wide at most, `COLOURS` in all."""
    small = image.convert("RGB")
    if small.width > WIDTH:
        height = round(small.height * WIDTH / small.width)
        small = small.resize((WIDTH, height), Image.Resampling.LANCZOS)
    return small.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)


def main() -> int:
    """Make the pictures that are named, or all that can be made."""
    words = argparse.ArgumentParser(prog="./dev docs pictures", description=__doc__.split("\n")[0])
    words.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(PICTURES)}")
    words.add_argument("--out", type=Path, default=FOLDER, help="another folder to write to")
    words.add_argument("--step", type=Path, help="folder with the public STEP files")
    asked = words.parse_args()
    unknown = [name for name in asked.names if name not in PICTURES]
    if unknown:
        words.error(f"no picture {unknown[0]}; there are {', '.join(PICTURES)}")
    asked.out.mkdir(parents=True, exist_ok=True)
    with Workshop() as workshop:
        for name in asked.names or PICTURES:
            target = asked.out / f"{name}{PICTURES[name].suffix}"
            try:
                draw(PICTURES[name], target, workshop, asked.step)
            except FileNotFoundError as missing:
                print(f"{name}: left as it is; {missing}")
                if name in asked.names:
                    return 2
            else:
                print(f"{name}: {target.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
