"""Blind review of runs: what is reviewed, the words a pack must not hold, and the way back."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from gaugeblock.analysis.reviews import duplicate_differences
from gaugeblock.records.errors import DamagedEvidence, WrongUse
from gaugeblock.records.evidence import amend, require_plain
from gaugeblock.records.review import (
    PACK,
    REVIEW,
    REVIEW_BYTES,
    SAMPLES,
    Consistency,
    ImportedReview,
    Judgement,
    Origin,
    Pack,
    Packed,
    PackMapping,
    Review,
    ReviewImport,
    artifact_hash,
    sample_folder,
    spoken,
)
from gaugeblock.records.run_folder import ARTIFACT, RunFolder, round_folder
from gaugeblock.records.store import file_sha256
from gaugeblock.running.alone import alone
from gaugeblock.running.comparing import reported_models
from gaugeblock.running.soundness import faults, read_run, require_sound

AHEAD = timedelta(days=1)
"""How far a review's date may lie ahead of this machine's: where the reviewer sits it may be
tomorrow already."""


@dataclass(frozen=True)
class Subject:
    """One artifact to be reviewed: where it lies, what it is, and the task that asked for it."""

    path: Path
    origin: Origin
    brief: str


@dataclass(frozen=True)
class Imported:
    """What an import did.

    Attributes:
        written: reviews that are new.
        known: reviews that stood in their runs already, word for word.
        waiting: artifacts of the pack that no person has reviewed yet.
        consistency: of each reviewer who met a duplicate.
    """

    written: int
    known: int
    waiting: int
    consistency: tuple[Consistency, ...]


def reviewable_runs(paths: Sequence[Path]) -> list[RunFolder]:
    """Return closed, sound, valid runs, each once.

    Raises:
        WrongUse: one is not closed, withdrawn, or named twice.
        DamagedEvidence: one is not sound.
    """
    runs = [read_run(path) for path in paths]
    for run in runs:
        require_sound(run, faults(run), "not reviewed")
        if not run.closed:
            raise WrongUse(f"{run.path}: the run is not closed; only a closed run is reviewed")
        if run.invalidated is not None:
            raise WrongUse(f"{run.path}: the run is invalidated: {run.invalidated}")
    commitments = [run.plan.commitment() for run in runs]
    for run, commitment in zip(runs, commitments, strict=True):
        if commitments.count(commitment) > 1:
            raise WrongUse(f"{run.path}: one run is named twice")
    return runs


def subjects(runs: Iterable[RunFolder], suites: Collection[str]) -> list[Subject]:
    """Return every artifact that a round of some suites delivered in what counts of the runs.

    Args:
        runs: closed runs.
        suites: suites whose quality people judge.

    Raises:
        WrongUse: there is none.
    """
    found = []
    for run in runs:
        commitment = run.plan.commitment()
        for trial in run.trials:
            case = run.plan.case(trial.planned.case_id)
            if case.suite not in suites or not run.counts(trial):
                continue
            asked = {item.id: item for item in case.rounds}
            for state in trial.rounds:
                sha256 = state.result.artifact_sha256
                if sha256 is None:
                    continue
                origin = Origin(
                    run=commitment,
                    trial=trial.planned.id,
                    round=state.result.round,
                    artifact_sha256=sha256,
                )
                given, language = asked[state.result.round], run.plan.language
                brief = given.reviewed_as.get(language, given.instruction[language])
                found.append(Subject(state.folder / ARTIFACT, origin, brief))
    if not found:
        raise WrongUse(f"no delivery of {', '.join(sorted(suites))} in these runs to review")
    return found


def labels_of(runs: Iterable[RunFolder]) -> dict[str, str]:
    """Return every word that would tell whose a sample is → what the word is."""
    labels: dict[str, str] = {}
    for run in runs:
        told: list[tuple[str | None, str]] = [
            (run.path.resolve().name, "run folder's name"),
            (run.plan.commitment(), "run's commitment"),
        ]
        for profile in run.plan.profiles:
            told += [
                (profile.id, "profile"),
                (profile.label, "profile's label"),
                (profile.agent, "agent"),
                (profile.provider, "provider"),
                (profile.model, "model"),
            ]
        for names in reported_models(run).values():
            told += [(name, "reported model") for name in names]
        for trial in run.trials:
            told.append((trial.planned.id, "trial"))
            for state in trial.rounds:
                told += [
                    (state.result.artifact_sha256, "artifact's hash"),
                    (state.result.document_sha256, "document's hash"),
                ]
        told.append((ARTIFACT, "file's name"))
        for word, what in told:
            if word:
                labels.setdefault(word, what)
    return labels


def import_reviews(paths: Sequence[Path], folders: Sequence[Path], mapping_path: Path) -> Imported:
    """Write reviews into their runs as amendments; all are validated before one is written.

    Args:
        paths: the runs that were packed.
        folders: packs as the reviewers gave them back, one a reviewer.
        mapping_path: the mapping that the pack was made with.

    Raises:
        WrongUse: a file is missing or is no such record, or a review does not belong here.
        DamagedEvidence: an artifact, a picture or a review's hash is not the one that was packed.
    """
    with ExitStack() as held:
        for path in {os.path.realpath(path): path for path in paths}.values():
            held.enter_context(alone(path))
        return _import(paths, folders, mapping_path)


def _import(paths: Sequence[Path], folders: Sequence[Path], mapping_path: Path) -> Imported:
    if not mapping_path.is_file():
        raise WrongUse(f"{mapping_path}: no such file; give the pack's mapping with --mapping")
    mapping = PackMapping.load(mapping_path.read_bytes(), str(mapping_path))
    runs = {run.plan.commitment(): run for run in reviewable_runs(paths)}
    packed = {item.number: item for item in mapping.samples}
    _require_the_packs_runs(runs, mapping)
    read = [(path, review) for folder in folders for path, review in _read(folder, mapping)]
    for path, review in read:
        _require_same_artifact(path, review, packed.get(review.sample), runs, mapping)
    _require_one_voice(read)
    _require_one_spelling(read, runs.values())
    fresh: dict[str, list[ImportedReview]] = defaultdict(list)
    known = 0
    for path, review in read:
        origin = packed[review.sample]
        imported = _imported(review, origin)
        earlier = [r for r in runs[origin.run].reviews() if _same_seat(r, imported)]
        if not earlier:
            fresh[origin.run].append(imported)
        elif earlier[0] != imported:
            raise WrongUse(
                f"{path}: {review.reviewer} has reviewed this sample otherwise in an earlier "
                "import; a review stands, a new opinion needs a new pack"
            )
        else:
            known += 1
    if not fresh:
        raise WrongUse("every one of these reviews is imported already")
    consistency = _consistency([review for _, review in read], packed)
    for commitment, reviews in fresh.items():
        names = sorted({review.reviewer for review in reviews})
        own = tuple(item for item in consistency if item.reviewer in names)
        content = ReviewImport(reviews=tuple(reviews), consistency=own)
        reason = f"blind review, pack {mapping.pack}: {len(reviews)} by {', '.join(names)}"
        amend(runs[commitment].path, "review", reason, content.model_dump(mode="json"))
    reviewed = {_artifact(packed[item.sample]) for _, item in read if item.method == "human"}
    reviewed |= {
        (run, review.trial, review.round)
        for run, folder in runs.items()
        for review in folder.reviews()
        if review.method == "human"
    }
    open_ = {_artifact(item) for item in mapping.samples} - reviewed
    open_ |= {_artifact(item) for item in mapping.not_shown}
    counting = {
        (run, trial.planned.id)
        for run, folder in runs.items()
        for trial in folder.trials
        if folder.counts(trial)
    }
    waiting = sum((run, trial) in counting for run, trial, _ in open_)
    return Imported(len(read) - known, known, waiting, consistency)


def _require_the_packs_runs(runs: dict[str, RunFolder], mapping: PackMapping) -> None:
    there = {item.run for item in mapping.samples} | {item.run for item in mapping.not_shown}
    for commitment, run in runs.items():
        if commitment not in there:
            raise WrongUse(f"{run.path}: no sample of the pack comes from this run")
    missing = sorted(there - set(runs))
    if missing:
        raise WrongUse(
            f"the pack holds samples of {len(missing)} more runs (plan {missing[0][:16]}…); "
            "give all of them"
        )


def _read(folder: Path, mapping: PackMapping) -> list[tuple[Path, Review]]:
    """Return the reviews in one reviewer's folder, held to what he was shown where it is there."""
    if not folder.is_dir():
        raise WrongUse(f"{folder}: no such folder")
    require_plain(folder)
    shown = folder / PACK
    if shown.is_file():
        if file_sha256(shown) != mapping.pack_sha256:
            raise DamagedEvidence(f"{shown}: not the pack of this mapping; nothing is imported")
        _require_same_pictures(folder, Pack.load(shown.read_bytes(), str(shown)))
    reviews = []
    latest = date.today() + AHEAD
    for path in sorted((folder / SAMPLES).glob(f"*/{REVIEW}")):
        if not path.is_file():
            raise WrongUse(f"{path}: no file; nothing is imported")
        if path.stat().st_size > REVIEW_BYTES:
            raise WrongUse(f"{path}: over {REVIEW_BYTES} bytes; nothing is imported")
        review = Review.load(path.read_bytes(), str(path))
        if review.date > latest:
            raise WrongUse(f"{path}: date: {review.date} is yet to come; nothing is imported")
        if path.parent != folder / sample_folder(review.sample):
            raise WrongUse(f"{path}: says it is of sample {review.sample}; nothing is imported")
        reviews.append((path, review))
    if not reviews:
        raise WrongUse(f"{folder}: no {SAMPLES}/…/{REVIEW} in it, so there is nothing to import")
    return reviews


