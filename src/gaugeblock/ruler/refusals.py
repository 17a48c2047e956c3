"""The records of files that could not be measured, and the versions every record carries."""

from __future__ import annotations

from functools import cache
from importlib.metadata import PackageNotFoundError, version

from gaugeblock.records.conservation import Conservation, Region
from gaugeblock.records.features import FeatureSet
from gaugeblock.records.measurement import FileFacts, Measurement, Versions
from gaugeblock.records.overlap import Interference, Overlap
from gaugeblock.records.spectrum import Spectrum
from gaugeblock.ruler.text import REASON_LIMIT, clean_text


def refused(facts: FileFacts, code: str, reason: str) -> Measurement:
    """Return the could-not-measure record of a file."""
    return Measurement(
        verdict="could-not-measure",
        code=code,
        reason=clean_text(reason, REASON_LIMIT),
        file=facts,
        versions=versions(),
    )


def refused_overlap(a: FileFacts, b: FileFacts, code: str, reason: str) -> Overlap:
    """Return the could-not-measure record of a comparison."""
    return Overlap(
        verdict="could-not-measure",
        code=code,
        reason=clean_text(reason, REASON_LIMIT),
        a=a,
        b=b,
        versions=versions(),
    )


def refused_conservation(
    start: FileFacts, delivery: FileFacts, region: Region, code: str, reason: str
) -> Conservation:
    """Return the could-not-measure record of what an edit left alone."""
    return Conservation(
        verdict="could-not-measure",
        code=code,
        reason=clean_text(reason, REASON_LIMIT),
        start=start,
        delivery=delivery,
        region=region,
        versions=versions(),
    )


def refused_interference(file: FileFacts, code: str, reason: str) -> Interference:
    """Return the could-not-measure record of an interference."""
    return Interference(
        verdict="could-not-measure",
        code=code,
        reason=clean_text(reason, REASON_LIMIT),
        file=file,
        versions=versions(),
    )


def refused_features(file: FileFacts, code: str, reason: str) -> FeatureSet:
    """Return the could-not-measure record of a file's features."""
    return FeatureSet(
        verdict="could-not-measure",
        code=code,
        reason=clean_text(reason, REASON_LIMIT),
        file=file,
        versions=versions(),
    )


def refused_spectrum(file: FileFacts, code: str, reason: str) -> Spectrum:
    """Return the could-not-measure record of a file's spectrum."""
    return Spectrum(
        verdict="could-not-measure",
        code=code,
        reason=clean_text(reason, REASON_LIMIT),
        file=file,
        versions=versions(),
    )


def versions() -> Versions:
    """Return the versions of kernel binding and numpy without importing them."""
    return Versions(ocp=_version("cadquery-ocp-novtk"), numpy=_version("numpy"))


@cache
def _version(distribution: str) -> str | None:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None
