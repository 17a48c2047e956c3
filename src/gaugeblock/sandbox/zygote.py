"""The warm server itself: import the entry once, then fork a supervisor for each connection.

Runs inside the walls as ``python -m gaugeblock.sandbox.zygote CONFIG`` and imports the standard
library and the entry only. CONFIG is a JSON object made by server.py.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import select
import signal
import socket
import sys
from pathlib import Path
from typing import Any

from . import job, landlock, namespaces, supervisor


def main() -> None:
    """Serve until the owner's end of the lifeline closes."""
    config: dict[str, Any] = json.loads(sys.argv[1])
    listener_fd, ready_fd, owner_fd = config["listener"], config["ready"], config["owner"]
    _close_all_but({listener_fd, ready_fd, owner_fd})
    namespaces.no_new_privileges()
    if config["kind"] != "bubblewrap":
        _stand_alone(config)
    namespaces.set_dumpable(False)

    entry = importlib.import_module(config["entry"])
    warm_up = getattr(entry, "warm_up", None)
    if warm_up is not None:
        warm_up()
    jobs = dict(entry.JOBS)
    threads = len(list(Path("/proc/self/task").iterdir()))
    if threads != 1:
        # A lock held by another thread at the fork would stay held in the job for ever.
        raise SystemExit(
            f"{config['entry']} left {threads - 1} threads running; a server that "
            "forks must have none"
        )
    gc.collect()
    gc.freeze()

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the kernel reaps the supervisors
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    listener = socket.socket(fileno=listener_fd)
    listener.setblocking(False)
    os.write(ready_fd, b"R")
    os.close(ready_fd)
    _accept_for_ever(listener, owner_fd, jobs, config)


def _accept_for_ever(
    listener: socket.socket, owner_fd: int, jobs: dict[str, Any], config: dict[str, Any]
) -> None:
    own = os.getpid()
    poll = select.poll()
    poll.register(listener, select.POLLIN)
    poll.register(owner_fd, select.POLLIN)  # readable when its other end closes
    while True:
        ready = dict(poll.poll())
        if owner_fd in ready:
            listener.close()
            with contextlib.suppress(ChildProcessError):
                while True:  # the supervisors see it too, and end their jobs first
                    os.waitpid(-1, 0)
            return
        try:
            connection, _ = listener.accept()
        except OSError:  # the client left while it waited, or descriptors are short
            continue
        with connection:
            try:
                pid = os.fork()
            except OSError as error:
                print(f"cannot fork: {error}", file=sys.stderr, flush=True)
                continue
            if pid == 0:
                try:
                    listener.close()
                    supervisor.serve(connection, jobs, config, own)
                except BaseException as error:
                    print(
                        f"supervisor: {type(error).__name__}: {error}", file=sys.stderr, flush=True
                    )
                finally:
                    os._exit(0)


def _stand_alone(config: dict[str, Any]) -> None:
    """Without bubblewrap: be tied to the owner, give up rights, and shut oneself in."""
    namespaces.die_with_parent()
    namespaces.drop_capabilities()
    if config["kind"] == "landlock":
        landlock.restrict(
            read=[*(Path(path) for path in config["read"]), Path("/sys/devices/system/cpu")],
            listing=[Path(path) for path in config["listing"]],
            write=[Path(config["scratch"]), Path("/proc"), *job.DEVICES],
        )


def _close_all_but(keep: set[int]) -> None:
    """Descriptors by which bubblewrap bound outer trees must not reach a job."""
    first = 3
    for fd in sorted(keep):
        os.closerange(first, fd)
        first = fd + 1
    os.closerange(first, 1 << 20)


if __name__ == "__main__":
    main()
