"""Freeze the cases of suite drawings: `python -m gaugeblock.calibration.freezing FOLDER…`.

Each folder has `case.toml` and `program.py`, written by hand; everything else in it is made here
and nowhere else: the reference, its sheet in four formats, the list of what the sheet prints, the
features and the ceilings. The same two files give the same bytes.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gaugeblock.calibration.ceilings import Measured, measure_ceilings
from gaugeblock.calibration.workshop import Workshop
from gaugeblock.records.base import pretty_json
from gaugeblock.records.drawing_case import DrawingCaseFile
from gaugeblock.records.errors import CouldNotMeasure, GaugeblockError, WrongUse
from gaugeblock.records.features import FeatureSet
from gaugeblock.records.store import write_atomic
from gaugeblock.ruler import Ruler
from gaugeblock.ruler.drawing.client import DrawOptions
from gaugeblock.ruler.drawing.listing import listed
from gaugeblock.ruler.drawing.sheet import Sheet, Title
from gaugeblock.ruler.spectrum.tolerances import check_sheet
from gaugeblock.suites.case_files import read_toml

DPI = 200
"""Of the PNG: narrow lines are two pixels wide and 2.5 mm letters twenty tall."""

GREYS = 16
"""Levels of grey in the PNG: the edges of lines stay smooth, and the file is half as large."""

PLACES = 9
"""Decimals of a frozen feature's figures: beyond them only the machine speaks."""

_DESCRIPTION = re.compile(rb"FILE_DESCRIPTION\s*\(\s*\([^)]*\)")


@dataclass(frozen=True)
class Frozen:
    """What one folder was frozen to."""

    id: str
    files: dict[str, bytes]
    """Path below the folder → content."""
    measured: Measured


def main(folders: Sequence[str]) -> int:
    """Freeze folders in place; return the exit code."""
    if not folders:
        print("freezing: name one or more case folders", file=sys.stderr)
        return WrongUse.exit_code
    worst = 0
    with Workshop() as workshop, Ruler() as ruler:
        for folder in folders:
            try:
                frozen = freeze(Path(folder), workshop, ruler)
            except GaugeblockError as error:
                print(f"{folder}: {error}", file=sys.stderr)
                worst = max(worst, error.exit_code)
                continue
            for name, content in frozen.files.items():
                write_atomic(Path(folder) / name, content)
            print(_told(frozen))
    return worst


def freeze(folder: Path, workshop: Workshop, ruler: Ruler) -> Frozen:
    """Return all that is made of one folder's `case.toml` and `program.py`; nothing is written.

    Args:
        folder: the case's folder; its name is the case's id.
        workshop: builds the part in a sandbox.
        ruler: draws and measures it.

    Raises:
        WrongUse: a file is missing or wrong; or the sheet has remarks (faces that no dimension
            fixes, what was left off, tolerances that fit nothing) that the case does not allow;
            or a printed size has no tolerance.
        CouldNotMeasure: the program makes no part, or the ruler has no answer.
    """
    case = read_case(folder)
    step = marked(workshop.build(_program(folder, case), case.parameters), case.canary)
    with tempfile.TemporaryDirectory() as scratch:
        reference = Path(scratch) / "reference.step"
        reference.write_bytes(step)
        _check_solid(ruler, reference)
        sheet = ruler.draw(reference, _options(case))
        _check_remarks(case, sheet)
        dimensions = listed(sheet, case.toleranced)
        check_sheet(dimensions)
        measured = measure_ceilings(ruler, reference, dimensions)
    files = {
        "reference.step": step,
        "dimensions.json": pretty_json(
            [entry.model_dump(mode="json", exclude_none=True) for entry in dimensions]
        ),
        "features.json": slimmed(measured.features),
        "ceilings.json": measured.ceilings.pretty(),
        **{f"sheet/drawing.{kind}": content for kind, content in sheet_files(sheet).items()},
    }
    return Frozen(case.id, files, measured)


def read_case(folder: Path) -> DrawingCaseFile:
    """Return a folder's `case.toml`; WrongUse where it is missing or wrong."""
    path = folder / "case.toml"
    names = [field.alias or name for name, field in DrawingCaseFile.model_fields.items()]
    case = DrawingCaseFile.build(read_toml(path, names), f"{folder.name}/case.toml")
    if case.id != folder.resolve().name:
        raise WrongUse(f"{folder.name}/case.toml: its id is `{case.id}`, not the folder's name")
    return case


