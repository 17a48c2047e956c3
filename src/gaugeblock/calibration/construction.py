"""Independent constructions: a case's part built from its instruction, without its formulas.

A construction takes a round's parameters and returns the volume and the number of solids of the
part that the instruction describes, by its own geometry. Formulas are then held against it
(`formulas`), over the case's parameters and over others, so that a formula outside its domain shows
by itself.

`CONSTRUCTIONS` names one for each suite that has any; a suite without one has its formulas
checked against its reference alone, which is told.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from gaugeblock.calibration.constructed import Constructed
from gaugeblock.calibration.discs import Discs, Union, union_of
from gaugeblock.calibration.edited_parts import flanged_tube, hinge, square_loft

Construction = Callable[[Mapping[str, float], bool], Constructed]
"""From parameters, and whether the round has the features of the later rounds."""

# What the instructions of T1 say, mm: outside, places of the first and last hole, k2's holes.
LENGTH, WIDTH, HEIGHT = 120.0, 80.0, 40.0
X_RANGE, Y_RANGE = (15.0, 105.0), (20.0, 60.0)
SIDE_DIAMETER = 8.0
CENTRE = (60.0, 40.0)


def perforated_box(parameters: Mapping[str, float], side_holes: bool) -> Constructed:
    """T1: the open box with its grid of floor holes, k2's side holes and k5's centre hole."""
    wall, diameter = parameters["wall"], parameters["holeDiameter"]
    cols, rows = int(parameters["cols"]), int(parameters["rows"])
    xs, ys = np.linspace(*X_RANGE, cols), np.linspace(*Y_RANGE, rows)
    grid = np.array([(x, y) for x in xs for y in ys])
    union = union_of(Discs(grid, diameter / 2))
    # The box as five plates, each a plain product.
    floor = LENGTH * WIDTH * wall
    sides = 2 * LENGTH * wall * (HEIGHT - wall) + 2 * (WIDTH - 2 * wall) * wall * (HEIGHT - wall)
    volume = floor + sides - union.area * wall
    solids = 1 + union.islands
    notes = _notes(union, grid, diameter, cols, rows)
    if side_holes:
        volume -= 2 * wall * union_of(Discs(np.zeros((1, 2)), SIDE_DIAMETER / 2)).area
    centre_diameter = parameters.get("centerHoleDiameter")
    if centre_diameter is not None:
        gap = float(np.linalg.norm(grid - np.array(CENTRE), axis=1).min())
        if gap < (diameter + centre_diameter) / 2:
            return Constructed(None, None, f"{notes}the centre hole meets the grid")
        volume -= wall * union_of(Discs(np.zeros((1, 2)), centre_diameter / 2)).area
    return Constructed(volume, solids, notes.removesuffix("; "))


def _notes(union: Union, grid: np.ndarray, diameter: float, cols: int, rows: int) -> str:
    """Say how neighbours along X and along Y meet, in measured distances."""
    words = ""
    steps = (("X", cols, grid[rows] - grid[0] if cols > 1 else None),
             ("Y", rows, grid[1] - grid[0] if rows > 1 else None))  # fmt: skip
    for letter, count, step in steps:
        if count < 2 or step is None:
            continue
        pitch = float(np.linalg.norm(step))
        if abs(pitch - diameter) <= 1e-9:
            words += f"holes of Ø{diameter:g} touch along {letter} (pitch {pitch:.2f} mm); "
        elif pitch < diameter:
            words += f"holes of Ø{diameter:g} overlap along {letter} (pitch {pitch:.2f} mm); "
    if union.overlapping:
        twice = len(grid) * np.pi * diameter**2 / 4 - union.area
        words += (
            f"{union.overlapping} pairs overlap, the discs' sum counts {twice:,.2f} mm² more "
            "than they cover; "
        )
    if union.islands:
        words += f"they cut off {union.islands} pieces: {1 + union.islands} solids; "
    return words


def growth_part(parameters: Mapping[str, float], side_holes: bool) -> Constructed:
    """Any part of suite growth, told by its parameters."""
    if "flangeDiameter" in parameters:
        return flanged_tube(parameters)
    if "topSide" in parameters:
        return square_loft(parameters)
    if "pinDiameter" in parameters:
        return hinge(parameters)
    return perforated_box(parameters, side_holes)


CONSTRUCTIONS: Mapping[str, Construction] = MappingProxyType({"growth": growth_part})
