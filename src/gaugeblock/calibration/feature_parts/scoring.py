"""How a recogniser does on the parts: what it found, missed and made up, and how exactly.

Two measures. `proved` is strict: every parameter of every feature, by the ruler's own matching.
`compared` is for recognisers that say less than our records do: kind, side, main sizes and place,
each as far as they say it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import maximum_bipartite_matching

from gaugeblock.calibration.feature_parts.part import FeaturePart, Point
from gaugeblock.records.feature_match import FeatureMatch, MatchTolerances
from gaugeblock.records.features import Feature, FeatureSet
from gaugeblock.records.measurement import FileFacts, Finding, Versions
from gaugeblock.ruler.matching.match import match
from gaugeblock.ruler.matching.tolerances import RIGHT
from gaugeblock.ruler.matching.traits import traits

EXACT = MatchTolerances(
    position=1e-4,
    axis=1e-3,
    size=2e-4,
    size_part=2e-5,
    angle=1e-3,
    pitch=1e-5,
    shared=None,
)
"""When a parameter counts as exact: within 2e-4 mm, and 2e-5 of a size where that is less. STEP
files keep more of plane and round faces; a thread that the kernel sweeps is itself 1e-4 mm off."""

DIAGONAL = 1e4
"""Gate of moved features in mm: the largest part's; how far off a miss lies is told in any case."""


@dataclass
class KindScore:
    """Features of one kind over all parts."""

    expected: int = 0
    claimed: int = 0
    right: int = 0
    exact: int | None = None
    """None: not looked at."""

    @property
    def recall(self) -> float | None:
        """Right ones over those that are there; None: there are none."""
        return self.right / self.expected if self.expected else None

    @property
    def precision(self) -> float | None:
        """Right ones over those claimed; None: none was claimed."""
        return self.right / self.claimed if self.claimed else None


@dataclass
class Score:
    """All parts."""

    kinds: dict[str, KindScore] = field(default_factory=dict)
    misses: list[str] = field(default_factory=list)
    """One line each: the part, and what is wrong."""

    def kind(self, name: str) -> KindScore:
        """Return the score of one kind, to be counted on."""
        return self.kinds.setdefault(name, KindScore())


@dataclass(frozen=True)
class Answer:
    """What a recogniser said of one part."""

    part: FeaturePart
    features: Sequence[Feature]
    refused: Sequence[str] = ()
    """Faces it would not judge, in words."""


def proved(answers: Iterable[Answer]) -> Score:
    """Return how our own recogniser does, every parameter held to `RIGHT`, then to `EXACT`."""
    score = Score()
    for answer in answers:
        truth = _set(
            [f.model_copy(update={"id": f"{i}"}) for i, f in enumerate(answer.part.features)]
        )
        said = _set(answer.features, answer.refused)
        found, exact = (
            match(truth, said, None, limits, diagonal=DIAGONAL, names=("the truth", "the answer"))
            for limits in (RIGHT, EXACT)
        )
        for kind, count in found.kinds.items():
            mine = score.kind(kind)
            mine.expected += count.reference
            mine.claimed += count.candidate
            mine.right += count.matched
            mine.exact = (mine.exact or 0) + exact.kinds[kind].matched
        score.misses += [f"{answer.part.name}: {text}" for text in _misses(found)]
        if len(answer.refused) < answer.part.unclear:
            score.misses.append(f"{answer.part.name}: not refused, though it is unclear")
        if len(answer.refused) > answer.part.unclear:
            score.misses += [f"{answer.part.name}: refused: {text}" for text in answer.refused]
        score.misses += [f"{answer.part.name}: inexact: {t}" for t in _inexact(found, exact)]
    return score


def _misses(found: FeatureMatch) -> list[str]:
    return [outcome.text for outcome in found.outcomes if outcome.outcome != "matched"]


