"""Suites: cases, their truths, grading and scripts. `load_suite(name)` is the way in."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from gaugeblock.records.errors import WrongUse
from gaugeblock.suites.case_files import near
from gaugeblock.suites.probes import probed_round
from gaugeblock.suites.regions import edit_region
from gaugeblock.suites.suite import (
    Delivered,
    DrawingSuite,
    Sample,
    Script,
    ScriptedAgent,
    Suite,
    ToolCall,
)
from gaugeblock.suites.truth import expected_figures

__all__ = [
    "SUITES",
    "Delivered",
    "DrawingSuite",
    "Sample",
    "Script",
    "ScriptedAgent",
    "Suite",
    "ToolCall",
    "edit_region",
    "expected_figures",
    "load_suite",
    "probed_round",
]

SUITES: Mapping[str, str] = MappingProxyType(
    {"growth": "gaugeblock.suites.growth", "assembly": "gaugeblock.suites.assembly"}
)
"""Module by suite name; each has `load() -> Suite`, and is imported only when asked for."""


@cache
def load_suite(name: str) -> Suite:
    """Return a suite, its data files read and checked.

    Raises:
        WrongUse: there is no such suite (near names are told), or one of its files is wrong.
    """
    if name not in SUITES:
        raise WrongUse(f"no suite `{name}`{near(name, SUITES)}")
    suite: Suite = importlib.import_module(SUITES[name]).load()
    return suite
