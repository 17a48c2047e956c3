"""What OpenAI's two protocols share: the object of an error, and a usage that tells its total."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from gaugeblock.agents.mock.dialects.dialect import Json


class OpenaiWire:
    """The part of a dialect that is the same in both."""

    codes: ClassVar[Mapping[int, tuple[str, str | None]]]
    """Type and code of an error, by HTTP status."""

    def drop_usage(self, answer: Json) -> None:
        """As the protocol says."""
        del answer["usage"]

    def unbalance(self, answer: Json) -> None:
        """As the protocol says."""
        answer["usage"]["total_tokens"] += 7

    def error(self, status: int, message: str) -> Json:
        """As the protocol says."""
        kind, code = self.codes.get(status, ("invalid_request_error", None))
        return {"error": {"message": message, "type": kind, "param": None, "code": code}}
