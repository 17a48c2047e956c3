"""Every code is reached by a clumsy model, tells what to repair, and changes nothing."""

import pytest

from .conftest import PLATE

PROGRAMS = {
    # name: (code, program, words that the answer must hold)
    "unclosed": ("syntax", "result = Box(1,", "program line 1"),
    "null byte": ("syntax", "result = 1\0", "null bytes"),
    "deep": ("syntax", "x = " + "-" * 20_000 + "1", "nested too deeply"),
    "parentheses": ("syntax", "(" * 5_000, "nested"),
    "return outside": ("syntax", "return Box(1, 1, 1)", "outside function"),
    "raises": ("runtime", "x = 1\nraise ValueError('too wide')", "program line 2"),
    "unknown name": ("runtime", "result = Boks(1, 1, 1)", "look_up"),
    "undeclared": ("runtime", "result = Box(width, 1, 1)", "declare it in `parameters`"),
    "no such package": ("runtime", "import cadquery", "Do without"),
    "negative size": ("runtime", "result = Box(-1, 1, 1)", "zero, negative or out of range"),
    "zero size": ("runtime", "result = Box(0, 1, 1)", "zero, negative or out of range"),
    "fillet too large": ("runtime", "result = fillet(Box(1, 1, 1).edges(), 5)", "program line 1"),
    "recursion": ("runtime", "def f(n): return f(n + 1)\nf(0)", "RecursionError"),
    "exit": ("runtime", "exit_now = 1\nraise SystemExit(0)", "run to its end"),
    "own assertion": ("runtime", "assert 1 > 2", "AssertionError, in: assert 1 > 2"),
    "number as name": ("runtime", "result = {1: Box(1, 1, 1)}", "the key 1"),
    "empty name": ("runtime", "result = {' ': Box(1, 1, 1)}", "object names"),
    "long name": ("runtime", "result = {'x' * 101: Box(1, 1, 1)}", "too long"),
    "line in name": ("runtime", "result = {'a\\nb': Box(1, 1, 1)}", "not printable"),
    "half character": ("runtime", "result = {'\\ud800': Box(1, 1, 1)}", "not printable"),
    "same name": ("runtime", "result = {'a': Box(1, 1, 1), 'a ': Box(2, 1, 1)}", "used twice"),
    "endless": ("timeout", "while True: pass", "loop that never ends"),
    "sleep": ("timeout", "import time\ntime.sleep(1000)", "longer than 1.5 s"),
    "inside out": (
        "not-valid",
        "s = Box(1, 1, 1).solid()\ns.wrapped = s.wrapped.Reversed()\nresult = {'plate': s}",
        "inside out",
    ),
    "cuts itself": (
        "not-valid",
        "bow = Wire.make_polygon([(0, 0), (9, 9), (9, 0), (0, 9)])\n"
        "result = {'plate': Solid.extrude(Face(bow), Vector(0, 0, 5))}",
        "self-intersection",
    ),
    "meets itself in an edge": (
        "not-valid",
        "from OCP.BRep import BRep_Builder\nfrom OCP.TopoDS import TopoDS_Shell, TopoDS_Solid\n"
        "make, shell, solid = BRep_Builder(), TopoDS_Shell(), TopoDS_Solid()\n"
        "make.MakeShell(shell)\nmake.MakeSolid(solid)\n"
        "for face in (Box(1, 1, 1) + Pos(1, 1, 0) * Box(1, 1, 1)).faces():\n"
        "    make.Add(shell, face.wrapped)\n"
        "shell.Closed(True)\nmake.Add(solid, shell)\nresult = {'plate': Solid(solid)}",
        "broken topology",
    ),
    "open shell": (
        "not-valid",
        "result = {'plate': Solid(Shell(Box(1, 1, 1).faces()[:5]))}",
        "its shell is open",
    ),
    "face beside": (
        "not-valid",
        "result = {'plate': [Box(1, 1, 1), Pos(9, 0, 0) * Rectangle(1, 1).face()]}",
        "outside any solid",
    ),
    "not a number": (
        "not-valid",
        "result = {'plate': Box(1, 1, 1).moved(Location((float('nan'), 0, 0)))}",
        "plate",
    ),
    "name lost": ("name-lost", "result = {'disc': Cylinder(5, 2)}", "'plate'"),
    "nothing": ("no-solid", "x = 1", "never assigned `result`"),
    "empty program": ("no-solid", "", "never assigned `result`"),
    "none": ("no-solid", "result = None", "NoneType"),
    "number": ("no-solid", "result = 5", "int"),
    "empty dict": ("no-solid", "result = {}", "empty dict"),
    "empty list": ("no-solid", "result = []", "without a solid"),
    "dict in dict": ("no-solid", "result = {'a': {'b': Box(1, 1, 1)}}", "dict"),
    "sketch": ("no-solid", "result = Rectangle(2, 2)", "Rectangle without a solid"),
    "builder of a sketch": (
        "no-solid",
        "with BuildSketch() as b:\n    Circle(1)\nresult = b",
        "BuildSketch",
    ),
    "shell": ("no-solid", "result = Box(1, 1, 1).shells()[0]", "Shell without a solid"),
    "wire": ("no-solid", "result = Wire.make_circle(2)", "Wire without a solid"),
    "faces": ("no-solid", "result = Box(1, 1, 1).faces()", "without a solid"),
    "class": ("no-solid", "result = Box", "Box(…)"),
    "nothing left": ("no-solid", "result = Sphere(1) - Sphere(2)", "its operands meet"),
    "no common": (
        "no-solid",
        "result = Box(1, 1, 1) & Pos(5, 5, 5) * Box(1, 1, 1)",
        "its operands meet",
    ),
    "long": ("limit", "#" * 64_001, "at most 64000"),
    "many objects": (
        "limit",
        "result = {f'a{i}': Pos(i * 3, 0, 0) * Box(1, 1, 1) for i in range(201)}",
        "at most 200",
    ),
    "memory": ("limit", "x = bytearray(50 << 30)", "memory"),
}

