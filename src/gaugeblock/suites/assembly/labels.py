"""Labels read as people mean them: what a part is, apart from what it is near or belongs to.

A label is taken apart into words: ``DripTray_2``, ``drip-tray 2`` and ``drip tray 2`` are the same.
What is in brackets, after a comma or after a word such as `below` only says more about the part
(a *qualifier*), so "drip tray below group head" is a tray. In what is left, the last noun says what
the part is, as in any English compound: a "portafilter handle" is a handle, and a "steam wand
block" is a block. Numbers and a few words that name no other thing may follow.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from gaugeblock.records.rubric import Role

BRACKETED = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
CLAUSE_END = re.compile(r"[,;:|()\[\]]|\s[-–—]+\s")
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[&+/]|[^\W\d_A-Za-z]+")
"""A run of letters, cut where a capital begins a word (CamelCase); a number; a sign for `and`."""

COMPOUND_ADJECTIVE = re.compile(r"(?<![\w-])[^\W\d_]+-(?:in|on)(?=\s)|\bon/off\b", re.IGNORECASE)
"""`built-in`, `clip-on`, `on/off` before a noun: they say what sort it is, not where."""

NUMBER_SIGN = re.compile(r"\bno\b\.?(?=\s*\d)", re.IGNORECASE)
"""`no. 3` is number three; any other `no` denies."""

QUALIFIERS = frozenset(
    "above against around at behind below beneath beside between by for from in inside into near "
    "next of on onto over to under underneath with within without".split()
)
"""Words after which a label tells where a part is or what it belongs to."""

PLACED = frozenset({"attached", "mounted"})
"""Qualifiers where such a word or nothing follows (`mounted on housing`); before a noun only an
adjective (`rear-mounted water tank`)."""

AND = frozenset({"and", "&", "+", "/"})

NEUTRAL = frozenset("assembly body component main object part solid unit".split())
"""Words that may follow a label, for they name no other thing."""

DENIALS = frozenset("fake missing not".split())
"""Words that take back what a label says: a part called "not base" is not the base."""

DENIALS_OF_THE_NEXT = frozenset({"no", "non"})
"""Words that take back what directly follows: "no base" is none, a "non-slip base" is a base."""

COUNTING = frozenset("one two three four five ii iii iv".split())
"""Numbers in words; single letters may follow anyway."""

LONGEST_LABEL = 400
"""Characters that are read of a label; a name in our host has 100."""

EXACT, PLAIN, COMPOUND, ALSO = range(4)
"""How well a label names a role, best first: nothing else said; with further words; with another
part's label before it (`portafilter handle` as the handle); second of two (`group head and
portafilter` as the portafilter)."""


@dataclass(frozen=True)
class Reading:
    """One role that a label can be read as, and how well."""

    role: str
    rank: int


def readings(label: str | None, roles: Sequence[Role]) -> tuple[Reading, ...]:
    """Return the roles that a label names, at most one for each thing it lists.

    Args:
        label: a part's name; None: it has none.
        roles: all roles there are.
    """
    if label is None:
        return ()
    found: dict[str, int] = {}
    for place, thing in enumerate(_things(label)):
        for role in roles:
            rank = _rank(thing, role, roles)
            if rank is not None:
                worse = ALSO if place else rank
                found[role.label] = min(worse, found.get(role.label, ALSO))
    return tuple(Reading(role, rank) for role, rank in found.items())


def _things(label: str) -> list[list[str]]:
    """Return the words of each thing that a label lists, without qualifiers."""
    text = unicodedata.normalize("NFKC", label[:LONGEST_LABEL])
    text = CLAUSE_END.split(BRACKETED.sub(" ", text).strip())[0]
    text = NUMBER_SIGN.sub(" ", COMPOUND_ADJECTIVE.sub(" ", text))
    things: list[list[str]] = [[]]
    words = [found.casefold() for found in WORD.findall(text)]
    if DENIALS & set(words):
        return things
    for word, after in pairwise([*words, ""]):
        if word in QUALIFIERS or (word in PLACED and (not after or after in QUALIFIERS)):
            break
        if word in AND:
            things.append([])
        else:
            things[-1].append(word)
    return things


def _rank(words: list[str], role: Role, roles: Sequence[Role]) -> int | None:
    """Return how well words name a role; None: they do not."""
    end = len(words)
    while True:
        begin = _named(words[:end], role)
        if begin is not None:
            break
        if end == 0 or not _may_follow(words[end - 1], role):
            return None
        end -= 1
    before = words[:begin]
    if before and before[-1] in DENIALS_OF_THE_NEXT:
        return None
    if not before:
        return EXACT if all(word.isdecimal() for word in words[end:]) else PLAIN
    others = (other for other in roles if other.label != role.label)
    compound = any(
        _named(before[:cut], other) is not None for other in others for cut in range(1, begin + 1)
    )
    return COMPOUND if compound else PLAIN


def _named(words: Sequence[str], role: Role) -> int | None:
    """Return where a role's label begins, if words end with it; written in one or with an s too."""
    wanted = role.label.replace(" ", "")
    for begin in range(len(words) - 1, -1, -1):
        joined = "".join(words[begin:])
        if joined in (wanted, wanted + "s"):
            return begin
        if len(joined) > len(wanted):
            return None
    return None


def _may_follow(word: str, role: Role) -> bool:
    letter = len(word) == 1 and word.isascii()
    counted = word.isdecimal() or letter or word in COUNTING
    return counted or word in NEUTRAL or word in role.may_end
