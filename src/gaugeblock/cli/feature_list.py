"""The features of one file, listed and in a picture: what ``gaugeblock measure`` shows of them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from gaugeblock.records.features import Feature, FeatureSet

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console

    from gaugeblock.ruler.picture.portrait import Portrait

PLACES = 4
"""Places told of features of one description; `--json` has all."""


def show(console: Console, found: FeatureSet) -> None:
    """Print the features, those of one description in one line."""
    from rich.markup import escape

    from gaugeblock.ruler.matching.wording import at, described

    groups: dict[str, list[Feature]] = {}
    for feature in found.features:
        groups.setdefault(described(feature), []).append(feature)
    console.print(f"features: {len(found.features)}{'' if found.features else ', none known here'}")
    for alike in groups.values():
        places = [at(feature.position).removeprefix("at ") for feature in alike[:PLACES]]
        more = len(alike) - PLACES
        where = ", ".join(places) + (f" and {more} more" if more > 0 else "")
        console.print(escape(f"  {described(alike[0], len(alike))} at {where}"), soft_wrap=True)
        for remark, count in Counter(r for feature in alike for r in feature.findings).items():
            times = f" ({count} of them)" if len(alike) > 1 else ""
            console.print(escape(f"    {remark}{times}"), soft_wrap=True)
    for code, findings in (("unclear", found.refused), ("", found.findings)):
        for finding in findings:
            where = f" ({finding.where})" if finding.where else ""
            word = f"{code}, {finding.code}" if code else finding.code
            console.print(escape(f"  {word}{where}: {finding.message}"), soft_wrap=True)


def write_picture(portrait: Portrait, found: FeatureSet, png: Path) -> None:
    """Draw a file with its features in the colours of their kinds.

    Args:
        portrait: The file.
        found: Its features.
        png: Where to write to.
    """
    from gaugeblock.cli.lettering import letters
    from gaugeblock.cli.outputs import save
    from gaugeblock.ruler.picture.portrait import KIND_COLOURS, scene_by_kind
    from gaugeblock.ruler.picture.views import COMMON, Caption, Colour, draw
    from gaugeblock.ruler.picture.views import png as png_of

    scene, styles = scene_by_kind(portrait, found.features)
    counts: Counter[str] = Counter(feature.kind for feature in found.features)
    legend: list[tuple[Colour | None, str]] = [
        (colour, f"{kind}  {counts[kind]}") for kind, colour in KIND_COLOURS.items() if counts[kind]
    ]
    legend.append((COMMON, "no feature"))
    if found.refused:
        legend.append((None, f"{len(found.refused)} places allow no certain answer"))
    title = f"{found.file.name}: {len(found.features)} features"
    save(png, png_of(draw(scene, Caption(title, legend), letters, styles)))
