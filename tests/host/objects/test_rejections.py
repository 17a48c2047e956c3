"""What cannot be done is refused with a code and a mend, and changes nothing."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gaugeblock.host.diagnostics import PlanRejected
from gaugeblock.host.objects.catalogue import STEPS, read_step

from .conftest import Desk
from .test_shapes import circle, rectangle

UNIT = {"name": "new", "size": [1, 1, 1]}
PATH = [[0, 0, 0], [0, 0, 50], [30, 0, 50]]
PIPE = {"name": "new", "profile": {"outline": circle(5)}}


def sketch(outline: object, *holes: object, **more: Any) -> dict[str, Any]:
    flat = {"plane": "XZ", "outline": outline, "holes": [*holes]}
    return {"name": "new", "sketch": flat, **({"distance": 5} | more)}


def polygon(*points: list[float]) -> dict[str, Any]:
    return {"kind": "polygon", "points": [*points]}


@pytest.fixture(scope="module")
def furnished(shared: Desk) -> Desk:
    shared.do("box", name="block", size=[10, 20, 30])
    shared.do("box", name="far", size=[5, 5, 5], at=[100, 0, 0])
    shared.do("sphere", name="ball", radius=5, at=[0, 0, 100])
    shared.do("group", name="all", objects=["block", "far"])
    return shared


CASES: list[tuple[str, str, dict[str, Any], str]] = [
    # numbers
    ("syntax", "box", UNIT | {"size": [float("nan"), 1, 1]}, "size.0"),
    ("syntax", "box", UNIT | {"size": [1e300, 1, 1]}, "1000000"),
    ("syntax", "box", UNIT | {"size": [10**400, 1, 1]}, "size.0"),
    ("syntax", "box", UNIT | {"size": [0, 1, 1]}, "0.001"),
    ("syntax", "box", UNIT | {"size": [-1, 1, 1]}, "0.001"),
    ("syntax", "box", UNIT | {"size": [True, 1, 1]}, "number"),
    ("syntax", "box", UNIT | {"size": ["5", 1, 1]}, "number"),
    ("syntax", "box", UNIT | {"size": [1, 1]}, "3 items"),
    ("syntax", "box", UNIT | {"size": []}, "size"),
    ("syntax", "box", UNIT | {"at": [1e7, 0, 0]}, "at.0"),
    ("syntax", "box", UNIT | {"colour": "red"}, "colour"),
    ("syntax", "cone", {"name": "x", "radius": 5, "top_radius": 5, "height": 1}, "cylinder"),
    ("syntax", "torus", {"name": "x", "radius": 5, "tube_radius": 5}, "below"),
    ("syntax", "rotate", {"objects": ["block"], "axis": "Z", "angle": 0}, "may not be 0"),
    ("syntax", "rotate", {"objects": ["block"], "axis": "W", "angle": 5}, "axis"),
    ("syntax", "move", {"objects": ["block"], "by": [0, 0, 0]}, "moves nothing"),
    ("limit", "move", {"objects": ["block"], "by": [1e6, 0, 0]}, "1e+06"),
    # names and references
    ("syntax", "box", UNIT | {"name": ""}, "name"),
    ("syntax", "box", UNIT | {"name": " \t"}, "printable"),
    ("syntax", "box", UNIT | {"name": "a\nb"}, "printable"),
    ("syntax", "box", UNIT | {"name": "\ud800"}, "name"),
    ("syntax", "box", UNIT | {"name": "x" * 101}, "100"),
    ("syntax", "box", UNIT | {"name": "o7"}, "id"),
    ("name-taken", "box", UNIT | {"name": "block"}, "block"),
    ("name-taken", "box", UNIT | {"name": " block "}, "block"),
    ("name-taken", "box", UNIT | {"name": "all"}, "group"),
    ("name-taken", "rename", {"object": "far", "name": "block"}, "block"),
    ("name-taken", "group", {"name": "far", "objects": ["ball"]}, "far"),
    ("no-effect", "rename", {"object": "far", "name": "far"}, "already"),
    ("object-unknown", "rename", {"object": "nil", "name": "b"}, "'block', 'far', 'ball'"),
    ("object-unknown", "delete", {"objects": ["block", "nil"]}, "nil"),
    ("object-unknown", "ungroup", {"group": "nil"}, "all"),
    ("object-unknown", "inspect_object", {"object": "Block"}, "Block"),
    ("object-unknown", "measure_between", {"first": "block", "second": "o99"}, "o99"),
    ("syntax", "delete", {"objects": []}, "objects"),
    ("syntax", "delete", {"objects": "block"}, "list"),
    ("syntax", "appearance", {"objects": ["block"]}, "colour"),
    ("syntax", "appearance", {"objects": ["block"], "colour": "red"}, "colour"),
    # sketches
    ("syntax", "extrude", sketch(circle(5), distance=0), "may not be 0"),
    ("syntax", "extrude", sketch({"kind": "circle", "size": [1, 1]}), "radius"),
    ("syntax", "extrude", sketch({"kind": "star"}), "kind"),
    ("syntax", "extrude", sketch(rectangle(4, 4, corner_radius=2)), "corner_radius"),
    ("syntax", "extrude", sketch({"kind": "slot", "size": [4, 4]}), "slot"),
    ("syntax", "extrude", sketch(polygon([0, 0], [1, 0])), "3 points"),
    ("syntax", "extrude", sketch(polygon([0, 0], [1, 0], [1, 0], [0, 1])), "same"),
    ("syntax", "extrude", sketch(polygon(*[[n, n * n] for n in range(201)])), "200"),
    ("not-built", "extrude", sketch(polygon([0, 0], [9, 9], [9, 0], [0, 9])), "itself"),
    ("not-built", "extrude", sketch(polygon([0, 0], [9, 0], [5, 0])), "itself"),
    ("not-built", "extrude", sketch(polygon([0, 0], [9, 0], [9, 9], [5, -5], [0, 9])), "itself"),
    ("not-built", "extrude", sketch(circle(5), circle(2, 5)), "hole 1"),
    ("not-built", "extrude", sketch(circle(5), circle(2, 50)), "hole 1"),
    ("not-built", "extrude", sketch(circle(5), circle(9)), "hole 1"),
    ("not-built", "extrude", sketch(circle(9), circle(2), circle(2, 1)), "hole 2"),
    ("limit", "extrude", sketch(polygon([0, 0, 1e6], [9, 0], [5, 5])), "1e+06"),
    ("not-built", "revolve", {"name": "x", "sketch": sketch(circle(3, 2))["sketch"], "axis": "v"},
     "crosses the axis"),
    # sweeps and lofts
    ("syntax", "sweep", PIPE | {"path": [[0, 0, 0]]}, "path"),
    ("syntax", "sweep", PIPE | {"path": [[0, 0, 0], [0, 0, 0]]}, "same"),
    ("syntax", "sweep", PIPE | {"path": PATH, "bend_radius": 9, "smooth": True}, "smooth"),
    ("not-built", "sweep", PIPE | {"path": [*PATH[:2], [0, 0, 10]]}, "straight back"),
    ("not-built", "sweep", PIPE | {"path": PATH, "bend_radius": 5}, "too tight"),
    ("not-built", "sweep", PIPE | {"path": PATH, "bend_radius": 40}, "30 mm left"),
    ("not-valid", "sweep", PIPE | {"path": [*PATH, [30, 0, 20], [-30, 0, 20]]}, "crosses"),
    ("not-valid", "sweep", PIPE | {"path": [[0, 0, 0], [0, 0, 9], [9, 0, 9]], "smooth": True},
     "radius"),
    ("not-valid", "sweep", PIPE | {"path": [[0, 0, 0], [200, 0, 0], [200, 200, 0], [100, 200, 0],
                                            [100, -100, 0]], "smooth": True}, "of itself"),
    ("syntax", "loft", {"name": "x", "plane": "XY",
                        "sections": [{"at": 0, "outline": circle(1)}] * 2}, "rise"),
    # booleans, shells, edges
    ("no-effect", "boolean", {"operation": "cut", "target": "block", "tools": ["far"]}, "reach"),
    ("no-solid", "boolean", {"operation": "intersect", "target": "block", "tools": ["far"]},
     "share no space"),
    ("syntax", "boolean", {"operation": "cut", "target": "far", "tools": ["far"]}, "target"),
    ("syntax", "boolean", {"operation": "cut", "target": "far", "tools": ["all"]}, "target"),
    ("syntax", "boolean", {"operation": "xor", "target": "far", "tools": ["ball"]}, "operation"),
    ("not-built", "shell", {"object": "block", "thickness": 5}, "no wall"),
    ("not-built", "shell", {"object": "block", "thickness": 6, "open": {"side": "top"}}, "6 mm"),
    ("syntax", "shell", {"object": "block", "thickness": 1, "open": {}}, "condition"),
    ("nothing-selected", "shell", {"object": "ball", "thickness": 1, "open": {"side": "top"}},
     "1 sphere"),
    ("not-built", "fillet", {"object": "block", "radius": 6, "edges": {"all": True}}, "12 edges"),
    ("not-built", "chamfer", {"object": "block", "length": 10, "edges": {"side": "top"}},
     "4 edges"),
    ("syntax", "fillet", {"object": "block", "radius": 1, "edges": {}}, "condition"),
    ("syntax", "fillet", {"object": "block", "radius": 1, "edges": {"ids": [1], "all": True}},
     "alone"),
    ("nothing-selected", "fillet", {"object": "block", "radius": 1, "edges": {"ids": [99]}}, "99"),
    ("nothing-selected", "fillet",
     {"object": "block", "radius": 1, "edges": {"corner": "concave"}}, "12 convex line"),
    ("nothing-selected", "fillet",
     {"object": "block", "radius": 1, "edges": {"through": [[1, 2, 3]]}}, "(1, 2, 3)"),
    # patterns
    ("syntax", "linear_pattern", {"object": "far", "count": 10**6, "step": [9, 0, 0]}, "200"),
    ("syntax", "linear_pattern", {"object": "far", "count": 2.5, "step": [9, 0, 0]}, "integer"),
    ("limit", "linear_pattern", {"object": "far", "count": 200, "step": [9, 0, 0]}, "200 objects"),
    ("syntax", "linear_pattern", {"object": "far", "count": 2, "step": [0, 0, 0]}, "one place"),
    ("syntax", "linear_pattern", {"object": "far", "count": 20, "step": [9, 0, 0], "count2": 11,
                                  "step2": [0, 9, 0]}, "200 places"),
    ("syntax", "linear_pattern", {"object": "far", "count": 2, "step": [9, 0, 0], "count2": 2},
     "step2"),
    ("syntax", "linear_pattern", {"object": "far", "count": 3, "step": [9, 0, 0], "names": ["x"]},
     "2 are needed"),
    ("name-taken", "linear_pattern",
     {"object": "far", "count": 3, "step": [9, 0, 0], "names": ["x", "x"]}, "x"),
    ("syntax", "polar_pattern", {"object": "far", "count": 4, "axis": "Z", "angle": 359.9999999},
     "write 360"),
    ("syntax", "polar_pattern", {"object": "far", "count": 3, "axis": "Z", "names": ["x", "y"],
                                 "combine": True}, "combine"),
    ("syntax", "mirror", {"objects": ["far"], "plane": "YZ", "copy_names": ["x", "y"]}, "1 are"),
    # batch, edit, undo
    ("syntax", "batch", {"calls": []}, "calls"),
    ("syntax", "batch", {"calls": [{"tool": "undo", "arguments": {}}]}, "call 1 of 1 (undo)"),
    ("syntax", "batch", {"calls": [{"tool": "box", "arguments": UNIT}] * 101}, "100"),
    ("name-taken", "batch", {"calls": [{"tool": "box", "arguments": UNIT}] * 2},
     "call 2 of 2 (box)"),
    ("syntax", "edit_step", {"step": 0, "changes": {"size": [1, 1, 1]}}, "step"),
    ("syntax", "edit_step", {"step": 99, "changes": {"size": [1, 1, 1]}}, "no such step"),
    ("syntax", "edit_step", {"step": 1, "changes": {"length": 5}}, "length"),
    ("no-effect", "edit_step", {"step": 1, "changes": {"size": [10, 20, 30]}}, "already"),
    ("no-effect", "redo", {}, "nothing to redo"),
    ("syntax", "export_step", {"file": "../a.step"}, "file name"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "tool", "arguments", "words"), CASES)
def test_refused(furnished: Desk, code, tool, arguments, words):
    found = furnished.refused(tool, **arguments)
    assert found.code == code, found.message
    assert words in found.message


def test_the_mend_of_a_radius_that_does_not_fit_works(furnished: Desk):
    wish = {"object": "block", "edges": {"all": True}}
    found = furnished.refused("fillet", radius=6, **wish)
    radius = float(found.repair.split()[1])
    assert 0 < radius < 6
    furnished.do("fillet", radius=radius, **wish)
    furnished.do("undo")


def test_an_empty_document_has_nothing(desk: Desk):
    assert desk.do("list_objects")["objects"] == []
    assert "empty" in desk.refused("delete", objects=["it"]).message


def test_nothing_visible_is_not_exported(desk: Desk):
    desk.do("box", name="it", size=[1, 1, 1])
    desk.do("visibility", objects=["it"], visible=False)
    assert desk.refused("export_step", file="part.step").code == "no-solid"
    desk.do("visibility", objects=["it"], visible=True)


# Whatever JSON a client sends as arguments, the answer is a step or one coded rejection.

NUMBERS = st.one_of(
    st.integers(), st.floats(), st.sampled_from([1e300, -1e300, 10**400, 5e-324, -0.0])
)
LEAVES = st.one_of(st.none(), st.booleans(), NUMBERS, st.text(max_size=5))
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=12,
)


@st.composite
def hostile_calls(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    tool = draw(st.sampled_from(sorted(STEPS)))
    arguments: dict[str, Any] = {}
    for name in STEPS[tool].model_fields:
        if draw(st.booleans()):
            arguments[name] = draw(VALUES)
    return tool, arguments


@given(hostile_calls())
@settings(max_examples=400, suppress_health_check=[HealthCheck.too_slow])
def test_any_arguments_are_read_or_refused(call: tuple[str, dict[str, Any]]):
    tool, arguments = call
    try:
        step = read_step(tool, arguments)
    except PlanRejected as refusal:
        assert refusal.diagnostic.code == "syntax"
        assert "\n" not in refusal.diagnostic.message
        return
    assert read_step(tool, step.recipe()) == step, "what is stored is read as the same step"


@pytest.fixture(scope="module", autouse=True)
def nothing_is_left_over(shared: Desk) -> Iterator[None]:
    yield
    assert shared.saved() and shared.reopened().head() == shared.head()
