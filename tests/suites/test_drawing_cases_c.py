"""Nine independent cases of suite drawings, five of them with modelled threads, against truths
written by hand.

Volumes are closed formulas of the numbers in `case.toml`. A helical thread has, at every height,
the same share of the circle of each radius in the material: its volume is that of a body of
revolution whose density is this share.
"""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from numpy import arccosh, arcsin, pi, sqrt
from numpy.polynomial import Polynomial
from scipy.special import ellipe, ellipk

import gaugeblock

if TYPE_CHECKING:
    from gaugeblock.ruler import Ruler

CASES = Path(gaugeblock.__file__).parent / "suites" / "drawings" / "cases"

AGREEMENT = 1e-6
"""Relative: the reference's volume against the formula."""

Numbers = Any
"""The parameters of a case by name: mm, degrees."""


def disc(diameter: float) -> float:
    """Return the area of a circle."""
    return pi / 4 * diameter**2


def frustum(lower: float, upper: float, height: float) -> float:
    """Return the volume of a truncated cone between two diameters."""
    return pi / 12 * height * (lower**2 + lower * upper + upper**2)


def within(half: float, radius: float) -> float:
    """Return the area of a half circle's part that lies within `half` of its axis."""
    return half * sqrt(radius**2 - half**2) + radius**2 * arcsin(half / radius)


def within_cone(half: float, radius: float) -> float:
    """Return the integral of `within` over the radius, from 0."""
    root = sqrt(radius**2 - half**2)
    one = (radius * root - half**2 * arccosh(radius / half)) / 2
    other = (radius * root + half**2 * arccosh(radius / half)) / 2
    return half * (one + other / 3) + radius**3 / 3 * arcsin(half / radius)


def crossed(thin: float, thick: float) -> float:
    """Return what two cylinders of unlike diameters share whose axes cross at right angles."""
    small, large = thin / 2, thick / 2
    m = (small / large) ** 2  # the square of the modulus k
    halves = (large**2 + small**2) * ellipe(m) - (large**2 - small**2) * ellipk(m)
    return 8 / 3 * large * halves


def root_radius(major: float, pitch: float) -> float:
    """Return half the minor diameter: d − 5/4 H, H = √3/2 P (ISO 68-1)."""
    return major / 2 - 5 / 16 * sqrt(3) * pitch


def wound(major: float, pitch: float) -> Polynomial:
    """Return material within a radius between root and crest, mm², as a polynomial of it."""
    crest, root = major / 2, root_radius(major, pitch)
    share = Polynomial([1 / 8 + 2 * crest / sqrt(3) / pitch, -2 / sqrt(3) / pitch])
    return pi * root**2 + (2 * pi * Polynomial([0, 1]) * share).integ(lbnd=root)


def thread(major: float, pitch: float, length: float, chamfer: float = 0.0) -> float:
    """Return the volume of a threaded rod with one end chamfered at 45°."""
    crest, root, area = major / 2, root_radius(major, pitch), wound(major, pitch)
    start = max(root, crest - chamfer)
    cone = area.integ(lbnd=start)(crest)
    if crest - chamfer < root:
        cone += frustum(major - 2 * chamfer, 2 * root, root - crest + chamfer)
    return float(area(crest) * (length - chamfer) + cone)


def v_pulley(p: Numbers) -> float:
    foot, outer = p.outsideDiameter / 2 - p.grooveDepth, p.outsideDiameter / 2
    slope = (p.grooveWidth - p.grooveFloor) / p.grooveDepth
    ring = 2 * pi * Polynomial([0, 1]) * Polynomial([p.grooveFloor - slope * foot, slope])
    groove = ring.integ(lbnd=foot)(outer)
    body = disc(p.outsideDiameter) * p.rimWidth - 2 * groove
    body -= (disc(p.recessDiameter) - disc(p.hubDiameter)) * p.recessDepth
    body += disc(p.hubDiameter) * (p.hubLength - p.rimWidth) - disc(p.boreDiameter) * p.hubLength
    c, bore, half = p.boreChamfer, p.boreDiameter / 2, p.keyWidth / 2
    body -= 2 * (frustum(2 * bore, 2 * (bore + c), c) - disc(2 * bore) * c)
    key = p.keyWidth * (p.keyHeight - bore) * p.hubLength
    key -= within(half, bore) * (p.hubLength - 2 * c)
    key -= 2 * (within_cone(half, bore + c) - within_cone(half, bore))
    return body - key


def hollow_shaft(p: Numbers) -> float:
    length = p.seatLength + p.collarLength + p.bodyLength + p.endLength
    body = disc(p.seatDiameter) * p.seatLength + disc(p.collarDiameter) * p.collarLength
    body += disc(p.bodyDiameter) * p.bodyLength + disc(p.endDiameter) * p.endLength
    for d in (p.seatDiameter, p.endDiameter):
        body -= (disc(d) - disc(d - 2 * p.undercutDepth)) * p.undercutWidth
        body -= disc(d) * p.bevelLeg - frustum(d - 2 * p.bevelLeg, d, p.bevelLeg)
    body -= disc(p.boreDiameter) * (length - p.socketDepth) + disc(p.socketDiameter) * p.socketDepth
    body -= (disc(p.reliefDiameter) - disc(p.socketDiameter)) * p.reliefWidth
    return (
        body - crossed(p.crossDiameter, p.bodyDiameter) + crossed(p.crossDiameter, p.boreDiameter)
    )


