"""A case: what is asked of an agent, within which limits, and the formulas it is judged by."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from gaugeblock.records.base import Record
from gaugeblock.records.drawing_task import DrawingTask
from gaugeblock.records.prices import Usd

Language = Literal["en", "zh"]
"""Language of an instruction; a control variable of every trial."""

Formula = str
"""A closed formula over a case's parameters and symbols, such as ``N*pi*3**2*2``. mm, mm³."""

BOUND_NAMES = ("xmin", "ymin", "zmin", "xmax", "ymax", "zmax")


class Limits(Record):
    """Ceilings of one conversation; None = no limit. Passing one ends it as ``stopped:<limit>``."""

    wall_s: float = Field(gt=0, description="Whole conversation, s.")
    no_commit_s: float | None = Field(
        default=None, gt=0, description="Time without any committed plan, s."
    )
    tool_calls: int = Field(gt=0, description="Tool calls to the world.")
    turns: int = Field(gt=0, description="Model turns.")
    repairs: int | None = Field(
        default=None, ge=0, description="Plans sent again after a rejection; one more fails."
    )
    program_s: float = Field(gt=0, description="One program run in the host's sandbox, s.")
    evaluation_s: float = Field(gt=0, description="One read-back by the ruler, s.")
    output_tokens: int = Field(default=8192, gt=0, description="Output tokens a request.")
    request_s: float = Field(default=180, gt=0, description="One provider request, s.")
    request_bytes: int = Field(default=176_000, gt=0, description="Serialised request, bytes.")
    cell_budget_usd: Usd | None = Field(
        default=None, description="What all trials of one profile on the case may spend, USD."
    )
    round_budget_usd: Usd | None = Field(
        default=None, description="What one conversation may spend, tested after each answer, USD."
    )


class Typical(Record):
    """What one conversation on a case was seen to take elsewhere; only for a plan's estimate."""

    requests: int = Field(ge=1)
    input_tokens: int = Field(ge=1, description="Of all its requests together.")
    source: str


class Reading(Record):
    """A known misreading of an instruction: a named negative control that must fail."""

    name: str
    means: str = Field(description="What the agent understood, in one sentence.")
    volume: Formula = Field(description="The volume such a delivery has, mm³.")


class Truth(Record):
    """What a right delivery measures, as closed formulas. A quantity left out is not judged."""

    symbols: dict[str, Formula] = Field(
        default_factory=dict, description="Names used by the formulas below, evaluated in order."
    )
    volume: Formula | None = Field(default=None, description="mm³")
    solids: Formula | None = None
    faces: Formula | None = None
    bounds: dict[str, Formula] = Field(
        default_factory=dict, description="Any of xmin ymin zmin xmax ymax zmax, mm."
    )
    names: tuple[str, ...] | None = Field(
        default=None, description="The exact set of solid names, where it is judged."
    )
    reported_apart: tuple[str, ...] = Field(
        default=(),
        description="Names of checks that together form a weaker criterion of the source; it is "
        "reported beside the verdict and never is the verdict.",
    )

    @model_validator(mode="after")
    def _known_bounds(self) -> Truth:
        unknown = sorted(set(self.bounds) - set(BOUND_NAMES))
        if unknown:
            raise ValueError(f"unknown bounds {unknown}; use {', '.join(BOUND_NAMES)}")
        return self


class Spread(Record):
    """Places evenly spread along an axis, the first and the last on the ends."""

    first: Formula = Field(description="mm")
    last: Formula = Field(description="mm")
    count: Formula


class EditBox(Record):
    """A box along the axes: lowest and highest coordinate along each, mm."""

    x: tuple[Formula, Formula]
    y: tuple[Formula, Formula]
    z: tuple[Formula, Formula]


Across = Formula | Spread | tuple[Formula, Formula]


class EditCylinder(Record):
    """A cylinder along an axis, or a grid of them, mm.

    Along its own axis a pair, from and to; along the other two the place of its middle, or a
    spread of places.
    """

    along: Literal["x", "y", "z"]
    diameter: Formula
    x: Across
    y: Across
    z: Across

    @model_validator(mode="after")
    def _one_pair_along_its_axis(self) -> EditCylinder:
        for axis in ("x", "y", "z"):
            pair = isinstance(getattr(self, axis), tuple)
            if pair != (axis == self.along):
                raise ValueError(f"{axis}: a pair [from, to] along {self.along} and nowhere else")
        return self


