"""Budgets that money is set aside from before a request and charged to after it."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from gaugeblock.metering.limits import LimitReached


class Account:
    """The budget of an invocation or of a cell.

    What is charged are settled costs, and for good the reserves of requests whose cost never came
    to be known, so that an account can only be too careful.
    """

    def __init__(self, name: str, budget: Decimal | None, charged: Decimal = Decimal(0)) -> None:
        """Open an account.

        Args:
            name: for messages, such as ``budget of this run``.
            budget: USD; None: no ceiling.
            charged: USD spent before this invocation.
        """
        self.name = name
        self.budget = budget
        self.charged = charged
        self.held = Decimal(0)

    def fits(self, amount: Decimal) -> bool:
        """Whether an amount, USD, can still be set aside."""
        return self.budget is None or self.charged + self.held + amount <= self.budget

    def settle(self, held: Decimal, charge: Decimal) -> None:
        """Turn what was set aside into what was spent, both USD."""
        self.held -= held
        self.charged += charge


def hold(accounts: Iterable[Account], amount: Decimal) -> None:
    """Set an amount aside in every account, or in none.

    Raises:
        LimitReached: `budget`: it does not fit one of them; the request must not be sent.
    """
    accounts = tuple(accounts)
    for account in accounts:
        if not account.fits(amount):
            spent = account.charged + account.held
            raise LimitReached(
                "budget",
                f"the next request may cost {amount:f} USD, and of the {account.name} of "
                f"{account.budget:f} USD {spent:f} are spent or set aside",
            )
    for account in accounts:
        account.held += amount


def charge(
    settled: bool, reported: Decimal | None, cost: Decimal | None, reserve: Decimal | None
) -> Decimal:
    """Return what a request is charged, USD: the most of what is known.

    A provider's own figure may be wrong as well as the price list; a budget that believes the
    lesser of two is no budget.

    Args:
        settled: whether its answer tells what was billed; if not, its reserve is owed too.
        reported: what the provider says it cost.
        cost: by the frozen prices.
        reserve: what was set aside for it.
    """
    known = (reported, cost, None if settled else reserve)
    return max((amount for amount in known if amount is not None), default=Decimal(0))
