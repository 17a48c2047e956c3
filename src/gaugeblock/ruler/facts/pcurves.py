"""Boundary curves of faces, in parameter space and in space, evaluated many at once.

Lines and conics are kept as numbers; B-splines are kept span by span (each with its own window of
knots and poles), so that thousands of curves are evaluated in a few numpy calls.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from OCP.BRep import BRep_Tool
from OCP.BRepAdaptor import BRepAdaptor_Curve, BRepAdaptor_Curve2d
from OCP.Geom2dConvert import Geom2dConvert
from OCP.GeomAbs import GeomAbs_CurveType
from OCP.GeomConvert import GeomConvert
from OCP.gp import gp_Pnt, gp_Pnt2d, gp_Vec, gp_Vec2d
from OCP.TopAbs import TopAbs_REVERSED

from gaugeblock.ruler.facts.bspline import Floats, Ints
from gaugeblock.ruler.facts.surfaces import flat_knots

LINE, CONIC, SPLINE, OTHER = range(4)

TYPES = {
    int(getattr(GeomAbs_CurveType, f"GeomAbs_{name}")): name
    for name in ("Line", "Circle", "Ellipse", "BSplineCurve", "BezierCurve")
}
"""The kernel's numbers of the curve types that are kept as numbers."""

EXACT = 2e-7
"""Edge tolerance in mm up to which its curves on both faces count as one: the kernel's own
confusion distance is 1e-7, and 10 m of edges at 2e-7 enclose 1e-7 of a 100 mm cube at most."""


class Curves:
    """Many curves of one dimension (2: in parameter space, 3: in mm), by number."""

    def __init__(self, dimension: int) -> None:
        self.dimension = dimension
        self.kind: list[int] = []
        self.first: list[float] = []
        self.last: list[float] = []
        self.simple: list[tuple[float, ...]] = []
        """Lines and conics: a point and two vectors (a line's second is 0)."""
        self.adaptors: dict[int, Any] = {}
        self.splines: dict[int, _Spans] = {}
        self._frozen: _Frozen | None = None

    def __len__(self) -> int:
        return len(self.kind)

    def add(self, adaptor: Any) -> int:
        """Take a kernel curve adaptor and return the curve's number."""
        number = len(self.kind)
        self._frozen = None
        self.first.append(adaptor.FirstParameter())
        self.last.append(adaptor.LastParameter())
        kind, simple = OTHER, (0.0,) * (3 * self.dimension)
        # By int: the binding compares enumeration values in 1 µs each, which adds up.
        match TYPES.get(int(adaptor.GetType())):
            case "Line":
                line = adaptor.Line()
                zero = (0.0,) * self.dimension
                kind = LINE
                simple = (*line.Location().Coord(), *line.Direction().Coord(), *zero)
            case "Circle":
                circle = adaptor.Circle()
                kind, radius = CONIC, circle.Radius()
                simple = _conic(circle.Position(), radius, radius)
            case "Ellipse":
                ellipse = adaptor.Ellipse()
                axes = ellipse.Axis() if self.dimension == 2 else ellipse.Position()
                kind = CONIC
                simple = _conic(axes, ellipse.MajorRadius(), ellipse.MinorRadius())
            case "BSplineCurve":
                kind = SPLINE
                self._add_spline(number, adaptor.BSpline())
            case "BezierCurve":
                kind = SPLINE
                convert: Any = Geom2dConvert if self.dimension == 2 else GeomConvert
                self._add_spline(number, convert.CurveToBSplineCurve_s(adaptor.Bezier()))
            case _:
                self.adaptors[number] = adaptor
        self.kind.append(kind)
        self.simple.append(simple)
        return number

    def _add_spline(self, number: int, curve: Any) -> None:
        self.splines[number] = _spans(curve, self.first[number], self.last[number], self.dimension)

    def breaks(self, number: int) -> Floats:
        """Return the parameters inside a curve where it is not smooth."""
        spans = self.splines.get(number)
        return np.empty(0) if spans is None else spans.starts[1:]

    def evaluate(self, number: Ints, t: Floats) -> tuple[Floats, Floats]:
        """Return (n, dimension) points and derivatives at `t` of curves `number`."""
        if self._frozen is None:
            self._frozen = _Frozen(self)
        return self._frozen.evaluate(number, t)


