"""What changed outside a region, by exact booleans whose sums must come out.

Solids are split by each other into cells; each cell knows which solids it lies in. What lies in
other solids before and after, and outside the region, has changed. Every solid's cells must add up
to its volume, which is known without any boolean.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, fields
from functools import partial
from typing import Any, TypeVar

from OCP.BOPAlgo import BOPAlgo_Builder
from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox, BRepPrimAPI_MakeCylinder
from OCP.collections import IndexedMap_TopoDS_Shape_TopTools_ShapeMapHasher as ShapeMap
from OCP.gp import gp_Ax2, gp_Dir, gp_Pnt
from OCP.TopAbs import TopAbs_SOLID
from OCP.TopExp import TopExp

from gaugeblock.records.conservation import Block, Region, Rod
from gaugeblock.ruler.overlap.booleans import CLOSES, paved, solid_volume

AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


T = TypeVar("T")


@dataclass(frozen=True)
class Named:
    """A solid and the name it goes by where names count, else None."""

    shape: Any
    name: str | None
    volume: float
    """mm³, as it is known without any boolean."""


@dataclass(frozen=True)
class Piece:
    """A cell of a partition: where it came from, and its volume and error estimate in mm³."""

    shape: Any
    owners: frozenset[int]
    """Numbers of the arguments it lies in."""
    volume: float
    error: float


class Failed(Exception):
    """The kernel could not do it; one line says what."""


def compare(
    start: Sequence[Named],
    delivery: Sequence[Named],
    region: Region,
    near: tuple[float, float],
) -> dict[str, float | str | None]:
    """Return what changed outside the region, as plain data for another process.

    Two ways are tried in turn until one's sums close and its value is one that the second method
    allows: the kernel solves some pairs in one way alone, and of equal bodies whose
    seams lie elsewhere it may say, with sums that close, that they share nothing.

    Args:
        start: Solids before the edit.
        delivery: Solids after it.
        region: Where they may differ.
        near: What a second method says of the value, and its error, mm³.

    Returns:
        ``outside``, ``lost``, ``gained``, ``error`` (mm³) and ``residual`` (part of the larger
        volume) of the way that stands, or of the better one; where none does, ``left_start``,
        ``left_delivery`` (mm³) and ``left_residual`` of what lies outside the region, whose
        booleans know nothing of the other body; ``failure``. None where unknown.

    Starts the kernel's thread pool: call it only in a process that will not fork again.
    """
    best: Compared | None = None
    failures: list[str] = []

    def tried(work: Callable[[], T]) -> T | None:
        try:
            return work()
        except Failed as failed:
            failures.append(str(failed))
        except Exception as problem:
            failures.append(f"the kernel raised {type(problem).__name__}")
        return None

    # At once is right where a body and the region share walls (a hole drilled exactly where it may
    # be); apart where the edit itself is beyond the kernel (a pipe bent otherwise lies half inside
    # the old one, tangent to it). Of equal bent tubes it solves neither: it takes their tori for
    # two.
    for way in (_at_once, _apart):
        found = tried(partial(way, start, delivery, region))
        if found is None:
            continue
        if best is None or found.residual < best.residual:
            best = found
        if found.residual <= CLOSES and abs(found.outside - near[0]) <= near[1] + found.error:
            return {**_plain(found), **_left(None, 1.0), "failure": None}
    left = tried(lambda: (_outside(start, region), _outside(delivery, region)))
    return {
        **_plain(best),
        **_left(left, _scale(start, delivery)),
        "failure": failures[0] if failures else None,
    }


Remainder = tuple[list[Named], float]
"""What of a body lies outside the region, and how far its pieces' sums are off, mm³."""


def _plain(found: Compared | None) -> dict[str, float | str | None]:
    if found is None:
        return dict.fromkeys(("outside", *(field.name for field in fields(Compared))))
    return {"outside": found.outside, **asdict(found)}


def _left(found: tuple[Remainder, Remainder] | None, scale: float) -> dict[str, float | None]:
    if found is None:
        return dict.fromkeys(("left_start", "left_delivery", "left_residual"))
    (ours, one), (theirs, other) = found
    return {
        "left_start": sum(item.volume for item in ours),
        "left_delivery": sum(item.volume for item in theirs),
        "left_residual": max(one, other) / scale,
    }


@dataclass(frozen=True)
class Compared:
    """What one attempt found."""

    lost: float
    """mm³, as `gained`, `moved` and `error`."""
    gained: float
    moved: float
    """From one named solid to another."""
    error: float
    residual: float
    """Part of the larger volume."""

    @property
    def outside(self) -> float:
        """All that changed, mm³."""
        return self.lost + self.gained + self.moved


def _apart(start: Sequence[Named], delivery: Sequence[Named], region: Region) -> Compared:
    """Split each body by the region alone, and what lies outside it by each other."""
    ours, one = _outside(start, region)
    theirs, other = _outside(delivery, region)
    named = [*ours, *theirs]
    pieces = partition([item.shape for item in named])
    off = max(one, other, _residual(pieces, [item.volume for item in named]))
    return _summed(pieces, named, len(ours), off / _scale(start, delivery))


