"""What each verdict means, on made-up measurements of a 10 mm cube."""

import pytest
from measurements import SHA, measurement, refused, solid

from gaugeblock.records.case import Round
from gaugeblock.records.conservation import Block, Conservation, Region
from gaugeblock.records.errors import WrongUse
from gaugeblock.records.measurement import FileFacts, Versions
from gaugeblock.records.overlap import Quantity
from gaugeblock.suites import Delivered, edit_region
from gaugeblock.suites.grading import BOUND_MM, CRITERIA, VOLUME_RELATIVE, grade

SIX = ("xmin", "ymin", "zmin", "xmax", "ymax", "zmax")


def asked(**truth):
    value = {
        "symbols": {"a": "10"},
        "volume": "a**3",
        "solids": "1",
        "faces": "6",
        "bounds": {name: "a" if name.endswith("max") else "0" for name in SIX},
        **truth,
    }
    readings = [{"name": "half", "means": "Half of it.", "volume": "a**3/2"}]
    return Round.build(
        {
            "id": "r",
            "growth": 1,
            "instruction": {},
            "parameters": {},
            "truth": {name: item for name, item in value.items() if item is not None},
            "readings": readings,
        },
        "r",
    )


def judged(measured, *, artifact=SHA, **truth):
    return grade(asked(**truth), Delivered(measured, artifact), ruler_fingerprint="f" * 64)


def check(result, name):
    return next(item for item in result.checks if item.name == name)


def test_a_right_delivery_passes():
    measured = measurement(solid())
    result = judged(measured)
    assert result.verdict == "passed"
    assert [item.name for item in result.checks] == [
        *("delivered", "valid", "volume", "solids", "faces", "bounds")
    ]
    assert {item.verdict for item in result.checks} == {"pass"}
    assert {item.finding for item in result.checks} == {""}
    assert result.artifact_sha256 == SHA
    assert result.measurement_sha256 == measured.content_sha256()
    volume = check(result, "volume")
    assert (volume.expected, volume.measured, volume.deviation) == (1000.0, 1000.0, 0.0)
    assert (volume.formula, volume.tolerance) == ("a**3; with a = 10", VOLUME_RELATIVE)
    bounds = check(result, "bounds")
    assert bounds.expected == bounds.measured == (0, 0, 0, 10, 10, 10)
    assert bounds.tolerance == BOUND_MM


def test_nothing_delivered_fails_delivered_alone():
    result = judged(None, artifact=None)
    assert (result.verdict, result.failed()) == ("failed", ("delivered",))
    assert [item.name for item in result.checks] == ["delivered"]
    assert result.measurement_sha256 is None
    assert "nothing was delivered" in result.notes[0]


@pytest.mark.parametrize(
    ("measured", "says"),
    [(None, "not read back"), (refused(), "could not measure the file: took longer than 120 s")],
)
def test_a_delivery_that_was_not_measured_is_no_verdict(measured, says):
    result = judged(measured)
    assert result.verdict == "could-not-grade"
    assert result.failed() == ()
    assert [item.verdict for item in result.checks] == ["pass"] + ["could-not-measure"] * 5
    assert all(says in item.finding for item in result.checks[1:])


def test_measurement_and_artifact_must_belong_together():
    with pytest.raises(WrongUse, match="measure that one"):
        judged(measurement(solid()), artifact="b" * 64)
    with pytest.raises(WrongUse, match="without an artifact"):
        judged(measurement(solid()), artifact=None)


@pytest.mark.parametrize("relative", [0, 0.99e-6, -0.99e-6])
def test_volumes_within_the_tolerance_pass(relative):
    assert judged(measurement(solid(volume=1000 * (1 + relative)))).verdict == "passed"


@pytest.mark.parametrize("relative", [1.01e-6, -1.01e-6, 1, -0.9])
def test_volumes_beyond_the_tolerance_fail(relative):
    result = judged(measurement(solid(volume=1000 * (1 + relative))))
    assert result.failed() == ("volume",)
    assert check(result, "volume").deviation == pytest.approx(relative)
    assert "instead of 1000 mm³" in check(result, "volume").finding


def test_a_volume_too_rough_for_the_tolerance_is_no_verdict():
    for off in (0, 0.004):
        result = judged(measurement(solid(volume=1000 + off, error=0.005)))
        assert result.verdict == "could-not-grade"
        assert "known only to ±0.005 mm³" in check(result, "volume").finding
    # beyond what the error can explain it is surely wrong
    assert judged(measurement(solid(volume=1001, error=0.005))).failed() == ("volume",)


