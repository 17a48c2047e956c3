"""What is to be dimensioned, before it is known where on the paper.

All lengths are mm of the part, in the drawing's directions (right, up, towards the viewer of the
front view, as numbers 0, 1, 2).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from gaugeblock.ruler.drawing.anatomy import Floats

Places = tuple[Floats, ...]


@dataclass(frozen=True)
class Linear:
    """A length along one of the drawing's directions."""

    direction: int
    ends: tuple[float, float]
    text: str
    features: tuple[str, ...] = ()
    diameter: bool = False
    at: tuple[Places, Places] = ((), ())
    """(3,) places that the ends may be taken at, where they are no lines of the part: middles of
    holes."""
    best: int | None = None
    """Direction along which it is best seen, such as a hole's axis."""
    rank: float = 1.0
    """What is left off first where there is no room: the highest."""
    column: tuple[float, float] | None = None
    """For a diameter seen from the side: where along direction 0 its outline runs."""
    otherwise: Note | None = None
    """What tells it where no view shows both of its ends."""
    alike: tuple[tuple[float, float], ...] = ()
    """Ends of the others that its number of places (``2×``) stands for."""

    @property
    def length(self) -> float:
        """Its size in mm."""
        return abs(self.ends[1] - self.ends[0])


@dataclass(frozen=True)
class Round:
    """A circle or an arc that is seen as one."""

    kind: Literal["diameter", "radius"]
    centre: Floats
    radius: float
    axis: int
    text: str
    features: tuple[str, ...] = ()
    entry: float = 0.0
    """As of `Spot`."""
    pitch: bool = False
    """A circle through the middles of holes, drawn as a centre line."""


SizeKind = Literal["length", "diameter", "radius", "angle"]


@dataclass(frozen=True)
class Size:
    """One size that a note tells."""

    kind: SizeKind
    value: float
    """mm or degrees."""


@dataclass(frozen=True)
class Spot:
    """A place that a note may point at: a circle about an axis, or a point of a profile."""

    centre: Floats
    radius: float = 0.0
    axis: int | None = None
    """Direction that it must be seen along; None: any view that `views` allows."""
    entry: float = 0.0
    """+1 where it is seen from the positive side, −1 from the negative one, 0: from both."""
    convex: bool = True
    """Whether an arc is an outer one: its arrow comes from outside."""
    way: Floats | None = None
    """(3,) unit axis of a circle that lies along no direction: it is seen as an ellipse."""
    edge: bool = False
    """Whether it lies on an edge of the feature and serves only where its profile is not seen."""
    loose: bool = False
    """Whether a note may point at it where no curve is drawn: a thread, before its own lines."""


@dataclass(frozen=True)
class Note:
    """A text with an arrow."""

    text: str
    spots: tuple[Spot, ...]
    features: tuple[str, ...] = ()
    rank: float = 1.0
    sizes: tuple[Size, ...] = ()
    sided: bool = False
    """Whether another hole stands on the same axis on the other side: seen from behind, it is told
    to be on the far side."""


@dataclass(frozen=True)
class Mark:
    """One hole of a table."""

    label: str
    """Such as ``A1``."""
    centre: Floats
    radius: float
    text: str
    """Its call-out."""


@dataclass(frozen=True)
class HoleTable:
    """Holes along one direction, told by a table instead of dimensions."""

    axis: int
    marks: tuple[Mark, ...]


@dataclass(frozen=True)
class Angle:
    """An angle between two lines that are seen from their edge along one direction."""

    apex: Floats
    ends: tuple[Floats, Floats]
    """Counter-clockwise in the view along +axis."""
    axis: int
    degrees: float
    text: str
    features: tuple[str, ...] = ()
    alike: tuple[Angle, ...] = ()
    """Others of the same size: it may stand at any of them."""


Wish = Linear | Round | Note | Angle


@dataclass
class Wishes:
    """All that one part asks for."""

    linear: list[Linear] = field(default_factory=list)
    round: list[Round] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    angles: list[Angle] = field(default_factory=list)
    tables: list[HoleTable] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    """What is not dimensioned, for the sheet's notes."""
    printed: list[str] = field(default_factory=list)
    """General notes that stand on the sheet, such as ``Unmarked fillets R2``."""
    general: list[Note] = field(default_factory=list)
    """Notes that they stand for; only a caller's own list asks for one."""

    @property
    def all(self) -> list[Wish]:
        """All that may become a dimension; tables apart."""
        return [*self.linear, *self.round, *self.notes, *self.angles]
