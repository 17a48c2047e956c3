"""Making a plan: everything a run will do, tried out and frozen before the first request."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

import gaugeblock
from gaugeblock.agents.local import LocalServer, needs_local_server
from gaugeblock.records.base import digest
from gaugeblock.records.case import Case, Language
from gaugeblock.records.draws import Draw
from gaugeblock.records.errors import WrongUse
from gaugeblock.records.follows import Follows
from gaugeblock.records.plan import (
    FingerprintRecord,
    HostControls,
    Plan,
    PlannedTrial,
    ShownTools,
    toolset_of,
)
from gaugeblock.records.prices import PriceSnapshot
from gaugeblock.records.profile import Profile
from gaugeblock.records.store import now
from gaugeblock.running import fingerprints
from gaugeblock.running.cast import applies, find_profile, scripted
from gaugeblock.running.checkout_host import CheckoutHost, runtime_of
from gaugeblock.running.described_host import DescribedHost
from gaugeblock.running.draws import planned, stand_ins
from gaugeblock.running.estimates import estimates, frozen_prices, require_money
from gaugeblock.running.isolation import why_unsealed
from gaugeblock.running.keys import require_kept, require_keys
from gaugeblock.running.known_hosts import KnownHost
from gaugeblock.running.machine import this_machine
from gaugeblock.running.profiles import load_profiles
from gaugeblock.running.showing import images_of, tools_on
from gaugeblock.running.targets import find_targets
from gaugeblock.running.translation import require_translatable
from gaugeblock.sandbox import Client, Isolation, SandboxUnavailable
from gaugeblock.suites import DrawingSuite, Suite, load_suite
from gaugeblock.worlds import (
    AnyHost,
    ExternalSettings,
    HostSettings,
    HostWorld,
    Tool,
    WorldLost,
    signatures_bytes,
)

OtherHost = CheckoutHost | DescribedHost
"""A host that is not this code's own."""

MAX_TRIALS = 9_999
"""Trial ids have four digits; more repetitions than that are a typing error."""

PACKAGE = Path(gaugeblock.__file__).parent


@dataclass(frozen=True)
class Wish:
    """What the user asked for.

    Attributes:
        targets: as of `targets.find_targets`.
        profiles: profile ids.
        trials: repetitions of each cell.
        language: of the instructions.
        unsafe: go on without a sandbox.
        profile_file: of profiles; None: the one in the working folder.
        prices: the frozen snapshot for metered profiles.
        budget_usd: what each invocation may spend.
        continue_after_error: go on after a request of unknown billing.
        draws: fresh cases of each family; 0 for none.
        beacon: public text that enters the seed of the draws.
        seed: of a replay, hex; its draws are open.
        wanted: which pairs of profile and case to keep of those that apply; all by default.
        repeated: which repetitions of a pair to keep; all by default.
        beside: suites that are loaded without any case to run, since the protocol's fingerprint
            is that of all suites of a plan.
        follow: says of a plan which earlier run it follows, or refuses it; None: it follows none.
        host_path: another checkout whose host is run; None: ours.
        host: the server that is run instead of ours; None: ours.
    """

    targets: tuple[str, ...]
    profiles: tuple[str, ...]
    trials: int
    language: Language = "en"
    unsafe: bool = False
    profile_file: Path | None = None
    prices: PriceSnapshot | None = None
    budget_usd: str | None = None
    continue_after_error: bool = False
    draws: int = 0
    beacon: str = ""
    seed: str | None = None
    wanted: Callable[[Profile, Case], bool] = lambda profile, case: True
    repeated: Callable[[Profile, Case, int], bool] = lambda profile, case, repetition: True
    beside: tuple[str, ...] = ()
    follow: Callable[[Plan], Follows] | None = None
    host_path: Path | None = None
    host: KnownHost | None = None


@dataclass(frozen=True)
class Layout:
    """What a wish comes to, before anything was started.

    Attributes:
        draw: what the plan will say of fresh draws; their cases are known once it is frozen.
        nonce: the secret of a sealed draw, hex.
        stand_ins: cases like those that will be drawn, to check and estimate with.
        keys: profile id → key of its provider.
    """

    wish: Wish
    suites: dict[str, Suite]
    cases: tuple[Case, ...]
    profiles: tuple[Profile, ...]
    trials: tuple[PlannedTrial, ...]
    keys: dict[str, str | None] = field(default_factory=dict, repr=False)
    draw: Draw | None = None
    nonce: str | None = field(default=None, repr=False)
    stand_ins: tuple[Case, ...] = ()


