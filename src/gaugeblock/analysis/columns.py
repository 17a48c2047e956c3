"""Rows of one cell kept column by column: a hundred thousand rows in some tens of MB.

A row holds some eighty fields, and within a cell most of them are the same. A column that never
changes is one value; numbers lie packed; equal texts are one object. A `Sample` shows one row as
if it were still there.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import compress
from math import isnan, nan
from operator import itemgetter
from typing import Any, get_args, overload

from gaugeblock.records.row import Row

UNUSED = frozenset(
    {
        "format",
        "final",
        "commits",
        "repeated_calls",
        "look_up_queries",
        "expected_volume_mm3",
        "reasoning",
        "price_date",
        "message_bytes",
        "signatures_bytes",
        "started_at",
        "commit",
        "dirty",
        "host_tools",
        "sandbox",
        "instruction_sha256",
        "start_sha256",
        "os",
        "cpu",
        "memory_bytes",
        "artifact_sha256",
        "measurement_sha256",
        "grade_revision",
    }
)
"""Fields that no figure here is made of: they would only take memory and time."""

NO_COUNT = -(1 << 63)
"""Stands for a count that is not known; no count is negative."""

MOST_POOLED = 256
"""Different values of a column that are kept as one object each; a column with more, such as the
trials' ids, hardly repeats."""


class Column:
    """The values of one field, in the order they came: one value as long as it is steady.

    Attributes:
        first: the first value.
    """

    __slots__ = ("_code", "_pool", "_values", "first")

    def __init__(self, code: str, first: Any) -> None:
        """Begin steady; ``code`` is d for numbers, q for counts, O for anything else."""
        self.first = first
        self._code = code
        self._values: Any = None
        self._pool: dict[Any, Any] = {}

    def spread(self, length: int) -> None:
        """Give each of the values so far its own place: the next one differs."""
        many = [self._packed(self.first)] * length
        self._values = many if self._code == "O" else array(self._code, many)

    def append(self, value: Any) -> None:
        """Add a value to a column that is spread."""
        self._values.append(self._packed(value))

    def adder(self) -> Callable[[Any], None]:
        """Return what adds a known value to a column that is spread; it is called for every row."""
        push: Callable[[Any], None] = self._values.append
        return self.append if self._code == "O" else push

    def _packed(self, value: Any) -> Any:
        if self._code == "d":
            return nan if value is None else value
        if self._code == "q":
            return NO_COUNT if value is None else value
        key = tuple(value.items()) if type(value) is dict else value
        known = self._pool.get(key, self)  # itself: it is not there
        if type(known) is type(value):  # 1 and True are equal, and not the same
            return known
        if known is self and len(self._pool) < MOST_POOLED:
            self._pool[key] = value
        return value

    def at(self, places: Sequence[int]) -> list[Any]:
        """Return some values."""
        if self._values is None:
            return [self.first] * len(places)
        if self._code == "O":
            return list(map(self._values.__getitem__, places))
        import numpy as np

        found: list[Any] = np.asarray(self._values)[np.asarray(places)].tolist()
        if self._code == "d" and isnan(sum(found)):
            return [None if isnan(value) else value for value in found]
        if self._code == "q" and NO_COUNT in found:
            return [None if value == NO_COUNT else value for value in found]
        return found

    def __getitem__(self, place: int) -> Any:
        """Return one value."""
        if self._values is None:
            return self.first
        value = self._values[place]
        if self._code == "d":
            return None if isnan(value) else value
        if self._code == "q":
            return None if value == NO_COUNT else value
        return value


@cache
def _codes() -> dict[str, str]:
    """Return each kept field and how its column is packed."""
    codes = {}
    for name, field in Row.model_fields.items():
        kinds = set(get_args(field.annotation)) or {field.annotation}
        kinds -= {type(None)}
        if name not in UNUSED:
            codes[name] = "d" if kinds == {float} else "q" if kinds == {int} else "O"
    return codes


def _taker(names: Iterable[str]) -> Callable[[dict[str, Any]], tuple[Any, ...]]:
    """Return what takes some fields out of a row's; a tuple of however many they are."""
    several = tuple(names)
    if len(several) > 1:
        return itemgetter(*several)
    return lambda values: tuple(values[name] for name in several)


