"""The run: plan written first, trials one at a time, evidence closed at the end."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import anyio

from gaugeblock.agents.local import LocalServer, needs_local_server
from gaugeblock.analysis.run_summary import summary
from gaugeblock.analysis.tables import row_schema, rows_csv, rows_jsonl
from gaugeblock.host.main import make_sandbox
from gaugeblock.records.base import pretty_json
from gaugeblock.records.case import Case
from gaugeblock.records.draws import Drawn
from gaugeblock.records.errors import DamagedEvidence, WrongUse
from gaugeblock.records.evidence import AMENDED, INVALIDATED, close_folder
from gaugeblock.records.plan import Plan, PlannedTrial
from gaugeblock.records.run_folder import PLAN, TRIALS, RunFolder, open_run
from gaugeblock.records.schemas import schemas
from gaugeblock.records.store import write_atomic
from gaugeblock.records.trial import RoundResult
from gaugeblock.ruler import Ruler
from gaugeblock.running import isolation
from gaugeblock.running.alone import alone
from gaugeblock.running.checkout_host import checkout_host
from gaugeblock.running.described_host import described_host
from gaugeblock.running.draw_starts import drawn_with_starts
from gaugeblock.running.draws import keep, reveal
from gaugeblock.running.isolation import Gatehouse, gatehouse, why_unsealed
from gaugeblock.running.keys import require_keys
from gaugeblock.running.known_hosts import KnownHost, planned_host
from gaugeblock.running.ledger import Ledger
from gaugeblock.running.plans import (
    OtherHost,
    Wish,
    changed_fingerprints,
    freeze,
    lay_out,
    load_suites,
)
from gaugeblock.running.profiles import require_own
from gaugeblock.running.reports import report_of
from gaugeblock.running.sheets import inputs_of, keep_inputs, kept_suites
from gaugeblock.running.soundness import ROWS, contradictions, faults, read_run, require_sound
from gaugeblock.running.trials import Bench, close_interrupted, run_trial
from gaugeblock.sandbox import SandboxUnavailable, WarmServer
from gaugeblock.suites import Suite
from gaugeblock.worlds import AnyHost, HostSettings, fitted

LEAKED = f"error:{isolation.LAYER}"
"""Outcome of a trial that ends the run: later ones are not begun."""

WARM_S = 120.0
"""The sandbox imports build123d in 3–9 s; on a loaded machine it may take much longer."""


@dataclass(frozen=True)
class Watch:
    """What the caller wants to see of a run as it goes; each may be left out.

    Attributes:
        planned: called once with the frozen plan.
        round_ended: called after each round.
    """

    planned: Callable[[Plan], None] = lambda plan: None
    round_ended: Callable[[PlannedTrial, RoundResult], None] = lambda trial, result: None


@contextmanager
def warm_host(*, unsafe: bool, lean: bool = False) -> Iterator[tuple[HostSettings, WarmServer]]:
    """Keep one warm sandbox for all hosts of a run; each program runs in a fork of it.

    Args:
        unsafe: whether it may be no sandbox at all.
        lean: whether programs see of the system only what libraries load.

    Raises:
        WrongUse: no sandbox can be had and ``unsafe`` was not given.
    """
    sandbox = make_sandbox(unsafe=unsafe, lean=lean)
    try:
        sandbox.start()
        sandbox.wait_ready(WARM_S)
    except SandboxUnavailable as error:
        sandbox.close()
        raise WrongUse(f"{error}; or run with --unsafe, which is recorded") from error
    try:
        yield HostSettings(sandbox_socket=sandbox.socket_path, unsafe=unsafe), sandbox
    finally:
        sandbox.close()


def plan_only(wish: Wish) -> Plan:
    """Return the plan a run would freeze; no agent works and nothing is written.

    Raises:
        WrongUse: see `lay_out` and `freeze` in `running/plans.py`.
    """
    layout = lay_out(wish)
    hosts = _hosts(wish.host_path, wish.host, unsafe=wish.unsafe, lean=_hiding(layout.cases))
    with hosts as (host, other):
        return anyio.run(freeze, layout, host, other)


@contextmanager
def _hosts(
    host_path: Path | None, known: KnownHost | None, *, unsafe: bool, lean: bool
) -> Iterator[tuple[AnyHost, OtherHost | None]]:
    """Keep ready what the hosts of a run need: ours, another checkout's, or a described one's."""
    if known is not None:
        with described_host(known) as described:
            yield described.settings, described
    elif host_path is not None:
        with checkout_host(host_path, unsafe=unsafe) as checkout:
            yield checkout.settings, checkout
    else:
        with warm_host(unsafe=unsafe, lean=lean) as (host, _):
            yield host, None


def run(wish: Wish, out: Path, watch: Watch) -> RunFolder:
    """Plan, run and close a new run.

    Args:
        wish: what to run.
        out: the run's folder; it must not exist.
        watch: progress callbacks.

    Raises:
        WrongUse: the folder exists, or the plan cannot be made.
    """
    if out.exists():
        raise WrongUse(f"{out}: exists already; a run never writes over another")
    layout = lay_out(wish)
    lean = _hiding(layout.cases)
    with (
        _hosts(wish.host_path, wish.host, unsafe=wish.unsafe, lean=lean) as (host, other),
        _warm_ruler(unsafe=wish.unsafe) as ruler,
        ExitStack() as stack,
    ):
        plan = anyio.run(freeze, layout, host, other)
        drawn, documents = None, dict[str, bytes]()
        if plan.draw is not None:
            assert isinstance(host, HostSettings), "only our own host makes starts"
            drawn, documents = anyio.run(drawn_with_starts, plan, layout.nonce, host)
            plan = plan.with_drawn(drawn.cases)
        gates = _gates(plan, layout.suites, host, ruler)
        _begin(out, plan, drawn, documents, inputs_of(layout.suites, plan.cases))
        stack.enter_context(alone(out))
        watch.planned(plan)
        ledger = Ledger(plan)
        bench = Bench(
            out,
            plan,
            layout.suites,
            host,
            ruler,
            watch.round_ended,
            ledger,
            layout.keys,
            drawn=drawn,
            gates=gates,
        )
        _work(bench)
        return close(out, other)


def resume(
    out: Path,
    watch: Watch,
    profile_file: Path | None = None,
    host_path: Path | None = None,
    host_file: Path | None = None,
) -> RunFolder:
    """Go on with a run whose process died: the same plan, only trials that never started.

    Args:
        out: the run's folder.
        watch: progress callbacks.
        profile_file: the user's profiles; None: those of the working folder. A key is only sent
            where one of them says so, whatever the folder's plan says.
        host_path: the checkout whose host the plan was frozen with; None: ours.
        host_file: the user's file of hosts; None: that of the working folder. A server is only
            started as one of them says, whatever the folder's plan says.

    Raises:
        WrongUse: there is no run, it is closed, the code or the host is no longer what was planned,
            or a profile that takes a key is not the user's own.
        DamagedEvidence: the folder is not what a kill leaves.
    """
    with alone(out):
        return _go_on(out, watch, profile_file, host_path, host_file)


def _go_on(
    out: Path,
    watch: Watch,
    profile_file: Path | None,
    host_path: Path | None,
    host_file: Path | None,
) -> RunFolder:
    folder = read_run(out)
    if folder.closed:
        raise WrongUse(f"{out}: this run is closed; nothing is left to resume")
    if folder.amendments or any((out / name).exists() for name in (AMENDED, INVALIDATED)):
        require_sound(folder, faults(folder), "a closed run is not closed again")
    require_sound(folder, contradictions(folder), "it cannot be gone on with; start a new run")
    plan = folder.plan
    if plan.host.source == "checkout" and host_path is None:
        raise WrongUse(f"{out}: its host is another checkout's; name it again with --host-path")
    if plan.host.source == "own" and host_path is not None:
        raise WrongUse(f"{out}: its host is this program's own; leave --host-path out")
    known = planned_host(plan, host_file)
    _require_planned(out, changed_fingerprints(plan))
    require_own(plan.profiles, profile_file)
    keys = require_keys(plan.profiles)
    ledger = Ledger(plan, [state for state in folder.trials if state.started])
    with (
        _hosts(host_path, known, unsafe=plan.unsafe, lean=_hiding(plan.cases)) as (host, other),
        _warm_ruler(unsafe=plan.unsafe) as ruler,
    ):
        if other is not None:
            _require_planned(out, changed_fingerprints(plan, other.fingerprint))
        watch.planned(plan)
        suites, drawn = kept_suites(folder, load_suites(plan)), folder.drawn
        gates = _gates(plan, suites, host, ruler)
        bench = Bench(out, plan, suites, host, ruler, watch.round_ended, ledger, keys)
        bench = replace(bench, drawn=drawn, gates=gates)
        _work(bench)
        return close(out, other)


def _require_planned(out: Path, changed: list[str]) -> None:
    """Raise WrongUse where a fingerprint is not that of the plan."""
    if changed:
        raise WrongUse(
            f"{out}: the plan was frozen with other code ({changed[0]}); start a new run"
        )


def _hiding(cases: Iterable[Case]) -> bool:
    """Whether the truth of any case must stay out of reach."""
    return any(case.hides_truth for case in cases)


def _gates(
    plan: Plan, suites: Mapping[str, Suite], host: AnyHost, ruler: Ruler
) -> Gatehouse | None:
    """Return what searches the views of the run; None where nothing hides, or it is unsealed.

    Raises:
        WrongUse: the plan is of a machine that shuts hosts in, and this one does not; or a truth
            is not at hand.
    """
    if not plan.host.sealed:
        return None
    why = why_unsealed(host)
    if why:
        raise WrongUse(f"the plan says that hosts are shut in, and here they are not: {why}")
    return gatehouse(plan.every_case(), suites, ruler, plan.language)


def close(out: Path, other: OtherHost | None = None) -> RunFolder:
    """Write rows, summary and report, then the manifest of hashes; all becomes read-only.

    Args:
        out: the run's folder.
        other: its host where that is not ours; None: this code.

    Raises:
        DamagedEvidence: rows are there already, and are not those that the records give.
    """
    folder = open_run(out)
    rows = folder.rows()
    if (out / ROWS).exists() and (out / ROWS).read_bytes() != rows_jsonl(rows):
        raise DamagedEvidence(f"{out} is NOT SOUND: {ROWS}: not the rows that the records give")
    write_atomic(out / ROWS, rows_jsonl(rows))
    write_atomic(out / "results.csv", rows_csv(rows))
    for name, schema in {**schemas(), "row": row_schema()}.items():
        write_atomic(out / "schemas" / f"{name}.schema.json", pretty_json(schema))
    write_atomic(out / "summary.json", pretty_json(summary(folder.plan, rows)))
    host = other.fingerprint_now() if other else None
    changed = changed_fingerprints(folder.plan, host)
    if changed:  # dependencies and code are checked again at the end
        write_atomic(out / "changed-during-run.json", pretty_json(changed))
    write_atomic(out / "report.md", report_of(folder, closed=True).encode())
    reveal(folder)
    close_folder(out, folder.plan.commitment())
    return open_run(out)


def _begin(
    out: Path,
    plan: Plan,
    drawn: Drawn | None,
    documents: Mapping[str, bytes],
    inputs: Mapping[str, bytes],
) -> None:
    """Make the folder with its plan in one step: it exists with a plan, or not at all."""
    draft = out.with_name(f".{out.name}.{os.getpid()}.draft")
    try:
        (draft / TRIALS).mkdir(parents=True)
        write_atomic(draft / PLAN, plan.pretty())
        if drawn is not None:
            keep(draft, drawn, documents)
        keep_inputs(draft, inputs)
        draft.rename(out)
    except OSError as error:
        shutil.rmtree(draft, ignore_errors=True)
        why = "exists already" if out.exists() else f"cannot be made ({error.strerror})"
        raise WrongUse(f"{out}: {why}") from error


@contextmanager
def _warm_ruler(*, unsafe: bool) -> Iterator[Ruler]:
    """Start the ruler before anything is written; its start is no part of any read-back."""
    with Ruler(unsafe=unsafe) as ruler:
        ruler.warm_up()
        yield ruler


def _work(bench: Bench) -> None:
    """Run the trials, with the servers of local models beside them."""
    with ExitStack() as stack:
        servers = {
            profile.id: stack.enter_context(LocalServer(profile))
            for profile in bench.plan.profiles
            if needs_local_server(profile)
        }
        anyio.run(_trials, replace(bench, servers=servers))


async def _trials(bench: Bench) -> None:
    for state in open_run(bench.run).trials:
        if state.end is not None:
            if state.end.outcome == LEAKED:
                return
            continue
        if state.started:
            close_interrupted(bench, state)
            continue
        case = bench.plan.case(state.planned.case_id)
        host = fitted(bench.host, program_s=case.limits.program_s, tools=case.tools)
        outcome = await run_trial(replace(bench, host=host), state.planned)
        if outcome == LEAKED:  # what was found is there for the next trial as well
            return
