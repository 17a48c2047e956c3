"""A user's folder with a drawing and a reference: what lies in it, and its sheet's sizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from gaugeblock.records.base import first_fault
from gaugeblock.records.errors import CouldNotMeasure, WrongUse
from gaugeblock.records.measurement import Measurement
from gaugeblock.records.sheet_reading import SheetReading
from gaugeblock.records.spectrum import SheetDimension, Spectrum
from gaugeblock.ruler import Ruler
from gaugeblock.ruler.spectrum.matching import match_sheet
from gaugeblock.ruler.spectrum.tolerances import check_sheet, deviations

DRAWINGS = ("svg", "pdf", "png", "dxf")
"""Kinds of drawing, by the file's ending."""

STEP = ("step", "stp")
DIMENSIONS = "dimensions.json"

UNITS = {25.4: "inches", 1000.0: "metres", 10.0: "centimetres"}
"""How many mm one of each has: the usual reasons why no size of a sheet is found on its part."""

CLEAR = 2
"""A scale is the reason if it finds this many times as many sizes as the sheet's own."""

_LIST: TypeAdapter[tuple[SheetDimension, ...]] = TypeAdapter(tuple[SheetDimension, ...])


@dataclass(frozen=True)
class Brought:
    """What a folder holds."""

    folder: Path
    drawings: dict[str, Path]
    """By kind; at least one."""
    reference: Path
    dimensions: Path | None
    ignored: list[str] = field(default_factory=list)
    """Names of files of no use."""


@dataclass(frozen=True)
class Listed:
    """The sizes of a sheet, and where they come from."""

    dimensions: tuple[SheetDimension, ...]
    source: str
    """File name."""
    reading: SheetReading | None
    """None: the list was given."""


def look(folder: Path) -> Brought:
    """Look at a folder.

    Raises:
        WrongUse: it has no drawing, no reference, or two of a kind; one line says which.
    """
    if not folder.is_dir():
        raise WrongUse(f"{folder}: {'not a folder' if folder.exists() else 'no such folder'}")
    found: dict[str, list[Path]] = {}
    listed, ignored = None, []
    for path in sorted(folder.iterdir()):
        kind = path.suffix.lower().lstrip(".")
        if path.name == DIMENSIONS:
            listed = path
        elif kind in (*DRAWINGS, *STEP) and path.is_file():
            found.setdefault("step" if kind in STEP else kind, []).append(path)
        elif not path.name.startswith("."):
            ignored.append(path.name)
    for kind, paths in found.items():
        if len(paths) > 1:
            what = "references" if kind == "step" else f"{kind.upper()} drawings"
            names = " and ".join(path.name for path in paths[:2])
            raise WrongUse(f"{folder}: two {what}, {names}: leave one of them there")
    if "step" not in found:
        raise WrongUse(f"{folder}: no reference: put the part there as a .step or .stp file")
    drawings = {kind: paths[0] for kind, paths in found.items() if kind != "step"}
    if not drawings:
        dwg = "; export the DWG as DXF" if any(n.lower().endswith(".dwg") for n in ignored) else ""
        raise WrongUse(f"{folder}: no drawing: put a .dxf, .pdf, .svg or .png there{dwg}")
    return Brought(folder, drawings, found["step"][0], listed, ignored)


def check_reference(found: Measurement, name: str) -> None:
    """Refuse a reference that is not one sound solid.

    Args:
        found: of it.
        name: of its file.

    Raises:
        WrongUse: it is something else, with the mend.
        CouldNotMeasure: it cannot be judged.
    """
    totals, stray = found.totals, found.stray
    if found.code == "no-shape" or (totals is not None and totals.solids == 0):
        faces = f" of {stray.faces} faces" if stray is not None and stray.faces else ""
        raise WrongUse(
            f"{name}: no solid, only surfaces{faces}: sew them to a solid in the CAD program"
        )
    if found.verdict != "measured" or totals is None:
        raise CouldNotMeasure(f"{name}: {found.reason}")
    if totals.solids > 1:
        raise WrongUse(f"{name}: {totals.solids} solids; a case is one part: export one of them")
    if totals.valid is None:
        raise CouldNotMeasure(f"{name}: whether its solid is sound cannot be told")
    if not totals.valid:
        why = next((item.message for item in found.findings), "the kernel refuses its body")
        raise WrongUse(f"{name}: not a valid solid ({why}): mend it in the CAD program")