def lever(p: Numbers) -> float:
    main = disc(p.mainDiameter) - disc(p.mainBore)
    small = disc(p.smallDiameter) - disc(p.smallBore)
    arm = p.distance * p.armWidth
    arm -= within(p.armWidth / 2, p.mainDiameter / 2) + within(p.armWidth / 2, p.smallDiameter / 2)
    arm -= (p.windowLength - p.windowWidth) * p.windowWidth + disc(p.windowWidth)
    oil = (crossed(p.oilDiameter, p.mainDiameter) - crossed(p.oilDiameter, p.mainBore)) / 2
    return main * p.mainHeight + small * p.smallHeight + arm * p.armThickness - oil


def wedge(p: Numbers) -> float:
    def height(x: float, y: float) -> float:
        return p.height + p.riseX * x / p.length + p.riseY * y / p.width

    body = p.length * p.width * height(p.length / 2, p.width / 2)
    body -= p.ledgeLength * p.width * p.ledgeDepth + p.cutX * p.cutY * p.cutZ / 6
    pins = height(p.pinX, p.pinY) + height(p.pin2X, p.pin2Y) - 2 * p.ledgeDepth
    return body - disc(p.boreDiameter) * height(p.boreX, p.boreY) - disc(p.pinDiameter) * pins


def bolt(p: Numbers) -> float:
    head = sqrt(3) / 2 * p.flats**2 * (p.headHeight - p.flangeHeight)
    head += disc(p.flangeDiameter) * p.flangeHeight
    shank = disc(p.major) * (p.length - p.threadLength)
    return head + shank + thread(p.major, p.pitch, p.threadLength, p.point)


def flange(p: Numbers) -> float:
    body = disc(p.diameter) * p.thickness + disc(p.hubDiameter) * (p.hubHeight - p.thickness)
    body -= disc(p.boreDiameter) * p.hubHeight
    body -= (disc(p.spigotDiameter) - disc(p.boreDiameter)) * p.spigotDepth
    return body - disc(p.pinDiameter) * p.thickness - 4 * thread(p.major, p.pitch, p.thickness)


def tie_rod(p: Numbers) -> float:
    grip = disc(p.gripDiameter) * (p.gripLength - p.flatsLength)
    grip += 2 * within(p.flats / 2, p.gripDiameter / 2) * p.flatsLength
    necks = (disc(p.leftNeck) + disc(p.rightNeck)) * p.neckLength
    left = thread(p.leftMajor, p.leftPitch, p.leftLength, p.bevelLeg)
    return grip + necks + left + thread(p.rightMajor, p.rightPitch, p.rightLength, p.bevelLeg)


def spindle(p: Numbers) -> float:
    body = disc(p.collarDiameter) * p.collarLength + disc(p.neckDiameter) * p.neckLength
    body += disc(p.journalDiameter) * p.journalLength + p.squareWidth**2 * p.squareLength
    body -= crossed(p.pinDiameter, p.journalDiameter)
    return body + thread(p.major, p.pitch, p.threadLength, p.bevelLeg)


def ring_nut(p: Numbers) -> float:
    ring = p.height - p.shoulderHeight
    body = disc(p.diameter) * (ring - p.bevelLeg) + disc(p.shoulderDiameter) * p.shoulderHeight
    body += frustum(p.diameter - 2 * p.bevelLeg, p.diameter, p.bevelLeg)
    floor = p.diameter / 2 - p.slotDepth
    slot = within(p.slotWidth / 2, p.diameter / 2) - p.slotWidth * floor
    return body - 4 * slot * p.slotLength - thread(p.major, p.pitch, p.height)


VOLUMES: dict[str, Callable[[Numbers], float]] = {
    "v-pulley": v_pulley,
    "hollow-shaft": hollow_shaft,
    "connecting-lever": lever,
    "wedge-fixture": wedge,
    "hex-bolt": bolt,
    "tapped-flange": flange,
    "left-hand-rod": tie_rod,
    "two-start-spindle": spindle,
    "ring-nut": ring_nut,
}

PLACES = {
    "v-pulley": {"grooveSpacing"},
    "hollow-shaft": {"crossDistance"},
    "connecting-lever": {"armHeight", "oilHeight"},
    "wedge-fixture": set(),
    "hex-bolt": set(),
    "tapped-flange": {"circle", "pinDistance"},
    "left-hand-rod": set(),
    "two-start-spindle": {"pinDistance"},
    "ring-nut": set(),
}

