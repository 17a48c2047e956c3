"""Cases of suite drawings: a small part proven whole; and that a proof can fail."""

import json
from collections import Counter
from dataclasses import replace

import pytest

from gaugeblock.calibration.measuring import Bench
from gaugeblock.calibration.mutation.places import Winding
from gaugeblock.calibration.proving import Options
from gaugeblock.calibration.proving_drawings import Proving, prove_drawing
from gaugeblock.calibration.sheet_mutants import changes, judged
from gaugeblock.calibration.targets import SheetTarget, find_targets
from gaugeblock.calibration.thread_mutants import again, faults, of_threads, place_of
from gaugeblock.calibration.workshop import Made
from gaugeblock.records.errors import WrongUse
from gaugeblock.records.spectrum import SheetDimension
from gaugeblock.ruler.spectrum.chance import random_hits

CANARY = "gaugeblock-canary-00000000-0000-4000-8000-000000000000"
NOTES = f"# notes\n# {CANARY}\n\n"

PLATE = """plate = Box(width, depth, height, align=Align.MIN)
plate -= Pos(12, 10, 0) * Cylinder(bore / 2, 3 * height)
result = {"plate": plate}
"""
SIZES = {"width": 40, "depth": 30, "height": 8, "bore": 9}
"""A plate with one hole off its middle."""

TAPPED = """outer, pitch = 4.0, 1.25
inner = outer - 5 / 16 * math.sqrt(3) * pitch
half, crest, sunk = 0.375 * pitch + 0.05 * math.tan(math.radians(30)), pitch / 16, inner - 0.05
section = Polyline((sunk, -half), (outer, -crest), (outer, crest), (sunk, half), close=True)
path = Helix(pitch=pitch, height=height + 4 * pitch, radius=inner)
rod = Pos(0, 0, -pitch) * sweep(Plane.XZ * make_face(section), path=path, is_frenet=True)
rod += Pos(0, 0, -2 * pitch) * Cylinder(
    inner, height + 6 * pitch, align=(Align.CENTER, Align.CENTER, Align.MIN)
)
result = {"nut": Box(16, 14, height, align=(Align.CENTER, Align.CENTER, Align.MIN)) - rod}
"""


def length(value, label=None, kind="length"):
    return {"label": label or f"{value:g}", "type": kind, "value": value}


PRINTED = [length(40), length(30), length(8), length(9, "⌀9", "diameter"), length(12)]
"""The last is where the hole's axis lies: nothing of the body measures so, its drawing does."""


def toml(name, parameters, threads=""):
    values = "\n".join(f"{key} = {value}" for key, value in parameters.items())
    return (
        f'id = "{name}"\ntitle = "{name}"\ngroup = "own"\nclass = "plate"\ndifficulty = 1\n'
        f'canary = "{CANARY}"\n[parameters]\n{values}\n'
        f'[sheet]\nnumber = "GB-1"\nmaterial = "S235JR"\n{threads}'
    )


@pytest.fixture
def make(workshop, ruler, tmp_path_factory):
    """Write a case folder and return its target; `frozen`: another program made the STEP."""

    def made(
        program=PLATE, sizes=SIZES, printed=PRINTED, *, frozen=None, threads="", **ceilings
    ) -> SheetTarget:
        folder = tmp_path_factory.mktemp("case") / "small"
        (folder / "sheet").mkdir(parents=True)
        (folder / "case.toml").write_text(toml("small", sizes, threads))
        (folder / "program.py").write_text(NOTES + program)
        step = folder / "reference.step"
        step.write_bytes(workshop.build(frozen or program, dict(sizes)))
        chance = random_hits(ruler.spectrum(step))
        rates = chance.model_dump(include={"length", "diameter", "radius", "angle"})
        right = {"measurable": 4, "measurable_extended": 4, "drawn": 5, "semantic_match": 1.0}
        told = {"asked": len(printed), **right, "chance": rates, **ceilings}
        (folder / "ceilings.json").write_text(json.dumps(told))
        (folder / "dimensions.json").write_text(json.dumps(printed))
        (folder / "sheet" / "drawing.png").write_bytes(b"not looked at here")
        (target,) = find_targets([str(folder)])
        assert isinstance(target, SheetTarget)
        return target

    return made


@pytest.fixture
def steps(bench, options):
    """Open the steps of a proof; of each the controls by name are returned."""

    def opened(target):
        return Proving(bench, target, options)

    return opened


def controls(proving):
    return {control.name: control for control in proving.proof.controls}


