"""Blind review: what a reviewer says, what a pack holds, and what the operator keeps apart."""

from __future__ import annotations

import hashlib
import hmac
import re
import unicodedata
from datetime import date
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, StringConstraints

from gaugeblock.records.base import Record

CRITERIA = {
    "recognisability": "Recognisability",
    "coherence": "Coherent assembly and open brewing area",
    "details": "Visible required details",
    "finish": "Proportions, materials, finish",
}
"""What is scored from 0 to 10, equally weighted: name in the records → words for people."""

HIGHEST = 10
"""Of one criterion."""

MOST = HIGHEST * len(CRITERIA)
"""Of a whole review: the 40 points by people."""

PACK = "pack.json"
REVIEW = "review.json"
SAMPLES = "samples"
MAPPING = "mapping.private.json"
TURNTABLE = "turntable.html"

REVIEWER_SIGNS, NOTES_SIGNS = 80, 4000
"""Longest name and longest notes of a review: a page of text; more is no note on one sample."""

REVIEW_BYTES = 32 * 1024
"""Largest review file: notes of `NOTES_SIGNS` at four bytes a sign and twice that for escapes."""

Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
PackId = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")]
Score = Annotated[int, Field(strict=True, ge=0, le=HIGHEST)]
Line = Annotated[
    str,
    StringConstraints(
        strip_whitespace=True, min_length=1, max_length=REVIEWER_SIGNS, pattern=r"^[^\x00-\x1f]+$"
    ),
]
Method = Literal["human", "ai"]


def _written(value: object) -> object:
    """Take a date as it is written, never as seconds since 1970, which a number would be."""
    if isinstance(value, date) or (isinstance(value, str) and re.fullmatch(ISO_DATE, value)):
        return value
    raise ValueError("a date is written YYYY-MM-DD")


ISO_DATE = r"\d{4}-\d{2}-\d{2}"
Day = Annotated[date, BeforeValidator(_written)]


class Scores(Record):
    """Four whole numbers: 0 absent or unusable, 5 recognisable with major flaws, 8 meets the brief
    with minor flaws, 10 fully convincing.
    """

    recognisability: Score
    coherence: Score
    details: Score
    finish: Score

    def values(self) -> tuple[int, ...]:
        """Return the scores in the order of `CRITERIA`."""
        return self.recognisability, self.coherence, self.details, self.finish


class Judgement(Record):
    """What one reviewer says of one sample."""

    sample: int = Field(ge=1, description="Its number in the pack.")
    pack: PackId
    reviewer: Line
    date: Day
    method: Method = Field(description="ai: provisional, shown apart, never counted in quality.")
    scores: Scores
    notes: str = Field(default="", max_length=NOTES_SIGNS)


class Review(Judgement):
    """One ``review.json``: a judgement, held to the artifact that was shown."""

    format: Literal["gaugeblock-review/1"] = "gaugeblock-review/1"
    artifact_hash: Sha256 = Field(description="As the pack gives it; see `artifact_hash`.")


class PackedView(Record):
    """One fixed view of a sample and the camera that saw it; orthographic, fitted to the part."""

    name: Literal["front", "right", "iso"]
    direction: tuple[float, float, float] = Field(description="From the part to the viewer.")
    up: tuple[float, float, float]
    px_per_mm: float
    sha256: Sha256 = Field(description="Of the PNG.")


class Sample(Record):
    """One thing to be judged; nothing here says who made it."""

    number: int = Field(ge=1)
    artifact_hash: Sha256
    brief: int = Field(ge=0, description="Place of its task among the pack's briefs.")
    views: tuple[PackedView, ...]
    turntable_sha256: Sha256 = Field(description="Of the page with the 3-D view.")
    notes: tuple[str, ...] = Field(description="What the pictures do not show.")

    def files(self) -> dict[str, str]:
        """Return the names of its pictures, in its folder → SHA-256."""
        views = {f"{view.name}.png": view.sha256 for view in self.views}
        return {**views, TURNTABLE: self.turntable_sha256}


class Pack(Record):
    """The public face of a pack."""

    format: Literal["gaugeblock-pack/1"] = "gaugeblock-pack/1"
    id: PackId
    briefs: tuple[str, ...] = Field(
        description="Task texts, as the agents were given them or what such cases have in common."
    )
    samples: tuple[Sample, ...] = Field(min_length=1)


class Origin(Record):
    """Where a sample comes from."""

    run: Sha256 = Field(description="Commitment of the run's plan.")
    trial: str
    round: str
    artifact_sha256: Sha256


class Packed(Origin):
    """The sample behind a number."""

    number: int = Field(ge=1)
    duplicate_of: int | None = Field(default=None, description="Number of the same artifact.")


class NotShown(Origin):
    """An artifact of which no picture could be had: it waits for review and has no number."""

    reason: str


class PackMapping(Record):
    """What only the operator may know: whose each number is."""

    format: Literal["gaugeblock-mapping/1"] = "gaugeblock-mapping/1"
    pack: PackId
    seed: int = Field(description="Gives the order and the duplicates again.")
    salt: Sha256
    pack_sha256: Sha256 = Field(description="Of pack.json, byte for byte.")
    samples: tuple[Packed, ...]
    not_shown: tuple[NotShown, ...] = ()


class ImportedReview(Judgement):
    """A review in a run: its number resolved."""

    trial: str
    round: str
    artifact_sha256: Sha256


class Consistency(Record):
    """How far a reviewer was from himself where one artifact stood under two numbers."""

    reviewer: str
    method: Method
    pairs: int = Field(ge=1, description="Pairs in the whole pack, in whichever run.")
    mean_difference: float = Field(
        ge=0, le=HIGHEST, description="Mean absolute difference of a score, 0 to 10."
    )


class ReviewImport(Record):
    """Content of an amendment of kind `review`."""

    reviews: tuple[ImportedReview, ...] = Field(min_length=1)
    consistency: tuple[Consistency, ...] = ()


def spoken(name: str) -> str:
    """Return a reviewer's name as it is heard.

    Case, width, how an accent is coded, spaces and what cannot be seen make no other person.
    """
    seen = "".join(sign for sign in name if unicodedata.category(sign) != "Cf")
    return " ".join(unicodedata.normalize("NFKC", seen).casefold().split())


def artifact_hash(salt: str, number: int, artifact_sha256: str) -> str:
    """Return the hash that a sample carries: HMAC-SHA256 under the pack's secret salt.

    The artifact's own SHA-256 stands in the run's published rows, so a reviewer could look up
    whose it is; under a salt he cannot. The number is hashed too: a duplicate does not show by it.
    """
    message = f"{number}:{artifact_sha256}".encode()
    return hmac.new(bytes.fromhex(salt), message, hashlib.sha256).hexdigest()


def sample_folder(number: int) -> str:
    """Return where a sample lies in its pack."""
    return f"{SAMPLES}/{number:03d}"