class PCurves(Curves):
    """The boundary curves of all faces of one solid, one a use of an edge in a face."""

    def __init__(self) -> None:
        super().__init__(2)
        self.face: list[int] = []
        """Face number of each use."""
        self.sign: list[float] = []
        """+1 along, −1 against the curve's own direction."""
        self.space = Curves(3)
        """Edge curves of the uses that `loose` names."""
        self.loose: dict[int, int] = {}
        """Uses whose edge is looser than EXACT, and their number in `space`."""
        self.by_edge: dict[int, int] = {}
        """Number in `space` of edges by key."""
        self._tolerance: dict[int, float] = {}
        self.slack: list[float] = []
        """Per use: distance in mm by which the edge may lie off the face."""

    def take(self, face_number: int, edge: Any, face: Any, key: int = 0) -> int:
        """Take one edge (with its orientation in the forward face); return the use's number.

        `key` tells equal edges: those after the first share its curve in space (0: unknown).
        """
        number = self.add(BRepAdaptor_Curve2d(edge, face))
        self.face.append(face_number)
        self.sign.append(-1.0 if edge.Orientation() == TopAbs_REVERSED else 1.0)
        tolerance = self._tolerance.get(key) if key else None
        if tolerance is None:
            tolerance = self._tolerance[key] = BRep_Tool.Tolerance_s(edge)
        if (
            tolerance > EXACT
            and BRep_Tool.SameParameter_s(edge)
            and not BRep_Tool.Degenerated_s(edge)
        ):
            if key not in self.by_edge or not key:
                self.by_edge[key] = self.space.add(BRepAdaptor_Curve(edge))
            self.loose[number] = self.by_edge[key]
        self.slack.append(max(tolerance, EXACT))
        return number

    def take_space(self, edge: Any, key: int) -> None:
        """Take an edge's own curve, where it is not yet known."""
        if key not in self.by_edge:
            self.by_edge[key] = self.space.add(BRepAdaptor_Curve(edge))


@dataclass
class _Spans:
    """One B-spline curve over its trimmed range."""

    starts: Floats
    """Start of each span, growing."""
    knots: Floats
    """(spans, 2·degree) knots around each span."""
    poles: Floats
    """(spans, degree + 1, dimension + 1) homogenous poles of each span."""
    degree: int


class _Frozen:
    """Flat arrays for evaluation."""

    def __init__(self, curves: Curves) -> None:
        self.kind = np.array(curves.kind, dtype=np.int64)
        self.simple = np.array(curves.simple).reshape(-1, 3, curves.dimension)
        self.first = np.array(curves.first)
        length = np.array(curves.last) - self.first
        self.length = np.where(length > 0, length, 1.0)
        self.adaptors = curves.adaptors
        self.dimension = curves.dimension
        # Spans of all curves of one degree lie in one sorted list, keyed 4·curve + position.
        self.degree = np.zeros(len(self.kind), dtype=np.int64)
        self.groups: dict[int, tuple[Floats, Floats, Floats]] = {}
        for degree in sorted({s.degree for s in curves.splines.values()}):
            members = [(i, s) for i, s in curves.splines.items() if s.degree == degree]
            self.degree[[i for i, _ in members]] = degree
            keys = [self._key(np.full(len(s.starts), i), s.starts) for i, s in members]
            knots = np.concatenate([s.knots for _, s in members])
            poles = np.concatenate([s.poles for _, s in members])
            ends = knots[:, degree - 1 : degree + 1]
            self.groups[degree] = (np.concatenate(keys), ends, _taylor(degree, knots, poles))

    def _key(self, use: Ints, t: Floats) -> Floats:
        place = np.clip((t - self.first[use]) / self.length[use], 0.0, 1.0)
        return np.asarray(4.0 * use + 1.0 + place)

    def evaluate(self, use: Ints, t: Floats) -> tuple[Floats, Floats]:
        points, slopes = np.empty((2, len(t), self.dimension))
        kind = self.kind[use]
        chosen = kind == LINE
        if chosen.any():
            data = self.simple[use[chosen]]
            points[chosen] = data[:, 0] + t[chosen, None] * data[:, 1]
            slopes[chosen] = data[:, 1]
        chosen = kind == CONIC
        if chosen.any():
            data = self.simple[use[chosen]]
            c, s = np.cos(t[chosen, None]), np.sin(t[chosen, None])
            points[chosen] = data[:, 0] + c * data[:, 1] + s * data[:, 2]
            slopes[chosen] = -s * data[:, 1] + c * data[:, 2]
        for degree, group in self.groups.items():
            chosen = (kind == SPLINE) & (self.degree[use] == degree)
            if chosen.any():
                points[chosen], slopes[chosen] = self._spline(group, use[chosen], t[chosen])
        for i in np.flatnonzero(kind == OTHER):
            flat = self.dimension == 2
            point, slope = (gp_Pnt2d(), gp_Vec2d()) if flat else (gp_Pnt(), gp_Vec())
            self.adaptors[int(use[i])].D1(float(t[i]), point, slope)
            points[i], slopes[i] = point.Coord(), slope.Coord()
        return points, slopes

    def _spline(
        self, group: tuple[Floats, Floats, Floats], use: Ints, t: Floats
    ) -> tuple[Floats, Floats]:
        keys, ends, terms = group
        span = np.searchsorted(keys, self._key(use, t), "right") - 1
        span = np.maximum(span, np.searchsorted(keys, 4.0 * use))
        low, width = ends[span, 0], ends[span, 1] - ends[span, 0]
        x = ((t - low) / width - 0.5)[:, None]
        value, slope = terms[-1][span], np.zeros((len(t), self.dimension + 1))
        for term in terms[-2::-1]:
            slope = slope * x + value
            value = value * x + term[span]
        slope /= width[:, None]
        weight = value[:, -1:]
        point = value[:, :-1] / weight
        return point, (slope[:, :-1] - point * slope[:, -1:]) / weight