def lay_out(wish: Wish) -> Layout:
    """Check a wish and lay its trials out; starts nothing, so that a slip is told at once.

    Raises:
        WrongUse: an unknown suite, case or profile; nothing to run; code that differs from its
            build.
    """
    stale = fingerprints.verify(PACKAGE)
    if stale:
        raise WrongUse(f"the installed code is not what was built: {stale[0]}; install it again")
    if wish.host_path is not None and wish.host is not None:
        raise WrongUse("--host, --host-path: give one of them")
    if (wish.host_path is not None or wish.host is not None) and wish.draws:
        asked = "--host-path" if wish.host is None else "--host"
        raise WrongUse(f"{asked}: fresh cases begin on what our own host makes; without --draws")
    suites, cases = find_targets(wish.targets)
    suites |= {name: load_suite(name) for name in wish.beside if name not in suites}
    names = dict.fromkeys(wish.profiles)
    others = load_profiles(wish.profile_file)
    profiles = [find_profile(name, list(suites.values()), others) for name in names]
    profiles.sort(key=lambda profile: profile.tier)  # smaller ones first; the sort keeps the order
    draw, nonce = planned(suites, wish.draws, wish.beacon, wish.seed)
    fresh = stand_ins(draw)
    trials = _trials(wish, suites, [*cases, *fresh], profiles)
    for case in cases:
        suites[case.suite].start_document(case)
    if wish.host is not None:
        described = ExternalSettings(wish.host.description)
        require_kept(profiles, wish.host.description.pass_variables)
        require_translatable(described, cases, profiles, suites)
    require_money(profiles, wish.prices, wish.budget_usd)
    keys = require_keys(profiles)
    for profile in filter(needs_local_server, profiles):
        LocalServer(profile)  # refuses now what could not be started later
    return Layout(
        wish, suites, tuple(cases), tuple(profiles), tuple(trials), keys, draw, nonce, fresh
    )


async def freeze(layout: Layout, host: AnyHost, other: OtherHost | None = None) -> Plan:
    """Try a host out and freeze the plan.

    Args:
        layout: what is to be run.
        host: how its hosts are started.
        other: what they are where they are not ours; None: this code.

    Raises:
        WrongUse: the host does not start, or the plan does not follow the run that it is to follow.
    """
    wish = layout.wish
    every = [case for suite in layout.suites.values() for case in suite.cases()]
    code = _content_fingerprints()
    if isinstance(other, DescribedHost):
        controls, tools = other.controls(every), other.shown(every)
    else:
        assert isinstance(host, HostSettings)
        controls, tools = await _host_controls(host, every)
        controls = controls if other is None else other.controls(controls)
    if other is not None:
        code["host"] = other.fingerprint
    if any(case.hides_truth for case in layout.cases):
        why = why_unsealed(host)
        controls = controls.model_copy(update={"sealed": not why, "unsealed_why": why})
    estimated = await estimates(
        layout.profiles,
        {case.id: case for case in (*layout.cases, *layout.stand_ins)},
        layout.trials,
        wish.prices,
        layout.keys,
        tools,
        wish.language,
        wish.budget_usd,
        lambda case: images_of(layout.suites[case.suite], case),
    )
    state = fingerprints.checkout_state(PACKAGE)
    plan = Plan(
        created_at=now(),
        language=wish.language,
        suites=tuple(suite.controls() for suite in layout.suites.values()),
        cases=layout.cases,
        profiles=layout.profiles,
        trials=layout.trials,
        repetitions=wish.trials,
        budget_usd=wish.budget_usd,
        continue_after_error=wish.continue_after_error,
        prices=frozen_prices(wish.prices, layout.profiles),
        estimates=estimated,
        fingerprints={
            **code,
            "protocol": _protocol(layout.suites, wish.language, controls),
        },
        commit=state["commit"],
        dirty=state["dirty"],
        host=controls,
        machine=this_machine(),
        unsafe=wish.unsafe,
        draw=layout.draw,
    )
    if wish.follow is None:
        return plan
    return Plan.build({**dict(plan), "follows": wish.follow(plan)}, "plan")


def load_suites(plan: Plan) -> dict[str, Suite]:
    """Return the suites of a plan by name."""
    return {suite.name: load_suite(suite.name) for suite in plan.suites}


def changed_fingerprints(plan: Plan, host: FingerprintRecord | None = None) -> list[str]:
    """Return which fingerprints of the plan no longer hold for the code that runs now.

    Args:
        plan: the plan.
        host: that of the host, where it is not ours; None: ours, or one that is not at hand.
    """
    current = _content_fingerprints()
    if host is not None:
        current["host"] = host
    elif plan.host.source != "own":
        del current["host"]
    lines = [
        f"{name}: planned {plan.fingerprints[name].sha256[:12]}, now {current[name].sha256[:12]}"
        for name in current
        if plan.fingerprints[name].sha256 != current[name].sha256
    ]
    for name, suite in load_suites(plan).items():
        planned = next(item for item in plan.suites if item.name == name)
        if planned.digest != suite.controls().digest:
            lines.append(f"suite {name}: its cases or its grader changed")
    return lines


