"""Fresh draws of a run: planned, drawn once the plan is frozen, revealed, and drawn again."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal

from gaugeblock.records.case import Case
from gaugeblock.records.draws import (
    BEACON_CHARS,
    DRAWN,
    MOST_DRAWS,
    NONCE_BYTES,
    SEED_PRIVATE,
    STARTS,
    Draw,
    Drawn,
    family_of,
    nonce_hash,
    seed_of,
)
from gaugeblock.records.errors import DamagedEvidence, WrongUse
from gaugeblock.records.plan import Plan
from gaugeblock.records.run_folder import RunFolder
from gaugeblock.records.store import file_sha256, write_atomic
from gaugeblock.suites import DrawingSuite, Sample, Suite, load_suite

STAND_IN = bytes(32)
"""Seed of the cases that a plan is checked and estimated with, in place of those not yet drawn."""

SEED = re.compile(r"[0-9a-fA-F]{64}")


def planned(
    suites: Mapping[str, Suite], count: int, beacon: str, seed: str | None
) -> tuple[Draw | None, str | None]:
    """Return what a plan says of its draws, and the nonce (hex) that it hides; None: none.

    Args:
        suites: of the plan; one of them must draw.
        count: draws of each family; 0 for none.
        beacon: public text, maybe empty.
        seed: of a replay.

    Raises:
        WrongUse: no suite draws, or a value is none.
    """
    if not count:
        if beacon or seed:
            raise WrongUse("--beacon and --seed say how to draw: say how many with --draws K")
        return None, None
    if not 1 <= count <= MOST_DRAWS:
        raise WrongUse(f"--draws {count}: 1 to {MOST_DRAWS} of each family")
    if len(beacon) > BEACON_CHARS or not beacon.isprintable():
        raise WrongUse(f"--beacon: one line of at most {BEACON_CHARS} printable characters")
    drawing = [suite for suite in suites.values() if isinstance(suite, DrawingSuite)]
    if len(drawing) != 1:
        raise WrongUse("--draws: name one suite that draws fresh cases, such as growth")
    (suite,) = drawing
    nonce = None
    if seed is None:
        nonce = secrets.token_hex(NONCE_BYTES)
    elif beacon:
        raise WrongUse("--seed is the whole seed: no --beacon enters it")
    draw = Draw(
        suite=suite.name,
        families=suite.families(),
        count=count,
        nonce_sha256=None if nonce is None else nonce_hash(nonce),
        beacon=beacon,
        seed=None if seed is None else seed_bytes(seed).hex(),
        rules_sha256=suite.rules_sha256(),
    )
    return draw, nonce


def seed_bytes(text: str) -> bytes:
    """Return a seed written as hex; WrongUse for anything else."""
    if not SEED.fullmatch(text):
        raise WrongUse("--seed: 64 hex digits, as `drawn.json` of a closed run gives them")
    return bytes.fromhex(text)


def stand_ins(draw: Draw | None) -> tuple[Case, ...]:
    """Return cases like those that will be drawn: their ids, limits and rounds are the same."""
    return () if draw is None else tuple(sample.case for sample in _samples(draw, STAND_IN))


def drawn_by(plan: Plan, nonce: str | None) -> Drawn:
    """Return what a frozen plan draws; the start documents are still to be made."""
    assert plan.draw is not None, "asked only of a plan that draws"
    seed = plan.draw.seed
    if seed is None:
        assert nonce is not None, "a sealed draw has its nonce"
        seed = seed_of(plan.commitment(), nonce, plan.draw.beacon)
    samples = list(_samples(plan.draw, bytes.fromhex(seed)))
    return Drawn(
        nonce=nonce,
        seed=seed,
        cases=tuple(sample.case for sample in samples),
        rejected={sample.case.id: sample.rejected for sample in samples},
        starts={},
    )


def _samples(draw: Draw, seed: bytes) -> Iterator[Sample]:
    suite = drawing_suite(draw.suite)
    visibility: Literal["sealed", "open"] = "sealed" if draw.sealed else "open"
    for family, number, _ in draw.ids():
        yield suite.draw(seed, family, number, visibility)


def drawing_suite(name: str) -> DrawingSuite:
    """Return a suite that draws; WrongUse if it does not."""
    suite = load_suite(name)
    if not isinstance(suite, DrawingSuite):
        raise WrongUse(f"suite {name} draws no fresh cases")
    return suite


def keep(run: Path, drawn: Drawn, documents: Mapping[str, bytes]) -> None:
    """Write what was drawn into a new run's folder: for its owner's eyes, or open if replayed."""
    sealed = drawn.nonce is not None
    name, mode = (SEED_PRIVATE, 0o600) if sealed else (DRAWN, 0o666)
    write_atomic(run / name, drawn.pretty(), mode=mode)
    for file, document in documents.items():
        write_atomic(run / STARTS / file, document, mode=mode)


def reveal(folder: RunFolder) -> None:
    """Replace the sealed record by the public one; the run is about to be closed."""
    sealed = folder.path / SEED_PRIVATE
    if folder.drawn is not None and sealed.exists():
        write_atomic(folder.path / DRAWN, folder.drawn.pretty())
        sealed.unlink()


def start_document(run: Path, drawn: Drawn | None, suite: Suite, case: Case) -> bytes | None:
    """Return the document a case starts on, of a drawn one from the run's folder.

    Raises:
        WrongUse: see `Suite.start_document`.
        DamagedEvidence: a drawn case's start is gone, or is not the one that was made.
    """
    if case.start is None or family_of(case.id) is None:
        return suite.start_document(case)
    assert drawn is not None, "a drawn case comes with its record"
    fault = _start_fault(run, drawn, case, again=True)
    if fault is not None:
        raise DamagedEvidence(fault)
    return (run / STARTS / case.start).read_bytes()


def unsound(folder: RunFolder) -> Iterator[str]:
    """Yield what contradicts plan, nonce, seed, cases and starts, one line each."""
    draw, drawn = folder.plan.draw, folder.drawn
    there = [name for name in (DRAWN, SEED_PRIVATE) if (folder.path / name).exists()]
    if draw is None or drawn is None:
        yield from (f"{name}: the plan draws nothing" for name in there)
        return
    name = there[0]
    if not draw.sealed:
        if (drawn.nonce, drawn.seed) != (None, draw.seed):
            yield f"{name}: not the seed that the plan names"
    elif drawn.nonce is None or nonce_hash(drawn.nonce) != draw.nonce_sha256:
        yield f"{name}: its nonce is not the one whose hash the plan holds"
    elif seed_of(folder.plan.commitment(), drawn.nonce, draw.beacon) != drawn.seed:
        yield f"{name}: its seed does not follow from plan, nonce and beacon"
    if draw.sealed and name == DRAWN and any(trial.end is None for trial in folder.trials):
        yield f"{DRAWN}: revealed, though trials have not ended"
    again = other_rules(folder.plan) is None
    if again:
        yield from _drawn_otherwise(name, draw, drawn)
    for case in drawn.cases:
        fault = case.start and _start_fault(folder.path, drawn, case, again=again)
        if fault:
            yield fault


def other_rules(plan: Plan) -> str | None:
    """Return why a plan's cases cannot be drawn again here; None: they can."""
    if plan.draw is None or drawing_suite(plan.draw.suite).rules_sha256() == plan.draw.rules_sha256:
        return None
    return "the fresh cases were drawn by other rules than those here: they are not drawn again"