def _require_same_pictures(folder: Path, pack: Pack) -> None:
    """Refuse pictures other than those packed; who gives back his reviews alone has none."""
    for sample in pack.samples:
        for name, expected in sample.files().items():
            path = folder / sample_folder(sample.number) / name
            if path.exists() and (not path.is_file() or file_sha256(path) != expected):
                raise DamagedEvidence(
                    f"{path}: not the picture that was packed, so nobody knows what was judged; "
                    "nothing is imported"
                )


def _require_same_artifact(
    path: Path,
    review: Review,
    origin: Packed | None,
    runs: dict[str, RunFolder],
    mapping: PackMapping,
) -> None:
    """Hold a review to its pack, and the artifact to what it was when it was packed."""
    if review.pack != mapping.pack or origin is None:
        raise WrongUse(f"{path}: of another pack than {mapping.pack}; nothing is imported")
    expected = artifact_hash(mapping.salt, origin.number, origin.artifact_sha256)
    if review.artifact_hash != expected:
        raise DamagedEvidence(f"{path}: its artifact hash is not the pack's; nothing is imported")
    run = runs[origin.run]
    planned = next((t.planned for t in run.trials if t.planned.id == origin.trial), None)
    if planned is None:
        raise DamagedEvidence(f"{run.path}: no trial {origin.trial}; nothing is imported")
    artifact = round_folder(run.path, planned, origin.round) / ARTIFACT
    if not artifact.is_file() or file_sha256(artifact) != origin.artifact_sha256:
        raise DamagedEvidence(
            f"{artifact}: changed since it was packed, so the review of sample {review.sample} "
            "is void; nothing is imported"
        )


