"""Which rows belong together: one profile on one case under one set of controls is a cell."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import accumulate, chain, groupby, pairwise
from operator import itemgetter
from typing import Any

from gaugeblock.analysis.columns import AnyRow, Columns, Samples, field, only
from gaugeblock.records.base import digest
from gaugeblock.records.row import Row

COHORT_FIELDS = (
    "fingerprint_ruler",
    "fingerprint_harness",
    "fingerprint_host",
    "fingerprint_protocol",
    "suite_digest",
    "host_runtime",
    "agent",
    "model",
    "settings",
)
"""Controls that must agree before rows are pooled: another value is another cohort, shown apart.

The machine is not among them: success pools over machines, times do not (``summaries``)."""

AXIS_ORDER = ("fresh-scale", "fresh-editing", "scale", "depth")
"""Order of the axes in every table: fresh draws, then making, then editing what was made."""


BASELINE = "baseline"
"""Axis of cases on which an agent is shown no tool. They stand beside a suite's other cases, and no
figure is taken over both."""

WITH_TOOLS, WITHOUT_TOOLS = "with tools", "without tools"


def kept_apart(axis: str, group: str) -> str:
    """Return what keeps cases apart beside their suite: tools, or track and group of a drawing."""
    if group:
        return f"{axis}, {group}"
    return WITHOUT_TOOLS if axis == BASELINE else WITH_TOOLS


@dataclass(frozen=True, order=True)
class CellKey:
    """What makes a cell one sample; cells of different keys are never pooled."""

    suite: str
    profile: str
    visibility: str
    axis: str
    language: str
    cohort: str
    case: str
    case_version: int
    case_digest: str
    group: str = ""

    @property
    def apart(self) -> str:
        """What else keeps cases apart; see `kept_apart`."""
        return kept_apart(self.axis, self.group)

    @property
    def pool(self) -> tuple[str, str, str, str, str, str]:
        """What cells must share before a figure is taken over several of them."""
        return self.profile, self.suite, self.visibility, self.language, self.cohort, self.apart


class Cell:
    """The trials of one profile on one case.

    Attributes:
        key: what the trials share.
        scripted: whether a scripted agent worked here; then it is never a result.
        reckoned: what was already reckoned from these rows, under the reckoner's own keys.
    """

    def __init__(self, key: CellKey, columns: Columns) -> None:
        """Put the rows in order: trial after trial, each in the order of its rounds.

        Raises:
            ValueError: one round of one trial stands there twice, which would count it twice.
        """
        self.key = key
        self._columns = columns
        everywhere = Samples(columns, range(len(columns)))
        names = ("run", "repetition", "trial", "growth", "round")
        marks = list(zip(*map(everywhere.field, names), range(len(columns)), strict=True))
        marks.sort()
        for one, other in pairwise(marks):
            if one[:-1] == other[:-1]:
                raise ValueError(f"round {one[4]} of trial {one[2]} stands twice in the rows")
        self._places = array("l", [mark[-1] for mark in marks])
        trials = [len(list(same)) for _, same in groupby(marks, key=lambda mark: mark[:3])]
        self._ends = array("l", accumulate(trials))
        rounds = {mark[4]: mark[3] for mark in sorted(marks, key=lambda mark: mark[3:5])}
        self._rounds = tuple(rounds.items())
        at = {name: array("l") for name in rounds}
        for *_, name, place in marks:
            at[name].append(place)
        self._at = {name: Samples(columns, places) for name, places in at.items()}
        self._rows = Samples(columns, self._places)
        self.scripted: bool = columns.value("scripted", 0)
        self.reckoned: dict[object, Any] = {}

    @property
    def trials(self) -> Iterator[Samples]:
        """Yield each trial's rows, in the order of its rounds."""
        rows = self.rows()
        return (rows[begin:end] for begin, end in pairwise((0, *self._ends)))

    def by_trial(self, name: str) -> list[list[Any]]:
        """Return one field of each trial's rows, in the order of `trials`."""
        return self.parted(self.rows().field(name))

    def parted(self, values: list[Any]) -> list[list[Any]]:
        """Return what is told of each row, in the order of `rows`, trial by trial."""
        return [values[begin:end] for begin, end in pairwise((0, *self._ends))]

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self._columns)

    def rounds(self) -> tuple[tuple[str, float], ...]:
        """Return (round id, growth value) of the cell's rounds, in order."""
        return self._rounds

    def at(self, round_id: str) -> Samples:
        """Return the rows of one round."""
        return self._at[round_id]

    def step(self, round_id: str) -> str:
        """Return how a round is named: the case alone where it has one round."""
        return self.key.case if len(self._rounds) == 1 else f"{self.key.case} {round_id}"

    def rows(self) -> Samples:
        """Return all rows, trial after trial."""
        return self._rows