def test_a_plate_proven_whole(workshop, ruler, make):
    with Bench(workshop, ruler, 60) as bench:
        found = prove_drawing(bench, make(), Options("none", None, 60, most=1))
    assert [c for c in found.controls if not c.ok] == []
    assert found.state == "incomplete"  # the second kernel was not asked
    assert [r for r in found.reasons if "second kernel" not in r] == []
    kinds = Counter(mutant.kind for mutant in found.mutants)
    # One hole in three ways, one plane, one edge, one of each whole; no boss, no thread.
    assert kinds["hole-moved"] == kinds["hole-resized"] == kinds["hole-dropped"] == 1
    assert kinds["plane-moved"] == kinds["fillet-added"] == kinds["hole-added"] == 1
    assert kinds["round-resized"] == kinds["thread-hand"] == 0
    assert (kinds["scaled"], kinds["stretched"], kinds["mirrored"]) == (4, 3, 3)
    assert kinds["parameter"] == 4
    assert found.counts()["survivor"] == found.counts()["unmeasured"] == 0
    outcome = {mutant.name: mutant for mutant in found.mutants}
    # 4 of the 5 printed sizes are parameters; each is off by 1.5 times what ISO 2768-m allows.
    assert found.sheet.sizes_off == 4
    # Nothing else of the plate measures 40: 3 of 5 is below 0.95 and below the ceiling of 4.
    wide = next(m for m in found.mutants if m.name.startswith("parameter width"))
    assert wide.name == "parameter width 40 → 40.45 (on the sheet: 40)"
    assert (wide.outcome, wide.failed) == ("killed", ("dimensionRecall",))
    assert "40 (" in wide.finding
    # A hole 0.5 mm aside is another hole, though every size is there.
    moved = next(m for m in found.mutants if m.kind == "hole-moved")
    assert moved.outcome == "killed"
    assert {move.figure for move in moved.moved} == {"semanticMatch", "shapeIoU", "drawingMatch"}
    # A plane 0.1 mm out is within ISO 2768-m: no size is lost, and yet it is another shape.
    plane = next(m for m in found.mutants if m.kind == "plane-moved")
    figures = {move.figure for move in plane.moved}
    assert "shapeIoU" in figures
    assert "dimensionRecall" not in figures
    # Turned over, the plate is its own mirror image.
    mirror = "turned, the part is its own mirror image"
    assert outcome["mirrored along X"].reason == mirror
    assert outcome["names lost"].reason == "no sheet asks for a solid's name"
    assert outcome["every body turned inside out"].outcome == "not-applicable"
    assert found.sheet.figures == {
        "dimensionRecall": 0.8,
        "semanticMatch": 1.0,
        "shapeIoU": 1.0,
        "drawingMatch": 1.0,
    }


def test_a_ceiling_that_lies(make, steps):
    proving = steps(make(measurable=5))
    proving.reference()
    found = controls(proving)
    lie = found["the ceilings measured again are the frozen ones"]
    assert lie.ok is False
    assert lie.finding == "measurable 4 instead of the frozen 5"
    assert found["the reference reaches its ceilings, reachable and exact"].ok is False


def test_a_rate_that_lies(make, steps):
    chance = {"length": 0.25, "diameter": 0.25, "radius": 0.25, "angle": 0.25}
    proving = steps(make(chance=chance))
    proving.reference()
    lie = controls(proving)["the ceilings measured again are the frozen ones"]
    assert lie.ok is False
    assert lie.finding.count("instead of the frozen 0.25") == 4


@pytest.mark.parametrize(
    "program",
    [
        PLATE.replace("Pos(12, 10, 0)", "Pos(12.01, 10, 0)"),
        PLATE.replace("3 * height)", "height)"),  # no longer through
        "result = {}",
    ],
)
def test_a_program_that_makes_another_part(make, steps, program):
    proving = steps(make(program, frozen=PLATE))
    ours = proving.reference()
    proving.program(proving.document(), ours)
    found = controls(proving)["the program builds what is frozen"]
    assert found.ok is False
    assert found.finding


def test_the_program_of_the_frozen_part(make, steps):
    proving = steps(make())
    ours = proving.reference()
    proving.program(proving.document(), ours)
    assert [c for c in proving.proof.controls if not c.ok] == []


def test_a_feature_that_the_ruler_does_not_recognise(make, steps):
    dented = PLATE.replace("result", "plate -= Pos(28, 20, height) * Sphere(4)\nresult")
    proving = steps(make(dented))
    ours = proving.reference()
    found = controls(proving)
    name = "every face of the reference that looks like a feature is recognised"
    assert found[name].ok is False
    assert "dimple" in found[name].finding
    assert ours.ceilings is None
    # What could not be graded is no pass, and no failure of the reference either.
    assert found["the reference reaches its ceilings, reachable and exact"].ok is None


