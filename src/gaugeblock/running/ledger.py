"""The money of a run: one budget of the invocation, one of each cell, one gate, one pacer each."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from decimal import Decimal
from typing import Any

from gaugeblock.metering.accounts import Account, charge
from gaugeblock.metering.meter import ENDED, SENT, Gate, Meter
from gaugeblock.metering.pacing import Pacer
from gaugeblock.metering.snapshot import tariff
from gaugeblock.records.case import Case
from gaugeblock.records.plan import Plan
from gaugeblock.records.profile import Profile
from gaugeblock.records.run_folder import USAGE, TrialState
from gaugeblock.records.store import Journal, read_journal


class Ledger:
    """Hands out the meter of each conversation; all meters share its accounts."""

    def __init__(self, plan: Plan, earlier: Iterable[TrialState] = ()) -> None:
        """Open the books.

        Args:
            plan: prices, budgets, limits.
            earlier: trials of earlier invocations of this plan: what they spent counts against
                their cells. The invocation's own budget begins anew.
        """
        budget = None if plan.budget_usd is None else Decimal(plan.budget_usd)
        self._invocation = Account("budget of this invocation", budget)
        self._gate = Gate(stays_open=plan.continue_after_error)
        self._pacers = {profile.id: Pacer(profile.pacing) for profile in plan.profiles}
        today = date.today()
        self._tariffs = {p.id: tariff(p, plan.prices, today) for p in plan.profiles}
        self._cells = {
            (profile.id, case.id): Account(
                f"budget of cell {case.id}", _decimal(case.limits.cell_budget_usd)
            )
            for profile in plan.profiles
            for case in plan.every_case()
        }
        for state in earlier:
            cell = self._cells[state.planned.profile_id, state.planned.case_id]
            cell.charged += spent(read_journal(state.folder / USAGE))

    def shut(self, profile: Profile) -> str:
        """Return why a profile may send nothing more in this invocation, or nothing."""
        return self._gate.shut if profile.billing == "metered" else ""

    def meter(self, profile: Profile, case: Case, round_id: str, journal: Journal) -> Meter | None:
        """Return the meter of a new conversation; None for an agent that sends no request."""
        if not profile.sends:
            return None
        return Meter(
            profile=profile,
            tariff=self._tariffs[profile.id],
            accounts=(self._invocation, self._cells[profile.id, case.id]),
            gate=self._gate,
            pacer=self._pacers[profile.id],
            round_id=round_id,
            journal=journal,
            cap=_decimal(case.limits.round_budget_usd),
        )


def spent(lines: Iterable[dict[str, Any]]) -> Decimal:
    """Return what the requests of a usage journal are charged as, USD.

    A request without an end was in flight when its run died: its reserve is owed.
    """
    charged: dict[tuple[str, int], Decimal] = {}
    for line in lines:
        if line["kind"] == SENT:
            key = (line["round"], line["request"])
            charged[key] = _decimal(line["reserve_usd"]) or Decimal(0)
        elif line["kind"] == ENDED:
            key = (line["round"], line["number"])
            names = ("reported_cost_usd", "cost_usd", "reserve_usd")
            charged[key] = charge(line["settled"], *(_decimal(line[name]) for name in names))
    return sum(charged.values(), Decimal(0))


def _decimal(text: str | None) -> Decimal | None:
    return None if text is None else Decimal(text)
