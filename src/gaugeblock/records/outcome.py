"""How a trial or a round ended: the words of the protocol, and what counts in which rate."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator

LAYERS = ("provider", "adapter", "tool-runtime", "host", "grader", "isolation")
"""Where an error came from; an error is never the agent's failure."""

LIMITS = (
    "wall",
    "no-commit",
    "tool-calls",
    "turns",
    "repairs",
    "budget",
    "output-tokens",
    "request-bytes",
)
"""Ceilings that can stop an agent, as in ``stopped:turns``."""

PLAIN = (
    "passed",
    "failed",
    "no-delivery",
    "could-not-grade",
    "interrupted",
    "not-run",
)

OUTCOMES = frozenset(
    [*PLAIN, *(f"error:{layer}" for layer in LAYERS), *(f"stopped:{limit}" for limit in LIMITS)]
)

NOT_VALID = frozenset(
    [
        *(f"error:{layer}" for layer in ("provider", "adapter", "tool-runtime", "host", "grader")),
        "could-not-grade",
        "interrupted",
    ]
)
"""Outcomes of attempted trials that say nothing about the agent: out of the valid rate."""


def known_outcome(outcome: str) -> str:
    """Return the outcome, or raise ValueError if the protocol has no such word."""
    if outcome not in OUTCOMES:
        raise ValueError(f"unknown outcome {outcome!r}")
    return outcome


Outcome = Annotated[str, AfterValidator(known_outcome)]


def is_valid(outcome: str) -> bool:
    """Whether an attempted trial of this outcome counts in the rate over valid trials."""
    return outcome not in NOT_VALID and outcome != "not-run"
