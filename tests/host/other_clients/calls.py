"""What a person would try with the object tools: each of them once, then each way to go wrong."""

from typing import Any

Calls = list[tuple[str, dict[str, Any]]]


def _circle(radius: float) -> dict[str, Any]:
    return {"kind": "circle", "radius": radius}


CUP = [[0, 0], [30, 0], [35, 60], [32, 60], [27, 3], [0, 3]]
L_SHAPE = [[0, 0], [60, 0], [60, 20], [20, 20], [20, 50], [0, 50]]

WORK: Calls = [
    ("box", {"name": "base", "size": [280, 350, 20], "at": [-140, -150, 0]}),
    ("cylinder", {"name": "knob", "radius": 18, "height": 20, "at": [40, 0, 300], "axis": "-Y"}),
    ("cone", {"name": "funnel", "radius": 10, "top_radius": 25, "height": 30, "at": [0, 0, 100]}),
    ("sphere", {"name": "ball", "radius": 8, "at": [0, 0, 200]}),
    ("torus", {"name": "o-ring", "radius": 20, "tube_radius": 2, "at": [0, 0, 150]}),
    (
        "extrude",
        {
            "name": "bracket",
            "sketch": {
                "plane": "XY",
                "at": 400,
                "outline": {"kind": "polygon", "points": L_SHAPE},
                "holes": [{"kind": "circle", "centre": [45, 10], "radius": 4}],
            },
            "distance": 8,
        },
    ),
    (
        "revolve",
        {
            "name": "cup",
            "sketch": {"plane": "XZ", "outline": {"kind": "polygon", "points": CUP}},
            "axis": "v",
        },
    ),
    ("move", {"objects": ["cup"], "by": [0, 0, 500]}),
    (
        "sweep",
        {
            "name": "steam wand",
            "profile": {"outline": _circle(5)},
            "path": [[120, -10, 250], [120, -10, 150], [120, -60, 90]],
            "bend_radius": 20,
        },
    ),
    (
        "loft",
        {
            "name": "hopper",
            "plane": "XY",
            "sections": [
                {"at": 600, "outline": _circle(20)},
                {
                    "at": 650,
                    "outline": {"kind": "rectangle", "size": [80, 60], "corner_radius": 10},
                },
            ],
            "ruled": True,
        },
    ),
    ("cylinder", {"name": "drill", "radius": 5, "height": 40, "at": [-100, 0, -10]}),
    ("boolean", {"operation": "cut", "target": "base", "tools": ["drill"], "keep_tools": True}),
    ("box", {"name": "housing", "size": [280, 200, 320], "at": [-140, 0, 20]}),
    ("shell", {"object": "housing", "thickness": 3, "open": {"side": "bottom"}}),
    ("fillet", {"object": "housing", "radius": 8, "edges": {"parallel": "Z", "corner": "convex"}}),
    ("chamfer", {"object": "bracket", "length": 1, "edges": {"side": "top"}}),
    ("rotate", {"objects": ["bracket"], "axis": "Z", "angle": 90, "about": [0, 0, 400]}),
    ("mirror", {"objects": ["knob"], "plane": "YZ", "at": 70, "copy_names": ["knob right"]}),
    ("box", {"name": "grate bar 1", "size": [200, 10, 6], "at": [-100, -130, 50]}),
    ("linear_pattern", {"object": "grate bar 1", "count": 5, "step": [0, 25, 0]}),
    (
        "polar_pattern",
        {"object": "ball", "count": 4, "axis": "Z", "about": [30, 0, 0], "angle": 360},
    ),
    ("rename", {"object": "o-ring", "name": "seal"}),
    ("appearance", {"objects": ["housing"], "material": "stainless steel", "colour": "#B8BCC0"}),
    ("visibility", {"objects": ["drill"], "visible": False}),
    ("group", {"name": "grate", "objects": ["grate bar 1", "grate bar 2"]}),
    ("ungroup", {"group": "grate"}),
    ("delete", {"objects": ["drill"]}),
    (
        "batch",
        {
            "calls": [
                {"tool": "box", "arguments": {"name": "tray", "size": [220, 150, 30]}},
                {
                    "tool": "shell",
                    "arguments": {"object": "tray", "thickness": 2, "open": {"side": "top"}},
                },
            ]
        },
    ),
    ("edit_step", {"step": 1, "changes": {"size": [280, 350, 25]}}),
    ("undo", {}),
    ("redo", {}),
    ("list_objects", {}),
    ("inspect_object", {"object": "tray"}),
    ("measure_between", {"first": "base", "second": "knob"}),
    ("measure", {}),
    ("save", {}),
    ("export_step", {"file": "machine.step"}),
]
"""Every tool that a client of the object tools is shown, each at least once; all must be taken."""

_BOX = {"name": "new", "size": [1, 1, 1]}
_BOW = [[0, 0], [9, 9], [9, 0], [0, 9]]
_FLAT = {"plane": "XZ", "outline": {"kind": "polygon", "points": _BOW}}
_BACK = [[0, 0, 0], [0, 0, 50], [30, 0, 50], [30, 0, 20], [-30, 0, 20]]

MISTAKES: list[tuple[str, str, dict[str, Any]]] = [
    ("syntax", "box", {"name": "new"}),
    ("syntax", "box", {**_BOX, "size": [0, 1, 1]}),
    ("syntax", "box", {**_BOX, "color": "red"}),
    ("syntax", "propose", {"program": "result = Box(1, 1, 1)", "parameters": {}}),
    ("syntax", "export_step", {"file": "../machine.step"}),
    ("limit", "move", {"objects": ["base"], "by": [1e6, 0, 0]}),
    ("limit", "linear_pattern", {"object": "cup", "count": 200, "step": [90, 0, 0]}),
    ("name-taken", "box", {**_BOX, "name": "base"}),
    ("object-unknown", "inspect_object", {"object": "boiler"}),
    ("object-unknown", "measure_between", {"first": "base", "second": "o99"}),
    ("no-effect", "rename", {"object": "base", "name": "base"}),
    ("no-effect", "redo", {}),
    ("no-effect", "boolean", {"operation": "cut", "target": "base", "tools": ["cup"]}),
    ("no-solid", "boolean", {"operation": "intersect", "target": "base", "tools": ["cup"]}),
    (
        "nothing-selected",
        "fillet",
        {"object": "tray", "radius": 1, "edges": {"at": {"axis": "Z", "value": 999}}},
    ),
    ("not-built", "fillet", {"object": "tray", "radius": 80, "edges": {"parallel": "Z"}}),
    ("not-built", "extrude", {"name": "new", "sketch": _FLAT, "distance": 5}),
    (
        "not-valid",
        "sweep",
        {"name": "new", "profile": {"outline": _circle(5)}, "path": _BACK},
    ),
    (
        "name-taken",
        "batch",
        {
            "calls": [
                {"tool": "box", "arguments": _BOX},
                {"tool": "box", "arguments": {**_BOX, "name": "base"}},
            ]
        },
    ),
]
"""Every code that object tools have but time-outs, which take a minute: code, tool, arguments."""
