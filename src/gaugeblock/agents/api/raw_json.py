"""JSON cut out and put together as text, so that what a provider wrote goes back as it wrote it.

Parsing and writing again would lose keys written twice, spellings of numbers (`1.0e2`) and escapes.
Signatures of providers are over what they sent.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NoReturn

_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[ \t\n\r]*")


class Twice(dict[str, Any]):
    """An object in which keys are written twice; the last of each counts, as for every parser.

    Attributes:
        names: of those keys.
    """

    names: frozenset[str] = frozenset()


def parse(text: str | bytes) -> Any:
    """Return what a JSON text says; an object with a key written twice is a `Twice`.

    Raises:
        ValueError: it is none; also for NaN and Infinity, and for text nested beyond any reason.
    """
    try:
        return json.loads(text, parse_constant=_refuse, object_pairs_hook=_object)
    except RecursionError:
        raise ValueError("nested too deep") from None


def write(value: Any) -> bytes:
    """Return compact JSON in UTF-8; half a surrogate pair becomes its escape."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.encode("utf-8", "backslashreplace")


def cut(text: str, *path: str | int) -> str:
    """Return a part of a valid JSON text as it is written there.

    Args:
        text: valid JSON.
        path: keys of objects and places in arrays; of a key written twice the last counts, as for
            every parser.

    Raises:
        ValueError: there is no such part.
    """
    start, end = _span(text, path)
    return text[start:end]


def parts(text: str) -> dict[str | int, str]:
    """Return every member of an object or array as it is written there, in one pass.

    Args:
        text: valid JSON; other than an object or array has no members.
    """
    return {key: text[start:end] for key, start, end in _members(text)}


def exchanged(text: str, values: Mapping[str | int, str]) -> str:
    """Return an object or array with some of its members exchanged, in one pass.

    Args:
        text: valid JSON.
        values: by key or place, as JSON; those that the text has not are passed over.
    """
    pieces, at = [], 0
    for key, start, end in _members(text):
        if key in values:
            pieces += [text[at:start], values[key]]
            at = end
    return "".join([*pieces, text[at:]])


def put(text: str, path: tuple[str | int, ...], value: str) -> str:
    """Return a JSON text with one part exchanged, or with a member added to an object.

    Args:
        text: valid JSON.
        path: to the part, as for `cut`; only the last step may lead to nothing.
        value: JSON as it shall stand there.

    Raises:
        ValueError: all but the last step lead to no object.
    """
    *folders, last = path
    start, end = _span(text, folders)
    inner = text[start:end]
    spans = {key: (first, past) for key, first, past in _members(inner)}
    if last in spans:
        first, past = spans[last]
        inner = inner[:first] + value + inner[past:]
    else:
        comma = "," if spans else ""
        inner = f"{inner[:-1]}{comma}{json.dumps(last)}:{value}}}"
    return text[:start] + inner + text[end:]


def without(text: str, key: str) -> str:
    """Return an object's JSON text without a member; the values of the others stay as written."""
    kept = [
        f"{json.dumps(name)}:{text[first:past]}"
        for name, first, past in _members(text)
        if name != key
    ]
    return "{" + ",".join(kept) + "}"


def joined(strings: list[str]) -> str:
    """Return JSON strings, as they are written, as one JSON string."""
    return '"' + "".join(text.strip()[1:-1] for text in strings) + '"'


def _span(text: str, path: Sequence[str | int]) -> tuple[int, int]:
    """Return where a part begins and ends."""
    start = _skip(text, 0)
    end = _DECODER.raw_decode(text, start)[1]
    for step in path:
        spans = {key: (first, past) for key, first, past in _members(text[start:end])}
        if step not in spans:
            raise ValueError(f"no {step}")
        start, end = start + spans[step][0], start + spans[step][1]
    return start, end


def _members(text: str) -> Iterator[tuple[str | int, int, int]]:
    """Yield key, start and end of every member of an object or array, and nothing of the rest."""
    if text[:1] not in ("{", "["):
        return
    at = 0
    named = text[at] == "{"
    closing = "}" if named else "]"
    at = _skip(text, at + 1)
    count = 0
    while text[at] != closing:
        key: str | int = count
        if named:
            key, at = _DECODER.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)  # over the colon
        _, end = _DECODER.raw_decode(text, at)
        yield key, at, end
        at = _skip(text, end)
        if text[at] == ",":
            at = _skip(text, at + 1)
        count += 1


def _skip(text: str, at: int) -> int:
    space = _SPACE.match(text, at)
    return space.end() if space else at


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) == len(pairs):
        return made
    twice = Twice(made)
    twice.names = frozenset(
        name for name, times in Counter(n for n, _ in pairs).items() if times > 1
    )
    return twice


def _refuse(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON")
