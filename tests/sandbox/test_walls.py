"""What a job cannot see or reach."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gaugeblock.sandbox import Client, WarmServer

from .conftest import PROBE, Run, probe_server, runner

REPOSITORY = Path(__file__).resolve().parents[2]


def test_no_network(any_run: Run) -> None:
    answer = any_run(
        """
        import socket
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
            try:
                s = socket.socket(socket.AF_INET, kind)
                s.settimeout(2)
                s.connect(("198.51.100.1", 53))
                s.send(b"x")
            except OSError as error:
                result[str(int(kind))] = error.errno
        """
    )
    assert len(answer.value) == 2, answer


def test_bubblewrap_alone_leaves_no_interface(server: WarmServer) -> None:
    """Below the filter of system calls: the namespace itself has a loopback only."""
    namespaces = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()
    interfaces = Path(f"/proc/{namespaces[0]}/net/dev").read_text().splitlines()[2:]
    assert [line.split(":")[0].strip() for line in interfaces] == ["lo"]


def test_the_environment_is_scrubbed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROVIDER_API_KEY", "secret-7731")
    monkeypatch.setenv("OPENBLAS_CORETYPE", "Haswell")
    with probe_server() as server:
        answer = runner(server)(
            """
            import os
            result["environment"] = dict(os.environ)
            result["raw"] = [open(f"/proc/{p}/environ", "rb").read().decode() for p in ("self",)]
            """
        )
    assert answer.status == "done", answer
    assert "secret-7731" not in json.dumps(answer.value)
    environment = answer.value["environment"]
    assert environment["OPENBLAS_CORETYPE"] == "Haswell"
    assert environment["PYTHONHASHSEED"] == "0"
    assert set(environment) <= {
        "HOME", "TMPDIR", "LANG", "LC_CTYPE", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "PATH",
        "PYTHONDONTWRITEBYTECODE", "PYTHONHASHSEED", "PYTHONPATH", "OPENBLAS_CORETYPE", "PWD",
        "OPENBLAS_L2_SIZE",
    }  # fmt: skip


READ_ALL = """
import os
for path in blobs[0].decode().split("\\n"):
    try:
        result[path] = os.listdir(path) if os.path.isdir(path) else open(path).read(20)
    except OSError:
        pass
