"""A piece of work in a child process of its own, which may crash or hang without harm.

Used inside the sandboxed job: the shapes are already in memory, the child inherits them, and only
its plain answer (JSON and arrays of numbers) comes back through a pipe. Work that has not ended by
its ceiling is killed.
"""

from __future__ import annotations

import gc
import json
import math
import os
import select
import signal
import time
from collections.abc import Callable
from typing import Any

import numpy as np

_CHUNK = 1 << 20

ARRAY = "__array__"

KINDS = {"f": "<f8", "i": "<i8", "b": "|b1", "u": "|u1"}
"""Arrays that can be sent, by their kind (unsigned: bytes alone); nothing that is executed on
arrival."""


class Child:
    """One forked piece of work.

    Args:
        work: Called in the child; its JSON-able dict is the answer.
        seconds: Ceiling from now, s.
    """

    def __init__(self, work: Callable[[], dict[str, Any]], seconds: float) -> None:
        self.seconds = seconds
        self.deadline = time.monotonic() + seconds
        self._answer: dict[str, Any] | str | None = None
        self._read, write = os.pipe()
        self._pid = os.fork()
        if self._pid == 0:
            _run(work, write)
        os.close(write)

    def result(self) -> dict[str, Any] | str:
        """Wait for the answer; return it, or one line that says why there is none."""
        if self._answer is None:
            self._answer = self._wait()
        return self._answer

    def stop(self) -> None:
        """Kill the child if it still runs; its answer is then that it was stopped."""
        if self._answer is None:
            os.close(self._read)
            os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)
            self._answer = "stopped: no longer needed"

    def _wait(self) -> dict[str, Any] | str:
        data, ended = bytearray(), False
        while not ended:
            left = self.deadline - time.monotonic()
            if left <= 0 or not select.select([self._read], [], [], left)[0]:
                break
            chunk = os.read(self._read, _CHUNK)
            ended = not chunk
            data += chunk
        os.close(self._read)
        if not ended:
            os.kill(self._pid, signal.SIGKILL)
        _, status = os.waitpid(self._pid, 0)
        if not ended:
            return f"not done within {self.seconds:.3g} s"
        if os.WIFSIGNALED(status):
            return f"the kernel crashed (signal {os.WTERMSIG(status)})"
        try:
            answer = _unpacked(bytes(data))
        except (ValueError, KeyError, TypeError):
            return "the child gave no answer"
        return answer if isinstance(answer, dict) else str(answer)


def _run(work: Callable[[], dict[str, Any]], write: int) -> None:
    """Do the work and leave, without the parent's clean-up."""
    code = 1
    gc.freeze()  # else the first collection here copies every page that the parent's objects are on
    try:
        try:
            parts = _packed(work())
        except MemoryError:
            parts = _packed("out of memory")
        except Exception as error:
            parts = _packed(f"{type(error).__name__}: {error}"[:200])
        with os.fdopen(write, "wb") as pipe:
            pipe.writelines(parts)
        code = 0
    finally:
        os._exit(code)


def _packed(answer: Any) -> list[bytes]:
    """Return one line of JSON, and after it the arrays that it refers to."""
    arrays: list[bytes] = []
    text = json.dumps(_plain(answer, arrays))
    return [text.encode() + b"\n", *arrays]


def _unpacked(data: bytes) -> Any:
    text, _, rest = data.partition(b"\n")
    at = 0

    def restored(value: dict[str, Any]) -> Any:
        nonlocal at
        if set(value) != {ARRAY, "shape"}:
            return value
        kind = np.dtype(KINDS[value[ARRAY]])
        found = np.frombuffer(rest, kind, math.prod(value["shape"]), at)
        at += found.nbytes
        return found.reshape(value["shape"]).copy()

    return json.loads(text, object_hook=restored)


def _plain(value: Any, arrays: list[bytes]) -> Any:
    """Return JSON without NaN or infinity: those become None. Arrays go into `arrays`."""
    if isinstance(value, dict):
        return {key: _plain(item, arrays) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item, arrays) for item in value]
    if isinstance(value, np.ndarray):
        kind = value.dtype.kind
        if kind == "u" and value.dtype.itemsize != 1:
            raise TypeError("of unsigned numbers only bytes are sent")
        arrays.append(np.ascontiguousarray(value, KINDS[kind]).tobytes())
        return {ARRAY: kind, "shape": list(value.shape)}
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