def _trials(
    wish: Wish, suites: dict[str, Suite], cases: list[Case], profiles: list[Profile]
) -> list[PlannedTrial]:
    """Lay the trials out: the order of profiles rotates by repetition."""
    if wish.trials < 1:
        raise WrongUse(f"--trials {wish.trials}: at least 1")
    if not profiles:
        raise WrongUse("name at least one --profile, such as reference")
    pairs = [
        (profile, case)
        for profile in profiles
        for case in cases
        if applies(profile, case, suites[case.suite]) and wish.wanted(profile, case)
    ]
    if not pairs:
        raise WrongUse("none of the profiles applies to any of the cases")
    if len(pairs) * wish.trials > MAX_TRIALS:
        raise WrongUse(f"{len(pairs) * wish.trials} trials; at most {MAX_TRIALS}")
    trials: list[PlannedTrial] = []
    for repetition in range(1, wish.trials + 1):
        shift = (repetition - 1) % len(profiles)
        order = [*profiles[shift:], *profiles[:shift]]
        for profile in order:
            for case in (case for owner, case in pairs if owner is profile):
                if not wish.repeated(profile, case, repetition):
                    continue
                number = f"{len(trials) + 1:04d}"
                name = f"{number}.{profile.id.replace(':', '.')}.{case.id}.r{repetition}"
                agent = scripted(profile, suites[case.suite])
                trials.append(
                    PlannedTrial(
                        id=name,
                        case_id=case.id,
                        profile_id=profile.id,
                        repetition=repetition,
                        must_fail=None if agent is None else agent.due(case),
                        matches=None if agent is None else agent.matches,
                        misses_probe={} if agent is None else agent.due_probe(case),
                    )
                )
    return trials


async def _host_controls(
    settings: HostSettings, cases: Iterable[Case]
) -> tuple[HostControls, dict[str, tuple[Tool, ...]]]:
    """Start a host with each set of tools that cases ask for, and ask the sandbox what it is.

    Returns:
        What the hosts said, and the tools that an agent is shown, by their set.
    """
    asked = list(cases)
    announced: dict[str, tuple[Tool, ...]] = {}
    version = ""
    try:
        for name in dict.fromkeys(case.tools for case in asked):
            async with HostWorld.open(replace(settings, tools=name), None) as world:
                announced[name], version = world.tools, world.server_version
    except WorldLost as error:
        raise WrongUse(f"the CAD host does not start: {error}") from error
    isolation = _isolation(settings)
    libraries = fingerprints.installed(fingerprints.FINGERPRINTED["host"].libraries)
    sets = {toolset_of(case): case for case in asked}
    shown = {name: tools_on(case, announced[case.tools]) for name, case in sorted(sets.items())}
    controls = HostControls(
        name="gaugeblock-host",
        version=version,
        runtime=runtime_of(libraries),
        toolsets={
            name: ShownTools(
                names=tuple(tool.name for tool in tools),
                schemas_sha256=digest([tool.wire() for tool in tools]),
                signatures_bytes=signatures_bytes(tools),
            )
            for name, tools in shown.items()
        },
        sandbox=isolation.kind,
        sandbox_formal=isolation.formal,
    )
    return controls, shown


def _isolation(settings: HostSettings) -> Isolation:
    assert settings.sandbox_socket is not None, "a run always has its own warm sandbox"
    try:
        return Client(settings.sandbox_socket).isolation()
    except SandboxUnavailable as error:
        raise WrongUse(str(error)) from error


def _content_fingerprints() -> dict[str, FingerprintRecord]:
    return {
        name: FingerprintRecord(
            sha256=item.sha256, code_sha256=item.code_sha256, versions=item.versions
        )
        for name, item in fingerprints.compute(PACKAGE).items()
    }


def _protocol(
    suites: dict[str, Suite], language: Language, host: HostControls
) -> FingerprintRecord:
    """Fingerprint prompts, tools as shown and limits: a change of any is another cohort."""
    prompts: dict[str, object] = {
        f"{name}/{case.id}/{asked.id}": [
            asked.instruction[language],
            case.limits.model_dump(mode="json"),
            host.shown(case).schemas_sha256,
            case.answer,
            *([] if case.drawing is None else [case.drawing.shown, case.drawing.rulebook_sha256]),
        ]
        for name, suite in suites.items()
        for case in suite.cases()
        for asked in case.rounds
    }
    for name, suite in suites.items():
        if isinstance(suite, DrawingSuite):  # also where nothing is drawn: one cohort
            prompts[f"{name}/draws"] = suite.rules_sha256()
    value = digest(prompts)
    return FingerprintRecord(sha256=value, code_sha256=value)