"""


def test_nothing_outside_is_readable(any_run: Run, tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_text("a run's folder")
    outside = [
        REPOSITORY, REPOSITORY / ".git", REPOSITORY / "pyproject.toml", REPOSITORY / "README.md",
        REPOSITORY / "src/gaugeblock/suites", REPOSITORY / "src/gaugeblock/suites/__init__.py",
        REPOSITORY / "src/gaugeblock/ruler", Path(__file__), Path.cwd(), tmp_path,
        tmp_path / "plan.json", Path("/work"), Path("/etc/passwd"), Path("/etc/shadow"),
        Path("/var"), Path("/opt"), Path("/srv"), Path("/mnt"), Path("/run"),
    ]  # fmt: skip
    answer = any_run(READ_ALL, blobs=["\n".join(map(str, outside)).encode()])
    assert (answer.status, answer.value) == ("done", {}), answer


def test_the_root_holds_what_was_bound_and_no_more(run: Run) -> None:
    answer = run("import os; result = {p: os.listdir(p) for p in ('/', '/gauge', '/tmp')}")
    root = {"usr", "bin", "sbin", "lib", "lib32", "lib64", "libx32", "etc", "proc", "dev", "tmp",
            "gauge", "site"}  # fmt: skip
    prefix = Path(sys.base_prefix).resolve().parts[1]
    assert set(answer.value["/"]) <= root | {prefix, "site1", "site2"}
    assert set(answer.value["/gauge"]) == {"gaugeblock", "probe_jobs.py"}
    assert answer.value["/tmp"] == []


def test_the_home_holds_at_most_the_interpreter(run: Run) -> None:
    answer = run(READ_ALL, blobs=[str(Path.home()).encode()])
    seen = set(answer.value.get(str(Path.home()), []))
    prefix = Path(sys.base_prefix).resolve()
    if prefix.is_relative_to(Path.home()):
        seen -= {prefix.relative_to(Path.home()).parts[0]}
    assert not seen


def test_only_the_asked_rooms_are_there(any_run: Run) -> None:
    answer = any_run(
        """
        import gaugeblock, os, importlib
        home = os.path.dirname(gaugeblock.__file__)
        result["rooms"] = sorted(n for n in os.listdir(home) if not n.startswith("__pycache__"))
        for room in ("suites", "ruler", "records", "running"):
            try:
                importlib.import_module("gaugeblock." + room)
                result[room] = "seen"
            except ImportError:
                pass
        """
    )
    assert answer.value == {"rooms": ["__init__.py", "sandbox"]}, answer


@pytest.mark.parametrize("kind", ["bubblewrap", "landlock"])
def test_an_installed_package_is_covered_too(kind: str, tmp_path: Path) -> None:
    """As from a wheel: rooms, metadata and the other libraries in one site-packages folder."""
    site = tmp_path / "site-packages"
    package = REPOSITORY / "src/gaugeblock"
    shutil.copytree(package / "sandbox", site / "gaugeblock/sandbox")
    shutil.copy(package / "__init__.py", site / "gaugeblock")
    for secret in ("gaugeblock/suites/truth.json", "gaugeblock-0.1.0.dist-info/RECORD"):
        (site / secret).parent.mkdir(exist_ok=True)
        (site / secret).write_text("the answer is 42")
    (site / "friend.py").write_text("WORD = 'hello'")
    script = f"""
import json, sys
from pathlib import Path
from gaugeblock import sandbox
assert sandbox.__file__.startswith({str(site)!r}), sandbox.__file__
text = '''
import os, friend
result["word"] = friend.WORD
for top in ("/site", "/site1", "/gauge", {str(site)!r}):
    for folder, _, files in os.walk(top):
        for name in files:
            if name in ("truth.json", "RECORD"):
                try:
                    if "the answer is 42" in open(os.path.join(folder, name)).read():
                        result[name] = folder
                except OSError: pass
'''
with sandbox.WarmServer(entry="probe_jobs", rooms=("sandbox",), name="wheel", force={kind!r},
                        extra_modules=(Path({str(PROBE)!r}),)) as server:
    limits = sandbox.Limits(20, 20, 1 << 30, 1 << 20, 1 << 20, 1 << 20)
    answer = sandbox.Client(server.socket_path).run("program", {{"text": text}}, limits=limits)