def _inexact(found: FeatureMatch, exact: FeatureMatch) -> list[str]:
    """Return what is right but not exact."""
    right = {outcome.reference for outcome in found.outcomes if outcome.outcome == "matched"}
    return [
        outcome.text
        for outcome in exact.outcomes
        if outcome.outcome != "matched" and outcome.reference in right
    ]


def _set(features: Sequence[Feature], refused: Sequence[str] = ()) -> FeatureSet:
    return FeatureSet(
        verdict="measured",
        file=FileFacts(name="part", sha256=None, bytes=0),
        features=list(features),
        refused=[Finding(code="refused", message=text) for text in refused],
        versions=Versions(ocp=None, numpy=None),
    )


@dataclass(frozen=True)
class Claim:
    """One feature as some recogniser tells it; what it does not say is left out."""

    kinds: frozenset[str]
    """Our words for it: more than one where its word covers several of ours."""
    at: Point
    """A point on its axis, in its middle or on its faces."""
    sizes: dict[str, float] = field(default_factory=dict)
    """By the names of `matching.traits`."""
    labels: dict[str, str] = field(default_factory=dict)
    """Likewise, with `side` and `where`."""
    axis: Point | None = None


def claim_of(feature: Feature) -> Claim:
    """Return what one of our features claims."""
    item = traits(feature)
    return Claim(
        kinds=frozenset({feature.kind}),
        at=feature.position,
        sizes=item.lengths,
        labels=item.labels | _sides(feature),
        axis=feature.axis,
    )


def _sides(feature: Feature) -> dict[str, str]:
    return {
        name: str(getattr(feature, name))
        for name in ("side", "where", "internal")
        if hasattr(feature, name)
    }


MAIN = {
    "hole": ("diameter", "counterbore diameter", "countersink diameter"),
    "boss": ("diameter", "length", "width", "height"),
    "slot": ("length", "width"),
    "keyway": ("length", "width"),
    "pocket": ("length", "width", "depth"),
    "breakthrough": ("length", "width"),
    "groove": ("diameter", "width"),
    "chamfer": ("smaller leg", "larger leg"),
    "fillet": ("radius",),
    "thread": ("major diameter", "pitch"),
}
"""Sizes that a claim must have right, where it says them."""

SAID = ("end", "side", "where", "hand")
"""Words that a claim must have right, where it says them."""

SLACK = 0.05
"""Other recognisers round what they say, to 0.01 mm at worst, and put centres where rounding takes
them; added to the tolerance of a place, mm."""


def compared(answers: Iterable[tuple[FeaturePart, Sequence[Claim]]]) -> Score:
    """Return how any recogniser does: main sizes, side and place, as far as it says them."""
    score = Score()
    for part, claims in answers:
        able = np.zeros((len(part.features), len(claims)), dtype=bool)
        for i, feature in enumerate(part.features):
            for j, claim in enumerate(claims):
                able[i, j] = fits(feature, claim)
        partner = maximum_bipartite_matching(csr_matrix(able), perm_type="column")
        partner = partner if able.size else np.full(len(part.features), -1)
        for feature, claimed in zip(part.features, partner.tolist(), strict=True):
            mine = score.kind(feature.kind)
            mine.expected += 1
            mine.right += claimed >= 0
            if claimed < 0:
                score.misses.append(f"{part.name}: {feature.kind} at {feature.position} not found")
        for j, claim in enumerate(claims):
            if j not in partner and any(is_corner(feature, claim) for feature in part.features):
                continue
            named = [f.kind for f, k in zip(part.features, partner, strict=True) if k == j]
            kind = named[0] if named else sorted(claim.kinds)[0]
            score.kind(kind).claimed += 1
            if not named:
                score.misses.append(f"{part.name}: {kind} at {claim.at} made up: {claim.sizes}")
    return score


