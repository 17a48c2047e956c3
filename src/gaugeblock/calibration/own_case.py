"""A case of one's own: a drawing and a reference STEP become a case folder, calibrated at once."""

from __future__ import annotations

import json
import re
import uuid
from dataclasses import dataclass, field
from pathlib import Path

from gaugeblock.calibration.brought import (
    Brought,
    Listed,
    check_reference,
    check_tolerances,
    check_unit,
    look,
    sheet_list,
)
from gaugeblock.calibration.ceilings import Measured, measure_ceilings
from gaugeblock.calibration.freezing import slimmed
from gaugeblock.records.base import pretty_json
from gaugeblock.records.drawing_case import ID, DrawingCaseFile
from gaugeblock.records.drawing_task import Track
from gaugeblock.records.errors import CouldNotMeasure, WrongUse
from gaugeblock.ruler import Ruler

_STRING = rb"'(?:[^']|'')*'"
_DESCRIPTION = re.compile(
    rb"FILE_DESCRIPTION\s*\(\s*\(\s*(?:%b\s*(?:,\s*%b\s*)*)?\)" % (_STRING, _STRING)
)
"""First entry of a STEP header, up to the end of its description."""


BEGINS = {"png": b"\x89PNG\r\n\x1a\n", "pdf": b"%PDF-", "svg": b"<svg", "dxf": b"SECTION"}
"""What the first `HEAD` bytes of a drawing of each kind hold."""

HEAD = 4096

MOST_BYTES = 64 * 1024 * 1024
"""Largest drawing that is shown, in bytes."""


@dataclass(frozen=True)
class OwnCase:
    """A case, not yet written."""

    file: DrawingCaseFile
    files: dict[str, bytes]
    """Path below the folder → content."""
    brought: Brought
    listed: Listed
    measured: Measured
    tracks: tuple[Track, ...]
    notes: list[str] = field(default_factory=list)
    """What the user should know."""


def make_case(
    folder: Path,
    case_id: str,
    ruler: Ruler,
    *,
    title: str | None = None,
    part_class: str = "part",
    difficulty: int = 3,
) -> OwnCase:
    """Make a case of a user's folder; nothing is written.

    Args:
        folder: holds a drawing (one of each of DXF, PDF, SVG, PNG at most), a reference STEP, and
            `dimensions.json` where the sizes are not to be read out of the drawing.
        case_id: of the case; also its folder's name.
        ruler: reads and measures, in its worker.
        title: of the part; None: the id in words.
        part_class: such as `flange`.
        difficulty: 1 to 5, as its author sees it.

    Raises:
        WrongUse: something in the folder is missing or wrong; one line says what and the mend.
        CouldNotMeasure: a file cannot be read, or a ceiling cannot be measured.
    """
    if re.fullmatch(ID, case_id) is None:
        raise WrongUse(f"{case_id}: a case is named in lower case words with hyphens: my-bracket")
    brought = look(folder)
    check_reference(ruler.measure(brought.reference), brought.reference.name)
    listed = sheet_list(brought, ruler)
    check_tolerances(listed)
    spectrum = ruler.spectrum(brought.reference)
    if spectrum.verdict != "measured":
        raise CouldNotMeasure(f"{brought.reference.name}: {spectrum.reason}")
    check_unit(listed, spectrum, brought.reference.name)
    measured = measure_ceilings(ruler, brought.reference, listed.dimensions)
    sheet, notes = _sheet(brought, ruler)
    file = DrawingCaseFile.model_validate(
        {
            "id": case_id,
            "title": title or case_id.replace("-", " ").capitalize(),
            "group": "own",
            "class": part_class,
            "difficulty": difficulty,
            "canary": f"gaugeblock-canary-{uuid.uuid4()}",
            "parameters": {},
            "sheet": {"number": "", "material": ""},
        }
    )
    tracks: list[Track] = []
    if any(kind in sheet for kind in ("svg", "dxf", "pdf")):
        tracks.append("vector")
    if "png" in sheet:
        tracks.append("raster")
    files = {
        "case.toml": _toml(file),
        "reference.step": _marked(brought.reference, file.canary),
        "dimensions.json": pretty_json(
            [d.model_dump(mode="json", exclude_none=True) for d in listed.dimensions]
        ),
        "features.json": slimmed(measured.features),
        "ceilings.json": measured.ceilings.pretty(),
        **{f"sheet/drawing.{kind}": content for kind, content in sheet.items()},
    }
    notes = [*_of_reading(listed), *_of_threads(listed, measured), *notes]
    notes += [f"{name}: not used" for name in brought.ignored]
    return OwnCase(file, files, brought, listed, measured, tuple(tracks), notes)


