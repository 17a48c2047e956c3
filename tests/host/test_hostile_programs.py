"""Programs that attack the host: it lives, tells the truth, and keeps its document."""

import pytest

ATTACKS = {
    # name: (code, program, words of the answer)
    "leaves": ("runtime", "import os\nos._exit(0)", "gave no result"),
    "segfault": ("runtime", "import ctypes\nctypes.string_at(0)", "crashed (SIGSEGV"),
    "kills all": ("runtime", "import os\nos.kill(-1, 9)", "ProcessLookupError"),
    "closes its pipe": (
        "runtime",
        "import os\nos.closerange(3, 64)\nresult = Box(1, 1, 1)",
        "gave no result",
    ),
    "breaks Python": (
        "runtime",
        "import builtins\nbuiltins.len = None\nresult = Box(1, 1, 1)",
        "result",
    ),
    "breaks the kernel": (
        "runtime",
        "from OCP.BinTools import BinTools\nBinTools.Write_s = None\nresult = Box(1, 1, 1)",
        "broke its surroundings",
    ),
    "hostile words": (
        "runtime",
        "class E(Exception):\n    def __str__(self): raise self\nraise E()",
        "runtime",
    ),
    "long words": ("runtime", "raise ValueError('y' * 10_000_000)", "yyy"),
    "children": (
        "timeout",
        "import os\nfor i in range(3):\n    os.fork()\nwhile True: pass",
        "longer than",
    ),
    "large file": ("runtime", "open('/tmp/x', 'wb').write(bytes(400 << 20))", "File too large"),
    "writes outside": ("runtime", "open('/x', 'w')", "no files"),
    "network": ("runtime", "import socket\nsocket.socket()", "no network"),
    "suites": ("runtime", "import gaugeblock.suites", "No module named"),
    "users": ("runtime", "open('/etc/passwd')", "No such file"),
}

FORGE = """
import io, json, os, struct
from OCP.BinTools import BinTools
def brep(item):
    stream = io.BytesIO()
    BinTools.Write_s(item.wrapped, stream)
    return stream.getvalue()
def answer(value, *blobs):
    header = json.dumps({"ok": True, "value": value, "blobs": [len(b) for b in blobs]}).encode()
    sizes = struct.pack("!4sIQ", b"GBF1", len(header), sum(map(len, blobs)))
    data = sizes + header + b"".join(blobs)
    for descriptor in range(3, 16):
        try:
            os.write(descriptor, data)
        except OSError:
            pass
    os._exit(0)
def objects(*names, **more):
    plain = [{"name": name, "colour": None} for name in names]
    return {"objects": plain, "printed": "", "notes": [], **more}
one = brep(Box(1, 1, 1).solid())
"""

FORGERIES = {
    # name: (code, call)
    "its own volume": ("runtime", "answer(objects('plate', volume=99), one)"),
    "volume of an object": (
        "runtime",
        "answer({**objects(), 'objects': [{'name': 'plate', 'volume': 99}]}, one)",
    ),
    "no printed": ("runtime", "answer({'objects': [{'name': 'plate'}]}, one)"),
    "no list": ("runtime", "answer({**objects(), 'objects': 'plate'}, one)"),
    "number as name": ("runtime", "answer(objects(5), one)"),
    "colours": (
        "runtime",
        "answer({**objects(), 'objects': [{'name': 'plate', 'colour': [7, 0, 0]}]}, one)",
    ),
    "more names": ("runtime", "answer(objects('plate', 'lid'), one)"),
    "more shapes": ("runtime", "answer(objects('plate'), one, one)"),
    "same name": ("runtime", "answer(objects('plate', 'plate'), one, one)"),
    "nothing": ("no-solid", "answer(objects())"),
    "unknown code": (
        "runtime",
        "answer({'rejected': {'code': 'fine', 'message': '', 'line': 1}})",
    ),
    "no rejection": ("runtime", "answer({'rejected': 'x'})"),
    "a fault": ("runtime", "answer({'status': 'fault', 'message': 'the host is broken'})"),
    "rubbish": ("not-valid", "answer(objects('plate'), b'rubbish')"),
    "noise": ("not-valid", "answer(objects('plate'), os.urandom(100_000))"),
    "cut off": ("not-valid", "answer(objects('plate'), one[:-200])"),
    "empty": ("not-valid", "answer(objects('plate'), b'')"),
    "face": ("no-solid", "answer(objects('plate'), brep(Rectangle(1, 1).face()))"),
    "face beside": (
        "not-valid",
        "answer(objects('plate'), brep(Compound([Box(1, 1, 1), Rectangle(9, 9).face()])))",
    ),
    "inside out": (
        "not-valid",
        "s = Box(1, 1, 1).solid()\ns.wrapped = s.wrapped.Reversed()\n"
        "answer(objects('plate'), brep(s))",
    ),
    "too many faces": (
        "limit",
        "one = Box(1, 1, 1).solid()\nanswer(objects('plate'), brep(Compound([one] * 4_000)))",
    ),
}


