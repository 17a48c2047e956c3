"""What a conversation used. Unknown is None with a reason, never 0."""

from __future__ import annotations

from typing import Any, Self

from pydantic import Field, model_validator

from gaugeblock.records.base import Record

NO_PROVIDER = "scripted agent: no provider request is made"


class Buckets(Record):
    """Tokens of a request, or of several, in buckets that never overlap.

    Their sum, reasoning left out, is all that was billed. Every field that is None has its reason
    in ``unknown``.
    """

    input_uncached: int | None = Field(default=None, ge=0, description="tokens")
    cache_read: int | None = Field(default=None, ge=0, description="tokens")
    cache_write_5min: int | None = Field(default=None, ge=0, description="tokens")
    cache_write_1h: int | None = Field(default=None, ge=0, description="tokens")
    output: int | None = Field(default=None, ge=0, description="tokens, reasoning inside")
    reasoning: int | None = Field(default=None, ge=0, description="tokens, a part of output")
    unknown: dict[str, str] = Field(default_factory=dict, description="Field → why it is None.")

    @model_validator(mode="after")
    def _every_unknown_has_a_reason(self) -> Self:
        require_reasons(self, self.unknown, ignore=("unknown",))
        return self


BUCKETS = ("input_uncached", "cache_read", "cache_write_5min", "cache_write_1h", "output")
"""The buckets that are billed; reasoning is a part of output."""


class Usage(Buckets):
    """Tokens and cost of one conversation's requests.

    A total is None where one of the requests is of unknown billing or did not tell a part; what
    was told stands in the requests' own records.
    """

    provider_calls: int = Field(ge=0, description="Requests on the wire.")
    unsettled_calls: int = Field(default=0, ge=0, description="Requests of unknown billing.")
    cost_usd: str | None = Field(default=None, description="From the frozen prices, USD, a decimal")
    reported_cost_usd: str | None = Field(
        default=None,
        description="What the provider itself says, USD. Accounts are charged the larger of it and "
        "the cost by the frozen prices, for each request.",
    )
    price_date: str | None = None
    partial: dict[str, int | str] = Field(
        default_factory=dict,
        description="Of a total that is None: the sum over the requests that told.",
    )
    provider_s: float | None = Field(default=None, ge=0, description="Sum of response times, s.")


class Request(Record):
    """One request on the wire, as it ended. Fields that are None have a reason in ``unknown``."""

    number: int = Field(ge=1, description="Of the conversation's requests.")
    round: str
    dialect: str
    model_asked: str
    model_reported: str | None
    service_tier: str | None = Field(description="That served it, in the provider's word.")
    sent_at: str
    settled: bool = Field(description="Whether the answer tells what was billed.")
    failure: str = Field(default="", description="One line; empty where an answer came.")
    http_status: int | None
    request_bytes: int = Field(ge=0, description="The serialised body, images left out.")
    image_bytes: int = Field(default=0, ge=0)
    reserve_usd: str | None = Field(description="What was set aside before it was sent, USD.")
    waited_s: float = Field(ge=0, description="Waited for pacing, s; no part of provider time.")
    provider_s: float | None = Field(description="Sent → answer complete, or failure, s.")
    first_token_s: float | None = Field(description="Sent → first piece of a stream, s.")
    output_per_s: float | None = Field(description="Output tokens/s after the first piece.")
    finish: str | None = Field(description="Why the model ended, in the provider's word.")
    raw_usage: dict[str, Any] | None = Field(description="As received.")
    buckets: Buckets
    cost_usd: str | None = Field(description="From the buckets and the frozen prices, USD.")
    reported_cost_usd: str | None = Field(description="What the provider itself says, USD.")
    unknown: dict[str, str] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _every_unknown_has_a_reason(self) -> Self:
        require_reasons(self, self.unknown, ignore=("unknown",))
        return self


def require_reasons(record: Record, reasons: dict[str, str], ignore: tuple[str, ...] = ()) -> None:
    """Hold the rule that each None has a reason and each reason belongs to a None.

    Raises:
        ValueError: a field is None without a reason, or has a value and a reason.
    """
    nothing = {name for name, value in record.__dict__.items() if value is None}
    if nothing.difference(ignore) == reasons.keys():
        return  # as it must be; the rest finds what is not, and a report reads 100,000 rows
    for field in type(record).model_fields:
        if field in ignore:
            continue
        missing = getattr(record, field) is None
        if missing and field not in reasons:
            raise ValueError(f"{field} is null without a reason")
        if not missing and field in reasons:
            raise ValueError(f"{field} has a value and a reason for having none")
    strangers = sorted(set(reasons) - set(type(record).model_fields))
    if strangers:
        raise ValueError(f"reasons for unknown fields {strangers}")


def scripted_usage() -> Usage:
    """Return the usage of an agent that calls no provider."""
    fields = (*BUCKETS, "reasoning", "cost_usd", "reported_cost_usd", "price_date", "provider_s")
    return Usage(provider_calls=0, unknown=dict.fromkeys(fields, NO_PROVIDER))
