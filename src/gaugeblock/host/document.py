"""The document: ordered features, named parameters, named objects, versions; one JSON file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    Field,
    SerializerFunctionWrapHandler,
    field_validator,
    model_serializer,
    model_validator,
)

from gaugeblock.records.base import Record, digest
from gaugeblock.records.errors import WrongUse

Number = int | float
Format = Literal["gaugeblock-document/1", "gaugeblock-document/2"]
"""The second has steps of object tools; the host before them read the first only."""

MAX_DOCUMENT_BYTES = 4 << 20
"""A document is a program and its parameters; anything larger is not one of ours."""
MAX_PROGRAM_CHARS = 64_000
"""Some 1,500 lines: far beyond any part, small enough to be read back whole."""
MAX_PARAMETERS = 200
MAX_FEATURES = 2_000
"""Ten steps an object in a full document; each is made again when the document is opened."""
MAX_NAME_CHARS = 100
PARAMETER_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")


class ProgramFeature(Record):
    """A feature that is a program of the program language."""

    kind: Literal["program"] = "program"
    source: str = Field(max_length=MAX_PROGRAM_CHARS)


class StepFeature(Record):
    """A feature that is one call of an object tool; objects are told by their ids."""

    kind: Literal["step"] = "step"
    tool: str = Field(max_length=MAX_NAME_CHARS)
    arguments: dict[str, Any]


Feature = Annotated[ProgramFeature | StepFeature, Field(discriminator="kind")]


class ObjectState(Record):
    """A named object: what it looks like, and what it measured when it was committed."""

    id: str | None = Field(default=None, description="None for what the program makes.")
    group: str | None = None
    name: str = Field(min_length=1, max_length=MAX_NAME_CHARS)
    material: str | None = None
    colour: tuple[float, ...] | None = Field(default=None, description="Red, green, blue, alpha.")
    visible: bool = True
    solids: int = Field(ge=1)
    volume: float = Field(gt=0, description="mm³")
    area: float = Field(gt=0, description="mm²")
    centroid: tuple[float, float, float] = Field(description="mm")
    low: tuple[float, float, float] = Field(description="Lower corner of the bounds, mm.")
    high: tuple[float, float, float] = Field(description="Upper corner of the bounds, mm.")
    faces: int
    edges: int

    @model_serializer(mode="wrap")
    def _without_nothing(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leave out what only object tools give, as documents of the first format have it."""
        absent = {name for name in ("id", "group") if getattr(self, name) is None}
        return {name: value for name, value in dump(self).items() if name not in absent}

    def described(self) -> dict[str, Any]:
        """Return what an agent is shown of the object."""
        return {
            "name": self.name,
            "solids": self.solids,
            "volume_mm3": self.volume,
            "area_mm2": self.area,
            "centroid_mm": list(self.centroid),
            "bounds_mm": {"min": list(self.low), "max": list(self.high)},
            "faces": self.faces,
            "edges": self.edges,
            "material": self.material,
            "colour": None if self.colour is None else list(self.colour),
            "visible": self.visible,
        }


class Version(Record):
    """One commit in the document's history."""

    number: int = Field(ge=1)
    sha256: str
    committed_at: str
    plan: str = Field(max_length=MAX_NAME_CHARS, description="The tool that was called.")


def format_of(features: Iterable[Feature]) -> Format:
    """Return the format of a document: the first one where only a program made it."""
    steps = any(isinstance(feature, StepFeature) for feature in features)
    return "gaugeblock-document/2" if steps else "gaugeblock-document/1"


class DocumentState(Record):
    """The whole document, as it lies on disk."""

    format: Format = "gaugeblock-document/1"
    units: Literal["mm"] = "mm"
    parameters: dict[str, Number] = Field(default_factory=dict)
    features: tuple[Feature, ...] = Field(default=(), max_length=MAX_FEATURES)
    objects: tuple[ObjectState, ...] = ()
    history: tuple[Version, ...] = ()

    @field_validator("parameters")
    @classmethod
    def _names(cls, parameters: dict[str, Number]) -> dict[str, Number]:
        bad = [name for name in parameters if not PARAMETER_NAME.fullmatch(name)]
        if bad:
            raise ValueError(f"{bad[0]!r} is no parameter name (a letter, then letters, digits, _)")
        if len(parameters) > MAX_PARAMETERS:
            raise ValueError(f"{len(parameters)} parameters; at most {MAX_PARAMETERS}")
        return parameters

    @field_validator("features")
    @classmethod
    def _one_program(cls, features: tuple[Feature, ...]) -> tuple[Feature, ...]:
        if sum(isinstance(feature, ProgramFeature) for feature in features) > 1:
            raise ValueError("more than one program")
        return features

    @model_validator(mode="after")
    def _format_fits(self) -> DocumentState:
        if self.format != format_of(self.features):
            raise ValueError(f"format is {self.format}, the features are of another")
        return self

    @property
    def program(self) -> str | None:
        """The program text, or None where there is none."""
        programs = (f.source for f in self.features if isinstance(f, ProgramFeature))
        return next(programs, None)

    @property
    def has_steps(self) -> bool:
        """Whether object tools took part."""
        return any(isinstance(feature, StepFeature) for feature in self.features)

    @property
    def head(self) -> Version | None:
        """The newest version, or None in an empty document."""
        return self.history[-1] if self.history else None

    def content_hash(self) -> str:
        """Return the hash of what the document says: features, parameters, appearance."""
        looks = [(o.name, o.material, o.colour, o.visible) for o in self.objects]
        features = [feature.model_dump(mode="json") for feature in self.features]
        return digest({"parameters": self.parameters, "features": features, "objects": looks})


def read_document(path: Path) -> DocumentState:
    """Read a document from disk.

    Raises:
        WrongUse: it is missing, too large, no JSON or no document; the fault is named.
    """
    if not path.is_file():
        raise WrongUse(f"{path}: no such document")
    try:
        if path.stat().st_size > MAX_DOCUMENT_BYTES:
            raise WrongUse(f"{path.name}: larger than {MAX_DOCUMENT_BYTES} bytes, so no document")
        data = path.read_bytes()
    except OSError as error:
        raise WrongUse(f"{path}: cannot be read ({error.strerror})") from error
    try:
        json.loads(data)
    except (ValueError, RecursionError):
        raise WrongUse(f"{path.name}: not JSON, so no document") from None
    state = DocumentState.load(data, path.name)
    if state.head is not None and state.head.sha256 != state.content_hash():
        raise WrongUse(f"{path.name}: its content does not have the hash of its newest version")
    return state
