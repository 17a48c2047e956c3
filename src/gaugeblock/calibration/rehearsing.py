"""What a scripted agent delivers, played by the real host: for suites that judge the document too.

This room knows no host. Whoever knows one hands in a `Stage`; on it, agents of suites play.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

from gaugeblock.records.case import Case
from gaugeblock.records.reopening import Reopening
from gaugeblock.suites import Suite


@dataclass(frozen=True)
class Delivery:
    """What lay in the world when a scripted agent was done.

    Attributes:
        document: the saved document; None: nothing was delivered.
        step: the exported STEP; None: nothing was delivered.
        reopening: what a fresh host made of the document; None: nothing was delivered.
        said: how it went, where it did not go well.
        undone: why the script was not played to its end; empty: it was. What lies in the world is
            then not what the script was to make, and proves nothing.
    """

    document: bytes | None = None
    step: bytes | None = None
    reopening: Reopening | None = None
    said: str = ""
    undone: str = ""

    @property
    def step_sha256(self) -> str | None:
        """SHA-256 (hex) of the STEP."""
        return None if self.step is None else hashlib.sha256(self.step).hexdigest()

    def with_document(self, document: bytes) -> Delivery:
        """Return it with another document, of which the same is said as of the first."""
        digest = hashlib.sha256(document).hexdigest()
        again = self.reopening
        if again is not None:
            again = again.model_copy(update={"document_sha256": digest})
        return replace(self, document=document, reopening=again)


Play = Callable[[Suite, Case, str], Delivery]
"""Lets an agent of a suite, by its name, play on a case."""

Stage = Callable[[], AbstractContextManager[Play]]
"""Opens a host that lasts for many plays."""
