"""Sizes of turned parts: diameters seen from the side, threads, cones."""

from __future__ import annotations

import numpy as np

from gaugeblock.records.features import Boss, Groove, Hole, Thread
from gaugeblock.ruler.drawing.anatomy import Face
from gaugeblock.ruler.drawing.callouts import counted, thread_text
from gaugeblock.ruler.drawing.lettering import number
from gaugeblock.ruler.drawing.rounds import distinct
from gaugeblock.ruler.drawing.sizing import SIZE, Sizing
from gaugeblock.ruler.drawing.subject import barrels, joined_by_size
from gaugeblock.ruler.drawing.wishes import Linear

THREAD_SLACK = 1e3
"""See `Subject.coaxial`."""


def turned_sizes(sizing: Sizing) -> None:
    """Dimension all diameters of a turned part from its side."""
    subject = sizing.subject
    assert subject.turned is not None
    centre = subject.turned
    chosen = []
    for face in subject.faces:
        owner = subject.claimed.get((face.solid, face.number))
        plain = owner is None or isinstance(owner, Boss | Groove)
        inner = isinstance(owner, Hole) and sizing.as_turned(owner)
        if face.kind == "Cylinder" and sizing.on_axis(face) and (plain or inner):
            chosen.append(face)
    found = [b for b in barrels(chosen, 10 * subject.close) if b.turn > np.pi]
    for group in joined_by_size([b for b in found if b.axis == 0], 10 * subject.close):
        first = max(group, key=lambda b: b.high - b.low)
        steps = distinct([np.array([b.low, b.high]) for b in group], 10 * subject.close)
        text = counted(steps, f"⌀{number(2 * first.radius)}")
        _diameter(sizing, first.radius, (first.low, first.high), text, sizing.names(group))
    for thread in subject.features:
        if (
            isinstance(thread, Thread)
            and not thread.internal
            and subject.coaxial(subject.place(thread), THREAD_SLACK)
        ):
            _thread(sizing, thread)
    for k in (1, 2):
        sizing.levels.tie(k, float(centre[k]), sizing.low(k), sizing.high(k))
    for face in subject.faces:
        if sizing.tapered(face):
            _cone(sizing, face)


def _diameter(
    sizing: Sizing,
    radius: float,
    column: tuple[float, float],
    text: str,
    features: tuple[str, ...],
    wound: bool = False,
) -> None:
    """Ask for a diameter seen from the side; a thread's crests are no lines to take it from."""
    centre = sizing.subject.turned
    assert centre is not None
    y = float(centre[1])
    ends = [tuple(np.array([x, y + sign * radius, centre[2]]) for x in column) for sign in (-1, 1)]
    sizing.out.linear.append(
        Linear(
            1,
            (y - radius, y + radius),
            text,
            features,
            diameter=True,
            best=2,
            rank=SIZE,
            column=column,
            at=(ends[0], ends[1]) if wound else ((), ()),
        )
    )


def _snapped(sizing: Sizing, at: float, reach: float) -> float:
    """Return the level that a thread ends at, or where its own faces end."""
    return min(
        (x for x in sizing.levels.at[0] if abs(x - at) < reach),
        key=lambda x: abs(x - at),
        default=at,
    )


def _thread(sizing: Sizing, thread: Thread) -> None:
    own = sizing.subject.own(thread)
    middle = float(sizing.subject.place(thread)[0])
    spans = [face.reach(np.eye(3)[0]) for face in own] or [(middle, middle)]
    crest = min(s[0] for s in spans), max(s[1] for s in spans)
    low, high = crest
    ends = sizing.subject.threaded.get(thread.id)
    if ends is not None:
        low, high = sorted(float(end[0]) for end in ends)  # chamfers are part of the length
    low, high = (_snapped(sizing, x, 0.6 * thread.pitch) for x in (low, high))
    column = (low, high) if ends is None else crest
    _diameter(sizing, 0.5 * thread.major, column, thread_text(thread), (thread.id,), True)
    if high > low:
        sizing.tie(0, low, high, rank=SIZE, features=(thread.id,), best=2)


def _cone(sizing: Sizing, face: Face) -> None:
    """Ask for the diameters at both ends of a cone that no cylinder or plane tells."""
    assert sizing.subject.turned is not None
    off = np.hypot(*(face.points - sizing.subject.turned)[:, 1:].T)
    low, high = face.reach(np.eye(3)[0])
    for x in (low, high):
        near = np.abs(face.points[:, 0] - x) < 10 * sizing.subject.close
        radius = float(off[near].mean()) if near.any() else 0.0
        known = any(
            wish.diameter and abs(wish.length - 2 * radius) < 10 * sizing.subject.close
            for wish in sizing.out.linear
        )
        if radius > 10 * sizing.subject.close and not known:
            _diameter(sizing, radius, (x, x), f"⌀{number(2 * radius)}", ())
