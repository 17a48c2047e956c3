"""What every step of a recipe has in common."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, Self

from gaugeblock.host.diagnostics import PlanRejected
from gaugeblock.host.objects.table import Draft, Table, find, find_all
from gaugeblock.records.base import Record


class Step(Record):
    """One step of a recipe: the arguments of one tool call.

    Attributes:
        ONE: fields that hold the name of one object; in a recipe they hold its id.
        MANY: fields that hold names of objects or groups; in a recipe they hold ids.
    """

    ONE: ClassVar[tuple[str, ...]] = ()
    MANY: ClassVar[tuple[str, ...]] = ()

    def resolved(self, table: Table) -> Self:
        """Return the step with ids for names: a later renaming changes nothing of it.

        Raises:
            PlanRejected: a name is of no object.
        """
        ids: dict[str, Any] = {}
        for field in self.ONE:
            ids[field] = find(getattr(self, field), table).id
        for field in self.MANY:
            ids[field] = [item.id for item in find_all(getattr(self, field), table)]
        return self.model_copy(update=ids)

    @abstractmethod
    def apply(self, draft: Draft) -> None:
        """Change the table.

        Raises:
            PlanRejected: an object it needs is not there, or a name is taken.
        """

    def recipe(self) -> dict[str, Any]:
        """Return the arguments as they are stored: what was not given is left out."""
        return self.model_dump(mode="json", exclude_none=True)


def miscounted(field: str, wanted: int, given: int) -> PlanRejected:
    """Return the rejection of a list of names that is too short or too long."""
    return PlanRejected(
        "syntax",
        f"{field} has {given} names; {wanted} are needed",
        repair=f"Give {wanted} names in {field}, or leave it out.",
    )
