"""The eight rows by hand: where each is won, where lost, where nobody knows."""

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from machines import BOXES, delivered, document, graded, reopening, solids, without
from measurements import SHA, refused, solid

from gaugeblock.records.errors import WrongUse
from gaugeblock.suites import Delivered
from gaugeblock.suites.assembly.document import Unreadable, read_objects

FULL = {
    "editable": 5,
    "closed": 15,
    "labels": 10,
    "housing": 10,
    "envelope": 5,
    "group-head": 5,
    "details": 5,
    "reopens": 5,
}


def boxes(**changed):
    """The machine's boxes with some changed; None: left out."""
    by_label = {label.replace("_", " "): box for label, box in changed.items()}
    merged = {**BOXES, **by_label}
    return {label: box for label, box in merged.items() if box is not None}


def lost(what):
    """The rows that a delivery loses, its score as a pair; it must be possible to grade it."""
    grade = graded(what)
    assert grade.verdict == ("failed" if grade.failed() else "passed")
    points = sum(FULL.get(name, 0) for name in grade.failed())
    assert (grade.score.points, grade.score.out_of) == (60 - points, 60)
    return set(grade.failed())


def unknown(what):
    """The rows that could not be measured; then nobody may read a score."""
    grade = graded(what)
    assert grade.verdict == "could-not-grade" and grade.score is None
    assert any(note.startswith("no score: ") for note in grade.notes)
    found = {check.name for check in grade.checks if check.verdict == "could-not-measure"}
    assert all(check.finding for check in grade.checks if check.name in found)
    return found


def test_the_table_has_sixty_points():
    grade = graded(delivered())
    assert grade.verdict == "passed" and grade.notes == ()
    assert {check.name: check.points for check in grade.checks[1:]} == FULL
    assert grade.checks[0].name == "delivered" and grade.checks[0].points is None
    assert (grade.score.points, grade.score.out_of) == (60, 60)


def test_nothing_delivered():
    grade = graded(Delivered())
    assert grade.failed() == ("delivered",) and len(grade.checks) == 1
    assert (grade.score.points, grade.score.out_of) == (0, 60)


HOUSING = BOXES["housing"]


@pytest.mark.parametrize(
    ("box", "rows"),
    [
        (([-147, 0, 20], [147, 200, 340]), set()),  # 5 % wider, on the limit
        (([-147.1, 0, 20], [147.1, 200, 340]), {"housing"}),
        (([-133, 0, 20], [133, 200, 340]), set()),
        (([-132.9, 0, 20], [132.9, 200, 340]), {"housing"}),
        (([-140, 0, 20], [140, 210, 340]), set()),
        (([-140, 0, 20], [140, 210.1, 340]), {"housing"}),
        (([-140, 0, 20], [140, 200, 356]), set()),
        (([-140, 0, 20], [140, 200, 356.1]), {"housing"}),
        (([-140, 0, 21], [140, 200, 340]), set()),  # 1 mm too high, on the limit
        (([-140, 0, 21.01], [140, 200, 341]), {"housing"}),
        (([-140, 0, 18.99], [140, 200, 339]), {"housing"}),
        (([-100, 0, 20], [180, 200, 340]), {"envelope"}),  # where it stands is not asked
        (([0, 0, 20], [200, 280, 340]), {"housing", "envelope"}),  # turned
    ],
)
def test_housing(box, rows):
    assert lost(delivered(solids(boxes(housing=box)))) == rows


@pytest.mark.parametrize(
    ("label", "box", "rows"),
    [
        ("water tank", ([-110, 200, 40], [110, 255, 300]), set()),
        ("water tank", ([-110, 200, 40], [110, 255.001, 300]), {"envelope"}),
        ("handle", ([-13, -225, 189], [13, -104, 215]), set()),
        ("handle", ([-13, -225.0000001, 189], [13, -104, 215]), set()),  # the ruler's own 1e-7
        ("handle", ([-13, -225.01, 189], [13, -104, 215]), {"envelope"}),
        ("steam wand", ([112, -20, 90], [150.01, 0, 270]), {"envelope"}),
        ("pressure gauge", ([-150.01, -12, 262], [-57, 0, 318]), {"envelope"}),
        ("cup warmer", ([-130, 10, 340], [130, 190, 370]), set()),
        ("cup warmer", ([-130, 10, 340], [130, 190, 370.01]), {"envelope"}),
        ("base", ([-140, -150, 0.5], [140, 200, 20]), set()),
        ("base", ([-140, -150, 0.51], [140, 200, 20]), {"envelope"}),
        ("base", ([-140, -150, -0.5], [140, 200, 20]), set()),
        ("base", ([-140, -150, -0.51], [140, 200, 20]), {"envelope"}),
    ],
)
def test_envelope_and_ground(label, box, rows):
    assert lost(delivered(solids({**BOXES, label: box}))) == rows


