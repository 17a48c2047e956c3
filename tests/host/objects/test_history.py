"""One document for programs and object tools: undo, batches, edits, and what follows from them."""

import threading

import pytest

from gaugeblock.host.diagnostics import CallerLeft
from gaugeblock.host.objects import editing, workshop

from .conftest import Desk, MakeDesk

PLATE = "result = {'plate': Box(length, 20, 5), 'stud': Pos(0, 0, 10) * Cylinder(2, 10)}"


def drilled(desk: Desk) -> None:
    """A program's plate with a hole by object tools, which are steps 2 and 3."""
    desk.do("propose", program=PLATE, parameters={"length": 40})
    desk.do("cylinder", name="drill", radius=3, height=20, at=[0, 0, -10])
    desk.do("boolean", operation="cut", target="plate", tools=["drill"])


HOLE = 9 * 3.141592653589793 * 5


def test_every_change_can_be_taken_back_and_done_again(make_desk: MakeDesk):
    desk = make_desk()
    heads = [desk.head()]
    changes = [
        ("box", {"name": "a", "size": [10, 10, 10]}),
        ("fillet", {"object": "a", "radius": 1, "edges": {"side": "top"}}),
        ("linear_pattern", {"object": "a", "count": 3, "step": [20, 0, 0]}),
        ("propose", {"program": PLATE, "parameters": {"length": 40}}),
        ("appearance", {"objects": ["a", "plate"], "colour": "#FF8000", "material": "brass"}),
        ("group", {"name": "g", "objects": ["a", "plate"]}),
        ("set_parameters", {"values": {"length": 60}}),
        ("boolean", {"operation": "union", "target": "a", "tools": ["a 2", "a 3"]}),
        ("rename", {"object": "plate", "name": "base"}),
        ("visibility", {"objects": ["g"], "visible": False}),
        ("edit_step", {"step": 1, "changes": {"size": [12, 10, 10]}}),
        ("delete", {"objects": ["a"]}),
        ("batch", {"calls": [{"tool": "ungroup", "arguments": {"group": "g"}}]}),
    ]
    for tool, arguments in changes:
        desk.do(tool, **arguments)
        heads.append(desk.head())
    assert len({head["sha256"] for head in heads}) == len(heads)
    for head in reversed(heads[:-1]):
        desk.do("undo")
        assert desk.head()["objects"] == head["objects"]
        assert head["sha256"] is None or desk.head()["sha256"] == head["sha256"]
    assert "nothing to undo" in desk.refused("undo").message
    for head in heads[1:]:
        desk.do("redo")
        assert desk.head() == head
    assert desk.do("list_objects")["version"] == 3 * len(changes), "each is a version of its own"
    assert desk.saved() and desk.reopened().head() == heads[-1]


def test_a_new_change_ends_what_could_be_redone(make_desk: MakeDesk):
    desk = make_desk()
    desk.do("box", name="a", size=[1, 1, 1])
    desk.do("undo")
    desk.do("box", name="b", size=[2, 2, 2])
    assert "nothing to redo" in desk.refused("redo").message
    assert desk.names() == ["b"]


def test_a_batch_is_one_change(make_desk: MakeDesk):
    desk = make_desk()
    calls = [
        {"tool": "box", "arguments": {"name": "tray", "size": [20, 20, 10]}},
        {"tool": "cylinder", "arguments": {"name": "drill", "radius": 2, "height": 30}},
        {"tool": "move", "arguments": {"objects": ["drill"], "by": [10, 10, -5]}},
        {
            "tool": "boolean",
            "arguments": {"operation": "cut", "target": "tray", "tools": ["drill"]},
        },
    ]
    done = desk.do("batch", calls=calls)
    assert done["version"] == 1 and done["step"] == 4
    assert [item["name"] for item in done["changed"]] == ["tray"]
    desk.do("undo")
    assert desk.names() == []
    one_by_one = make_desk()
    for call in calls:
        one_by_one.do(call["tool"], **call["arguments"])
    desk.do("redo")
    assert one_by_one.head() == desk.head()


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_batch_that_fails_anywhere_changes_nothing(desk: Desk, place: int):
    desk.do("box", name="a", size=[10, 10, 10])
    calls = [
        {"tool": "move", "arguments": {"objects": ["a"], "by": [1, 0, 0]}},
        {"tool": "rename", "arguments": {"object": "a", "name": "b"}},
    ]
    calls.insert(
        place,
        {"tool": "fillet", "arguments": {"object": "nil", "radius": 1, "edges": {"all": True}}},
    )
    found = desk.refused("batch", calls=calls)
    assert found.code == "object-unknown"
    assert f"call {place + 1} of 3 (fillet)" in found.message


