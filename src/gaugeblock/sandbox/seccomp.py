"""A filter of system calls a CAD program never needs: a second wall behind the others.

It closes what namespaces and Landlock leave: sockets of every kind (Landlock denies TCP only),
further namespaces, tracing, kernel keyrings, and memory outside the job's ceilings (memory files,
System V shared memory). Denied calls fail with EPERM. Where the filter cannot be had (other
processors, kernels without it) the other walls stand alone.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct

_PR_SET_SECCOMP = 22
_SECCOMP_MODE_FILTER = 2

_RET_ALLOW = 0x7FFF0000
_RET_ERRNO = 0x00050000
_RET_KILL_PROCESS = 0x80000000

# Classic BPF: load a word of struct seccomp_data, compare, return.
_LOAD, _IF_EQUAL, _IF_AT_LEAST, _IF_ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_AT_NUMBER, _AT_ARCH, _AT_FIRST_ARGUMENT = 0, 4, 16

# CLONE_NEWNS, CGROUP, UTS, IPC, USER, PID and NET.
_NEW_NAMESPACES = 0x7E020000

# Numbers of 64-bit x86 that are calls of the x32 interface.
_X32 = 0x40000000

# From asm/unistd_64.h and asm-generic/unistd.h. Calls since 5.1 have one number everywhere.
_SINCE_5_1 = {
    "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427,
    "open_tree": 428, "move_mount": 429, "fsopen": 430, "fsconfig": 431, "fsmount": 432,
    "fspick": 433, "pidfd_getfd": 438, "mount_setattr": 442, "quotactl_fd": 443,
    "memfd_secret": 447,
}  # fmt: skip
_X86_64 = {
    "shmget": 29, "socket": 41, "ptrace": 101, "pivot_root": 155, "chroot": 161, "acct": 163,
    "mount": 165, "umount2": 166, "swapon": 167, "swapoff": 168, "reboot": 169,
    "init_module": 175, "quotactl": 179, "kexec_load": 246, "add_key": 248, "request_key": 249,
    "keyctl": 250, "unshare": 272, "perf_event_open": 298, "open_by_handle_at": 304, "setns": 308,
    "process_vm_readv": 310, "process_vm_writev": 311, "kcmp": 312, "finit_module": 313,
    "memfd_create": 319, "kexec_file_load": 320, "bpf": 321, "userfaultfd": 323,
}  # fmt: skip
_AARCH64 = {
    "umount2": 39, "mount": 40, "pivot_root": 41, "chroot": 51, "quotactl": 60, "acct": 89,
    "unshare": 97, "kexec_load": 104, "init_module": 105, "ptrace": 117, "reboot": 142,
    "shmget": 194, "socket": 198, "add_key": 217, "request_key": 218, "keyctl": 219,
    "swapon": 224, "swapoff": 225, "perf_event_open": 241, "open_by_handle_at": 265,
    "setns": 268, "process_vm_readv": 270, "process_vm_writev": 271, "kcmp": 272,
    "finit_module": 273, "memfd_create": 279, "bpf": 280, "userfaultfd": 282,
    "kexec_file_load": 294,
}  # fmt: skip
_CLONE3 = 435

# machine: (AUDIT_ARCH, calls, number of clone)
_MACHINES = {
    "x86_64": (0xC000003E, _X86_64, 56),
    "aarch64": (0xC00000B7, _AARCH64, 220),
}

_libc = ctypes.CDLL(None, use_errno=True)


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_char_p)]


def deny_needless_calls(but: frozenset[str] = frozenset()) -> None:
    """Set the filter for this process and its children, for good. Needs no_new_privs.

    but: names of calls that are let through all the same, such as ``socket``.
    Raises OSError where it cannot be had.
    """
    code = _filter(platform.machine(), but)
    program = _Program(len(code) // 8, code)
    result = _libc.prctl(
        ctypes.c_int(_PR_SET_SECCOMP),
        ctypes.c_ulong(_SECCOMP_MODE_FILTER),
        ctypes.byref(program),
        ctypes.c_ulong(0),
        ctypes.c_ulong(0),
    )
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"prctl PR_SET_SECCOMP: {os.strerror(number)}")


def _filter(machine: str, but: frozenset[str] = frozenset()) -> bytes:
    if machine not in _MACHINES:
        raise OSError(errno.ENOSYS, f"no list of system calls for {machine}")
    arch, calls, clone = _MACHINES[machine]
    refuse = _RET_ERRNO | errno.EPERM
    unknown = _RET_ERRNO | errno.ENOSYS
    lines: list[tuple[int, int, int, int]] = [
        (_LOAD, 0, 0, _AT_ARCH),
        (_IF_EQUAL, 1, 0, arch),
        (_RETURN, 0, 0, _RET_KILL_PROCESS),
        (_LOAD, 0, 0, _AT_NUMBER),
        (_IF_AT_LEAST, 0, 1, _X32),
        (_RETURN, 0, 0, unknown),
    ]
    denied = {name: number for name, number in {**calls, **_SINCE_5_1}.items() if name not in but}
    for number in sorted({*denied.values()}):
        lines += [(_IF_EQUAL, 0, 1, number), (_RETURN, 0, 0, refuse)]
    # clone3 keeps its flags in memory, where no filter can look: glibc falls back to clone.
    lines += [(_IF_EQUAL, 0, 1, _CLONE3), (_RETURN, 0, 0, unknown)]
    lines += [
        (_IF_EQUAL, 0, 3, clone),
        (_LOAD, 0, 0, _AT_FIRST_ARGUMENT),
        (_IF_ANY_BIT, 0, 1, _NEW_NAMESPACES),
        (_RETURN, 0, 0, refuse),
        (_RETURN, 0, 0, _RET_ALLOW),
    ]
    return b"".join(struct.pack("=HBBI", *line) for line in lines)
