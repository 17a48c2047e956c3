"""`drawingMatch`: a finished sheet measured again, against a list of dimensions.

A printed dimension counts if its end points lie on lines of its view and if what it prints is what
they measure. Values are taken between the points, over the view's scale; none is believed because
it is printed. Whoever matches knows nothing of the part: the sheet's plain data is all.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp

from gaugeblock.records.drawing import DrawingMatch, DrawnValue, Uncounted
from gaugeblock.records.errors import CouldNotMeasure
from gaugeblock.records.spectrum import SheetDimension
from gaugeblock.ruler.drawing import repeated
from gaugeblock.ruler.drawing.drawn_geometry import DrawnView
from gaugeblock.ruler.drawing.printed import Said, SizeType, said
from gaugeblock.ruler.drawing.sheet import AngularDim, Dim, Leader, LinearDim, RoundDim, Sheet
from gaugeblock.ruler.drawing.straight import ON
from gaugeblock.ruler.spectrum.tolerances import check_sheet, deviations

PRINTED = 0.006
"""How far a printed size may be from the measured one, mm or degrees: sheets round to a hundredth,
and 0.005 itself is no exact binary number."""

BESIDE_LIMIT = 1e-6
"""A value this far beyond a limit lies on it, mm or degrees: floating point, over a scale."""


@dataclass(frozen=True)
class Reading:
    """A size that the drawing shows."""

    type: SizeType
    value: float
    """As measured, mm or degrees of the part."""
    places: int
    """How many of it were seen, at most as many as are printed."""
    view: str
    text: str


def match(sheet: Sheet, dimensions: Sequence[SheetDimension]) -> DrawingMatch:
    """Look for dimensions on a drawing; each place of a reading serves one of them.

    Args:
        sheet: The drawing.
        dimensions: What is looked for, in any order.

    Raises:
        WrongUse: a dimension has no tolerance: no limits of its own, and ISO 2768 covers it not.
        CouldNotMeasure: the assignment could not be solved.
    """
    found, uncounted = read_back(sheet)
    unread = sum(max(len(table.rows) - 1, 0) for table in sheet.tables)
    return match_readings(found, uncounted, dimensions, unread_rows=unread)


def match_readings(
    found: Sequence[Reading],
    uncounted: list[Uncounted],
    dimensions: Sequence[SheetDimension],
    unread_rows: int = 0,
) -> DrawingMatch:
    """Look for dimensions among readings, wherever these come from.

    Args:
        found: The readings; each place serves one dimension.
        uncounted: What stands beside them.
        dimensions: What is looked for, in any order.
        unread_rows: Of tables.

    Raises:
        WrongUse: a dimension has no tolerance.
        CouldNotMeasure: the assignment could not be solved.
    """
    check_sheet(dimensions)
    limits = [_limits(dimension) for dimension in dimensions]
    pairs = [
        (value, reading)
        for value, (dimension, (low, high)) in enumerate(zip(dimensions, limits, strict=True))
        for reading, seen in enumerate(found)
        if seen.type == dimension.type and low - BESIDE_LIMIT <= seen.value <= high + BESIDE_LIMIT
    ]
    taken = _assigned([d.count for d in dimensions], [r.places for r in found], pairs)
    values = [_judged(d, found, taken.get(n), pairs, n) for n, d in enumerate(dimensions)]
    hits, asked = sum(value.found for value in values), len(values)
    return DrawingMatch(
        values=values,
        found=hits,
        asked=asked,
        match=hits / asked if asked else None,
        unread_rows=unread_rows,
        uncounted=uncounted,
    )


def own_dimensions(sheet: Sheet) -> list[SheetDimension]:
    """Return what a sheet prints as a list, for its self-test; limits are those of rounding."""
    return [
        SheetDimension(
            label=dim.text,
            type=size.type,
            value=size.value,
            count=size.count,
            upper=PRINTED,
            lower=-PRINTED,
        )
        for dim in sheet.dims
        for size in said(dim.text)
    ]


def read_back(sheet: Sheet) -> tuple[list[Reading], list[Uncounted]]:
    """Return what a sheet's dimensions measure, and what is printed without being borne out."""
    views = {view.id: DrawnView(sheet, view) for view in sheet.views}
    found: list[Reading] = []
    uncounted: list[Uncounted] = []
    for dim in sheet.dims:
        sizes = said(dim.text)
        if dim.view not in views:
            answers: list[Reading | str] = ["the sheet has no such view"]
        elif not sizes:
            answers = ["no size is printed"]
        else:
            answers = list(_read(dim, sizes, views[dim.view], views))
        for answer in answers:
            if isinstance(answer, str):
                uncounted.append(Uncounted(text=dim.text, view=dim.view, reason=answer))
            else:
                found.append(answer)
    return found, uncounted


