"""What the dimensions of one solid are taken between: whole planes, whole round faces, edges.

A file may split one face into pieces, and so may a slot or a groove. Faces are one *plane* when
they lie in one plane and face the same way, and one *round* when axis, size and side agree.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

import numpy as np

from gaugeblock.ruler.facts.bspline import Floats, Ints
from gaugeblock.ruler.facts.outline import Outline
from gaugeblock.ruler.spectrum.alike import PARALLEL, SAME_LENGTH, SAME_RATIO
from gaugeblock.ruler.spectrum.directions import Directions, Frame, join, linked
from gaugeblock.ruler.spectrum.edges import Edge, edges_of
from gaugeblock.ruler.spectrum.forms import Form, forms_of
from gaugeblock.ruler.spectrum.outlines import outlines_of


@dataclass
class Piece:
    """Plane faces of one plane that touch."""

    faces: list[int]
    outlines: list[list[Floats]] | None
    """Polygons of each face in the plane's frame; None: an outline cannot be followed."""


@dataclass
class Plane:
    """One whole plane of a solid."""

    direction: int
    """Number of its normal's direction."""
    facing: int
    """+1 or −1: which way along it the plane faces out of the material."""
    offset: float
    """Along the direction, mm."""
    pieces: list[Piece]

    @property
    def faces(self) -> list[int]:
        """Return all of its faces."""
        return sorted(face for piece in self.pieces for face in piece.faces)


@dataclass
class Round:
    """One whole cylinder, cone, sphere or torus of a solid."""

    kind: str
    direction: int
    convex: bool
    centre: Floats
    """(3,) in the direction's frame: a point of the axis (the centre of a sphere or torus)."""
    size: float
    """Radius, mm; a cone's in the plane of the frame's origin; a torus's major one."""
    other: float
    """A cone's half-angle along the direction in rad; a torus's minor radius."""
    forms: list[Form]

    @property
    def faces(self) -> list[int]:
        """Return all of its faces."""
        return sorted(form.face for form in self.forms)


@dataclass
class Layout:
    """One solid, taken apart."""

    outline: Outline
    edges: list[Edge | None]
    forms: list[Form | None]
    recognised: int
    """Free-form faces that are a plain form."""
    reach: float
    """Places within this many mm are one."""
    directions: Directions
    planes: list[Plane] = field(default_factory=list)
    rounds: list[Round] = field(default_factory=list)
    whole: Ints = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    """Number of the whole plane or round of each face; a face without a form has its own."""
    edge_direction: dict[int, int] = field(default_factory=dict)
    """Number of the direction of each straight or round edge, by edge number."""
    touching: dict[int, set[int]] = field(default_factory=dict)
    """For each face those that share an edge with it."""
    _offsets: dict[int, Floats] = field(default_factory=dict)

    @property
    def free_form(self) -> int:
        """Return how many faces have no plain form."""
        return self.forms.count(None)

    @property
    def open_edges(self) -> int:
        """Return how many edges only one face uses."""
        return sum(edge is not None and len(edge.uses) < 2 for edge in self.edges)

    def frame(self, direction: int) -> Frame:
        """Return the frame of a direction."""
        return self.directions.frames[direction]

    def together(self, faces: list[int]) -> list[list[int]]:
        """Return some faces, those that touch along an edge together."""
        place = {face: i for i, face in enumerate(faces)}
        pairs = [
            (place[face], place[other])
            for face in faces
            for other in self.touching[face]
            if other > face and other in place
        ]
        group = linked(len(faces), pairs)
        return [
            sorted(face for face, own in zip(faces, group, strict=True) if own == number)
            for number in range(int(group.max()) + 1)
        ]

    def has_planes(self, direction: int, ends: tuple[float, float]) -> bool:
        """Whether planes across a direction lie at both ends of a length along it, mm."""
        if direction not in self._offsets:
            found = [plane.offset for plane in self.planes if plane.direction == direction]
            self._offsets[direction] = np.sort(np.array(found))
        offsets = self._offsets[direction]
        first = np.searchsorted(offsets, np.array(ends) - self.reach)
        beyond = np.searchsorted(offsets, np.array(ends) + self.reach, side="right")
        return bool((beyond > first).all())


def lay_out(outline: Outline, low: Floats, high: Floats) -> Layout:
    """Take one solid apart; `low` and `high` are the corners of its box, mm."""
    edges = edges_of(outline)
    forms, recognised = forms_of(outline)
    known = [form for form in forms if form is not None]
    guided = [edge for edge in edges if edge is not None and edge.direction is not None]
    vectors = [form.axis for form in known] + [edge.direction for edge in guided]
    directions = Directions(np.array(vectors).reshape(-1, 3), (low + high) / 2)
    layout = Layout(
        outline=outline,
        edges=edges,
        forms=forms,
        recognised=recognised,
        reach=max(SAME_LENGTH, SAME_RATIO * float(np.linalg.norm(high - low))),
        directions=directions,
        whole=np.arange(len(forms)),
        touching=_touching(outline),
    )
    labels = directions.label.tolist()
    for edge, label in zip(guided, labels[len(known) :], strict=True):
        layout.edge_direction[edge.number] = label
    numbered = list(zip(known, labels, directions.sense.tolist(), strict=False))
    plane = [item for item in numbered if item[0].kind == "Plane"]
    layout.planes = _planes(layout, plane)
    for kind in ("Cylinder", "Cone", "Sphere", "Torus"):
        layout.rounds += _rounds(layout, [item for item in numbered if item[0].kind == kind])
    for faces in [p.faces for p in layout.planes] + [r.faces for r in layout.rounds]:
        layout.whole[faces] = faces[0]
    return layout