def _drawn_otherwise(name: str, draw: Draw, drawn: Drawn) -> Iterator[str]:
    for case, sample in zip(drawn.cases, _samples(draw, bytes.fromhex(drawn.seed)), strict=True):
        if sample.case != case:
            yield f"{name}: {case.id} is not the case that its seed draws"
        if drawn.rejected.get(case.id) != sample.rejected:
            yield f"{name}: {case.id}: not the candidates that its seed has refused"
    others = set(drawn.rejected) - {case.id for case in drawn.cases}
    yield from (f"{name}: {other}: no case of the plan" for other in sorted(others))


def _start_fault(run: Path, drawn: Drawn, case: Case, *, again: bool) -> str | None:
    """Return what is wrong with a drawn case's start document, None if nothing is.

    Args:
        run: the run's folder.
        drawn: what it drew.
        case: a case with a start.
        again: whether the rules are those of the plan, so that the part can be held to them.
    """
    assert case.start is not None
    place = f"{STARTS}/{case.start}"
    path = run / STARTS / case.start
    if Path(case.start).name != case.start or not path.is_file():
        return f"{place}: missing, though {case.id} starts on it"
    if file_sha256(path) != drawn.starts.get(case.start):
        return f"{place}: not the file that was made for {case.id}"
    if not again:
        return None
    asked = drawing_suite(case.suite).drawn_start(case)
    try:
        saved = json.loads(path.read_bytes())
        programs = [item["source"] for item in saved["features"] if item["kind"] == "program"]
        held = {"program": programs[-1], "parameters": saved["parameters"]}
    except (ValueError, KeyError, TypeError, IndexError, RecursionError):
        return f"{place}: no document of our host"
    if asked is None or held != {name: asked.arguments[name] for name in held}:
        return f"{place}: not the part that {case.id} draws"
    return None
