"""Whether a text stands in a cell of ruled lines: title blocks, parts lists, tables of holes.

Lengths are those of the paper, in whatever unit the drawing has.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

NEAR = 1.2
"""Most room between a text and the line above or below it in a cell, in heights of its letters:
tables leave 0.3 to 1."""

LEVEL = 1e-3
"""A line is level or upright if its ends differ by no more than this part of its length."""

Box = tuple[float, float, float, float]
"""Left, bottom, right, top."""


class Rules:
    """The level and upright lines of one layout or page.

    Args:
        segments: Ends of straight lines, shape (n, 4): x, y, x, y.
    """

    def __init__(self, segments: NDArray[np.float64]) -> None:
        lines = segments.reshape(-1, 4)
        wide, tall = np.abs(lines[:, 2] - lines[:, 0]), np.abs(lines[:, 3] - lines[:, 1])
        self._level = lines[tall <= LEVEL * wide]
        self._upright = lines[wide <= LEVEL * tall]

    def cell(self, box: Box, height: float) -> bool:
        """Return whether lines close a cell around a box of text on all four sides.

        Args:
            box: Of the text.
            height: Of its letters.
        """
        left, bottom, right, top = box
        room, slack = NEAR * height, 0.3 * height
        if self._hook(box, height):
            return False
        for floor in self._across(self._level, 0, left, right, bottom - room, bottom + slack):
            for ceiling in self._across(self._level, 0, left, right, top - slack, top + room):
                walls = self._across(self._upright, 1, floor, ceiling, -np.inf, np.inf)
                before, behind = walls[walls <= left + slack], walls[walls >= right - slack]
                if not len(before) or not len(behind):
                    continue
                ends = float(before.max()), float(behind.min())
                if all(len(self._across(self._level, 0, *ends, y, y)) for y in (floor, ceiling)):
                    return True
        return False

    def _hook(self, box: Box, height: float) -> bool:
        """Whether a line as long as the text runs right below it: the end of a leader."""
        left, bottom, right, _ = box
        ends = np.sort(self._level[:, [0, 2]], axis=1)
        at = self._level[:, 1]
        near = (np.abs(ends[:, 0] - left) <= height) & (np.abs(ends[:, 1] - right) <= height)
        return bool((near & (at <= bottom) & (at >= bottom - 0.5 * height)).any())

    @staticmethod
    def _across(
        lines: NDArray[np.float64], along: int, low: float, high: float, least: float, most: float
    ) -> NDArray[np.float64]:
        """Return where lines lie between `least` and `most` that reach from `low` to `high`."""
        ends = np.sort(lines[:, [along, along + 2]], axis=1)
        at = lines[:, 1 - along]
        slack = 0.02 * (high - low) + 1e-6
        held = (ends[:, 0] <= low + slack) & (ends[:, 1] >= high - slack)
        held &= (at >= least - 1e-6) & (at <= most + 1e-6)
        return np.unique(at[held])
