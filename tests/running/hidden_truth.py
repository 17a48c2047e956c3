"""A truth to keep out of reach, planted wherever a careless machine would show it."""

import os
import subprocess
import sys
import uuid
import zlib
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

CANARY = f"gaugeblock-canary-{uuid.uuid4()}"
UNIQUE = CANARY.removeprefix("gaugeblock-canary-")

PROGRAM = "result = Box(31.713, 22.391, 13.127) - Pos(3.417, 2.253, 0) * Cylinder(4.119, 40)"
"""Its volume, area and centroid have more than six digits each."""

KEEPER = """
import ctypes, os, socket, sys, threading
from multiprocessing import shared_memory, resource_tracker
canary, folder, abstract = sys.argv[1:]

def serve(family, address):
    server = socket.socket(family)
    server.bind(address)
    server.listen()
    def answer():
        while True:
            connection, _ = server.accept()
            connection.sendall(canary.encode())
            connection.close()
    threading.Thread(target=answer, daemon=True).start()
    return server.getsockname()

_, port = serve(socket.AF_INET, ("127.0.0.1", 0))
serve(socket.AF_UNIX, "\\0" + abstract)
serve(socket.AF_UNIX, os.path.join(folder, "local"))
open_file = open(os.path.join(folder, "reference.step"))
libc = ctypes.CDLL(None)
libc.shmat.restype = ctypes.c_void_p
segment = libc.shmget(0, 4096, 0o1666)
ctypes.memmove(libc.shmat(segment, None, 0), canary.encode(), len(canary))
print(port, segment, flush=True)
sys.stdin.read()
libc.shmctl(segment, 0, None)
"""
"""A process that holds the truth in its arguments, environment, memory, sockets and open files."""


@dataclass(frozen=True)
class Planted:
    """Where the truth lies outside.

    Attributes:
        folder: has the reference, its git objects and a local socket.
        leftover: a file that another trial left in the temporary folder.
        shared: a file in shared memory.
        pid: of the process that keeps it.
        port: of its server on this machine.
        abstract: name of its abstract socket.
        segment: id of its System V memory.
    """

    folder: Path
    leftover: Path
    shared: Path
    pid: int
    port: int
    abstract: str
    segment: int

    @property
    def reference(self) -> Path:
        return self.folder / "reference.step"

    @property
    def git_object(self) -> Path:
        return self.folder / ".git" / "objects" / "ab" / "cdef"


@contextmanager
def planted(folder, step):
    """Plant the truth in ``folder`` and all around; it goes when this ends."""
    marked = step.replace(b"HEADER;", f"HEADER;\n/* {CANARY} */".encode(), 1)
    assert CANARY.encode() in marked
    (folder / "reference.step").write_bytes(marked)
    loose = folder / ".git" / "objects" / "ab" / "cdef"
    loose.parent.mkdir(parents=True)
    loose.write_bytes(zlib.compress(b"blob 9\0" + marked))
    leftover = Path("/tmp") / f"gaugeblock-world-{uuid.uuid4().hex}"
    leftover.mkdir()
    shared = Path("/dev/shm") / f"gaugeblock-{uuid.uuid4().hex}"
    abstract = f"gaugeblock-{uuid.uuid4().hex}"
    keeper = subprocess.Popen(
        [sys.executable, "-c", KEEPER, CANARY, str(folder), abstract],
        env={**os.environ, "GAUGEBLOCK_TRUTH": CANARY},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        (leftover / "document.json").write_text(CANARY)
        shared.write_text(CANARY)
        port, segment = keeper.stdout.readline().split()
        yield Planted(
            folder,
            leftover / "document.json",
            shared,
            keeper.pid,
            int(port),
            abstract,
            int(segment),
        )
    finally:
        keeper.stdin.close()
        keeper.wait(20)
        shared.unlink(missing_ok=True)
        (leftover / "document.json").unlink(missing_ok=True)
        leftover.rmdir()
