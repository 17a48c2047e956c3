"""Ten independent cases of suite drawings against truths written by hand.

Volumes are closed formulas of the numbers in `case.toml`; features and toleranced sizes are those
that the part's author meant. Nothing here was taken from a model.
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
from numpy import arcsin, pi, sqrt, tan
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


def slot(travel: float, width: float) -> float:
    """Return the area of a slot with round ends, its middles `travel` apart."""
    return travel * width + disc(width)


def rounded(length: float, width: float, radius: float) -> float:
    """Return the area of a rectangle with round corners."""
    return length * width - (4 - pi) * radius**2


def corner(radius: float) -> float:
    """Return the area between a right angle and the arc that rounds it."""
    return (1 - pi / 4) * radius**2


def frustum(lower: float, upper: float, height: float) -> float:
    """Return the volume of a truncated cone between two diameters."""
    return pi / 12 * height * (lower**2 + lower * upper + upper**2)


def crossed(thin: float, thick: float) -> float:
    """Return what two cylinders of unlike diameters share whose axes cross at right angles."""
    small, large = thin / 2, thick / 2
    m = (small / large) ** 2  # the square of the modulus k
    halves = (large**2 + small**2) * ellipe(m) - (large**2 - small**2) * ellipk(m)
    return 8 / 3 * large * halves


def motor_plate(p: Numbers) -> float:
    area = rounded(p.length, p.width, p.cornerRadius) - disc(p.shaftDiameter)
    area -= 4 * slot(p.slotTravel, p.slotWidth) + 4 * disc(p.screwDiameter)
    area -= 2 * disc(p.dowelDiameter)
    pilot = disc(p.pilotDiameter) - disc(p.shaftDiameter)
    return area * p.thickness - pilot * p.pilotDepth


def sheet_angle(p: Numbers) -> float:
    profile = p.foot * p.sheet + (p.upright - p.sheet) * p.sheet
    profile += corner(p.bendRadius) - corner(p.bendRadius + p.sheet)
    cut = 2 * corner(p.cornerRadius) + p.cut**2 / 2 + 2 * disc(p.holeDiameter)
    cut += slot(p.slotTravel, p.slotWidth) + disc(p.windowDiameter)
    return profile * p.width - cut * p.sheet


def clamp(p: Numbers) -> float:
    body = p.footLength * p.footHeight + p.blockWidth * (p.height - p.footHeight)
    half, radius = p.slit / 2, p.boreDiameter / 2
    within = half * sqrt(radius**2 - half**2) + radius**2 * arcsin(half / radius)
    slit = p.slit * (p.height - p.axisHeight) - within  # what of it lies above the bore
    side = (p.blockWidth - p.slit) / 2
    screw = disc(p.headDiameter) * p.headDepth + disc(p.screwDiameter) * (side - p.headDepth)
    screw += disc(p.coreDiameter) * side
    foot = 2 * disc(p.footHoleDiameter) * p.footHeight
    return (body - disc(p.boreDiameter) - slit) * p.depth - screw - foot


def clevis(p: Numbers) -> float:
    nose = disc(p.height) / 2
    fork = (p.forkLength * p.height + nose) * p.width
    fork -= ((p.gapDepth - p.height / 2) * p.height + nose) * p.gap
    shank = disc(p.shankDiameter) * (p.shankLength - p.bevel)
    shank += frustum(p.shankDiameter - 2 * p.bevel, p.shankDiameter, p.bevel)
    bores = disc(p.pinDiameter) * (p.width - p.gap) + disc(p.coreDiameter) * p.coreDepth
    bores += (disc(p.spotDiameter) - disc(p.pinDiameter)) * p.spotDepth
    return fork + shank - bores


def cover(p: Numbers) -> float:
    plate = rounded(p.length, p.width, p.cornerRadius) * p.thickness
    spigot = rounded(p.spigotLength, p.spigotWidth, p.spigotRadius) * p.spigotHeight
    through = disc(p.sightDiameter) + disc(p.fillDiameter)
    deep = (p.sinkDiameter - p.screwDiameter) / 2  # 90°
    screw = disc(p.screwDiameter) * (p.thickness - deep)
    screw += frustum(p.screwDiameter, p.sinkDiameter, deep)
    return plate + spigot - through * (p.thickness + p.spigotHeight) - 6 * screw


def channel(p: Numbers) -> float:
    profile = p.width * p.web + p.wall * (p.tall - p.web) + p.wall * (p.short - p.web)
    profile += 2 * corner(p.innerRadius)
    arms = p.armCut**2 / 2 + disc(p.boreDiameter) + disc(p.pivotDiameter)
    screw = disc(p.screwDiameter) * (p.web - p.headDepth) + disc(p.headDiameter) * p.headDepth
    web = 2 * screw + slot(p.slotTravel, p.slotWidth) * p.web
    return profile * p.length - arms * p.wall - web


def slide(p: Numbers) -> float:
    guide = (p.guideWidth + p.guideDepth / tan(p.guideAngle * pi / 180)) * p.guideDepth
    tee = p.neckWidth * p.neckDepth + p.footWidth * (p.slotDepth - p.neckDepth)
    screw = disc(p.holeDiameter) * (p.height - p.headDepth) + disc(p.headDiameter) * p.headDepth
    block = p.length * p.width * p.height
    return block - guide * p.length - tee * p.width - 4 * screw


def manifold(p: Numbers) -> float:
    bore = disc(p.boreDiameter)
    shared = 8 / 3 * (p.boreDiameter / 2) ** 3  # half of what two equal cylinders share
    main = bore * p.mainDepth + (disc(p.inletDiameter) - bore) * p.inletDepth
    port = bore * (p.height - p.mainZ) + (disc(p.seatDiameter) - bore) * p.seatDepth - shared
    side = bore * p.mainY - shared
    screws = 2 * disc(p.screwDiameter) * p.height
    return p.length * p.width * p.height - main - 2 * port - side - screws


def pillow_block(p: Numbers) -> float:
    front = p.footLength * p.footHeight + p.housingDiameter * (p.axisHeight - p.footHeight)
    front += disc(p.housingDiameter) / 2 + 2 * corner(p.filletRadius)
    boss = disc(p.bossDiameter) * p.bossLength
    rise = p.oilHeight - p.axisHeight
    oil_boss = disc(p.oilBossDiameter) * rise - crossed(p.oilBossDiameter, p.housingDiameter) / 2
    bore = disc(p.seatDiameter) * p.seatDepth
    bore += (disc(p.grooveDiameter) - disc(p.seatDiameter)) * p.grooveWidth
    bore += disc(p.shaftDiameter) * (p.width + p.bossLength - p.seatDepth)
    oil = disc(p.oilDiameter) * rise - crossed(p.oilDiameter, p.seatDiameter) / 2
    slots = 2 * slot(p.slotTravel, p.slotWidth) * p.footHeight
    return front * p.width + boss + oil_boss - bore - oil - slots


def housing(p: Numbers) -> float:
    flange = rounded(p.flangeLength, p.flangeWidth, p.flangeRadius) - 4 * disc(p.flangeHole)
    body = rounded(p.length, p.width, p.outerRadius) * (p.height - p.flangeHeight)
    room = rounded(p.length - 2 * p.wall, p.width - 2 * p.wall, p.innerRadius)
    posts = 4 * (disc(p.postDiameter) * p.postHeight - disc(p.coreDiameter) * p.coreDepth)
    ribs = 2 * p.rib * p.ribLength * p.ribHeight
    boss = disc(p.bossDiameter) * p.bossHeight
    openings = disc(p.boreDiameter) * (p.bossHeight + p.wall) + disc(p.cableDiameter) * p.wall
    shell = flange * p.flangeHeight + body - room * (p.height - p.floorThickness)
    return shell + posts + ribs + boss - openings


VOLUMES: dict[str, Callable[[Numbers], float]] = {
    "slotted-motor-plate": motor_plate,
    "sheet-angle": sheet_angle,
    "clamp": clamp,
    "clevis": clevis,
    "countersunk-cover": cover,
    "channel-bracket": channel,
    "dovetail-slide": slide,
    "manifold": manifold,
    "pillow-block": pillow_block,
    "ribbed-housing": housing,
}

FEATURES = {
    "slotted-motor-plate": {"hole": 7, "slot": 4, "fillet": 4},
    "sheet-angle": {"hole": 3, "slot": 1, "fillet": 2, "chamfer": 1},
    "clamp": {"hole": 5},
    "clevis": {"hole": 2, "boss": 1, "slot": 1, "chamfer": 1},
    "countersunk-cover": {"hole": 8, "boss": 1, "fillet": 8},
    "channel-bracket": {"hole": 4, "slot": 2, "fillet": 2, "chamfer": 1},
    "dovetail-slide": {"hole": 4, "slot": 2},
    "manifold": {"hole": 6},
    "pillow-block": {"hole": 2, "boss": 2, "slot": 2, "groove": 1, "fillet": 2},
    "ribbed-housing": {"hole": 10, "boss": 8, "pocket": 1, "fillet": 8},
}
"""By kind."""


def written(case: str) -> dict[str, Any]:
    return tomllib.loads((CASES / case / "case.toml").read_text(encoding="utf-8"))


def frozen(case: str, name: str) -> Any:
    return json.loads((CASES / case / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", VOLUMES)
def test_the_reference_has_the_volume_of_its_formula(case: str, ruler: Ruler):
    numbers = written(case)["parameters"]
    truth = VOLUMES[case](SimpleNamespace(**numbers))
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


PLACES = {
    "slotted-motor-plate": {"motorPitch", "slotPitchX", "slotPitchY", "dowelX", "dowelY"},
    "sheet-angle": {"holeEdge", "holeX", "slotX", "windowY", "windowZ"},
    "clamp": {"screwHeight", "footPitch"},
    "clevis": set(),
    "countersunk-cover": {"pitchX", "pitchY", "sightX", "sightY", "fillX", "fillY"},
    "channel-bracket": {"boreX", "boreZ", "screwX", "screwPitch", "slotX"},
    "dovetail-slide": {"slotX", "holeX", "holePitch", "holeSpan"},
    "manifold": {"portX", "portPitch", "sideX", "screwX", "screwY"},
    "pillow-block": {"grooveStart", "slotPitch"},
    "ribbed-housing": {
        "flangePitchX",
        "flangePitchY",
        "ribPitch",
        "postX",
        "postY",
        "bossX",
        "bossZ",
        "cableY",
        "cableZ",
    },
}


@pytest.mark.parametrize("case", FEATURES)
def test_features_are_those_that_a_machinist_names(case: str):
    features = frozen(case, "features.json")["features"]
    assert Counter(feature["kind"] for feature in features) == FEATURES[case]
    assert not frozen(case, "features.json")["refused"]


@pytest.mark.parametrize("case", VOLUMES)
def test_the_reference_has_all_its_features_and_most_of_its_sheet(case: str):
    ceilings = frozen(case, "ceilings.json")
    assert ceilings["semantic_match"] == 1.0
    assert ceilings["asked"] == len(frozen(case, "dimensions.json"))
    assert ceilings["drawn"] >= 0.9 * ceilings["asked"]  # the threshold of drawingMatch can be met


@pytest.mark.parametrize("case", VOLUMES)
def test_tolerances_stand_on_the_sheet_and_hold_the_nominal(case: str):
    listed = frozen(case, "dimensions.json")
    for wanted in written(case).get("toleranced", ()):
        same = [d for d in listed if (d["type"], d["value"]) == (wanted["type"], wanted["value"])]
        assert same, wanted
        for dimension in same:
            assert wanted["suffix"] in dimension["label"]
            assert (dimension["upper"], dimension["lower"]) == (wanted["upper"], wanted["lower"])
        assert wanted["lower"] <= 0 <= wanted["upper"]


def test_no_two_are_alike():
    cases = [written(case) for case in VOLUMES]
    for key in ("title", "canary"):
        assert len({case[key] for case in cases}) == len(cases)
    assert len({case["sheet"]["number"] for case in cases}) == len(cases)
    assert {case["group"] for case in cases} == {"independent"}
    assert {case["difficulty"] for case in cases} == {1, 2, 3, 4, 5}


def test_crossed_cylinders_of_one_diameter_are_steinmetz():
    assert crossed(2 - 1e-9, 2) == pytest.approx(16 / 3, rel=1e-6)
