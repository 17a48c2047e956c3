"""The account of a pair: two feature sets in, one `FeatureMatch` out.

In this order: the candidate's features are laid on the reference, both sides are sorted into
families, each family is assigned one-to-one, each pair and each feature left over becomes an
outcome in words, and right ones are counted.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from gaugeblock.records.feature_match import (
    FeatureMatch,
    FeatureOutcome,
    KindCount,
    MatchTolerances,
    OutcomeKind,
    ParameterChange,
)
from gaugeblock.records.features import Feature, FeatureSet
from gaugeblock.records.measurement import Finding, Triple
from gaugeblock.records.overlap import Alignment
from gaugeblock.ruler.matching.assigning import ORDER_DECIMALS, Pair, TooMany, assign
from gaugeblock.ruler.matching.likeness import allowed
from gaugeblock.ruler.matching.tolerances import RIGHT
from gaugeblock.ruler.matching.traits import SOMETIMES, Traits, Vector, traits
from gaugeblock.ruler.matching.wording import number, summed_up, told

RANK: tuple[OutcomeKind, ...] = ("missing", "extra", "changed", "moved", "matched")
"""Order in which outcomes are listed: what a machinist would ask first."""

REFUSED_TOLD = 2
"""Refused faces whose words are repeated in the reason; more are counted."""


def match(
    reference: FeatureSet,
    candidate: FeatureSet,
    motion: Alignment | None,
    tolerances: MatchTolerances = RIGHT,
    *,
    diagonal: float,
    names: tuple[str, str] = ("the reference", "the candidate"),
) -> FeatureMatch:
    """Hold a candidate's features against the reference's.

    Args:
        reference: What is right.
        candidate: What was delivered.
        motion: The motion that lays the reference on the candidate (`Overlap.alignment` of
            `Ruler.compare(reference, candidate)`); None: they are compared where they lie.
        tolerances: `tolerances.RIGHT` for a score, `tolerances.FINE` to see every change.
        diagonal: Of the reference's box, mm; how far a feature may have moved is a part of it.
        names: What the two are called in the texts.

    Returns:
        A FeatureMatch; `semantic_match` is None with a reason where it cannot be said.
    """
    for name, side in zip(names, (reference, candidate), strict=True):
        if side.verdict != "measured":
            return unscored(reference, candidate, tolerances, f"{name}: {side.reason}")
    ours = [traits(feature) for feature in reference.features]
    theirs = [traits(_laid_back(feature, motion)) for feature in candidate.features]
    try:
        told_of = _outcomes(ours, theirs, tolerances, diagonal, names)
    except TooMany as limit:
        return unscored(reference, candidate, tolerances, str(limit))
    told_of.sort(key=lambda item: _rank(item.outcome))
    outcomes = [item.outcome for item in told_of]
    state, reason, score, recognised = _scored(reference, candidate, outcomes, names)
    return FeatureMatch(
        state=state,
        reason=reason,
        reference=reference.file,
        candidate=candidate.file,
        semantic_match=score,
        recognised_match=recognised,
        outcomes=outcomes,
        kinds=_counts(reference.features, candidate.features, outcomes),
        differences=summed_up(outcomes, [item.feature for item in told_of]),
        tolerances=tolerances,
        findings=_findings(motion, outcomes),
    )


@dataclass(frozen=True)
class _Told:
    outcome: FeatureOutcome
    feature: Feature
    """The one it is told of."""


def _rank(outcome: FeatureOutcome) -> tuple[int, str, Triple, str]:
    """Key by which outcomes are listed."""
    place = _triple(np.round(np.array(outcome.position), ORDER_DECIMALS) + 0.0)
    return RANK.index(outcome.outcome), outcome.kind, place, outcome.text


def _outcomes(
    ours: Sequence[Traits],
    theirs: Sequence[Traits],
    tolerances: MatchTolerances,
    diagonal: float,
    names: tuple[str, str],
) -> list[_Told]:
    found: list[_Told] = []
    for family in sorted({item.family for item in (*ours, *theirs)}):
        a = [item for item in ours if item.family == family]
        b = [item for item in theirs if item.family == family]
        pairs, missing, extra = assign(a, b, tolerances, diagonal)
        found += [_paired(pair, tolerances) for pair in pairs]
        found += [_alone("missing", item, names[0]) for item in missing]
        found += [_alone("extra", item, names[1]) for item in extra]
    return found


def _paired(pair: Pair, tolerances: MatchTolerances) -> _Told:
    """Return what became of a pair: in figures and in words."""
    a, b = pair.reference, pair.candidate
    shift, turn = _triple(pair.shift), pair.turn
    length = math.hypot(*shift)
    changes = [] if pair.right else _changes(a, b, tolerances)
    outcome: OutcomeKind = "matched" if pair.right else "changed" if changes else "moved"
    moved = length > tolerances.position
    if changes and a.feature.kind in ("chamfer", "fillet"):
        # The middle of a rounded or bevelled edge moves with its size: no news.
        moved = moved and length > max(_given_way(a, b), tolerances.position)
    turned = turn is not None and turn > tolerances.axis
    position = _triple(a.at)
    text = told(
        outcome,
        a.feature,
        position,
        shift if moved and not pair.right else None,
        turn if turned and not pair.right else None,
        changes,
        "both",
    )
    return _Told(
        FeatureOutcome(
            outcome=outcome,
            kind=a.feature.kind,
            reference=a.feature.id,
            candidate=b.feature.id,
            position=position,
            shift=shift,
            shift_mm=length,
            turn_deg=turn,
            changes=changes,
            text=text,
        ),
        a.feature,
    )


def _alone(outcome: Literal["missing", "extra"], item: Traits, owner: str) -> _Told:
    position = _triple(item.at)
    feature = item.feature
    return _Told(
        FeatureOutcome(
            outcome=outcome,
            kind=feature.kind,
            reference=feature.id if outcome == "missing" else None,
            candidate=feature.id if outcome == "extra" else None,
            position=position,
            text=told(outcome, feature, position, None, None, (), owner),
        ),
        feature,
    )


def _changes(a: Traits, b: Traits, tolerances: MatchTolerances) -> list[ParameterChange]:
    """Return the parameters that differ beyond their tolerance."""
    changes = []
    for name in [n for n in a.labels if n in b.labels and a.labels[n] != b.labels[n]]:
        changes.append(_change(name, a.labels[name], b.labels[name], ""))
    one, two = a.lengths, b.lengths
    for name in dict.fromkeys((*one, *two)):
        x, y = one.get(name), two.get(name)
        if x is None or y is None:
            if name not in SOMETIMES:
                changes.append(_change(name, x, y, "mm"))
        elif abs(x - y) > allowed(name, x, tolerances):
            changes.append(_change(name, x, y, "mm"))
    for name in dict.fromkeys((*a.angles, *b.angles)):
        x, y = a.angles.get(name), b.angles.get(name)
        if x is None or y is None:
            if name not in SOMETIMES:
                changes.append(_change(name, x, y, "°"))
        elif abs(x - y) > tolerances.angle:
            changes.append(_change(name, x, y, "°"))
    if a.cross is not None and b.cross is not None:
        turn = _line_angle(a, b)
        if turn > tolerances.axis:
            changes.append(_change("direction of its length", "as drawn", _turned(turn), ""))
    return changes


def _change(
    parameter: str, x: float | str | None, y: float | str | None, unit: Literal["mm", "°", ""]
) -> ParameterChange:
    return ParameterChange(parameter=parameter, reference=x, candidate=y, unit=unit)


def _turned(turn: float) -> str:
    return f"turned by {number(turn)}°"


def _line_angle(a: Traits, b: Traits) -> float:
    assert a.cross is not None and b.cross is not None
    sine = float(np.linalg.norm(np.cross(a.cross, b.cross)))
    return math.degrees(math.atan2(sine, abs(float(a.cross @ b.cross))))


def _given_way(a: Traits, b: Traits) -> float:
    """Return how far the reference point moves at most by the difference in size, mm."""
    one, two = a.lengths, b.lengths
    return math.fsum(
        give * abs(one[name] - two[name])
        for name, give in a.give.items()
        if name in one and name in two
    )


def _laid_back(feature: Feature, motion: Alignment | None) -> Feature:
    """Return a candidate's feature in the reference's coordinates: x = Rᵀ (y − t)."""
    if motion is None:
        return feature
    turn, shift = np.array(motion.rotation), np.array(motion.translation)
    changed = {"position": _triple((np.array(feature.position) - shift) @ turn)}
    for name in ("axis", "direction"):
        vector = getattr(feature, name, None)
        if vector is not None:
            changed[name] = _triple(np.array(vector) @ turn)
    return feature.model_copy(update=changed)


def _triple(vector: Vector) -> Triple:
    x, y, z = (float(value) for value in vector)
    return x, y, z


def _counts(
    reference: Sequence[Feature], candidate: Sequence[Feature], outcomes: Sequence[FeatureOutcome]
) -> dict[str, KindCount]:
    ours, theirs = (Counter(feature.kind for feature in side) for side in (reference, candidate))
    fates = Counter((outcome.kind, outcome.outcome) for outcome in outcomes)
    return {
        kind: KindCount(
            reference=ours[kind],
            candidate=theirs[kind],
            **{outcome: fates[(kind, outcome)] for outcome in RANK},
        )
        for kind in sorted({*ours, *theirs})
    }


def _scored(
    reference: FeatureSet,
    candidate: FeatureSet,
    outcomes: Sequence[FeatureOutcome],
    names: tuple[str, str],
) -> tuple[
    Literal["scored", "no-features", "could-not-measure"], str | None, float | None, float | None
]:
    """Return state, reason, score, and the ratio over what was recognised."""
    right = sum(outcome.outcome == "matched" for outcome in outcomes)
    most = max(len(reference.features), len(candidate.features))
    ratio = right / most if most else None
    refused = [
        f"{name}: {finding.message}"
        for name, side in zip(names, (reference, candidate), strict=True)
        for finding in side.refused
    ]
    if refused:
        more = len(refused) - REFUSED_TOLD
        told_of = "; ".join(refused[:REFUSED_TOLD]) + (f"; and {more} more" if more > 0 else "")
        return "could-not-measure", f"faces that allow no certain answer: {told_of}", None, ratio
    if ratio is None:
        return "no-features", "neither part has a feature: nothing to be right", None, None
    return "scored", None, ratio, None


def unscored(
    reference: FeatureSet, candidate: FeatureSet, tolerances: MatchTolerances, reason: str
) -> FeatureMatch:
    """Return the account of a pair that cannot be compared, with the reason."""
    return FeatureMatch(
        state="could-not-measure",
        reason=reason,
        reference=reference.file,
        candidate=candidate.file,
        semantic_match=None,
        tolerances=tolerances,
    )


def _findings(motion: Alignment | None, outcomes: Sequence[FeatureOutcome]) -> list[Finding]:
    wrong = any(outcome.outcome != "matched" for outcome in outcomes)
    if motion is None or not motion.ambiguous or not wrong:
        return []
    return [
        Finding(
            code="ambiguous-pose",
            message=(
                f"{motion.ties} other poses overlap as well as the one compared in; in one of"
                " them other features may answer each other"
            ),
        )
    ]
