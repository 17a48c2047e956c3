"""Closing a run folder and changing it afterwards only by amendments in a chain."""

from __future__ import annotations

import hashlib
import stat
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import Field

from gaugeblock.records.base import Record
from gaugeblock.records.errors import DamagedEvidence, WrongUse
from gaugeblock.records.store import DRAFT, file_sha256, now, write_atomic

MANIFEST = "manifest.json"
AMENDMENTS = "amendments"
INVALIDATED = "INVALIDATED.json"
"""Lies beside the report of a withdrawn run, so that nobody reads on without seeing it."""
AMENDED = "AMENDED.json"
"""Names the last amendment, of which no later one holds the hash: so a chain that lost its end, or
the whole of it, does not pass for a run that was never amended."""
REASON_CHARS = 1000
"""A reason is told in every report of the run; more is a document, which has its own place."""
MAX_FILE_BYTES = 256 << 20
"""The ruler's own ceiling for an artifact; every other file of a run is far smaller."""


Kind = Literal["regrade", "invalidation", "erratum", "review", "void"]
"""What an amendment can do."""


class Sealed(Record):
    """A record that nothing later holds the hash of: it holds one of itself.

    So a changed byte is told of the file it is in. A seal proves no author: who changes the file
    on purpose can make it anew.
    """

    seal: str = Field(default="", description="SHA-256 of this record with an empty seal.")

    def sealed(self) -> Self:
        """Return the record with its seal."""
        return self.model_copy(
            update={"seal": self.model_copy(update={"seal": ""}).content_sha256()}
        )

    @classmethod
    def load_sealed(cls, data: bytes, where: str) -> Self:
        """Read what `pretty` wrote of a sealed record.

        Raises:
            WrongUse: the text is no such record.
            DamagedEvidence: it is one, and not the bytes that were written.
        """
        record = cls.load(data, where)
        if record.sealed().pretty() != data:
            raise DamagedEvidence(f"{where}: changed since it was written (its seal does not hold)")
        return record


class ClosingManifest(Sealed):
    """The hash of every file of a closed run."""

    format: Literal["gaugeblock-manifest/1"] = "gaugeblock-manifest/1"
    plan_commitment: str
    closed_at: str
    files: dict[str, str] = Field(description="Path inside the folder → SHA-256.")


class Amendment(Sealed):
    """A change after closing. Nothing before it is rewritten."""

    format: Literal["gaugeblock-amendment/1"] = "gaugeblock-amendment/1"
    number: int = Field(ge=1)
    kind: Kind
    reason: str = Field(min_length=1)
    at: str
    previous_sha256: str = Field(description="Of the predecessor; of the manifest for the first.")
    content: dict[str, Any] = Field(default_factory=dict)


class LastAmendment(Record):
    """The end of the chain of amendments."""

    number: int = Field(ge=1)
    sha256: str = Field(description="Of the amendment's file.")


def require_plain(folder: Path) -> None:
    """Refuse what no run writes, before anything is read: a run folder can come from anywhere.

    Raises:
        DamagedEvidence: there is a link, a device or pipe, or a file of absurd size.
    """
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        try:
            info = path.lstat()
        except FileNotFoundError:  # a draft of a run at work, renamed since
            continue
        if not (stat.S_ISREG(info.st_mode) or stat.S_ISDIR(info.st_mode)):
            raise DamagedEvidence(f"{name}: a link or special file has no place in a run folder")
        if info.st_size > MAX_FILE_BYTES:
            raise DamagedEvidence(f"{name}: {info.st_size} bytes; no run writes so large a file")


def files_of(folder: Path) -> dict[str, str]:
    """Return path → SHA-256 of all regular files that a closing manifest covers.

    Raises:
        DamagedEvidence: there is a link or a special file, which no run writes.
    """
    require_plain(folder)
    hashes: dict[str, str] = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if not _later(path, name) and not path.is_dir():
            hashes[name] = file_sha256(path)
    return hashes


def _later(path: Path, name: str) -> bool:
    """Whether a file of a run comes after its closing; a kill may leave a draft of such a one."""
    if path.match(DRAFT):
        return name.startswith((f"{AMENDMENTS}/.", f".{AMENDED}.", f".{INVALIDATED}."))
    chained = name.startswith(f"{AMENDMENTS}/") and not path.name.startswith(".")
    return chained or name in (MANIFEST, INVALIDATED, AMENDED)


