"""Which step belongs to which tool."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from gaugeblock.host.diagnostics import PlanRejected, misfit
from gaugeblock.host.objects import changing, labelling, making, patterns
from gaugeblock.host.objects.steps import Step

STEPS: dict[str, type[Step]] = {
    "box": making.Box,
    "cylinder": making.Cylinder,
    "cone": making.Cone,
    "sphere": making.Sphere,
    "torus": making.Torus,
    "extrude": making.Extrude,
    "revolve": making.Revolve,
    "sweep": making.Sweep,
    "loft": making.Loft,
    "boolean": changing.Boolean,
    "shell": changing.Shell,
    "fillet": changing.Fillet,
    "chamfer": changing.Chamfer,
    "move": changing.Move,
    "rotate": changing.Rotate,
    "mirror": changing.Mirror,
    "linear_pattern": patterns.LinearPattern,
    "polar_pattern": patterns.PolarPattern,
    "rename": labelling.Rename,
    "appearance": labelling.Appearance,
    "visibility": labelling.Visibility,
    "delete": labelling.Delete,
    "group": labelling.Group,
    "ungroup": labelling.Ungroup,
}
TOOLS = {step: tool for tool, step in STEPS.items()}
"""The tool of a step's class."""


def read_step(tool: str, arguments: dict[str, Any]) -> Step:
    """Return the step of a tool's arguments.

    Raises:
        PlanRejected: there is no such tool, or the arguments do not fit it.
    """
    if tool not in STEPS:
        raise PlanRejected(
            "syntax",
            f"no tool {tool[:100]!r} that changes objects",
            repair=f"Use {', '.join(STEPS)}.",
        )
    try:
        return STEPS[tool].model_validate(arguments)
    except ValidationError as error:
        raise misfit(tool, STEPS[tool], error) from None
