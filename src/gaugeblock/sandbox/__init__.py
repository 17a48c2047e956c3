"""The sandbox room: a warm fork server whose every job is shut in on its own. See README.md."""

from __future__ import annotations

from .client import Client, KeptJob
from .contract import Isolation, JobResult, Limits, SandboxUnavailable
from .server import WarmServer, available_isolation

__all__ = [
    "Client",
    "Isolation",
    "JobResult",
    "KeptJob",
    "Limits",
    "SandboxUnavailable",
    "WarmServer",
    "available_isolation",
]
