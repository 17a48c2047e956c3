"""Which space a body fills: cells filled in part, and points that lie inside."""

from __future__ import annotations

import numpy as np

from gaugeblock.ruler.facts.lines import Lines, met_by
from gaugeblock.ruler.facts.mesh import Floats, Ints
from gaugeblock.ruler.overlap.body import Body, Part

CELLS = 120_000
"""Cells of the occupancy grid: 50 a side of a cube; filling it takes about 10 ms."""

MOST_CELLS = 500_000
"""Cells of the grid of a thin body, whose walls would be thinner than its cells: about 40 ms."""

THIN = 2.0
"""Thickness in cells below which two lines along either side of a cell say how full it is: one
would see or miss a whole wall."""

LINES = 256
"""Lines along which points are laid inside, in each of three directions."""

POINTS = 6000
"""Points inside a body that a pose is scored on: ±0.5 % of its volume; a quarter of them is enough
to rank poses."""

ACROSS = 0.9
"""Cosine (25°) below which a direction is far enough from the main one to span a frame with it."""

Shape = tuple[int, int, int]


def own_directions(directions: list[Floats], axes: Floats) -> Floats:
    """Return (3, 3) rows: the two main directions of the faces, or else axes of inertia.

    Cells along a thin wall either hold it or do not; cells across it hold it here and there.
    """
    first = directions[0] if directions else axes[:, 2]
    others = [*directions[1:], *axes.T]
    # The first that is not nearly along the main one; of the axes of inertia two at least are not.
    second = next(v for v in others if abs(v @ first) < ACROSS)
    z = first / np.linalg.norm(first)
    x = second - z * (z @ second)
    x /= np.linalg.norm(x)
    frame = np.array([x, np.cross(z, x), z])
    whole = np.round(frame)
    return whole if np.abs(frame - whole).max() < 1e-9 else frame


def occupancy(
    body: Body, frame: Floats, ends: Floats, thickness: float
) -> tuple[Floats, Floats, float]:
    """Return how full the cells of a grid are, its origin and its cells' side.

    Args:
        body: Whose coarse meshes fill it.
        frame: (3, 3) rows: the directions of the grid.
        ends: (2, 3) lowest and highest coordinates in them, mm.
        thickness: Of the body's walls, mm: cells are not much wider.
    """
    low, high = ends
    size = np.maximum(high - low, 1e-9)
    usual, least = (float((size.prod() / cells) ** (1 / 3)) for cells in (CELLS, MOST_CELLS))
    cell = max(least, min(usual, thickness), float(size.max()) / 400)
    # The odd part of a cell keeps lines off the planes that parts like to have faces in.
    origin = low - cell * np.array([1.2718, 1.3141, 1.1618])
    wide, deep, tall = (int(n) + 2 for n in np.ceil((high - origin) / cell))
    grid = np.zeros((wide, deep, tall))
    finer = 2 if thickness < THIN * cell else 1
    for part in body.parts:
        grid += _cells(part, frame, origin, cell, (wide, deep, tall), finer)
    return np.minimum(grid, 1.0), origin, cell


def points_inside(body: Body, frame: Floats, ends: Floats, random: np.random.Generator) -> Floats:
    """Return points that lie evenly, and truly, inside: along lines in each of three directions.

    A wall that few lines of one direction meet is met broadside by those of another.
    """
    out = []
    for axis in range(3):
        rows = [(axis + 1) % 3, (axis + 2) % 3, axis]
        low, high = ends[:, rows[:2]]
        side = int(LINES**0.5)
        places = np.stack(np.meshgrid(np.arange(side), np.arange(side)), axis=-1).reshape(-1, 2)
        at = low + (places + random.random(places.shape)) / side * (high - low)
        lines = Lines(at)
        found = [_crossings(part, frame[rows], lines) for part in body.parts]
        line, start, length = (np.concatenate(each) for each in zip(*found, strict=True))
        reach = np.cumsum(length)
        if not len(reach) or not reach[-1] > 0.0:
            continue
        number = POINTS // 3
        place = (np.arange(number) + random.random(number)) / number * reach[-1]
        chosen = np.searchsorted(reach, place).clip(max=len(reach) - 1)
        along = start[chosen] + place - (reach - length)[chosen]
        out.append(np.column_stack([at[line[chosen]], along]) @ frame[rows])
    return np.concatenate(out) if out else np.empty((0, 3))


def _crossings(part: Part, frame: Floats, lines: Lines) -> tuple[Ints, Floats, Floats]:
    """Return the stretches of lines inside one solid's coarse mesh: line, start and length, mm.

    Args:
        part: The solid.
        frame: (3, 3) rows: the two directions across, and the lines' own.
        lines: Where the lines pass, in the first two directions.
    """
    line, at, step = _coarse_hits(part, frame, lines)
    order = np.lexsort((at, line))
    line, at = line[order], at[order]
    total = np.concatenate([[0], np.cumsum(step[order])])
    depth = total[1:] - total[np.searchsorted(line, line)]
    rows = np.flatnonzero((depth[:-1] > 0) & (line[1:] == line[:-1]))
    return line[rows], at[rows], at[rows + 1] - at[rows]


def _cells(
    part: Part, frame: Floats, origin: Floats, cell: float, shape: Shape, finer: int
) -> Floats:
    """Return how much of each cell of a grid one solid's coarse mesh fills, 0 to 1.

    Its chords are nearer to the surface than a cell is wide. Exact along the lines.

    Args:
        part: The solid.
        frame: (3, 3) rows: the directions of the grid.
        origin: (3,) corner of the first cell in them, mm.
        cell: Side of a cell, mm.
        shape: Cells along each.
        finer: Lines a cell, along either side.
    """
    wide, deep, high = finer * shape[0], finer * shape[1], shape[2]
    x = origin[0] + (np.arange(wide) + 0.5) * cell / finer
    y = origin[1] + (np.arange(deep) + 0.5) * cell / finer
    at = np.stack(np.meshgrid(x, y, indexing="ij"), axis=-1).reshape(-1, 2)
    line, depth, step = _coarse_hits(part, frame, Lines(at))
    place = np.clip((depth - origin[2]) / cell, 0.0, high - 1.001)
    whole = place.astype(np.int64)
    rest = place - whole
    # The cell that a line enters is filled from there on, all later ones wholly.
    index = (line // deep // finer * shape[1] + line % deep // finer) * high + whole
    size = shape[0] * shape[1] * high
    change = np.bincount(index, step * (1.0 - rest), minlength=size)
    change += np.bincount(index + 1, step * rest, minlength=size + 1)[:size]
    filled = np.cumsum(change.reshape(shape), axis=2) / finer**2
    return np.asarray(np.clip(filled, 0.0, 1.0))


def _coarse_hits(part: Part, frame: Floats, lines: Lines) -> tuple[Ints, Floats, Ints]:
    """Return where lines cross one solid's coarse mesh: line, mm along it, and +1 or −1."""
    corner = part.coarse.points @ frame.T
    line, triangle, weights, area = met_by(corner, part.coarse, lines)
    at = (corner[part.coarse.triangles[triangle], 2] * weights).sum(axis=1)
    return line, at, np.where(area[triangle] < 0, 1, -1)
