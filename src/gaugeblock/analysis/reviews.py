"""Reviewed quality: medians over reviewers, then over samples; spread, agreement, consistency.

Only reviews by people count. What a model judged is provisional and stands apart.

A sample is one artifact: one round of one trial. A reviewer who met it under two numbers of a pack
has one voice, the mean of both. A sample's score is the median of its reviewers' voices; its total
is the median of their sums. A cell's figures are the medians of its samples' figures, and are there
only once every one of its artifacts is reviewed: the reviewed part alone could be the better part.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean, median

from gaugeblock.analysis.columns import AnyRow
from gaugeblock.records.review import CRITERIA, HIGHEST, MOST, ImportedReview, Method
from gaugeblock.records.row import Row

GEOMETRY_POINTS = 60
"""Points of an assembly's geometry where every check could be judged. Only these and the 40 by
people make 100; out of fewer there is no sum."""

Voice = tuple[float, ...]
"""One reviewer on one sample, in the order of `CRITERIA`."""

Key = tuple[str, str]
"""Trial and round."""


@dataclass(frozen=True)
class SampleScore:
    """What reviewers said of one artifact.

    Attributes:
        scores: median a criterion, 0 to 10, in the order of `CRITERIA`.
        total: median of the reviewers' sums, 0 to 40. Not always the sum of the medians.
        reviewers: how many.
    """

    scores: Voice
    total: float
    reviewers: int


@dataclass(frozen=True)
class Quality:
    """The quality of one profile on one round of a case.

    Attributes:
        profile: who worked.
        scripted: whether a script did; then it is no result.
        suite: the suite.
        step: the case, with its round where it has several.
        artifacts: deliveries that there are.
        reviewed: of them, those that somebody reviewed.
        undelivered: trials without anything to look at; in no median.
        scores: medians a criterion over the samples, or None while one waits.
        total: median of the samples' totals, 0 to 40, or None likewise.
        points: median of the geometry's points, or None.
        points_of: what they are out of, or None where the trials differ.
        overall: median of geometry and review together, 0 to 100; None unless both are whole.
        people: how many reviewed any of its artifacts.
        least: reviewers of the artifact that has the fewest, 0 while one waits.
        spread: between reviewers of the same artifact; empty where no artifact has two.
    """

    profile: str
    scripted: bool
    suite: str
    step: str
    artifacts: int
    reviewed: int
    undelivered: int
    scores: Voice | None
    total: float | None
    points: float | None
    points_of: int | None
    overall: float | None
    people: int
    least: int
    spread: tuple[Spread, ...]

    @property
    def waits(self) -> str:
        """Why there is no reviewed quality; empty where there is."""
        if not self.artifacts:
            return "nothing was delivered that could be reviewed"
        waiting = self.artifacts - self.reviewed
        return f"pending: {waiting} of {self.artifacts} artifacts wait" if waiting else ""

    @property
    def no_overall(self) -> str:
        """Why geometry and review make no whole; empty where they do."""
        if self.overall is not None or self.waits:
            return self.waits
        if self.points is None:
            return "the geometry of an artifact could not be judged in full"
        return f"the geometry is not out of {GEOMETRY_POINTS} points in every trial"


@dataclass(frozen=True)
class Spread:
    """How far reviewers of the same sample are from each other on one criterion.

    Attributes:
        criterion: its name.
        samples: samples that two or more reviewed.
        median_range: median over them of highest less lowest score.
        largest_range: the largest of these.
        mean_difference: mean absolute difference of two reviewers, all pairs on all these samples.
    """

    criterion: str
    samples: int
    median_range: float
    largest_range: float
    mean_difference: float


def voices(reviews: Iterable[ImportedReview], method: Method) -> dict[Key, dict[str, Voice]]:
    """Return (trial, round) → reviewer → voice, of one method.

    Args:
        reviews: of one run.
        method: human or ai.
    """
    said: dict[Key, dict[str, list[tuple[int, ...]]]] = defaultdict(lambda: defaultdict(list))
    for review in reviews:
        if review.method == method:
            said[review.trial, review.round][review.reviewer].append(review.scores.values())
    return {
        key: {
            name: tuple(fmean(column) for column in zip(*scores, strict=True))
            for name, scores in sorted(by_name.items())
        }
        for key, by_name in said.items()
    }


def sample_score(said: Collection[Voice]) -> SampleScore:
    """Return the score of a sample out of its reviewers' voices (at least one)."""
    scores = tuple(median(column) for column in zip(*said, strict=True))
    return SampleScore(scores, median(map(sum, said)), len(said))