def _read(
    dim: Dim, sizes: list[Said], view: DrawnView, views: dict[str, DrawnView]
) -> Iterator[Reading | str]:
    """Yield a reading, or why there is none, for each size of a dimension's text."""
    if isinstance(dim, Leader):
        for size in sizes:
            yield _note(dim, size, sizes, view, views)
        return
    size = sizes[-1] if sizes[0].step else sizes[0]
    places = size.count
    kind: SizeType
    match dim:
        case LinearDim():
            if not all(view.holds(point, dim.angle) for point in dim.points):
                yield "an end point lies on no end, middle or side of a line"
                return
            kind, value = ("diameter" if dim.diameter else "length"), dim.measured / view.scale
            if sizes[0].step and kind == "length":
                yield _stepped(dim, sizes[0], view)
            if size.count > 1:
                seen = (
                    view.steps(dim.points, dim.angle)
                    if dim.diameter
                    else repeated.lengths(view, views, dim.points, dim.angle)
                )
                places = max(1, min(size.count, seen))
        case RoundDim():
            radius = math.dist(dim.centre, dim.on)
            rings = view.rings_at(dim.on)
            if not any(
                math.dist(r.centre, dim.centre) <= ON and abs(r.radius - radius) <= ON
                for r in rings
            ):
                yield "the arrow stands on no such circle"
                return
            kind, value = dim.kind, dim.measured / view.scale
            places = _rings_alike(size, radius, view, views)
        case AngularDim():
            if not _stands(view, dim):
                yield "a leg lies on no line"
                return
            kind, value = "angle", dim.measured
            seen = max(view.corners(dim.measured), repeated.slopes(view, dim))
            places = min(size.count, max(1, seen))
    yield _borne_out(dim, kind, value, places, size)


def _stepped(dim: LinearDim, size: Said, view: DrawnView) -> Reading | str:
    """Return the step of a chain of equal ones."""
    value = dim.measured / view.scale / size.count
    places = repeated.steps(view, dim.points, dim.angle, size.count)
    return _borne_out(dim, "length", value, places, size)


def _rings_alike(size: Said, radius: float, view: DrawnView, views: Mapping[str, DrawnView]) -> int:
    """Return how many circles bear out a count: of arcs those in views from other sides as well."""
    seen = view.alike(radius)
    if size.type == "radius" and seen < size.count:
        seen = repeated.radii(view, views, radius)
    return min(size.count, seen)


def _stands(view: DrawnView, dim: AngularDim) -> bool:
    """Whether an angle lies between two drawn lines, or between one and a level or upright line
    from an end of it.
    """
    drawn = [view.leg(dim.apex, point) for point in dim.points]
    if all(drawn) or not any(drawn):
        return all(drawn)
    point = dim.points[drawn.index(False)]
    off = min(abs(point[0] - dim.apex[0]), abs(point[1] - dim.apex[1]))
    return off <= ON and view.ends_at(dim.apex)


def _borne_out(dim: Dim, kind: SizeType, value: float, places: int, size: Said) -> Reading | str:
    if size.type != kind:
        return f"prints a {size.type}, measures a {kind}"
    if abs(size.value - value) > PRINTED:
        return f"prints {size.value:g}, measures {value:.6g}"
    return Reading(kind, value, places, dim.view, dim.text)