def _sheet(brought: Brought, ruler: Ruler) -> tuple[dict[str, bytes], list[str]]:
    """Return the drawing's files by kind; a picture is made of a PDF where none is there."""
    sheet, notes = {}, []
    for kind, path in brought.drawings.items():
        try:
            if path.stat().st_size > MOST_BYTES:
                raise WrongUse(f"{path.name}: a drawing of at most {MOST_BYTES} bytes is shown")
            sheet[kind] = path.read_bytes()
        except OSError as error:
            raise WrongUse(f"{path}: {error.strerror or error}") from error
        if BEGINS[kind] not in sheet[kind][:HEAD]:
            raise WrongUse(f"{path.name}: this is no {kind.upper()}")
    if "png" not in sheet:
        if "pdf" in brought.drawings:
            try:
                sheet["png"] = ruler.pdf_picture(brought.drawings["pdf"])
                notes.append("drawing.png: the PDF's first page at 200 dots per inch")
            except CouldNotMeasure as error:
                notes.append(f"no raster track: {error}")
        else:
            notes.append("no raster track: it needs a PNG, or a PDF to paint one of")
    if set(sheet) == {"png"}:
        notes.append("no vector track: it needs an SVG, DXF or PDF")
    return sheet, notes


def _of_reading(listed: Listed) -> list[str]:
    """Return what the drawing's reader told."""
    if listed.reading is None:
        return []
    notes = [f"{listed.source}: {remark}" for remark in listed.reading.remarks]
    if listed.reading.unit == "inch":
        notes.append(f"{listed.source}: it says its unit is inches; its sizes are taken as mm")
    left = listed.reading.left_out
    if left:
        notes.append(
            f"{listed.source}: {len(left)} texts with numbers are no dimensions, see --list"
        )
    return notes


def _of_threads(listed: Listed, measured: Measured) -> list[str]:
    called = [d.label for d in listed.dimensions if re.search(r"\bM\d", d.label)]
    modelled = any(feature.kind == "thread" for feature in measured.features.features)
    if not called or modelled:
        return []
    return [f"{called[0]}: the reference has no modelled thread, so threadMatch does not apply"]


def _marked(path: Path, canary: str) -> bytes:
    """Return the reference with the canary as its header's description."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise WrongUse(f"{path}: {error.strerror or error}") from error
    entry = b"FILE_DESCRIPTION(('" + canary.encode() + b"')"
    marked, times = _DESCRIPTION.subn(entry, content, count=1)
    if not times:
        raise CouldNotMeasure(f"{path.name}: its header has no FILE_DESCRIPTION to mark")
    return marked


def _toml(file: DrawingCaseFile) -> bytes:
    """Return a case's own file."""
    values = file.model_dump(mode="json", by_alias=True, exclude_none=True)
    told = (
        "# A case of your own: see docs/own-case.md. The canary stands in the reference as well.\n"
    )
    head = [
        f"{key} = {json.dumps(value, ensure_ascii=False)}\n"
        for key, value in values.items()
        if isinstance(value, str | int)
    ]
    sheet = "".join(f"{key} = {json.dumps(text)}\n" for key, text in values["sheet"].items())
    return f"{told}{''.join(head)}\n[parameters]\n\n[sheet]\n{sheet}".encode()
