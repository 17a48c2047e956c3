"""The relay between a client and a program that is not ours: bounds whatever comes out of it.

Runs as ``main()`` with one argument, a JSON object: ``args`` and ``env`` of the program,
``work``, its folder. Only lines that are JSON-RPC messages are passed on. It ends when the program
ends, and the program ends with it.

Its last words, and the end of the program's own, stand on its stderr, which must be a file: it is
kept short.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from typing import IO, Any, NoReturn

from . import namespaces

LARGEST_MESSAGE_BYTES = 8 << 20
"""One message. Pictures in base64 have some megabytes."""

ALL_BYTES = 1 << 30
"""All that a program may say in its life: a client reads each message, so none may talk forever."""

DEEPEST = 128
"""Nesting of a message. The client's own reader drops one of some 200 without a word, and would
then wait for it as for a server that hangs."""

STRAY_LINES = 10_000
"""Lines on stdout that are no message; servers that print there do so now and then."""

WORK_BYTES = 2 << 30
"""Of all files in the working folder together, as seen once a second."""

WORK_FILES = 20_000

WORDS_BYTES = 16_384
"""Length at which the file of last words is begun anew, with its last quarter."""

LOOK_S = 1.0
"""Time between two looks at the working folder."""

FLUSH_S = 2.0
"""Time for what a dead program wrote to be read."""

STRAY_SHOWN = 200
"""Bytes of a stray line that are kept."""


class Words:
    """The file of last words: never long, and its end is always the latest."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._lock = threading.Lock()
        self._kept = b""

    def add(self, data: bytes) -> None:
        """Append, and forget what lies far back."""
        with self._lock:
            data = data[-WORDS_BYTES:]  # one piece alone can be longer
            self._kept += data
            if len(self._kept) > WORDS_BYTES:
                self._kept = self._kept[-WORDS_BYTES // 4 :]
                os.ftruncate(self._fd, 0)
                os.lseek(self._fd, 0, os.SEEK_SET)
                data = self._kept
            os.write(self._fd, data)


class Relay:
    """One program, and the threads that carry its streams."""

    def __init__(self, plan: dict[str, Any]) -> None:
        self._words = Words(2)
        self._work = plan["work"]
        self._program = subprocess.Popen(
            plan["args"],
            env=plan["env"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
        )

    def run(self) -> int:
        """Carry until the program ends; return its exit status."""
        assert self._program.stdout and self._program.stderr
        out = threading.Thread(target=self._carry_out, args=(self._program.stdout,), daemon=True)
        err = threading.Thread(target=self._carry_words, args=(self._program.stderr,), daemon=True)
        for thread in (out, err):
            thread.start()
        for target in (self._carry_in, self._watch):
            threading.Thread(target=target, daemon=True).start()
        status = self._program.wait()
        for thread in (out, err):
            thread.join(FLUSH_S)
        return status

    def _give_up(self, why: str) -> NoReturn:
        self._words.add(f"\n{why}\n".encode())
        self._program.kill()
        os._exit(1)

    def _carry_in(self) -> None:
        assert self._program.stdin
        try:
            while data := os.read(0, 1 << 16):
                self._program.stdin.write(data)
        except OSError:
            pass  # it reads no longer: it is ending, or never did
        self._program.stdin.close()

    def _carry_words(self, stream: IO[bytes]) -> None:
        while data := stream.read(1 << 16):
            self._words.add(data)

    def _carry_out(self, stream: IO[bytes]) -> None:
        parts: list[bytes] = []
        held = total = strays = 0
        while data := stream.read(1 << 16):
            total += len(data)
            if total > ALL_BYTES:
                self._give_up(f"it said more than {ALL_BYTES:,} bytes")
            while data:
                line, end, data = data.partition(b"\n")
                parts.append(line)
                held += len(line)
                if held > LARGEST_MESSAGE_BYTES:
                    self._give_up(f"it sent more than {LARGEST_MESSAGE_BYTES:,} bytes at once")
                if not end:
                    break
                whole = b"".join(parts).strip()
                parts, held = [], 0
                if too_deep(whole):
                    self._give_up(f"it sent a message nested more than {DEEPEST} deep")
                if is_message(whole):
                    _write_all(1, whole + b"\n")
                elif whole:
                    strays += 1
                    self._words.add(b"no JSON-RPC: " + whole[:STRAY_SHOWN] + b"\n")
                    if strays > STRAY_LINES:
                        self._give_up(f"it wrote {strays:,} lines that are no JSON-RPC")

    def _watch(self) -> None:
        while True:
            time.sleep(LOOK_S)
            size, files = usage(self._work)
            if size > WORK_BYTES or files > WORK_FILES:
                most = f"{WORK_BYTES:,} bytes or {WORK_FILES:,} files"
                self._give_up(f"its folder holds more than {most}")


def is_message(line: bytes) -> bool:
    """Whether a line is a JSON-RPC message in UTF-8, with a method, a result or an error.

    The client's library breaks on other encodings, and drops what has another shape with a
    traceback on the user's terminal. Lone surrogates are no text in any encoding.
    """
    if not line.startswith(b"{"):
        return False
    try:
        found = json.loads(line.decode())  # of bytes it would guess UTF-16 as well
        if b"\\u" in line:
            json.dumps(found, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return False
    if not isinstance(found, dict) or found.get("jsonrpc") != "2.0":
        return False
    fault = found.get("error")
    told = isinstance(fault, dict) and {"code", "message"} <= fault.keys()
    return isinstance(found.get("method"), str) or isinstance(found.get("result"), dict) or told


def too_deep(line: bytes) -> bool:
    """Whether a line is JSON that no reader of the client takes for its nesting."""
    if line.count(b"[") + line.count(b"{") <= DEEPEST:
        return False
    try:
        level: list[Any] = [json.loads(line)]
    except ValueError:
        return False
    except RecursionError:
        return True
    for _ in range(DEEPEST):
        level = [
            child
            for item in level
            for child in (item.values() if isinstance(item, dict) else item)
            if isinstance(child, dict | list)
        ]
        if not level:
            return False
    return True


def usage(folder: str) -> tuple[int, int]:
    """Return bytes and number of files below a folder; links are not followed.

    A tree too deep to be walked counts as too many files.
    """
    size = files = 0
    try:
        for _, folders, names, fd in os.fwalk(folder, follow_symlinks=False):
            files += len(folders) + len(names)
            for name in names:
                try:
                    size += os.stat(name, dir_fd=fd, follow_symlinks=False).st_blocks * 512
                except OSError:
                    continue  # gone again
            if files > WORK_FILES:
                break
    except RecursionError:
        return size, WORK_FILES + 1
    except OSError:
        pass
    return size, files


def _write_all(fd: int, data: bytes) -> None:
    try:
        while data:
            data = data[os.write(fd, data) :]
    except OSError:
        os._exit(1)  # nobody listens


def main() -> None:
    """Start the program and carry."""
    namespaces.die_with_parent()
    sys.exit(Relay(json.loads(sys.argv[1])).run() & 0xFF)
