"""What a row tells of a case that shows a drawing, and why each missing figure is missing."""

from __future__ import annotations

from collections.abc import Collection

from gaugeblock.records.case import Case
from gaugeblock.records.drawing_task import FIGURES
from gaugeblock.records.grade import Grade

FIGURE = "figures."
"""What the name of a figure stands behind among a row's reasons."""

NOT_ASKED = "not applicable: "
"""What the reason begins with where a sheet does not ask for a figure: nothing is lost then."""

EXTENDED = "extendedRecall"
"""Recall with distances of axes taken in; it has no threshold."""

TOLD_FIGURES = (*FIGURES, EXTENDED)
"""Figures of a case that shows a drawing."""


def lacking(known: Collection[str]) -> set[str]:
    """Return the names under which a row must give reasons, where it knows these figures."""
    return {f"{FIGURE}{name}" for name in TOLD_FIGURES if name not in known}


def told_of_drawing(
    case: Case, grade: Grade | None, outcome: str, unknown: dict[str, str]
) -> dict[str, object]:
    """Return figures, verdicts apart and group of a row.

    Args:
        case: the case.
        grade: of the round; None: nothing was judged.
        outcome: of the round.
        unknown: gets the reason of each that is missing.
    """
    apart = grade.apart if grade else {}
    if case.drawing is None:
        return {"apart": apart}
    figures = grade.figures if grade else {}
    findings = {
        check.name: f"{NOT_ASKED if check.verdict == 'not-applicable' else ''}{check.finding}"
        for check in (grade.checks if grade else ())
    }
    nothing = "nothing was delivered" if grade else f"nothing was judged: {outcome}"
    for name in TOLD_FIGURES:
        if name not in figures:
            check = "dimensionRecall" if name == EXTENDED else name
            unknown[f"{FIGURE}{name}"] = findings.get(check) or nothing
    return {"figures": figures, "apart": apart, "group": case.drawing.group}
