"""Families of cases: numbers drawn from ranges, candidates refused by rules, cases of the rest.

Candidate 0, 1, 2, … of draw ``T1/3`` asks one question for each number: ``T1/3/0/length``,
``T1/3/0/cols``, … (`chance.py` answers). The answer k gives first + k·step. The first candidate
that breaks no rule is the draw; how many were refused, and by which rule, is kept.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, model_validator

from gaugeblock.records.base import Record
from gaugeblock.records.case import Case, Formula
from gaugeblock.records.draws import drawn_id
from gaugeblock.records.errors import WrongUse
from gaugeblock.suites.case_files import case_of, filled, fragments, near, read_toml, told
from gaugeblock.suites.formulas import evaluate
from gaugeblock.suites.growth.draws.chance import below
from gaugeblock.suites.suite import Sample

FOLDER = Path(__file__).parent
FILES = ("draws.toml", "hinge.toml")
FINEST = 0.5
"""mm. Multiples of it are exact in binary and in six printed digits."""

MOST_CANDIDATES = 10_000
"""Candidates of one draw. The rarest family takes one of about six: past this, its rules contradict
its ranges."""


class Range(Record):
    """Evenly spaced values, each equally likely."""

    first: float
    last: float
    step: float = Field(gt=0)
    why: str = Field(min_length=1)

    @model_validator(mode="after")
    def _exact(self) -> Range:
        if any(value % FINEST for value in (self.first, self.last, self.step)):
            raise ValueError(f"first, last and step are multiples of {FINEST:g}")
        if self.last < self.first or (self.last - self.first) % self.step:
            raise ValueError("last is first and some steps")
        return self

    @property
    def values(self) -> int:
        """How many values there are."""
        return int((self.last - self.first) / self.step) + 1


class Rule(Record):
    """What a candidate needs, so that its formulas hold: a formula of zero or more."""

    name: str
    needs: Formula
    why: str = Field(min_length=1)


class Family(Record):
    """One entry of the files: ranges, rules, and the case that is made of a draw."""

    use: tuple[str, ...]
    axis: str
    title: str
    growth: Formula
    numbers: dict[str, Range]
    bands: tuple[dict[str, Range], ...] = ()
    derived: dict[str, Formula] = Field(default_factory=dict)
    rules: tuple[Rule, ...] = Field(min_length=1)
    round: dict[str, Any]

    def ranges(self, number: int) -> dict[str, Range]:
        """Return the ranges of one draw: bands take turns."""
        band = self.bands[(number - 1) % len(self.bands)] if self.bands else {}
        return {**self.numbers, **band}

    def completed(self, numbers: Mapping[str, float]) -> dict[str, float]:
        """Return drawn numbers with those that follow from them."""
        values = dict(numbers)
        for name, formula in self.derived.items():
            values[name] = evaluate(formula, values, f"derived {name}")
        return values

    def broken(self, values: Mapping[str, float]) -> Rule | None:
        """Return the first rule that a candidate breaks, None for one that may be taken."""
        return next(
            (rule for rule in self.rules if evaluate(rule.needs, values, rule.name) < 0), None
        )


class Families:
    """The families of the suite, read and checked once."""

    def __init__(self, case_files: Iterable[Path], made_of: Iterable[Path] = ()) -> None:
        """Read the families.

        Args:
            case_files: the open cases' files: draws use their fragments, and so their limits.
            made_of: the files that start documents are made of; they count among the rules.

        Raises:
            WrongUse: a file is wrong.
        """
        self._paths = [*case_files, *(FOLDER / name for name in FILES), *made_of]
        opened = [(path, read_toml(path, ("shared", "case"))) for path in case_files]
        self._shared = fragments(opened)
        self._families: dict[str, Family] = {}
        for name in FILES:
            for family, table in read_toml(FOLDER / name, ["family"])["family"].items():
                self._families[family] = Family.build(table, f"{name}, {family}")

    def names(self) -> tuple[str, ...]:
        """Return the names of the families."""
        return tuple(self._families)

    def __getitem__(self, name: str) -> Family:
        """Return a family; WrongUse with near names if there is none."""
        if name not in self._families:
            raise WrongUse(f"suite growth draws no `{name}`{near(name, self._families)}")
        return self._families[name]

    def rules_sha256(self) -> str:
        """Return the SHA-256 (hex) over all that a draw follows from, beside the seed."""
        paths = [*self._paths, *sorted(FOLDER.glob("*.py"))]
        told = [f"{p.name}\0{hashlib.sha256(p.read_bytes()).hexdigest()}\n" for p in paths]
        return hashlib.sha256("".join(told).encode()).hexdigest()

    def draw(
        self, seed: bytes, name: str, number: int, visibility: Literal["open", "sealed"] = "sealed"
    ) -> Sample:
        """Return one draw; the same for the same seed, family and number.

        Args:
            seed: 32 bytes.
            name: the family, such as ``T1``.
            number: which of its draws, from 1.
            visibility: ``open`` for a seed that was known before.

        Raises:
            WrongUse: there is no such family, the seed is no seed, or no candidate is left.
        """
        family = self[name]
        if len(seed) != hashlib.sha256().digest_size or number < 1:
            raise WrongUse("a draw takes a seed of 32 bytes and a number from 1")
        rejected: Counter[str] = Counter()
        for candidate in range(MOST_CANDIDATES):
            place = f"{name}/{number}/{candidate}"
            numbers = {
                what: given.first + given.step * below(given.values, seed, f"{place}/{what}")
                for what, given in family.ranges(number).items()
            }
            values = family.completed(numbers)
            broken = family.broken(values)
            if broken is None:
                case = self.case(name, number, values, visibility)
                return Sample(case, dict(sorted(rejected.items())))
            rejected[broken.name] += 1
        raise WrongUse(f"{name}: none of {MOST_CANDIDATES} candidates keeps the rules")

    def case(
        self,
        name: str,
        number: int,
        values: Mapping[str, float],
        visibility: Literal["open", "sealed"] = "sealed",
    ) -> Case:
        """Return the case that some numbers make; WrongUse if its formulas do not hold together."""
        family, case_id = self[name], drawn_id(name, number)
        edits = "edit" in family.round
        table = {
            "use": list(family.use),
            "id": case_id,
            "title": filled(family.title, told(values), f"{case_id}, title"),
            "axis": family.axis,
            "visibility": visibility,
            "start": f"{case_id}.json" if edits else None,
            "rounds": [
                {
                    **family.round,
                    "id": case_id,
                    "growth": evaluate(family.growth, values, f"{case_id}, growth"),
                    "parameters": dict(values),
                }
            ],
        }
        return case_of(table, self._shared, f"draw {case_id}")
