"""Counts as a provider reports them: a figure, or the reason why there is none.

What a provider sends is other people's data: any field may be missing, of another type, negative
or absurd, and none of that raises. Figures that contradict each other do (`Contradiction`), since
then nobody knows which of them is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

MOST_TOKENS = 1_000_000_000
"""No request has so many tokens (contexts end near 10 million); a larger figure is a fault."""

Raw = Mapping[str, Any]
"""A usage object as received."""


class Contradiction(Exception):
    """Reported figures that cannot all be right; one line."""


@dataclass(frozen=True)
class Count:
    """Tokens of one kind.

    Attributes:
        name: the provider's own, or what it was computed from.
        value: tokens; None: unknown.
        why: it is unknown, one line.
        absent: whether it is unknown because it was not reported at all.
    """

    name: str
    value: int | None
    why: str = ""
    absent: bool = False


@dataclass(frozen=True)
class Parts:
    """The disjoint buckets of a request, as `records.usage.Buckets` names them."""

    input_uncached: Count
    cache_read: Count
    cache_write_5min: Count
    cache_write_1h: Count
    output: Count
    reasoning: Count


@dataclass(frozen=True)
class Reader:
    """How one dialect reports usage.

    Attributes:
        read: raw usage → buckets; raises `Contradiction`.
        off_list: raw usage, and whether the model's price list has a price for cache writes → why
            the list does not say what was billed, or nothing.
    """

    read: Callable[[Raw], Parts]
    off_list: Callable[[Raw, bool], str]


NONE = Count("0", 0)
"""Of a bucket that a dialect does not have."""


def count(raw: Raw, *path: str) -> Count:
    """Return the count under a path of keys, or why there is none. null is not reported."""
    name, node = path[-1], raw
    for key in path[:-1]:
        inner = node.get(key)
        if inner is None:
            return Count(name, None, f"{name} not reported", absent=True)
        if not isinstance(inner, Mapping):
            return Count(name, None, f"{key} is no object but {_kind(inner)}")
        node = inner
    value = node.get(name)
    if value is None:
        return Count(name, None, f"{name} not reported", absent=True)
    if type(value) is not int:
        return Count(name, None, f"{name} is no count but {_kind(value)}")
    if value < 0:
        return Count(name, None, f"{name} is negative")
    if value > MOST_TOKENS:
        return Count(name, None, f"{name} is above {MOST_TOKENS:,}")
    return Count(name, value)


def or_zero(found: Count) -> Count:
    """Return a count, 0 where it was not reported; only where the protocol defines it so."""
    return Count(found.name, 0) if found.absent else found


def same(*found: Count) -> Count:
    """Return a figure that may stand under several names, which must agree.

    Raises:
        Contradiction: they do not.
    """
    known = [item for item in found if item.value is not None]
    if not known:
        return next((item for item in found if not item.absent), found[0])
    for item in known[1:]:
        if item.value != known[0].value:
            raise Contradiction(
                f"{known[0].name} is {known[0].value} and {item.name} is {item.value}"
            )
    return known[0]


def total_of(*parts: Count) -> Count:
    """Return the sum; unknown where a part is."""
    name = " + ".join(part.name for part in parts)
    values = [part.value for part in parts if part.value is not None]
    if len(values) < len(parts):
        why = next(part.why for part in parts if part.value is None)
        return Count(name, None, why)
    return Count(name, sum(values))


def rest_of(whole: Count, *parts: Count) -> Count:
    """Return what remains of a whole without some of its parts; unknown where one of them is.

    Raises:
        Contradiction: the parts are more than the whole.
    """
    taken = total_of(*parts)
    within(taken, whole)
    if whole.value is None or taken.value is None:
        return Count(whole.name, None, whole.why or taken.why)
    return Count(f"{whole.name} - {taken.name}", whole.value - taken.value)


def within(part: Count, whole: Count) -> None:
    """Hold that a part is no more than its whole, where both are known.

    Raises:
        Contradiction: it is more.
    """
    if part.value is not None and whole.value is not None and part.value > whole.value:
        raise Contradiction(f"{part.name} is {part.value}, more than {whole.name} of {whole.value}")


def reconcile(total: Count, *parts: Count) -> None:
    """Hold that a reported total is the sum of its parts, where all of them are known.

    Raises:
        Contradiction: it is not.
    """
    found = total_of(*parts)
    if total.value is not None and found.value is not None and total.value != found.value:
        raise Contradiction(
            f"{total.name} is {total.value}, but {found.name} are {found.value}: "
            "the totals do not reconcile"
        )


def output_of(written: Count, reasoning: Count, spent: Count, total: Count) -> Count:
    """Return the whole output of a server that may count reasoning inside or beside it.

    The total tells which: it is either input + written or input + written + reasoning.

    Args:
        written: output as reported.
        reasoning: as reported.
        spent: the whole input.
        total: of the request.

    Raises:
        Contradiction: the total is neither sum.
    """
    if written.value is None:
        return written
    if reasoning.value == 0:
        reconcile(total, spent, written)
        return written
    if total.value is None or spent.value is None:
        if reasoning.absent and total.absent:
            return written
        why = total.why or spent.why
        return Count(written.name, None, f"{why}, which would tell if reasoning is inside")
    both = total_of(written, reasoning)
    if both.value is not None and total.value == spent.value + both.value:
        return both
    reconcile(total, spent, written)
    within(reasoning, written)
    return written


def _kind(value: object) -> str:
    kinds = {bool: "a truth value", float: "a fraction", str: "text", list: "a list"}
    return kinds.get(type(value), "an object" if isinstance(value, Mapping) else "something else")