def sheet_list(brought: Brought, ruler: Ruler) -> Listed:
    """Return the sizes of a folder's sheet: its list, else from the DXF, else from the PDF's text.

    Args:
        brought: the folder.
        ruler: reads drawings, in its worker.

    Raises:
        WrongUse: there is nothing to read them from, none was read, or one has no tolerance.
        CouldNotMeasure: the drawing cannot be read.
    """
    if brought.dimensions is not None:
        listed = Listed(_given(brought.dimensions), DIMENSIONS, None)
    elif "dxf" in brought.drawings:
        listed = _read(ruler.read_dxf(brought.drawings["dxf"]))
    elif "pdf" in brought.drawings:
        listed = _read(ruler.read_pdf_text(brought.drawings["pdf"]))
    else:
        kinds = " and ".join(kind.upper() for kind in brought.drawings)
        raise WrongUse(
            f"{brought.folder}: no sizes can be read from {kinds}: put {DIMENSIONS}, a DXF or a"
            " PDF with text there"
        )
    return listed


def check_tolerances(listed: Listed) -> None:
    """Refuse a list with a size that nothing tolerates; WrongUse names it and the mend."""
    try:
        check_sheet(listed.dimensions)
    except WrongUse as error:
        mend = "" if listed.reading is None else f" in {DIMENSIONS} (see --list)"
        raise WrongUse(f"{listed.source}: {error}{mend}") from error


def check_unit(listed: Listed, spectrum: Spectrum, name: str) -> None:
    """Refuse a reference on which the sheet's lengths are found, but in another unit.

    Args:
        listed: the sheet's.
        spectrum: of the reference.
        name: of the reference's file.

    Raises:
        WrongUse: one of the two is in the wrong unit; or no size is found at all.
    """
    lengths = [d for d in listed.dimensions if d.type != "angle"]
    own = _found(lengths, spectrum)
    least = max(CLEAR * max(own, 1), 0.5 * len(lengths))
    for factor, unit in UNITS.items():
        if lengths and _found(_scaled(lengths, factor), spectrum) >= least:
            raise WrongUse(
                f"{name}: wrong unit: the sheet's sizes are found on it times {factor:g}: is the"
                f" drawing in {unit}? Sheet and reference must both be in mm"
            )
        if lengths and _found(_scaled(lengths, 1.0 / factor), spectrum) >= least:
            raise WrongUse(
                f"{name}: wrong unit: the sheet's sizes are found on it divided by {factor:g}: was"
                f" it exported in {unit}? Export it in mm"
            )
    if _found(listed.dimensions, spectrum) == 0:
        raise WrongUse(
            f"{name}: none of the {len(listed.dimensions)} sizes in {listed.source} is found on it:"
            " drawing and reference are of different parts"
        )


def _given(path: Path) -> tuple[SheetDimension, ...]:
    try:
        found = _LIST.validate_json(path.read_bytes())
    except OSError as error:
        raise WrongUse(f"{path}: {error.strerror or error}") from error
    except ValidationError as error:
        raise WrongUse(f"{path}: {first_fault(error)}") from error
    if not found:
        raise WrongUse(f"{path}: the list is empty")
    return found


def _read(reading: SheetReading) -> Listed:
    name = reading.file.name
    if reading.verdict != "measured":
        raise CouldNotMeasure(f"{name}: {reading.reason}; or give the sizes in {DIMENSIONS}")
    if not reading.dimensions:
        told = f" ({len(reading.left_out)} texts are none)" if reading.left_out else ""
        raise WrongUse(f"{name}: no dimension could be read{told}: give them in {DIMENSIONS}")
    return Listed(tuple(item.dimension for item in reading.dimensions), name, reading)


def _found(dimensions: Sequence[SheetDimension], spectrum: Spectrum) -> int:
    return match_sheet(spectrum, dimensions).found_extended or 0


def _scaled(dimensions: Sequence[SheetDimension], factor: float) -> list[SheetDimension]:
    """Return sizes in another unit, with the deviations of the first."""
    scaled = []
    for item in dimensions:
        low, high = deviations(item, external=None, leg=None)
        changes = {"value": factor * item.value, "lower": factor * low, "upper": factor * high}
        scaled.append(item.model_copy(update=changes))
    return scaled
