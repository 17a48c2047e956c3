"""A round's re-edit probe as a round of its own: the same truth, one parameter set anew."""

from __future__ import annotations

from gaugeblock.records.case import Reading, Round
from gaugeblock.suites.truth import figures

DELIVERED = "Delivered"
"""Ending of the names under which a probe's formulas find the values before it: where the probe
sets `cols`, `colsDelivered` is what the delivered document holds."""

IGNORED = "parameter-ignored"
"""Name of the reading that every probe has: the part did not change."""


def probed_round(asked: Round) -> Round | None:
    """Return what a delivered part must be once the probe's parameters are set in its document.

    Volume, solids, faces, bounds and names are the round's own formulas with the new values.
    `conserved` then compares the probed part with the delivered one outside `probe_edit`; without
    such a region nothing is conserved. The known misreadings stay, and one more is told: the part
    stayed as it was delivered.

    Args:
        asked: the round; None comes back where it declares no probe.
    """
    if not asked.probe:
        return None
    before = {f"{name}{DELIVERED}": asked.parameters[name] for name in asked.probe}
    volume = figures(asked).volume
    ignored = Reading(
        name=IGNORED,
        means="The part stayed as it was delivered: it does not follow the parameter.",
        volume=f"{volume!r}",
    )
    return asked.model_copy(
        update={
            "parameters": {**asked.parameters, **before, **asked.probe},
            "edit": asked.probe_edit,
            "readings": (() if volume is None else (ignored,)) + asked.readings,
            "probe": {},
            "probe_edit": None,
        }
    )