def test_steps_follow_the_program_they_build_on(make_desk: MakeDesk):
    desk = make_desk()
    drilled(desk)
    assert desk.volume("plate") == pytest.approx(4000 - HOLE)
    desk.do("set_parameters", values={"length": 60})
    assert desk.volume("plate") == pytest.approx(6000 - HOLE)
    thicker = PLATE.replace("20, 5", "30, 5")
    desk.do("propose", program=thicker, parameters={"length": 60})
    assert desk.volume("plate") == pytest.approx(9000 - HOLE)
    shown = desk.do("read_document")
    assert shown["program"] == thicker
    assert [step["tool"] for step in shown["steps"]] == ["propose", "cylinder", "boolean"]
    assert desk.do("inspect_object", object="plate")["id"] == "program:plate"
    before = desk.saved()
    again = desk.reopened()
    assert again.head() == desk.head() and again.saved() == before


def test_a_program_that_no_longer_makes_what_a_step_needs_is_refused(make_desk: MakeDesk):
    desk = make_desk()
    drilled(desk)
    found = desk.refused(
        "propose",
        program="result = {'stud': Cylinder(2, 10)}",
        parameters={},
        expectations={"names": ["stud"]},
    )
    assert found.code == "object-unknown" and "step 3 (boolean)" in found.message
    found = desk.refused(
        "propose", program=PLATE + "\nresult.pop('stud')", parameters={"length": 9}
    )
    assert found.code == "name-lost"


def test_what_must_stay_unchanged_counts_steps_too(make_desk: MakeDesk):
    desk = make_desk()
    drilled(desk)
    stay = {"expectations": {"unchanged": ["plate"]}}
    found = desk.refused("set_parameters", values={"length": 41}, **stay)
    assert found.code == "not-conserved" and "plate" in found.message
    longer = PLATE.replace("(2, 10)", "(2, 12)")
    desk.do("propose", program=longer, parameters={"length": 40}, **stay)


def test_a_program_may_not_take_a_tools_name(make_desk: MakeDesk):
    desk = make_desk()
    desk.do("box", name="plate", size=[1, 1, 1])
    assert desk.refused("propose", program=PLATE, parameters={"length": 40}).code == "name-taken"
    desk.do("rename", object="plate", name="cube")
    desk.do("propose", program=PLATE, parameters={"length": 40})
    found = desk.refused("edit_step", step=2, changes={"name": "stud"})
    assert found.code == "name-taken" and "the program makes 'stud'" in found.message


def test_an_edit_makes_all_that_follows_anew(make_desk: MakeDesk):
    desk = make_desk()
    desk.do("box", name="a", size=[20, 20, 10])
    desk.do("rename", object="a", name="base")
    desk.do("fillet", object="base", radius=2, edges={"parallel": "Z"})
    desk.do("mirror", objects=["base"], plane="YZ", copy_names=["image"])
    desk.do("edit_step", step=1, changes={"size": [30, 20, 10]})
    direct = make_desk()
    direct.do("box", name="a", size=[30, 20, 10])
    direct.do("rename", object="a", name="base")
    direct.do("fillet", object="base", radius=2, edges={"parallel": "Z"})
    direct.do("mirror", objects=["base"], plane="YZ", copy_names=["image"])
    assert desk.head() == direct.head()
    shown = desk.do("inspect_object", object="image")["recipe"]
    assert [step["tool"] for step in shown] == ["box", "rename", "fillet", "mirror"]
    found = desk.refused("edit_step", step=2, changes={"name": "image"})
    assert found.code == "name-taken" and "step 4 (mirror)" in found.message
    found = desk.refused("edit_step", step=3, changes={"radius": 50})
    assert found.code == "not-built" and "step 3 (fillet)" in found.message


def test_edges_picked_by_id_are_never_silently_others(make_desk: MakeDesk):
    desk = make_desk()
    desk.do("box", name="a", size=[20, 20, 10])
    edges = desk.do("inspect_object", object="a")["edge_list"]
    (wanted,) = [edge["id"] for edge in edges if edge["middle"] == [20, 10, 10]]
    desk.do("fillet", object="a", radius=2, edges={"ids": [wanted]})
    stored = desk.do("inspect_object", object="a")["recipe"][1]
    edges = stored["arguments"]["edges"]
    assert edges["through"] == [[20, 10, 10]] and "ids" not in edges
    found = desk.refused("edit_step", step=1, changes={"size": [30, 20, 10]})
    assert found.code == "nothing-selected" and "(20, 10, 10)" in found.message
    desk.do("edit_step", step=1, changes={"size": [20, 20, 10], "at": [0, 0, 0.0005]})


