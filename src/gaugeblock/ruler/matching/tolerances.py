"""What counts as the same feature: two sets of tolerances, and how far apart a pair may lie.

The gates decide which features are spoken of as one (moved or changed) and never a score: beyond
them the same difference is told as one missing and one extra.
"""

from __future__ import annotations

from gaugeblock.records.feature_match import MatchTolerances

SHARED = {"hole": 0.5, "breakthrough": 0.5, "fillet": 0.9, "chamfer": 0.9}
"""How long a through hole is follows from the material, how long a fillet or chamfer from the edge:
one plate a little too thick would make all of its holes wrong, though they are where they belong
(dimensions and shape say so elsewhere). Half of a hole's stretch tells one wall of a fork from the
other and from both; nine tenths of an edge is the whole of it but for what a neighbour takes."""

RIGHT = MatchTolerances(
    position=0.1,  # a tenth of a millimetre: the specification of semanticMatch
    axis=0.5,  # likewise
    size=0.1,  # a size may be off as far as a place
    size_part=0.05,  # below 2 mm a tenth of a millimetre would be another drill
    angle=0.5,  # as for axes
    pitch=0.01,  # the specification of threadMatch: pitches of one size differ by 0.05 and more
    shared=SHARED,
)
"""When a delivered feature is the right one (`semanticMatch`)."""

FINE = MatchTolerances(
    position=0.01,  # ten times what fitting an edited part leaves; a machinist's finest
    axis=0.05,
    size=0.001,  # sizes are read from exact surfaces: only what an exchange format rounds
    size_part=0.001,
    angle=0.01,
    pitch=0.002,  # lead is measured to 4e-4 mm
    shared=None,
)
"""When two versions of a part have the same feature (`gaugeblock diff`)."""

MOVED_PART = 0.25
"""How far a feature of the same size and form may have moved, as a part of the reference's
diagonal, and still be told as moved. Farther off it more likely is another one; in a part full of
like holes any hole could else be any other."""

TURNED = 30.0
"""Largest turn in degrees of a pair: between 0 and 90°, where other faces of most parts look."""

LABEL = 0.5
"""What one difference of form (through or blind, round or square ends) weighs in choosing pairs, in
the measure in which a size twice as large weighs ln 2."""

RESIDUE = 1000
"""Features of one kind, not settled at once, that are assigned at most: a million pairs, 2 s."""

MOST = 10_000
"""Features of one kind in one file compared at most."""

PAIRS = 4_000_000
"""Pairs of one kind near enough to be right that are compared at most: 1 GB. Features of a real
part have a few neighbours each; only a file made to exhaust the ruler has all in one place."""
