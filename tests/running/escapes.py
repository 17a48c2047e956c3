"""Programs that try to read a planted truth; see test_isolation_attempts.py."""

from pathlib import Path

import gaugeblock

CHECKOUT = Path(gaugeblock.__file__).parents[1]

# Shows the surroundings of what is sought, which the program itself does not spell out.
PRELUDE = """
import glob, os, sys
SOUGHT = "gaugeblock-" + "canary-"
def show(found):
    text = found.decode("latin-1") if isinstance(found, (bytes, bytearray)) else str(found)
    at = text.find(SOUGHT)
    print(text[at:at + 60] if at >= 0 else text[-200:])
def tried(call):
    try:
        show(call())
    except BaseException as error:
        print(type(error).__name__, error)
def read(path):
    with open(path, "rb") as file:
        return file.read(1 << 22)
def read_all(pattern):
    found = b""
    for path in glob.glob(pattern):
        try:
            found += read(path)
        except OSError:
            pass
    return found
"""

READS = {
    "the reference by its path": "tried(lambda: read('{reference}'))",
    "a walk over everything": """
def walk():
    for folder, _, names in os.walk("{top}"):
        for name in names:
            if name.endswith((".step", ".stp")):
                return read(os.path.join(folder, name))
    return "nothing"
tried(walk)""",
    "environments of processes": "tried(lambda: read_all('/proc/[0-9]*/environ'))",
    "arguments of processes": "tried(lambda: read_all('/proc/[0-9]*/cmdline'))",
    "the root of a process": "tried(lambda: read('/proc/{pid}/root{reference}'))",
    "the folder of a process": "tried(lambda: read_all('/proc/[0-9]*/cwd/reference.step'))",
    "open files of a process": """
def opened():
    for path in glob.glob("/proc/{pid}/fd/*"):
        if os.readlink(path).endswith(".step"):
            return read(path)
    return "none"
tried(opened)""",
    "memory of a process": """
def memory():
    found = b""
    for line in open("/proc/{pid}/maps"):
        if "[heap]" in line or "[stack]" in line:
            begin, end = (int(part, 16) for part in line.split()[0].split("-"))
            with open("/proc/{pid}/mem", "rb", 0) as file:
                file.seek(begin)
                found += file.read(end - begin)
    return found
tried(memory)""",
    "a server on this machine": """
import socket
def ask():
    with socket.create_connection(("127.0.0.1", {port}), 5) as connection:
        return connection.recv(99)
tried(ask)""",
    "an abstract socket": """
import socket
def ask():
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect("\\0" + "{abstract}")
        return connection.recv(99)
tried(ask)""",
    "a local socket": """
import socket
def ask():
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect("{folder}/local")
        return connection.recv(99)
tried(ask)""",
    "shared memory": "tried(lambda: read_all('/dev/shm/*'))",
    "System V memory": """
import ctypes
def attach():
    libc = ctypes.CDLL(None, use_errno=True)
    libc.shmat.restype = ctypes.c_void_p
    address = libc.shmat({segment}, None, 0o10000)
    if address in (None, ctypes.c_void_p(-1).value):
        raise OSError(ctypes.get_errno(), "shmat")
    return ctypes.string_at(address, 99)
tried(attach)""",
    "a link of one's own": """
def link():
    os.symlink("{reference}", "/tmp/{abstract}")
    try:
        return read("/tmp/{abstract}")
    finally:
        os.unlink("/tmp/{abstract}")
tried(link)""",
    "a hard link": """
def link():
    os.link("{reference}", "{folder}/hard")
    try:
        return read("{folder}/hard")
    finally:
        os.unlink("{folder}/hard")
tried(link)""",
    "what another trial left": "tried(lambda: read('{leftover}'))",
    "objects of git": """
import zlib
tried(lambda: zlib.decompress(read("{git_object}")))""",
    "a way up": "tried(lambda: read('/tmp/' + '../' * 9 + '{reference}'))",
    "a child process": """
import subprocess
tried(lambda: subprocess.run([sys.executable, "-c", "print(open('{reference}').read())"],
                             capture_output=True, check=True).stdout)""",
}
"""Attempts that succeed outside."""

CODE = {
    f"import of {room}": f"import gaugeblock.{room} as room\nshow(room.__file__)"
    for room in ("suites", "calibration", "analysis", "running", "web", "cli", "ruler")
} | {
    "the checkout on the path": f"""
sys.path.insert(0, {str(CHECKOUT)!r})
for name in [name for name in sys.modules if name.startswith("gaugeblock")]:
    del sys.modules[name]
import gaugeblock.suites.growth
show(gaugeblock.suites.growth.__file__)""",
    "the package's files": """
import importlib.resources
room = importlib.resources.files("gaugeblock") / "suites"
show([item.name for item in room.iterdir()])""",
}
"""Attempts at code that has the truth in it; each raises inside."""