@pytest.mark.parametrize(
    ("box", "rows"),
    [
        (([-35, -110, 50], [35, 0, 100]), set()),  # on the tray: not below its top
        (([-35, -110, 49.99], [35, 0, 100]), {"group-head"}),
        (([109, -110, 220], [140, 0, 270]), set()),  # over by 1 mm
        (([110, -110, 220], [140, 0, 270]), {"group-head"}),  # beside, touching in plan
        (([-35, 0, 220], [35, 60, 270]), {"group-head"}),  # behind
        (([-35, -190, 220], [35, -149, 270]), set()),
    ],
)
def test_group_head(box, rows):
    assert lost(delivered(solids(boxes(group_head=box)))) == rows


@pytest.mark.parametrize(
    ("gone", "rows"),
    [
        ("cup warmer", {"labels"}),
        ("housing", {"labels", "housing"}),
        ("drip tray", {"labels", "group-head"}),
        ("group head", {"labels", "group-head"}),
        ("grate bar 3", {"details"}),
        ("brew control", {"details"}),
        ("steam control", {"details"}),
    ],
)
def test_a_part_left_out(gone, rows):
    kept = {label: box for label, box in BOXES.items() if label != gone}
    assert lost(delivered(solids(kept))) == rows


def test_volume_above_one():
    assert lost(delivered(solids(handle={"volume": 1.0}))) == {"closed"}
    assert lost(delivered(solids(handle={"volume": 1.001}))) == set()
    assert lost(delivered(solids(handle={"volume": -5.0}))) == {"closed"}
    assert unknown(delivered(solids(handle={"volume": 1.5, "error": 0.6}))) == {"closed"}
    assert lost(delivered(solids(handle={"volume": 5.0, "error": 0.6}))) == set()


def test_not_closed():
    assert lost(delivered(solids(handle={"valid": False}))) == {"closed"}
    assert lost(delivered(stray_faces=1)) == {"closed"}
    assert unknown(delivered(solids(handle={"volume": None}))) == {"closed"}


def test_one_fault_is_sure_though_another_part_is_unknown():
    what = delivered(solids(handle={"valid": False}, base={"volume": None}))
    assert lost(what) == {"closed"}


def test_no_solid_is_a_failure_and_no_riddle():
    what = delivered([], document(()))
    assert lost(what) == set(FULL) - {"reopens"}


def test_bounds_unknown():
    seen = delivered().measurement
    nowhere = [item.model_copy(update={"bounds": None}) for item in seen.solids]
    totals = seen.totals.model_copy(update={"bounds": None})
    blind = seen.model_copy(update={"solids": nowhere, "totals": totals})
    assert unknown(without(delivered(), measurement=blind)) == {"housing", "envelope", "group-head"}


def test_a_file_that_could_not_be_measured():
    what = without(delivered(), measurement=refused())
    assert unknown(what) == set(FULL) - {"editable", "reopens"}
    assert unknown(without(delivered(), measurement=None)) == set(FULL) - {"editable", "reopens"}


def test_ten_visible_objects():
    names = tuple(BOXES)
    nine = document(names, hidden=names[9:])
    ten = document(names, hidden=names[10:])
    made = solids()
    assert "editable" in graded(delivered(made[:9], nine)).failed()
    assert "editable" not in graded(delivered(made[:10], ten)).failed()


def test_baked_objects():
    assert lost(delivered(data=document(features=[]))) == {"editable"}
    imported = [{"kind": "import", "file": "machine.step"}] * len(BOXES)
    assert lost(delivered(data=document(features=imported))) == {"editable"}
    steps = [{"kind": "step", "tool": "import_step", "arguments": {"file": "a"}}] * len(BOXES)
    assert lost(delivered(data=document(features=steps))) == {"editable"}


