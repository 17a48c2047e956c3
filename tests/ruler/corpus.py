"""A seeded corpus of corrupted STEP files: good parts, damaged in every way that comes to mind.

`cases` yields them; each depends only on the seed, its kind, its part and its number, so that any
one can be made again alone.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import corpus_entities
import corpus_text
import ruler_shapes as shapes
from corpus_base import KINDS

SEED = 20260

assert corpus_entities and corpus_text  # imported for the damages they register


@dataclass(frozen=True)
class Case:
    kind: str
    part: str
    number: int
    data: bytes


def good_parts(folder: Path) -> dict[str, bytes]:
    """Parts of different make, and one real file where it is present."""
    from OCP.BRepPrimAPI import BRepPrimAPI_MakeSphere, BRepPrimAPI_MakeTorus

    plate = shapes.cut(
        shapes.box(40, 20, 6),
        shapes.cylinder(4, 20, (12, 10, -5)),
        shapes.cylinder(2, 9, (30, 8, 2)),
    )
    made = {
        "box": shapes.box(10, 20, 30),
        "plate": plate,
        "hill": shapes.hill()[0],
        "round": shapes.compound(
            BRepPrimAPI_MakeSphere(7).Shape(),
            shapes.moved(BRepPrimAPI_MakeTorus(20, 5).Shape(), (1, 0, 0), 0.4, 50),
        ),
    }
    files = {name: shapes.write_step(s, folder / f"{name}.step") for name, s in made.items()}
    files["assembly"] = shapes.write_assembly(folder / "assembly.step")
    real = shapes.REAL / "nist_ctc_01_ap203.stp"
    if real.exists():
        files["ctc_01"] = real
    return {name: path.read_bytes() for name, path in files.items()}


def cases(parts: dict[str, bytes], each: int, seed: int = SEED) -> Iterator[Case]:
    """`each` files of every kind of every part; a tenth of that, at least one, of a real part."""
    for name, damage in KINDS.items():
        for part, data in parts.items():
            for number in range(max(1, each // 5) if part == "ctc_01" else each):
                rng = random.Random(f"{seed}/{name}/{part}/{number}")
                yield Case(name, part, number, damage(data, rng))
