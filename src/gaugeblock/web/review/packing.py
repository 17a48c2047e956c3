"""A blind pack: samples in random order under numbers, pictures without names, the key apart."""

from __future__ import annotations

import hashlib
import random
import secrets
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from gaugeblock.records.errors import CouldNotMeasure, WrongUse
from gaugeblock.records.review import (
    PACK,
    TURNTABLE,
    NotShown,
    Origin,
    Pack,
    Packed,
    PackedView,
    PackMapping,
    Sample,
    artifact_hash,
    sample_folder,
)
from gaugeblock.records.store import write_atomic
from gaugeblock.web.review.blindness import leaks
from gaugeblock.web.review.page import page

INDEX = "index.html"

SHUFFLES = 200
"""Orders tried until no duplicate stands beside its twin; with few samples there may be none, and
then the last one stays."""

OWNER_ONLY = 0o600


@dataclass(frozen=True)
class Picture:
    """One fixed view: its camera, its scale in pixels per mm, and its PNG."""

    name: str
    direction: tuple[float, float, float]
    up: tuple[float, float, float]
    px_per_mm: float
    png: bytes


@dataclass(frozen=True)
class Shown:
    """One artifact as reviewers see it."""

    origin: Origin
    brief: str
    pictures: tuple[Picture, ...]
    turntable: bytes
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Place:
    """One number of a pack: which artifact, and the number of the same one before it."""

    shown: Shown
    number: int
    duplicate_of: int | None


def ordered(shown: Sequence[Shown], seed: int, duplicates: int) -> list[Place]:
    """Return the samples under their numbers, in an order that the seed alone decides.

    Args:
        shown: the artifacts, in any order.
        seed: of the order and of the choice of duplicates.
        duplicates: artifacts that stand under two numbers.

    Raises:
        WrongUse: there are fewer artifacts than that.
    """
    if not 0 <= duplicates <= len(shown):
        raise WrongUse(f"--duplicates {duplicates}: there are {len(shown)} artifacts to choose of")
    chance = random.Random(seed)
    fixed = sorted(shown, key=lambda s: (s.origin.run, s.origin.trial, s.origin.round))
    order = [*range(len(fixed)), *chance.sample(range(len(fixed)), duplicates)]
    for _ in range(SHUFFLES):
        chance.shuffle(order)
        if all(a != b for a, b in pairwise(order)):
            break
    first: dict[int, int] = {}
    places = []
    for number, which in enumerate(order, 1):
        places.append(Place(fixed[which], number, first.get(which)))
        first.setdefault(which, number)
    return places


def write_pack(
    places: Sequence[Place],
    not_shown: Sequence[NotShown],
    labels: Mapping[str, str],
    frame: str,
    *,
    seed: int,
    out: Path,
    mapping: Path,
) -> Pack:
    """Write a pack and, apart from it, its mapping; nothing is written unless the pack is blind.

    Args:
        places: the samples, numbered.
        not_shown: artifacts of which there is no picture.
        labels: words that must not be in the pack → what they are.
        frame: the page of a 3-D view without a body.
        seed: that the order was made with.
        out: the pack's folder, which must not be there yet.
        mapping: the mapping's file.

    Raises:
        WrongUse: the mapping would lie inside the pack, or there is no sample.
        CouldNotMeasure: the pack would tell whose work it shows.
    """
    require_apart(out, mapping)
    if not places:
        raise WrongUse("no artifact that can be shown, so there is nothing to review")
    salt = secrets.token_hex(32)  # never from the seed, which could be guessed
    pack, files = _built(places, salt)
    bare = pack.model_copy(
        update={"samples": tuple(s.model_copy(update={"notes": ()}) for s in pack.samples)}
    )
    known = {PACK: bare.pretty().decode(), INDEX: page(bare, served=False), TURNTABLE: frame}
    found = leaks(files, labels, known)
    if found:
        more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        raise CouldNotMeasure(f"not packed, since it would not be blind: {found[0]}{more}")
    key = PackMapping(
        pack=pack.id,
        seed=seed,
        salt=salt,
        pack_sha256=_sha256(files[PACK]),
        samples=tuple(
            Packed(number=p.number, duplicate_of=p.duplicate_of, **p.shown.origin.model_dump())
            for p in places
        ),
        not_shown=tuple(not_shown),
    )
    draft = out.with_name(f".{out.name}.draft")
    shutil.rmtree(draft, ignore_errors=True)
    for name, data in files.items():
        write_atomic(draft / name, data)
    write_atomic(mapping, key.pretty())
    mapping.chmod(OWNER_ONLY)
    draft.rename(out)
    return pack


def require_apart(out: Path, mapping: Path) -> None:
    """Refuse a mapping inside the pack: it would be handed to the reviewers with it."""
    if mapping.resolve().is_relative_to(out.resolve()):
        raise WrongUse(f"--mapping {mapping}: inside the pack; reviewers must not have it")


def _built(places: Sequence[Place], salt: str) -> tuple[Pack, dict[str, bytes]]:
    """Return the pack's record, and all its files by path."""
    briefs = tuple(sorted({place.shown.brief for place in places}))
    files: dict[str, bytes] = {}
    samples = []
    for place in places:
        shown, folder = place.shown, sample_folder(place.number)
        for picture in shown.pictures:
            files[f"{folder}/{picture.name}.png"] = picture.png
        files[f"{folder}/{TURNTABLE}"] = shown.turntable
        samples.append(
            Sample(
                number=place.number,
                artifact_hash=artifact_hash(salt, place.number, shown.origin.artifact_sha256),
                brief=briefs.index(shown.brief),
                views=tuple(_view(picture) for picture in shown.pictures),
                turntable_sha256=_sha256(shown.turntable),
                notes=shown.notes,
            )
        )
    pack = Pack(id=secrets.token_hex(16), briefs=briefs, samples=tuple(samples))
    files[PACK] = pack.pretty()
    files[INDEX] = page(pack, served=False).encode()
    return pack, files


def _view(picture: Picture) -> PackedView:
    return PackedView.build(
        {
            "name": picture.name,
            "direction": picture.direction,
            "up": picture.up,
            "px_per_mm": picture.px_per_mm,
            "sha256": _sha256(picture.png),
        },
        picture.name,
    )


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