FEATURES = {
    "v-pulley": {"hole": 1, "keyway": 1, "groove": 3, "chamfer": 2},
    "hollow-shaft": {"hole": 2, "groove": 3, "chamfer": 2},
    "connecting-lever": {"hole": 3, "slot": 1, "boss": 1},
    "wedge-fixture": {"hole": 3},
    "hex-bolt": {"thread": 1, "boss": 1},
    "tapped-flange": {"thread": 4, "hole": 6, "boss": 1},
    "left-hand-rod": {"thread": 2, "slot": 2, "groove": 2},
    "two-start-spindle": {"thread": 1, "hole": 1, "boss": 1, "groove": 1},
    "ring-nut": {"thread": 1, "hole": 1, "keyway": 4, "chamfer": 1},
}
"""By kind; a tapped hole is a thread and the hole that it was cut into."""

THREADED = ("hex-bolt", "tapped-flange", "left-hand-rod", "two-start-spindle", "ring-nut")


def written(case: str) -> dict[str, Any]:
    return tomllib.loads((CASES / case / "case.toml").read_text(encoding="utf-8"))


def frozen(case: str, name: str) -> Any:
    return json.loads((CASES / case / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", VOLUMES)
def test_the_reference_has_the_volume_of_its_formula(case: str, ruler: Ruler):
    truth = VOLUMES[case](SimpleNamespace(**written(case)["parameters"]))
    found = ruler.measure(CASES / case / "reference.step")
    assert found.totals is not None and found.totals.valid and found.totals.solids == 1
    assert found.totals.volume == pytest.approx(truth, rel=AGREEMENT)


@pytest.mark.parametrize("case", VOLUMES)
def test_no_parameter_is_without_weight_in_the_formula_but_places(case: str):
    """A size off by 1 % is another volume; only places may be moved freely."""
    numbers = written(case)["parameters"]
    truth = VOLUMES[case](SimpleNamespace(**numbers))
    weightless = {
        name
        for name, value in numbers.items()
        if VOLUMES[case](SimpleNamespace(**{**numbers, name: 1.01 * value}))
        == pytest.approx(truth, rel=AGREEMENT)
    }
    assert weightless == PLACES[case]


@pytest.mark.parametrize("case", THREADED)
def test_threads_are_found_as_the_sheet_asks_for_them(case: str):
    found = Counter(
        (f["designation"], f["internal"], f["hand"], f["starts"])
        for f in frozen(case, "features.json")["features"]
        if f["kind"] == "thread"
    )
    asked = Counter()
    for t in written(case)["threads"]:
        key = (t["designation"], t["internal"], t.get("hand", "right"), t.get("starts", 1))
        asked[key] += t.get("count", 1)
    assert found == asked
    labels = " ".join(d["label"] for d in frozen(case, "dimensions.json"))
    for name, _, hand, starts in asked:
        starts_told = f" {starts} starts" if starts > 1 else ""
        assert f"{name}{starts_told}{' LH' if hand == 'left' else ''} – " in labels


@pytest.mark.parametrize("case", FEATURES)
def test_features_are_those_that_a_machinist_names(case: str):
    features = frozen(case, "features.json")["features"]
    assert Counter(feature["kind"] for feature in features) == FEATURES[case]
    assert not frozen(case, "features.json")["refused"]


@pytest.mark.parametrize("case", VOLUMES)
def test_the_reference_has_all_its_features_and_all_of_its_sheet(case: str):
    ceilings = frozen(case, "ceilings.json")
    assert ceilings["semantic_match"] == 1.0
    assert ceilings["asked"] == len(frozen(case, "dimensions.json"))
    assert ceilings["drawn"] == ceilings["asked"]


@pytest.mark.parametrize("case", VOLUMES)
def test_the_reference_is_itself(case: str, ruler: Ruler):
    step = CASES / case / "reference.step"
    found = ruler.compare(step, step)
    assert found.aligned is not None and found.aligned.iou == pytest.approx(1, abs=1e-9)


def test_no_two_are_alike():
    cases = [written(case) for case in VOLUMES]
    assert len({case["canary"] for case in cases}) == len(cases)
    assert len({case["sheet"]["number"] for case in cases}) == len(cases)
    assert {case["group"] for case in cases} == {"independent"}


def test_a_thread_without_pitch_is_a_rod_and_a_chamfer_takes_a_cone():
    assert thread(12, 1e-4, 30) == pytest.approx(disc(12) * 30, rel=1e-4)
    rod = disc(12) * 29 + frustum(10, 12, 1)
    assert thread(12, 1e-4, 30, 1.0) == pytest.approx(rod, rel=1e-4)


def test_the_share_of_a_ridge_is_three_quarters_at_its_root_and_an_eighth_at_its_crest():
    """Basic profile of ISO 68-1: flats of P/4 at the root and P/8 at the crest."""
    density = wound(20, 2.5).deriv()
    for radius, share in ((root_radius(20, 2.5), 3 / 4), (10.0, 1 / 8)):
        assert density(radius) / (2 * pi * radius) == pytest.approx(share, rel=1e-12)


def test_crossed_cylinders_of_one_diameter_are_steinmetz():
    assert crossed(2 - 1e-9, 2) == pytest.approx(16 / 3, rel=1e-6)
