"""What the figures of a report cannot say; every report ends with it."""

from __future__ import annotations

from collections.abc import Iterable

from gaugeblock.analysis.cells import Cell, begun
from gaugeblock.analysis.columns import field
from gaugeblock.analysis.points import REVIEWED_SUITES
from gaugeblock.records.plan import Plan

ALWAYS = (
    "A provider's randomness is not controlled: a run is one draw, another run of the same plan "
    "will differ. The intervals speak of this cell under these controls and of nothing else.",
    "The references, formulas and criteria are our own, written in-house; no second party has "
    "judged them.",
    "The run is self-attested: the hashes show that nothing changed since it was closed, not that "
    "it was honest before.",
    "One stage was measured: making or editing a part by instruction. Choosing what to make, "
    "drawing it, checking it with others and manufacturing it were not.",
    "The criteria compare validity, volume, counts, bounds and names. A feature moved without "
    "changing any of these, such as a hole a millimetre aside, passes unless the case also "
    "compares shapes.",
    "A passed part may be modelled in a way no engineer would keep: parameters and structure are "
    "judged only where a case says so.",
    "Times were taken on one machine beside whatever else ran on it; they compare only with times "
    "of the same machine id.",
    "An interval that includes 0 is no proof of no growth, and no figure is extrapolated beyond "
    "the growth values that were measured.",
)
"""Holds for every run."""

OPEN_CASES = (
    "Open cases are public: they may be in a model's training data, and success on them may be "
    "memory."
)
SEALED_DRAWS = (
    "Sealed draws follow from the plan and a secret of whoever ran it. That this was the first "
    "secret tried, and that no run was thrown away before, rests on their word."
)
REPLAYED = (
    "The fresh cases of this run replay a seed that was known before: they are open cases, and "
    "count as such."
)
SCRIPTED_ONLY = (
    "Only scripted agents worked in this run: it shows that the way from instruction to verdict "
    "holds, and nothing about any model."
)
UNSEALED = (
    "The run is unsealed: there was no sandbox that keeps an agent from reading what it must not, "
    "so an agent's success may have been read off."
)
FEW = "With fewer than 3 repetitions a cell supports no claim, whatever its rate."
QUALITY = (
    "Points of geometry are no judgement of the whole: recognisability, coherence, proportions and "
    "finish are people's to judge, and overall quality is pending until they have."
)
UNPRICED = "Where cost is unknown it is unknown, not 0; no estimate was put in its place."
UNCHECKED = (
    "Some costs rest on price rows that nobody compared with the provider's own page "
    "(`gaugeblock price confirm`)."
)


def caveat_lines(plan: Plan, together: Iterable[Cell]) -> list[str]:
    """Return the closing section.

    Args:
        plan: the frozen plan.
        together: the run's cells; they decide which of the sentences apply.
    """
    said = list(ALWAYS)
    models = [begun(cell.rows()) for cell in together if not cell.scripted]
    if not any(models):
        said.insert(0, SCRIPTED_ONLY)
    if any(suite.name in REVIEWED_SUITES for suite in plan.suites):
        said.append(QUALITY)
    if any(None in field(rows, "cost_usd") for rows in models):
        said.append(UNPRICED)
    if any(False in field(rows, "price_checked") for rows in models):
        said.append(UNCHECKED)
    seen = {case.visibility for case in plan.every_case()}
    if "open" in seen:
        said.append(OPEN_CASES)
    if "sealed" in seen:
        said.append(SEALED_DRAWS)
    if plan.draw is not None and not plan.draw.sealed:
        said.append(REPLAYED)
    if plan.repetitions < 3:
        said.append(FEW)
    if plan.unsafe or not plan.host.sandbox_formal or plan.host.sealed is False:
        said.append(UNSEALED)
    return ["## What these figures cannot say", "", *(f"- {line}" for line in said), ""]
