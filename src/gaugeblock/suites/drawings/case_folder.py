"""One case's folder: read, and held against itself, before anything runs."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from gaugeblock.records.base import first_fault
from gaugeblock.records.drawing_case import DrawingCaseFile
from gaugeblock.records.drawing_task import Ceilings, Track
from gaugeblock.records.errors import WrongUse
from gaugeblock.records.spectrum import SheetDimension
from gaugeblock.ruler.spectrum.tolerances import check_sheet
from gaugeblock.suites.case_files import read_toml

CASE = "case.toml"
PROGRAM = "program.py"
REFERENCE = "reference.step"
DIMENSIONS = "dimensions.json"
CEILINGS = "ceilings.json"
SHEET = "sheet"

SHOWN: Mapping[Track, tuple[str, ...]] = {
    "vector": ("drawing.svg", "drawing.dxf", "drawing.pdf"),
    "raster": ("drawing.png",),
}
"""Files of the sheet that each track shows, those that are there; a track needs one of its own."""

_LIST: TypeAdapter[tuple[SheetDimension, ...]] = TypeAdapter(tuple[SheetDimension, ...])


@dataclass(frozen=True)
class CaseFolder:
    """What a case's folder holds.

    Attributes:
        file: what its author wrote.
        dimensions: what stands on its sheet.
        ceilings: what its reference reaches.
        reference: the frozen STEP.
        program: the reference's program, without the notes above its first blank line; None:
            there is none, as of a user's own part.
        sheets: track → name of a shown file → its bytes; only tracks that have a file.
    """

    file: DrawingCaseFile
    dimensions: tuple[SheetDimension, ...]
    ceilings: Ceilings
    reference: bytes
    program: str | None
    sheets: dict[Track, dict[str, bytes]]

    @property
    def reference_sha256(self) -> str:
        """SHA-256 (hex) of the reference."""
        return hashlib.sha256(self.reference).hexdigest()


def read_case_folder(folder: Path) -> CaseFolder:
    """Read a case's folder.

    Args:
        folder: its name is the case's id.

    Raises:
        WrongUse: a file is missing or wrong, or two contradict each other; one line says which.
    """
    if not folder.is_dir():
        raise WrongUse(f"{folder}: {'no folder' if folder.exists() else 'no such folder'}")
    name = folder.resolve().name
    if not (folder / CASE).is_file():
        raise WrongUse(f"{folder}: no {CASE} here, so this is no case of a drawing")
    keys = [field.alias or key for key, field in DrawingCaseFile.model_fields.items()]
    file = DrawingCaseFile.build(read_toml(folder / CASE, keys), f"{name}/{CASE}")
    if file.id != name:
        raise WrongUse(f"{name}/{CASE}: its id is `{file.id}`, not the folder's name")
    dimensions = _dimensions(_bytes(folder, DIMENSIONS), f"{name}/{DIMENSIONS}")
    ceilings = Ceilings.load(_bytes(folder, CEILINGS), f"{name}/{CEILINGS}")
    if ceilings.asked != len(dimensions):
        raise WrongUse(
            f"{name}/{CEILINGS}: of {ceilings.asked} dimensions, and {DIMENSIONS} has "
            f"{len(dimensions)}; freeze the case again"
        )
    sheets = _sheets(folder)
    if not sheets:
        every = ", ".join(file for files in SHOWN.values() for file in files)
        raise WrongUse(f"{name}/{SHEET}: no drawing there; one of {every}")
    return CaseFolder(
        file, dimensions, ceilings, _bytes(folder, REFERENCE), _program(folder), sheets
    )


def _bytes(folder: Path, name: str) -> bytes:
    try:
        return (folder / name).read_bytes()
    except OSError as error:
        where = f"{folder.resolve().name}/{name}"
        raise WrongUse(f"{where}: {error.strerror or error}; freeze the case again") from error


def _dimensions(content: bytes, where: str) -> tuple[SheetDimension, ...]:
    try:
        found = _LIST.validate_json(content)
    except ValidationError as error:
        raise WrongUse(f"{where}: {first_fault(error)}") from error
    if not found:
        raise WrongUse(f"{where}: no dimension stands on the sheet")
    try:
        check_sheet(found)
    except WrongUse as error:
        raise WrongUse(f"{where}: {error}") from error
    return found


def _program(folder: Path) -> str | None:
    if not (folder / PROGRAM).exists():
        return None
    content = _bytes(folder, PROGRAM)
    try:
        program = content.decode("utf-8").partition("\n\n")[2].strip()
    except UnicodeDecodeError as error:
        raise WrongUse(f"{folder.resolve().name}/{PROGRAM}: not UTF-8") from error
    if not program:
        raise WrongUse(
            f"{folder.resolve().name}/{PROGRAM}: no program below its notes and a blank line"
        )
    return program + "\n"


def _sheets(folder: Path) -> dict[Track, dict[str, bytes]]:
    found: dict[Track, dict[str, bytes]] = {}
    for track, names in SHOWN.items():
        there = [name for name in names if (folder / SHEET / name).is_file()]
        if there:
            found[track] = {name: _bytes(folder / SHEET, name) for name in there}
    return found


def shown_sha256(files: Mapping[str, bytes]) -> dict[str, str]:
    """Return file name → SHA-256 (hex) of its bytes."""
    return {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
