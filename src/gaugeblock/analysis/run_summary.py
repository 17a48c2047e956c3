"""The summary of a run as data: what ``summary.json`` holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from decimal import Decimal
from functools import cache
from typing import Any

from gaugeblock.analysis.cells import Cell, Cells, cells, never_begun
from gaugeblock.analysis.columns import field
from gaugeblock.analysis.dimensions import dimension_tables
from gaugeblock.analysis.follow_up import follow_up_data
from gaugeblock.analysis.growth import Growth, growth_tables
from gaugeblock.analysis.headline import headlines, no_headline
from gaugeblock.analysis.markdown import clean
from gaugeblock.analysis.points import REVIEWED_SUITES, points_of
from gaugeblock.analysis.probes import probe_rate
from gaugeblock.analysis.rates import (
    CONFIDENCE,
    clustered_rate,
    pass_hat_k,
    round_rates,
    sequence_rates,
)
from gaugeblock.analysis.review_data import review_data
from gaugeblock.analysis.revisions import revision_data
from gaugeblock.analysis.summaries import (
    METRICS,
    cell_aggregate,
    cells_cost_per_solved,
    round_cost_per_solved,
)
from gaugeblock.analysis.voided import void_data
from gaugeblock.records.plan import Plan
from gaugeblock.records.review import ImportedReview
from gaugeblock.records.row import Row
from gaugeblock.records.standing import Revision

FORMAT = "gaugeblock-summary/1"


def sealed_off(plan: Plan) -> bool:
    """Whether the case's truth was out of the agents' reach: a sandbox that is enough."""
    return plan.host.sandbox_formal and not plan.unsafe and plan.host.sealed is not False


def summary(
    plan: Plan,
    rows: Iterable[Row] | Cells,
    reviews: Sequence[ImportedReview] = (),
    revisions: Sequence[Revision] = (),
    withdrawn: Collection[str] = (),
) -> dict[str, Any]:
    """Return the figures of a run as JSON-able data; money is a decimal string.

    Args:
        plan: the frozen plan of the run.
        rows: its rows, amendments applied, in any order, or their cells.
        reviews: of the run; what nobody reviewed is pending.
        revisions: regrades that the rows stand on.
        withdrawn: suites that were withdrawn by themselves; no row tells that from a withdrawal of
            the whole run.
    """
    trials = {review.trial for review in reviews}
    judged: list[Row] = []
    together = cells(rows if isinstance(rows, Cells) else _noting(rows, trials, judged))
    tables = growth_tables(together)
    return {
        "format": FORMAT,
        "run": plan.commitment(),
        "label": plan.label,
        "created_at": plan.created_at,
        "run_type": plan.run_type,
        "language": plan.language,
        "machine": plan.machine.model_dump(mode="json"),
        "unsealed": not sealed_off(plan),
        "unsafe": plan.unsafe,
        "invalidated": _withdrawn(together),
        "withdrawn_suites": sorted(withdrawn),
        "revisions": revision_data(revisions),
        "follows": jsonable(follow_up_data(plan, together)),
        "statistics": {
            "confidence": CONFIDENCE,
            "rate_interval": "Wilson score",
            "median_interval": "percentile bootstrap, its limit of infinitely many resamples",
            "slope": "Theil-Sen",
        },
        "headline": _headline(plan, together),
        "outcomes": dict(sorted(Counter(together.field("outcome")).items())),
        "results": _part(together, tables, scripted=False),
        "wiring": _part(together, tables, scripted=True),
        "review": _review(together, judged, reviews),
        "void": jsonable(void_data(together)),
        "not_attempted": [
            {
                "trial": row.trial,
                "profile": row.profile,
                "case": row.case,
                "round": row.round,
                "outcome": row.outcome,
                "reason": clean(row.reason),
            }
            for cell in together
            for row in never_begun(cell.rows())
        ],
    }


def _noting(rows: Iterable[Row], trials: Collection[str], judged: list[Row]) -> Iterator[Row]:
    """Pass rows on, and note those of suites or trials that people judge: cells keep no hashes."""
    for row in rows:
        if row.suite in REVIEWED_SUITES or row.trial in trials:
            judged.append(row)
        yield row


def _review(
    together: Cells, judged: Sequence[Row], reviews: Sequence[ImportedReview]
) -> dict[str, Any]:
    suites = {*REVIEWED_SUITES, *(row.suite for row in judged)}
    if not judged and any(cell.key.suite in suites for cell in together):
        reason = "made from cells, which keep no artifacts"
        return {"suites": sorted(suites), "quality": None, "provisional": None, "reason": reason}
    return {**review_data(judged, reviews, suites), "reason": ""}


def _withdrawn(together: Cells) -> bool:
    """Whether the run was withdrawn as a whole, or every suite of it by itself."""
    if together:
        return any(any(field(cell.rows(), "invalidated")) for cell in together)
    void = [all(field(cell.rows(), "invalidated")) for cell in together.void]
    return bool(void) and all(void)


def _headline(plan: Plan, together: Cells) -> dict[str, Any]:
    """Return the figures of the sealed draws, or why there are none."""
    why_not = no_headline(plan, sealed_off(plan))
    found = [] if why_not else headlines(together)
    if not (why_not or found):
        why_not = "no model was measured on them"
    return {"profiles": [jsonable(one) for one in found], "reason": why_not}


def _part(together: Sequence[Cell], tables: Sequence[Growth], scripted: bool) -> dict[str, Any]:
    mine = [cell for cell in together if cell.scripted is scripted]
    return {
        "profiles": _profiles(mine),
        "cells": [_cell(cell) for cell in mine],
        "growth": [jsonable(table) for table in tables if table.scripted is scripted],
        "dimensions": [jsonable(one) for one in dimension_tables(mine)],
    }


def _profiles(mine: Sequence[Cell]) -> list[dict[str, Any]]:
    """Sum up each profile across its cases.

    Open and sealed cases, cohorts, and cases with and without tools stay apart.
    """
    groups: dict[tuple[str, ...], list[Cell]] = {}
    for cell in mine:
        groups.setdefault(cell.key.pool, []).append(cell)
    profiles = []
    for (profile, suite, visibility, language, cohort, tools), group in groups.items():
        rates = [sequence_rates(cell) for cell in group]
        solved = sum(rate.attempted.passed for rate in rates)
        money = cells_cost_per_solved(group, solved)
        profiles.append(
            {
                "profile": profile,
                "suite": suite,
                "visibility": visibility,
                "language": language,
                "cohort": cohort,
                "tools": tools,
                "cases": len(group),
                "trials": {
                    "attempted": jsonable(
                        clustered_rate((r.attempted.passed, r.attempted.n) for r in rates)
                    ),
                    "valid": jsonable(clustered_rate((r.valid.passed, r.valid.n) for r in rates)),
                },
                "cost_per_solved": jsonable(money),
            }
        )
    return profiles


def _cell(cell: Cell) -> dict[str, Any]:
    whole = sequence_rates(cell)
    c, n = whole.attempted.passed, whole.attempted.n
    rounds = []
    for rates in round_rates(cell):
        rows = cell.at(rates.round)
        money = round_cost_per_solved(cell, rates.round, rates.reached.attempted.passed)
        rounds.append(
            {
                **jsonable(rates),
                "outcomes": dict(sorted(Counter(field(rows, "outcome")).items())),
                "metrics": [
                    jsonable(cell_aggregate(cell, rates.round, metric)) for metric in METRICS
                ],
                "cost_per_solved": jsonable(money),
                "probe": jsonable(probe_rate(cell, rates.round)),
                "points": jsonable(points_of(cell, rates.round)),
            }
        )
    return {
        **jsonable(cell.key),
        "trials": jsonable(whole),
        "pass_hat_k": {str(k): pass_hat_k(c, n, k) for k in range(1, n + 1)},
        "cost_per_solved": jsonable(cells_cost_per_solved([cell], c)),
        "rounds": rounds,
    }


def jsonable(value: Any) -> Any:
    """Return data and records as JSON has them; decimals as text, texts without machine paths."""
    if value is None or type(value) in (int, float, bool):
        return value
    if isinstance(value, str):
        return clean(value)
    names = _names(value.__class__)
    if names is not None:
        return {name: jsonable(getattr(value, name)) for name in names}
    if isinstance(value, dict):
        return {key: jsonable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [jsonable(item) for item in value]
    return f"{value:f}" if isinstance(value, Decimal) else value


@cache
def _names(kind: type) -> tuple[str, ...] | None:
    """Return the fields of a record; None: it is none."""
    return tuple(item.name for item in fields(kind)) if is_dataclass(kind) else None
