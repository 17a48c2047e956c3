"""Price snapshots: taken on a day, kept in a file, used for 30 days, confirmed row by row."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from gaugeblock.metering.costs import Tariff
from gaugeblock.metering.meter import NOT_BILLED
from gaugeblock.metering.own_rows import own_rows
from gaugeblock.metering.package_rows import package_row, package_source
from gaugeblock.records.errors import WrongUse
from gaugeblock.records.handwritten import is_there, read_whole
from gaugeblock.records.prices import PRICES_HOLD_DAYS, PriceCheck, PriceRow, PriceSnapshot
from gaugeblock.records.profile import Profile
from gaugeblock.records.store import write_atomic

PRICE_FILE = Path("gaugeblock-prices.json")
"""The working snapshot, in the working folder."""

LARGEST_BYTES = 10_000_000
"""A snapshot of every model known has some 2 MB."""

CLOCKS_APART = dt.timedelta(days=1)
"""Dates of a snapshot, of a request and of today may be of different time zones."""


@dataclass(frozen=True)
class Taken:
    """A snapshot, and what it lacks.

    Attributes:
        snapshot: rows of one's own, and of the package for the models asked for.
        missing: (provider, model) → why there is no row.
    """

    snapshot: PriceSnapshot
    missing: dict[tuple[str, str], str] = field(default_factory=dict)


def take_snapshot(
    wanted: Iterable[tuple[str, str]],
    day: dt.date,
    own: Path | None = None,
    earlier: PriceSnapshot | None = None,
) -> Taken:
    """Freeze prices.

    Args:
        wanted: (provider, model) pairs.
        day: today; prices that change by date are those of this day.
        own: TOML file with rows of one's own, which win and are all taken.
        earlier: a snapshot whose confirmations are kept where they still hold: for a row with the
            same figures, and no longer ago than prices are used.

    Raises:
        WrongUse: the file of one's own is missing or faulty.
    """
    sources, rows = [], {}
    if own is not None:
        source, mine = own_rows(own)
        sources.append(source)
        for row in mine:
            if (row.provider, row.model) in rows:
                raise WrongUse(f"{own.name}: two prices of {row.provider} {row.model}")
            rows[row.provider, row.model] = row
    missing = {}
    for provider, model in wanted:
        if (provider, model) in rows or (provider, model) in missing:
            continue
        found, why = package_row(provider, model, day)
        if found is None:
            missing[provider, model] = why
        else:
            rows[provider, model] = found
    if any(row.source == package_source().name for row in rows.values()):
        sources.append(package_source())
    kept = tuple(_with_check(row, earlier, day) for row in rows.values())
    return Taken(PriceSnapshot(taken=day, sources=tuple(sources), rows=kept), missing)


def _with_check(row: PriceRow, earlier: PriceSnapshot | None, day: dt.date) -> PriceRow:
    old = earlier.row(row.provider, row.model) if earlier else None
    if old is None or old.checked is None or row.checked is not None:
        return row
    recent = day - old.checked.date < dt.timedelta(days=PRICES_HOLD_DAYS)
    checked = row.model_copy(update={"checked": old.checked})
    return checked if recent and checked == old else row


def working_snapshot(path: Path | None) -> PriceSnapshot | None:
    """Return the snapshot to work with.

    Args:
        path: its file; None: `gaugeblock-prices.json` of the working folder, if there is one.

    Raises:
        WrongUse: there is no such file, or it is no snapshot.
    """
    if path is None:
        return load_snapshot(PRICE_FILE) if is_there(PRICE_FILE) else None
    return load_snapshot(path)


def load_snapshot(path: Path) -> PriceSnapshot:
    """Read a snapshot file strictly.

    Raises:
        WrongUse: there is no such file, or it is no snapshot; the first fault is named.
    """
    if not is_there(path):
        raise WrongUse(f"{path}: no such price file; gaugeblock price snapshot writes one")
    found = PriceSnapshot.load(read_whole(path, "price file", LARGEST_BYTES), path.name)
    latest = dt.date.today() + CLOCKS_APART
    for row in found.rows:
        if row.checked and row.checked.date > latest:
            raise WrongUse(
                f"{path.name}: {row.model} of {row.provider} is said to be checked "
                f"{row.checked.date}, which lies in the future"
            )
    return found


def save_snapshot(path: Path, snapshot: PriceSnapshot) -> None:
    """Write a snapshot file whole or not at all."""
    write_atomic(path, snapshot.pretty())


def tariff(profile: Profile, snapshot: PriceSnapshot | None, today: dt.date) -> Tariff:
    """Return what a profile's requests cost, or why that is unknown.

    Args:
        profile: whose provider and model are looked up.
        snapshot: the frozen prices.
        today: when they are to be used.
    """
    if profile.billing != "metered":
        return Tariff(None, NOT_BILLED[profile.billing], None)
    if snapshot is None:
        return Tariff(None, "there is no price snapshot", None)
    if today + CLOCKS_APART < snapshot.taken:
        return Tariff(None, f"the prices are of {snapshot.taken}, after {today}", None)
    if today >= snapshot.expires:
        return Tariff(None, f"the prices of {snapshot.taken} expired {snapshot.expires}", None)
    row = snapshot.row(profile.provider, profile.model)
    if row is None:
        why = f"no price of {profile.model} of {profile.provider} in the snapshot"
        return Tariff(None, why, None)
    if row.until is not None and today >= row.until:
        return Tariff(None, f"{row.source_row} has other prices since {row.until}", None)
    until = min(snapshot.expires, row.until or snapshot.expires)
    return Tariff(row, "", snapshot.taken.isoformat(), until)


def confirm(
    snapshot: PriceSnapshot,
    model: str,
    provider: str | None,
    check: PriceCheck,
    today: dt.date,
) -> tuple[PriceSnapshot, PriceRow]:
    """Note that somebody held a row against the provider's own page.

    Args:
        snapshot: with the row.
        model: of the row.
        provider: needed where several have the model.
        check: page and day.
        today: nothing is confirmed from the future.

    Returns:
        The snapshot with the confirmation, and the row.

    Raises:
        WrongUse: no such row or several, an expired snapshot, or a day that proves nothing.
    """
    rows = [row for row in snapshot.rows if row.model == model]
    if provider is not None:
        rows = [row for row in rows if row.provider == provider]
    if not rows:
        known = ", ".join(f"{row.model} of {row.provider}" for row in snapshot.rows) or "nothing"
        whose = f" of {provider}" if provider else ""
        raise WrongUse(f"{model}{whose}: not in the snapshot, which has {known}")
    if len(rows) > 1:
        names = ", ".join(row.provider for row in rows)
        raise WrongUse(f"{model}: several providers have it; name one with --provider ({names})")
    if today >= snapshot.expires:
        raise WrongUse(f"the snapshot of {snapshot.taken} has expired: take a new one first")
    if check.date > today:
        raise WrongUse(f"--date {check.date}: lies in the future; today is {today}")
    oldest = snapshot.taken - dt.timedelta(days=PRICES_HOLD_DAYS)
    if check.date < oldest:
        raise WrongUse(
            f"--date {check.date}: more than {PRICES_HOLD_DAYS} days before the snapshot of "
            f"{snapshot.taken}; prices may have changed since: look again"
        )
    confirmed = rows[0].model_copy(update={"checked": check})
    everything = tuple(confirmed if row is rows[0] else row for row in snapshot.rows)
    return snapshot.model_copy(update={"rows": everything}), confirmed
