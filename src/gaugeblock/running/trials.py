"""One trial: its rounds in order, each a new conversation on what the last one saved."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from gaugeblock.agents.local import LocalServer
from gaugeblock.records.draws import Drawn
from gaugeblock.records.plan import Plan, PlannedTrial
from gaugeblock.records.row import instruction_digest
from gaugeblock.records.run_folder import (
    EVENTS,
    PROBE,
    RESULT,
    TRIAL_END,
    TRIAL_MANIFEST,
    USAGE,
    TrialState,
    round_folder,
    trial_folder,
)
from gaugeblock.records.store import Journal, now, write_atomic
from gaugeblock.records.trial import RoundResult, TrialEnd, TrialManifest, unstarted_round
from gaugeblock.ruler import Ruler
from gaugeblock.running.cast import limits_of, make_agent
from gaugeblock.running.course import RoundSetup
from gaugeblock.running.draws import start_document
from gaugeblock.running.isolation import Gatehouse
from gaugeblock.running.ledger import Ledger
from gaugeblock.running.probing import probe_round, unmade_probe
from gaugeblock.running.rounds import run_round
from gaugeblock.running.sheets import held_against
from gaugeblock.running.showing import images_of, profile_lacks, workspace_of
from gaugeblock.running.translation import description_of, lacks
from gaugeblock.suites import Suite
from gaugeblock.worlds import AnyHost, fitted, launch_sealed, open_world, shut_in, unguarded

SERVER_COUNTS = "server-counts"
"""Kind of the event that holds the local server's own counts of a round's tokens."""

OnRound = Callable[[PlannedTrial, RoundResult], None]


@dataclass(frozen=True)
class Bench:
    """What all trials of a run share.

    Attributes:
        run: the run's folder.
        plan: the frozen plan.
        suites: the plan's suites by name.
        host: how hosts are started.
        ruler: the one ruler of the run.
        on_round: called after each round, for progress.
        ledger: the budgets.
        keys: profile id → key of its provider.
        servers: profile id → the local model's server.
        drawn: what the run drew, with its starts.
        gates: search what an agent will see, for cases whose truth must stay out of reach; None:
            there are none, or the run is unsealed.
    """

    run: Path
    plan: Plan
    suites: dict[str, Suite]
    host: AnyHost
    ruler: Ruler
    on_round: OnRound
    ledger: Ledger
    keys: Mapping[str, str | None] = field(default_factory=dict, repr=False)
    servers: Mapping[str, LocalServer] = field(default_factory=dict)
    drawn: Drawn | None = None
    gates: Gatehouse | None = None


async def run_trial(bench: Bench, planned: PlannedTrial) -> str:
    """Run one planned trial and return its outcome.

    The trial's manifest is on disk before anything else happens, so that a trial that ever began
    is never begun again.
    """
    plan = bench.plan
    case, profile = plan.case(planned.case_id), plan.profile(planned.profile_id)
    suite = bench.suites[case.suite]
    folder = trial_folder(bench.run, planned)
    manifest = TrialManifest(
        trial=planned,
        plan_commitment=plan.commitment(),
        started_at=now(),
        process_id=os.getpid(),
        rounds=tuple(asked.id for asked in case.rounds),
    )
    write_atomic(folder / TRIAL_MANIFEST, manifest.pretty())
    (folder / USAGE).touch()
    leaked = None
    workspace = workspace_of(suite, case)
    if bench.gates is not None and case.hides_truth:
        gate = bench.gates.trial(planned.id, case.id, folder)
        bench = replace(bench, host=shut_in(bench.host, gate))
        if workspace is not None:
            workspace = replace(workspace, launch=partial(launch_sealed, gate))
        if planned.must_fail is None:  # what a scripted agent says is part of the truth
            leaked = gate.withdraw
    grade = partial(suite.grade, ruler_fingerprint=plan.fingerprints["ruler"].sha256)
    document = start_document(bench.run, bench.drawn, suite, case)
    outcomes: list[str] = []
    why_not = lacks(bench.host, case) or profile_lacks(profile, case)
    described = description_of(bench.host)
    limits = limits_of(profile, case)
    rebuilding = fitted(unguarded(bench.host), program_s=case.limits.program_s, tools="program")
    reopen = partial(open_world, rebuilding)  # these tools have set_parameters
    with Journal(folder / EVENTS) as journal, Journal(folder / USAGE) as account:
        journal.append("trial-started", trial=planned.id, profile=profile.id)
        for asked in case.rounds:
            place = round_folder(bench.run, planned, asked.id)
            why_not = why_not or bench.ledger.shut(profile) or None
            if why_not is not None:
                instruction = instruction_digest(asked.instruction[plan.language])
                result = unstarted_round(planned.id, asked.id, "not-run", why_not, instruction)
                write_atomic(place / RESULT, result.pretty())
            else:
                meter = bench.ledger.meter(profile, case, asked.id, account)
                setup = RoundSetup(
                    planned.id,
                    asked,
                    limits,
                    plan.language,
                    document,
                    place,
                    meter,
                    case.reopened,
                    case.answer,
                    case.interference,
                    workspace=workspace,
                    images=images_of(suite, case),
                    held=held_against(bench.run, case),
                    leaked=leaked,
                )
                key = bench.keys.get(profile.id)
                server = bench.servers.get(profile.id)
                reached = profile.model_copy(update={"base_url": server.url}) if server else profile
                agent = make_agent(reached, suite, case, asked, meter, key, described)
                before = server.counters() if server else None
                result, document = await run_round(
                    setup, agent, bench.host, bench.ruler, grade, journal
                )
                if server and before:
                    counted = server.counters().since(before)  # audits hold our account to it
                    journal.append(SERVER_COUNTS, round=asked.id, **vars(counted))
                if plan.host.rebuilds:
                    await probe_round(setup, result, document, reopen, bench.ruler, grade, journal)
                if result.outcome != "passed":
                    why_not = f"round {asked.id} did not pass"
            outcomes.append(result.outcome)
            bench.on_round(planned, result)
        outcome = trial_outcome(outcomes)
        journal.append("trial-ended", outcome=outcome)
    end = TrialEnd(
        trial_id=planned.id,
        outcome=outcome,
        ended_at=now(),
        rounds=tuple(asked.id for asked in case.rounds),
    )
    write_atomic(folder / TRIAL_END, end.pretty())
    return outcome


def trial_outcome(rounds: list[str]) -> str:
    """Return a trial's outcome: passed if every round passed, else the first that did not."""
    return next((outcome for outcome in rounds if outcome != "passed"), "passed")


def close_interrupted(bench: Bench, state: TrialState) -> None:
    """Write down that a trial was in flight when an earlier process died.

    What it had finished stays; the round in flight is `interrupted`, the rest `not-run`. A probe
    that was in flight could not be graded.
    """
    asked = {item.id: item for item in bench.plan.case(state.planned.case_id).rounds}
    for item in state.rounds:
        path = item.folder / RESULT
        if not path.exists():
            write_atomic(path, item.result.pretty())
        unmade = unmade_probe(asked[item.result.round], item.result)
        if not bench.plan.host.rebuilds:
            unmade = None
        if unmade is not None and item.probe is None:
            write_atomic(item.folder / PROBE, unmade.pretty())
    outcome = trial_outcome([item.result.outcome for item in state.rounds])
    (state.folder / USAGE).touch()  # a kill right after the manifest leaves none
    with Journal(state.folder / EVENTS) as journal:
        journal.append("trial-interrupted", outcome=outcome)
    end = TrialEnd(
        trial_id=state.planned.id,
        outcome=outcome,
        ended_at=now(),
        rounds=tuple(item.result.round for item in state.rounds),
    )
    write_atomic(state.folder / TRIAL_END, end.pretty())
