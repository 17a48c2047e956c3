"""The boundary curves of faces in parameter space, evaluated many at once.

Lines and conics are kept as numbers; B-splines are kept span by span (each with its own window of
knots and poles), so that thousands of curves are evaluated in a few numpy calls.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from OCP.BRepAdaptor import BRepAdaptor_Curve2d
from OCP.Geom2dConvert import Geom2dConvert
from OCP.gp import gp_Pnt2d, gp_Vec2d
from OCP.TopAbs import TopAbs_REVERSED

from gaugeblock.ruler.bspline import Floats, Ints
from gaugeblock.ruler.surfaces import flat_knots

LINE, CONIC, SPLINE, OTHER = range(4)


@dataclass
class PCurves:
    """All edge uses of one solid."""

    face: list[int] = field(default_factory=list)
    """Face number of each use."""
    sign: list[float] = field(default_factory=list)
    """+1 along, −1 against the curve's own direction."""
    kind: list[int] = field(default_factory=list)
    first: list[float] = field(default_factory=list)
    last: list[float] = field(default_factory=list)
    simple: list[tuple[float, ...]] = field(default_factory=list)
    """Lines and conics: centre, two vectors (line: direction, 0)."""
    adaptors: dict[int, Any] = field(default_factory=dict)
    splines: dict[int, _Spans] = field(default_factory=dict)
    _frozen: _Frozen | None = None

    def add(self, face_number: int, edge: Any, face: Any) -> None:
        """Take one edge (with its orientation in the forward face)."""
        adaptor = BRepAdaptor_Curve2d(edge, face)
        number = len(self.face)
        self.face.append(face_number)
        self.sign.append(-1.0 if edge.Orientation() == TopAbs_REVERSED else 1.0)
        self.first.append(adaptor.FirstParameter())
        self.last.append(adaptor.LastParameter())
        name = adaptor.GetType().name.removeprefix("GeomAbs_")
        kind, simple = OTHER, (0.0,) * 6
        if name == "Line":
            line = adaptor.Line()
            kind = LINE
            simple = (*line.Location().Coord(), *line.Direction().Coord(), 0.0, 0.0)
        elif name in ("Circle", "Ellipse"):
            conic = adaptor.Circle() if name == "Circle" else adaptor.Ellipse()
            axes = conic.Position() if name == "Circle" else conic.Axis()
            a = conic.Radius() if name == "Circle" else conic.MajorRadius()
            b = conic.Radius() if name == "Circle" else conic.MinorRadius()
            x, y = axes.XDirection().Coord(), axes.YDirection().Coord()
            kind = CONIC
            simple = (*axes.Location().Coord(), a * x[0], a * x[1], b * y[0], b * y[1])
        elif name in ("BSplineCurve", "BezierCurve"):
            kind = SPLINE
            curve = (
                adaptor.BSpline()
                if name == "BSplineCurve"
                else Geom2dConvert.CurveToBSplineCurve_s(adaptor.Bezier())
            )
            self.splines[number] = _spans(curve, self.first[-1], self.last[-1])
        else:
            self.adaptors[number] = adaptor
        self.kind.append(kind)
        self.simple.append(simple)

    def breaks(self, use: int) -> Floats:
        """Return the parameters strictly inside a use where its curve is not smooth."""
        spans = self.splines.get(use)
        return np.empty(0) if spans is None else spans.starts[1:]

    def evaluate(self, use: Ints, t: Floats) -> tuple[Floats, Floats]:
        """Return (n, 2) parameter points and (n, 2) derivatives at `t` of curves `use`."""
        if self._frozen is None:
            self._frozen = _Frozen(self)
        return self._frozen.evaluate(use, t)


@dataclass
class _Spans:
    """One B-spline curve over its trimmed range."""

    starts: Floats
    """Start of each span, growing."""
    knots: Floats
    """(spans, 2·degree) knots around each span."""
    poles: Floats
    """(spans, degree + 1, 3) homogenous poles of each span."""
    degree: int