VALUES = {
    "true": True,
    "text": "10",
    "null": None,
    "list": [1],
    "nan": float("nan"),
    "infinite": float("inf"),
    "huge": 1e308,
    "huge whole": 10**400,
}

NAMES = ["", "ü", "1a", "a b", "a\n", "__name__", "x" * 65, "Box", "extrude", "MM", "class", "None"]
NAMES += ["len", "range", "math", "result"]

ARGUMENTS = {
    "none": ("propose", {}, "program"),
    "no parameters": ("propose", {"program": PLATE}, "parameters"),
    "program a number": ("propose", {"program": 5, "parameters": {}}, "program"),
    "too much": ("propose", {"program": PLATE, "parameters": {}, "solids": 1}, "solids"),
    "no solids": (
        "propose",
        {"program": PLATE, "parameters": {}, "expectations": {"solids": 0}},
        "expectations.solids",
    ),
    "bare volume": (
        "propose",
        {"program": PLATE, "parameters": {}, "expectations": {"volume": 5}},
        "expectations.volume",
    ),
    "flat bounds": (
        "propose",
        {
            "program": PLATE,
            "parameters": {},
            "expectations": {"bounds": {"min": [0, 0], "max": [1, 1, 1]}},
        },
        "expectations.bounds.min",
    ),
    "value outside values": ("set_parameters", {"length": 5}, "values"),
    "query a number": ("look_up", {"query": 5}, "query"),
    "argument to none": ("measure", {"object": "plate"}, "object"),
    "unknown tool": ("delete_everything", {}, "read_document"),
}


@pytest.mark.parametrize("case", PROGRAMS)
def test_a_program_is_rejected(host, rejects, case):
    code, program, words = PROGRAMS[case]
    answer = rejects(host.propose(program), code)
    assert words in answer.text


@pytest.mark.parametrize("case", VALUES)
def test_a_value_is_no_plain_number(host, rejects, case):
    for answer in (
        host.propose(PLATE, length=VALUES[case]),
        host.call("set_parameters", values={"length": VALUES[case]}),
    ):
        assert "length" in rejects(answer, "parameter-unknown").text


@pytest.mark.parametrize("name", NAMES)
def test_a_parameter_cannot_have_this_name(host, rejects, name):
    rejects(host.propose(PLATE, length=40, **{name: 1}), "parameter-unknown")


@pytest.mark.parametrize("value", [-5, 0, 1e-300])
def test_a_size_that_makes_nothing(host, rejects, value):
    answer = rejects(host.call("set_parameters", values={"length": value}), "runtime")
    assert "zero, negative or out of range" in answer.text


@pytest.mark.parametrize("case", ARGUMENTS)
def test_arguments_that_do_not_fit(host, rejects, case):
    tool, arguments, words = ARGUMENTS[case]
    answer = rejects(host.call(tool, **arguments), "syntax")
    assert words in answer.text and "pydantic" not in answer.text


def test_parameters(host, rejects):
    unknown = host.call("set_parameters", values={"lenght": 5})
    assert "there are: length" in rejects(unknown, "parameter-unknown").text
    rejects(host.call("set_parameters", values={}), "parameter-unknown")
    many = {f"p{i}": 1 for i in range(201)}
    rejects(host.propose(PLATE, **many), "limit")


def test_expectations(host, rejects):
    missed = [
        {"solids": 2},
        {"names": ["plate", "disc"]},
        {"volume": {"value": 5}},
        {"volume": {"value": 4_000.01}},
        {"bounds": {"min": [-20, -10, -2.5], "max": [20, 10, 2.6]}},
    ]
    same = {"program": PLATE, "parameters": {"length": 40}}
    for wanted in missed:
        answer = host.call("propose", **same, expectations=wanted)
        assert "expected" in rejects(answer, "expectation-missed").text
    thicker = {"program": "result = {'plate': Box(length, 20, 6)}", "parameters": {"length": 40}}
    answer = host.call("propose", **thicker, expectations={"unchanged": ["plate"]})
    assert "differs by 0.2" in rejects(answer, "not-conserved").text
    answer = host.call("propose", **same, expectations={"unchanged": ["lid"]})
    rejects(answer, "name-lost")


@pytest.mark.parametrize(
    "file",
    [
        *("../part.step", "/tmp/part.step", "a/b.step", "part.step/", "C:\\part.step"),
        *("part.txt", "part.step\n", ".part.step", "", "document.json", "p" * 100 + ".step"),
    ],
)
def test_export_takes_plain_names_only(host, rejects, file):
    assert "without folders" in rejects(host.call("export_step", file=file), "syntax").text


def test_an_empty_document_has_nothing_to_export_or_set(quick):
    from .conftest import open_host

    with open_host(quick) as empty:
        assert empty.call("export_step", file="part.step").data["code"] == "no-solid"
        answer = empty.call("set_parameters", values={"length": 1})
        assert answer.data["code"] == "parameter-unknown"
        assert "Propose a program" in answer.text
        assert empty.call("measure").data["bounds_mm"] is None
        assert empty.call("read_document").data["version"] == 0
        delivery = empty.deliver()
        assert delivery.document is None and delivery.step is None
