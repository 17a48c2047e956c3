"""What the words of a run mean: a suite, one of its cases, a pattern of them, a case's folder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from gaugeblock.records.case import Case
from gaugeblock.records.errors import WrongUse
from gaugeblock.suites import OWN, SUITES, Suite, load_suite, own_suite

PATTERN = "*?["
"""A case part with one of these is a shell pattern."""

PATH = ("./", "../", "/", "~")
"""What a path begins with, where a word could be either."""


def find_targets(words: Sequence[str]) -> tuple[dict[str, Suite], list[Case]]:
    """Return the suites and cases that the words name, each case once, in their order.

    Args:
        words: `SUITE`, `SUITE/CASE`, `SUITE/PATTERN`, or the path of a case's folder.

    Raises:
        WrongUse: a word names nothing, or a folder is no case.
    """
    folders = {word: Path(word).expanduser() for word in words if is_folder(word)}
    suites: dict[str, Suite] = {}
    cases: dict[str, Case] = {}
    if folders:
        suites[OWN] = own_suite(tuple(dict.fromkeys(folders.values())))
    for word in words:
        if word in folders:
            name = folders[word].resolve().name
            found = [case for case in suites[OWN].cases() if case.rounds[0].id == name]
        else:
            name, _, case_id = word.partition("/")
            if name == OWN:
                raise WrongUse(f"{word}: name the case's own folder, such as ./my-part")
            suite = suites.setdefault(name, load_suite(name))
            found = list(_named(suite, case_id))
        cases |= {case.id: case for case in found if case.id not in cases}
    if not cases:
        raise WrongUse("name a suite or SUITE/CASE to run, such as growth or growth/S1")
    return suites, list(cases.values())


def is_folder(word: str) -> bool:
    """Whether a word is the path of a folder and not a suite's name; a suite comes first."""
    if word.startswith(PATH):
        return True
    return word.partition("/")[0] not in SUITES and Path(word).is_dir()


def _named(suite: Suite, case_id: str) -> Iterator[Case]:
    if not case_id:
        yield from suite.cases()
    elif any(sign in case_id for sign in PATTERN):
        found = [case for case in suite.cases() if fnmatchcase(case.id, case_id)]
        if not found:
            known = ", ".join(case.id for case in suite.cases()) or "no case at all"
            raise WrongUse(f"{suite.name}/{case_id}: fits none of {known}")
        yield from found
    else:
        yield suite.case(case_id)
