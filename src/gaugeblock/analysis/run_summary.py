"""The summary of a run as data: what ``summary.json`` holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from decimal import Decimal
from typing import Any

from gaugeblock.analysis.cells import Cell, began, cells
from gaugeblock.analysis.growth import Growth, growth_tables
from gaugeblock.analysis.markdown import clean
from gaugeblock.analysis.rates import (
    CONFIDENCE,
    clustered_rate,
    pass_hat_k,
    round_rates,
    sequence_rates,
)
from gaugeblock.analysis.summaries import (
    BOOTSTRAP_RESAMPLES,
    BOOTSTRAP_SEED,
    METRICS,
    aggregate,
    cost_per_solved,
)
from gaugeblock.records.plan import Plan
from gaugeblock.records.row import Row

FORMAT = "gaugeblock-summary/1"


def sealed_off(plan: Plan) -> bool:
    """Whether the case's truth was out of the agents' reach: a sandbox that is enough."""
    return plan.host.sandbox_formal and not plan.unsafe


def summary(plan: Plan, rows: Sequence[Row]) -> dict[str, Any]:
    """Return the figures of a run as JSON-able data; money is a decimal string.

    Args:
        plan: the frozen plan of the run.
        rows: its rows, amendments applied, in any order.
    """
    together = cells(rows)
    tables = growth_tables(rows)
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
        "invalidated": any(row.invalidated for row in rows),
        "statistics": {
            "confidence": CONFIDENCE,
            "rate_interval": "Wilson score",
            "median_interval": "percentile bootstrap",
            "bootstrap_resamples": BOOTSTRAP_RESAMPLES,
            "bootstrap_seed": BOOTSTRAP_SEED,
            "slope": "Theil-Sen",
        },
        "outcomes": dict(sorted(Counter(row.outcome for row in rows).items())),
        "results": _part(together, tables, scripted=False),
        "wiring": _part(together, tables, scripted=True),
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
            for row in cell.rows()
            if not began(row)
        ],
    }


def _part(together: Sequence[Cell], tables: Sequence[Growth], scripted: bool) -> dict[str, Any]:
    mine = [cell for cell in together if cell.scripted is scripted]
    return {
        "profiles": _profiles(mine),
        "cells": [_cell(cell) for cell in mine],
        "growth": [jsonable(asdict(table)) for table in tables if table.scripted is scripted],
    }


def _profiles(mine: Sequence[Cell]) -> list[dict[str, Any]]:
    """Sum up each profile across its cases; open and sealed cases and cohorts stay apart."""
    groups: dict[tuple[str, str, str, str, str], list[Cell]] = {}
    for cell in mine:
        key = cell.key
        pool = (key.profile, key.suite, key.visibility, key.language, key.cohort)
        groups.setdefault(pool, []).append(cell)
    profiles = []
    for (profile, suite, visibility, language, cohort), group in groups.items():
        rates = [sequence_rates(cell) for cell in group]
        solved = sum(rate.attempted.passed for rate in rates)
        money = cost_per_solved([row for cell in group for row in cell.rows()], solved)
        profiles.append(
            {
                "profile": profile,
                "suite": suite,
                "visibility": visibility,
                "language": language,
                "cohort": cohort,
                "cases": len(group),
                "trials": {
                    "attempted": jsonable(
                        asdict(clustered_rate((r.attempted.passed, r.attempted.n) for r in rates))
                    ),
                    "valid": jsonable(
                        asdict(clustered_rate((r.valid.passed, r.valid.n) for r in rates))
                    ),
                },
                "cost_per_solved": jsonable(asdict(money)),
            }
        )
    return profiles


def _cell(cell: Cell) -> dict[str, Any]:
    whole = sequence_rates(cell)
    c, n = whole.attempted.passed, whole.attempted.n
    rounds = []
    for rates in round_rates(cell):
        rows = cell.at(rates.round)
        money = cost_per_solved(rows, rates.reached.attempted.passed)
        rounds.append(
            {
                **jsonable(asdict(rates)),
                "outcomes": dict(sorted(Counter(row.outcome for row in rows).items())),
                "metrics": [jsonable(asdict(aggregate(metric, rows))) for metric in METRICS],
                "cost_per_solved": jsonable(asdict(money)),
            }
        )
    return {
        **asdict(cell.key),
        "trials": jsonable(asdict(whole)),
        "pass_hat_k": {str(k): pass_hat_k(c, n, k) for k in range(1, n + 1)},
        "cost_per_solved": jsonable(asdict(cost_per_solved(cell.rows(), c))),
        "rounds": rounds,
    }


def jsonable(value: Any) -> Any:
    """Return data with decimals as text and tuples as lists, machine paths out of its texts."""
    if isinstance(value, dict):
        return {key: jsonable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [jsonable(item) for item in value]
    if isinstance(value, Decimal):
        return f"{value:f}"
    return clean(value) if isinstance(value, str) else value
