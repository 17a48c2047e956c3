"""The corrupted corpus: whatever a file does, a verdict comes back, and never a silent lie."""

from __future__ import annotations

import math
import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import corpus
import pytest

from gaugeblock.records.measurement import Measurement
from gaugeblock.ruler import Ruler

EACH = 5
"""Files of each kind and part in the full corpus."""

CEILING = 5.0
"""Time ceiling of one damaged file in s."""

SLOW = ("long-token", "huge-list")
"""Kinds that mostly end at the time ceiling: only in the full corpus."""

LONGEST_TEXT = 310
"""Characters of any text in a record: REASON_LIMIT and an ellipsis."""


@pytest.fixture(scope="module")
def ruler() -> Iterator[Ruler]:
    with Ruler(wall_s=CEILING) as made:
        yield made


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return corpus.good_parts(tmp_path_factory.mktemp("parts"))


def texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from texts(key)
            yield from texts(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from texts(item)


def floats(value: Any) -> Iterator[float]:
    if isinstance(value, float):
        yield value
    elif isinstance(value, dict | list | tuple):
        for item in value.values() if isinstance(value, dict) else value:
            yield from floats(item)


def absurd(found: Measurement) -> str | None:
    """Why what is said to be measured cannot be true; written apart from the ruler's own check."""
    for solid in found.solids:
        if solid.volume.verdict != "measured":
            continue
        volume, area, box = solid.volume.value, solid.area, solid.bounds
        if volume is None or area is None or box is None or solid.centroid is None:
            return "measured, but something is missing"
        if not solid.volume.cross_check.agrees:
            return "measured, but the cross-check does not agree"
        sides = [b - a for a, b in zip(box.min, box.max, strict=True)]
        if min(sides) < 0 or volume > math.prod(s + 1e-5 + 1e-5 * max(sides) for s in sides):
            return "larger than its box"
        slack = 1e-5 * (1 + max(sides))
        if any(
            not a - slack <= c <= b + slack
            for a, c, b in zip(box.min, solid.centroid, box.max, strict=True)
        ):
            return "centroid outside"
        if area <= 0 or 36 * math.pi * volume**2 > area**3 * 1.0001:
            return "too little area"
        if solid.valid and (solid.topology.betti is None and solid.topology.reason is None):
            return "valid without topology"
    return None


def check(case: corpus.Case, found: Measurement, sound: Measurement) -> str:
    """Assert what must hold of every answer and return its class."""
    where = f"{case.kind}/{case.part}/{case.number}"
    dump = found.model_dump(mode="python")
    assert all(math.isfinite(number) for number in floats(dump)), where
    for text in texts(dump):
        assert text.isprintable(), where
        assert len(text) <= LONGEST_TEXT, where
    if found.verdict == "could-not-measure":
        assert found.code in {
            "not-step",
            "truncated",
            "empty",
            "timeout",
            "crashed",
            "limit",
            "no-shape",
            "failed",
        }, where
        assert found.reason, where
        return str(found.code)
    assert found.totals is not None, where
    assert absurd(found) is None, f"{where}: {absurd(found)}"
    if found.totals.valid is None or (found.totals.valid and found.totals.volume is None):
        return "unjudged"
    if not found.totals.valid:
        return "invalid"
    assert sound.totals is not None
    same = found.totals.volume == pytest.approx(sound.totals.volume, rel=1e-9)
    return "unharmed" if same and found.totals.bounds == sound.totals.bounds else "another body"


def run(
    ruler: Ruler, parts: dict[str, bytes], cases: list[corpus.Case], folder: Path
) -> tuple[dict[str, Counter[str]], list[tuple[float, str]]]:
    sound = {}
    for name, data in parts.items():
        (folder / "sound.step").write_bytes(data)
        sound[name] = ruler.measure(folder / "sound.step")
        assert sound[name].totals is not None, sound[name].reason
    classes: dict[str, Counter[str]] = defaultdict(Counter)
    seconds = []
    path = folder / "damaged.step"
    crashed = False
    for case in cases:
        path.write_bytes(case.data)
        start = time.perf_counter()
        found = ruler.measure(path)
        seconds.append((time.perf_counter() - start, f"{case.kind}/{case.part}/{case.number}"))
        classes[case.kind][check(case, found, sound[case.part])] += 1
        if crashed:
            # The worker must be as good as new after a crash.
            (folder / "sound.step").write_bytes(parts["box"])
            again = ruler.measure(folder / "sound.step")
            assert again.solids == sound["box"].solids
        crashed = found.code in ("crashed", "timeout", "limit")
    return classes, seconds


def report(classes: dict[str, Counter[str]], seconds: list[tuple[float, str]]) -> str:
    names = sorted({name for found in classes.values() for name in found})
    lines = ["| kind | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    total: Counter[str] = Counter()
    for kind, found in classes.items():
        lines.append(f"| {kind} | " + " | ".join(str(found[n] or "") for n in names) + " |")
        total += found
    lines.append(f"| all {total.total()} | " + " | ".join(str(total[n]) for n in names) + " |")
    times = sorted(t for t, _ in seconds)
    slowest = ", ".join(f"{where} {t:.1f}" for t, where in sorted(seconds)[-3:])
    lines.append(
        f"s per file: median {statistics.median(times):.3f}, "
        f"95 % {times[int(0.95 * len(times))]:.3f}, most {times[-1]:.2f}, "
        f"sum {sum(times):.0f}; slowest: {slowest}"
    )
    return "\n".join(lines)


def test_some_of_the_corpus(ruler: Ruler, parts: dict[str, bytes], tmp_path: Path) -> None:
    few = {name: parts[name] for name in ("box", "plate", "round", "assembly")}
    cases = [case for case in corpus.cases(few, 1) if case.kind not in SLOW]
    assert len(cases) >= 140
    classes, seconds = run(ruler, few, cases, tmp_path)
    print("\n" + report(classes, seconds))


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_the_whole_corpus(ruler: Ruler, parts: dict[str, bytes], tmp_path: Path) -> None:
    cases = list(corpus.cases(parts, EACH))
    assert len(cases) >= 1000
    classes, seconds = run(ruler, parts, cases, tmp_path)
    print("\n" + report(classes, seconds))


def test_cases_come_out_alike(parts: dict[str, bytes]) -> None:
    few = {"box": parts["box"]}
    assert list(corpus.cases(few, 1)) == list(corpus.cases(few, 1))


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"PK\x03\x04....", "ZIP"),
        (b"solid part\nfacet", "STL"),
        (b"%PDF-1.7", "PDF"),
        (b"from build123d import *", "program"),
        (b"just words", "ISO-10303-21"),
    ],
)
def test_not_step_in_plain_words(ruler: Ruler, tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "x.step"
    path.write_bytes(content)
    found = ruler.measure(path)
    assert found.code == "not-step"
    assert (found.reason or "").startswith("not a STEP file: ")
    assert says in (found.reason or "")
