"""What the recognisers of one solid have found so far, and which regions they claim."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from gaugeblock.records.features import Feature, Thread
from gaugeblock.records.measurement import Finding, Triple
from gaugeblock.ruler.facts.bspline import Floats
from gaugeblock.ruler.features.blends import Blend
from gaugeblock.ruler.features.coaxial import AxisGroup, Piece, axis_groups
from gaugeblock.ruler.features.graph import SolidGraph
from gaugeblock.ruler.features.threaded import add_threads


@dataclass
class Sheet:
    """Features of one solid in the making."""

    graph: SolidGraph
    groups: list[AxisGroup]
    blends: dict[int, Blend] = field(default_factory=dict)
    """Fillets and chamfers by region, whether features of their own or not."""
    features: list[Feature] = field(default_factory=list)
    owner: dict[int, str] = field(default_factory=dict)
    """Kind of the feature that claims each region, or the code of the remark that names it."""
    refused: list[Finding] = field(default_factory=list)
    remarks: list[Finding] = field(default_factory=list)

    def add(self, feature: Feature, regions: Iterable[int]) -> None:
        """Take a feature; `regions` are its own."""
        self.features.append(feature)
        for number in regions:
            self.owner.setdefault(number, feature.kind)

    def claimed(self, regions: Iterable[int]) -> bool:
        """Whether one of the regions belongs to a feature, or to somebody else."""
        return any(number in self.owner or self.graph.regions[number].taken for number in regions)

    def is_groove(self, regions: Iterable[int]) -> bool:
        """Whether all of the regions belong to grooves."""
        return all(self.owner.get(number) == "groove" for number in regions)

    def refuse(self, code: str, regions: Iterable[int], message: str) -> None:
        """Say that regions look like part of a feature but allow no certain answer."""
        self.refused.append(self._finding(code, regions, message))

    def remark(self, code: str, regions: Iterable[int], message: str) -> None:
        """Say what regions are that is no feature; no recogniser looks at them again."""
        regions = list(regions)
        self.remarks.append(self._finding(code, regions, message))
        for number in regions:
            self.owner.setdefault(number, code)

    def _finding(self, code: str, regions: Iterable[int], message: str) -> Finding:
        faces = ", ".join(map(str, self.graph.faces_of(regions)))
        return Finding(code=code, message=message, where=f"solid {self.graph.index}, faces {faces}")

    def free(self, piece: Piece) -> bool:
        """Whether a piece of a turned profile may become a feature; a thread's always may."""
        return piece.threaded or not self.claimed(piece.regions)


def new_sheet(graph: SolidGraph, threads: Iterable[Thread] = ()) -> Sheet:
    """Return an empty sheet of a solid, its axes of revolution found."""
    groups = axis_groups(graph)
    add_threads(graph, groups, threads)
    return Sheet(graph, groups)


def triple(vector: Floats) -> Triple:
    """Return a (3,) vector as plain numbers, without negative zeros."""
    x, y, z = (float(c) + 0.0 for c in vector)
    return x, y, z