def close_folder(folder: Path, plan_commitment: str) -> ClosingManifest:
    """Write the manifest of all hashes and make everything read-only."""
    for draft in folder.rglob(DRAFT):
        draft.unlink()
    manifest = ClosingManifest(
        plan_commitment=plan_commitment, closed_at=now(), files=files_of(folder)
    ).sealed()
    write_atomic(folder / MANIFEST, manifest.pretty())
    for path in folder.rglob("*"):
        if path.is_file():
            path.chmod(stat.S_IRUSR | stat.S_IRGRP | stat.S_IROTH)
    return manifest


def read_manifest(folder: Path) -> ClosingManifest | None:
    """Return the closing manifest, or None for a run that was never closed.

    Raises:
        WrongUse: the file is no manifest.
        DamagedEvidence: the file was changed.
    """
    path = folder / MANIFEST
    if not path.exists():
        return None
    return ClosingManifest.load_sealed(path.read_bytes(), MANIFEST)


def differences(folder: Path, manifest: ClosingManifest) -> list[str]:
    """Return what differs between a folder and its manifest, one line each."""
    try:
        actual = files_of(folder)
    except DamagedEvidence as error:
        return [str(error)]
    lines = [f"{name}: missing" for name in sorted(set(manifest.files) - set(actual))]
    lines += [f"{name}: not in the manifest" for name in sorted(set(actual) - set(manifest.files))]
    lines += [
        f"{name}: content changed since closing"
        for name in sorted(set(actual) & set(manifest.files))
        if actual[name] != manifest.files[name]
    ]
    return lines


def read_amendments(folder: Path) -> list[Amendment]:
    """Return the amendments in order, with the chain of hashes checked.

    Raises:
        DamagedEvidence: one is missing, out of order, changed, or its predecessor's hash does not
            hold.
    """
    place = folder / AMENDMENTS
    if not place.is_dir():
        return []
    previous = folder / MANIFEST
    amendments: list[Amendment] = []
    paths = sorted(path for path in place.iterdir() if not path.name.startswith("."))
    for number, path in enumerate(paths, 1):
        if path.name != f"{number:04d}.json":
            raise DamagedEvidence(f"{AMENDMENTS}/{path.name}: expected {number:04d}.json")
        amendment = Amendment.load_sealed(path.read_bytes(), f"{AMENDMENTS}/{path.name}")
        if not previous.exists() or amendment.previous_sha256 != file_sha256(previous):
            raise DamagedEvidence(f"{AMENDMENTS}/{path.name}: the chain of hashes is broken here")
        amendments.append(amendment)
        previous = path
    return amendments


def amend(
    folder: Path,
    kind: Kind,
    reason: str,
    content: dict[str, Any],
) -> Amendment:
    """Append one amendment to a closed run.

    Raises:
        WrongUse: the run is not closed, or no reason is given.
        DamagedEvidence: the chain so far does not hold.
    """
    if read_manifest(folder) is None:
        raise WrongUse(f"{folder}: the run is not closed; only a closed run can be amended")
    if not said(reason):
        raise WrongUse("an amendment needs a reason; give one with --reason")
    existing = read_amendments(folder)
    last = folder / AMENDMENTS / f"{len(existing):04d}.json" if existing else folder / MANIFEST
    amendment = Amendment(
        number=len(existing) + 1,
        kind=kind,
        reason=reason.strip(),
        at=now(),
        previous_sha256=hashlib.sha256(last.read_bytes()).hexdigest(),
        content=content,
    ).sealed()
    path = folder / AMENDMENTS / f"{amendment.number:04d}.json"
    write_atomic(path, amendment.pretty())
    path.chmod(stat.S_IRUSR | stat.S_IRGRP | stat.S_IROTH)
    last_now = LastAmendment(number=amendment.number, sha256=file_sha256(path))
    write_atomic(folder / AMENDED, last_now.pretty())
    return amendment


def said(reason: str) -> bool:
    """Whether a reason holds any sign that people can see."""
    return any(sign.isprintable() and not sign.isspace() for sign in reason)


def lost_amendments(folder: Path) -> list[str]:
    """Return what the end of the chain lacks, one line each.

    A kill between an amendment and its notice leaves the notice of the one before, which holds.
    """
    notice = folder / AMENDED
    if not notice.exists():
        return []
    try:
        last = LastAmendment.load(notice.read_bytes(), AMENDED)
    except (WrongUse, IsADirectoryError):
        return [f"{AMENDED}: names no amendment"]
    named = folder / AMENDMENTS / f"{last.number:04d}.json"
    if not named.is_file():
        return [f"{AMENDMENTS}/{named.name}: missing, though {AMENDED} names it"]
    now_there = LastAmendment(number=last.number, sha256=file_sha256(named))
    same = notice.read_bytes() == now_there.pretty()
    return [] if same else [f"{AMENDED}: not what {AMENDMENTS}/{named.name} is"]
