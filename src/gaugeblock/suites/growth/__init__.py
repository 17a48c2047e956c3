"""Suite `growth`: one part, growing work. See README.md."""

from __future__ import annotations

from gaugeblock.suites.growth.suite import GrowthSuite


def load() -> GrowthSuite:
    """Return the suite, with its data files read and checked."""
    return GrowthSuite()
