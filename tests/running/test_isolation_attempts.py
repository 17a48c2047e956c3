"""Escapes: all that an agent can try through the real host, shut in, to read a planted truth.

Each attempt first succeeds outside, where it can be made at all: an attempt that reads nothing
anywhere proves nothing.
"""

import os
import subprocess
import sys
from dataclasses import replace

import anyio.from_thread
import pytest
from escapes import CHECKOUT, CODE, PRELUDE, READS
from hidden_truth import CANARY, UNIQUE, planted

from gaugeblock.running.isolation.needles import sought
from gaugeblock.sandbox import available_isolation
from gaugeblock.sandbox.matching import Needles
from gaugeblock.sandbox.sealed import popen_arguments
from gaugeblock.worlds import HostWorld, shut_in
from gaugeblock.worlds.host_world import sealed_host

pytestmark = pytest.mark.skipif(
    available_isolation().kind != "bubblewrap", reason="bubblewrap cannot be used here"
)


@pytest.fixture(scope="module")
def leaks(truth):
    """Return a function: which needles a text of the agent's world holds; names it has itself."""
    wanted = sought(truth)
    needles = Needles([text for _, text in wanted.content], (), wanted.numbers)

    def found(text):
        return needles.in_content(text.encode(errors="replace"), loose=True)

    return found


@pytest.fixture(scope="module")
def place(hidden_step, tmp_path_factory):
    with planted(tmp_path_factory.mktemp("planted"), hidden_step) as found:
        yield found


@pytest.fixture(scope="module")
def world(lean_host, gates, place, tmp_path_factory):
    """One shut-in host for all attempts; calls are made from the tests' own thread."""
    gate = gates.trial("0001.attempts", "case", tmp_path_factory.mktemp("trial"))
    with anyio.from_thread.start_blocking_portal() as portal:
        opening = HostWorld.open(shut_in(lean_host, gate), None)
        with portal.wrap_async_context_manager(opening) as opened:

            class Calls:
                folder = opened._folder

                def __call__(self, name, **arguments):
                    return portal.call(opened.call, name, arguments)

                def session(self, method):
                    return portal.call(getattr(opened._session, method))

            yield Calls()


def ran(world, code):
    """Let the host run a program, and return all that its agent would read of it."""
    answer = world("propose", program=f"{PRELUDE}\n{code}\nresult = Box(1, 1, 1)", parameters={})
    return f"{answer.text}\n{answer.data}"


def filled(code, place, top):
    values = {name: getattr(place, name) for name in place.__annotations__}
    values |= {"reference": place.reference, "git_object": place.git_object, "top": top}
    for name, value in values.items():
        code = code.replace(f"{{{name}}}", str(value))
    return code


@pytest.mark.parametrize("attempt", READS)
def test_what_can_be_read_outside_cannot_be_read_inside(attempt, world, place, leaks):
    outside = subprocess.run(
        [sys.executable, "-c", PRELUDE + filled(READS[attempt], place, place.folder)],
        capture_output=True,
        text=True,
        cwd=place.folder,
    )
    if "process" in attempt and os.geteuid() != 0 and UNIQUE not in outside.stdout:
        pytest.skip("this machine keeps a user's own processes apart")
    assert UNIQUE in outside.stdout, outside.stderr
    told = ran(world, filled(READS[attempt], place, "/"))
    assert "COMMITTED" in told, told
    assert UNIQUE not in told and not leaks(told)


@pytest.mark.parametrize("attempt", CODE)
def test_no_code_that_has_the_truth_is_there(attempt, world, leaks):
    told = ran(world, CODE[attempt])
    assert "REJECTED [runtime]" in told
    assert "Error" in told and str(CHECKOUT) not in told and not leaks(told)


def test_the_installation_names_no_checkout(world):
    told = ran(world, "show(read_all('/site*/*.pth') + read_all('/site*/gaugeblock*/*'))")
    assert "COMMITTED" in told and str(CHECKOUT) not in told and "editable" not in told
    code = """
import importlib.metadata
said = importlib.metadata.distribution("gaugeblock")
show([said.read_text(name) for name in ("direct_url.json", "RECORD", "METADATA")])"""
    told = ran(world, code)
    assert "[None, None, None]" in told or "PackageNotFoundError" in told


