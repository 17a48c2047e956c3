"""Steps that change the shape of objects, or copy them."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AfterValidator, Field

from gaugeblock.host.diagnostics import PlanRejected
from gaugeblock.host.objects.quantities import (
    MAX_COPIES,
    Angle,
    Axis,
    Coordinate,
    Flag,
    Length,
    Name,
    PlaneName,
    Point,
    Reference,
    References,
    nonzero,
)
from gaugeblock.host.objects.selection import Edges, Faces
from gaugeblock.host.objects.steps import Step, miscounted
from gaugeblock.host.objects.table import Draft, Item, Node, Table

Names = Annotated[list[Name], Field(min_length=1, max_length=MAX_COPIES)]
Objects = Annotated[References, Field(description="Names or ids of objects, or names of groups.")]


class Boolean(Step):
    """Union, cut or intersection; the target keeps its name."""

    ONE: ClassVar = ("target",)
    MANY: ClassVar = ("tools",)
    operation: Literal["union", "cut", "intersect"] = Field(
        description="union joins, cut takes the tools away, intersect keeps what is shared."
    )
    target: Reference = Field(description="The object that is changed.")
    tools: Objects
    keep_tools: Flag = Field(default=False, description="Leave the tools in the document.")

    def resolved(self, table: Table) -> Self:
        """Return the step with ids for names; an object is no tool on itself."""
        step = super().resolved(table)
        if step.target in step.tools:
            raise PlanRejected(
                "syntax",
                f"{self.target!r} is the target and one of the tools",
                repair="Name other objects in tools; a group that holds the target holds it too.",
            )
        return step

    def apply(self, draft: Draft) -> None:
        """Change the target and take the tools away."""
        target = draft.item(self.target)
        tools = [draft.item(tool) for tool in self.tools]
        inputs = (target.shape, *(tool.shape for tool in tools))
        node = Node("boolean", {"operation": self.operation}, inputs)
        draft.change(target.id, shape=draft.shape(node))
        if not self.keep_tools:
            for tool in tools:
                draft.remove(tool.id)


class Reshaping(Step):
    """A step that changes one object's shape by its own arguments."""

    ONE: ClassVar = ("object",)
    TOOL: ClassVar[str]
    object: Reference = Field(description="Name or id of the object.")

    def apply(self, draft: Draft) -> None:
        """Change the object."""
        arguments: dict[str, Any] = self.recipe()
        del arguments["object"]
        item = draft.item(self.object)
        draft.change(item.id, shape=draft.shape(Node(self.TOOL, arguments, (item.shape,))))


class Shell(Reshaping):
    """Make an object hollow."""

    TOOL = "shell"
    thickness: Length = Field(description="Of the wall, inward from the outside, mm.")
    open: Faces | None = Field(
        default=None, description="Faces that are taken away; without them the hollow is closed."
    )


class Fillet(Reshaping):
    """Round edges."""

    TOOL = "fillet"
    radius: Length = Field(description="mm")
    edges: Edges


class Chamfer(Reshaping):
    """Bevel edges."""

    TOOL = "chamfer"
    length: Length = Field(description="Taken off each of the two faces, mm.")
    edges: Edges


class Moving(Step):
    """A step that moves objects by its own arguments."""

    MANY: ClassVar = ("objects",)
    TOOL: ClassVar[str]
    objects: Objects

    def node(self, item: Item) -> Node:
        """Return how the object's shape is moved."""
        arguments: dict[str, Any] = self.recipe()
        for field in ("objects", "copy_names"):
            arguments.pop(field, None)
        return Node(self.TOOL, arguments, (item.shape,))

    def apply(self, draft: Draft) -> None:
        """Move each object."""
        for identity in self.objects:
            draft.change(identity, shape=draft.shape(self.node(draft.item(identity))))


def _moves(vector: list[float]) -> list[float]:
    if not any(vector):
        raise ValueError("is [0, 0, 0], which moves nothing")
    return vector


class Move(Moving):
    """Move objects."""

    TOOL = "move"
    by: Annotated[Point, AfterValidator(_moves)] = Field(description="[x, y, z], mm.")


class Rotate(Moving):
    """Turn objects about an axis."""

    TOOL = "rotate"
    axis: Axis = Field(description="Direction of the axis.")
    angle: Annotated[Angle, AfterValidator(nonzero)] = Field(
        description="Degrees, right-handed about the axis."
    )
    about: Point = Field(
        default_factory=lambda: [0.0, 0.0, 0.0],
        description="A point [x, y, z] of the axis, mm; default the origin.",
    )


class Mirror(Moving):
    """Mirror objects, or add their mirror images."""

    TOOL = "mirror"
    plane: PlaneName = Field(description="The mirror is parallel to this plane.")
    at: Coordinate = Field(
        default=0.0, description="Where the mirror stands along its third axis, mm."
    )
    copy_names: Names | None = Field(
        default=None,
        description="Keep the objects and give their mirror images these names, in order.",
    )

    def apply(self, draft: Draft) -> None:
        """Mirror each object, or add its image."""
        if self.copy_names is None:
            super().apply(draft)
            return
        for identity, name in zip(self.objects, self.copy_names, strict=True):
            item = draft.item(identity)
            draft.add(name, draft.shape(self.node(item)), like=item)

    def resolved(self, table: Table) -> Self:
        """Return the step with ids for names; each object needs one name of a copy."""
        step = super().resolved(table)
        if step.copy_names is not None and len(step.copy_names) != len(step.objects):
            raise miscounted("copy_names", len(step.objects), len(step.copy_names))
        return step