def is_corner(feature: Feature, claim: Claim) -> bool:
    """Whether a claimed fillet is a rounded corner of a recess, which we tell with the recess."""
    radius = getattr(feature, "corner_radius", None)
    if radius is None or "fillet" not in claim.kinds:
        return False
    item = traits(feature)
    within = math.hypot(item.lengths["length"], item.lengths["width"], item.lengths["depth"])
    return (
        abs(claim.sizes.get("radius", math.inf) - radius) <= RIGHT.size
        and math.dist(claim.at, feature.position) <= within
    )


def fits(feature: Feature, claim: Claim) -> bool:
    """Whether a claim speaks of a feature."""
    if feature.kind not in claim.kinds:
        return False
    item = traits(feature)
    ours = item.lengths
    for name in MAIN[feature.kind]:
        said = claim.sizes.get(name)
        sizes = [ours.get(word, math.inf) for word in (name, f"far {name}")]
        if said is not None and min(abs(said - size) for size in sizes) > RIGHT.size:
            return False
    words = item.labels | _sides(feature)
    for name in SAID:
        if name in claim.labels and name in words and claim.labels[name] != words[name]:
            return False
    if claim.axis is not None and item.axis is not None:
        cosine = abs(float(np.dot(claim.axis, item.axis)))
        if math.degrees(math.acos(min(1.0, cosine))) > RIGHT.axis:
            return False
    return _near(feature, claim.at)


def _near(feature: Feature, at: Point) -> bool:
    """Whether a point lies where a feature is.

    On the axis for what is round, from one end to the other; within its own size for the rest,
    whose middle others put on the floor, in the opening or between.
    """
    item = traits(feature)
    arm = np.array(at) - item.at
    room = RIGHT.position + SLACK
    if item.axis is None:
        return bool(np.linalg.norm(arm) <= item.own + room)
    along = float(arm @ item.axis)
    across = float(np.linalg.norm(arm - along * item.axis))
    lengths = item.lengths
    if feature.kind in ("hole", "boss", "thread"):
        reach = lengths.get("depth", lengths.get("height", lengths.get("length", 0.0)))
        return across <= room and abs(along) <= reach + item.own
    if feature.kind in ("chamfer", "fillet"):
        reach = lengths["length"] / 2 if item.half is not None else item.own
        if feature.form == "round":  # on its ring or in its middle
            ring = (feature.diameter or 0.0) / 2
            return min(across, abs(across - ring)) <= item.own + room and abs(along) <= 2 * reach
        return across <= item.own + room and abs(along) <= reach + room
    if feature.kind == "groove":  # on its axis or on its floor
        ring = lengths["diameter"] / 2
        return min(across, abs(across - ring)) <= room and abs(along) <= item.own + room
    return across <= lengths["width"] / 2 and abs(along) <= lengths["depth"] + room


def counts(claims: Iterable[Claim]) -> Counter[str]:
    """Return how many claims there are by kind, for a part whose truth is not known."""
    return Counter("/".join(sorted(claim.kinds)) for claim in claims)


def table(score: Score) -> list[str]:
    """Return lines: kind, how many there are, claimed, right, exact, precision, recall."""
    lines = [
        f"{'kind':13} {'there':>6} {'claimed':>8} {'right':>6} {'exact':>6}"
        f" {'precision':>10} {'recall':>7}"
    ]
    total = KindScore()
    for kind, one in sorted(score.kinds.items()):
        lines.append(_line(kind, one))
        total.expected += one.expected
        total.claimed += one.claimed
        total.right += one.right
        if one.exact is not None:
            total.exact = (total.exact or 0) + one.exact
    return [*lines, _line("all", total)]


def _line(name: str, one: KindScore) -> str:
    precision, recall = (
        "—" if value is None else f"{value:.3f}" for value in (one.precision, one.recall)
    )
    exact = "—" if one.exact is None else str(one.exact)
    return (
        f"{name:13} {one.expected:6} {one.claimed:8} {one.right:6} {exact:>6}"
        f" {precision:>10} {recall:>7}"
    )
