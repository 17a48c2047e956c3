# A program's text: the modeller's names come from who runs it, and none of it is ours to mend.
# ruff: noqa
# mypy: ignore-errors
# gaugeblock-canary-8e7b42b7-9e40-4c8a-874e-3e2abaa62c41

# Slotted round nut with a fine thread, four slots for a hook spanner in its lower end and a
# shoulder on its upper one. All lengths in mm.


def ridge(major, pitch, height, starts=1, left=False):
    """Ridges of an ISO 68-1 thread about Z from the origin up: crest P/8, root P/4."""
    outer = major / 2
    inner = outer - 5 / 16 * math.sqrt(3) * pitch
    sunk = 0.05
    half, crest = 0.375 * pitch + sunk * math.tan(math.radians(30)), pitch / 16
    section = Polyline(
        (inner - sunk, -half), (outer, -crest), (outer, crest), (inner - sunk, half), close=True
    )
    path = Helix(pitch=starts * pitch, height=height, radius=inner, lefthand=left)
    return sweep(Plane.XZ * make_face(section), path=path, is_frenet=True)


def tap(major, pitch, depth):
    """What a tap takes out of a hole from z = 0 down to -depth, and a little beyond both ends."""
    minor = major - 5 / 8 * math.sqrt(3) * pitch
    core = Pos(0, 0, -depth / 2) * Cylinder(minor / 2, depth + 6 * pitch)
    wound = core + Pos(0, 0, -depth - 2 * pitch) * ridge(major, pitch, depth + 4 * pitch)
    return wound & Pos(0, 0, -depth / 2) * Cylinder(major, depth + 2)


ring = height - shoulderHeight
outline = Polyline(
    (0, 0),
    (diameter / 2, 0),
    (diameter / 2, ring - bevelLeg),
    (diameter / 2 - bevelLeg, ring),
    (shoulderDiameter / 2, ring),
    (shoulderDiameter / 2, height),
    (0, height),
    close=True,
)
nut = revolve(Plane.XZ * make_face(outline), Axis.Z)
for turn in (0, 90, 180, 270):
    slot = Box(2 * slotDepth, slotWidth, slotLength)
    nut -= Rot(0, 0, turn) * Pos(diameter / 2, 0, slotLength / 2) * slot
nut -= Pos(0, 0, height) * tap(major, pitch, height)
result = {"nut": nut}
