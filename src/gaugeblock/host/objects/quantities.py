"""Units and limits of what a tool takes: lengths, points, angles, names, references."""

from __future__ import annotations

import re
import unicodedata
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from gaugeblock.host.document import MAX_NAME_CHARS

MAX_COORDINATE = 1e6
"""mm: a kilometre, where rounding (1e-10 mm) is still far below the kernel's tolerance (1e-7)."""
MIN_LENGTH = 1e-3
"""mm: a micrometre; thinner things fall into the kernel's own gaps and tolerances."""
MAX_REFERENCES = 200
"""As many as a document has objects."""
MAX_COPIES = 200
"""As many as a document has objects."""
MAX_POINTS = 200
"""Of one curve: an outline that an agent types; more would fill its context."""

Length = Annotated[float, Field(strict=True, ge=MIN_LENGTH, le=MAX_COORDINATE)]
Coordinate = Annotated[float, Field(strict=True, ge=-MAX_COORDINATE, le=MAX_COORDINATE)]
Angle = Annotated[float, Field(strict=True, ge=-360, le=360)]
Flag = Annotated[bool, Field(strict=True)]
Point = Annotated[list[Coordinate], Field(min_length=3, max_length=3)]
"""x, y, z in mm."""
FlatPoint = Annotated[list[Coordinate], Field(min_length=2, max_length=2)]
"""u, v of a sketch plane in mm."""

Axis = Literal["X", "Y", "Z"]
Direction = Literal["X", "Y", "Z", "-X", "-Y", "-Z"]
PlaneName = Literal["XY", "XZ", "YZ"]
Side = Literal["left", "right", "front", "back", "bottom", "top"]


ID = re.compile(r"o\d+(\.\d+)?|program:.*")
"""What ids look like; names may not, so that neither is ever taken for the other."""


def _composed(name: str) -> str:
    """Return a name in Unicode's composed form: what looks alike is one name."""
    return unicodedata.normalize("NFC", name)


def _printable(name: str) -> str:
    name = _composed(name.strip())
    if not name or not name.isprintable():
        raise ValueError("a name has 1 to 100 printable characters")
    if ID.fullmatch(name):
        raise ValueError(f"{name!r} looks like an id; give a name that says what it is")
    return name


Name = Annotated[str, Field(min_length=1, max_length=MAX_NAME_CHARS), AfterValidator(_printable)]
"""A label that people read, unique among objects and groups."""
Reference = Annotated[
    str, Field(min_length=1, max_length=MAX_NAME_CHARS + 20), AfterValidator(_composed)
]
"""The name or the id of an object."""
References = Annotated[list[Reference], Field(min_length=1, max_length=MAX_REFERENCES)]
"""Names or ids of objects, or names of groups."""


def nonzero(value: float) -> float:
    """Refuse a zero, which is in range but moves nothing."""
    if value == 0:
        raise ValueError("may not be 0")
    return value
