"""Usage and cost derived once more, from the raw usage that the providers sent."""

from __future__ import annotations

from datetime import date
from typing import Any

from gaugeblock.metering.costs import bill
from gaugeblock.metering.meter import ENDED, NOT_BILLED, SENT
from gaugeblock.metering.reading import read_usage
from gaugeblock.metering.snapshot import tariff
from gaugeblock.metering.totals import totals
from gaugeblock.records.errors import WrongUse
from gaugeblock.records.plan import Plan
from gaugeblock.records.profile import Profile
from gaugeblock.records.run_folder import EVENTS, USAGE, TrialState
from gaugeblock.records.store import read_journal
from gaugeblock.records.usage import Request, Usage
from gaugeblock.running.trials import SERVER_COUNTS


def recount(plan: Plan, trial: TrialState) -> list[str]:
    """Return where a trial's accounts are not what its raw usage gives, one line each.

    Args:
        plan: with the frozen prices.
        trial: whose usage.jsonl is read.
    """
    profile = plan.profile(trial.planned.profile_id)
    if not profile.sends:
        return []
    where = f"{trial.planned.id}/{USAGE}"
    events = read_journal(trial.folder / EVENTS)
    counted = {event["round"]: event for event in events if event["kind"] == SERVER_COUNTS}
    try:
        lines = read_journal(trial.folder / USAGE)
        requests = [_request(line) for line in lines if line["kind"] == ENDED]
        sent = [str(line["round"]) for line in lines if line["kind"] == SENT]
    except (KeyError, WrongUse) as error:
        return [f"{where}: a line is no request ({error})"]
    found = [line for item in requests for line in _one(plan, profile, item, where)]
    for state in trial.rounds:
        result = state.result
        mine = [item for item in requests if item.round == result.round]
        if result.usage is None:
            if mine and result.outcome != "interrupted":
                found.append(f"{where}: requests of {result.round}, whose result has no usage")
            continue
        again = _totals(plan, profile, mine, sent.count(result.round))
        found += [
            f"{where}: {result.round}: {name} is {getattr(again, name)}, not "
            f"{getattr(result.usage, name)}"
            for name in type(again).model_fields
            if name not in ("unknown", "provider_s")
            and getattr(again, name) != getattr(result.usage, name)
        ]
        found += [f"{where}: {line}" for line in _server(counted.get(result.round), again)]
    return found


def _request(line: dict[str, Any]) -> Request:
    return Request.build({k: v for k, v in line.items() if k not in ("n", "at", "kind")}, "line")


def _one(plan: Plan, profile: Profile, item: Request, where: str) -> list[str]:
    """Hold one request to its raw usage; one without an answer has none."""
    place = f"{where}: {item.round}, request {item.number}"
    if item.failure:
        return [f"{place}: failed, and yet has a cost"] if item.cost_usd is not None else []
    buckets = read_usage(profile.dialect, item.raw_usage)
    if buckets != item.buckets:
        return [f"{place}: its raw usage gives other buckets"]
    if profile.billing != "metered":
        return []
    day = date.fromisoformat(item.sent_at[:10])
    rates = tariff(profile, plan.prices, day)
    again, _ = bill(
        profile.dialect, item.raw_usage, buckets, rates, service_tier=item.service_tier, day=day
    )
    text = None if again is None else f"{again:f}"
    return [] if text == item.cost_usd else [f"{place}: cost is {text} USD, not {item.cost_usd}"]


def _server(counted: dict[str, Any] | None, usage: Usage) -> list[str]:
    """Hold our account to the local server's own counts, where there are any.

    Of a request that was stopped in flight the server counted some part: then it must have counted
    at least what the others told. A count that it did not tell exactly is None, and holds nothing.
    """
    if counted is None:
        return []
    found = []
    for name in ("input_uncached", "cache_read", "output"):
        ours, theirs = getattr(usage, name), counted[name]
        if theirs is None:
            continue
        least = ours if ours is not None else int(usage.partial.get(name, 0))
        if theirs < least or (ours is not None and theirs != ours):
            found.append(f"{counted['round']}: {name} is {least}, and the server counted {theirs}")
    return found


def _totals(plan: Plan, profile: Profile, mine: list[Request], sent: int) -> Usage:
    day = date.fromisoformat((mine[0].sent_at if mine else plan.created_at)[:10])
    return totals(mine, sent, tariff(profile, plan.prices, day), NOT_BILLED.get(profile.billing))