def marked(step: bytes, canary: str) -> bytes:
    """Return a STEP file whose header carries the canary as its description."""
    text, times = _DESCRIPTION.subn(b"FILE_DESCRIPTION(('" + canary.encode() + b"')", step, count=1)
    if not times:
        raise CouldNotMeasure("the part's STEP has no FILE_DESCRIPTION")
    return text


def slimmed(features: FeatureSet) -> bytes:
    """Return a FeatureSet as a reader wants it: no clock, no versions, no noise of the machine."""
    kept = features.model_dump(
        mode="json", include={"verdict", "features", "refused", "findings"}, exclude_none=True
    )
    return pretty_json(_rounded(kept))


def sheet_files(sheet: Sheet) -> dict[str, bytes]:
    """Return a sheet in its four formats, by file suffix."""
    from gaugeblock.ruler.drawing.output.dxf import dxf_of
    from gaugeblock.ruler.drawing.output.pdf import pdf_of
    from gaugeblock.ruler.drawing.output.png import png_of
    from gaugeblock.ruler.drawing.output.svg import svg_of

    return {
        "svg": svg_of(sheet).encode(),
        "pdf": pdf_of(sheet),
        "png": png_of(sheet, DPI, greys=GREYS),
        "dxf": dxf_of(sheet).encode(),
    }


def _program(folder: Path, case: DrawingCaseFile) -> str:
    """Return the program without the notes above its first blank line; they carry the canary."""
    path = folder / "program.py"
    try:
        head, _, program = path.read_text(encoding="utf-8").partition("\n\n")
    except (OSError, UnicodeDecodeError) as error:
        raise WrongUse(f"{folder.name}/program.py: {' '.join(str(error).split())}") from error
    if case.canary not in head:
        raise WrongUse(f"{folder.name}/program.py: write the case's canary into its head comment")
    return program


def _options(case: DrawingCaseFile) -> DrawOptions:
    title = Title(name=case.title, number=case.sheet.number, material=case.sheet.material)
    return DrawOptions(
        title=title,
        format=case.sheet.format,
        scale=case.sheet.scale,
        toleranced=case.toleranced,
    )


def _check_solid(ruler: Ruler, reference: Path) -> None:
    """Refuse a reference that is not one sound solid."""
    found = ruler.measure(reference)
    if found.verdict != "measured":
        raise CouldNotMeasure(f"reference: {found.reason}")
    if found.totals is None or not found.totals.valid or found.totals.solids != 1:
        raise WrongUse("the reference is not one valid solid")


def _check_remarks(case: DrawingCaseFile, sheet: Sheet) -> None:
    """Refuse remarks on a sheet that are not allowed, and allowances that nothing needs."""
    remarks = list(sheet.notes)
    if sheet.tables:
        remarks.append("holes told by a table, whose rows are not measured")
    loose = [r for r in remarks if not any(a.startswith(f"{r}: ") for a in case.allowed)]
    if loose:
        raise WrongUse("the sheet has remarks that case.toml does not allow: " + "; ".join(loose))
    for entry in case.allowed:
        if not any(entry.startswith(f"{remark}: ") for remark in remarks):
            raise WrongUse(f"case.toml allows what the sheet has not: {entry}")


def _rounded(value: object) -> object:
    if isinstance(value, float):
        return round(value, PLACES) + 0.0  # -0.0 becomes 0.0
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_rounded(item) for item in value]
    return value


def _told(frozen: Frozen) -> str:
    """Return lines for the author: the ceilings, and what they lack."""
    c = frozen.measured.ceilings
    kilobytes = sum(map(len, frozen.files.values())) / 1000
    lines = [
        f"{frozen.id}: {c.asked} dimensions, {c.measurable} measurable ({c.measurable_extended}"
        f" with axes), {c.drawn} drawn, semantic match {c.semantic_match:.3f},"
        f" chance {c.chance.length:.3f} of lengths and {c.chance.angle:.3f} of angles,"
        f" {kilobytes:.0f} kB"
    ]
    for value in frozen.measured.dimensions.values:
        if not value.found:
            d = value.dimension
            lines.append(f"  not measurable: {d.label} ({d.type} {d.value:g}): {value.reason}")
    for drawn in frozen.measured.drawing.values:
        if not drawn.found:
            d = drawn.dimension
            lines.append(f"  not drawn: {d.label} ({d.type} {d.value:g}): {drawn.reason}")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