def test_a_recipe_keeps_the_number_of_a_step_apart_from_its_arguments(make_desk: MakeDesk):
    desk = make_desk()
    desk.do("box", name="bar 1", size=[1, 1, 1])
    desk.do("linear_pattern", object="bar 1", count=2, step=[5, 0, 0])
    pattern = desk.do("inspect_object", object="bar 2")["recipe"][-1]
    assert (pattern["step"], pattern["arguments"]["step"]) == (2, [5.0, 0.0, 0.0])
    desk.do("edit_step", step=pattern["step"], changes={"step": [7, 0, 0]})
    assert desk.do("inspect_object", object="bar 2")["bounds_mm"]["min"][0] == 7


def test_names_that_look_alike_are_one_name(desk: Desk):
    composed, decomposed = "caf\u00e9", "cafe\u0301"
    desk.do("box", name=composed, size=[1, 1, 1])
    assert desk.refused("box", name=decomposed, size=[1, 1, 1]).code == "name-taken"
    assert desk.do("inspect_object", object=decomposed)["name"] == composed


def test_references_survive_renaming(desk: Desk):
    desk.do("box", name="a", size=[1, 1, 1])
    desk.do("rename", object="a", name="b")
    desk.do("box", name="a", size=[2, 2, 2])
    identity = desk.do("inspect_object", object="b")["id"]
    desk.do("move", objects=[identity], by=[0, 0, 7])
    assert desk.bounds("b")[2] == 7 and desk.bounds("a")[2] == 0


def test_groups_stand_for_their_objects(desk: Desk):
    for name in "abc":
        desk.do("box", name=name, size=[1, 1, 1])
    desk.do("group", name="pair", objects=["a", "b"])
    desk.do("move", objects=["pair", "a"], by=[0, 0, 7])
    assert [desk.bounds(name)[2] for name in "abc"] == [7, 7, 0], "none is moved twice"
    desk.do("group", name="pair", objects=["c"])
    assert desk.do("list_objects")["groups"] == {"pair": ["a", "b", "c"]}
    desk.do("group", name="other", objects=["a"])
    assert desk.do("list_objects")["groups"] == {"pair": ["b", "c"], "other": ["a"]}
    desk.do("ungroup", group="pair")
    assert desk.do("list_objects")["groups"] == {"other": ["a"]}
    desk.do("delete", objects=["other"])
    assert desk.names() == ["b", "c"]


def test_copies_look_like_the_original(desk: Desk):
    desk.do("box", name="a", size=[1, 1, 1])
    desk.do("appearance", objects=["a"], colour="#80FF0040", material="glass")
    desk.do("linear_pattern", object="a", count=2, step=[5, 0, 0])
    copy = desk.object("a 2")
    assert copy["material"] == "glass"
    assert copy["colour"] == pytest.approx([128 / 255, 1, 0, 64 / 255], abs=1e-4)
    desk.do("appearance", objects=["a"], material="brass")
    assert (
        desk.object("a")["colour"] == copy["colour"] and desk.object("a 2")["material"] == "glass"
    )


SLOW = {
    "name": "slow",
    "plane": "XY",
    "sections": [
        {"at": at, "outline": {"kind": "circle", "radius": 5 + at % 3}} for at in range(0, 60, 5)
    ],
}
"""A loft that takes a good part of a second."""


def test_a_step_that_takes_too_long_is_refused_and_forgotten(desk: Desk, monkeypatch):
    desk.do("box", name="a", size=[10, 10, 10])
    desk.do("cylinder", name="b", radius=2, height=30)
    monkeypatch.setattr(workshop, "STEP_S", 0.05)
    found = desk.refused("loft", **SLOW)
    assert found.code == "timeout" and "0.05 s" in found.message
    monkeypatch.undo()
    desk.do("boolean", operation="cut", target="a", tools=["b"])
    assert desk.volume("a") == pytest.approx(1000 - 3.141592653589793 * 10)


def test_a_batch_that_takes_too_long_is_refused_whole(desk: Desk, monkeypatch):
    monkeypatch.setattr(editing, "BATCH_S", 0.0)
    calls = [{"tool": "loft", "arguments": SLOW}]
    calls.append({"tool": "box", "arguments": {"name": "a", "size": [1, 1, 1]}})
    assert desk.refused("batch", calls=calls).code == "timeout"


def test_a_call_whose_caller_left_changes_nothing(desk: Desk):
    desk.do("box", name="a", size=[1, 1, 1])
    before = desk.head()
    gone = threading.Event()
    gone.set()
    desk.session.kernel.start_account(gone)
    for leave in (desk.session.undo, lambda: desk.session.edit_step(1, {"size": [2, 2, 2]})):
        with pytest.raises(CallerLeft):
            leave()
    desk.session.kernel.start_account(threading.Event())
    assert desk.head() == before
