"""Documents of object tools on disk: the same bytes and the same geometry again, everywhere."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from gaugeblock.host.diagnostics import HostFault, PlanRejected
from gaugeblock.host.document import DocumentState, read_document
from gaugeblock.records.errors import WrongUse
from gaugeblock.ruler.client import Ruler

from .conftest import Desk, MakeDesk


def machine(desk: Desk) -> None:
    """A handful of objects of every kind."""
    desk.do("box", name="housing", size=[280, 200, 320], at=[-140, 0, 20])
    desk.do("shell", object="housing", thickness=3, open={"side": "bottom"})
    desk.do("fillet", object="housing", radius=8, edges={"parallel": "Z", "corner": "convex"})
    desk.do("box", name="grate bar 1", size=[200, 10, 6], at=[-100, -130, 50])
    desk.do("linear_pattern", object="grate bar 1", count=5, step=[0, 25, 0])
    desk.do("group", name="Rost", objects=[f"grate bar {n}" for n in range(1, 6)])
    path = [[120, -10, 250], [120, -10, 150], [120, -60, 90]]
    profile = {"outline": {"kind": "circle", "radius": 5}}
    desk.do("sweep", name="蒸汽棒", profile=profile, path=path, bend_radius=20)
    desk.do("appearance", objects=["housing"], material="stainless steel", colour="#B8BCC0")
    desk.do("appearance", objects=["Rost"], colour="#202020")
    desk.do("box", name="helper", size=[1, 1, 1])
    desk.do("visibility", objects=["helper"], visible=False)


@pytest.fixture(scope="module")
def made(shared: Desk) -> Desk:
    machine(shared)
    return shared


def test_it_reopens_unchanged(made: Desk):
    document, step = made.saved(), made.step()
    again = made.reopened()
    assert again.do("list_objects") == made.do("list_objects")
    assert again.do("measure") == made.do("measure")
    assert again.saved() == document
    assert again.step() == step
    state = read_document(made.path)
    assert state.format == "gaugeblock-document/2"
    assert all(item.id for item in state.objects)
    assert len(state.features) == len(made.do("read_document")["steps"])


def test_what_was_refused_or_only_looked_at_leaves_no_trace(make_desk: MakeDesk):
    """The kernel widens tolerances of what it works on, and STEP tells the widest."""
    desk = make_desk()
    desk.do("box", name="a", size=[10, 10, 10])
    desk.do("fillet", object="a", radius=0.2, edges={"side": "top"})
    desk.do("box", name="b", size=[4, 4, 4], at=[9.9999, 3, 9.8])
    before = desk.step()
    desk.refused("fillet", object="a", radius=0.2, edges={"all": True})
    desk.refused("chamfer", object="a", length=6, edges={"all": True})
    desk.refused("shell", object="a", thickness=6)
    assert desk.do("measure_between", first="a", second="b")["shared_volume_mm3"] > 0
    assert desk.step() == before
    desk.saved()
    assert desk.reopened().step() == before


def test_step_has_names_colours_and_groups(made: Desk):
    made.step()
    with Ruler() as ruler:
        measured = ruler.measure(made.folder / "part.step")
    solids = {solid.name: solid for solid in measured.solids}
    visible = [name for name in made.names() if name != "helper"]
    assert sorted(solids) == sorted(visible), "hidden objects are not exported"
    for name in visible:
        assert solids[name].volume.value == pytest.approx(made.volume(name), rel=1e-9)
    text = (made.folder / "part.step").read_text()
    assert "PRODUCT('Rost'" in text
    assert text.count("COLOUR_RGB") + text.count("DRAUGHTING_PRE_DEFINED_COLOUR") >= 2


def test_a_new_kept_job_makes_the_same_again(made: Desk):
    before, step = made.do("measure"), made.step()
    made.session._workshop.close()  # as after a crash: its memory is gone
    made.do("move", objects=["蒸汽棒"], by=[1, 0, 0])
    made.do("undo")
    assert made.do("measure") == before
    made.session._workshop.close()
    after = made.step()
    stamp = b"FILE_NAME("
    assert (
        after.partition(stamp)[2].split(b"\n", 3)[3] == step.partition(stamp)[2].split(b"\n", 3)[3]
    )


def test_a_program_alone_keeps_the_first_format(make_desk: MakeDesk):
    desk = make_desk()
    desk.do("propose", program="result = Box(1, 1, 1)", parameters={})
    value = json.loads(desk.saved())
    assert value["format"] == "gaugeblock-document/1"
    assert "id" not in value["objects"][0] and "group" not in value["objects"][0]
    desk.do("box", name="a", size=[1, 1, 1])
    assert json.loads(desk.saved())["format"] == "gaugeblock-document/2"
    desk.do("undo")
    assert json.loads(desk.saved())["format"] == "gaugeblock-document/1"


def test_damaged_documents_are_refused(made: Desk, tmp_path):
    value = json.loads(made.saved())
    path = tmp_path / "document.json"

    def written(**changes: Any) -> Any:
        path.write_text(json.dumps(value | changes))
        return path

    with pytest.raises(WrongUse, match="format"):
        read_document(written(format="gaugeblock-document/1"))
    with pytest.raises(WrongUse, match="hash"):
        read_document(written(features=value["features"][:-1]))
    with pytest.raises(WrongUse, match="features"):
        read_document(written(features=[{"kind": "baked", "brep": ""}]))
    with pytest.raises(ValidationError):
        DocumentState(features=({"kind": "step", "tool": "box", "arguments": [1]},))


@pytest.mark.parametrize(
    ("place", "change"),
    [
        (0, {"arguments": {"name": "housing", "size": [280, 200, 321], "at": [-140, 0, 20]}}),
        (0, {"tool": "cube"}),
        (2, {"arguments": {"object": "o77", "radius": 8, "edges": {"parallel": "Z"}}}),
        (0, {"arguments": {"name": "other", "size": [280, 200, 320], "at": [-140, 0, 20]}}),
    ],
)
def test_one_that_rebuilds_to_something_else_is_a_fault(made: Desk, make_desk, place, change):
    value = json.loads(made.saved())
    value["features"][place] |= change
    other = make_desk()
    other.path.write_text(json.dumps(value | {"history": []}))
    again = other.reopened()
    for tool in ("list_objects", "save"):
        with pytest.raises(HostFault, match="does not rebuild"):
            again.do(tool)


# Any sequence of tools: saved and reopened it is the same, and undone step by step it is again
# what it was.

NAMES = st.sampled_from(["a", "b", "c", "底板"])
SIZES = st.sampled_from([1, 2.5, 7.3, 1 / 3, 10])
PLACES = st.lists(st.sampled_from([0, -3, 4.7, 1e-3, 11.1]), min_size=3, max_size=3)
RULES = st.sampled_from([{"all": True}, {"parallel": "Z"}, {"side": "top"}, {"ids": [1, 2]}])
AXES = st.sampled_from("XYZ")


def call(tool: str, **arguments: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[str, Any]]:
    return st.tuples(st.just(tool), st.fixed_dictionaries(arguments))


ONE = st.lists(NAMES, min_size=1, max_size=2)
CALLS = st.one_of(
    call("box", name=NAMES, size=st.lists(SIZES, min_size=3, max_size=3), at=PLACES),
    call("cylinder", name=NAMES, radius=SIZES, height=SIZES, at=PLACES, axis=AXES),
    call("sphere", name=NAMES, radius=SIZES, at=PLACES),
    call("boolean", operation=st.sampled_from(["union", "cut", "intersect"]), target=NAMES,
         tools=ONE),
    call("fillet", object=NAMES, radius=st.just(0.2), edges=RULES),
    call("chamfer", object=NAMES, length=st.just(0.2), edges=RULES),
    call("shell", object=NAMES, thickness=st.just(0.1)),
    call("move", objects=ONE, by=PLACES),
    call("rotate", objects=ONE, axis=AXES, angle=st.sampled_from([90, -30, 17]), about=PLACES),
    call("mirror", objects=ONE, plane=st.sampled_from(["XY", "XZ", "YZ"])),
    call("linear_pattern", object=NAMES, count=st.just(2), step=PLACES, combine=st.booleans()),
    call("rename", object=NAMES, name=NAMES),
    call("appearance", objects=ONE, colour=st.sampled_from(["#FF0000", "#01020304"])),
    call("visibility", objects=ONE, visible=st.booleans()),
    call("group", name=st.just("g"), objects=ONE),
    call("delete", objects=ONE),
    call("edit_step", step=st.integers(1, 4), changes=st.fixed_dictionaries({"at": PLACES})),
    call("undo"),
    call("redo"),
)  # fmt: skip


@given(st.lists(CALLS, min_size=3, max_size=14))
@settings(
    max_examples=25,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_any_sequence_of_tools(make_desk: MakeDesk, calls: list[tuple[str, dict[str, Any]]]):
    desk = make_desk()
    desk.do("box", name="a", size=[10, 10, 10])
    heads = [desk.head()]
    for tool, arguments in calls:
        before = desk.head()
        try:
            desk.do(tool, **arguments)
        except PlanRejected:
            assert desk.head() == before
            continue
        if tool in ("undo", "redo"):
            continue
        heads.append(desk.head())
        desk.do("undo")
        assert desk.head()["objects"] == before["objects"]
        desk.do("redo")
        assert desk.head() == heads[-1]
    document = desk.saved()
    again = desk.reopened()
    assert again.head() == desk.head(), "volumes, boxes and all, to the last bit"
    assert again.saved() == document
    if any(item["visible"] for item in desk.do("measure")["objects"]):
        assert again.step() == desk.step()
