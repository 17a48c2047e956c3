"""``gaugeblock price``: prices shown, frozen into a snapshot, confirmed."""

from __future__ import annotations

import datetime as dt
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from gaugeblock.cli.console import plain
from gaugeblock.cli.outputs import require_new_file
from gaugeblock.records.errors import WrongUse
from gaugeblock.records.handwritten import is_there

if TYPE_CHECKING:
    from gaugeblock.metering.snapshot import Taken
    from gaugeblock.records.prices import PriceRow, PriceSnapshot, Rate

PROVIDER = typer.Option(None, "--provider", metavar="P", help="Provider's id, such as openai.")
PRICES = typer.Option(
    None, "--prices", metavar="FILE", help="Price snapshot, instead of gaugeblock-prices.json here."
)
JSON = typer.Option(False, "--json", help="Print the answer as JSON.")

DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")

BUCKET_NAMES = {
    "input": "input",
    "cache_read": "cache read",
    "cache_write_5min": "cache write, default lifetime",
    "cache_write_1h": "cache write, longer lifetime",
    "output": "output",
}


def register(app: typer.Typer) -> None:
    """Add the commands."""
    prices = typer.Typer(help="Prices of models: show, freeze into a snapshot, confirm.")
    prices.command(name="show")(show)
    prices.command(name="snapshot")(snapshot)
    prices.command(name="confirm")(confirm)
    app.add_typer(prices, name="price")


def show(
    model: str = typer.Argument(..., metavar="MODEL"),
    provider: str | None = PROVIDER,
    price_file: Path | None = PRICES,
    as_json: bool = JSON,
) -> None:
    """Show a model's prices: those that are frozen here, and those of the installed package.

    Example: gaugeblock price show gpt-5.6-sol --provider openai
    """
    from gaugeblock.cli.console import print_json
    from gaugeblock.metering.package_rows import nearest, package_row, package_source
    from gaugeblock.metering.package_rows import package_providers as having
    from gaugeblock.metering.snapshot import working_snapshot

    frozen = working_snapshot(price_file)
    mine = [
        row
        for row in (frozen.rows if frozen else ())
        if row.model == model and provider in (None, row.provider)
    ]
    homes = [provider] if provider else having(model)
    found = [(home, *package_row(home, model, _today())) for home in homes]
    told = [row for _, row, _ in found if row is not None]
    refused = {home: why for home, row, why in found if row is None}
    if not mine and not told:
        why = next(iter(refused.values()), f"no provider has {model}{nearest(model)}")
        raise WrongUse(why)
    if as_json:
        print_json(
            {
                "frozen": [_frozen_json(row, frozen) for row in mine if frozen],
                "package": package_source().model_dump(mode="json"),
                "rows": [row.model_dump(mode="json") for row in told],
                "refused": refused,
            }
        )
        return
    for row in mine:
        if frozen is not None:
            _say(f"frozen {frozen.taken}, used until {_last_day(frozen, row)}:")
            _show_row(row)
    source = package_source()
    for row in told:
        _say(f"now in {source.name} {source.version}:")
        _show_row(row)
    for why in refused.values():
        _say(why)


def snapshot(
    models: list[str] = typer.Option(
        [], "--model", metavar="PROVIDER/MODEL", help="A model to take; may be repeated."
    ),
    profile_file: Path | None = typer.Option(
        None,
        "--profiles",
        metavar="FILE",
        help="Take the models of these profiles, instead of profiles.toml here.",
    ),
    price_file: Path | None = typer.Option(
        None, "--prices", metavar="FILE", help="Write there, instead of gaugeblock-prices.json."
    ),
    own: Path | None = typer.Option(
        None, "--own", metavar="FILE", help="TOML file with prices of your own; they win."
    ),
    as_json: bool = JSON,
) -> None:
    """Freeze the prices of profiles' models into a file that runs read; it holds for 30 days.

    Example: gaugeblock price snapshot --profiles profiles.toml --own my-prices.toml

    An earlier snapshot in that file is replaced; its confirmations are kept for rows whose figures
    are the same. Exit code 1 if a model has no price.
    """
    from gaugeblock.cli.console import print_json
    from gaugeblock.metering.snapshot import PRICE_FILE, load_snapshot, save_snapshot, take_snapshot

    target = price_file or PRICE_FILE
    mend = "it is no price file, so it is left alone; give another name"
    earlier = None
    if is_there(target):
        try:
            earlier = load_snapshot(target)
        except WrongUse as error:
            raise WrongUse(f"{error}; {mend}") from error
    require_new_file("--prices", target, mend=mend, force=True, inputs=[own] if own else [])
    taken = take_snapshot(_wanted(models, profile_file), _today(), own, earlier)
    if not taken.snapshot.rows:
        why = next(iter(taken.missing.values()), "no metered profile, no --model, no --own price")
        raise WrongUse(f"nothing to freeze: {why}")
    save_snapshot(target, taken.snapshot)
    if as_json:
        print_json(_taken_json(taken))
    else:
        held = f"{len(taken.snapshot.rows)} prices of {taken.snapshot.taken}"
        _say(f"{target}: {held}, used until {_last_day(taken.snapshot)}")
        for row in taken.snapshot.rows:
            _show_row(row)
        for why in taken.missing.values():
            _say(f"NO PRICE: {why}")
    if taken.missing:
        raise typer.Exit(1)


