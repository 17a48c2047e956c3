"""The section of a report on reviewed quality."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from gaugeblock.analysis.markdown import DASH, escape, table
from gaugeblock.analysis.reviews import Quality, qualities, spreads, voices
from gaugeblock.records.review import CRITERIA, Consistency, ImportedReview, ReviewImport
from gaugeblock.records.row import Row

PENDING = "*pending*"


@dataclass(frozen=True)
class Reviewed:
    """What a run's reviews are told from.

    Attributes:
        rows: its rows, amendments applied.
        imports: what was imported, in order.
        suites: suites whose quality people judge, reviewed or not.
    """

    rows: Sequence[Row]
    imports: Sequence[ReviewImport]
    suites: Collection[str]

    @property
    def reviews(self) -> list[ImportedReview]:
        """All reviews but those of void cells, which are in no figure."""
        void = {row.trial for row in self.rows if row.voided}
        said = (review for item in self.imports for review in item.reviews)
        return [review for review in said if review.trial not in void]

    @property
    def told_of(self) -> set[str]:
        """Suites that the section is about: those that must be reviewed, and those that were."""
        trials = {review.trial for review in self.reviews}
        return {*self.suites, *(row.suite for row in self.rows if row.trial in trials)}


def review_lines(reviewed: Reviewed) -> list[str]:
    """Return the section; nothing where there is nothing to review.

    Args:
        reviewed: rows and reviews of one run.
    """
    reviews = reviewed.reviews
    found = qualities(reviewed.rows, reviews, reviewed.told_of)
    if not found:
        return []
    lines = [
        "## Review",
        "",
        "Scores by people who did not know whose work they saw: 0 absent or unusable, "
        "5 recognisable with major flaws, 8 meets the brief with minor flaws, 10 fully convincing. "
        "Median over reviewers, then over samples; the sum is the median of the samples' sums. "
        f"{PENDING}: not every artifact is reviewed yet. The points of the geometry are no score "
        "of 100: both together stand in the last column only where both are whole.",
        "",
        *_quality_table(found),
        *_spread_lines(reviews),
        *_consistency_lines(reviewed.imports),
        *_provisional_lines(reviewed),
        *_note_lines(reviews),
    ]
    return lines


def _quality_table(found: Sequence[Quality]) -> list[str]:
    head = [
        "Profile",
        "Case",
        "Reviewed",
        "Geometry",
        *CRITERIA.values(),
        "Review / 40",
        "Both / 100",
    ]
    rows = []
    for item in found:
        waiting = PENDING if item.artifacts else DASH
        scores = [waiting] * len(CRITERIA)
        if item.scores is not None:
            scores = [f"{score:g}" for score in item.scores]
        out_of = f" / {item.points_of}" if item.points_of is not None else ""
        without = f"; {item.undelivered} without delivery" if item.undelivered else ""
        rows.append(
            [
                escape(item.profile) + (" (script)" if item.scripted else ""),
                escape(item.step),
                f"{item.reviewed} of {item.artifacts}{without}",
                DASH if item.points is None else f"{item.points:g}{out_of}",
                *scores,
                waiting if item.total is None else f"{item.total:g}",
                _overall(item),
            ]
        )
    return table(head, rows, "llll" + "r" * (len(CRITERIA) + 2))


def _overall(item: Quality) -> str:
    if item.overall is not None:
        return f"{item.overall:g}"
    return PENDING if item.total is None and item.points is not None else DASH


def _spread_lines(reviews: Sequence[ImportedReview]) -> list[str]:
    found = spreads(reviews)
    if not found:
        people = {review.reviewer for review in reviews if review.method == "human"}
        return (
            ["One reviewer a sample: nothing is known of how far others would differ.", ""]
            if people
            else []
        )
    rows = [
        [
            CRITERIA[item.criterion],
            str(item.samples),
            f"{item.median_range:.3g}",
            f"{item.largest_range:.3g}",
            f"{item.mean_difference:.2f}",
        ]
        for item in found
    ]
    head = ["Criterion", "Samples", "Range, median", "Range, largest", "Mean difference"]
    return [
        "### Spread between reviewers",
        "",
        "Of samples that two or more reviewed. The mean difference is that of two reviewers on one "
        "sample, absolute and on the scale of 0 to 10. It is not corrected for chance: it is no "
        "coefficient of agreement.",
        "",
        *table(head, rows, "lrrrr"),
    ]


def _consistency_lines(imports: Sequence[ReviewImport]) -> list[str]:
    found: list[Consistency] = [item for each in imports for item in each.consistency]
    lines = [
        f"- {escape(item.reviewer)}{' (ai)' if item.method == 'ai' else ''}, the same artifact "
        f"under two numbers: {item.pairs} {'pair' if item.pairs == 1 else 'pairs'} in the pack, "
        f"scores {item.mean_difference:.2f} apart in the mean."
        for item in found
    ]
    return [*lines, ""] if lines else []


def _provisional_lines(reviewed: Reviewed) -> list[str]:
    said = voices(reviewed.reviews, "ai")
    if not said:
        return []
    names = sorted({name for by_name in said.values() for name in by_name})
    found = qualities(reviewed.rows, reviewed.reviews, reviewed.told_of, "ai")
    rows = [
        [
            escape(item.profile),
            escape(item.step),
            f"{item.reviewed} of {item.artifacts}",
            PENDING if item.total is None else f"{item.total:g}",
        ]
        for item in found
        if item.reviewed
    ]
    return [
        "### Provisional: judged by a model",
        "",
        f"By {escape(', '.join(names))}. No independent judgement of a person; in no figure above "
        "and in no comparison.",
        "",
        *table(["Profile", "Case", "Reviewed", "Sum / 40"], rows, "lllr"),
    ]


def _note_lines(reviews: Sequence[ImportedReview]) -> list[str]:
    lines = [
        f"- {escape(item.trial)} {escape(item.round)}, {escape(item.reviewer)}"
        f"{' (ai)' if item.method == 'ai' else ''}, {item.date}: {escape(item.notes)}"
        for item in reviews
        if item.notes.strip()
    ]
    return ["### Notes of the reviewers", "", *lines, ""] if lines else []
