"""A profile: who works, with which settings. One entry in a TOML file."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import (
    AfterValidator,
    Field,
    HttpUrl,
    StrictFloat,
    StrictInt,
    TypeAdapter,
    ValidationError,
    model_validator,
)

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


LONGEST_ID = 80
"""Signs of a profile's id: names of folders hold it, beside the case's and more."""

HIGHEST_TIER = 1_000

LARGEST_IMAGE = 10**9
"""Tokens; what is above is a slip."""

LABEL = r"[A-Za-z0-9_-]{1,63}"

ADDRESS = re.compile(
    rf"https?://(?:{LABEL}(?:\.{LABEL})*\.?|\[[0-9A-Fa-f:.]+\])(?::[0-9]{{1,5}})?(?:/[!-~]*)?"
)
"""Of a server: http or https, a host, perhaps a port and a path. A user's name is none of it."""

_URL = TypeAdapter(HttpUrl)


def _address(text: str) -> str:
    """Refuse what no request can be sent to, and what may hold a key: an address is recorded."""
    if ADDRESS.fullmatch(text) and not set(text) & set("?#"):
        try:
            if _URL.validate_python(text).port != 0:
                return text
        except ValidationError:
            pass
    raise ValueError("write an address as http://HOST:PORT/PATH; a key goes into key_variable")


class Pacing(Record):
    """Rates kept below, so that the provider's own are never met; None: no pacing."""

    requests_per_min: StrictInt | StrictFloat | None = Field(default=None, gt=0)
    tokens_per_min: StrictInt | StrictFloat | None = Field(
        default=None, gt=0, description="Bytes of the request and its output ceiling, as tokens."
    )


class Profile(Record):
    """One agent under one configuration."""

    id: str = Field(pattern=r"^[\w.:-]+$", max_length=LONGEST_ID)
    label: str
    agent: str = Field(description="api, or reference, null, mutant:NAME; more in later releases.")
    tier: StrictInt = Field(
        default=1, ge=1, le=HIGHEST_TIER, description="Product tier; smaller ones run first."
    )
    dialect: Dialect | None = Field(default=None, description="Of an api agent.")
    provider: str | None = Field(default=None, description="Its id in the price source.")
    base_url: Annotated[str, AfterValidator(_address)] | None = Field(
        default=None, description="None: where the SDK sends by itself."
    )
    model: str | None = None
    settings: dict[str, str | int | float | bool] = Field(
        default_factory=dict,
        description="Effort, temperature, …; what is not set is the provider's.",
    )
    stream: bool = Field(default=False, strict=True, description="Whether answers are streamed.")
    tool_mode: Literal["native", "json"] = Field(
        default="native", description="json: one action a turn as schema-bound JSON (openai-chat)."
    )
    input_modalities: tuple[Modality, ...] = ("text",)
    image_tokens: StrictInt | None = Field(
        default=None,
        gt=0,
        le=LARGEST_IMAGE,
        description="The most tokens one image can be billed as.",
    )
    billing: Billing = "metered"
    limits: dict[str, StrictInt | StrictFloat] = Field(
        default_factory=dict, description=f"Ceilings below the case's: {', '.join(TIGHTER)}."
    )
    pacing: Pacing = Pacing()
    key_variable: str | None = Field(
        default=None,
        pattern=r"^[A-Za-z_][A-Za-z0-9_]*$",
        description="Environment variable of the key.",
    )

    @model_validator(mode="after")
    def _whole(self) -> Profile:
        strangers = sorted(set(self.limits) - set(TIGHTER))
        if strangers:
            raise ValueError(f"limits {strangers}: a profile may set {', '.join(TIGHTER)}")
        for name, value in self.limits.items():
            if value <= 0:
                raise ValueError(f"limits.{name}: above 0")
            if not name.endswith("_s") and not isinstance(value, int):
                raise ValueError(f"limits.{name}: a whole number")
        if self.agent != "api":
            return self
        missing = [name for name in ("dialect", "model") if getattr(self, name) is None]
        if self.billing == "metered" and self.provider is None:
            missing.append("provider")
        if missing:
            raise ValueError(f"an api agent needs {', '.join(missing)}")
        if self.dialect == "openai-chat" and self.billing != "local" and self.base_url is None:
            raise ValueError("openai-chat needs a base_url: many servers speak it")
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
