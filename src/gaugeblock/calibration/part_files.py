"""The calibration's own parts: programs with closed formulas (`parts/`). mm, mm³."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from gaugeblock.records.base import Record
from gaugeblock.records.case import Formula
from gaugeblock.records.errors import WrongUse
from gaugeblock.suites.case_files import near, read_toml
from gaugeblock.suites.formulas import evaluate

FOLDER = Path(__file__).parent / "parts"


class PartFile(Record):
    """One part: how it is made, and what a right one measures."""

    name: str
    title: str
    parameters: dict[str, float]
    volume: Formula
    solids: Formula
    faces: Formula | None = Field(default=None, description="None: not told by a formula.")

    def program(self) -> str:
        """Return the program's text, without the linter notes above its first blank line."""
        path = FOLDER / f"{self.name}.py"
        return path.read_text(encoding="utf-8").partition("\n\n")[2]

    def figure(self, formula: Formula, parameters: dict[str, float] | None = None) -> float:
        """Return a formula's value at the part's parameters, or at others."""
        known = self.parameters if parameters is None else parameters
        return evaluate(formula, known, f"part {self.name}")


def load_parts() -> tuple[PartFile, ...]:
    """Return every part, in the file's order."""
    content = read_toml(FOLDER / "parts.toml", ["part"])
    return tuple(
        PartFile.build(table, f"parts.toml, {table.get('name', '?')}") for table in content["part"]
    )


def load_part(name: str) -> PartFile:
    """Return one part; WrongUse with near names if there is none."""
    known = {part.name: part for part in load_parts()}
    if name not in known:
        raise WrongUse(f"no part `{name}`{near(name, known)}")
    return known[name]
