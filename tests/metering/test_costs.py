"""Reserves against costs, budgets, and sums of requests."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from price_rows import GPT_OLD, SONNET, row

from gaugeblock.metering.accounts import Account, hold
from gaugeblock.metering.costs import FRAMING_TOKENS, Size, Tariff, cost, reserve
from gaugeblock.metering.limits import LimitReached
from gaugeblock.metering.totals import totals
from gaugeblock.records.prices import PriceRow
from gaugeblock.records.usage import BUCKETS, Buckets, Request

PRICES = st.decimals(0, 999_999, places=12, allow_nan=False).map(lambda price: f"{price:f}")


@st.composite
def rates(draw):
    sizes = sorted(draw(st.sets(st.integers(1, 400_000), max_size=3)))
    steps = [{"above_tokens": size, "usd_per_mtok": draw(PRICES)} for size in sizes]
    return {"usd_per_mtok": draw(PRICES), "steps": steps}


@st.composite
def price_rows(draw):
    names = ("input", "cache_read", "cache_write_5min", "cache_write_1h", "output")
    prices = {name: draw(rates()) for name in names}
    return PriceRow.model_validate(
        {"provider": "p", "model": "m", "source": "s", "source_row": "r", **prices}
    )


def buckets(*counts):
    return Buckets(**dict(zip(BUCKETS, counts, strict=True)), unknown={"reasoning": "not told"})


@given(price_rows(), st.data())
def test_a_reserve_covers_every_request_within_its_size(prices, data):
    """Whatever the split of the input and wherever the steps lie, up or down."""
    size = Size(
        request_bytes=data.draw(st.integers(0, 200_000)),
        output_tokens=data.draw(st.integers(0, 10_000)),
        images=data.draw(st.integers(0, 3)),
    )
    image_tokens = data.draw(st.integers(1, 30_000))
    left = size.request_bytes + FRAMING_TOKENS + size.images * image_tokens
    parts = []
    for _ in range(4):
        parts.append(data.draw(st.integers(0, left)))
        left -= parts[-1]
    output = data.draw(st.integers(0, size.output_tokens))
    spent, _ = cost(buckets(*parts, output), prices)
    assert spent is not None and spent <= reserve(size, prices, image_tokens)


def test_a_reserve_by_hand():
    # (1000 + 4096 + 2·100)·4 + 500·10 = 26184: the dearest input rate is that of long writes
    size = Size(request_bytes=1_000, output_tokens=500, images=2, image_bytes=9_999)
    assert reserve(size, SONNET, 100) == Decimal("0.026184")


def test_images_without_a_count_have_no_reserve():
    with pytest.raises(ValueError, match="images"):
        reserve(Size(1, 1, images=1), SONNET, None)


def test_a_step_that_lowers_the_price_lowers_no_reserve():
    prices = row("cheaper-by-the-dozen", above=10, factor=Decimal("0.5"), input="2", output="2")
    size = Size(request_bytes=1_000, output_tokens=1_000)
    assert reserve(size, prices, None) == 2 * (1_000 + FRAMING_TOKENS + 1_000) / Decimal(10**6)


def test_the_largest_figures_stay_exact():
    """Nine hundred and ninety-nine million tokens at a price of eighteen digits."""
    price = "123456.123456789012"
    prices = row("dear", input=price, output="0")
    spent, _ = cost(buckets(999_999_999, 0, 0, 0, 0), prices)
    assert spent * 10**6 == Decimal(price) * 999_999_999


@pytest.mark.parametrize("missing", range(5))
def test_one_unknown_bucket_makes_the_cost_unknown(missing):
    counts = [10, 20, 30, 40, 50]
    known = dict(zip(BUCKETS, counts, strict=True))
    name = BUCKETS[missing]
    del known[name]
    spent, why = cost(Buckets(**known, unknown={name: "not told", "reasoning": "-"}), SONNET)
    assert spent is None and why == f"{name}: not told"


def test_a_bucket_without_a_rate_costs_only_where_it_is_empty():
    assert cost(buckets(10, 0, 0, 0, 1), GPT_OLD) == (Decimal("0.00008"), "")
    spent, why = cost(buckets(10, 0, 1, 0, 1), GPT_OLD)
    assert spent is None and "cache_write_5min" in why


# --- accounts -----------------------------------------------------------------------------------


def test_what_does_not_fit_one_account_is_held_in_none():
    wide, narrow = Account("run", Decimal(1)), Account("cell", Decimal("0.5"))
    hold((wide, narrow), Decimal("0.5"))
    with pytest.raises(LimitReached) as told:
        hold((wide, narrow), Decimal("0.01"))
    assert told.value.limit == "budget" and "cell" in str(told.value)
    assert wide.held == narrow.held == Decimal("0.5")
    for account in (wide, narrow):
        account.settle(Decimal("0.5"), Decimal("0.2"))
    hold((wide, narrow), Decimal("0.3"))
    assert wide.charged == Decimal("0.2") and wide.held == Decimal("0.3")


def test_an_account_without_a_budget_takes_everything():
    account = Account("run", None)
    hold((account,), Decimal(10**9))
    assert account.held == 10**9


# --- sums ---------------------------------------------------------------------------------------


def request(number, counts, usd, told=None):
    names = (*BUCKETS, "reasoning")
    known = {n: c for n, c in zip(names, counts, strict=True) if c is not None}
    lacking = {name: "not told" for name in names if name not in known}
    empty = ("model_reported", "service_tier", "http_status", "reserve_usd")
    empty += ("first_token_s", "output_per_s", "finish", "raw_usage")
    unknown = dict.fromkeys(empty, "-")
    if usd is None:
        unknown["cost_usd"] = "no price"
    if told is None:
        unknown["reported_cost_usd"] = "not reported"
    return Request(
        number=number,
        round="S1",
        dialect="openai-chat",
        model_asked="m",
        sent_at="2026-11-30T08:00:00.000Z",
        settled=usd is not None,
        request_bytes=10,
        waited_s=0.0,
        provider_s=1.5,
        buckets=Buckets(**known, unknown=lacking),
        cost_usd=usd,
        reported_cost_usd=told,
        **dict.fromkeys(empty),
        unknown=unknown,
    )


TARIFF = Tariff(SONNET, "", "2026-11-30")
COUNTS = st.tuples(*[st.none() | st.integers(0, 10**6)] * 6)
MONEY = st.none() | st.decimals(0, 100, places=9).map(lambda amount: f"{amount:f}")


@given(st.lists(st.tuples(COUNTS, MONEY, MONEY), min_size=1, max_size=5), st.data())
def test_the_order_of_requests_changes_no_sum(parts, data):
    requests = [request(n, *part) for n, part in enumerate(parts, 1)]
    shuffled = data.draw(st.permutations(requests))
    first, second = (totals(each, len(each), TARIFF) for each in (requests, shuffled))
    assert first.unknown.keys() == second.unknown.keys()
    assert first.model_copy(update={"unknown": {}}) == second.model_copy(update={"unknown": {}})


@given(st.lists(st.tuples(COUNTS, MONEY, MONEY), min_size=1, max_size=5))
def test_a_sum_is_whole_or_unknown_with_what_was_told_beside_it(parts):
    requests = [request(n, *part) for n, part in enumerate(parts, 1)]
    found = totals(requests, len(requests), TARIFF)
    for place, name in enumerate((*BUCKETS, "reasoning")):
        counts = [part[0][place] for part in parts]
        known = [count for count in counts if count is not None]
        if None in counts:
            assert getattr(found, name) is None
            assert found.unknown[name].startswith("request ")
            assert found.partial.get(name) == (sum(known) if known else None)
        else:
            assert getattr(found, name) == sum(counts) and name not in found.partial
    amounts = [part[1] for part in parts]
    if None not in amounts:
        assert Decimal(found.cost_usd) == sum(map(Decimal, amounts))
    else:
        assert found.cost_usd is None and found.unknown["cost_usd"].endswith("no price")


def test_a_request_in_flight_makes_every_sum_unknown():
    found = totals([request(1, (1, 2, 3, 4, 5, 1), "0.5")], 2, TARIFF)
    assert found.provider_calls == 2 and found.unsettled_calls == 1
    assert found.input_uncached is None and found.cost_usd is None and found.provider_s is None
    assert "in flight" in found.unknown["output"]
    assert found.partial == {
        **dict(zip((*BUCKETS, "reasoning"), (1, 2, 3, 4, 5, 1), strict=True)),
        "cost_usd": "0.5",
    }


def test_no_request_is_no_zero():
    found = totals([], 0, TARIFF)
    assert found.output is None and found.cost_usd is None and found.partial == {}
    assert found.unknown["output"] == "no request was sent"


def test_what_is_not_billed_has_no_cost():
    none = Tariff(None, "local", None)
    found = totals([request(1, (1, 0, 0, 0, 5, 1), None)], 1, none, "a server of one's own")
    assert found.cost_usd is None and found.unknown["cost_usd"] == "a server of one's own"
    assert found.output == 5 and found.unknown["price_date"] == "a server of one's own"