def _note(
    dim: Leader, size: Said, sizes: list[Said], view: DrawnView, views: dict[str, DrawnView]
) -> Reading | str:
    """Return what a note's arrow points at."""
    tip = dim.points[0]
    chamfer = view.chamfer_at(tip)
    if chamfer is not None and any(s.type == "angle" for s in sizes):
        places = min(size.count, repeated.chamfers(view, views, chamfer))
        if size.type == "angle":
            steep = math.degrees(math.atan2(max(chamfer), min(chamfer)))
            nearer = min((steep, 90.0 - steep), key=lambda angle: abs(angle - size.value))
            return _borne_out(dim, "angle", nearer, places, size)
        leg = min((c / view.scale for c in chamfer), key=lambda c: abs(c - size.value))
        return _borne_out(dim, "length", leg, places, size)
    rings = view.rings_at(tip)
    if not rings:
        return "the arrow stands on no circle"
    if size.type in ("diameter", "radius"):
        twice = 2.0 if size.type == "diameter" else 1.0
        about = [ring for at in rings for ring in view.about(at)]
        values = {twice * r.radius / view.scale: r.radius for r in about}
        radius = values[min(values, key=lambda value: abs(value - size.value))]
        places = _rings_alike(size, radius, view, views)
        return _borne_out(dim, size.type, twice * radius / view.scale, places, size)
    if size.depth:
        wide = [s.value for s in sizes[: sizes.index(size)] if s.type == "diameter"]
        seen = 0
        if wide:
            seen = repeated.depths(view, views, wide[-1], size.value) or max(
                v.bores(wide[-1] * v.scale, size.value * v.scale) for v in views.values()
            )
        if seen:
            return Reading("length", size.value, min(size.count, seen), dim.view, dim.text)
        return f"no view shows a bore {size.value:g} deep"
    wide = [s.value for s in sizes[: sizes.index(size)] if s.type == "diameter"]
    if size.type == "angle" and wide:
        seen = repeated.cones(views.values(), wide[-1], size.value)
        if seen:
            return Reading("angle", size.value, min(size.count, seen), dim.view, dim.text)
        return f"no view shows a countersink of {size.value:g}°"
    return f"nothing at the arrow measures the {size.type} {size.value:g}"


def _limits(dimension: SheetDimension) -> tuple[float, float]:
    """Return the lowest and the highest good value."""
    low, high = deviations(dimension, external=None, leg=None)
    return dimension.value + low, dimension.value + high


def _assigned(
    counts: list[int], places: list[int], pairs: list[tuple[int, int]]
) -> dict[int, dict[int, int]]:
    """Return for as many values as possible how many places of which readings serve them.

    Args:
        counts: Places that each value needs.
        places: Places that each reading has.
        pairs: Which reading fits which value.
    """
    if not pairs:
        return {}
    values, columns = len(counts), len(counts) + len(pairs)
    served, given = np.zeros((values, columns)), np.zeros((len(places), columns))
    for value, count in enumerate(counts):
        served[value, value] = -count
    for column, (value, reading) in enumerate(pairs, start=values):
        served[value, column] = given[reading, column] = 1.0
    wish = np.concatenate([-np.ones(values), np.zeros(len(pairs))])
    most = [min(counts[value], places[reading]) for value, reading in pairs]
    answer = milp(
        wish,
        integrality=np.ones(columns, dtype=np.int64),
        bounds=Bounds(np.zeros(columns), np.array([1.0] * values + [float(m) for m in most])),
        constraints=[
            LinearConstraint(served, 0.0, 0.0),
            LinearConstraint(given, -np.inf, np.array(places, dtype=float)),
        ],
        options={"mip_rel_gap": 0.0},
    )
    if not answer.success:
        raise CouldNotMeasure(f"dimensions could not be assigned: {answer.message}")
    numbers = np.rint(answer.x).astype(int).tolist()
    found: dict[int, dict[int, int]] = {n: {} for n in range(values) if numbers[n]}
    for (value, reading), number in zip(pairs, numbers[values:], strict=True):
        if number and value in found:
            found[value][reading] = number
    return found


def _judged(
    dimension: SheetDimension,
    found: Sequence[Reading],
    taken: dict[int, int] | None,
    pairs: list[tuple[int, int]],
    number: int,
) -> DrawnValue:
    if taken is not None:
        hits = [found[n] for n in taken]
        return DrawnValue(
            dimension=dimension,
            found=True,
            measured=[hit.value for hit in hits],
            views=[hit.view for hit in hits],
        )
    fits = [found[reading] for value, reading in pairs if value == number]
    alike = fits or [r for r in found if r.type == dimension.type]
    nearest = min(alike, key=lambda r: abs(r.value - dimension.value), default=None)
    if not alike:
        reason = f"the drawing measures no {dimension.type}"
    elif not fits:
        reason = "nothing measures so"
    elif sum(fit.places for fit in fits) < dimension.count:
        reason = f"{sum(fit.places for fit in fits)} of {dimension.count} seen"
    else:
        reason = "what measures so serves other dimensions"
    return DrawnValue(
        dimension=dimension,
        found=False,
        measured=[nearest.value] if nearest else [],
        views=[nearest.view] if nearest else [],
        reason=reason,
    )