def test_an_unknown_error_estimate_is_no_verdict():
    result = judged(measurement(solid(error=None)))
    assert result.verdict == "could-not-grade"


def test_one_solid_without_volume_leaves_the_volume_open():
    both = measurement(solid(volume=1000), solid(1, volume=None), occupied=1000.0)
    result = judged(both, solids="2", faces="12")
    assert result.verdict == "could-not-grade"
    assert check(result, "volume").finding == "solid 1: the two methods disagree"
    # a sure failure counts whatever else could not be measured
    assert judged(both, solids="1", faces="12").verdict == "failed"
    assert judged(both, solids="1", faces="12").failed() == ("solids",)


def test_overlapping_solids_are_judged_by_the_space_they_fill():
    pair = [solid(volume=600), solid(1, volume=400)]
    apart = judged(measurement(*pair, occupied=1000.0), solids="2", faces="12")
    assert apart.verdict == "passed" and apart.notes == ()
    over = judged(measurement(*pair, occupied=900.0), solids="2", faces="12")
    assert over.failed() == ("volume",)
    assert check(over, "volume").measured == 900.0
    assert "solids overlap" in check(over, "volume").finding
    assert "900.00" in over.notes[0] and "1000.00" in over.notes[0]
    unknown = judged(measurement(*pair), solids="2", faces="12")
    assert unknown.verdict == "passed" and "overlap not measured" in unknown.notes[0]


def test_validity():
    broken = judged(measurement(solid(valid=False)))
    assert broken.failed() == ("valid",)
    assert check(broken, "valid").finding == "solid 0: brepcheck open wire"
    assert judged(measurement(solid(valid=None))).verdict == "could-not-grade"
    empty = judged(measurement())
    assert empty.failed() == ("valid", "volume", "solids", "faces")
    assert check(empty, "valid").finding == "there is no solid"


def test_counts_are_exact_and_loose_faces_count():
    result = judged(measurement(solid(faces=7), solid(1, volume=0.0, faces=0)))
    assert result.failed() == ("solids", "faces")
    assert check(result, "faces").finding == "7 instead of 6"
    loose = judged(measurement(solid(faces=6), stray_faces=2, stray_edges=3))
    assert loose.failed() == ("faces",)
    assert check(loose, "faces").finding == "8 instead of 6, 2 of them outside any solid"
    assert loose.notes == ("3 edges that belong to no face; not judged",)


def test_bounds_name_the_components_that_are_off():
    off = [0, 0, -1e-3], [10, 10 + 0.9 * BOUND_MM, 12]
    result = judged(measurement(solid(bounds=off)))
    assert result.failed() == ("bounds",)
    finding = check(result, "bounds").finding
    assert finding == "zmin -0.001 instead of 0 (-0.001 mm); zmax 12 instead of 10 (+2 mm)"
    assert check(result, "bounds").deviation == 2


def test_bounds_that_the_truth_leaves_out_are_not_judged():
    result = judged(measurement(solid(bounds=([-4, 5, 5], [99, 6, 6]))), bounds={"xmin": "-4"})
    assert result.verdict == "passed"
    assert check(result, "bounds").measured == (-4.0,)
    assert "bounds" not in [item.name for item in judged(measurement(solid()), bounds={}).checks]


def test_bounds_that_are_not_known_are_no_verdict():
    measured = measurement(solid())
    totals = measured.totals.model_copy(update={"bounds": None})
    result = judged(measured.model_copy(update={"totals": totals}))
    assert result.verdict == "could-not-grade"


def test_names_are_a_set():
    pair = [solid(name="pin", volume=600), solid(1, name="bracket", volume=400)]
    two = {"solids": "2", "faces": "12", "names": ("bracket", "pin")}
    assert judged(measurement(*pair, occupied=1000.0), **two).verdict == "passed"
    renamed = [solid(name="pin", volume=600), solid(1, name=None, volume=400)]
    result = judged(measurement(*renamed, occupied=1000.0), **two)
    assert result.failed() == ("names",)
    assert check(result, "names").finding == "lost bracket; extra (unnamed)"
    assert check(result, "names").measured == ("(unnamed)", "pin")


def test_a_known_misreading_is_recognised():
    assert judged(measurement(solid(volume=500))).matched_reading == "half"
    assert judged(measurement(solid(volume=501))).matched_reading is None
    assert judged(measurement(solid())).matched_reading is None