@pytest.fixture
def subject(make, steps):
    """A plate's reference, for mutants one by one."""

    def opened(target):
        proving = steps(target)
        ours = proving.reference()
        return proving.subject(ours), ours

    return opened


def mutant(bench, subject, program, parameters=SIZES):
    data = bench.workshop.build(program, dict(parameters))
    differs = bench.workshop.differs(subject.survey.reference, data)
    return Made("by hand", "parameter", data, differs, "")


def test_a_mutant_that_is_the_reference_is_none(bench, make, subject):
    plate, _ = subject(make())
    found = judged(plate, mutant(bench, plate, PLATE)).result
    assert found.outcome == "not-applicable"


def test_a_size_that_nothing_names_kills_nothing(bench, make, subject):
    """The hole is missing, and what was to be off is another size: an accident names no fault."""
    plate, _ = subject(make())
    wrong = mutant(bench, plate, PLATE, {**SIZES, "bore": 9.9})
    assert judged(plate, wrong, off=9).result.outcome == "killed"
    by_accident = judged(plate, wrong, off=40).result
    assert by_accident.outcome == "tolerated"
    assert by_accident.finding.startswith("it fails, and nothing names the fault")


@pytest.fixture
def nut(make, subject):
    threads = '[[threads]]\ndesignation = "M8x1.25"\ninternal = true\n'
    sizes = [length(16), length(14), length(8)]
    reached = {"measurable": 3, "measurable_extended": 3, "drawn": 3}
    return subject(make(TAPPED, {"height": 8}, sizes, threads=threads, **reached))


def test_a_thread_wound_again_and_made_wrong(bench, nut):
    part, ours = nut
    (thread,) = (feature for feature in ours.features.features if feature.kind == "thread")
    assert again(part, thread).ok is True
    every = {fault.kind: fault for fault in faults(thread)}
    right = Winding(8.0, 1.25, 1, False)
    assert {kind: fault.winding for kind, fault in every.items()} == {
        "thread-hand": replace(right, left=True),
        "thread-pitch": replace(right, pitch=1.3),
        "thread-starts": replace(right, starts=2),
        "thread-size": replace(right, major=6.75),
        "thread-cosmetic": replace(right, plain=thread.minor),
        "thread-aside": replace(right, aside=pytest.approx(0.3)),
    }
    place = place_of(thread)
    assert place.start == pytest.approx((0, 0, 0), abs=1e-6) or place.start[2] == pytest.approx(8)
    for kind, word in (("thread-hand", "is left-handed"), ("thread-cosmetic", "threadMatch 0")):
        made = bench.workshop.rewind(
            part.survey.reference, kind, kind, 0, place, every[kind].winding
        )
        found = judged(part, made, must_say=every[kind].says).result
        assert found.outcome == "killed", found
        assert "threadMatch" in found.failed
        assert word in found.finding


@pytest.mark.long
def test_every_thread_made_wrong(nut):
    part, ours = nut
    found, controls, left_out = of_threads(part, ours.features)
    assert [(control.ok, control.finding) for control in controls] == [(True, "")]
    assert (len(found), left_out) == (6, 0)
    for item in found:
        assert item.result.outcome == "killed", item.result
        assert "threadMatch" in item.result.failed, item.result


def test_what_a_parameter_puts_off():
    sheet = [
        SheetDimension(label="4× ⌀6", type="diameter", value=6, count=4),  # ± 0.1
        SheetDimension(label="40", type="length", value=40),  # ± 0.3
        SheetDimension(label="20 h7", type="length", value=20, upper=0, lower=-0.021),
    ]
    found = changes({"bore": 6, "holes": 4, "long": 40, "fit": 20, "deep": 7, "at": 0}, sheet)
    new = {
        change.name: (round(change.new, 9), change.size and change.size.label) for change in found
    }
    assert new == {
        "bore": (6.15, "4× ⌀6"),
        "holes": (5, None),
        "long": (40.45, "40"),
        "fit": (20.0315, "20 h7"),
        "deep": (7.07, None),
    }


def test_a_folder_that_is_no_case(tmp_path):
    with pytest.raises(WrongUse, match=r"no case\.toml here"):
        find_targets([str(tmp_path)])


def test_both_tracks_are_one_part(make):
    target = make()
    suite = target.suite
    assert [case.id for case in suite.cases()] == ["small.raster"]
    assert target.name == "own/small"
    assert target.other_reference() is None
    assert target.has_program()
    assert target.reference() == suite.reference(target.case)
