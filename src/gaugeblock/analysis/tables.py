"""Rows as files: JSONL with its JSON Schema, and CSV that a spreadsheet can open safely."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from typing import Any

from gaugeblock.records.base import canonical_json
from gaugeblock.records.outcome import OUTCOMES
from gaugeblock.records.row import Row

FORMULA_STARTS = tuple("=+-@\t\r\n＝＋－＠")
"""First characters that make a spreadsheet read a text cell as a formula (OWASP, CSV injection);
the last four are their full-width forms."""

SHIELD = "'"
"""Put before such a text, and before a text that itself begins with it: so the way back is to
drop one leading shield, with no ambiguity."""

SCHEMA_ID = "https://json-schema.org/draft/2020-12/schema"


def rows_jsonl(rows: Sequence[Row]) -> bytes:
    """Return one line of canonical JSON a row; each validates against ``row_schema()``."""
    return b"".join(row.canonical() + b"\n" for row in rows)


def row_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of a row, with the rule that each null has its reason."""
    schema = Row.model_json_schema(mode="serialization")
    schema["$schema"] = SCHEMA_ID
    schema["properties"]["outcome"]["enum"] = sorted(OUTCOMES)
    schema["allOf"] = [
        {
            "if": {"properties": {name: {"type": "null"}}, "required": [name]},
            "then": {"properties": {"unknown": {"required": [name]}}},
        }
        for name, field in schema["properties"].items()
        if {"type": "null"} in field.get("anyOf", [])
    ]
    return schema


def rows_csv(rows: Sequence[Row]) -> bytes:
    """Return the rows as CSV (UTF-8, header, one line a row).

    Lists and dictionaries stand as JSON text; a null is an empty cell whose reason stands in
    ``unknown``; text that a spreadsheet would run as a formula has a leading apostrophe.
    ``read_rows_csv`` gives back equal rows.
    """
    import polars as pl

    table = [_flat(row) for row in rows]
    schema = {name: _column_type(name) for name in Row.model_fields}
    return pl.DataFrame(table, schema=schema, orient="row").write_csv().encode()


def read_rows_csv(data: bytes) -> list[Row]:
    """Read back what ``rows_csv`` wrote.

    Raises:
        pydantic.ValidationError: a line is no row.
    """
    import polars as pl

    table = pl.read_csv(data, infer_schema=False).to_dicts()
    return [Row.model_validate(_unflat(line)) for line in table]


def _flat(row: Row) -> dict[str, object]:
    return {name: _cell(getattr(row, name)) for name in Row.model_fields}


def _cell(value: object) -> object:
    if isinstance(value, dict | tuple | list):
        return canonical_json(value).decode()
    if isinstance(value, str) and value.startswith((*FORMULA_STARTS, SHIELD)):
        return SHIELD + value
    return value


def _unflat(line: dict[str, str | None]) -> dict[str, object]:
    """Undo ``_flat``: whether an empty cell is null or an empty text is told by ``unknown``."""
    unknown: dict[str, str] = json.loads(line["unknown"] or "{}")
    values: dict[str, object] = {"unknown": unknown}
    for name, text in line.items():
        if name == "unknown":
            continue
        if name in unknown:
            values[name] = None
        elif _is_structure(name):
            values[name] = json.loads(text or "")
        else:
            values[name] = (text or "").removeprefix(SHIELD)
    return values


def _is_structure(name: str) -> bool:
    return _json_type(name) in ("array", "object")


@cache
def _json_type(name: str) -> str:
    field = Row.model_json_schema()["properties"][name]
    kinds = [field, *field.get("anyOf", [])]
    return str(next(kind["type"] for kind in kinds if "type" in kind))


def _column_type(name: str) -> Any:
    import polars as pl

    numbers = {"integer": pl.Int64, "number": pl.Float64, "boolean": pl.Boolean}
    return numbers.get(_json_type(name), pl.String)
