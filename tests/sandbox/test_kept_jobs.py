"""Jobs that stay: memory from request to request, a clock for each, and no way around the walls."""

from collections.abc import Iterator

import psutil
import pytest

from gaugeblock.sandbox import Client, KeptJob, WarmServer

from .conftest import LIMITS, wait_until


@pytest.fixture(params=["bubblewrap", "landlock"])
def kept(request: pytest.FixtureRequest) -> Iterator[KeptJob]:
    name = "server" if request.param == "bubblewrap" else "weak_server"
    started: WarmServer = request.getfixturevalue(name)
    job = Client(started.socket_path).keep("program", LIMITS)
    yield job
    job.close()


def named(name: str) -> bool:
    """Whether a process of the machine has this name."""
    return any(process.info["name"] == name for process in psutil.process_iter(["name"]))


def ask(job: KeptJob, text: str, wall_s: float = 10, blobs: tuple[bytes, ...] = ()):
    return job.ask({"text": text}, blobs=blobs, wall_s=wall_s)


def test_it_remembers(kept: KeptJob) -> None:
    assert not kept.alive
    assert ask(kept, "memory['count'] = 1").status == "done"
    for count in range(2, 6):
        answer = ask(kept, "memory['count'] += 1; result.update(memory)")
        assert answer.status == "done", answer
        assert answer.value == {"count": count}
        assert kept.alive
        assert 0 <= answer.wall_s < 5 and 0 <= answer.cpu_s < 5
        assert 1e6 < answer.peak_rss_bytes < 1e9


def test_blobs_beyond_a_pipes_size_go_both_ways(kept: KeptJob) -> None:
    big = b"\x00x" * 300_000
    for _ in range(3):
        answer = ask(kept, "out += blobs; result['sum'] = sum(map(len, blobs))", blobs=(big, b"y"))
        assert answer.value == {"sum": 600_001}
        assert answer.blobs == (big, b"y")


def test_an_exception_keeps_it_and_an_end_does_not(kept: KeptJob) -> None:
    assert ask(kept, "memory['x'] = 1").status == "done"
    answer = ask(kept, "raise KeyError('gone')")
    assert (answer.status, answer.error_type) == ("failed", "KeyError")
    assert ask(kept, "result.update(memory)").value == {"x": 1}
    answer = ask(kept, "import ctypes; ctypes.string_at(0)")
    assert answer.status == "crashed" and "SIGSEGV" in str(answer.error)
    assert not kept.alive
    assert ask(kept, "result.update(memory)").value == {}, "a new job has no memory"


def test_one_of_an_unknown_name_is_told_every_time(server: WarmServer) -> None:
    job = Client(server.socket_path).keep("unheard", LIMITS)
    for _ in range(3):
        answer = ask(job, "pass")
        assert answer.status == "failed" and "no job 'unheard'" in str(answer.error), answer
        assert not job.alive


def test_what_is_no_request_ends_it_and_all_it_started(kept: KeptJob) -> None:
    fork = "import ctypes, os, time\nif not os.fork():\n"
    fork += "  ctypes.CDLL(None).prctl(15, b'kept-orphan')\n  time.sleep(60)\n"
    assert ask(kept, fork).status == "done"
    wait_until(lambda: named("kept-orphan"), "the child")
    assert kept._connection is not None
    kept._connection.sendall(b"no frame at all, though as long as a prefix")
    answer = ask(kept, "pass")
    assert answer.status == "lost" and "BadFrame" in str(answer.error), answer
    wait_until(lambda: not named("kept-orphan"), "the end of the child")
    assert ask(kept, "result['alive'] = 1").value == {"alive": 1}


def test_each_request_has_its_own_clock(kept: KeptJob) -> None:
    for _ in range(4):
        assert ask(kept, "import time; time.sleep(0.3)", wall_s=1).status == "done"
    answer = ask(kept, "while True: pass", wall_s=0.5)
    assert answer.status == "timeout" and "0.5 s" in str(answer.error)
    assert 0.4 < answer.wall_s < 5
    assert not kept.alive


def test_limits_hold_for_its_life(kept: KeptJob) -> None:
    assert ask(kept, "memory['x'] = bytearray(100 << 20)").status == "done"
    answer = ask(kept, "memory['y'] = bytearray(1000 << 20)")
    assert answer.status == "limit" and "memory" in str(answer.error)
    answer = ask(kept, "out.append(bytes(2 << 20))")
    assert answer.status == "limit" and "result" in str(answer.error)


def test_one_that_ends_between_requests_is_told_at_the_next(kept: KeptJob) -> None:
    later = "import os, threading; threading.Timer(0.05, os._exit, (3,)).start()"
    ask(kept, f"{later}; result['pid'] = os.getpid()")
    ended = ask(kept, "import time; time.sleep(5)")
    assert ended.status == "crashed" and "exit status 3" in str(ended.error)
    assert ask(kept, "result['alive'] = 1").value == {"alive": 1}


def test_one_that_never_reads_its_requests_ends_with_its_clock(kept: KeptJob) -> None:
    # After its answer it sleeps instead of reading, so that the pipe to it fills up.
    stuck = "import os\n_real = os.read\nimport time\nos.read = lambda *a: time.sleep(60)"
    assert ask(kept, stuck).status == "done"
    answer = ask(kept, "pass", wall_s=0.5, blobs=(bytes(1 << 20),))
    assert answer.status == "timeout"


def test_it_answers_more_often_than_a_process_has_descriptors(server: WarmServer) -> None:
    job = Client(server.socket_path).keep("program", LIMITS)
    for count in range(1, 1_500):
        answer = ask(job, "memory['n'] = memory.get('n', 0) + 1; result.update(memory)")
        assert answer.value == {"n": count}, answer
    job.close()


def test_one_that_ends_with_its_answer_has_given_it(kept: KeptJob) -> None:
    ends = "import os, threading\nreal = os.write\n"
    ends += "def write(fd, data):\n  real(fd, data)\n  os._exit(0)\nos.write = write"
    assert ask(kept, ends).status == "done"
    assert ask(kept, "pass").status == "crashed"
    assert ask(kept, "pass").status == "done"


def test_closing_ends_it(server: WarmServer) -> None:
    job = Client(server.socket_path).keep("program", LIMITS)
    ask(job, "import ctypes; ctypes.CDLL(None).prctl(15, b'kept-probe')")
    assert named("kept-probe")
    job.close()
    wait_until(lambda: not named("kept-probe"), "the end of the job")
