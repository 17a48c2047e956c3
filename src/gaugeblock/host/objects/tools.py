"""The object tools as a model sees them: names, descriptions with units and an example."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from gaugeblock.host.objects.catalogue import STEPS
from gaugeblock.host.objects.editing import Call
from gaugeblock.host.objects.quantities import Reference
from gaugeblock.host.tools import Nothing, ToolText
from gaugeblock.records.base import Record

INSTRUCTIONS = """\
A CAD document of named solid objects. Lengths are mm, angles degrees, volumes mm³; X runs right,
Y to the back, Z up. Objects are made and changed by tools, one step a call; every step is kept
and can be edited. A call that fails changes nothing and says what to change; undo takes the last
change back. There is no view: check with list_objects, inspect_object and measure_between.
Refer to objects by name. Save and export when done."""

MAX_CALLS = 100
"""Calls of one batch: half a full document in one go."""

STEP_TEXTS = {
    "box": """\
Add a box along the axes. at is its lowest corner (smallest x, y, z).
Example: {"name": "base", "size": [280, 350, 20], "at": [-140, -150, 0]}""",
    "cylinder": """\
Add a cylinder. at is the centre of its first end; axis (X, Y, Z, -X, -Y, -Z; default Z) points
from there to the other end. Example: {"name": "knob", "radius": 18, "height": 20, "at":
[40, 0, 300], "axis": "-Y"}""",
    "cone": """\
Add a cone or a frustum: radius at the first end, top_radius at the other (either may be 0, not
both the same). Example: {"name": "funnel", "radius": 10, "top_radius": 25, "height": 30}""",
    "sphere": """\
Add a sphere around at. Example: {"name": "ball", "radius": 8, "at": [0, 0, 60]}""",
    "torus": """\
Add a ring around at: radius to the middle of the tube, tube_radius of the tube, axis X, Y or Z.
Example: {"name": "o-ring", "radius": 20, "tube_radius": 2, "at": [0, 0, 10]}""",
    "extrude": """\
Add a solid from a flat sketch drawn out by distance (mm) along the plane's third axis: XY to +Z,
XZ to +Y, YZ to +X; negative goes the other way. The outline is one loop, holes are further loops
inside. Example: {"name": "bracket", "sketch": {"plane": "XY", "at": 0, "outline": {"kind":
"polygon", "points": [[0, 0], [60, 0], [60, 20], [20, 20], [20, 50], [0, 50]]}, "holes": [{"kind":
"circle", "centre": [45, 10], "radius": 4}]}, "distance": 8}""",
    "revolve": """\
Add a solid of revolution: a flat sketch turned about an axis in its plane, along u or v through
the point through [u, v]. Draw only the half on one side of the axis. Example: {"name": "cup",
"sketch": {"plane": "XZ", "outline": {"kind": "polygon", "points": [[0, 0], [30, 0], [35, 60],
[32, 60], [27, 3], [0, 3]]}}, "axis": "v"}""",
    "sweep": """\
Add a solid led along a path of points: a pipe, a rail, a wire. The profile is drawn around [0, 0],
which follows the path; v points up. Bends get bend_radius (0: mitred), or smooth makes one curve
of all points. Example: {"name": "steam wand", "profile": {"outline": {"kind": "circle",
"radius": 5}}, "path": [[120, -10, 250], [120, -10, 150], [120, -60, 90]], "bend_radius": 20}""",
    "loft": """\
Add a solid with a skin over outlines on parallel planes, in order along the third axis.
Example: {"name": "hopper", "plane": "XY", "sections": [{"at": 0, "outline": {"kind": "circle",
"radius": 20}}, {"at": 50, "outline": {"kind": "rectangle", "size": [80, 60],
"corner_radius": 10}}], "ruled": true}""",
    "boolean": """\
Join objects or cut them: union (target and tools become one), cut (target less tools), intersect
(what target shares with any of the tools). The target keeps its name; the tools vanish unless
keep_tools. Example: {"operation": "cut", "target": "base", "tools": ["drill"]}""",
    "shell": """\
Make an object hollow with a wall of thickness mm inside its outer surface; open names the faces
taken away (a rule, as edges in fillet). Example: {"object": "housing", "thickness": 3, "open":
{"side": "top"}}""",
    "fillet": """\
Round edges with radius mm. edges is a rule; all conditions given must hold: all, parallel (X, Y,
Z), side (top, bottom, left, right, front, back), at {axis, value}, kind (line, circle, other),
corner (convex, concave), through points, or ids of inspect_object. Examples of rules:
{"all": true}; {"side": "top"}; {"parallel": "Z", "corner": "convex"}.
Example: {"object": "base", "radius": 4, "edges": {"parallel": "Z"}}""",
    "chamfer": """\
Bevel edges: length mm taken off both faces (45° at a right angle). edges is a rule as in fillet.
Example: {"object": "base", "length": 1, "edges": {"side": "top"}}""",
    "move": """\
Move objects by a vector in mm. Example: {"objects": ["knob"], "by": [0, 0, 15]}""",
    "rotate": """\
