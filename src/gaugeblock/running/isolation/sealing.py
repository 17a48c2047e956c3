"""What the cases of a run hide, and whether a run's host can be shut in for them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol, runtime_checkable

from gaugeblock.records.case import Case, Language
from gaugeblock.records.errors import WrongUse
from gaugeblock.records.features import FeatureSet
from gaugeblock.records.measurement import Measurement
from gaugeblock.ruler import Ruler
from gaugeblock.running.isolation.gate import Gatehouse
from gaugeblock.running.isolation.needles import Sought, Truth, sought
from gaugeblock.sandbox import available_isolation
from gaugeblock.suites import Suite
from gaugeblock.worlds import AnyHost, HostSettings

REFERENCE_AGENT = "reference"
"""The scripted agent whose programs are part of the truth."""


@runtime_checkable
class HidingSuite(Suite, Protocol):
    """A suite whose cases show something and are held against a part that stays out of sight."""

    def reference(self, case: Case) -> bytes:
        """Return the STEP of the right part; WrongUse: the case's files are not at hand."""

    def shown(self, case: Case) -> dict[str, bytes]:
        """Return path in the agent's workspace → bytes."""


def why_unsealed(host: AnyHost) -> str:
    """Return why hosts of this kind are not shut in and searched here; empty: they are."""
    if not isinstance(host, HostSettings):
        return "the views of a host that is not ours are not searched"
    if host.python != Path(sys.executable):
        return "the views of another checkout's host are not searched"
    isolation = available_isolation()
    if isolation.kind != "bubblewrap":
        return f"no bubblewrap: {isolation.why}"
    return ""


def gatehouse(
    cases: Iterable[Case], suites: Mapping[str, Suite], ruler: Ruler, language: Language
) -> Gatehouse:
    """Return the gates of a run's cases, with the needles of those that hide a truth.

    Raises:
        WrongUse: the truth of one is not at hand, or cannot be measured.
    """
    measured: dict[bytes, tuple[Measurement, FeatureSet]] = {}
    found: dict[str, Sought] = {}
    for case in cases:
        if not case.hides_truth:
            continue
        suite = suites[case.suite]
        if not isinstance(suite, HidingSuite):
            raise WrongUse(f"case {case.id}: suite {suite.name} does not hand out its truth")
        reference = suite.reference(case)
        if reference not in measured:  # a sheet is shown as files and as a picture
            measured[reference] = _measured(case, reference, ruler)
        found[case.id] = _sought(case, suite, reference, *measured[reference], language)
    return Gatehouse(found)


def _measured(case: Case, reference: bytes, ruler: Ruler) -> tuple[Measurement, FeatureSet]:
    with TemporaryDirectory(prefix="gaugeblock-truth-") as folder:
        path = Path(folder) / "part.step"
        path.write_bytes(reference)
        measurement, features = ruler.measure(path), ruler.features(path)
    if measurement.verdict != "measured":
        raise WrongUse(f"case {case.id}: its reference cannot be measured: {measurement.reason}")
    return measurement, features


def _sought(
    case: Case,
    suite: HidingSuite,
    reference: bytes,
    measurement: Measurement,
    features: FeatureSet,
    language: Language,
) -> Sought:
    assert case.drawing is not None
    told = {asked.id: asked.instruction[language].encode() for asked in case.rounds}
    try:
        programs = [
            str(value)
            for asked in case.rounds
            for call in suite.script(case, asked, REFERENCE_AGENT).calls
            for name, value in call.arguments.items()
            if name == "program"
        ]
    except WrongUse:  # a case of one's own without a program, or whose folder is gone by now
        programs = []
    return sought(
        Truth(
            canary=case.drawing.canary,
            reference=reference,
            measurement=measurement,
            features=features,
            programs=tuple(programs),
            shown={**suite.shown(case), **told},
        )
    )