@pytest.mark.parametrize(
    ("measured", "artifact", "verdict", "apart"),
    [
        (measurement(solid()), SHA, "passed", "pass"),
        (measurement(solid(volume=900, faces=5)), SHA, "failed", "pass"),
        (measurement(solid(valid=False)), SHA, "failed", "fail"),
        (measurement(solid(valid=None)), SHA, "could-not-grade", "could-not-measure"),
        (None, None, "failed", "fail"),
    ],
)
def test_the_weaker_criterion_is_told_apart(measured, artifact, verdict, apart):
    result = judged(measured, artifact=artifact, reported_apart=("valid", "solids", "bounds"))
    assert (result.verdict, result.apart) == (verdict, {"valid+solids+bounds": apart})


def test_no_truth_but_validity():
    nothing = {"volume": None, "solids": None, "faces": None, "bounds": {}}
    result = judged(measurement(solid(volume=3)), **nothing)
    assert [item.name for item in result.checks] == ["delivered", "valid"]


def test_a_grade_survives_its_json():
    result = judged(measurement(solid()))
    assert type(result).load(result.pretty(), "grade.json") == result


def test_criteria_for_the_plan():
    assert CRITERIA == {"volume_relative": 1e-6, "bound_mm": 1e-6, "changed_relative": 1e-6}


EDIT = {"boxes": [{"x": ["0", "1"], "y": ["0", "1"], "z": ["0", "a"]}]}


def compared(outside, error=1e-9, *, sha=SHA, region=None, **changes):
    known = outside is not None
    return Conservation(
        verdict="measured" if known else "could-not-measure",
        reason=None if known else "no boolean stands",
        start=FileFacts(name="start.step", sha256="b" * 64, bytes=1),
        delivery=FileFacts(name="part.step", sha256=sha, bytes=1),
        region=region or edit_region(edited()),
        outside=Quantity(value=outside, error_estimate=error if known else None),
        volume=Quantity(value=1000.0, error_estimate=1e-9),
        method="cells" if known else "none",
        versions=Versions(ocp=None, numpy=None),
        **changes,
    )


def edited():
    return Round.build({**asked().model_dump(mode="json"), "edit": EDIT}, "r")


def judged_edit(conservation, measured=None):
    return grade(
        edited(),
        Delivered(measured or measurement(solid()), SHA, conservation),
        ruler_fingerprint="f" * 64,
    )


@pytest.mark.parametrize(
    ("outside", "error", "verdict", "overall"),
    [
        (0.0, 1e-9, "pass", "passed"),
        (1e-3, 1e-9, "pass", "passed"),  # the tolerance itself: 1e-6 of 1000 mm³
        (1.001e-3, 1e-9, "fail", "failed"),
        (500.0, 20.0, "fail", "failed"),  # known roughly, surely too much
        (0.0, 2e-3, "could-not-measure", "could-not-grade"),
        (1.5e-3, 2e-3, "could-not-measure", "could-not-grade"),
        (None, None, "could-not-measure", "could-not-grade"),
    ],
)
def test_conserved(outside, error, verdict, overall):
    result = judged_edit(compared(outside, error))
    assert check(result, "conserved").verdict == verdict
    assert result.verdict == overall
    assert result.checks[-1].name == "conserved"
    assert result.conservation_sha256 == compared(outside, error).content_sha256()


def test_conserved_needs_a_comparison_of_this_region():
    assert check(judged_edit(None), "conserved").verdict == "could-not-measure"
    assert judged_edit(None).verdict == "could-not-grade"
    other = compared(0.0, region=Region(blocks=(Block(low=(0, 0, 0), high=(9, 9, 9)),)))
    assert check(judged_edit(other), "conserved").verdict == "could-not-measure"


def test_conserved_never_saves_a_failed_delivery():
    wrong = measurement(solid(volume=1001.0))
    for conservation in (None, compared(None), compared(0.0)):
        assert judged_edit(conservation, wrong).failed() == ("volume",)
        assert judged_edit(conservation, wrong).verdict == "failed"


def test_a_comparison_of_another_file_is_refused():
    with pytest.raises(WrongUse, match="the comparison is of file c"):
        judged_edit(compared(0.0, sha="c" * 64))


def test_rounds_that_make_something_are_not_compared():
    assert "conserved" not in [item.name for item in judged(measurement(solid())).checks]
