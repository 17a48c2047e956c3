"""What a fresh host makes of a saved document: whether it comes back as it was."""

from __future__ import annotations

from typing import Self

from pydantic import Field, model_validator

from gaugeblock.records.base import Record
from gaugeblock.records.usage import require_reasons


class Reopening(Record):
    """A document opened by a fresh host, saved and exported again, held to what it was.

    Fields that are None have a reason in ``unknown``.
    """

    document_sha256: str = Field(description="The document that was opened.")
    artifact_sha256: str = Field(description="The STEP it was delivered with.")
    same_document: bool | None = Field(description="Saved again, it has the same bytes.")
    same_step: bool | None = Field(description="Exported again, the STEP has the same bytes.")
    again_sha256: str | None = Field(description="The STEP exported again.")
    unknown: dict[str, str] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _every_unknown_has_a_reason(self) -> Self:
        require_reasons(self, self.unknown, ignore=("unknown",))
        return self
