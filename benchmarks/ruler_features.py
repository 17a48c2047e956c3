"""Feature recognition beside quiddity: answers and times on the same parts, in one run.

Answers: the parts of `calibration.feature_parts`, whose features are known from how they were made,
`--lots` plates and as many shafts drawn by lot, and a plate of 234 faces. Both recognisers are held
to kind, side, main sizes and place, each as far as it says them (`scoring.compared`); ours besides
to every parameter (`scoring.proved`). Times: from file to features, both warm, each file `--repeat`
times, the best of them.

quiddity is installed by uv from `quiddity.txt` (by hash, alone: it runs on the project's own
kernel) into the user's cache, once; `GAUGEBLOCK_QUIDDITY` names a folder that has it, or is `off`.
Where it cannot be had this is said, and ours stands alone.

    python benchmarks/ruler_features.py [--repeat 3] [--lots 10] [--from 0] [--ours] [--misses]
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from build123d import export_step
from ruler_overlap import plate

from gaugeblock.calibration.feature_parts import PARTS, FeaturePart, drawn_by_lot
from gaugeblock.calibration.feature_parts.asking import ask_file
from gaugeblock.calibration.feature_parts.scoring import (
    Answer,
    Claim,
    Score,
    claim_of,
    compared,
    proved,
    table,
)
from gaugeblock.calibration.feature_parts.truth import hole, recess
from gaugeblock.ruler.worker import warm_up

HERE = Path(__file__).parent
PINNED = HERE / "quiddity.txt"
PROBE = HERE / "quiddity_probe.py"
OVERRIDE = "GAUGEBLOCK_QUIDDITY"
WALL_S = 900.0


def large_plate() -> FeaturePart:
    """The plate of `ruler_overlap`: 234 faces, 112 holes and pockets, a window."""
    truths: list[Any] = [
        recess("breakthrough", (22.4, 26, 20), 4, 4, 20, lengthwise=(1, 0, 0), through=True)
    ]
    for i in range(14):
        for j in range(8):
            at = (12 + 20.8 * i, 14 + 24.0 * j, 20.0)
            if i % 3 == 1 and j % 4 in (1, 3) and i < 11:
                truths.append(recess("pocket", at, 12, 9, 10, lengthwise=(1, 0, 0)))
            else:
                through = (i + j) % 2 == 1
                diameter = 2 * (3 + 0.1 * (i % 4))
                truths.append(hole(at, diameter, 20 if through else 12, through=through))
    return FeaturePart("plate of 234 faces", plate(0.0), tuple(truths))


def find() -> tuple[Path | None, str]:
    """Return the folder that has quiddity, or None and why there is none."""
    named = os.environ.get(OVERRIDE)
    if named == "off":
        return None, f"{OVERRIDE}=off"
    if named:
        return (Path(named), "") if Path(named).is_dir() else (None, f"{OVERRIDE}: no such folder")
    root = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    place = root / "gaugeblock" / f"quiddity-{hashlib.sha256(PINNED.read_bytes()).hexdigest()[:12]}"
    if place.is_dir():
        return place, ""
    beside = Path(sys.executable).with_name("uv")
    uv = str(beside) if beside.exists() else shutil.which("uv")
    if uv is None:
        return None, "there is no uv to install it with"
    place.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(prefix=".quiddity-", dir=place.parent))
    command = [
        *(uv, "pip", "install", "--quiet", "--python", sys.executable, "--target", str(draft)),
        *("--no-deps", "--only-binary", ":all:", "--require-hashes", "-r", str(PINNED)),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=WALL_S, check=False)
    if done.returncode:
        shutil.rmtree(draft, ignore_errors=True)
        return None, f"uv could not install it: {done.stderr.strip()[-160:]}"
    draft.rename(place)
    return place, ""


def peer(folder: Path, files: list[Path], repeat: int) -> list[dict[str, Any]] | str:
    """Return quiddity's answers, or why there are none."""
    command = [sys.executable, str(PROBE), str(repeat), *map(str, files)]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=WALL_S, check=False, env=environment
    )
    if done.returncode:
        return f"it failed: {done.stderr.strip()[-200:]}"
    return [json.loads(line) for line in done.stdout.splitlines()]


Seconds = tuple[float, float]
"""Wall and processor time."""


