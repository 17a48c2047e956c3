"""The gate that a world passes before it starts where a truth must stay out of reach."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from mcp.client.stdio import StdioServerParameters

from gaugeblock.sandbox.sealed import Mount, Program, popen_arguments, sealed_program


class Gate(Protocol):
    """Searches views before anything works in them."""

    def admit(self, name: str, program: Program) -> None:
        """Search the view that a program will have.

        Raises:
            WorldLost: of layer `isolation`: something is there that must not be.
        """

    def admit_jobs(self, socket: Path) -> None:
        """Search the view of programs in the warm sandbox behind ``socket``; errors as above."""


class RootLike(Protocol):
    """What is needed of a workspace's root."""

    @property
    def name(self) -> str:
        """As in ``/name``."""

    @property
    def folder(self) -> Path:
        """Where it lies outside."""

    @property
    def writable(self) -> bool:
        """Whether the agent may change it."""


def sealed_workspace(
    gate: Gate,
    module: str,
    rooms: tuple[str, ...],
    arguments: Callable[[dict[str, str]], list[str]],
    roots: tuple[RootLike, ...],
    scratch: Path,
) -> StdioServerParameters:
    """Return how a workspace's server is started behind walls, once its view was searched.

    Args:
        gate: searches the view.
        module: what is run.
        rooms: of this package, that it needs.
        arguments: returns its arguments for root name → folder as it lies inside.
        roots: its roots.
        scratch: an empty folder of its own.

    Raises:
        WorldLost: of layer `isolation`.
    """
    inside = {root.name: f"/roots/{root.name}" for root in roots}
    program = sealed_program(
        module,
        arguments(inside),
        work=scratch,
        rooms=rooms,
        mounts=[Mount(root.folder, inside[root.name], root.writable) for root in roots],
    )
    gate.admit("workspace", program)
    plan = popen_arguments(program)
    return StdioServerParameters(
        command=plan["args"][0], args=plan["args"][1:], env=plan["env"], cwd=str(scratch)
    )
