"""What a program may assign to `result`, and that it arrives as it was made."""

import math

import pytest

BOX = "Box(1, 2, 3)"
HOLE = math.pi * 0.25**2 * 3
"""Volume of the builder's hole, mm³."""
FAR = "Pos(9, 0, 0) * Box(1, 1, 1)"

RESULTS = {
    # name: (result, object name, solids, volume mm³)
    "box": (BOX, "body", 1, 6),
    "solid": (f"{BOX}.solid()", "body", 1, 6),
    "part": (f"Part([{BOX}.solid()])", "body", 1, 6),
    "builder": ("p", "body", 1, 6 - HOLE),
    "part of a builder": ("p.part", "body", 1, 6 - HOLE),
    "compound": (f"Compound([{BOX}, {FAR}])", "body", 2, 7),
    "children": (f"Compound(label='both', children=[{BOX}, {FAR}])", "both", 2, 7),
    "nested": (
        f"Compound(label='out', children=[{BOX}, Compound(label='in', children=[{FAR}])])",
        "out",
        2,
        7,
    ),
    "list": (f"[{BOX}, {FAR}]", "body", 2, 7),
    "nested list": (f"[{BOX}, [{FAR}]]", "body", 2, 7),
    "tuple": (f"({BOX}, {FAR})", "body", 2, 7),
    "shape list": (f"ShapeList([{BOX}, {FAR}])", "body", 2, 7),
    "list with an empty one": (f"[{BOX}, Sphere(1) - Sphere(2)]", "body", 1, 6),
    "sum apart": (f"{BOX} + {FAR}", "body", 2, 7),
    "algebra": ("Box(2, 2, 2) - Box(1, 1, 2)", "body", 1, 6),
    "mirrored": (f"{BOX}.mirror(Plane.YZ)", "body", 1, 6),
    "dict of a list": (f"{{'a': [{BOX}, {FAR}]}}", "a", 2, 7),
    "dict of a builder": ("{'a': p}", "a", 1, 6 - HOLE),
    "sign in name": (f"{{'Öse №1 \"x\" ☃': {BOX}}}", 'Öse №1 "x" ☃', 1, 6),
}


@pytest.mark.parametrize("case", RESULTS)
def test_a_result(host, case):
    result, name, solids, volume = RESULTS[case]
    program = f"with BuildPart() as p:\n    Box(1, 2, 3)\n    Hole(0.25)\nresult = {result}"
    made = host.call(
        "propose", program=program, parameters={}, expectations={"names": [name], "solids": solids}
    )
    assert not made.failed, made.text
    (described,) = host.call("measure").data["objects"]
    assert described == made.data["objects"][0]
    assert described["name"] == name
    assert described["volume_mm3"] == pytest.approx(volume, rel=1e-9)
    if solids > 1:  # one solid alone and several together are exported in different ways
        exported = host.call("export_step", file="part.step")
        assert not exported.failed and exported.data["bytes"] > 1_000, exported.text


def test_colours_and_labels(host):
    program = (
        "red = Box(1, 1, 1)\nred.label = 'left out'\nred.color = Color(1, 0, 0, 0.5)\n"
        "plain = Pos(5, 0, 0) * Box(1, 1, 1)\nresult = {'red': red, 'plain': plain}"
    )
    wanted = {"names": ["red", "plain"]}
    made = host.call("propose", program=program, parameters={}, expectations=wanted)
    red, plain = made.data["objects"]
    assert (red["name"], red["colour"]) == ("red", [1.0, 0.0, 0.0, 0.5])
    assert (plain["name"], plain["colour"]) == ("plain", None)
    step = host.deliver().step
    assert step is not None
    assert b"DRAUGHTING_PRE_DEFINED_COLOUR('red')" in step
    assert b"SURFACE_STYLE_TRANSPARENT(0.5)" in step and b"left out" not in step


def test_names_in_the_step_file_are_written_as_the_standard_says(host):
    program = "result = {\"it's Ö☃𝄞\": Box(1, 1, 1), '底板': Pos(5, 0, 0) * Box(1, 1, 1)}"
    wanted = {"names": ["it's Ö☃𝄞", "底板"]}
    made = host.call("propose", program=program, parameters={}, expectations=wanted)
    assert not made.failed, made.text
    step = host.deliver().step
    assert step is not None and step.isascii()
    assert rb"'it''s \X2\00D6\X0\\X2\2603\X0\\X4\0001D11E\X0\'" in step
    assert rb"'\X2\5E95\X0\\X2\677F\X0\'" in step


def test_parameters_arrive_as_numbers(host):
    host.fresh()
    program = (
        "assert type(count) is int and type(width) is float\nprint(count, width)\n"
        "width = width + 0\n"
        "result = {'plate': [Pos(5 * i, 0, 0) * Box(width, 1, 1) for i in range(count)]}"
    )
    made = host.call("propose", program=program, parameters={"count": 3.0, "width": 0.5, "x": 1})
    assert made.data["parameters"] == {"count": 3, "width": 0.5, "x": 1}
    assert made.data["objects"][0]["solids"] == 3
    assert made.data["printed"] == "3 0.5\n"
    assert [note.rpartition(": ")[2] for note in made.data["notes"]] == ["x", "width"]
    set_ = host.call("set_parameters", values={"count": 4})
    assert set_.data["objects"][0]["solids"] == 4
    assert set_.data["version"] == made.data["version"] + 1


def test_all_that_is_expected_comes_true(host):
    host.fresh()
    wanted = {
        "solids": 1,
        "names": ["plate"],
        "volume": {"value": 5_000, "relative_tolerance": 1e-9},
        "bounds": {"min": [-25, -10, -2.5], "max": [25, 10, 2.5]},
    }
    made = host.call("set_parameters", values={"length": 50}, expectations=wanted)
    assert not made.failed, made.text
    kept = host.call("set_parameters", values={"length": 50}, expectations={"unchanged": ["plate"]})
    assert not kept.failed, kept.text


def test_nested_values_sent_as_text_are_read(host):
    host.fresh()
    made = host.call("set_parameters", values='{"length": 60}', expectations='{"solids": 1}')
    assert made.data["parameters"] == {"length": 60}


def test_look_up(host):
    def names(query: str) -> list[str]:
        answer = host.call("look_up", query=query)
        assert not answer.failed, answer.text
        return [entry["name"] for entry in answer.data["entries"]]

    assert names("CounterBoreHole") == ["CounterBoreHole"]
    assert names("Plane.offset") == ["Plane.offset"]
    assert "sweep" in names("sweep path") and "Hole" in names("hole")
    # Constants, overloaded class methods and words that occur everywhere once ended the host.
    for query in ("MM", "os", "float", "Edge.make_constrained_lines", "Align.MIN", "Plane.XY"):
        assert names(query)
    for query in (
        "",
        " ",
        "☃",
        "x" * 10_000,
        "Box.__class__",
        "Plane.__init__",
        "[",
        "\\",
        "a.b.c",
    ):
        names(query)
    nothing = host.call("look_up", query="GridLocation.local").data
    assert nothing["entries"] == [] and "GridLocations" in nothing["near"] and nothing["hint"]
