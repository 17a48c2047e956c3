"""What our recogniser says of a part: the whole way, from a STEP file to its features."""

from __future__ import annotations

import tempfile
from pathlib import Path

from build123d import export_step

from gaugeblock.calibration.feature_parts.part import FeaturePart
from gaugeblock.calibration.feature_parts.scoring import Answer
from gaugeblock.ruler.features.recognising import features_fd


def ask(part: FeaturePart) -> Answer:
    """Write a part, read it back and recognise its features, in this process."""
    with tempfile.TemporaryDirectory(prefix="gaugeblock-part-") as folder:
        path = Path(folder) / "part.step"
        export_step(part.body, str(path))
        return ask_file(part, path)


def ask_file(part: FeaturePart, path: Path) -> Answer:
    """Recognise the features of a file that holds a part.

    Raises:
        ValueError: it could not be measured.
    """
    with path.open("rb") as file:
        found = features_fd(file.fileno(), part.name, None)
    if found.verdict != "measured":
        raise ValueError(f"{part.name}: {found.reason}")
    told = [f"{finding.code}: {finding.message}" for finding in found.refused]
    return Answer(part, found.features, told)
