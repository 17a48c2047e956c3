"""Steps that change what an object is called, looks like or belongs to, or take it away."""

from __future__ import annotations

from typing import Annotated, ClassVar, Self

from pydantic import Field, model_validator

from gaugeblock.host.diagnostics import PlanRejected
from gaugeblock.host.objects.changing import Objects
from gaugeblock.host.objects.quantities import Flag, Name, Reference
from gaugeblock.host.objects.steps import Step
from gaugeblock.host.objects.table import NAME_CHARS, Draft, Table

Colour = Annotated[str, Field(pattern=r"^#([0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$")]


class Rename(Step):
    """Give an object another name."""

    ONE: ClassVar = ("object",)
    object: Reference = Field(description="Name or id of the object.")
    name: Name = Field(description="Its new name; not yet taken.")

    def apply(self, draft: Draft) -> None:
        """Change the name."""
        item = draft.item(self.object)
        if self.name == item.name:
            raise PlanRejected("no-effect", f"the object is already called {self.name!r}")
        draft.require_free(self.name)
        draft.change(item.id, name=self.name)


class Appearance(Step):
    """Set material and colour."""

    MANY: ClassVar = ("objects",)
    objects: Objects
    material: Name | None = Field(default=None, description="Any words, such as stainless steel.")
    colour: Colour | None = Field(
        default=None, description="#RRGGBB or #RRGGBBAA (AA 00 clear … FF solid)."
    )

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if self.material is None and self.colour is None:
            raise ValueError("give material, colour or both")
        return self

    def apply(self, draft: Draft) -> None:
        """Change what is given; the other stays."""
        for identity in self.objects:
            if self.material is not None:
                draft.change(identity, material=self.material)
            if self.colour is not None:
                draft.change(identity, colour=channels(self.colour))


def channels(colour: str) -> tuple[float, ...]:
    """Return ``#RRGGBB`` or ``#RRGGBBAA`` as shares of 1: red, green, blue, alpha."""
    parts = bytes.fromhex(colour[1:])
    return tuple(round(part / 255, 4) for part in (*parts, 255)[:4])


class Visibility(Step):
    """Show or hide objects."""

    MANY: ClassVar = ("objects",)
    objects: Objects
    visible: Flag = Field(description="false hides: measured still, not exported.")

    def apply(self, draft: Draft) -> None:
        """Change the visibility."""
        for identity in self.objects:
            draft.change(identity, visible=self.visible)


class Delete(Step):
    """Take objects away."""

    MANY: ClassVar = ("objects",)
    objects: Objects

    def apply(self, draft: Draft) -> None:
        """Remove each object."""
        for identity in self.objects:
            draft.remove(identity)


class Group(Step):
    """Put objects into a group."""

    MANY: ClassVar = ("objects",)
    name: Name = Field(description="Name of the group: a new one, or one that gets more members.")
    objects: Objects

    def apply(self, draft: Draft) -> None:
        """Set the group; an object is in one group at most."""
        if self.name not in {item.group for item in draft.table}:
            draft.require_free(self.name)
        for identity in self.objects:
            draft.change(identity, group=self.name)


class Ungroup(Step):
    """Take a group apart; its objects stay."""

    group: Name = Field(description="Name of the group.")

    def resolved(self, table: Table) -> Self:
        """Return the step; the group must be there."""
        if self.group not in {item.group for item in table}:
            groups = ", ".join(sorted({item.group for item in table if item.group})) or "none"
            raise PlanRejected(
                "object-unknown", f"no group {self.group[:NAME_CHARS]!r}; there are {groups[:500]}"
            )
        return self

    def apply(self, draft: Draft) -> None:
        """Clear the group of its members."""
        for item in draft.table:
            if item.group == self.group:
                draft.change(item.id, group=None)
