"""What became of the features of two parts: the account that ``gaugeblock diff`` gives of them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gaugeblock.records.feature_match import FeatureMatch
from gaugeblock.records.features import FeatureSet

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console

    from gaugeblock.records.measurement import Measurement
    from gaugeblock.records.overlap import Overlap
    from gaugeblock.ruler import Ruler

TOLD = 30
"""Lines of differences printed at most; a longer list is read better as JSON."""

COLUMNS = ("features", "A", "B", "alike", "moved", "changed", "only in A", "only in B")


@dataclass(frozen=True)
class FeatureAccount:
    """Both feature sets, and how they answer each other."""

    a: FeatureSet
    b: FeatureSet
    fine: FeatureMatch
    """Every change, `tolerances.FINE`."""
    right: FeatureMatch
    """`semanticMatch` of B held against A, `tolerances.RIGHT`."""

    def as_json(self) -> dict[str, Any]:
        """Return everything as JSON-able data."""
        return {
            "a": self.a.model_dump(mode="json"),
            "b": self.b.model_dump(mode="json"),
            "match": self.fine.model_dump(mode="json"),
            "semantic_match": {
                "value": self.right.semantic_match,
                "state": self.right.state,
                "reason": self.right.reason,
            },
        }

    def rows(self) -> list[tuple[str, ...]]:
        """Return counts by kind as words, in the order of `COLUMNS`."""
        return [
            (
                kind,
                str(count.reference),
                str(count.candidate),
                *(
                    str(number) if number else ""
                    for number in (
                        count.matched,
                        count.moved,
                        count.changed,
                        count.missing,
                        count.extra,
                    )
                ),
            )
            for kind, count in self.fine.kinds.items()
        ]

    def differences(self) -> list[str]:
        """Return what differs, one line each."""
        lines = self.fine.differences
        more = len(lines) - TOLD
        return [*lines[:TOLD], *([f"and {more} more; --json has all"] if more > 0 else [])]

    def summary(self) -> list[str]:
        """Return what the counts mean: none, all alike, unknown, and the score."""
        if self.fine.state == "no-features":
            return ["features: neither part has any that is known here"]
        if not self.fine.kinds:
            return [f"features could not be compared: {self.fine.reason}"]
        out = []
        if not self.fine.differences:
            out.append(f"features: all {len(self.fine.outcomes)} alike")
        if self.right.semantic_match is None:
            out.append(f"semanticMatch of B held against A: unknown: {self.right.reason}")
        else:
            right = sum(count.matched for count in self.right.kinds.values())
            most = max(len(self.a.features), len(self.b.features))
            limits = self.right.tolerances
            out.append(
                f"semanticMatch of B held against A: {self.right.semantic_match:.4g} ({right} of"
                f" {most} right, within {limits.position:g} mm and {limits.axis:g}°)"
            )
        out += [f"{finding.code}: {finding.message}" for finding in self.fine.findings]
        return out


def account(
    ruler: Ruler, paths: tuple[Path, Path], one: Measurement, overlap: Overlap, *, aligned: bool
) -> FeatureAccount:
    """Recognise the features of both files and hold them against each other.

    Args:
        ruler: Whom to ask.
        paths: A and B.
        one: The facts of A.
        overlap: How B lies on A.
        aligned: Whether a motion was asked for; without one they are compared where they lie.
    """
    from gaugeblock.ruler.matching.match import match, unscored
    from gaugeblock.ruler.matching.tolerances import FINE, RIGHT

    a, b = (ruler.features(path) for path in paths)
    if aligned and overlap.alignment is None and a.verdict == b.verdict == "measured":
        reason = "no motion was found that lays one part on the other"
        fine, right = (unscored(a, b, limits, reason) for limits in (FINE, RIGHT))
        return FeatureAccount(a, b, fine, right)
    box = one.totals.bounds if one.totals is not None else None
    diagonal = math.dist(box.min, box.max) if box is not None else 0.0
    fine, right = (
        match(a, b, overlap.alignment, limits, diagonal=diagonal, names=("A", "B"))
        for limits in (FINE, RIGHT)
    )
    return FeatureAccount(a, b, fine, right)


def show(console: Console, features: FeatureAccount) -> None:
    """Print the account."""
    from rich.markup import escape
    from rich.table import Table

    console.print()
    rows = features.rows()
    if rows:
        table = Table(show_edge=False, pad_edge=False)
        for number, name in enumerate(COLUMNS):
            table.add_column(name, justify="right" if number else "left")
        for row in rows:
            table.add_row(*row, style="bold" if any(row[4:]) else None)
        console.print(table)
    for line in features.differences():
        console.print(escape(f"  {line}"), soft_wrap=True)
    for line in features.summary():
        console.print(escape(line), soft_wrap=True)
