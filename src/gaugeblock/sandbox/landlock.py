"""Landlock through ctypes: the weaker wall, for machines that forbid namespaces.

Source of the numbers: linux/landlock.h. A rule allows a tree; nothing inside an allowed tree can
be denied, so callers enumerate (see view.py).
"""

from __future__ import annotations

import ctypes
import os
import stat
from collections.abc import Iterable
from pathlib import Path

_SYS_CREATE_RULESET, _SYS_ADD_RULE, _SYS_RESTRICT_SELF = 444, 445, 446  # the same on all machines
_CREATE_RULESET_VERSION = 1
_RULE_PATH_BENEATH = 1

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_REFER, _TRUNCATE, _IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
_FS_ABI_1 = (1 << 13) - 1
_NET_TCP = 0b11  # bind and connect
_SCOPE_ALL = 0b11  # abstract unix sockets and signals

# The first version that denies TCP, and the one from which a job cannot signal outer processes.
ABI_TCP = 4
ABI_SCOPE = 6

_libc = ctypes.CDLL(None, use_errno=True)


class _RulesetAttr(ctypes.Structure):
    _fields_ = [("fs", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64)]


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32)]


def _call(name: str, number: int, *args: object) -> int:
    result = int(_libc.syscall(ctypes.c_long(number), *args))
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{name}: {os.strerror(code)}")
    return result


def abi() -> int:
    """Version of Landlock of the running kernel; 0 where it has none."""
    flags = ctypes.c_uint32(_CREATE_RULESET_VERSION)
    try:
        return _call("landlock", _SYS_CREATE_RULESET, None, ctypes.c_size_t(0), flags)
    except OSError:
        return 0


def restrict(
    *, read: Iterable[Path], listing: Iterable[Path] = (), write: Iterable[Path] = ()
) -> None:
    """Shut this process and its children in, for good. Needs no_new_privs. Raises OSError.

    read: files or trees to read and execute. listing: trees whose names (not contents) may be
    listed. write: trees to read, execute and change, down to making and removing files; or device
    files to read and write, without the control of devices from ABI 5 on. Paths that cannot be
    opened, as they are not there say, are skipped: nothing is allowed below them.
    """
    version = abi()
    handled = _FS_ABI_1
    for since, right in ((2, _REFER), (3, _TRUNCATE), (5, _IOCTL_DEV)):
        if version >= since:
            handled |= right
    attr = _RulesetAttr(
        handled,
        _NET_TCP if version >= ABI_TCP else 0,
        _SCOPE_ALL if version >= ABI_SCOPE else 0,
    )
    # Older kernels know a shorter structure and refuse a longer one only if its rest is not zero.
    size = ctypes.sizeof(attr)
    ruleset = _call(
        "landlock_create_ruleset",
        _SYS_CREATE_RULESET,
        ctypes.byref(attr),
        ctypes.c_size_t(size),
        ctypes.c_uint32(0),
    )
    try:
        for path in read:
            _allow(ruleset, path, handled & (_EXECUTE | _READ_FILE | _READ_DIR))
        for path in listing:
            _allow(ruleset, path, _READ_DIR)
        for path in write:
            _allow(ruleset, path, handled & ~_IOCTL_DEV)
        _call(
            "landlock_restrict_self",
            _SYS_RESTRICT_SELF,
            ctypes.c_int(ruleset),
            ctypes.c_uint32(0),
        )
    finally:
        os.close(ruleset)


def _allow(ruleset: int, path: Path, rights: int) -> None:
    try:
        fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not stat.S_ISDIR(os.fstat(fd).st_mode):
            rights &= _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE
        rule = _PathBeneath(rights, fd)
        _call(
            "landlock_add_rule",
            _SYS_ADD_RULE,
            ctypes.c_int(ruleset),
            ctypes.c_int(_RULE_PATH_BENEATH),
            ctypes.byref(rule),
            ctypes.c_uint32(0),
        )
    finally:
        os.close(fd)