def test_the_environment_is_the_sandboxs_own(world):
    told = ran(world, "show(sorted(os.environ.items()))")
    assert "COMMITTED" in told
    for word in ("GAUGEBLOCK", "API_KEY", "VIRTUAL_ENV", "PYTEST", str(CHECKOUT)):
        assert word not in told


def test_no_module_lies_in_the_checkout(world):
    code = """
lying = {str(getattr(module, "__file__", "")) for module in list(sys.modules.values())}
show(sorted(path for path in lying if "gaugeblock" in path)[:9])"""
    told = ran(world, code)
    assert "/gauge/gaugeblock/host/worker" in told and str(CHECKOUT) not in told


def test_tracebacks_and_messages_name_no_place_outside(world, leaks):
    code = """
import traceback
try:
    import_step("/nowhere/part.step")
except BaseException:
    show(traceback.format_exc())
1 / 0"""
    told = ran(world, code)
    assert "ZeroDivisionError" in told and str(CHECKOUT) not in told and not leaks(told)


def test_the_libraries_reader_reads_no_reference(world, place, leaks):
    told = ran(world, f"tried(lambda: import_step({str(place.reference)!r}).volume)")
    assert "COMMITTED" in told and not leaks(told)


def test_processes_of_others_are_neither_seen_nor_signalled(world, place):
    code = f"""
tried(lambda: os.kill({place.pid}, 0))
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
print("attached", libc.ptrace(16, {place.pid}, 0, 0))
print("processes", len(glob.glob("/proc/[0-9]*")))"""
    told = ran(world, code)
    assert "ProcessLookupError" in told and "attached -1" in told
    assert "processes 1" in told
    os.kill(place.pid, 0)  # it lives


def test_the_sandbox_has_no_socket_inside(world):
    code = """
found = glob.glob("/tmp/*/socket") + glob.glob("/sandbox/*") + glob.glob("/tmp/gaugeblock*")
show(found)"""
    assert '"printed": "[]' in ran(world, code).replace("'", '"')


def test_no_network_is_there(world):
    code = """
import socket
print(socket.if_nameindex())
tried(lambda: socket.create_connection(("192.0.2.1", 80), 2))"""
    told = ran(world, code)
    assert "Error" in told and "eth" not in told


def test_a_program_leaves_nothing_to_the_next(world):
    left = """
open("/tmp/left", "w").write("a note")
open("/dev/shm/left", "w").write("a note")
print(open("/tmp/left").read())"""
    assert "a note" in ran(world, left)
    told = ran(world, "show(glob.glob('/tmp/*') + glob.glob('/dev/shm/*'))")
    assert "COMMITTED" in told and "left" not in told


def test_the_search_leaves_no_needle_in_memory(world):
    """The needles were in a sister of this process; they are in none of its own pages."""
    code = """
import re
found = set()
for line in open("/proc/self/maps"):
    span, modes = line.split()[:2]
    if not modes.startswith("rw") or "[v" in line:
        continue
    begin, end = (int(part, 16) for part in span.split("-"))
    try:
        with open("/proc/self/mem", "rb", 0) as file:
            file.seek(begin)
            data = file.read(end - begin)
    except OSError:
        continue
    found |= set(re.findall(SOUGHT.encode() + rb"[0-9a-f-]{36}", data))
show(sorted(found))
print("searched")"""
    told = ran(world, code)
    assert "searched" in told and UNIQUE not in told


def test_no_core_is_dumped(world):
    told = ran(world, "import resource\nprint(resource.getrlimit(resource.RLIMIT_CORE)[0])")
    limit = told.partition('"printed": "')[2].partition("\\n")[0]
    assert int(limit) <= 1  # 0 would still feed a program that the kernel pipes cores to
    ran(world, "import ctypes\nctypes.string_at(0)")
    told = ran(world, "show(glob.glob('/tmp/core*') + glob.glob('/core*'))")
    assert "COMMITTED" in told and "core" not in told.partition('"printed": "')[2][:40]


