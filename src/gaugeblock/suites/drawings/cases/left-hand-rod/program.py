# A program's text: the modeller's names come from who runs it, and none of it is ours to mend.
# ruff: noqa
# mypy: ignore-errors
# gaugeblock-canary-1389196a-e534-404b-85a2-8360c3d39ad2

# Tie rod about Z: left-hand thread at the upper end, a smaller right-hand one at the lower end, a
# neck behind each, and a grip with two flats for a spanner between them. All lengths in mm.


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


def threaded(major, pitch, length, bevelLeg, starts=1, left=False):
    """A threaded end about Z from the origin up, chamfered at the top."""
    minor = major - 5 / 8 * math.sqrt(3) * pitch
    core = Pos(0, 0, length / 2) * Cylinder(minor / 2, length + 6 * pitch)
    over = 2 * pitch
    wind = Pos(0, 0, -over) * ridge(major, pitch, length + 2 * over, starts, left)
    wound = core.fuse(*(Rot(0, 0, 360 / starts * i) * wind for i in range(starts)))
    wide = major - bevelLeg
    envelope = Polyline(
        (0, 0),
        (wide, 0),
        (wide, length - major / 2),
        (major / 2 - bevelLeg, length),
        (0, length),
        close=True,
    )
    return wound & revolve(Plane.XZ * make_face(envelope), Axis.Z)


def end(major, pitch, neck, length, left):
    """Neck and threaded end on top of z = 0."""
    foot = Pos(0, 0, neckLength / 2) * Cylinder(neck / 2, neckLength)
    return foot + Pos(0, 0, neckLength) * threaded(major, pitch, length, bevelLeg, left=left)


grip = Pos(0, 0, gripLength / 2) * Cylinder(gripDiameter / 2, gripLength)
width = gripDiameter
for side in (-1, 1):
    flat = Box(width, width, flatsLength)
    grip -= Pos(0, side * (flats + width) / 2, gripLength / 2) * flat
upper = end(leftMajor, leftPitch, leftNeck, leftLength, True)
lower = end(rightMajor, rightPitch, rightNeck, rightLength, False)
result = {"rod": grip + Pos(0, 0, gripLength) * upper + Rot(180, 0, 0) * lower}
