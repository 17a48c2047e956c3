"""What every record has in common: frozen, closed to unknown fields, one canonical byte form."""

from __future__ import annotations

import hashlib
import json
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, ValidationError

from gaugeblock.records.errors import WrongUse


class Record(BaseModel):
    """A plain data object that travels between rooms and is written to disk as it is.

    Unknown fields are refused, so that a misspelt key in a hand-written file is told and never
    silently dropped; NaN and infinity are refused, since JSON has no such numbers.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    def canonical(self) -> bytes:
        """Return the one byte form that is hashed: UTF-8 JSON, sorted keys, no spaces."""
        return canonical_json(self.model_dump(mode="json"))

    def content_sha256(self) -> str:
        """Return the SHA-256 of the canonical form, as 64 hex digits."""
        return hashlib.sha256(self.canonical()).hexdigest()

    def pretty(self) -> bytes:
        """Return the form written to disk for people: indented UTF-8 JSON, fields in order."""
        return pretty_json(self.model_dump(mode="json"))

    @classmethod
    def load(cls, data: bytes | str, where: str) -> Self:
        """Read a record from JSON.

        Args:
            data: the JSON text.
            where: the file's name, for the message.

        Raises:
            WrongUse: the text is no such record; the first fault is named.
        """
        try:
            return cls.model_validate_json(data)
        except ValidationError as error:
            raise WrongUse(f"{where}: {first_fault(error)}") from error

    @classmethod
    def build(cls, value: Any, where: str) -> Self:
        """Make a record from already parsed data (TOML, JSON); errors as in :meth:`load`."""
        try:
            return cls.model_validate(value)
        except ValidationError as error:
            raise WrongUse(f"{where}: {first_fault(error)}") from error


def canonical_json(value: Any) -> bytes:
    """Return UTF-8 JSON with sorted keys and no spaces; the form under every hash."""
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    ).encode()


def pretty_json(value: Any) -> bytes:
    """Return indented UTF-8 JSON that ends in a newline."""
    return (json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n").encode()


def digest(value: Any) -> str:
    """Return the SHA-256 (hex) of any JSON-able value's canonical form."""
    return hashlib.sha256(canonical_json(value)).hexdigest()


def first_fault(error: ValidationError) -> str:
    """Return a validation error's first fault as one line: where it is and what is wrong."""
    faults = error.errors(include_url=False, include_context=False, include_input=False)
    first = faults[0]
    place = ".".join(str(part) for part in first["loc"]) or "(whole)"
    more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
    return f"{place}: {first['msg']}{more}"
