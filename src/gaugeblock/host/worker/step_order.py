"""One order for the colours of a STEP file, whatever addresses its shapes had in memory.

The kernel's writer walks the presentations of several coloured products by the addresses of their
shapes, so that the same document gives other bytes in another process. Here the entities that only
presentations reach change places among themselves; all others stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

ROOT = b"MECHANICAL_DESIGN_GEOMETRIC_PRESENTATION_REPRESENTATION("
ENTITY = re.compile(rb"^#(\d+)\s*=\s*((?:[^;']|'(?:[^']|'')*')*);", re.MULTILINE)
REFERENCE = re.compile(rb"'(?:[^']|'')*'|#(\d+)")
WRAP = re.compile(rb"\n\s*")


def ordered(step: bytes) -> bytes:
    """Return a STEP file with its presentations in the order of what they present."""
    if step.count(ROOT) < 2:
        return step
    texts = {int(found[1]): found[2] for found in ENTITY.finditer(step)}
    uses = {number: _references(text) for number, text in texts.items()}
    roots = [number for number, text in texts.items() if text.startswith(ROOT)]
    used = {number for references in uses.values() for number in references}
    others = [number for number in texts if number not in used and number not in roots]
    plain = set(_reached(others, uses, set()))
    movable = {number for number in _reached(roots, uses, plain) if number not in plain}

    def presented(root: int) -> list[int]:
        return sorted(set(_reached([root], uses, set())) & plain)

    wanted = _reached(sorted(roots, key=presented), uses, plain)
    renumbered = dict(zip(wanted, sorted(movable), strict=True))
    by_place = {renumbered[number]: _renumbered(texts[number], renumbered) for number in movable}

    def replaced(found: re.Match[bytes]) -> bytes:
        number = int(found[1])
        return found[0] if number not in by_place else b"#%d = %s;" % (number, by_place[number])

    return ENTITY.sub(replaced, step)


def _references(text: bytes) -> list[int]:
    return [int(found[1]) for found in REFERENCE.finditer(text) if found[1]]


def _reached(roots: Iterable[int], uses: dict[int, list[int]], walls: set[int]) -> list[int]:
    """Return what roots reach, themselves first, each once, without what is walled off."""
    reached: dict[int, None] = {}
    waiting = list(roots)[::-1]
    while waiting:
        number = waiting.pop()
        if number in walls or number in reached or number not in uses:
            continue
        reached[number] = None
        waiting += reversed(uses[number])
    return list(reached)


def _renumbered(text: bytes, numbers: dict[int, int]) -> bytes:
    """Return an entity with other numbers, on one line: where it wraps depends on their length."""

    def other(found: re.Match[bytes]) -> bytes:
        number = int(found[1]) if found[1] else None
        return b"#%d" % numbers[number] if number in numbers else found[0]

    return REFERENCE.sub(other, WRAP.sub(b"", text))