class Cells(list[Cell]):
    """All cells of some rows, in a fixed order that does not depend on the order of the rows.

    Attributes:
        void: the cells that were voided: no figure is made of them, so they stand apart.
        reckoned: what was already reckoned from all of them.
    """

    def __init__(self, made: Iterable[Cell], void: Iterable[Cell] = ()) -> None:
        """Put the cells in order."""
        super().__init__(sorted(made, key=_order))
        self.void = tuple(sorted(void, key=_order))
        self.reckoned: dict[object, Any] = {}

    def field(self, name: str) -> Iterator[Any]:
        """Yield one field of all rows but the void ones, cell after cell."""
        return chain.from_iterable(cell.rows().field(name) for cell in self)

    def row_count(self) -> int:
        """Return the number of rows, void ones among them."""
        return sum(len(cell) for cell in (*self, *self.void))


def began(row: AnyRow) -> bool:
    """Whether the agent began this round, so that the row counts in a rate or an aggregate."""
    return bool(row.attempted) and row.outcome != "not-run"


def begun(rows: Sequence[AnyRow]) -> Sequence[AnyRow]:
    """Return the rows whose round the agent began; of a cell's rows reckoned once."""
    if isinstance(rows, Samples):
        if rows.begun is None:
            wanted = marks_of_begun(rows)
            rows.begun = rows if all(wanted) else rows.only(wanted)
            rows.begun.begun = rows.begun
        return rows.begun
    return only(rows, marks_of_begun(rows))


def marks_of_begun(rows: Sequence[AnyRow]) -> list[bool]:
    """Return of each row whether the agent began its round."""
    marks = zip(field(rows, "attempted"), field(rows, "outcome"), strict=True)
    return [attempted and outcome != "not-run" for attempted, outcome in marks]


def never_begun(rows: Sequence[AnyRow]) -> Sequence[AnyRow]:
    """Return the rows whose round the agent did not begin."""
    marks = zip(field(rows, "attempted"), field(rows, "outcome"), strict=True)
    return only(rows, [not attempted or outcome == "not-run" for attempted, outcome in marks])


def cells(rows: Iterable[Row] | Cells) -> Cells:
    """Group rows into cells, void ones apart; rows are read once and not kept.

    Args:
        rows: rows in any order, or cells already made, which are given back.

    Raises:
        ValueError: one round of one trial stands there twice, which would count it twice.
    """
    if isinstance(rows, Cells):
        return rows
    grouped: dict[CellKey, Columns] = {}
    void: dict[CellKey, Columns] = {}
    marked: dict[tuple[object, ...], Columns] = {}
    for row in rows:
        values = row.__dict__
        mark = (*_told(values), repr(values["settings"]))  # 1 and True are not the same setting
        columns = marked.get(mark)
        if columns is None:
            key, group = _key(row), void if row.voided else grouped
            if key not in group:
                group[key] = Columns(row, (*_KEY_FIELDS, "settings"))
            columns = marked[mark] = group[key]
        columns.append(values)
    return Cells(*([Cell(key, rows) for key, rows in group.items()] for group in (grouped, void)))


_KEY_FIELDS = (
    *(field for field in COHORT_FIELDS if field != "settings"),
    *(field.name for field in fields(CellKey) if field.name != "cohort"),
)
"""Columns that decide about a row's cell; settings, which cannot be hashed, besides."""

_told = itemgetter(*_KEY_FIELDS, "voided")


def _key(row: Row) -> CellKey:
    return CellKey(
        suite=row.suite,
        profile=row.profile,
        visibility=row.visibility,
        axis=row.axis,
        language=row.language,
        cohort=digest({name: getattr(row, name) for name in COHORT_FIELDS})[:12],
        case=row.case,
        case_version=row.case_version,
        case_digest=row.case_digest,
        group=row.group,
    )


def axis_place(axis: str) -> tuple[int, str]:
    """Return where an axis stands in a table: those of ``AXIS_ORDER`` first, then by name."""
    place = AXIS_ORDER.index(axis) if axis in AXIS_ORDER else len(AXIS_ORDER)
    return place, axis


def visibility_place(visibility: str) -> tuple[bool, str]:
    """Return where a visibility stands in a table: sealed draws are a suite's headline."""
    return visibility != "sealed", visibility


def _order(cell: Cell) -> tuple[str, str, tuple[bool, str], tuple[int, str], float, CellKey]:
    """Order cells along their axis: S2 (N = 48) stands before S3′ (N = 105)."""
    key = cell.key
    first = cell.rounds()[0][1]
    seen = visibility_place(key.visibility)
    return key.suite, key.profile, seen, axis_place(key.axis), first, key