def test_objects_of_a_program_are_editable_while_there_is_a_program():
    shown = [{"name": name, "visible": True, "solids": 1} for name in BOXES]
    program = [{"kind": "program", "source": "result = Box(1, 1, 1)"}]
    assert lost(delivered(data=document(features=program, objects=shown))) == set()
    for none in ([], [{"kind": "program", "source": " "}]):
        assert lost(delivered(data=document(features=none, objects=shown))) == {"editable"}


def test_a_document_that_is_not_of_this_step():
    """Other solids than the document's visible objects have: nobody knows which were seen."""
    assert unknown(delivered(data=document(tuple(BOXES)[:12]))) == {"closed"}


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff\xfe",
        b'{"format": "gaugeblock-document/9", "features": [], "objects": []}',
        b'{"format": "gaugeblock-document/2", "features": {}, "objects": []}',
        b'{"format": "gaugeblock-document/2", "features": [], "objects": [1]}',
        b'{"format": "gaugeblock-document/2", "features": [], "objects": [{"name": 1}]}',
        b"[" * 100_000,
        b" " * ((4 << 20) + 1),
    ],
)
def test_a_document_that_cannot_be_read(data):
    with pytest.raises(Unreadable):
        read_objects(data)
    assert {"editable"} <= unknown(delivered(data=data))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["id", "name", "kind", "tool", "source"]), inner, max_size=3
        )
    ),
    max_leaves=12,
)


@given(JSON, JSON)
def test_any_document_is_read_or_refused(features, objects):
    content = {"format": "gaugeblock-document/2", "features": features, "objects": objects}
    with contextlib.suppress(Unreadable):
        read_objects(json.dumps(content).encode())


@pytest.mark.parametrize(
    "identity", ["o0", "o18", "o1x", "o01", "program:base", "", 1, True, [], {}, "o" + "9" * 50]
)
def test_an_id_that_no_step_has(identity):
    shown = [{"id": identity, "name": "base", "visible": True, "solids": 1}]
    (found,) = read_objects(document(objects=shown))
    assert not found.editable


def test_reopening():
    data = document()
    for changed in ({"same_document": False}, {"same_step": False}):
        assert lost(without(delivered(), reopening=reopening(data, **changed))) == {"reopens"}
    dead = reopening(data, same_document=None, same_step=None)
    assert unknown(without(delivered(), reopening=dead)) == {"reopens"}
    half = reopening(data, same_document=None, same_step=False)
    assert lost(without(delivered(), reopening=half)) == {"reopens"}
    assert unknown(without(delivered(), reopening=None)) == {"reopens"}


def test_a_world_without_documents():
    alone = Delivered(delivered().measurement, SHA, lacks=frozenset({"document", "reopening"}))
    grade = graded(alone)
    assert grade.verdict == "passed"
    assert (grade.score.points, grade.score.out_of) == (50, 50)
    apart = {check.name for check in grade.checks if check.verdict == "not-applicable"}
    assert apart == {"editable", "reopens"}


def test_a_world_that_reopens_nothing_scores_of_55():
    what = without(delivered(), reopening=None, lacks=frozenset({"reopening"}))
    grade = graded(what)
    assert (grade.score.points, grade.score.out_of) == (55, 55)
    wrong = without(
        delivered(solids(boxes(cup_warmer=None))), reopening=None, lacks=frozenset({"reopening"})
    )
    assert (graded(wrong).score.points, graded(wrong).score.out_of) == (45, 55)


def test_records_of_other_files_are_refused():
    with pytest.raises(WrongUse, match="measurement is of file"):
        graded(without(delivered(), artifact_sha256="b" * 64))
    with pytest.raises(WrongUse, match="reopening is of other files"):
        graded(without(delivered(), document=b"{}"))


@given(st.permutations(solids()), st.permutations(tuple(BOXES)))
def test_order_of_solids_and_objects_does_not_matter(made, names):
    assert lost(delivered(made, document(tuple(names)))) == set()


@given(st.integers(0, 59), st.sampled_from([-1, 1]))
def test_further_parts_change_nothing(place, side):
    more = solid(
        17, name=f"screw {place}", bounds=([side * place, 50, 60], [side * place + 5, 55, 66])
    )
    assert lost(delivered([*solids(), more])) == set()