class EditShapes(Record):
    """Boxes and cylinders together."""

    boxes: tuple[EditBox, ...] = ()
    cylinders: tuple[EditCylinder, ...] = ()


class Edit(EditShapes):
    """Where a delivery may differ from the start: inside a shape, and in none of those `kept`."""

    kept: EditShapes = EditShapes()


class Round(Record):
    """One conversation: an instruction and its truth."""

    id: str = Field(pattern=r"^[\w'′.-]+$")
    growth: float = Field(description="Place on the axis: repeats N, or the round's number.")
    instruction: dict[Language, str]
    reviewed_as: dict[Language, str] = Field(
        default_factory=dict,
        description="What reviewers read in place of the instruction: the part that cases which "
        "ask for the same thing have in common, so that it does not tell how it was made.",
    )
    parameters: dict[str, float] = Field(
        description="Values that the formulas use and that the instruction names."
    )
    truth: Truth
    edit: Edit | None = Field(
        default=None,
        description="Where the part may change. Outside it, start and delivery must be the same. "
        "None: nothing is conserved, such as where something new is made.",
    )
    readings: tuple[Reading, ...] = ()
    probe: dict[str, float] = Field(
        default_factory=dict,
        description="Re-edit probe: parameters that are set anew in the delivered document after "
        "it was judged; the truth with them is judged apart. Empty: none is made.",
    )
    probe_edit: Edit | None = Field(
        default=None,
        description="Where the probe may change the delivered part; `xDelivered` is the value of "
        "parameter `x` before. None: nothing is conserved by the probe.",
    )

    @model_validator(mode="after")
    def _a_probe_changes_parameters(self) -> Round:
        unknown = sorted(set(self.probe) - set(self.parameters))
        if unknown:
            raise ValueError(f"round {self.id}: its probe sets {unknown[0]}, which is no parameter")
        same = [name for name, value in self.probe.items() if value == self.parameters[name]]
        if same:
            raise ValueError(f"round {self.id}: its probe leaves {same[0]} as it is")
        if self.probe_edit is not None and not self.probe:
            raise ValueError(f"round {self.id}: `probe_edit` without a `probe`")
        return self


class Case(Record):
    """One sample: a start and one or more rounds on the same document."""

    id: str = Field(pattern=r"^[\w'′.-]+$")
    suite: str
    version: int = Field(ge=1, description="A changed task is a new version and a new cohort.")
    title: str
    axis: str = Field(description="The axis on which growth is read, such as scale or depth.")
    visibility: Literal["open", "sealed"] = Field(
        default="open", description="Open: public and fixed. Never pooled with sealed draws."
    )
    needs: tuple[str, ...] = Field(description="Capabilities the world must have.")
    start: str | None = Field(default=None, description="Start document's file; None = empty.")
    start_sha256: str | None = Field(default=None, description="SHA-256 of the start document.")
    rounds: tuple[Round, ...] = Field(min_length=1)
    tools: Literal["program", "objects", "all"] = Field(
        default="program", description="Which of our host's tools the agent is shown."
    )
    answer: Literal["tools", "program"] = Field(
        default="tools",
        description="`program`: the agent sees no tool; the one program in its answer is proposed "
        "to the host for it.",
    )
    reopened: bool = Field(
        default=False, description="Whether a fresh host opens the saved document again."
    )
    interference: bool = Field(
        default=False,
        description="Whether the ruler measures which solids of the delivery share space; it is "
        "told beside the grade and never part of it.",
    )
    drawing: DrawingTask | None = Field(
        default=None, description="The sheet that the part is built from; None: there is none."
    )
    limits: Limits
    typical: Typical | None = None

    @model_validator(mode="after")
    def _an_edit_has_a_start(self) -> Case:
        if self.start is None and self.rounds[0].edit is not None:
            raise ValueError(f"round {self.rounds[0].id} edits a part, and the case has no start")
        return self

    @property
    def hides_truth(self) -> bool:
        """Whether its truth must stay out of the agent's reach: there is more than formulas."""
        return self.drawing is not None

    def digest(self) -> str:
        """Return the case's own fingerprint: SHA-256 over everything it says."""
        return self.content_sha256()
