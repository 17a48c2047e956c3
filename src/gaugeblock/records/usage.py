"""What a conversation used. Unknown is None with a reason, never 0."""

from __future__ import annotations

from pydantic import Field, model_validator

from gaugeblock.records.base import Record

NO_PROVIDER = "scripted agent: no provider request is made"


class Usage(Record):
    """Tokens and cost of one conversation's settled requests; buckets are disjoint.

    Every field that is None has its reason in ``unknown``.
    """

    provider_calls: int = Field(ge=0, description="Requests on the wire.")
    unsettled_calls: int = Field(default=0, ge=0, description="Requests of unknown billing.")
    input_uncached: int | None = Field(default=None, ge=0, description="tokens")
    cache_read: int | None = Field(default=None, ge=0, description="tokens")
    cache_write_5min: int | None = Field(default=None, ge=0, description="tokens")
    cache_write_1h: int | None = Field(default=None, ge=0, description="tokens")
    output: int | None = Field(default=None, ge=0, description="tokens, reasoning inside")
    reasoning: int | None = Field(default=None, ge=0, description="tokens, a part of output")
    cost_usd: str | None = Field(default=None, description="USD, a decimal")
    price_date: str | None = None
    provider_s: float | None = Field(default=None, ge=0, description="Sum of response times, s.")
    unknown: dict[str, str] = Field(default_factory=dict, description="Field → why it is None.")

    @model_validator(mode="after")
    def _every_unknown_has_a_reason(self) -> Usage:
        require_reasons(self, self.unknown, ignore=("unknown",))
        return self


def require_reasons(record: Record, reasons: dict[str, str], ignore: tuple[str, ...] = ()) -> None:
    """Hold the rule that each None has a reason and each reason belongs to a None.

    Raises:
        ValueError: a field is None without a reason, or has a value and a reason.
    """
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
    fields = ("input_uncached", "cache_read", "cache_write_5min", "cache_write_1h", "output")
    more = ("reasoning", "cost_usd", "price_date", "provider_s")
    return Usage(provider_calls=0, unknown=dict.fromkeys((*fields, *more), NO_PROVIDER))