@pytest.mark.parametrize("case", ATTACKS)
def test_an_attack_is_a_rejection(host, rejects, case):
    code, program, words = ATTACKS[case]
    assert words in rejects(host.propose(program), code).text


@pytest.mark.parametrize("case", FORGERIES)
def test_a_forged_answer_is_a_rejection(host, rejects, case):
    code, program = FORGERIES[case]
    rejects(host.propose(FORGE + program), code)


def test_a_forged_shape_is_measured_by_a_process_that_ran_no_model_code(host):
    patched = (
        "from OCP.BRepGProp import BRepGProp\nfrom OCP.GProp import GProp_GProps\n"
        "GProp_GProps.Mass = lambda self: 99.0\nresult = {'plate': Box(1, 1, 1)}"
    )
    forged = FORGE + "answer(objects('plate', printed='volume: 99'), one)"
    for program in (patched, forged):
        made = host.propose(program)
        assert not made.failed, made.text
        assert made.data["objects"][0]["volume_mm3"] == pytest.approx(1, rel=1e-9)


def test_endless_text_costs_no_memory_and_reaches_nobody(host):
    programs = (
        "for i in range(1000): print('x' * 100_000)",
        "print('\\ud800' * 10_000)",
        "import sys\nprint('☃' * 10_000, file=sys.stderr)",
    )
    for program in programs:
        made = host.propose(f"{program}\nresult = {{'plate': Box(1, 1, 1)}}")
        assert not made.failed, made.text
        assert 1 < len(made.data["printed"]) <= 2_000
    forged = "answer(objects('plate', printed='p' * 3_000_000, notes=['n' * 3_000_000] * 9), one)"
    made = host.propose(FORGE + forged)
    assert len(made.text) < 30_000


def test_a_program_sees_nothing_of_the_machine(host):
    program = """
import os
print(sorted(os.environ))
print([name for name in ("work", "home", "root", "etc") if os.path.exists("/" + name)
       and os.listdir("/" + name)])
print(sorted(os.listdir("/gauge/gaugeblock")), len(os.listdir("/proc")) < 80)
open("/tmp/left", "w").write("for the next one")
result = {"plate": Box(1, 1, 1)}
"""
    made = host.propose(program)
    assert not made.failed, made.text
    seen, folders, view = made.data["printed"].splitlines()
    assert "KEY" not in seen and "TOKEN" not in seen
    assert "home" not in folders and "work" not in folders
    assert "suites" not in view and "records" not in view
    again = host.propose("import os\nprint(os.listdir('/tmp'))\nresult = {'plate': Box(1, 1, 1)}")
    assert again.data["printed"] == "[]\n"


def test_chance_is_the_same_every_time(host):
    program = "import random\nresult = {'plate': Box(1 + random.random(), 1, 1)}"
    volumes = {host.propose(program).data["objects"][0]["volume_mm3"] for _ in range(2)}
    assert len(volumes) == 1
