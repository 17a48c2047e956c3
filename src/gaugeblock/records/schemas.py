"""The JSON Schema of every record that lies on disk, so that others can read a run without us."""

from __future__ import annotations

from typing import Any

from gaugeblock.records.base import Record
from gaugeblock.records.conservation import Conservation
from gaugeblock.records.draws import Drawn
from gaugeblock.records.evidence import Amendment, ClosingManifest, LastAmendment
from gaugeblock.records.grade import Grade
from gaugeblock.records.isolation import Isolation
from gaugeblock.records.measurement import Measurement
from gaugeblock.records.overlap import Interference
from gaugeblock.records.plan import Plan
from gaugeblock.records.probe import Probe
from gaugeblock.records.reopening import Reopening
from gaugeblock.records.review import ReviewImport
from gaugeblock.records.revision import Regrade, Withdrawal
from gaugeblock.records.scoring import Scoring
from gaugeblock.records.trial import RoundResult, TrialEnd, TrialManifest

ON_DISK: dict[str, type[Record]] = {
    "plan": Plan,
    "drawn": Drawn,
    "trial-manifest": TrialManifest,
    "round-result": RoundResult,
    "grade": Grade,
    "measurement": Measurement,
    "conservation": Conservation,
    "probe": Probe,
    "reopening": Reopening,
    "interference": Interference,
    "scoring": Scoring,
    "isolation": Isolation,
    "trial-end": TrialEnd,
    "closing-manifest": ClosingManifest,
    "amendment": Amendment,
    "last-amendment": LastAmendment,
    "review-import": ReviewImport,
    "regrade": Regrade,
    "withdrawal": Withdrawal,
}
"""Record by the name of its schema. Rows have theirs in `analysis/tables.py`, which adds that
every null has a reason."""


def schemas() -> dict[str, dict[str, Any]]:
    """Return name → JSON Schema (draft 2020-12) of the records as they are written."""
    return {
        name: {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            **record.model_json_schema(mode="serialization"),
        }
        for name, record in ON_DISK.items()
    }
