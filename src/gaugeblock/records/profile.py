"""A profile: who works, with which settings. One entry in a TOML file."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from gaugeblock.records.base import Record

SCRIPTED_AGENTS = ("reference", "null", "mutant")
"""Agents that follow a script. They prove the wiring and the ruler and are never a result."""

MOCK_PROVIDER = "mock"
"""A provider that answers from a script: it proves the way to a model and is never a result."""

Dialect = Literal[
    "openai-responses",
    "xai-responses",
    "anthropic-messages",
    "gemini-generate-content",
    "openai-chat",
]
"""The language of a provider's wire; one module of `agents/api` each."""

Billing = Literal["metered", "local", "subscription"]
"""What a request costs: money by the token, nothing (a server of one's own), or quota. Only a
metered profile needs prices and a budget; the cost of the others is null, never 0."""

Modality = Literal["text", "image"]

TIGHTER = ("wall_s", "tool_calls", "turns", "output_tokens", "request_s", "request_bytes")
"""Limits of a case that a profile may tighten."""


class Pacing(Record):
    """Rates kept below, so that the provider's own are never met; None: no pacing."""

    requests_per_min: float | None = Field(default=None, gt=0)
    tokens_per_min: float | None = Field(
        default=None, gt=0, description="Bytes of the request and its output ceiling, as tokens."
    )


class Profile(Record):
    """One agent under one configuration."""

    id: str = Field(pattern=r"^[\w.:-]+$")
    label: str
    agent: str = Field(description="api, or reference, null, mutant:NAME; more in later releases.")
    tier: int = Field(default=1, ge=1, description="Product tier; smaller ones run first.")
    dialect: Dialect | None = Field(default=None, description="Of an api agent.")
    provider: str | None = Field(default=None, description="Its id in the price source.")
    base_url: str | None = Field(default=None, description="None: where the SDK sends by itself.")
    model: str | None = None
    settings: dict[str, str | int | float | bool] = Field(
        default_factory=dict,
        description="Effort, temperature, …; what is not set is the provider's.",
    )
    stream: bool = Field(default=False, description="Whether answers are streamed.")
    tool_mode: Literal["native", "json"] = Field(
        default="native", description="json: one action a turn as schema-bound JSON (openai-chat)."
    )
    input_modalities: tuple[Modality, ...] = ("text",)
    image_tokens: int | None = Field(
        default=None, gt=0, description="The most tokens one image can be billed as."
    )
    billing: Billing = "metered"
    limits: dict[str, float] = Field(
        default_factory=dict, description=f"Ceilings below the case's: {', '.join(TIGHTER)}."
    )
    pacing: Pacing = Pacing()
    key_variable: str | None = Field(default=None, description="Environment variable of the key.")

    @model_validator(mode="after")
    def _whole(self) -> Profile:
        strangers = sorted(set(self.limits) - set(TIGHTER))
        if strangers:
            raise ValueError(f"limits {strangers}: a profile may set {', '.join(TIGHTER)}")
        if self.agent != "api":
            return self
        missing = [name for name in ("dialect", "model") if getattr(self, name) is None]
        if self.billing == "metered" and self.provider is None:
            missing.append("provider")
        if missing:
            raise ValueError(f"an api agent needs {', '.join(missing)}")
        if self.tool_mode == "json" and self.dialect != "openai-chat":
            raise ValueError("tool_mode json is for dialect openai-chat")
        if "image" in self.input_modalities and self.image_tokens is None:
            raise ValueError("a profile with images needs image_tokens: the reserve counts them")
        return self

    @property
    def scripted(self) -> bool:
        """Whether a script is followed, by the agent or by its provider: never a result."""
        return self.agent.split(":")[0] in SCRIPTED_AGENTS or self.provider == MOCK_PROVIDER

    @property
    def sends(self) -> bool:
        """Whether the agent sends requests to a provider that we account for."""
        return self.agent == "api"


def scripted_profile(agent: str) -> Profile:
    """Return the built-in profile of a scripted agent, such as ``mutant:no-holes``."""
    return Profile(id=agent, label=f"scripted: {agent}", agent=agent, billing="local")
