"""The seven anchoring cases: their references have the volume that their sheets' sizes give.

Formulas by hand from the parameters, mm³. The ring that a corner of section area A leaves about an
axis is 2π·r·A with r the distance of the area's centroid (Pappus).
"""

import json
import math
import tomllib
from pathlib import Path

import pytest
from scipy.integrate import quad

from gaugeblock.records.drawing_task import Ceilings
from gaugeblock.suites.drawings import rulebook

CASES = rulebook.FOLDER / "cases"
ANCHORING = {
    path.parent.name: content
    for path in sorted(CASES.glob("*/case.toml"))
    if (content := tomllib.loads(path.read_text(encoding="utf-8")))["group"] == "anchoring"
}
SPARED = 1 - math.pi / 4
"""What a quarter circle leaves of the square around it."""


def disc(diameter):
    return math.pi * diameter**2 / 4


def bevel(radius, c, *, bore=False):
    """A 45° chamfer of set-back c around a disc's rim, or around a bore's."""
    return math.pi * c**2 * (radius + c / 3 if bore else radius - c / 3)


def bearing_block(length, width, height, footHeight, bodyLength, bore, boreHeight, slotWidth,
                  slotDepth, shoulder, root, bevelLeg):  # fmt: skip
    del boreHeight
    outline = length * footHeight + bodyLength * (height - footHeight)
    outline += 2 * SPARED * (root**2 - shoulder**2)
    slot = slotDepth * slotWidth + disc(slotWidth) / 2
    drilled = disc(bore) * width + 2 * bevel(bore / 2, bevelLeg, bore=True)
    return outline * width - drilled - 2 * slot * footHeight


def hole_plate(length, width, thickness, corner, columns, rows, holeDiameter, dowel, chamferSize,
               **places):  # fmt: skip
    outline = length * width - 4 * SPARED * corner**2 - 2 * disc(dowel)
    outline -= columns * rows * disc(holeDiameter)
    straight = 2 * (length + width - 4 * corner)
    bevelled = straight * chamferSize**2 / 2 + bevel(corner, chamferSize)
    return outline * thickness - bevelled


def flange_hub(flangeDiameter, flangeThickness, hubDiameter, hubLength, bore, recessDiameter,
               recessDepth, pilotDiameter, pilotHeight, boltCount, boltDiameter, hubFillet,
               bevelLeg, **places):  # fmt: skip
    solid = disc(pilotDiameter) * pilotHeight + disc(flangeDiameter) * flangeThickness
    solid += disc(hubDiameter) * hubLength
    whole = pilotHeight + flangeThickness + hubLength
    solid -= disc(bore) * (whole - recessDepth) + disc(recessDiameter) * recessDepth
    # The fillet's section is the square of its radius less a quarter circle about the far corner.
    moment = hubFillet**3 * (5 / 6 - math.pi / 4)
    solid += 2 * math.pi * (hubDiameter / 2 * SPARED * hubFillet**2 + moment)
    solid -= 2 * bevel(flangeDiameter / 2, bevelLeg) + bevel(hubDiameter / 2, bevelLeg)
    return solid - boltCount * disc(boltDiameter) * flangeThickness


def angle_bracket(length, width, height, thickness, gusset, gussetThickness, corner, slotLength,
                  slotWidth, holeDiameter, **places):  # fmt: skip
    foot = length * width - 2 * SPARED * corner**2
    foot -= 2 * ((slotLength - slotWidth) * slotWidth + disc(slotWidth))
    wall = width * (height - thickness) - 2 * disc(holeDiameter)
    return (foot + wall) * thickness + gusset**2 / 2 * gussetThickness


