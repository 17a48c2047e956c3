"""What a job starts ends with it, whatever it tries."""

import os
import subprocess
import sys
import threading
from dataclasses import replace

import pytest

from .conftest import LIMITS, Run, probe_server, processes_with, require, runner, wait_until


def test_killing_everything_in_reach_hurts_the_job_only(any_run: Run) -> None:
    for text in (
        "import os; os.kill(-1, 9)",
        "import os; [os.kill(1, s) for s in range(1, 32)]",
        "import os\ntry: os.kill(os.getppid(), 9)\nexcept OSError: pass",
        "import os\ntry: os.killpg(0, 9)\nexcept OSError: pass",
    ):
        any_run(text)
        assert any_run("result['alive'] = 1").value == {"alive": 1}, text


DAEMON = """
import os, subprocess, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execv("/usr/bin/env", ["env", "sleep", "{seconds}"])
    os._exit(0)
"""


def sleeper(seconds: str) -> list[int]:
    return processes_with(f"sleep\0{seconds}\0")


def test_a_daemon_dies_with_its_job(any_run: Run) -> None:
    seconds = f"98{os.getpid()}.5"
    answer = any_run(
        DAEMON.format(seconds=seconds)
        + """
deadline = time.monotonic() + 10
while time.monotonic() < deadline and "seen" not in result:
    try:
        for n in os.listdir("/proc"):
            if n.isdigit() and b"sleep" in open(f"/proc/{n}/cmdline", "rb").read():
                result["seen"] = n
    except PermissionError:  # Landlock hides it: the daemon may end before it has begun
        result["seen"] = ""
    except OSError:
        pass
"""
    )
    assert "seen" in answer.value, answer
    wait_until(lambda: not sleeper(seconds), "the end of the daemon")


def test_a_client_that_leaves_ends_its_job(any_run: Run, request: pytest.FixtureRequest) -> None:
    bubblewrap = "bubblewrap" in request.node.name
    server = request.getfixturevalue("server" if bubblewrap else "weak_server")
    seconds = f"97{os.getpid()}.5"
    text = DAEMON.format(seconds=seconds) + "\ntime.sleep(60)"
    script = f"""
import sys
from pathlib import Path
from gaugeblock.sandbox import Client, Limits
limits = Limits(60, 60, 1 << 30, 1 << 20, 1 << 20, 1 << 20)
Client(Path({str(server.socket_path)!r})).run("program", {{"text": {text!r}}}, limits=limits)
"""
    client = subprocess.Popen([sys.executable, "-c", script])
    wait_until(lambda: bool(sleeper(seconds)), "the start of the job")
    client.kill()
    client.wait()
    wait_until(lambda: not sleeper(seconds), "the end of the job")


@pytest.mark.parametrize("kind", ["bubblewrap", "landlock"])
def test_closing_the_server_ends_jobs_and_their_daemons(kind: str) -> None:
    require(kind)
    seconds = f"96{os.getpid()}.5"
    with probe_server(kind) as server:
        text = DAEMON.format(seconds=seconds) + "\ntime.sleep(60)"
        job = threading.Thread(target=runner(server), args=(text,))
        job.start()
        wait_until(lambda: bool(sleeper(seconds)), "the start of the daemon")
    wait_until(lambda: not sleeper(seconds), "the end of the daemon")
    job.join(5)
    assert not job.is_alive()


def test_a_fork_bomb_is_bounded(run: Run) -> None:
    count = run(
        """
        import os, time
        result["children"] = 0
        while True:
            try:
                if os.fork() == 0:
                    time.sleep(60)
                    os._exit(0)
            except OSError:
                break
            result["children"] += 1
        """
    )
    assert 100 < count.value["children"] < 300, count
    bomb = """
    import os
    while True:
        try:
            os.fork()
        except OSError:
            pass
    """
    answer = run(bomb, replace(LIMITS, wall_s=1))
    assert answer.status == "timeout"
    assert run("result['alive'] = 1").value == {"alive": 1}
