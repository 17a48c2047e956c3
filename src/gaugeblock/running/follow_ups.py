"""Runs that follow an earlier one: void cells taken again, provider errors replaced.

Either is a run of its own, with a plan frozen before its first request and a folder of its own.
Nothing is written into the earlier run; the plan names it by its commitment and holds the verdicts
that it had. So nobody can take a trial again without saying so.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from gaugeblock.records.errors import WrongUse
from gaugeblock.records.evidence import MANIFEST
from gaugeblock.records.follows import (
    PROVIDER_ERROR,
    CellName,
    Change,
    FirstVerdict,
    FollowedCell,
    Follows,
)
from gaugeblock.records.plan import Plan
from gaugeblock.records.prices import PriceSnapshot
from gaugeblock.records.run_folder import RunFolder
from gaugeblock.records.store import file_sha256
from gaugeblock.running.known_hosts import planned_host
from gaugeblock.running.plans import Wish, lay_out
from gaugeblock.running.profiles import require_same
from gaugeblock.running.run import Watch, run
from gaugeblock.running.soundness import faults, read_run, require_sound

PARTS = ("suite", "protocol", "harness", "host", "runtime", "ruler", "drawing", "sandbox")
"""Controls of a run that can differ from those of an earlier one; another is another cohort."""

REFILL_REASON = "the provider failed"


@dataclass(frozen=True)
class Means:
    """What a follow-up takes from today and not from the earlier run.

    Attributes:
        profile_file: of profiles; None: the one in the working folder.
        prices: the frozen snapshot for metered profiles.
        budget_usd: what the invocation may spend.
        continue_after_error: go on after a request of unknown billing.
        unsafe: go on without a sandbox.
        host_file: of CAD servers; None: the one in the working folder.
    """

    profile_file: Path | None = None
    prices: PriceSnapshot | None = None
    budget_usd: str | None = None
    continue_after_error: bool = False
    unsafe: bool = False
    host_file: Path | None = None


def rerun(
    path: Path,
    out: Path,
    means: Means,
    watch: Watch,
    *,
    case: str | None = None,
    profile: str | None = None,
    mended: Collection[str] = (),
) -> RunFolder:
    """Take void cells of a run again, whole, as they were planned.

    Args:
        path: the earlier run's folder.
        out: the new run's folder; it must not exist.
        means: what comes from today.
        watch: progress callbacks.
        case: only cells of this case, named CASE or SUITE/CASE; None: of any.
        profile: only cells of this profile; None: of any.
        mended: parts that were mended since, of ``PARTS``; another one that differs is refused.

    Raises:
        WrongUse: see `_follow`; no such cell is void.
        DamagedEvidence: the earlier run is not sound.
    """
    strangers = sorted(set(mended) - set(PARTS))
    if strangers:
        raise WrongUse(f"--mended {strangers[0]}: one of {', '.join(PARTS)}")
    earlier = _followable(path)
    withdrawn = earlier.standing.suites_withdrawn
    void = [cell for cell in earlier.voids() if earlier.suite_of[cell.case] not in withdrawn]
    cells = [
        cell
        for cell in void
        if profile in (None, cell.profile) and case in (None, *earlier.names(cell))
    ]
    if not cells:
        which = " ".join(item for item in (profile, case and f"on {case}") if item)
        told = ", ".join(map(str, void)) or "none (see gaugeblock void)"
        raise WrongUse(f"{path}: no void cell {which}".rstrip() + f"; void are: {told}")
    first = _first(earlier, cells)
    trials = tuple(item.trial for item in first)
    return _follow(earlier, out, means, watch, Again("rerun", cells, first, trials, tuple(mended)))


def refill(path: Path, out: Path, means: Means, watch: Watch) -> RunFolder:
    """Take every trial again that ended ``error:provider``, outside of void cells.

    Arguments and errors as of `rerun`. All controls must be those of the earlier run.
    """
    earlier = _followable(path)
    names = [
        cell
        for cell in earlier.cells()
        if earlier.standing.counts((cell.case, cell.profile), earlier.suite_of)
    ]
    first = _first(earlier, names)
    replaced = [item for item in first if item.outcome == PROVIDER_ERROR]
    if not replaced:
        where = " that counts" if len(names) < len(earlier.cells()) else ""
        raise WrongUse(
            f"{path}: no trial{where} ended {PROVIDER_ERROR}, so there is none to refill"
        )
    touched = {(item.case, item.profile) for item in replaced}
    cells = [
        FollowedCell(case=case, profile=profile, reason=REFILL_REASON)
        for case, profile in ((cell.case, cell.profile) for cell in names)
        if (case, profile) in touched
    ]
    first = tuple(item for item in first if (item.case, item.profile) in touched)
    trials = tuple(item.trial for item in replaced)
    return _follow(earlier, out, means, watch, Again("refill", cells, first, trials))


@dataclass(frozen=True)
class Again:
    """Which trials of an earlier run are taken again."""

    kind: str
    cells: list[FollowedCell]
    first: tuple[FirstVerdict, ...]
    trials: tuple[str, ...]
    mended: tuple[str, ...] = ()


def _followable(path: Path) -> RunFolder:
    """Read a run that another may follow; told before any work."""
    earlier = read_run(path)
    require_sound(earlier, faults(earlier), "no run follows it")
    if not earlier.closed:
        raise WrongUse(f"{path}: the run is not closed; run --resume ends it")
    if earlier.plan.host.source == "checkout":
        raise WrongUse(f"{path}: its host is another checkout's; run it anew with --host-path")
    if earlier.invalidated is not None:
        raise WrongUse(f"{path}: the run is invalidated as a whole; start a new one")
    if earlier.plan.follows is not None and earlier.plan.follows.kind == "refill":
        raise WrongUse(f"{path}: a refill itself; name the run that it follows")
    return earlier


def _first(earlier: RunFolder, cells: Collection[CellName]) -> tuple[FirstVerdict, ...]:
    """Return how the trials of cells ended, amendments applied."""
    wanted = {(cell.case, cell.profile) for cell in cells}
    rows = [row for row in earlier.rows() if (row.case, row.profile) in wanted]
    return tuple(
        FirstVerdict(
            trial=planned.id,
            case=planned.case_id,
            profile=planned.profile_id,
            repetition=planned.repetition,
            attempted=any(row.attempted and row.outcome != "not-run" for row in mine),
            rounds={row.round: row.outcome for row in mine},
        )
        for planned in earlier.plan.trials
        if (mine := [row for row in rows if row.trial == planned.id])
    )


def _follow(earlier: RunFolder, out: Path, means: Means, watch: Watch, again: Again) -> RunFolder:
    """Plan and run the follow-up.

    Raises:
        WrongUse: the earlier run is not closed, withdrawn, or a refill; a profile here is not the
            one of then; a control differs that was not named as mended; or as of `run`.
    """
    then = earlier.plan
    taken = {(i.case, i.profile, i.repetition) for i in again.first if i.trial in again.trials}

    def follow(plan: Plan) -> Follows:
        changes = tuple(changed(then, plan))
        _refuse(earlier, [item for item in changes if item.part not in again.mended], again.kind)
        return Follows.build(
            {
                "kind": again.kind,
                "run": then.commitment(),
                "manifest_sha256": file_sha256(earlier.path / MANIFEST),
                "cells": again.cells,
                "trials": again.trials,
                "first": again.first,
                "changes": changes,
            },
            "follows",
        )

    pairs = {(case, profile) for case, profile, _ in taken}
    known = {case.id for case in then.cases}
    for name, _ in sorted(pairs):
        if name not in known:
            raise WrongUse(
                f"{name} is a fresh draw: revealed, it cannot be sealed again; draw anew with "
                "run --draws, or replay it openly with --seed"
            )
    names = dict.fromkeys(cell.case for cell in again.cells)
    wish = Wish(
        tuple(f"{then.case(name).suite}/{name}" for name in names),
        tuple(p.id for p in then.profiles if any(p.id == profile for _, profile in pairs)),
        then.repetitions,
        then.language,
        means.unsafe,
        profile_file=means.profile_file,
        prices=means.prices,
        budget_usd=means.budget_usd,
        continue_after_error=means.continue_after_error,
        wanted=lambda profile, case: (case.id, profile.id) in pairs,
        repeated=lambda profile, case, number: (case.id, profile.id, number) in taken,
        beside=tuple(suite.name for suite in then.suites),
        follow=follow,
        host=planned_host(then, means.host_file),
    )
    for profile in lay_out(wish).profiles:
        require_same(profile, then.profile(profile.id))
    return run(wish, out, watch)


def changed(then: Plan, now: Plan) -> Iterator[Change]:
    """Yield the controls in which a plan differs from an earlier one, each with both values."""
    for name in sorted(set(then.fingerprints) | set(now.fingerprints)):
        old, new = (plan.fingerprints.get(name) for plan in (then, now))
        yield from _unlike(name, old.sha256 if old else "none", new.sha256 if new else "none")
    digests = [{suite.name: suite.digest for suite in plan.suites} for plan in (then, now)]
    for name in sorted(set(digests[0]) | set(digests[1])):
        yield from _unlike("suite", *(digest.get(name, "none") for digest in digests))
    yield from _unlike("runtime", then.host.runtime, now.host.runtime)
    yield from _unlike("sandbox", _walls(then), _walls(now))


def _walls(plan: Plan) -> str:
    return f"{plan.host.sandbox}{' (unsafe)' if plan.unsafe else ''}"


def _unlike(part: str, then: str, now: str) -> Iterator[Change]:
    if then != now:
        yield Change(part=part, then=then, now=now)


def _refuse(earlier: RunFolder, unnamed: list[Change], kind: str) -> None:
    """Refuse controls that differ without having been named as mended."""
    if not unnamed:
        return
    told = "; ".join(f"{item.part} was {item.then[:12]}, is {item.now[:12]}" for item in unnamed)
    parts = " ".join(f"--mended {part}" for part in dict.fromkeys(item.part for item in unnamed))
    then = (
        f"if the fault lay there and was mended, say so: {parts}"
        if kind == "rerun"
        else "replacements under other controls are no part of the same sample"
    )
    raise WrongUse(f"{earlier.path}: other controls than then ({told}); {then}")
