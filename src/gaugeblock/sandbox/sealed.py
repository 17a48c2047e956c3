"""Programs of this package, shut in: only the rooms they need, and no truth of any case.

The view is that of a job (view.py): system, interpreter, installed libraries without this package,
and the named rooms of it. ``confined.py`` builds the walls. A caller starts one so, over pipes:

    program = sealed_program("gaugeblock.worlds.workspace", ["--root", "/drawing"], work=folder,
                             rooms=("worlds/workspace",), mounts=(Mount(sheets, "/drawing"),))
    plan = popen_arguments(program)
    subprocess.Popen(plan["args"], env=plan["env"], stdin=PIPE, stdout=PIPE)
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from . import view
from .confined import Mount, Program, popen_arguments

__all__ = ["Mount", "Program", "popen_arguments", "sealed_program"]


def sealed_program(
    module: str,
    arguments: Sequence[str] = (),
    *,
    work: Path,
    rooms: Sequence[str],
    mounts: Sequence[Mount] = (),
    memory_bytes: int = 8 << 30,
) -> Program:
    """Return a module of this package as a program that sees its rooms and nothing else of it.

    Args:
        module: what ``python -m`` runs, such as ``gaugeblock.host``; it must lie in ``rooms``.
        arguments: its own, naming paths as they are inside (``/work``, ``Mount.inside``).
        work: the folder outside that is ``/work`` inside: its working folder, and writable.
        rooms: rooms, or single modules, of this package (``host``, ``records/base.py``); the
            sandbox's own is always among them.
        mounts: folders and files besides.
        memory_bytes: address space of each of its processes.

    Raises:
        ValueError: there is no such room.
    """
    seen = view.build(rooms, lean=True)
    return Program(
        # No .pth files (-S), no user site (-s), no folder of its own before all others (-P).
        command=(str(seen.python), "-s", "-S", "-P", "-B", "-m", module, *arguments),
        work=work,
        variables={
            "PYTHONPATH": seen.import_path(),
            "PYTHONUNBUFFERED": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
        },
        memory_bytes=memory_bytes,
        rooms=tuple(rooms),
        mounts=tuple(mounts),
    )
