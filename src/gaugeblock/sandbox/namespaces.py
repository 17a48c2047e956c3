"""The system calls that shut one job in, through ctypes: namespaces, mounts, capabilities.

Every function raises OSError with the name of the call that failed. Constants are those of the
kernel's headers (linux/sched.h, linux/mount.h, linux/prctl.h, linux/securebits.h).
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal

CLONE_NEWNS = 0x00020000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000

_MS_RDONLY, _MS_NOSUID, _MS_NODEV, _MS_NOEXEC = 1, 2, 4, 8
_MS_REMOUNT, _MS_BIND, _MS_REC, _MS_PRIVATE = 0x20, 0x1000, 0x4000, 0x40000

_PR_SET_PDEATHSIG = 1
_PR_SET_DUMPABLE = 4
_PR_CAPBSET_DROP = 24
_PR_SET_SECUREBITS = 28
_PR_SET_CHILD_SUBREAPER = 36
_PR_SET_NO_NEW_PRIVS = 38
_PR_CAP_AMBIENT = 47
_PR_CAP_AMBIENT_CLEAR_ALL = 4

# NOROOT, NO_SETUID_FIXUP and NO_CAP_AMBIENT_RAISE, each with its lock: no id gives capabilities.
_SECUREBITS = 0x01 | 0x02 | 0x04 | 0x08 | 0x40 | 0x80

_CAPABILITY_VERSION_3 = 0x20080522

# Inodes of a job's tmpfs: a job that makes empty files ends here and not in the machine's memory.
_SCRATCH_INODES = 20_000

_libc = ctypes.CDLL(None, use_errno=True)


def _check(name: str, result: int) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")


def _prctl(name: str, option: int, *args: int) -> None:
    padded = [ctypes.c_ulong(a) for a in (*args, 0, 0, 0, 0)[:4]]
    _check(f"prctl {name}", _libc.prctl(ctypes.c_int(option), *padded))


def die_with_parent() -> None:
    """Have the kernel kill this process when the one that forked it ends."""
    _prctl("PR_SET_PDEATHSIG", _PR_SET_PDEATHSIG, signal.SIGKILL)


def set_dumpable(dumpable: bool) -> None:
    """Allow or forbid other processes of this user to trace this one or open its memory."""
    _prctl("PR_SET_DUMPABLE", _PR_SET_DUMPABLE, int(dumpable))


def adopt_orphans() -> None:
    """Become the parent of every orphan among one's descendants."""
    _prctl("PR_SET_CHILD_SUBREAPER", _PR_SET_CHILD_SUBREAPER, 1)


def no_new_privileges() -> None:
    """No program started from now on gains rights (set-uid bits, file capabilities)."""
    _prctl("PR_SET_NO_NEW_PRIVS", _PR_SET_NO_NEW_PRIVS, 1)


def unshare(flags: int) -> None:
    """Leave the given namespaces for new ones (a new pid namespace is for later children)."""
    _check("unshare", _libc.unshare(ctypes.c_int(flags)))


def enter_job_namespaces() -> None:
    """Give this process new user, mount, ipc and (for its children) pid namespaces.

    Its own user and group stay mapped to themselves and to nothing else.
    """
    user, group = os.getuid(), os.getgid()
    # /proc/self/uid_map of a process that is not dumpable belongs to root.
    set_dumpable(True)
    unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC)
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{user} {user} 1"),
        ("gid_map", f"{group} {group} 1"),
    ):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)
    set_dumpable(False)


def _mount(source: str, target: str, kind: str | None, flags: int, data: str | None) -> None:
    result = _libc.mount(
        source.encode(),
        target.encode(),
        kind.encode() if kind else None,
        ctypes.c_ulong(flags),
        data.encode() if data else None,
    )
    _check(f"mount {target}", result)


def make_mounts_private() -> None:
    """Let no mount made from now on show in another mount namespace."""
    _mount("none", "/", None, _MS_PRIVATE | _MS_REC, None)


def mount_tmpfs(target: str, options: str) -> None:
    """Cover a folder with an empty one in memory."""
    _mount("tmpfs", target, "tmpfs", _MS_NOSUID | _MS_NODEV, options)


def bind(source: str, target: str) -> None:
    """Let a file or a whole tree appear at a second place."""
    _mount(source, target, None, _MS_BIND | _MS_REC, None)


def mount_job_view(scratch_bytes: int) -> None:
    """Lay fresh /tmp, /dev/shm and (where the kernel allows it) /proc for one job.

    Must run in pid 1 of the job's pid namespace. ``scratch_bytes`` bounds each tmpfs. With a fresh
    /proc a job sees its own processes only, and may make no further user namespaces. The kernel
    refuses one where parts of the outer /proc are covered; then the server's own /proc, in which
    other jobs' process numbers show, stays.
    """
    make_mounts_private()
    for target in ("/tmp", "/dev/shm"):
        options = f"size={scratch_bytes},nr_inodes={_SCRATCH_INODES},mode=0700"
        mount_tmpfs(target, options)
    flags = _MS_NOSUID | _MS_NODEV | _MS_NOEXEC
    with contextlib.suppress(OSError):
        _mount("proc", "/proc", "proc", flags, None)
        with contextlib.suppress(OSError), open("/proc/sys/user/max_user_namespaces", "w") as file:
            file.write("0")
    # Whichever /proc this is, nothing in it may be written: a process of the machine's root could
    # otherwise set the machine's own switches there.
    _mount("none", "/proc", None, _MS_REMOUNT | _MS_BIND | _MS_RDONLY | flags, None)


class _CapHeader(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint32), ("pid", ctypes.c_int)]


class _CapData(ctypes.Structure):
    _fields_ = [
        ("effective", ctypes.c_uint32),
        ("permitted", ctypes.c_uint32),
        ("inheritable", ctypes.c_uint32),
    ]


def drop_capabilities() -> None:
    """Give up every capability for good: sets, bounding set, ambient set, and id tricks."""
    with contextlib.suppress(OSError):  # without CAP_SETPCAP there is nothing to lock
        _prctl("PR_SET_SECUREBITS", _PR_SET_SECUREBITS, _SECUREBITS)
        for capability in range(64):
            _prctl("PR_CAPBSET_DROP", _PR_CAPBSET_DROP, capability)  # ends at the last one known
    with contextlib.suppress(OSError):
        _prctl("PR_CAP_AMBIENT", _PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL)
    header = _CapHeader(_CAPABILITY_VERSION_3, 0)
    _check("capset", _libc.capset(ctypes.byref(header), ctypes.byref((_CapData * 2)())))


def exit_on_abort(code: int) -> None:
    """Turn abort() in this process into an exit with ``code``, which must be SIGABRT's number.

    Pid 1 of a namespace ignores SIGABRT of its own, so abort() would end in a made-up SIGSEGV.
    The handler is libc's _exit itself, called with the signal's number.
    """
    assert code == signal.SIGABRT
    _libc.signal.restype = ctypes.c_void_p
    _libc.signal(ctypes.c_int(signal.SIGABRT), ctypes.cast(_libc._exit, ctypes.c_void_p))
