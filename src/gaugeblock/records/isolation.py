"""The entry ticket of a trial whose truth must stay out of reach: what was searched, and for what.

It names no needle in the clear and no place outside the views.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from gaugeblock.records.base import Record

NeedleKind = Literal["canary", "sha256", "step", "feature", "program", "name", "figure"]
"""Of what a needle is a part: a planted canary; the reference's hash; its file; a record of its
features; the reference's program; its file's name; its mass properties."""


class HiddenNeedle(Record):
    """A needle: who has the truth can check that it was sought, and nobody else learns it."""

    kind: NeedleKind
    sha256: str = Field(description="SHA-256 (hex) of salt, kind and needle, joined by newlines.")


class Hit(Record):
    """A needle that was found."""

    kind: NeedleKind
    sha256: str = Field(description="As in `HiddenNeedle`.")
    path: str = Field(description="As the view names it; `FILE!MEMBER` for what was packed.")


class MountSeen(Record):
    """One mount of a view."""

    inside: str
    file_system: str
    writable: bool


class ViewSearched(Record):
    """One view, searched from inside."""

    name: str = Field(description="`host`, `workspace` or `job`; or `libraries`, once a run.")
    mounts: tuple[MountSeen, ...]
    searched: tuple[str, ...] = Field(description="Mounts that were walked now.")
    settled: tuple[str, ...] = Field(description="Mounts that were walked earlier in the run.")
    files: int = Field(ge=0, description="Files, links and devices met.")
    bytes: int = Field(ge=0, description="Searched, also those unpacked.")
    proven: int = Field(ge=0, description="Files known by hash, and not read.")
    members: int = Field(ge=0, description="Packed members that were unpacked and searched.")
    unreadable: int = Field(ge=0, description="Files that nobody in this view may open.")
    faults: tuple[str, ...] = Field(description="What could not be searched; then nothing runs.")
    hits: tuple[Hit, ...]
    seconds: float = Field(ge=0)


class Proof(Record):
    """What was proven by hash, once a run."""

    by_record: int = Field(ge=0, description="Files that are as their package's RECORD says.")
    by_dpkg: int = Field(ge=0, description="Files that are as dpkg's md5sums say.")
    differing: int = Field(ge=0, description="Files that are not as listed; they are searched.")
    seconds: float = Field(ge=0)


class Isolation(Record):
    """What was searched before, and after, one trial."""

    format: Literal["gaugeblock-isolation/1"] = "gaugeblock-isolation/1"
    trial_id: str
    salt: str = Field(description="Hex; drawn once a run.")
    needles: tuple[HiddenNeedle, ...]
    dropped: dict[NeedleKind, int] = Field(
        description="Needles not sought, since they stand on the sheet or in what is shown."
    )
    proof: Proof
    views: tuple[ViewSearched, ...] = ()
    transcript: tuple[Hit, ...] = Field(
        default=(), description="Canaries in what the agent said, read or delivered."
    )

    @property
    def clean(self) -> bool:
        """Whether nothing was found and everything could be searched."""
        return not self.transcript and not any(view.hits or view.faults for view in self.views)