def stepped_shaft(seat, keySeat, collar, journal, seatLength, keySeatLength, collarLength,
                  journalLength, grooveWidth, grooveDiameter, keyWidth, keyLength, keyDepth,
                  bevelLeg, **places):  # fmt: skip
    steps = ((seat, seatLength), (keySeat, keySeatLength), (collar, collarLength))
    solid = sum(disc(d) * long for d, long in (*steps, (journal, journalLength)))
    solid -= (disc(journal) - disc(grooveDiameter)) * grooveWidth
    solid -= bevel(seat / 2, bevelLeg) + bevel(journal / 2, bevelLeg)
    half, floor = keyWidth / 2, keySeat / 2 - keyDepth
    straight = keyLength - keyWidth

    def strip(y):
        return (math.sqrt(keySeat**2 / 4 - y**2) - floor) * (
            straight + 2 * math.sqrt(half**2 - y**2)
        )

    return solid - quad(strip, -half, half, epsabs=1e-9)[0]


def counterbored_cover(length, width, thickness, corner, centring, centringHeight, bore,
                       sealDiameter, sealDepth, holeDiameter, sinkDiameter, sinkDepth, bevelLeg,
                       **places):  # fmt: skip
    solid = (length * width - 4 * SPARED * corner**2) * thickness
    solid += disc(centring) * centringHeight - bevel(centring / 2, bevelLeg)
    solid -= disc(bore) * (thickness + centringHeight - sealDepth) + disc(sealDiameter) * sealDepth
    hole = disc(holeDiameter) * (thickness - sinkDepth) + disc(sinkDiameter) * sinkDepth
    return solid - 4 * hole


def tapped_plate(length, width, thickness, major, threadPitch, holeDiameter, sinkDiameter,
                 sinkDepth, bevelLeg, **places):  # fmt: skip
    solid = (length * width - bevelLeg**2 / 2) * thickness
    solid -= disc(holeDiameter) * (thickness - sinkDepth) + disc(sinkDiameter) * sinkDepth
    # ISO 68-1: a ridge 3/4 of a pitch wide at the minor diameter, 1/8 at the major one.
    outer, p = major / 2, threadPitch
    inner = outer - 5 / 8 * math.sqrt(3) / 2 * p

    def ring(r):
        wide = 3 / 4 * p + (r - inner) / (outer - inner) * (1 / 8 - 3 / 4) * p
        return 2 * math.pi * r * wide / p

    return solid - (disc(2 * inner) + quad(ring, inner, outer)[0]) * thickness


FORMULAS = {
    "bearing-block": bearing_block,
    "hole-plate": hole_plate,
    "flange-hub": flange_hub,
    "angle-bracket": angle_bracket,
    "stepped-shaft": stepped_shaft,
    "counterbored-cover": counterbored_cover,
    "tapped-plate": tapped_plate,
}


def test_there_are_seven():
    assert set(ANCHORING) == set(FORMULAS)


@pytest.mark.parametrize("name", FORMULAS)
def test_the_reference_has_the_volume_of_the_formula(name, ruler):
    found = ruler.measure(CASES / name / "reference.step").totals
    # A thread swept by the kernel follows its helix to some 1e-6 of the part.
    relative = 1e-5 if name == "tapped-plate" else 1e-6
    assert found.volume == pytest.approx(
        FORMULAS[name](**ANCHORING[name]["parameters"]), rel=relative
    )
    assert found.valid and found.solids == 1


def test_the_bearing_block_is_the_example_of_the_source():
    """17 dimensions, 14 measurable; the other three place axes: a bore's two, a slot end's one."""
    folder: Path = CASES / "bearing-block"
    ceilings = Ceilings.load((folder / "ceilings.json").read_bytes(), "ceilings.json")
    assert (ceilings.measurable, ceilings.asked) == (14, 17)
    assert ceilings.drawn == 17 and ceilings.semantic_match == 1


@pytest.mark.parametrize("name", FORMULAS)
def test_a_printed_tolerance_is_in_the_list(name):
    entries = json.loads((CASES / name / "dimensions.json").read_text(encoding="utf-8"))
    toleranced = {(t["type"], t["value"]): t for t in ANCHORING[name].get("toleranced", [])}
    own = {(e["type"], e["value"]): e for e in entries if "upper" in e}
    assert set(own) == set(toleranced)
    for key, entry in own.items():
        assert (entry["upper"], entry["lower"]) == (
            toleranced[key]["upper"],
            toleranced[key]["lower"],
        )
        assert toleranced[key]["suffix"] in entry["label"]
