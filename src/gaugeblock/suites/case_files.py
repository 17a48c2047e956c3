"""Case files: TOML in which parts that cases share are written once.

A file holds ``[shared.NAME]`` fragments and ``[[case]]`` tables. A case, and each of its
``[[case.rounds]]``, may say ``use = ["NAME", …]``: the fragments are laid down in that order and
the table's own keys on top. Tables are merged key by key, anything else is replaced. Inside an
instruction, ``{name}`` stands for the round's parameter of that name, or for the text in
``texts.NAME`` of the round, which holds one for each language and is filled in the same way.
``reviewed_as`` names the text that reviewers read in place of the instruction.

What results must be a `Case` record, which knows no extra key, so a misspelt one is told.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from gaugeblock.records.case import Case
from gaugeblock.records.errors import WrongUse
from gaugeblock.suites.probes import probed_round
from gaugeblock.suites.regions import edit_region
from gaugeblock.suites.truth import figures

_TOP_LEVEL = ("shared", "case")
_PLACEHOLDER = re.compile(r"\{(\w*)\}")


def load_cases(paths: Iterable[Path]) -> tuple[Case, ...]:
    """Read case files; a fragment of any file may be used in all of them.

    Args:
        paths: the files, in the order their cases shall have.

    Raises:
        WrongUse: a file is unreadable, a key or fragment unknown, an id taken twice, or a
            formula cannot be evaluated; one line says where.
    """
    files = [(path, read_toml(path, _TOP_LEVEL)) for path in paths]
    shared = fragments(files)
    cases: dict[str, Case] = {}
    for path, content in files:
        for number, table in enumerate(content.get("case", []), 1):
            case = case_of(table, shared, f"{path.name}, case {table.get('id', number)}")
            if case.id in cases:
                raise WrongUse(f"{path.name}: two cases have the id {case.id}")
            cases[case.id] = case
    return tuple(cases.values())


def fragments(files: Iterable[tuple[Path, Mapping[str, Any]]]) -> dict[str, Any]:
    """Return the ``[shared.NAME]`` tables of files already read; WrongUse for a name twice."""
    shared: dict[str, Any] = {}
    for path, content in files:
        for name, fragment in content.get("shared", {}).items():
            if name in shared:
                raise WrongUse(f"{path.name}: shared.{name} is defined twice")
            shared[name] = fragment
    return shared


def read_toml(path: Path, allowed: Iterable[str]) -> dict[str, Any]:
    """Return a TOML file's content; WrongUse for bad TOML or a top-level key not allowed."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise WrongUse(f"{path.name}: {' '.join(str(error).split())}") from error
    for key in content:
        if key not in allowed:
            raise WrongUse(f"{path.name}: unknown key `{key}`{near(key, allowed)}")
    return content


def near(word: str, known: Iterable[str]) -> str:
    """Return ``; did you mean …?`` for a word close to known ones, else what is known."""
    names = list(known)
    close = difflib.get_close_matches(word, names, 3, 0.5)
    return f"; did you mean {' or '.join(close)}?" if close else f"; there are {', '.join(names)}"


def case_of(table: Mapping[str, Any], shared: Mapping[str, Any], where: str) -> Case:
    """Return the case of a table; WrongUse as in `load_cases`.

    Args:
        table: as it stands in a file.
        shared: the fragments that it and its rounds may use.
        where: file and case, for the message.
    """
    value = expanded(table, shared, where)
    rounds = value.get("rounds", [])
    if not isinstance(rounds, list) or not all(isinstance(item, dict) for item in rounds):
        raise WrongUse(f"{where}: write its rounds as [[case.rounds]]")
    value["rounds"] = [_round(item, shared, where) for item in rounds]
    case = Case.build(value, where)
    for asked in case.rounds:
        place = f"{where}, round {asked.id}"
        figures(asked, place)  # a formula that fails does so now
        edit_region(asked, place)
        probed = probed_round(asked)
        if probed is not None:
            figures(probed, f"{place}, probe")
            edit_region(probed, f"{place}, probe")
    return case


def _round(table: Mapping[str, Any], shared: Mapping[str, Any], where: str) -> dict[str, Any]:
    value = expanded(table, shared, where)
    place = f"{where}, round {value.get('id', '?')}"
    asked, parameters = value.get("instruction"), value.get("parameters", {})
    texts = value.pop("texts", {})
    if isinstance(asked, dict):
        value["instruction"] = {
            language: _instruction(text, language, parameters, texts, place)
            for language, text in asked.items()
        }
        common = value.get("reviewed_as")
        if isinstance(common, str):  # the name of a text
            if common not in texts:
                raise WrongUse(f"{place}: reviewed_as: no texts.{common}{near(common, texts)}")
            value["reviewed_as"] = {
                language: _instruction(f"{{{common}}}", language, parameters, texts, place).strip()
                for language in asked
            }
    return value


def _instruction(
    text: str,
    language: str,
    parameters: Mapping[str, Any],
    texts: Mapping[str, Mapping[str, str]],
    place: str,
) -> str:
    """Return an instruction with its parameters, and the texts it shares with others, put in."""
    where = f"{place}, instruction.{language}"
    known = told(parameters)
    for name, shared in texts.items():
        if language not in shared:
            raise WrongUse(f"{where}: texts.{name} has no {language}")
        known[name] = filled(shared[language], known, f"{where}, texts.{name}")
    return filled(text, known, where)


def expanded(table: Mapping[str, Any], shared: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Return a table laid over the fragments it uses; WrongUse for an unknown fragment."""
    result: dict[str, Any] = {}
    for name in table.get("use", []):
        if name not in shared:
            raise WrongUse(f"{where}: no fragment [shared.{name}]{near(name, shared)}")
        result = _merged(result, shared[name])
    return _merged(result, {key: value for key, value in table.items() if key != "use"})


def _merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    result = dict(below)
    for key, value in above.items():
        if isinstance(value, Mapping):
            under = result.get(key)
            result[key] = _merged(under if isinstance(under, Mapping) else {}, value)
        else:
            result[key] = value
    return result


def told(parameters: Mapping[str, float]) -> dict[str, str]:
    """Return parameters as an instruction writes their values."""
    return {name: f"{value:g}" for name, value in parameters.items()}


def filled(text: str, known: Mapping[str, str], where: str) -> str:
    """Return a text with each ``{name}`` replaced by what is known by that name."""

    def value(match: re.Match[str]) -> str:
        name = match.group(1)
        if name not in known:
            raise WrongUse(f"{where}: {{{name}}} is no parameter of the round")
        return known[name]

    return _PLACEHOLDER.sub(value, text).strip()
