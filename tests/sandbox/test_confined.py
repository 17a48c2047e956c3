"""A program that is not ours: what it sees, what it cannot do, and what stays of it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import gaugeblock
from gaugeblock.sandbox import SandboxUnavailable, available_isolation, confined
from gaugeblock.sandbox.confined import Program, popen_arguments, python_inside, shown_inside

pytestmark = pytest.mark.skipif(
    available_isolation().kind != "bubblewrap", reason="bubblewrap cannot be used here"
)


def run(tmp_path, code, **more):
    """Run a Python program behind its walls; return what it printed last, as JSON."""
    work = tmp_path / "work"
    work.mkdir(exist_ok=True)
    command = [python_inside(None), "-I", "-S", "-c", code]
    done = subprocess.run(
        **popen_arguments(Program(command, work, **more)),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def tried(call):
    return f"""
import json, os
try:
    {call}
    print(json.dumps("done"))
except OSError as error:
    print(json.dumps(type(error).__name__))
"""


def test_it_works_in_its_own_folder_which_outlives_it(tmp_path):
    code = "import json, os\nopen('a.txt', 'w').write('made')\nprint(json.dumps(os.getcwd()))"
    assert run(tmp_path, code) == "/work"
    assert (tmp_path / "work" / "a.txt").read_text() == "made"


def test_its_environment_is_what_it_was_given(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    found = run(
        tmp_path, "import json, os; print(json.dumps(dict(os.environ)))", variables={"UNIT": "mm"}
    )
    assert found.pop("PWD", "/work") == "/work"
    assert found == {"HOME": "/tmp", "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin", "UNIT": "mm"} | {
        name: found[name] for name in found if name == "LC_CTYPE"
    }


@pytest.mark.parametrize(
    "call",
    [
        "open('/usr/x', 'w')",
        "open('/x', 'w')",
        "os.mkdir('/etc/x')",
        "open('/proc/sys/kernel/hostname', 'w')",
        "open('/etc/passwd')",
        "os.listdir('/home')",
    ],
)
def test_it_reaches_nothing_else(tmp_path, call):
    assert run(tmp_path, tried(call)) != "done"


def test_of_a_home_only_the_way_to_the_interpreter_shows(tmp_path):
    home = Path.home()
    listed = f"import json, os; print(json.dumps(os.listdir({str(home)!r})))"
    way = Path(sys.base_prefix).resolve()
    if way.is_relative_to(home):
        assert run(tmp_path, listed) == [way.relative_to(home).parts[0]]
    else:
        assert run(tmp_path, tried(listed)) != "done"


def test_it_has_no_network(tmp_path):
    code = tried("import socket; socket.create_connection(('127.0.0.1', 9), 2)")
    assert run(tmp_path, code) != "done"
    names = run(tmp_path, "import json, socket; print(json.dumps(dict(socket.if_nameindex())))")
    assert set(names.values()) <= {"lo"}


def test_it_sees_no_truth_of_ours(tmp_path):
    """Of this package only the sandbox's own room shows, wherever the package lies."""
    ours = Path(gaugeblock.__file__).parent
    code = f"""
import json, os
found = [os.path.join(folder, name) for top in ("/gauge", {str(ours)!r}, "/server", "/folder")
         for folder, _, names in os.walk(top) for name in names]
print(json.dumps(found))
"""
    found = run(tmp_path, code)
    assert found and all(path.startswith("/gauge/gaugeblock/") for path in found)
    rooms = {path.split("/")[3] for path in found}
    assert rooms <= {"sandbox", "__init__.py"}


def test_what_is_shown_is_read_only_and_nothing_beside_it(tmp_path):
    shown = tmp_path / "server"
    shown.mkdir()
    (shown / "part.txt").write_text("there")
    (tmp_path / "secret.txt").write_text("secret")
    inside = shown_inside(shown)
    read = f"import json; print(json.dumps(open('{inside}/part.txt').read()))"
    assert run(tmp_path, read, shown=shown) == "there"
    assert run(tmp_path, tried(f"open('{inside}/new', 'w')"), shown=shown) != "done"
    assert run(tmp_path, tried(f"open('{inside}/../secret.txt')"), shown=shown) != "done"
    assert run(tmp_path, tried(f"open({str(tmp_path / 'secret.txt')!r})"), shown=shown) != "done"


def test_its_processes_are_bounded_and_end_with_it(tmp_path):
    code = f"""
import json, os, time
made = 0
try:
    for _ in range({confined.PROCESSES_MAX} + 50):
        if os.fork() == 0:
            time.sleep(600)
            os._exit(0)
        made += 1
except OSError:
    pass
print(json.dumps(made))
"""
    assert 0 < run(tmp_path, code) < confined.PROCESSES_MAX  # it waits for none: all are gone


def test_its_memory_is_bounded(tmp_path):
    code = """
import json
try:
    bytearray(2 << 30)
    print(json.dumps("done"))
except MemoryError:
    print(json.dumps("MemoryError"))
"""
    assert run(tmp_path, code, memory_bytes=1 << 30) == "MemoryError"
    assert run(tmp_path, code, memory_bytes=4 << 30) == "done"


def test_an_environment_is_seen_with_its_interpreter(tmp_path):
    place = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", place], check=True)
    place.chmod(0o755)
    work = tmp_path / "work"
    work.mkdir()
    code = "import sys; print(sys.prefix, sys.executable)"
    program = Program([python_inside(place), "-c", code], work, environment=place)
    done = subprocess.run(**popen_arguments(program), capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["/server", "/server/bin/python"], done.stderr


def test_what_is_no_environment_is_refused(tmp_path):
    with pytest.raises(ValueError, match="empty is no virtual environment"):
        (tmp_path / "empty").mkdir()
        popen_arguments(Program(["x"], tmp_path, environment=tmp_path / "empty"))


def test_nothing_less_than_bubblewrap_will_do(tmp_path, monkeypatch):
    monkeypatch.setenv("GAUGEBLOCK_SANDBOX", "none")
    with pytest.raises(SandboxUnavailable, match="runs in nothing less"):
        popen_arguments(Program(["true"], tmp_path))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("command", [["no-such-cad"], ["/usr"], [""], ["sh", "a\0b"]])
def test_a_command_that_cannot_be_run_is_told_in_one_line(tmp_path, command):
    done = subprocess.run(
        **popen_arguments(Program(command, tmp_path)), capture_output=True, timeout=60, check=False
    )
    assert done.returncode == 1
    assert done.stderr.startswith(f"{command[0]!r} cannot be run: ".encode())
    assert done.stderr.count(b"\n") == 1