Numbered = tuple[Form, int, float]
"""A form, the number of its axis's direction, and +1 or −1: along it or against it."""


def _planes(layout: Layout, items: list[Numbered]) -> list[Plane]:
    wires = defaultdict(list)
    for face, first, last in layout.outline.wires:
        wires[face].append((first, last))
    sides: dict[tuple[int, int], list[Form]] = defaultdict(list)
    for form, label, sense in items:
        sides[label, int(sense)].append(form)
    planes = []
    for (label, facing), forms in sides.items():
        frame = layout.frame(label)
        offsets = np.array([_offset(layout, form, wires[form.face], frame) for form in forms])
        group = join(offsets[:, None], layout.reach)
        for number in range(int(group.max()) + 1):
            chosen = np.flatnonzero(group == number)
            faces = [forms[i].face for i in chosen]
            pieces = [
                Piece(piece, _outlines(layout, piece, wires, frame))
                for piece in layout.together(faces)
            ]
            planes.append(Plane(label, facing, float(np.median(offsets[chosen])), pieces))
    return planes


def _offset(layout: Layout, form: Form, wires: list[tuple[int, int]], frame: Frame) -> float:
    """Return where a plane face lies along its normal's direction, mm.

    Taken at the middle of its corners, where a tilt within `PARALLEL` costs least.
    """
    outline = layout.outline
    ends = [
        edge.ends[0]
        for first, last in wires
        for use in range(first, last)
        if (edge := layout.edges[outline.use_edge[use]]) is not None
    ]
    middle = np.mean(ends, axis=0) if ends else form.origin
    on_plane = middle - form.axis * float((middle - form.origin) @ form.axis)
    return float(frame.place(on_plane)[2])


def _touching(outline: Outline) -> dict[int, set[int]]:
    """Return for each face those that share an edge with it, itself among them."""
    by_edge: dict[int, list[int]] = defaultdict(list)
    for use, edge in enumerate(outline.use_edge):
        by_edge[edge].append(outline.use_face[use])
    found: dict[int, set[int]] = defaultdict(set)
    for faces in by_edge.values():
        for face in faces:
            found[face].update(faces)
    return found


def _outlines(
    layout: Layout, faces: list[int], wires: dict[int, list[tuple[int, int]]], frame: Frame
) -> list[list[Floats]] | None:
    found = [outlines_of(layout.outline, layout.edges, wires[face], frame) for face in faces]
    known = [outlines for outlines in found if outlines is not None]
    return known if len(known) == len(found) else None


def _rounds(layout: Layout, items: list[Numbered]) -> list[Round]:
    """Return the whole round faces of one kind."""
    sides: dict[tuple[int, bool], list[Numbered]] = defaultdict(list)
    for item in items:
        # A sphere has no axis: all of one side are compared.
        sides[-1 if item[0].kind == "Sphere" else item[1], item[0].convex].append(item)
    rounds = []
    for (label, convex), members in sides.items():
        frame = layout.frame(max(label, 0))
        rows = [_numbers(layout, form, sense, frame) for form, _, sense in members]
        group = join(np.array([key for key, _, _ in rows]), layout.reach)
        for number in range(int(group.max()) + 1):
            chosen = np.flatnonzero(group == number)
            centre, (size, other) = (
                np.median([rows[i][part] for i in chosen], axis=0) for part in (1, 2)
            )
            forms = [members[i][0] for i in chosen]
            kind, direction = forms[0].kind, max(label, 0)
            rounds.append(Round(kind, direction, convex, centre, float(size), float(other), forms))
    return rounds


def _numbers(
    layout: Layout, form: Form, sense: float, frame: Frame
) -> tuple[Floats, Floats, tuple[float, float]]:
    """Return what tells one round face from others, in mm, its centre, and its two sizes."""
    centre = frame.place(form.origin)
    size, other = form.size, form.other
    if form.kind == "Cylinder":
        return np.array([*centre[:2], size]), np.array([*centre[:2], 0.0]), (size, 0.0)
    if form.kind == "Cone":
        # The generator as a line in the half-plane through the axis: its distance from the origin
        # and its slope, so that blunt and sharp cones are compared alike.
        other *= sense
        distance = size * np.cos(other) - centre[2] * np.sin(other)
        slope = other * layout.reach / PARALLEL
        at_origin = size - centre[2] * np.tan(other)
        key = np.array([*centre[:2], distance, slope])
        return key, np.array([*centre[:2], 0.0]), (float(at_origin), float(other))
    return np.array([*centre, size, other]), centre, (size, other)
