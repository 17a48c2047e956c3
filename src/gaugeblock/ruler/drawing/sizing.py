"""What the sizing of a part works on: the part, what is tied already, what was asked for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from gaugeblock.records.features import Boss, Chamfer, Fillet, Groove, Hole, Recess, Thread
from gaugeblock.ruler.drawing.anatomy import Face
from gaugeblock.ruler.drawing.callouts import counted
from gaugeblock.ruler.drawing.lettering import number
from gaugeblock.ruler.drawing.levels import Levels
from gaugeblock.ruler.drawing.subject import Barrel, Subject, aligned
from gaugeblock.ruler.drawing.wishes import Linear, Note, Places, Wishes

OVERALL, SIZE, POSITION, FACE = 0.0, 1.0, 2.0, 3.0
"""Ranks of dimensions, see `Linear.rank`."""


ENGRAVED_FACES, ENGRAVED_SIZE = 10, 0.06
"""Faces from which on, and part of the part's size up to which, a recess is an engraving: nobody
measures its strokes. A pocket of two walls more than a hexagon has eight walls and a floor."""


def engraved(subject: Subject, recess: Recess) -> bool:
    """Whether a recess is lettering or an ornament: small, and of many faces."""
    if len(recess.faces) < ENGRAVED_FACES:
        return False
    points = np.concatenate([face.points for face in subject.own(recess)])
    return float(np.ptp(points, axis=0).max()) < ENGRAVED_SIZE * subject.size


@dataclass
class Sizing:
    """One part while its sizes are chosen."""

    subject: Subject
    sectioned: bool
    """Whether a section along the axis of a turned part is drawn."""
    levels: Levels
    out: Wishes = field(default_factory=Wishes)
    round_ends: dict[tuple[int, float], Barrel] = field(default_factory=dict)
    """Cylinders that end a part in a direction, by direction and level."""
    handled: set[tuple[int, int]] = field(default_factory=set)
    """Oblique walls of features (solid, number) that a note of the feature tells."""

    def sloping(self, face: Face) -> bool:
        """Whether an oblique plane needs an angle or places of its own."""
        owner = self.subject.claimed.get((face.solid, face.number))
        if isinstance(owner, Recess) and engraved(self.subject, owner):
            return False
        inside = isinstance(owner, Recess | Boss)
        return owner is None or (inside and (face.solid, face.number) not in self.handled)

    @property
    def close(self) -> float:
        """Coordinates nearer than this are one, mm."""
        return 10 * self.subject.close

    def low(self, k: int) -> float:
        """Return where the part begins in a direction."""
        return float(self.subject.low[k])

    def high(self, k: int) -> float:
        """Return where the part ends in a direction."""
        return float(self.subject.high[k])

    def flat(self, k: int, at: float) -> bool:
        """Whether a plane lies at a level."""
        return any(
            face.kind == "Plane"
            and (a := aligned(face.axis)) is not None
            and a[0] == k
            and abs(float(face.point[k]) - at) < self.levels.close
            for face in self.subject.faces
        )

    def levelled(self, face: Face) -> bool:
        """Whether a plane needs a dimension of its own: not what a call-out says."""
        owner = self.subject.claimed.get((face.solid, face.number))
        if isinstance(owner, Hole) and self.as_turned(owner):
            return True
        if isinstance(owner, Recess) and engraved(self.subject, owner):
            return False
        return not isinstance(owner, Hole | Thread | Chamfer | Fillet)

    def as_turned(self, hole: Hole) -> bool:
        """Whether a hole is dimensioned in the section of a turned part."""
        return (
            self.sectioned
            and self.subject.axis(hole) in ((0, 1.0), (0, -1.0))
            and self.subject.coaxial(self.subject.place(hole))
        )

    def on_axis(self, face: Face) -> bool:
        """Whether a face turns about the axis of a turned part."""
        along = aligned(face.axis)
        return along is not None and along[0] == 0 and self.subject.coaxial(face.point)

    def tapered(self, face: Face) -> bool:
        """Whether a face is a cone about a turned part's axis that no call-out tells."""
        if face.kind != "Cone" or not self.on_axis(face):
            return False
        owner = self.subject.claimed.get((face.solid, face.number))
        inner = isinstance(owner, Hole) and self.as_turned(owner)
        return owner is None or isinstance(owner, Boss | Groove) or inner

    def about_axis(self, barrel: Barrel) -> bool:
        """Whether an arc lies about the axis of a turned part, such as the crest of a thread."""
        if self.subject.turned is None or barrel.axis != 0:
            return False
        off = np.hypot(*(barrel.centre - self.subject.turned)[1:])
        return bool(off < 1e-3 * self.subject.size)

    def names(self, group: Iterable[Barrel]) -> tuple[str, ...]:
        """Return the features that cylinders belong to."""
        claimed = self.subject.claimed
        owners = [claimed.get((f.solid, f.number)) for b in group for f in b.faces]
        return tuple(dict.fromkeys(o.id for o in owners if o is not None))

    def tie_as(self, feature: str, k: int, a: float, b: float) -> bool:
        """Tie two levels as an alike feature's are, if a dimension says so; whether one does.

        Args:
            feature: Id of the one whose sizes are printed for all.
            k: Direction.
            a: A level.
            b: Another.
        """
        a, b = sorted((self.levels.exact(k, a), self.levels.exact(k, b)))
        for n, wish in enumerate(self.out.linear):
            same = wish.direction == k and abs(wish.length - (b - a)) < self.levels.close
            if same and feature in wish.features and not wish.diameter:
                self.levels.tie(k, a, b)
                self.out.linear[n] = replace(wish, alike=(*wish.alike, (a, b)))
                return True
        return False

    def tie(
        self,
        k: int,
        a: float,
        b: float,
        *,
        rank: float,
        features: tuple[str, ...] = (),
        text: str | None = None,
        at: tuple[Places, Places] = ((), ()),
        best: int | None = None,
        otherwise: Note | None = None,
    ) -> bool:
        """Ask for the distance of two levels, unless it follows from others."""
        a, b = self.levels.exact(k, a), self.levels.exact(k, b)
        if abs(a - b) < self.levels.close or not self.levels.tie(k, a, b):
            return False
        if a > b:
            a, b, at = b, a, (at[1], at[0])
        shown = text if text is not None else number(b - a)
        self.out.linear.append(
            Linear(k, (a, b), shown, features, at=at, best=best, rank=rank, otherwise=otherwise)
        )
        return True

    def tie_alike(self, k: int, pairs: Sequence[tuple[float, float]], *, rank: float) -> None:
        """Ask once for the distance of all pairs of levels for which it follows from nothing else.

        Args:
            k: Direction.
            pairs: Lower and upper level, all equally far apart.
            rank: As of `Linear`.
        """
        exact = [(self.levels.exact(k, a), self.levels.exact(k, b)) for a, b in pairs]
        told = [(a, b) for a, b in exact if b - a >= self.levels.close and self.levels.tie(k, a, b)]
        if told:
            (a, b), *alike = told
            text = counted(len(told), number(b - a))
            self.out.linear.append(Linear(k, (a, b), text, rank=rank, alike=tuple(alike)))