class _Frozen:
    """Flat arrays for evaluation."""

    def __init__(self, curves: PCurves) -> None:
        self.kind = np.array(curves.kind, dtype=np.int64)
        self.simple = np.array(curves.simple).reshape(-1, 6)
        self.first = np.array(curves.first)
        length = np.array(curves.last) - self.first
        self.length = np.where(length > 0, length, 1.0)
        self.adaptors = curves.adaptors
        # Spans of all curves of one degree lie in one sorted list, keyed 4·curve + position.
        self.degree = np.zeros(len(self.kind), dtype=np.int64)
        self.groups: dict[int, tuple[Floats, Floats, Floats]] = {}
        for degree in sorted({s.degree for s in curves.splines.values()}):
            members = [(i, s) for i, s in curves.splines.items() if s.degree == degree]
            self.degree[[i for i, _ in members]] = degree
            keys = [self._key(np.full(len(s.starts), i), s.starts) for i, s in members]
            self.groups[degree] = (
                np.concatenate(keys),
                np.concatenate([s.knots for _, s in members]),
                np.concatenate([s.poles for _, s in members]),
            )

    def _key(self, use: Ints, t: Floats) -> Floats:
        place = np.clip((t - self.first[use]) / self.length[use], 0.0, 1.0)
        return np.asarray(4.0 * use + 1.0 + place)

    def evaluate(self, use: Ints, t: Floats) -> tuple[Floats, Floats]:
        points, slopes = np.empty((len(t), 2)), np.empty((len(t), 2))
        kind = self.kind[use]
        chosen = kind == LINE
        if chosen.any():
            data = self.simple[use[chosen]]
            points[chosen] = data[:, :2] + t[chosen, None] * data[:, 2:4]
            slopes[chosen] = data[:, 2:4]
        chosen = kind == CONIC
        if chosen.any():
            data = self.simple[use[chosen]]
            c, s = np.cos(t[chosen, None]), np.sin(t[chosen, None])
            points[chosen] = data[:, :2] + c * data[:, 2:4] + s * data[:, 4:6]
            slopes[chosen] = -s * data[:, 2:4] + c * data[:, 4:6]
        for degree, group in self.groups.items():
            chosen = (kind == SPLINE) & (self.degree[use] == degree)
            if chosen.any():
                points[chosen], slopes[chosen] = self._spline(
                    degree, group, use[chosen], t[chosen]
                )
        for i in np.flatnonzero(kind == OTHER):
            point, slope = gp_Pnt2d(), gp_Vec2d()
            self.adaptors[int(use[i])].D1(float(t[i]), point, slope)
            points[i], slopes[i] = point.Coord(), slope.Coord()
        return points, slopes

    def _spline(
        self, degree: int, group: tuple[Floats, Floats, Floats], use: Ints, t: Floats
    ) -> tuple[Floats, Floats]:
        keys, knots, poles = group
        span = np.searchsorted(keys, self._key(use, t), "right") - 1
        span = np.maximum(span, np.searchsorted(keys, 4.0 * use))
        k, d = knots[span], poles[span]
        slope = np.zeros((len(t), 3))
        for order in range(1, degree + 1):
            if order == degree:
                slope = degree * (d[:, 1] - d[:, 0]) / (k[:, degree] - k[:, degree - 1])[:, None]
            raised = []
            for i in range(degree + 1 - order):
                low, high = k[:, i + order - 1], k[:, i + degree]
                share = ((t - low) / (high - low))[:, None]
                raised.append(d[:, i] + share * (d[:, i + 1] - d[:, i]))
            d = np.stack(raised, axis=1)
        weight = d[:, 0, 2:]
        point = d[:, 0, :2] / weight
        return point, (slope[:, :2] - point * slope[:, 2:]) / weight


def _spans(curve: Any, first: float, last: float) -> _Spans:
    """Cut a Geom2d_BSplineCurve into the spans that [first, last] touches."""
    period = 0.0
    if curve.IsPeriodic():
        period = curve.Period()
        curve = curve.Copy()
        curve.SetNotPeriodic()
    degree = curve.Degree()
    knots = flat_knots(curve.Knot, curve.Multiplicity, curve.NbKnots())
    poles = np.ones((curve.NbPoles(), 3))
    for i in range(len(poles)):
        poles[i, :2] = curve.Pole(i + 1).Coord()
        poles[i, 2] = curve.Weight(i + 1)
    poles[:, :2] *= poles[:, 2:]
    inner = np.arange(degree, len(knots) - degree - 1)
    inner = inner[knots[inner] < knots[inner + 1]]
    turns = [0.0]
    if period:
        low = np.floor((first - knots[degree]) / period)
        high = np.floor((last - knots[degree]) / period)
        turns = [float(turn) for turn in np.arange(low, high + 1)]
    pieces = [(knots[span] + turn * period, span, turn * period) for turn in turns for span in inner]
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