def qualities(
    rows: Sequence[AnyRow],
    reviews: Sequence[ImportedReview],
    suites: Collection[str],
    method: Method = "human",
) -> list[Quality]:
    """Return the quality of each profile on each round of a case, in the order of the rows.

    Args:
        rows: of one run; those of void cells are in no figure.
        reviews: of the same run.
        suites: suites that are reviewed.
        method: whose reviews count here.
    """
    said = voices(reviews, method)
    groups: dict[tuple[str, str, str, str], list[AnyRow]] = defaultdict(list)
    for row in rows:
        if row.suite in suites and not row.voided:
            groups[row.profile, row.suite, row.case, row.round].append(row)
    several = {(row.case, row.round) for row in rows}
    rounds = {case: sum(one == case for one, _ in several) for case, _ in several}
    found = []
    for (profile, suite, case, round_id), group in groups.items():
        shown = [row for row in group if row.artifact_sha256 is not None]
        known = [
            (row, sample_score(said[row.trial, row.round].values()))
            for row in shown
            if (row.trial, row.round) in said
        ]
        whole = bool(shown) and len(known) == len(shown)
        points = [row.points for row in shown if row.points is not None]
        out_of = {row.points_of for row in shown}
        measured = bool(shown) and len(points) == len(shown)
        own = {(row.trial, row.round) for row, _ in known}
        sums = [row.points + score.total for row, score in known if row.points is not None]
        both = whole and measured and out_of == {GEOMETRY_POINTS}
        found.append(
            Quality(
                profile=profile,
                scripted=group[0].scripted,
                suite=suite,
                step=case if rounds[case] == 1 else f"{case} {round_id}",
                artifacts=len(shown),
                reviewed=len(known),
                undelivered=len(group) - len(shown),
                scores=_medians([score.scores for _, score in known]) if whole else None,
                total=median(score.total for _, score in known) if whole else None,
                points=median(points) if measured else None,
                points_of=next(iter(out_of)) if len(out_of) == 1 else None,
                overall=median(sums) if both else None,
                people=len({name for key in own for name in said[key]}),
                least=min(score.reviewers for _, score in known) if whole else 0,
                spread=tuple(
                    spreads([item for item in reviews if (item.trial, item.round) in own], method)
                ),
            )
        )
    return found


def cell_quality(
    rows: Sequence[Row], reviews: Sequence[ImportedReview], suites: Collection[str]
) -> dict[tuple[str, str], float]:
    """Return (profile, case) → median reviewed quality, 0 to 10, over all its samples.

    Cases are never pooled: a baseline that rose would hide that the machine by tools fell. A cell
    is absent while one of its artifacts waits for a review by a person.

    Args:
        rows: of one run; those of void cells are in no figure.
        reviews: of the same run.
        suites: suites that are reviewed.
    """
    said = voices(reviews, "human")
    totals: dict[tuple[str, str], list[float | None]] = defaultdict(list)
    for row in rows:
        if row.suite in suites and not row.voided and row.artifact_sha256 is not None:
            heard = said.get((row.trial, row.round))
            total = sample_score(heard.values()).total if heard else None
            totals[row.profile, row.case].append(total)
    found = {}
    for cell, values in totals.items():
        known = [value for value in values if value is not None]
        if len(known) == len(values):
            found[cell] = median(known) * HIGHEST / MOST
    return found


def spreads(reviews: Sequence[ImportedReview], method: Method = "human") -> list[Spread]:
    """Return the spread between reviewers a criterion; nothing where no sample has two.

    Args:
        reviews: of one run.
        method: whose reviews are looked at.
    """
    several = [list(said.values()) for said in voices(reviews, method).values() if len(said) > 1]
    if not several:
        return []
    found = []
    for place, name in enumerate(CRITERIA):
        columns = [[voice[place] for voice in said] for said in several]
        ranges = [max(column) - min(column) for column in columns]
        apart = [abs(a - b) for column in columns for a, b in combinations(column, 2)]
        found.append(Spread(name, len(several), median(ranges), max(ranges), fmean(apart)))
    return found


def duplicate_differences(reviews: Iterable[tuple[Key, str, Voice]]) -> tuple[int, float] | None:
    """Return pairs of one artifact's numbers that one reviewer scored, and how far apart they are.

    Args:
        reviews: artifact, reviewer and scores of each review.

    Returns:
        Number of pairs and mean absolute difference of a score, 0 to 10; None without a pair.
    """
    met: dict[tuple[Key, str], list[Voice]] = defaultdict(list)
    for key, reviewer, scores in reviews:
        met[key, reviewer].append(scores)
    pairs = [pair for same in met.values() for pair in combinations(same, 2)]
    if not pairs:
        return None
    apart = [abs(a - b) for one, other in pairs for a, b in zip(one, other, strict=True)]
    return len(pairs), fmean(apart)


def _medians(scores: Sequence[Voice]) -> Voice:
    return tuple(median(column) for column in zip(*scores, strict=True))