def confirm(
    model: str = typer.Argument(..., metavar="MODEL"),
    source: str = typer.Option(..., metavar="URL", help="The provider's page that you looked at."),
    date: str = typer.Option(..., metavar="D", help="Day on which you did, as 2026-11-30."),
    provider: str | None = PROVIDER,
    price_file: Path | None = PRICES,
) -> None:
    """Note that you held a frozen price against the provider's own page.

    Example: gaugeblock price confirm gpt-5.6-sol --source https://openai.com/api/pricing
    --date 2026-11-30
    """
    from gaugeblock.metering import snapshot as prices
    from gaugeblock.records.prices import PriceCheck

    check = PriceCheck.build({"source": source, "date": _day(date)}, "price confirm")
    target = price_file or prices.PRICE_FILE
    changed, row = prices.confirm(prices.load_snapshot(target), model, provider, check, _today())
    require_new_file("--prices", target, mend="", force=True)
    prices.save_snapshot(target, changed)
    _say(f"{target}: confirmed these figures")
    _show_row(row)


def _wanted(models: list[str], profile_file: Path | None) -> list[tuple[str, str]]:
    from gaugeblock.running.profiles import load_profiles

    wanted = []
    for text in models:
        provider, _, model = text.partition("/")
        if not provider or not model:
            raise WrongUse(f"--model {text}: give PROVIDER/MODEL, such as openai/gpt-5.5")
        wanted.append((provider, model))
    if models and profile_file is None:
        return wanted
    for profile in load_profiles(profile_file):
        if profile.billing == "metered" and profile.provider and profile.model:
            wanted.append((profile.provider, profile.model))
    return wanted


def _show_row(row: PriceRow) -> None:
    _say(f"{row.model} of {row.provider} ({row.source}, row {row.source_row}): {_checked(row)}")
    for name, words in BUCKET_NAMES.items():
        rate: Rate | None = getattr(row, name)
        _say(f"{words}: {_rate(rate)}", indent=2)
    if row.until is not None:
        _say(f"other prices from {row.until} on", indent=2)


def _checked(row: PriceRow) -> str:
    if row.checked is None:
        return "UNCHECKED (gaugeblock price confirm)"
    return f"confirmed {row.checked.date} by {row.checked.source}"


def _rate(rate: Rate | None) -> str:
    if rate is None:
        return "no price"
    steps = "".join(
        f"; {step.usd_per_mtok} where the input is above {step.above_tokens:,} tokens"
        for step in rate.steps
    )
    return f"{rate.usd_per_mtok} USD a million tokens{steps}"


def _last_day(frozen: PriceSnapshot, row: PriceRow | None = None) -> str:
    ends = [frozen.expires, *([row.until] if row and row.until else [])]
    return str(min(ends) - dt.timedelta(days=1))


def _frozen_json(row: PriceRow, frozen: PriceSnapshot) -> dict[str, Any]:
    days = {"taken": str(frozen.taken), "expires": str(frozen.expires)}
    return {**days, **row.model_dump(mode="json")}


def _taken_json(taken: Taken) -> dict[str, Any]:
    missing = [
        {"provider": provider, "model": model, "reason": why}
        for (provider, model), why in taken.missing.items()
    ]
    return {**taken.snapshot.model_dump(mode="json"), "missing": missing}


def _day(text: str) -> dt.date:
    try:
        if not DAY.fullmatch(text):  # Python also reads 20261130 and 2026-W49-1
            raise ValueError
        return dt.date.fromisoformat(text)
    except ValueError as error:
        raise WrongUse("--date: no day; write it as 2026-11-30") from error


def _today() -> dt.date:
    return dt.date.today()


def _say(text: str, indent: int = 0) -> None:
    typer.echo(" " * indent + plain(text))
