"""Fresh draws: which cases a plan will draw, from which seed, and what was drawn of it.

The plan names only how many cases of which family are drawn, and the hash of a secret. The seed
follows from the plan's own hash, so it exists only once the plan is frozen:

    seed = SHA-256( commitment ‖ nonce ‖ beacon )

with the commitment as its 32 bytes, the nonce as its 32 bytes, and the beacon as UTF-8 text,
nothing between them. While a run is open, nonce and cases lie in ``seed.private``; at closing they
are revealed as ``drawn.json``. A replay names its seed in the plan, and its cases are open.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from gaugeblock.records.base import Record
from gaugeblock.records.case import Case
from gaugeblock.records.errors import DamagedEvidence

DRAWN = "drawn.json"
SEED_PRIVATE = "seed.private"
STARTS = "starts"

NONCE_BYTES = 32
"""As long as the hash that hides it: a shorter one could be found by trying all."""

MOST_DRAWS = 100
"""Draws of one family; more are a typing error."""

BEACON_CHARS = 500
"""A public beacon is one line: a block hash, a lottery's numbers, a newspaper's headline."""

_ID = re.compile(r"(\w+)\.d([1-9]\d*)")

Hex32 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
"""32 bytes as 64 lower-case hex digits."""


def drawn_id(family: str, number: int) -> str:
    """Return a drawn case's id, such as ``T1.d3``."""
    return f"{family}.d{number}"


def family_of(case_id: str) -> str | None:
    """Return the family of a drawn case's id, None for a case that is not drawn."""
    found = _ID.fullmatch(case_id)
    return found and found[1]


def seed_of(commitment: str, nonce: str, beacon: str) -> str:
    """Return the seed of a plan's draws (hex); the module's docstring has the formula.

    Args:
        commitment: the plan's commitment, hex.
        nonce: the secret whose SHA-256 the plan holds, hex.
        beacon: public text, maybe empty.
    """
    told = bytes.fromhex(commitment) + bytes.fromhex(nonce) + beacon.encode()
    return hashlib.sha256(told).hexdigest()


def nonce_hash(nonce: str) -> str:
    """Return what a plan says of its nonce: the SHA-256 (hex) of its 32 bytes."""
    return hashlib.sha256(bytes.fromhex(nonce)).hexdigest()


class Draw(Record):
    """What a plan says of its fresh draws: how many, and of which seed; not which."""

    suite: str
    families: tuple[str, ...] = Field(min_length=1)
    count: int = Field(ge=1, le=MOST_DRAWS, description="Draws of each family.")
    nonce_sha256: Hex32 | None = Field(
        default=None, description="SHA-256 of the secret nonce; None: the seed is given."
    )
    beacon: str = Field(
        default="",
        max_length=BEACON_CHARS,
        description="Public text that enters the seed; empty: none.",
    )
    seed: Hex32 | None = Field(
        default=None, description="A seed that was known before: a replay, whose cases are open."
    )
    rules_sha256: Hex32 = Field(description="Over the rules and ranges that cases are drawn by.")

    @model_validator(mode="after")
    def _one_source_of_the_seed(self) -> Self:
        if (self.nonce_sha256 is None) == (self.seed is None):
            raise ValueError("either the hash of a nonce or a seed, and not both")
        if self.seed is not None and self.beacon:
            raise ValueError("a replay has its seed; no beacon enters it")
        return self

    @property
    def sealed(self) -> bool:
        """Whether nobody could know the cases before the plan was frozen."""
        return self.seed is None

    def ids(self) -> Iterator[tuple[str, int, str]]:
        """Yield (family, number, case id), family by family."""
        for family in self.families:
            for number in range(1, self.count + 1):
                yield family, number, drawn_id(family, number)


class Drawn(Record):
    """What was drawn: ``seed.private`` while the run is open, ``drawn.json`` from its closing."""

    format: Literal["gaugeblock-drawn/1"] = "gaugeblock-drawn/1"
    nonce: Hex32 | None = Field(description="The secret; None: a replay of a known seed.")
    seed: Hex32
    cases: tuple[Case, ...]
    rejected: dict[str, dict[str, int]] = Field(
        description="Case id → rule → candidates it refused before this one was taken."
    )
    starts: dict[str, Hex32] = Field(
        description="Start document's file → SHA-256; made by our host, kept in `starts/`."
    )


def read_drawn(run: Path, draw: Draw | None) -> Drawn | None:
    """Return what a run drew, sealed or revealed; None for a run that draws nothing.

    Raises:
        WrongUse: the record cannot be read.
        DamagedEvidence: it is missing, or holds other cases than the plan names.
    """
    if draw is None:
        return None
    for name in (DRAWN, SEED_PRIVATE):
        path = run / name
        if path.is_file():
            drawn = Drawn.load(path.read_bytes(), name)
            if [case.id for case in drawn.cases] != [case_id for _, _, case_id in draw.ids()]:
                raise DamagedEvidence(f"{name}: not the cases that the plan names")
            return drawn
    raise DamagedEvidence(f"{DRAWN}: missing, and so is {SEED_PRIVATE}: what was drawn is unknown")