@pytest.mark.parametrize(
    "file", ["../part.step", "/tmp/part.step", "a/b.step", "part.step\0", "..", "part.txt", ""]
)
def test_an_export_stays_in_its_folder(file, world):
    ran(world, "")
    before = {path.name for path in world.folder.parent.glob("*.step")}
    answer = world("export_step", file=file)
    assert answer.failed and "no plain file name" in answer.text
    assert {path.name for path in world.folder.parent.glob("*.step")} == before


@pytest.mark.parametrize("kind", ["symbolic", "hard"])
def test_an_export_onto_a_planted_link_touches_nothing_else(kind, world, place):
    before = place.reference.read_bytes()
    link = world.folder / f"{kind}.step"
    if kind == "symbolic":
        link.symlink_to(place.reference)
    else:
        place.reference.with_name("hard-target").write_bytes(before)
        try:
            os.link(place.reference.with_name("hard-target"), link)
        except OSError:
            pytest.skip("the two folders are of different file systems")
    ran(world, "")
    answer = world("export_step", file=link.name)
    assert UNIQUE not in answer.text
    assert place.reference.read_bytes() == before
    if kind == "hard":
        assert place.reference.with_name("hard-target").read_bytes() == before


@pytest.mark.parametrize(
    "query",
    ["__file__", "gaugeblock.suites", "import_step", "reference.step", "../..", "os.environ"],
)
def test_help_tells_of_the_language_alone(query, world, leaks):
    answer = world("look_up", query=query)
    told = f"{answer.text}{answer.data}".replace(query, "")
    assert str(CHECKOUT) not in told and not leaks(told)


@pytest.mark.parametrize("method", ["list_resources", "list_prompts", "list_resource_templates"])
def test_the_session_offers_nothing_else(method, world, leaks):
    try:
        found = world.session(method)
    except Exception as error:  # the server need not know of such lists
        assert not leaks(str(error))
    else:
        kept = [value for value in found.model_dump().values() if isinstance(value, list)]
        assert not any(kept)


HOST_VIEW = {
    "rooms": (
        "print(sorted(os.listdir('/gauge/gaugeblock')))",
        "['__init__.py', 'host', 'records', 'sandbox']",
    ),
    "homes": ("tried(lambda: os.listdir('/home'))", "FileNotFoundError"),
    "passwords": ("tried(lambda: open('/etc/passwd').read())", "FileNotFoundError"),
    "other folders": ("print(os.listdir('/tmp'))", "[]"),
    "own folder": ("print(os.listdir('/work'))", "['document.json']"),
    "processes": ("print(len(glob.glob('/proc/[0-9]*')))", "2"),
    "network": ("import socket; print([n for _, n in socket.if_nameindex()])", "['lo']"),
    "programs": ("print(os.path.exists('/usr/bin/gcc'), os.path.exists('/usr/bin/sh'))", "False"),
    "writing": ("tried(lambda: open('/gauge/x', 'w'))", "OSError"),
    "variables": ("print([n for n in os.environ if 'GAUGEBLOCK' in n or 'KEY' in n])", "[]"),
}


@pytest.mark.parametrize("what", HOST_VIEW)
def test_the_host_sees_its_rooms_and_its_folder_alone(what, lean_host, tmp_path, place):
    """The host's own view, with a program of ours in its place."""
    code, expected = HOST_VIEW[what]
    folder = tmp_path / "world"
    folder.mkdir()
    (folder / "document.json").write_text("{}")
    program = sealed_host(lean_host, lean_host.sandbox_socket, folder)
    python = program.command[0]
    looking = replace(program, command=(python, "-S", "-c", PRELUDE + code))
    done = subprocess.run(**popen_arguments(looking), capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert expected in done.stdout
    assert CANARY not in done.stdout