def _taylor(degree: int, knots: Floats, poles: Floats) -> Floats:
    """Return (degree + 1, spans, dimension + 1) powers of each span about its middle.

    The variable runs from −½ to ½ over the span, where powers are well conditioned; they are fitted
    through values that de Boor's algorithm gives at Chebyshev nodes.
    """
    nodes = 0.5 * np.cos(np.pi * (np.arange(degree + 1) + 0.5) / (degree + 1))
    low, width = knots[:, degree - 1], knots[:, degree] - knots[:, degree - 1]
    values = []
    for node in nodes:
        t, d = low + (node + 0.5) * width, poles
        for order in range(1, degree + 1):
            raised = []
            for i in range(degree + 1 - order):
                left, right = knots[:, i + order - 1], knots[:, i + degree]
                share = ((t - left) / (right - left))[:, None]
                raised.append(d[:, i] + share * (d[:, i + 1] - d[:, i]))
            d = np.stack(raised, axis=1)
        values.append(d[:, 0])
    powers = np.vander(nodes, increasing=True)
    flat = np.linalg.solve(powers, np.stack(values).reshape(degree + 1, -1))
    return np.asarray(flat.reshape(degree + 1, len(poles), -1))


def _conic(axes: Any, a: float, b: float) -> tuple[float, ...]:
    x = (a * c for c in axes.XDirection().Coord())
    y = (b * c for c in axes.YDirection().Coord())
    return (*axes.Location().Coord(), *x, *y)


def _spans(curve: Any, first: float, last: float, dimension: int) -> _Spans:
    """Cut a B-spline curve into the spans that [first, last] touches."""
    period = 0.0
    if curve.IsPeriodic():
        period = curve.Period()
        curve = curve.Copy()
        curve.SetNotPeriodic()
    degree = curve.Degree()
    knots = flat_knots(curve.Knot, curve.Multiplicity, curve.NbKnots())
    index = range(1, curve.NbPoles() + 1)
    poles = np.ones((curve.NbPoles(), dimension + 1))
    poles[:, :dimension] = [curve.Pole(i).Coord() for i in index]
    if curve.IsRational():
        poles[:, dimension] = [curve.Weight(i) for i in index]
        poles[:, :dimension] *= poles[:, dimension:]
    inner = np.arange(degree, len(knots) - degree - 1)
    inner = inner[knots[inner] < knots[inner + 1]]
    turns = [0.0]
    if period:
        low = np.floor((first - knots[degree]) / period)
        high = np.floor((last - knots[degree]) / period)
        turns = [float(turn) for turn in np.arange(low, high + 1)]
    pieces = [
        (knots[span] + turn * period, span, turn * period) for turn in turns for span in inner
    ]
    ends = [start for start, _, _ in pieces[1:]] + [np.inf]
    eps = 1e-12 * max(1.0, abs(first), abs(last))
    kept = [
        piece
        for piece, end in zip(pieces, ends, strict=True)
        if end > first + eps and piece[0] < last - eps
    ] or pieces[:1]
    return _Spans(
        starts=np.array([start for start, _, _ in kept]),
        knots=np.array([knots[s - degree + 1 : s + degree + 1] + shift for _, s, shift in kept]),
        poles=np.array([poles[s - degree : s + 1] for _, s, _ in kept]),
        degree=degree,
    )