def ours(part: FeaturePart, file: Path, repeat: int) -> tuple[Answer, Seconds]:
    """Return our answer and the best times from file to features."""
    wall, spent, answer = [], [], Answer(part, ())
    for _ in range(repeat):
        start = (time.perf_counter(), time.process_time())
        answer = ask_file(part, file)
        wall.append(time.perf_counter() - start[0])
        spent.append(time.process_time() - start[1])
    return answer, (min(wall), min(spent))


def told(name: str, score: Score, misses: bool) -> None:
    """Print one table."""
    print(f"\n{name}")
    print("\n".join(table(score)))
    if misses:
        print("\n".join(f"  {line}" for line in score.misses))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--lots", type=int, default=10, help="plates and shafts drawn by lot")
    parser.add_argument("--from", type=int, default=0, dest="first", help="their first seed")
    parser.add_argument("--ours", action="store_true", help="leave quiddity aside")
    parser.add_argument("--misses", action="store_true", help="list every miss of both")
    options = parser.parse_args()
    warm_up()
    seeds = range(options.first, options.first + options.lots)
    lots = [make(seed) for make in (drawn_by_lot.plate, drawn_by_lot.shaft) for seed in seeds]
    parts = [*(make() for make in PARTS), *lots, large_plate()]
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / f"{number}.step" for number in range(len(parts))]
        for part, file in zip(parts, files, strict=True):
            export_step(part.body, str(file))
        print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
        mine = [ours(p, f, options.repeat) for p, f in zip(parts, files, strict=True)]
        theirs: list[dict[str, Any]] | str = "left aside"
        if not options.ours:
            place, why = find()
            theirs = why if place is None else peer(place, files, options.repeat)
    answers = [answer for answer, _ in mine]
    told("ours, every parameter", proved(answers), True)
    told(
        "ours, kind, side, main sizes and place",
        compared((a.part, [claim_of(f) for f in a.features]) for a in answers),
        options.misses,
    )
    if isinstance(theirs, str):
        print(f"\nquiddity: absent: {theirs}")
    else:
        claims = [
            (
                part,
                [
                    Claim(
                        frozenset(claim["kinds"]),
                        tuple(claim["at"]),
                        claim["sizes"],
                        claim["labels"],
                        None if claim["axis"] is None else tuple(claim["axis"]),
                    )
                    for claim in answer["claims"]
                ],
            )
            for part, answer in zip(parts, theirs, strict=True)
        ]
        told(
            "quiddity, kind, side, main sizes and place (threads left out: it tells none)",
            compared((without_threads(part), claimed) for part, claimed in claims),
            options.misses,
        )
        for part, answer in zip(parts, theirs, strict=True):
            for word in ("refused", "failed"):
                if word in answer:
                    print(f"  {part.name}: {word}: {answer[word]}")
    times(parts, [seconds for _, seconds in mine], theirs)


def without_threads(part: FeaturePart) -> FeaturePart:
    """Return a part as if nothing were known of its threads."""
    return replace(part, features=tuple(f for f in part.features if f.kind != "thread"))


def times(
    parts: list[FeaturePart], mine: list[Seconds], theirs: list[dict[str, Any]] | str
) -> None:
    """Print what it took from file to features: the slowest parts of either, and all together."""
    rows: list[tuple[str, int, Seconds, Seconds | None]] = []
    for i, part in enumerate(parts):
        other = None if isinstance(theirs, str) or "wall" not in theirs[i] else theirs[i]
        peer_took = None if other is None else (other["wall"], other["processor"])
        rows.append((part.name, len(part.body.faces()), mine[i], peer_took))
    shown = sorted(rows, key=lambda row: -(row[3] or row[2])[1])[:8]
    known = [row for row in rows if row[3] is not None]
    if known:
        sums = [(sum(r[k][0] for r in known), sum(r[k][1] for r in known)) for k in (2, 3)]
        whole = f"all {len(known)} together"
        shown.append((whole, sum(row[1] for row in known), sums[0], sums[1]))
    print(f"\n{'best times, s':26} {'faces':>6}   ours: wall    cpu", end="")
    print("   quiddity: wall    cpu  cpu ratio")
    for name, faces, (wall, spent), other in shown:
        line = f"{name:26} {faces:6} {wall:12.3f} {spent:6.3f}"
        if other is not None:
            line += f" {other[0]:16.3f} {other[1]:6.3f} {other[1] / spent:10.1f}"
        print(line)


if __name__ == "__main__":
    main()
