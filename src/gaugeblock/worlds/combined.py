"""A host and a workspace as one world: the tools of both, and a part that may come from either."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from gaugeblock.worlds.deliveries import Refused
from gaugeblock.worlds.external_world import ExternalWorld
from gaugeblock.worlds.host_world import HostWorld
from gaugeblock.worlds.opening import AnyHost, open_world
from gaugeblock.worlds.protocol import Delivery, Tool, ToolResult, WorldLost
from gaugeblock.worlds.workspace_world import WorkspaceCall, WorkspaceSettings, WorkspaceWorld

PART = "/work/part.step"
"""The part as a file: it is the delivery wherever it is there."""

OWN_DRAWING = "/work/drawing.dxf"
"""A drawing of the part by the agent itself; it goes along with either delivery."""


class CombinedWorld:
    """Implements ``World`` over a host's world and a workspace."""

    def __init__(self, host: HostWorld | ExternalWorld, files: WorkspaceWorld) -> None:
        """Put two open worlds together.

        Raises:
            WorldLost: a tool of the host has the name of one of the workspace.
        """
        twice = clashing(host.tools, files.tools)
        if twice:
            raise WorldLost("host", f"its tool {twice} has the name of one of the workspace")
        self.host = host
        self.files = files
        self._own = frozenset(tool.name for tool in files.tools)

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        host: AnyHost,
        start: bytes | None,
        workspace: WorkspaceSettings,
        record: Callable[[WorkspaceCall], None],
    ) -> AsyncIterator[CombinedWorld]:
        """Open both afresh; errors as those of `open_world` and of `WorkspaceWorld.open`."""
        async with (
            WorkspaceWorld.open(workspace, record) as files,
            open_world(host, start) as hosted,
        ):
            yield cls(hosted, files)

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The host's tools, then the workspace's."""
        return (*self.host.tools, *self.files.tools)

    async def call(self, name: str, arguments: dict[str, Any]) -> ToolResult:
        """Pass a call to whose tool it is; a name of neither is the host's to refuse."""
        return await (self.files if name in self._own else self.host).call(name, arguments)

    async def deliver(self) -> Delivery:
        """Return the part that lies in the workspace, else what the host has."""
        filed = self.filed()
        if filed is not None:
            return filed
        return self._with_drawing(await self.host.deliver())

    def filed(self) -> Delivery | None:
        """Return the delivery that lies in the workspace, None where there is none.

        What bears the part's name and cannot be taken is no delivery, and nothing is put in its
        place: the agent said that this is its part.
        """
        try:
            step = self.files.file(PART)
        except Refused as why:
            return self._with_drawing(Delivery(None, None, f"{PART}: {why}", taken=PART))
        if step is None:
            return None
        return self._with_drawing(Delivery(None, step, taken=PART))

    def _with_drawing(self, delivery: Delivery) -> Delivery:
        try:
            return replace(delivery, drawing=self.files.file(OWN_DRAWING))
        except Refused as why:
            return replace(delivery, undrawn=f"{OWN_DRAWING}: {why}")

    async def export(self) -> bytes:
        """Return the host's part; see ``World``."""
        return await self.host.export()

    def peak_bytes(self) -> int | None:
        """Return the host's; the workspace makes nothing."""
        return self.host.peak_bytes()


def clashing(host: Iterable[Tool], files: Iterable[Tool]) -> str | None:
    """Return a name that stands on both sides, None where there is none."""
    taken = {tool.name for tool in files}
    return next((tool.name for tool in host if tool.name in taken), None)
