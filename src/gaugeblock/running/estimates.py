"""What a plan would cost before anything is sent: first reserve, a likely sum, and the most."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from decimal import Decimal

from gaugeblock.agents import Image
from gaugeblock.agents.api.providers import open_conversation
from gaugeblock.metering.costs import MTOK, Size, Tariff, reserve
from gaugeblock.metering.snapshot import tariff
from gaugeblock.records.case import Case, Language
from gaugeblock.records.errors import WrongUse
from gaugeblock.records.plan import Estimate, PlannedTrial, toolset_of
from gaugeblock.records.prices import PriceRow, PriceSnapshot
from gaugeblock.records.profile import Profile
from gaugeblock.running.cast import limits_of
from gaugeblock.running.showing import profile_lacks
from gaugeblock.worlds import Tool

OUTPUT_TOKENS = 1_000
"""Assumed of each request: a program of growth has some 600 tokens, and models talk. Only for the
likely sum, which is an estimate and says so."""


def require_money(
    profiles: Iterable[Profile], prices: PriceSnapshot | None, budget_usd: str | None
) -> None:
    """Refuse what could send nothing, before anything is started.

    Raises:
        WrongUse: a metered profile has no price or no budget.
    """
    for profile in profiles:
        if not profile.sends or profile.billing != "metered":
            continue
        rates = tariff(profile, prices, date.today())
        if rates.row is None:
            raise WrongUse(
                f"profile {profile.id}: {rates.why_not}; see gaugeblock price snapshot --help"
            )
        if budget_usd is None:
            raise WrongUse(f"profile {profile.id} costs money: name a ceiling with --budget-usd X")


async def estimates(
    profiles: Iterable[Profile],
    cases: Mapping[str, Case],
    trials: Iterable[PlannedTrial],
    prices: PriceSnapshot | None,
    keys: Mapping[str, str | None],
    tools: Mapping[str, tuple[Tool, ...]],
    language: Language,
    budget_usd: str | None,
    images: Callable[[Case], tuple[Image, ...]] = lambda case: (),
) -> tuple[Estimate, ...]:
    """Return an estimate for each profile that sends requests.

    `tools` holds what an agent is shown, by the set that `toolset_of` names; `images` says which
    pictures stand in the brief of a case. A case for which a profile lacks something is not run,
    and costs nothing.

    Raises:
        WrongUse: the first reserve of a metered profile fits no budget.
    """
    found = []
    for profile in profiles:
        if not profile.sends:
            continue
        planned = [cases[trial.case_id] for trial in trials if trial.profile_id == profile.id]
        mine = [case for case in planned if profile_lacks(profile, case) is None]
        if profile.billing != "metered":
            found.append(_unbilled(profile, mine))
            continue
        rates = tariff(profile, prices, date.today())
        assert rates.row is not None and budget_usd is not None, "require_money came first"
        first = Decimal(0)
        for case in {case.id: case for case in mine}.values():
            key, shown = keys.get(profile.id), tools[toolset_of(case)]
            for size in await _first_sizes(profile, case, key, shown, language, images(case)):
                held = reserve(size, rates.row, profile.image_tokens)
                _require_room(profile, case, held, budget_usd)
                first = max(first, held)
        found.append(_billed(profile, mine, rates, rates.row, first, Decimal(budget_usd)))
    return tuple(found)


def frozen_prices(
    prices: PriceSnapshot | None, profiles: Iterable[Profile]
) -> PriceSnapshot | None:
    """Return the snapshot with the rows that a plan uses; None where nothing is metered."""
    asked = {(p.provider, p.model) for p in profiles if p.sends and p.billing == "metered"}
    if prices is None or not asked:
        return None
    rows = tuple(row for row in prices.rows if (row.provider, row.model) in asked)
    return prices.model_copy(update={"rows": rows})


async def _first_sizes(
    profile: Profile,
    case: Case,
    key: str | None,
    tools: tuple[Tool, ...],
    language: Language,
    images: tuple[Image, ...],
) -> list[Size]:
    sizes = []
    for asked in case.rounds:
        talk = open_conversation(
            profile, key, asked.instruction[language], images, tools, limits_of(profile, case)
        )
        sizes.append(talk.size())
        await talk.close()
    return sizes


def _require_room(profile: Profile, case: Case, held: Decimal, budget_usd: str) -> None:
    for name, ceiling in (
        ("--budget-usd", budget_usd),
        (f"the cell budget of {case.id}", case.limits.cell_budget_usd),
    ):
        if ceiling is not None and held > Decimal(ceiling):
            raise WrongUse(
                f"profile {profile.id}: its first request may cost {held.normalize():f} USD, more "
                f"than {name} of {ceiling} USD: nothing could ever be sent"
            )


def _billed(
    profile: Profile,
    mine: list[Case],
    rates: Tariff,
    row: PriceRow,
    first: Decimal,
    budget: Decimal,
) -> Estimate:
    unknown: dict[str, str] = {}
    likely = Decimal(0)
    for case in mine:
        if case.typical is None:
            unknown["likely_usd"] = f"nothing is known of what case {case.id} takes"
            continue
        asks, tokens = case.typical.requests, case.typical.input_tokens
        price = Decimal(row.input.usd_per_mtok) * tokens
        price += Decimal(row.output.usd_per_mtok) * asks * OUTPUT_TOKENS
        likely += price / MTOK * len(case.rounds)
    cells: dict[str, Decimal] = {}
    for case in mine:
        cell, each = case.limits.cell_budget_usd, case.limits.round_budget_usd
        if cell is not None:
            cells[case.id] = Decimal(cell)
        elif each is not None:  # a cap is tested after an answer: one reserve may come on top
            cells[case.id] = cells.get(case.id, Decimal(0)) + len(case.rounds) * (
                Decimal(each) + first
            )
        else:
            cells[case.id] = budget
    return Estimate(
        profile=profile.id,
        conversations=sum(len(case.rounds) for case in mine),
        first_reserve_usd=f"{first:f}",
        likely_usd=None if "likely_usd" in unknown else f"{likely:f}",
        most_usd=f"{min(budget, sum(cells.values(), Decimal(0))):f}",
        price_date=rates.date,
        price_checked=row.checked is not None,
        unknown=unknown,
    )


def _unbilled(profile: Profile, mine: list[Case]) -> Estimate:
    why = f"{profile.billing}: nothing is billed by the token"
    names = ("first_reserve_usd", "likely_usd", "most_usd", "price_date", "price_checked")
    return Estimate(
        profile=profile.id,
        conversations=sum(len(case.rounds) for case in mine),
        **dict.fromkeys(names),
        unknown=dict.fromkeys(names, why),
    )


Z95 = 1.959963984540054
"""Normal quantile of a 95 % interval."""


def widest_half_width(n: int) -> float:
    """Return the half-width of a 95 % Wilson interval where it is widest, at half passed.

    From Wilson 1927 with p = 1/2: (z/(n + z²))·√(n/4 + z²/4).
    """
    return Z95 / (n + Z95**2) * math.sqrt(n / 4 + Z95**2 / 4)


def trials_for(half_width: float) -> int:
    """Return the fewest trials a cell whose 95 % interval is never wider than ± half_width."""
    n = 1
    while widest_half_width(n) > half_width:
        n += 1
    return n
