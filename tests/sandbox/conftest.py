"""Servers shared by the tests of the room, and how they are asked."""

import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gaugeblock.sandbox import Client, JobResult, Limits, WarmServer, available_isolation

PROBE = Path(__file__).with_name("probe_jobs.py")

LIMITS = Limits(
    wall_s=20,
    cpu_s=10,
    memory_bytes=1 << 30,
    file_bytes=8 << 20,
    result_bytes=1 << 20,
    scratch_bytes=4 << 20,
)

Run = Callable[..., JobResult]


def runner(server: WarmServer) -> Run:
    """A function that runs program text on ``server``: run(text, limits=..., files=..., ...)."""
    client = Client(server.socket_path)

    def run(text: str, limits: Limits = LIMITS, **options: object) -> JobResult:
        value = {"text": textwrap.dedent(text)}
        return client.run("program", value, limits=limits, **options)

    return run


def probe_server(force: str | None = None, **options: object) -> WarmServer:
    """A server of the probe jobs."""
    return WarmServer(
        entry="probe_jobs",
        rooms=("sandbox",),
        name="probe",
        extra_modules=(PROBE,),
        force=force,
        **options,
    )


def wait_until(true: Callable[[], bool], what: str, timeout_s: float = 10) -> None:
    """Await a condition of another process, which gives no other sign."""
    deadline = time.monotonic() + timeout_s
    while not true():
        assert time.monotonic() < deadline, f"{what} did not come true"
        time.sleep(0.01)


def processes_with(marker: str) -> list[int]:
    """Numbers of the machine's processes whose command line holds ``marker``."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                if marker.encode() in (folder / "cmdline").read_bytes():
                    found.append(int(folder.name))
            except OSError:
                continue
    return found


def require(kind: str) -> None:
    """Skip the test where the machine does not give this wall."""
    found = available_isolation(kind)
    if found.kind != kind:
        pytest.skip(f"this machine gives no {kind}: {found.why}")


@pytest.fixture(scope="session")
def server() -> Iterator[WarmServer]:
    require("bubblewrap")
    with probe_server("bubblewrap") as started:
        started.wait_ready(30)
        yield started


@pytest.fixture(scope="session")
def run(server: WarmServer) -> Run:
    return runner(server)


@pytest.fixture(scope="session")
def weak_server() -> Iterator[WarmServer]:
    require("landlock")
    with probe_server("landlock") as started:
        started.wait_ready(30)
        yield started


@pytest.fixture(scope="session")
def weak_run(weak_server: WarmServer) -> Run:
    return runner(weak_server)


@pytest.fixture(params=["bubblewrap", "landlock"])
def any_run(request: pytest.FixtureRequest) -> Run:
    """Each of the two walls in turn."""
    name = "run" if request.param == "bubblewrap" else "weak_run"
    chosen: Run = request.getfixturevalue(name)
    return chosen