Turn objects by an angle (degrees, right-handed) about an axis through a point.
Example: {"objects": ["knob"], "axis": "Z", "angle": 90, "about": [40, 0, 300]}""",
    "mirror": """\
Mirror objects in a plane parallel to XY, XZ or YZ at a place along its third axis; with copy_names
the objects stay and mirrored copies get these names.
Example: {"objects": ["knob"], "plane": "YZ", "at": 0, "copy_names": ["knob left"]}""",
    "linear_pattern": """\
Repeat an object in a row (count, the original included, each step [x, y, z] mm further), or in a
grid with count2 and step2. Copies are objects named on from the original unless names are given;
combine makes all one object, to cut many holes at once. At most 200 places.
Example: {"object": "grate bar 1", "count": 5, "step": [0, 25, 0]}""",
    "polar_pattern": """\
Repeat an object in a ring about an axis through a point: count with the original, spread over
angle degrees (360: evenly all round; less: first to last). names and combine as in
linear_pattern. Example: {"object": "bolt 1", "count": 6, "axis": "Z", "about": [0, 0, 0]}""",
    "rename": """\
Give an object another name. Example: {"object": "o3", "name": "drip tray"}""",
    "appearance": """\
Set the material (any words) and the colour (#RRGGBB, or #RRGGBBAA with alpha) of objects; what is
not given stays. Example: {"objects": ["housing"], "material": "stainless steel", "colour":
"#B8BCC0"}""",
    "visibility": """\
Show or hide objects. Hidden ones stay and are measured, but not exported.
Example: {"objects": ["housing"], "visible": false}""",
    "delete": """\
Delete objects. Example: {"objects": ["drill"]}""",
    "group": """\
Put objects into a group, a new one or one there is; each is in one group at most. A group's name
stands for its objects in every `objects`, and is an assembly in STEP.
Example: {"name": "grate", "objects": ["grate bar 1", "grate bar 2"]}""",
    "ungroup": """\
Take a group apart; its objects stay. Example: {"group": "grate"}""",
}

LIST_OBJECTS = """\
List all objects in short: name, id, volume mm³, bounds (min, max, mm), material, colour, group, and
"visible": false where hidden. Takes no arguments."""

INSPECT_OBJECT = """\
Show one object whole: volume, area, bounds, centroid, its recipe (numbered steps, for edit_step),
and its edges and faces with ids, kinds, sizes and places in mm (200 of each).
Example: {"object": "housing"}"""

MEASURE_BETWEEN = """\
Measure two objects against each other: least distance (mm) and where, and the volume both fill
(mm³, 0 if they only touch). Example: {"first": "portafilter", "second": "drip tray"}"""

EDIT_STEP = """\
Change arguments of an earlier step (its number is in inspect_object) and make all after it anew;
all or nothing. changes holds the arguments that change; null takes one out.
Example: {"step": 1, "changes": {"size": [300, 350, 20]}}"""

UNDO = """\
Take back the last change (a batch or a program counts as one), as a new version.
Takes no arguments."""

REDO = """\
Do again what undo took back, as long as nothing else was changed. Takes no arguments."""

BATCH = """\
Do several calls in order as one change, all or nothing: if one fails, none counts, and the error
says which. Later calls may use objects of earlier ones. Any tool that changes objects, at most 100
calls. Example: {"calls": [{"tool": "box", "arguments": {"name": "tray", "size": [220, 150, 30]}},
{"tool": "shell", "arguments": {"object": "tray", "thickness": 2, "open": {"side": "top"}}}]}"""


class InspectObject(Record):
    """The arguments of inspect_object."""

    object: Reference = Field(description="Name or id of the object.")


class MeasureBetween(Record):
    """The arguments of measure_between."""

    first: Reference = Field(description="Name or id of an object.")
    second: Reference = Field(description="Name or id of another.")


class EditStep(Record):
    """The arguments of edit_step."""

    step: int = Field(strict=True, ge=1, description="Number of the step.")
    changes: dict[str, Any] = Field(
        min_length=1, description="Argument name -> new value, as the step's tool takes them."
    )


class Batch(Record):
    """The arguments of batch."""

    calls: Annotated[list[Call], Field(min_length=1, max_length=MAX_CALLS)] = Field(
        description="The calls in their order."
    )


OBJECT_TOOLS = (
    *(ToolText(name, STEP_TEXTS[name], step, "COMMITTED") for name, step in STEPS.items()),
    ToolText("batch", BATCH, Batch, "COMMITTED"),
    ToolText("edit_step", EDIT_STEP, EditStep, "COMMITTED"),
    ToolText("undo", UNDO, Nothing, "COMMITTED"),
    ToolText("redo", REDO, Nothing, "COMMITTED"),
    ToolText("list_objects", LIST_OBJECTS, Nothing),
    ToolText("inspect_object", INSPECT_OBJECT, InspectObject),
    ToolText("measure_between", MEASURE_BETWEEN, MeasureBetween),
)