print(json.dumps([server.isolation.kind, answer.status, answer.value, answer.error]))
"""
    libraries = next(p for p in sys.path if p.endswith("-packages"))
    done = subprocess.run(
        [sys.executable, "-S", "-c", script],
        env={"PYTHONPATH": f"{site}:{libraries}", "PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    found, status, value, error = json.loads(done.stdout)
    if found != kind:
        pytest.skip(f"this machine gives no {kind}")
    assert (status, value) == ("done", {"word": "hello"}), error


def test_files_of_one_job_are_gone_for_the_next(any_run: Run) -> None:
    text = """
    import os, tempfile
    result["seen"] = []
    for folder in {"/tmp", "/dev/shm", "/dev", "/", "/gauge", tempfile.gettempdir()}:
        try:
            path = os.path.join(folder, "left-behind")
            if os.path.exists(path):
                result["seen"].append(path)
            open(path, "w").write("x")
            result["wrote"] = path
        except OSError:
            pass
    """
    first, second = any_run(text), any_run(text)
    assert "wrote" in first.value, first
    assert first.value["seen"] == second.value["seen"] == []


def test_jobs_hold_only_their_own_descriptors(any_run: Run) -> None:
    answer = any_run(
        """
        import os
        for n in os.listdir("/proc/self/fd"):
            try:
                result[n] = os.readlink(f"/proc/self/fd/{n}")
            except OSError:
                pass  # the listing's own
        """
    )
    others = [target for n, target in answer.value.items() if int(n) > 2]
    assert len(others) == 1 and others[0].startswith("pipe:"), answer


def test_files_are_handed_over_read_only(any_run: Run, tmp_path: Path) -> None:
    path = tmp_path / "part.step"
    path.write_bytes(b"ISO-10303-21;")
    path.chmod(0o600)
    with path.open("r+b") as file:
        file.read(4)  # the offset must not matter
        answer = any_run(
            """
            import os
            result["read"] = os.read(files[0], 99).decode()
            name = f"/proc/self/fd/{files[0]}"
            result["again"] = open(name).read()
            result["number"] = files[0]
            for how in ("r+", "w", "a"):
                try:
                    with open(name, how) as again:
                        again.write("spoilt")
                    result[how] = "written"
                except OSError:
                    pass
            try:
                os.write(files[0], b"spoilt")
            except OSError:
                result["told"] = os.readlink(name)
            """,
            files=[file.fileno()],
        )
    assert answer.value["read"] == answer.value["again"] == "ISO-10303-21;"
    assert str(tmp_path) not in answer.value["told"]
    assert not {"r+", "w", "a"} & set(answer.value)
    assert path.read_bytes() == b"ISO-10303-21;"


def test_no_rights_are_left(any_run: Run) -> None:
    answer = any_run(
        """
        import ctypes, os
        libc = ctypes.CDLL(None, use_errno=True)
        status = dict(l.split(":", 1) for l in open("/proc/self/status") if ":" in l)
        for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb", "NoNewPrivs", "Seccomp"):
            result[name] = int(status[name], 16)
        result["unshare"] = libc.unshare(0x10000000)
        result["mount"] = libc.mount(b"none", b"/tmp", b"tmpfs", 0, None)
        result["ptrace"] = libc.ptrace(16, 1, 0, 0)
        result["adj"] = int(open("/proc/self/oom_score_adj").read())
        for path in ("/proc/sys/kernel/core_pattern", "/proc/sys/user/max_user_namespaces"):
            try:
                open(path, "r+").write("5")
                result[path] = "written"
            except OSError:
                pass
        """
    )
    assert answer.value == {
        "CapInh": 0, "CapPrm": 0, "CapEff": 0, "CapBnd": 0, "CapAmb": 0, "NoNewPrivs": 1,
        "Seccomp": 2, "unshare": -1, "mount": -1, "ptrace": -1, "adj": 1000,
    }, answer  # fmt: skip


def test_a_job_is_never_the_machines_root(run: Run) -> None:
    answer = run("import os; result['uid'] = os.getuid()")
    assert answer.value["uid"] != 0


def test_the_memory_of_the_server_is_out_of_reach(any_run: Run) -> None:
    answer = any_run(
        """
        import os
        own, parent = os.readlink("/proc/self"), os.getppid()
        try:
            names = {n for n in os.listdir("/proc") if n.isdigit()}
        except OSError:  # Landlock
            names = {str(n) for n in range(1, 40_000)}
        names = (names | {str(parent)}) - {own, str(os.getpid()), "0"}
        result["tried"] = 0
        for name in names:
            for part in ("mem", "environ", "maps", "root", "fd"):
                result["tried"] += 1
                try:
                    path = f"/proc/{name}/{part}"
                    os.listdir(path) if part in ("root", "fd") else open(path, "rb").read(1)
                    result[path] = "open"
                except OSError:
                    pass
        """
    )
    assert set(answer.value) == {"tried"}, answer


def test_a_client_of_another_process_sees_the_same_server(server: WarmServer) -> None:
    assert Client(server.socket_path).isolation() == server.isolation
