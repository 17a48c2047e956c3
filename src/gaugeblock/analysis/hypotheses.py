"""What suite growth supposes of each axis, beside what was measured; a report never says more.

A hypothesis of "does not depend" cannot be shown by an interval around 0: then nothing speaks
against it within the growth values that were measured, and that is all.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from gaugeblock.analysis.columns import AnyRow, field
from gaugeblock.analysis.slopes import Axis, Slope, slope_along
from gaugeblock.analysis.summaries import METRIC

SUITE = "growth"
"""The suite whose hypotheses these are."""

SCALES = ("scale", "fresh-scale")
"""Axes along which N grows. A fresh draw differs in its other numbers as well."""

ON_SCALE = ("input_tokens", "output_tokens", "cost_usd", "total_s")
"""What does not depend on N, if the supposition holds: tokens, cost and time."""

SCALE_TEXT = (
    "tokens, cost and time of a trial do not depend on N; if they grow with N, the model wrote "
    "hole by hole"
)
DEPTH_TEXT = (
    "what a round costs depends on how long the program is, not on how many rounds came before"
)

DOCUMENT = "document_bytes"
"""The document's part of the message, bytes: what a row knows of the program's length."""


@dataclass(frozen=True)
class Hypothesis:
    """A supposition and what was measured of it.

    Attributes:
        text: what is supposed.
        measured: what was measured for it beyond the slopes of the axis; a sentence each.
        answer: what follows, and nothing beyond.
    """

    text: str
    measured: tuple[str, ...]
    answer: str


def hypotheses(
    suite: str, axis: str, parts: Sequence[Sequence[AnyRow]], slopes: Sequence[Slope]
) -> Iterator[Hypothesis]:
    """Yield the hypotheses about an axis.

    Args:
        suite: the suite; only growth supposes something.
        axis: such as scale or depth.
        parts: the rows of one profile along the axis that began.
        slopes: its slopes.
    """
    by_name = {one.metric: one for one in slopes}
    if suite == SUITE and axis in SCALES:
        asked = [by_name[name] for name in ON_SCALE]
        yield Hypothesis(SCALE_TEXT, (), _no_growth(asked))
    if suite == SUITE and axis == "depth":
        rounds = by_name["cost_usd"]
        length = slope_along(METRIC["cost_usd"], Axis(parts, "document bytes", "byte", DOCUMENT))
        measured = f"Against the document's length: {length.conclusion}"
        yield Hypothesis(DEPTH_TEXT, (measured,), _length_or_history(rounds, length, parts))


def _no_growth(asked: Sequence[Slope]) -> str:
    names: dict[str, list[str]] = {"grew": [], "fell": [], "still": [], "open": []}
    for one in asked:
        names[_direction(one)].append(METRIC[one.metric].label)
    said = []
    if names["grew"]:
        said.append(f"{_listed(names['grew'])} grew with N: it does not hold there")
    if names["fell"]:
        said.append(f"{_listed(names['fell'])} fell with N: it does not hold there")
    if names["still"]:
        said.append(
            f"nothing measured speaks against it for {_listed(names['still'])}, which is no proof"
        )
    if names["open"]:
        said.append(f"not tested for {_listed(names['open'])}")
    return "; ".join(said)


def _length_or_history(rounds: Slope, length: Slope, parts: Sequence[Sequence[AnyRow]]) -> str:
    """Say what the two slopes show; where both rise together, neither can be singled out."""
    by_round, by_length = _direction(rounds), _direction(length)
    if "open" in (by_round, by_length):
        return "not tested: a slope or its interval is missing"
    if by_round == "still":
        end = "does" if by_length == "grew" else "does not"
        return (
            "no growth of cost with the round was seen, which is no proof; with the document's "
            f"length it {end} grow"
        )
    rising, pairs = _rise_together(parts)
    if rising == pairs:
        return (
            f"cost {by_round} with the round; in every sequence the document became longer with "
            "each round, so length and history cannot be told apart here"
        )
    return (
        f"cost {by_round} with the round; in {rising} of {pairs} pairs of rounds the document "
        "became longer as well, so length and history are not told apart by these slopes"
    )


def _direction(one: Slope) -> str:
    if one.low is None or one.high is None:
        return "open"
    return "still" if one.low <= 0 <= one.high else "grew" if one.low > 0 else "fell"


def _rise_together(parts: Sequence[Sequence[AnyRow]]) -> tuple[int, int]:
    """Return in how many pairs of rounds of one sequence the document is longer in the later."""
    sequences: dict[tuple[str, str], list[tuple[float, int]]] = defaultdict(list)
    for part in parts:
        columns = (field(part, name) for name in ("run", "trial", "growth", DOCUMENT))
        for run, trial, growth, size in zip(*columns, strict=True):
            sequences[run, trial].append((growth, size))
    pairs = [
        later[1] > earlier[1]
        for sequence in sequences.values()
        for earlier, later in combinations(sorted(sequence), 2)
    ]
    return sum(pairs), len(pairs)


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