class Columns:
    """Rows that belong together, column by column."""

    __slots__ = (
        "_adders",
        "_columns",
        "_firsts",
        "_length",
        "_moving",
        "_moving_values",
        "_shared",
        "_steady",
        "_steady_values",
    )

    def __init__(self, first: Row, shared: Iterable[str]) -> None:
        """Begin without a row.

        Args:
            first: the row that is going to be the first of them.
            shared: fields in which all of them are the same.
        """
        self._shared = {name: getattr(first, name) for name in shared}
        self._columns = {
            name: Column(code, getattr(first, name))
            for name, code in _codes().items()
            if name not in self._shared
        }
        self._steady = dict(self._columns)
        self._moving: dict[str, Column] = {}
        self._watch()
        self._length = 0

    def __len__(self) -> int:
        """Return the number of rows."""
        return self._length

    def append(self, values: dict[str, Any]) -> None:
        """Add a row, given by its fields."""
        moving = self._moving_values(values)
        if None in moving:
            for column, value in zip(self._moving.values(), moving, strict=True):
                column.append(value)
        else:
            for add, value in zip(self._adders, moving, strict=True):
                add(value)
        if self._steady_values(values) != self._firsts:
            self._move(values)
        self._length += 1

    def _move(self, values: dict[str, Any]) -> None:
        """Spread the columns in which a row differs from all before it."""
        moved = []
        for name, column in self._steady.items():
            value, first = values[name], column.first
            if value is not first and (value != first or type(value) is not type(first)):
                column.spread(self._length)
                column.append(value)
                moved.append(name)
        for name in moved:
            self._moving[name] = self._steady.pop(name)
        self._watch()

    def _watch(self) -> None:
        """Make ready to compare a row's steady columns with the first row's at one stroke.

        A field has one type, so that what is equal there is the same, as 1 and True are not.
        """
        self._steady_values = _taker(self._steady)
        self._moving_values = _taker(self._moving)
        self._firsts = self._steady_values({n: item.first for n, item in self._steady.items()})
        self._adders = [column.adder() for column in self._moving.values()]

    def value(self, name: str, place: int) -> Any:
        """Return one field of one row; KeyError where it is not kept."""
        return self._shared[name] if name in self._shared else self._columns[name][place]

    def values(self, name: str, places: Sequence[int]) -> list[Any]:
        """Return one field of some rows."""
        if name in self._shared:
            return [self._shared[name]] * len(places)
        return self._columns[name].at(places)


class Samples(Sequence["Sample"]):
    """Some rows of a cell, in a given order; a field of all of them is quick to have.

    Attributes:
        begun: those of them that the agent began, once somebody asked.
    """

    __slots__ = ("_columns", "_places", "begun")

    def __init__(self, columns: Columns, places: Sequence[int]) -> None:
        """Show the rows at some places."""
        self._columns = columns
        self._places = places
        self.begun: Samples | None = None

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self._places)

    @overload
    def __getitem__(self, place: int) -> Sample: ...
    @overload
    def __getitem__(self, place: slice) -> Samples: ...
    def __getitem__(self, place: int | slice) -> Sample | Samples:
        """Return a row, or a part of the rows."""
        if isinstance(place, slice):
            return Samples(self._columns, self._places[place])
        return Sample(self._columns, self._places[place])

    def __iter__(self) -> Iterator[Sample]:
        """Yield the rows."""
        return (Sample(self._columns, place) for place in self._places)

    def field(self, name: str) -> list[Any]:
        """Return one field of all rows."""
        return self._columns.values(name, self._places)

    def only(self, wanted: Iterable[bool]) -> Samples:
        """Return the rows that are wanted."""
        return Samples(self._columns, array("l", compress(self._places, wanted)))


class Sample:
    """One row in its columns. Its fields are those of `Row`, without ``UNUSED``."""

    __slots__ = ("_columns", "_place")

    def __init__(self, columns: Columns, place: int) -> None:
        """Show the row at a place."""
        self._columns = columns
        self._place = place

    def __getattr__(self, name: str) -> Any:
        """Return a field's value."""
        try:
            return self._columns.value(name, self._place)
        except KeyError:
            raise AttributeError(f"{name}: no field that columns keep") from None


AnyRow = Row | Sample
"""A row, whole or in columns."""


def field(rows: Sequence[AnyRow], name: str) -> list[Any]:
    """Return one field of rows."""
    if isinstance(rows, Samples):
        return rows.field(name)
    return [getattr(row, name) for row in rows]


def only(rows: Sequence[AnyRow], wanted: Iterable[bool]) -> Sequence[AnyRow]:
    """Return the rows that are wanted."""
    return rows.only(wanted) if isinstance(rows, Samples) else list(compress(rows, wanted))
