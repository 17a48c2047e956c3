"""`threadMatch`: whether every thread of the reference is in the candidate, and none too many.

All or nothing. Which thread answers which is taken from the features' outcomes; what is compared of
a pair is told here, each figure with its own limit.
"""

from __future__ import annotations

from collections.abc import Iterator

from gaugeblock.records.feature_match import FeatureMatch, FeatureOutcome
from gaugeblock.records.features import FeatureSet, Thread
from gaugeblock.records.scoring import ThreadMatch, ThreadOutcome
from gaugeblock.ruler.matching.tolerances import RIGHT
from gaugeblock.ruler.matching.wording import number

PITCH = RIGHT.pitch
"""How far a pitch may be off, mm: the specification of `threadMatch`. Pitches of one size differ by
0.05 mm and more, and the ruler reads a lead to 4e-4 mm."""

VOLUME_PART = 0.005
"""How far a thread's volume may be off, as a part of the reference's: the specification of
`threadMatch`. A turn more or less on twenty is ten times as much."""

BESIDE_LIMIT = 1e-9
"""A figure this far beyond a limit lies on it: floating point."""


def match_threads(
    reference: FeatureSet, candidate: FeatureSet, features: FeatureMatch
) -> ThreadMatch:
    """Hold a candidate's threads against the reference's.

    Args:
        reference: what is right.
        candidate: what was delivered.
        features: the two held against each other, in one pose (`match.match`).

    Returns:
        A ThreadMatch: 1 where all threads are right and none is too many, else 0. Where nothing is
        surely wrong and something could not be measured it has no number.
    """
    if reference.verdict != "measured":
        return _unknown(f"the reference: {reference.reason}")
    ours = {thread.id: thread for thread in _threads(reference)}
    if not ours:
        return ThreadMatch(state="no-threads", reason="the reference has no thread", match=None)
    if candidate.verdict != "measured":
        return _unknown(f"the candidate: {candidate.reason}")
    theirs = {thread.id: thread for thread in _threads(candidate)}
    if not features.outcomes:
        return _unknown(features.reason or "the features could not be compared")
    outcomes = tuple(
        _judged(outcome, ours, theirs, features, unclear=bool(candidate.refused))
        for outcome in features.outcomes
        if outcome.kind == "thread"
    )
    wrong = [item.finding for item in outcomes if item.right is False]
    unknown = [item.finding for item in outcomes if item.right is None]
    if unknown and not wrong:
        return _unknown("; ".join(unknown), outcomes)
    return ThreadMatch(state="scored", match=0.0 if wrong else 1.0, outcomes=outcomes)


def _threads(found: FeatureSet) -> Iterator[Thread]:
    return (feature for feature in found.features if isinstance(feature, Thread))


def _unknown(reason: str, outcomes: tuple[ThreadOutcome, ...] = ()) -> ThreadMatch:
    return ThreadMatch(state="could-not-measure", reason=reason, match=None, outcomes=outcomes)


def _judged(
    outcome: FeatureOutcome,
    ours: dict[str, Thread],
    theirs: dict[str, Thread],
    features: FeatureMatch,
    *,
    unclear: bool,
) -> ThreadOutcome:
    """Return what became of one thread; `unclear`: some faces of the candidate were refused."""
    if outcome.reference is None or outcome.candidate is None:
        right: bool | None = False
        finding = outcome.text
        if outcome.candidate is None and unclear:
            right = None
            finding += ", though faces of the candidate allow no certain answer"
    else:
        one, other = ours[outcome.reference], theirs[outcome.candidate]
        answers = [*_compared(one, other), *_placed(outcome, features)]
        wrong = [text for certain, text in answers if certain]
        findings = wrong or [text for _, text in answers]
        right, finding = (False if wrong else None if answers else True), "; ".join(findings)
    return ThreadOutcome(
        reference=outcome.reference,
        candidate=outcome.candidate,
        right=right,
        finding=f"{_named(outcome, ours, theirs)}: {finding}" if finding else "",
    )


def _named(outcome: FeatureOutcome, ours: dict[str, Thread], theirs: dict[str, Thread]) -> str:
    thread = ours.get(outcome.reference or "") or theirs[outcome.candidate or ""]
    return thread.designation or f"thread of ⌀{number(thread.major)}"


def _compared(one: Thread, other: Thread) -> Iterator[tuple[bool, str]]:
    """Yield what is wrong (True) or unknown (False) about a thread by itself, in words."""
    if one.internal != other.internal:
        yield True, f"is {_side(other)}, not {_side(one)}"
    if one.designation != other.designation:
        yield True, f"is {other.designation or 'of no standard size'}"
    elif one.designation is None:  # of no standard both: the diameters say which
        for name in ("major", "minor"):
            x, y = getattr(one, name), getattr(other, name)
            if abs(x - y) > RIGHT.size + BESIDE_LIMIT:
                yield True, f"{name} diameter {number(y)} instead of {number(x)} mm"
    if one.hand != other.hand:
        yield True, f"is {other.hand}-handed"
    if one.starts != other.starts:
        yield True, f"has {other.starts} instead of {one.starts} starts"
    if abs(one.pitch - other.pitch) > PITCH + BESIDE_LIMIT:
        yield True, f"pitch {other.pitch:.4g} instead of {one.pitch:.4g} mm"
    if one.volume is None or other.volume is None:
        side = "the reference's" if one.volume is None else "its"
        yield False, f"{side} volume could not be measured"
    elif abs(other.volume - one.volume) > VOLUME_PART * one.volume * (1 + BESIDE_LIMIT):
        off = other.volume / one.volume - 1
        yield True, f"volume off by {off:+.2%}, {VOLUME_PART:.1%} is allowed"


def _side(thread: Thread) -> str:
    return "internal" if thread.internal else "external"


def _placed(outcome: FeatureOutcome, features: FeatureMatch) -> Iterator[tuple[bool, str]]:
    """Yield what is wrong or unknown about where it is and where it points."""
    limits = features.tolerances
    if outcome.shift_mm is None:
        yield False, "its place could not be compared"
    elif outcome.shift_mm > limits.position + BESIDE_LIMIT:
        yield True, f"lies {outcome.shift_mm:.3g} mm off"
    if outcome.turn_deg is None:
        yield False, "its axis could not be compared"
    elif outcome.turn_deg > limits.axis + BESIDE_LIMIT:
        yield True, f"its axis is off by {outcome.turn_deg:.3g}°"
