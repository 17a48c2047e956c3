"""How jobs end, and what the server tells of it. Both walls, for the supervisor is the same."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from gaugeblock.sandbox import Client, Limits, WarmServer

from .conftest import LIMITS, Run


def test_a_job_returns_values_and_blobs(any_run: Run) -> None:
    answer = any_run(
        "result['sum'] = sum(map(len, blobs)); result['warmed'] = warmed; out += blobs[::-1]",
        blobs=[b"ab", b"", b"\x00c" * 1000],
    )
    assert answer.status == "done", answer
    assert answer.value == {"sum": 2002, "warmed": True}
    assert answer.blobs == (b"\x00c" * 1000, b"", b"ab")
    assert answer.error is None and answer.error_type is None
    assert 0 < answer.wall_s < 10 and 0 <= answer.cpu_s < 10
    assert 5e6 < answer.peak_rss_bytes < 1e9


def test_a_job_that_raises_failed(any_run: Run) -> None:
    answer = any_run("raise KeyError('no such face')")
    assert (answer.status, answer.error_type) == ("failed", "KeyError")
    assert "no such face" in str(answer.error)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("raise SystemExit(0)", "SystemExit"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("result['x'] = {1, 2}", "TypeError"),
        ("class Odd(Exception):\n  def __str__(self): raise ValueError\nraise Odd", "Odd"),
        ("x = (", "SyntaxError"),
    ],
)
def test_whatever_it_raises_is_told(run: Run, text: str, kind: str) -> None:
    answer = run(text)
    assert (answer.status, answer.error_type) == ("failed", kind)


def test_a_wrong_job_is_told(server: WarmServer) -> None:
    client = Client(server.socket_path)
    answer = client.run("wrong_type", {}, limits=LIMITS)
    assert (answer.status, answer.error_type) == ("failed", "TypeError")
    answer = client.run("unheard", {}, limits=LIMITS)
    assert answer.status == "failed" and "program" in str(answer.error)


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("import ctypes; ctypes.string_at(0)", "SIGSEGV"),
        ("import ctypes; ctypes.CDLL(None).abort()", "SIGABRT"),
        ("import os; os._exit(0)", "exit status 0"),
        ("import os; os._exit(3)", "exit status 3"),
        ("import os; [os.write(n, b'garbage') for n in range(3, 9) if n in FDS]; os._exit(0)",
         "no result"),
        ("import os; [os.write(n, b'GBF1' + b'\\xff' * 4) for n in FDS]; os._exit(0)", "no result"),
        ("import os; os.closerange(0, 100)", "exit status 1"),
    ],
)  # fmt: skip
def test_a_job_that_breaks_off_crashed(any_run: Run, text: str, sign: str) -> None:
    fds = "import os, stat\nFDS = [n for n in range(3, 99) if os.path.exists(f'/proc/self/fd/{n}')]"
    answer = any_run(f"{fds}\n{text}")
    assert answer.status == "crashed", answer
    assert sign in str(answer.error)
    assert any_run("result['alive'] = 1").value == {"alive": 1}


def test_a_forged_frame_is_no_more_than_a_result(run: Run) -> None:
    answer = run(
        """
        import json, os, struct
        header = b'{"ok": true, "value": [1], "blobs": []}'
        frame = struct.pack("!4sIQ", b"GBF1", len(header), 0) + header
        for n in range(3, 99):
            try:
                os.write(n, frame)
            except OSError:
                pass
        os._exit(0)
        """
    )
    assert (answer.status, answer.value) == ("crashed", {})


@pytest.mark.parametrize("status", [1, 97])
def test_a_job_cannot_say_that_its_walls_were_not_built(any_run: Run, status: int) -> None:
    """That would read as our fault. 97 was the exit status by which the walls once told it."""
    said = "import os\nfor n in range(3, 99):\n  try: os.write(n, b'OSError: no walls')\n"
    for text in ("import os\n", said + "  except OSError: pass\n"):
        answer = any_run(f"{text}os._exit({status})")
        assert answer.status == "crashed", answer


def test_walls_that_cannot_be_built_are_told_as_lost(weak_server: WarmServer) -> None:
    answer = Client(weak_server.socket_path).run("program", {}, limits=_Unbuildable(LIMITS))
    assert answer.status == "lost"
    assert "walls of the job could not be built: TypeError" in str(answer.error)


class _Unbuildable:
    """Limits that the kernel refuses, which ``Limits`` itself lets nobody ask for."""

    def __init__(self, limits: Limits) -> None:
        self.result_bytes = limits.result_bytes
        self._value = limits.as_dict() | {"cpu_s": "seven"}

    def as_dict(self) -> dict[str, Any]:
        return self._value


def test_wall_ceiling(any_run: Run) -> None:
    answer = any_run("import time; time.sleep(60)", replace(LIMITS, wall_s=0.3))
    assert answer.status == "timeout"
    assert 0.3 <= answer.wall_s < 2


def test_processor_ceiling(any_run: Run) -> None:
    answer = any_run("while True: pass", replace(LIMITS, cpu_s=1))
    assert answer.status == "limit" and str(answer.error).startswith("cpu:")
    assert 0.6 < answer.cpu_s < 2


def test_memory_ceiling(any_run: Run) -> None:
    answer = any_run("x = bytearray(600 << 20)", replace(LIMITS, memory_bytes=512 << 20))
    assert answer.status == "limit" and str(answer.error).startswith("memory:")
    assert any_run("x = bytearray(600 << 20)").status == "done"


def test_file_ceiling(any_run: Run) -> None:
    text = "open('part.step', 'wb').write(bytes(3 << 20))"
    answer = any_run(text, replace(LIMITS, file_bytes=2 << 20))
    assert answer.status == "limit" and str(answer.error).startswith("file:")
    assert any_run(text).status == "done"


def test_result_ceiling(any_run: Run) -> None:
    for text in ("out.append(bytes(1 << 20))", "result['x'] = 'y' * (1 << 20)"):
        answer = any_run(text, replace(LIMITS, result_bytes=1 << 19))
        assert answer.status == "limit" and str(answer.error).startswith("result:")
        assert any_run(text, replace(LIMITS, result_bytes=1 << 21)).status == "done"


@pytest.mark.parametrize("folder", ["/tmp", "/dev/shm"])
def test_scratch_ceiling(run: Run, folder: str) -> None:
    text = f"for n in range(9): open('{folder}/' + str(n), 'wb').write(bytes(1 << 20))"
    answer = run(text)
    assert answer.status == "limit" and str(answer.error).startswith("scratch:")
    assert run(text, replace(LIMITS, scratch_bytes=16 << 20)).status == "done"


def test_many_clients_at_once(server: WarmServer) -> None:
    client = Client(server.socket_path)
    with ThreadPoolExecutor(8) as pool:
        asked = [
            pool.submit(client.run, "program", {"text": f"result['n'] = {n}"}, limits=LIMITS)
            for n in range(40)
        ]
    assert [one.result().value for one in asked] == [{"n": n} for n in range(40)]


def test_impossible_requests_raise(server: WarmServer) -> None:
    client = Client(server.socket_path)
    with pytest.raises(TypeError):
        client.run("program", {"text": {1}}, limits=LIMITS)
    with pytest.raises(ValueError, match="at most"):
        client.run("program", {}, files=[0] * 99, limits=LIMITS)
    with pytest.raises(ValueError, match="wall_s"):
        replace(LIMITS, wall_s=0)
