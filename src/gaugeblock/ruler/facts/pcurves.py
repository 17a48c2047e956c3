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
        self._nothing = (0.0,) * (3 * dimension)
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
        kind, simple = OTHER, self._nothing
        # Not by comparing the binding's enumeration values: 1 µs each, which adds up.
        match TYPES.get(int(adaptor.GetType())):
            case "Line":
                line = adaptor.Line()
                kind, zero = LINE, simple[: self.dimension]
                simple = line.Location().Coord() + line.Direction().Coord() + zero
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
        """Return points and derivatives of curves `number` (n,) at `t` (n,) or (n, k).

        Both have the shape of `t` with one more axis, of the curves' dimension.
        """
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

    def take(self, face_number: int, edge: Any, face: Any, key: int, forward: bool) -> None:
        """Take one use of an edge.

        Args:
            face_number: Its face.
            edge: TopoDS_Edge with its orientation in the forward face.
            face: TopoDS_Face, forward.
            key: Tells equal edges: those after the first share its curve in space (0: unknown).
            forward: Whether the edge's orientation is forward.
        """
        number = self.add(BRepAdaptor_Curve2d(edge, face))
        self.face.append(face_number)
        self.sign.append(1.0 if forward else -1.0)
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
        shape = (-1, 3, curves.dimension)
        self.simple = np.array(curves.simple).reshape(shape).transpose(1, 2, 0).copy()
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
        at = t if t.ndim == 2 else t[:, None]
        # Coordinates first: numpy is slow along a last axis of two or three.
        points, slopes = np.empty((2, self.dimension, *at.shape))
        kind = self.kind[use]
        chosen = np.flatnonzero(kind == LINE)
        if len(chosen):
            point, along, _ = self.simple[:, :, use[chosen], None]
            points[:, chosen] = point + at[chosen] * along
            slopes[:, chosen] = along
        chosen = np.flatnonzero(kind == CONIC)
        if len(chosen):
            middle, x, y = self.simple[:, :, use[chosen], None]
            c, s = np.cos(at[chosen]), np.sin(at[chosen])
            points[:, chosen] = middle + c * x + s * y
            slopes[:, chosen] = c * y - s * x
        for degree, group in self.groups.items():
            chosen = np.flatnonzero((kind == SPLINE) & (self.degree[use] == degree))
            if len(chosen):
                many = np.repeat(use[chosen], at.shape[1])
                found = self._spline(group, many, at[chosen].ravel())
                shape = (self.dimension, len(chosen), at.shape[1])
                points[:, chosen], slopes[:, chosen] = (each.T.reshape(shape) for each in found)
        if self.adaptors:
            self._others(use, at, points, slopes)
        points, slopes = points.transpose(1, 2, 0), slopes.transpose(1, 2, 0)
        return (points, slopes) if t.ndim == 2 else (points[:, 0], slopes[:, 0])

    def _others(self, use: Ints, at: Floats, points: Floats, slopes: Floats) -> None:
        """Ask the kernel, point by point, for curves that are not kept as numbers."""
        flat = self.dimension == 2
        point, slope = (gp_Pnt2d(), gp_Vec2d()) if flat else (gp_Pnt(), gp_Vec())
        for i in np.flatnonzero(self.kind[use] == OTHER).tolist():
            curve = self.adaptors[int(use[i])]
            for k, value in enumerate(at[i].tolist()):
                curve.D1(value, point, slope)
                points[:, i, k], slopes[:, i, k] = point.Coord(), slope.Coord()

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
    t = (low + (nodes[:, None] + 0.5) * width)[:, :, None]
    d = np.broadcast_to(poles, (degree + 1, *poles.shape))
    for order in range(1, degree + 1):
        left, right = knots[:, order - 1 : degree], knots[:, degree : 2 * degree + 1 - order]
        share = ((t - left) / (right - left))[:, :, :, None]
        d = d[:, :, :-1] + share * (d[:, :, 1:] - d[:, :, :-1])
    powers = np.vander(nodes, increasing=True)
    flat = np.linalg.solve(powers, d.reshape(degree + 1, -1))
    return np.asarray(flat.reshape(degree + 1, len(poles), -1))


def _conic(axes: Any, a: float, b: float) -> tuple[float, ...]:
    x = [a * c for c in axes.XDirection().Coord()]
    y = [b * c for c in axes.YDirection().Coord()]
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
