"""Suites: cases, their truths, grading and scripts. `load_suite(name)` is the way in."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
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
    SheetSuite,
    Suite,
    ToolCall,
)
from gaugeblock.suites.truth import expected_figures

__all__ = [
    "OWN",
    "SUITES",
    "Delivered",
    "DrawingSuite",
    "Sample",
    "Script",
    "ScriptedAgent",
    "SheetSuite",
    "Suite",
    "ToolCall",
    "edit_region",
    "expected_figures",
    "load_suite",
    "own_suite",
    "probed_round",
]

SUITES: Mapping[str, str] = MappingProxyType(
    {
        "growth": "gaugeblock.suites.growth",
        "assembly": "gaugeblock.suites.assembly",
        "drawings": "gaugeblock.suites.drawings",
    }
)
"""Module by suite name; each has `load() -> Suite`, and is imported only when asked for."""

OWN = "own"
"""Name of the suite that a user's own case folders make."""


@cache
def load_suite(name: str) -> Suite:
    """Return a suite, its data files read and checked.

    Raises:
        WrongUse: there is no such suite (near names are told), or one of its files is wrong.
    """
    if name == OWN:
        return own_suite()
    if name not in SUITES:
        raise WrongUse(f"no suite `{name}`{near(name, SUITES)}")
    suite: Suite = importlib.import_module(SUITES[name]).load()
    return suite


def own_suite(folders: Sequence[Path] = (), kept: Callable[[str], bytes] | None = None) -> Suite:
    """Return suite `own`: the case folders that a user brings; without any it only grades.

    Args:
        folders: each the folder of one case.
        kept: gives a file by its SHA-256, for cases of a run whose folders are not at hand.

    Raises:
        WrongUse: a folder is no case, or one of its files is wrong.
    """
    suite: Suite = importlib.import_module(SUITES["drawings"]).load_own(folders, kept)
    return suite
