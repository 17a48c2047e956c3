# A program's text: the modeller's names come from who runs it, and none of it is ours to mend.
# ruff: noqa
# mypy: ignore-errors
# gaugeblock-canary-06a06678-df1e-4c7b-9712-7e9276d54457

# Flange with a hub, a spigot recess and four tapped holes through its disc; a hole for a dowel
# between two of them. All lengths in mm.


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


flange = Pos(0, 0, thickness / 2) * Cylinder(diameter / 2, thickness)
flange += Pos(0, 0, hubHeight / 2) * Cylinder(hubDiameter / 2, hubHeight)
flange -= Pos(0, 0, hubHeight / 2) * Cylinder(boreDiameter / 2, hubHeight)
flange -= Pos(0, 0, spigotDepth / 2) * Cylinder(spigotDiameter / 2, spigotDepth)
cutter = tap(major, pitch, thickness)
for i in range(4):
    turn = math.radians(45 + 90 * i)
    x, y = circle / 2 * math.cos(turn), circle / 2 * math.sin(turn)
    flange -= Pos(x, y, thickness) * cutter
flange -= Pos(pinDistance, 0, thickness / 2) * Cylinder(pinDiameter / 2, thickness)
result = {"flange": flange}