def _require_one_voice(read: Iterable[tuple[Path, Review]]) -> None:
    seats: dict[tuple[int, str], Path] = {}
    for path, review in read:
        seat = (review.sample, review.reviewer)
        if seat in seats:
            raise WrongUse(
                f"{path}: {review.reviewer} reviewed sample {review.sample} in {seats[seat]} too; "
                "nothing is imported"
            )
        seats[seat] = path


def _require_one_spelling(read: Iterable[tuple[Path, Review]], runs: Iterable[RunFolder]) -> None:
    """Refuse one name spelled in two ways: it would count as two people with a voice each."""
    spelled = {
        spoken(review.reviewer): (review.reviewer, "an earlier import")
        for run in runs
        for review in run.reviews()
    }
    for path, review in read:
        first, where = spelled.setdefault(spoken(review.reviewer), (review.reviewer, str(path)))
        if review.reviewer != first:
            raise WrongUse(
                f"{path}: reviewer {review.reviewer!r} is {first!r} in {where}; spell one person "
                "in one way, and tell two people apart by more; nothing is imported"
            )


def _imported(review: Review, origin: Packed) -> ImportedReview:
    values: dict[str, Any] = {name: getattr(review, name) for name in Judgement.model_fields}
    return ImportedReview(
        **values,
        trial=origin.trial,
        round=origin.round,
        artifact_sha256=origin.artifact_sha256,
    )


def _same_seat(one: ImportedReview, other: ImportedReview) -> bool:
    return (one.pack, one.sample, one.reviewer) == (other.pack, other.sample, other.reviewer)


def _artifact(origin: Origin) -> tuple[str, str, str]:
    return origin.run, origin.trial, origin.round


def _consistency(reviews: Sequence[Review], packed: dict[int, Packed]) -> tuple[Consistency, ...]:
    """Return, a reviewer and method, how far apart his scores of one artifact are."""
    found = []
    for name, method in sorted({(review.reviewer, review.method) for review in reviews}):
        own = [r for r in reviews if (r.reviewer, r.method) == (name, method)]
        scored = []
        for review in own:
            run, trial, round_id = _artifact(packed[review.sample])
            scored.append(((f"{run} {trial}", round_id), name, review.scores.values()))
        apart = duplicate_differences(scored)
        if apart is not None:
            found.append(
                Consistency(reviewer=name, method=method, pairs=apart[0], mean_difference=apart[1])
            )
    return tuple(found)