def _at_once(start: Sequence[Named], delivery: Sequence[Named], region: Region) -> Compared:
    """Split both bodies and the region by each other in one go."""
    named = [*start, *delivery]
    parts, kept = _shapes(region)
    pieces = partition([*(item.shape for item in named), *parts, *kept])
    off = _residual(pieces, [item.volume for item in named])
    left = [p for p in pieces if not _within(p, len(named), len(named) + len(parts))]
    return _summed(left, named, len(start), off / _scale(start, delivery))


def _scale(start: Sequence[Named], delivery: Sequence[Named]) -> float:
    return max(sum(s.volume for s in start), sum(s.volume for s in delivery))


def _within(piece: Piece, first: int, second: int) -> bool:
    """Whether a piece lies in a part of the region (from `first`), and in none kept (`second`)."""
    return any(first <= i < second for i in piece.owners) and all(i < second for i in piece.owners)


def _summed(
    pieces: Sequence[Piece], named: Sequence[Named], first: int, residual: float
) -> Compared:
    """Add up the pieces that changed; solids of the delivery are those from `first` on."""
    lost = gained = moved = error = 0.0
    for piece in pieces:
        before = {named[i].name for i in piece.owners if i < first}
        after = {named[i].name for i in piece.owners if first <= i < len(named)}
        error += piece.error
        if before == after:
            continue
        if not after:
            lost += piece.volume
        elif not before:
            gained += piece.volume
        else:
            moved += piece.volume
    return Compared(lost, gained, moved, error, residual)


def _outside(solids: Sequence[Named], region: Region) -> Remainder:
    """Return what of the solids lies outside the region, and how far their pieces' sums are off."""
    parts, kept = _shapes(region)
    first, second = len(solids), len(solids) + len(parts)
    pieces = partition([*(solid.shape for solid in solids), *parts, *kept])
    left = []
    for piece in pieces:
        if not _within(piece, first, second):
            owners = [i for i in piece.owners if i < first]
            left += [Named(piece.shape, solids[i].name, piece.volume) for i in owners]
    return left, _residual(pieces, [solid.volume for solid in solids])


def _residual(pieces: Sequence[Piece], volumes: Sequence[float]) -> float:
    """Return how far the pieces of an argument are at most from adding up to it, mm³."""
    sums = [0.0] * len(volumes)
    for piece in pieces:
        for i in piece.owners:
            if i < len(sums):
                sums[i] += piece.volume if piece.volume > 0 else math.inf
    return max(
        (abs(found - known) for found, known in zip(sums, volumes, strict=True)), default=0.0
    )


def partition(shapes: Sequence[Any]) -> list[Piece]:
    """Split solids by each other.

    Args:
        shapes: Solids, which may share space.

    Returns:
        The cells, each once, with the numbers of the solids it lies in.

    Raises:
        Failed: the kernel could not.
    """
    shapes = list(shapes)
    if len(shapes) < 2:
        return [Piece(shape, frozenset({0}), *solid_volume(shape)) for shape in shapes]
    intersected = paved(shapes, 0.0)
    if intersected.HasErrors():
        raise Failed("the kernel could not intersect the boundaries")
    builder = BOPAlgo_Builder()
    for shape in shapes:
        builder.AddArgument(shape)
    builder.SetRunParallel(False)
    builder.SetNonDestructive(True)
    builder.PerformWithFiller(intersected)
    if builder.HasErrors():
        raise Failed("the kernel could not split the solids")
    cells = ShapeMap()
    TopExp.MapShapes_s(builder.Shape(), TopAbs_SOLID, cells)
    owners: dict[int, set[int]] = {number: set() for number in range(1, cells.Extent() + 1)}
    for argument, shape in enumerate(shapes):
        changed = list(builder.Modified(shape))
        for part in changed or ([] if builder.IsDeleted(shape) else [shape]):
            number = cells.FindIndex(part)
            if not number:
                raise Failed("a piece of a solid is missing from the whole")
            owners[number].add(argument)
    return [
        Piece(cells.FindKey(number), frozenset(found), *solid_volume(cells.FindKey(number)))
        for number, found in owners.items()
    ]


def _shapes(region: Region) -> tuple[list[Any], list[Any]]:
    """Return the region's parts and what is kept of them, as solids."""
    parts: list[Block | Rod] = [*region.blocks, *region.rods]
    kept: list[Block | Rod] = [*region.kept_blocks, *region.kept_rods]
    return [_shape(item) for item in parts], [_shape(item) for item in kept]


def _shape(item: Block | Rod) -> Any:
    if isinstance(item, Block):
        return BRepPrimAPI_MakeBox(gp_Pnt(*item.low), gp_Pnt(*item.high)).Solid()
    placed = gp_Ax2(gp_Pnt(*item.base), gp_Dir(*AXES[item.axis]))
    return BRepPrimAPI_MakeCylinder(placed, item.radius, item.length).Solid()
