"""Wrong threads on a right part, one fault each; and the right one, wound again, as the control."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from gaugeblock.calibration.mutation.places import Place, Winding
from gaugeblock.calibration.records import Control
from gaugeblock.calibration.sheet_mutants import Drawn, Subject, judged
from gaugeblock.records.features import FeatureSet, Thread
from gaugeblock.ruler.matching.tolerances import RIGHT

MOST = 2
"""Unlike threads of one part that are made wrong: a winding costs 2–5 s."""

PITCH_OFF = 0.05
"""mm: five times what `threadMatch` allows, the smallest step between pitches of one size."""

ASIDE = 3 * RIGHT.position
"""How far a thread is put aside, mm."""


@dataclass(frozen=True)
class Fault:
    """One wrong thread."""

    kind: str
    words: str
    winding: Winding
    says: str
    """What the finding must hold to name it."""


def of_threads(subject: Subject, right: FeatureSet) -> tuple[list[Drawn], list[Control], int]:
    """Return the mutants of a part's threads, a control, and how many threads were left out.

    Args:
        subject: the reference.
        right: its features.
    """
    threads = [feature for feature in right.features if isinstance(feature, Thread)]
    unlike = {(t.designation, t.hand, t.starts, t.internal): t for t in reversed(threads)}
    taken = list(unlike.values())[::-1][:MOST]
    work = [(thread, fault) for thread in taken for fault in faults(thread)]
    bench = subject.sheet.bench

    def one(item: tuple[Thread, Fault]) -> Drawn:
        thread, fault = item
        name = f"{thread.id} ({_words(thread)}) {fault.words}"
        bench.told(name)
        made = bench.workshop.rewind(
            subject.survey.reference,
            name,
            fault.kind,
            thread.solid,
            place_of(thread),
            fault.winding,
        )
        return judged(subject, made, must_say=fault.says)

    mutants = bench.side_by_side(one, work)
    controls = [again(subject, thread) for thread in taken]
    return mutants, controls, len(threads) - len(taken)


def place_of(thread: Thread) -> Place:
    """Return where a measured thread begins, and how far it reaches."""
    x, y, z = (p - a * thread.length / 2 for p, a in zip(thread.position, thread.axis, strict=True))
    return Place(
        (x, y, z), thread.axis, thread.length, thread.major, thread.minor, thread.internal,
        bool(thread.through),
    )  # fmt: skip


def winding_of(thread: Thread) -> Winding:
    """Return the thread as it was measured: rounded, since rays read 1e-4 mm beside a size."""
    return Winding(
        round(thread.major, 2), round(thread.pitch, 3), thread.starts, thread.hand == "left"
    )


def faults(thread: Thread) -> Iterator[Fault]:
    """Yield every wrong thread that may stand there instead."""
    right = winding_of(thread)
    other = "right" if right.left else "left"
    starts = 1 if right.starts > 1 else 2
    small = right.major - right.pitch
    plain = thread.minor if thread.internal else thread.major
    side = "a plain hole" if thread.internal else "a plain cylinder"
    yield Fault(
        "thread-hand", f"made {other}-handed", replace(right, left=not right.left), f"{other}-hand"
    )
    yield Fault(
        "thread-pitch",
        f"with a pitch of {right.pitch + PITCH_OFF:g} mm",
        replace(right, pitch=right.pitch + PITCH_OFF),
        "pitch",
    )
    yield Fault("thread-starts", f"with {starts} starts", replace(right, starts=starts), "starts")
    yield Fault("thread-size", f"made ⌀{small:g}", replace(right, major=small), "threadMatch")
    yield Fault(
        "thread-cosmetic",
        f"left out: {side} of ⌀{plain:.4g}",
        replace(right, plain=plain),
        "threadMatch",
    )
    yield Fault("thread-aside", f"put {ASIDE:g} mm aside", replace(right, aside=ASIDE), "lies")


def again(subject: Subject, thread: Thread) -> Control:
    """Wind the right thread again: were it not read as right, the mutants would be noise."""
    bench, right = subject.sheet.bench, winding_of(thread)
    name = f"{thread.id} ({_words(thread)}), wound again, reads as itself"
    made = bench.workshop.rewind(
        subject.survey.reference, name, "control", thread.solid, place_of(thread), right
    )
    if made.data is None:
        return Control(name=name, ok=None, finding=made.reason)
    found = bench.ruler.features(_path(subject, made.data), bench.wall_s)
    there = [feature for feature in found.features if isinstance(feature, Thread)]
    same = [other for other in there if _alike(thread, other)]
    told = ", ".join(map(_words, there)) or f"no thread: {_why(found)}"
    return Control(name=name, ok=bool(same), finding="" if same else told)


def _path(subject: Subject, data: bytes) -> Path:
    return subject.sheet.bench.placed(data)


def _alike(one: Thread, other: Thread) -> bool:
    """Whether two threads are of one size and form, on one axis; their ends may differ."""
    form = ("internal", "designation", "hand", "starts")
    return all(getattr(one, name) == getattr(other, name) for name in form) and (
        _off_axis(one, other) <= RIGHT.position
    )


def _off_axis(one: Thread, other: Thread) -> float:
    way = [b - a for a, b in zip(one.position, other.position, strict=True)]
    along = sum(w * a for w, a in zip(way, one.axis, strict=True))
    return sum((w - along * a) ** 2 for w, a in zip(way, one.axis, strict=True)) ** 0.5


def _words(thread: Thread) -> str:
    size = thread.designation or f"⌀{thread.major:.4g}, pitch {thread.pitch:.4g}"
    starts = f", {thread.starts} starts" if thread.starts > 1 else ""
    return f"{size}{', left' if thread.hand == 'left' else ''}{starts}"


def _why(found: FeatureSet) -> str:
    said: Sequence[str] = [finding.message for finding in found.refused]
    return found.reason or "; ".join(said) or "nothing looks like one"
