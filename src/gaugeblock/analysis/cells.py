"""Which rows belong together: one profile on one case under one set of controls is a cell."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

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

AXIS_ORDER = ("scale", "depth")
"""Order of the axes in every table: making first, then editing what was made."""


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


@dataclass(frozen=True)
class Cell:
    """The trials of one profile on one case.

    Attributes:
        key: what the trials share.
        scripted: whether a scripted agent worked here; then it is never a result.
        trials: each trial's rows, in the order of its rounds.
    """

    key: CellKey
    scripted: bool
    trials: tuple[tuple[Row, ...], ...]

    def rounds(self) -> tuple[tuple[str, float], ...]:
        """Return (round id, growth value) of the cell's rounds, in order."""
        return tuple(dict.fromkeys((row.round, row.growth) for row in self._ordered()))

    def at(self, round_id: str) -> list[Row]:
        """Return the rows of one round."""
        return [row for row in self.rows() if row.round == round_id]

    def step(self, round_id: str) -> str:
        """Return how a round is named: the case alone where it has one round."""
        return self.key.case if len(self.rounds()) == 1 else f"{self.key.case} {round_id}"

    def rows(self) -> list[Row]:
        """Return all rows, trial after trial."""
        return [row for trial in self.trials for row in trial]

    def _ordered(self) -> list[Row]:
        return sorted(self.rows(), key=_place)


def began(row: Row) -> bool:
    """Whether the agent began this round, so that the row counts in a rate or an aggregate."""
    return row.attempted and row.outcome != "not-run"


def cells(rows: Iterable[Row]) -> list[Cell]:
    """Group rows into cells, in a fixed order that does not depend on the order of the rows.

    Raises:
        ValueError: one round of one trial stands there twice, which would count it twice.
    """
    trials: dict[tuple[str, str], list[Row]] = defaultdict(list)
    seen: set[tuple[str, str, str]] = set()
    for row in rows:
        identity = (row.run, row.trial, row.round)
        if identity in seen:
            raise ValueError(f"round {row.round} of trial {row.trial} stands twice in the rows")
        seen.add(identity)
        trials[row.run, row.trial].append(row)
    grouped: dict[CellKey, list[tuple[Row, ...]]] = defaultdict(list)
    for trial in trials.values():
        ordered = tuple(sorted(trial, key=_place))
        grouped[_key(ordered)].append(ordered)
    made = [
        Cell(key, group[0][0].scripted, tuple(sorted(group, key=_sample)))
        for key, group in grouped.items()
    ]
    return sorted(made, key=_order)


def _key(trial: tuple[Row, ...]) -> CellKey:
    row = trial[0]
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
    )


def axis_place(axis: str) -> tuple[int, str]:
    """Return where an axis stands in a table: those of ``AXIS_ORDER`` first, then by name."""
    place = AXIS_ORDER.index(axis) if axis in AXIS_ORDER else len(AXIS_ORDER)
    return place, axis


def _order(cell: Cell) -> tuple[str, str, str, tuple[int, str], float, CellKey]:
    """Order cells along their axis: S2 (N = 48) stands before S3′ (N = 105)."""
    key = cell.key
    first = min(row.growth for row in cell.rows())
    return key.suite, key.profile, key.visibility, axis_place(key.axis), first, key


def _place(row: Row) -> tuple[float, str]:
    return row.growth, row.round


def _sample(trial: tuple[Row, ...]) -> tuple[str, int, str]:
    return trial[0].run, trial[0].repetition, trial[0].trial
