"""Points of suites that have them: per cell, with what was lost where, and interference beside.

Points are measured from geometry, check by check, all or nothing. They are out of what the checks
are worth together (60 in `assembly`), and are never made into parts of a hundred: what is missing
to a whole judgement is people's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from gaugeblock.analysis.cells import BASELINE, Cell, begun
from gaugeblock.analysis.columns import field
from gaugeblock.analysis.formats import quantity
from gaugeblock.analysis.markdown import Footnotes, escape, table
from gaugeblock.records.outcome import NOT_VALID

REVIEWED_SUITES = ("assembly",)
"""Suites whose quality people judge besides the automatic checks."""


@dataclass(frozen=True)
class Interfering:
    """Solids that share space, over the trials of a cell whose delivery was measured for it.

    Attributes:
        n: trials whose interference is known.
        unknown: graded trials whose interference is not; what was never delivered has none.
        pairs: the median number of pairs that share space, None where none is known.
        most_pairs: the largest.
        most_mm3: the most space that one delivery's pairs share, mm³.
    """

    n: int
    unknown: int
    pairs: float | None
    most_pairs: int | None
    most_mm3: float | None


@dataclass(frozen=True)
class Points:
    """Points of one round of a cell, over its valid trials.

    Attributes:
        n: valid trials, the ones that the figures are of.
        not_graded: attempted trials without points: an error of ours, or a row of the delivery that
            could not be measured. They are neither 0 nor left out without a word.
        out_of: what could be reached, None where the trials differ in it.
        median: None where there is no figure.
        least: the fewest points.
        most: the most points.
        lost: check → trials that lost it, in the order of frequency.
        interference: beside the points and in none of them.
        reason: why there is no median; empty where there is.
    """

    n: int
    not_graded: int
    out_of: int | None
    median: float | None
    least: int | None
    most: int | None
    lost: dict[str, int]
    interference: Interfering
    reason: str = ""


def points_of(cell: Cell, round_id: str) -> Points | None:
    """Return the points of a round's trials, None where the suite gives none."""
    rows = begun(cell.at(round_id))
    if field(rows, "points").count(None) == len(rows):
        return None
    names = (
        "points",
        "points_of",
        "outcome",
        "failed_checks",
        "interference_pairs",
        "interference_mm3",
    )
    trials = list(zip(*(field(rows, name) for name in names), strict=True))
    valid = [one for one in trials if one[0] is not None and one[2] not in NOT_VALID]
    scores = [points for points, *_ in valid]
    totals = {out_of for _, out_of, *_ in valid}
    lost = Counter(name for _, _, _, failed, *_ in valid for name in failed)
    reason = "" if scores else "no trial was graded"
    if len(totals) > 1:
        reason = f"trials are out of {' and '.join(map(str, sorted(totals)))}, and do not compare"
    told = not reason
    return Points(
        n=len(valid),
        not_graded=len(trials) - len(valid),
        out_of=totals.pop() if len(totals) == 1 else None,
        median=float(median(scores)) if told else None,
        least=min(scores) if told else None,
        most=max(scores) if told else None,
        lost=dict(sorted(lost.items(), key=lambda item: (-item[1], item[0]))),
        interference=_interfering(
            [(pairs, volume) for *_, failed, pairs, volume in valid if "delivered" not in failed]
        ),
        reason=reason,
    )


def _interfering(delivered: Sequence[tuple[int | None, float | None]]) -> Interfering:
    pairs = [count for count, _ in delivered if count is not None]
    volumes = [volume for _, volume in delivered if volume is not None]
    return Interfering(
        n=len(pairs),
        unknown=len(delivered) - len(pairs),
        pairs=float(median(pairs)) if pairs else None,
        most_pairs=max(pairs, default=None),
        most_mm3=max(volumes, default=None),
    )


NEVER_A_HUNDRED = (
    "Points are of the saved geometry, all or nothing a check, and never points of a hundred."
)
PENDING = "Overall quality is pending until people have reviewed it: they give the other 40."
BESIDE = (
    "Cases without tools (the agent answers with one program) stand beside the others and are "
    "never pooled with them."
)
INTERFERENCE = (
    "Interference is the space that solids share (touching is none); it is beside the points, in "
    "none of them."
)


def points_lines(cells: Sequence[Cell], notes: Footnotes) -> list[str]:
    """Return the table of points of some cells; nothing where none has points."""
    rows = []
    scored = []
    for cell in cells:
        for round_id, _ in cell.rounds():
            found = points_of(cell, round_id)
            if found is not None:
                scored.append(cell)
                rows.append([escape(cell.step(round_id)), *_figures(found, notes)])
    if not rows:
        return []
    said = [NEVER_A_HUNDRED]
    if any(cell.key.suite in REVIEWED_SUITES for cell in scored):
        said.append(PENDING)
    said.append(INTERFERENCE)
    if any(cell.key.axis == BASELINE for cell in scored):
        said.append(BESIDE)
    head = ["Case", "Graded", "Points, median", "Least", "Most", "Lost (trials)"]
    head += ["Interference, pairs: median", "Most", "Most, mm³"]
    return [" ".join(said), "", *table(head, rows, "lrrrrlrrr")]


def _figures(found: Points, notes: Footnotes) -> list[str]:
    of = "" if found.out_of is None else f"/{found.out_of}"
    ungraded = f"{found.not_graded} more could not be graded" if found.not_graded else ""
    shown = [f"{found.n}{notes.mark(ungraded)}"]
    for value in (found.median, found.least, found.most):
        told = notes.missing(found.reason) if value is None else f"{quantity(value, 'count')}{of}"
        shown.append(told)
    shown.append(", ".join(f"{escape(name)} ({n})" for name, n in found.lost.items()) or "nothing")
    beside = found.interference
    if beside.pairs is None:
        why = "not measured in any graded trial" if beside.unknown else "nothing was delivered"
        return [*shown, notes.missing(why), "—", "—"]
    mark = notes.mark(f"unknown in {beside.unknown} trials" if beside.unknown else "")
    shared = 0.0 if beside.most_mm3 is None else beside.most_mm3
    return [
        *shown,
        quantity(beside.pairs, "count") + mark,
        str(beside.most_pairs),
        f"{shared:,.2f}",
    ]
