"""Suite `assembly`: a whole machine of many parts. See README.md."""

from __future__ import annotations

from gaugeblock.suites.assembly.suite import AssemblySuite


def load() -> AssemblySuite:
    """Return the suite, with its data files read and checked."""
    return AssemblySuite()
