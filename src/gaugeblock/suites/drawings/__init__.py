"""Suite `drawings`: from a technical drawing to the part. See README.md."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from gaugeblock.suites.drawings.suite import OWN, DrawingsSuite

__all__ = ["OWN", "DrawingsSuite", "load", "load_own"]


def load() -> DrawingsSuite:
    """Return the suite, with its case folders read and checked."""
    return DrawingsSuite()


def load_own(
    folders: Sequence[Path] = (), kept: Callable[[str], bytes] | None = None
) -> DrawingsSuite:
    """Return a suite of case folders that a user brings; see `DrawingsSuite`."""
    return DrawingsSuite(folders, kept)
