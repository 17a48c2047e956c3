"""Straight lines of a finished view: which go on along each other, which stand apart."""

from __future__ import annotations

import math

import numpy as np

from gaugeblock.ruler.views.shapes import Floats

ON = 0.02
"""What is this close to a line lies on it, mm of paper: a tenth of a narrow line's width, and ten
times what exact projections stray."""


def merged(rows: Floats) -> Floats:
    """Return (m, 4) lines, those that touch or overlap along one straight line made one."""
    way = rows[:, 2:] - rows[:, :2]
    long = np.linalg.norm(way, axis=1)
    rows, way = rows[long > 0], way[long > 0] / long[long > 0, None]
    # One sense of direction: to the right, or upwards.
    turn = (way[:, 0] < -1e-9) | ((np.abs(way[:, 0]) <= 1e-9) & (way[:, 1] < 0))
    way[turn] *= -1.0
    aside = rows[:, 0] * -way[:, 1] + rows[:, 1] * way[:, 0]
    spans = np.sort(
        np.stack([(rows[:, :2] * way).sum(axis=1), (rows[:, 2:] * way).sum(axis=1)], axis=1), axis=1
    )
    keys = np.column_stack([np.round(way, 4), np.round(aside / ON)])
    found: list[list[float]] = []
    order = np.lexsort((spans[:, 0], keys[:, 2], keys[:, 1], keys[:, 0]))
    for n in order:
        last = found[-1] if found else None
        same = last is not None and bool((keys[int(last[0])] == keys[n]).all())
        if last is not None and same and spans[n, 0] <= last[2] + ON:
            last[2] = max(last[2], spans[n, 1])
        else:
            found.append([n, spans[n, 0], spans[n, 1]])
    out = []
    for number, low, high in found:
        n = int(number)
        u, off = way[n], aside[n] * np.array([-way[n, 1], way[n, 0]])
        out.append([*(off + low * u), *(off + high * u)])
    return np.array(out).reshape(-1, 4)


def separate(rows: Floats, at: float, u: Floats, v: Floats) -> int:
    """Return how many stretches of a straight line are drawn.

    Args:
        rows: (n, 4) lines.
        at: Where it stands along `u`, mm.
        u: Unit vector across it.
        v: Unit vector along it.
    """
    on = (np.abs(rows[:, :2] @ u - at) <= ON) & (np.abs(rows[:, 2:] @ u - at) <= ON)
    spans = np.sort(np.stack([rows[on, :2] @ v, rows[on, 2:] @ v], axis=1), axis=1)
    count, reach = 0, -math.inf
    for low, high in spans[np.argsort(spans[:, 0])].tolist():
        count += low > reach + ON
        reach = max(reach, high)
    return count
