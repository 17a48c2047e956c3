# A program's text: the modeller's names come from who runs it, and none of it is ours to mend.
# ruff: noqa
# mypy: ignore-errors
# gaugeblock-canary-4fd2c83d-252a-4bfa-9ffd-66f94a67d73d

# Spindle about Z with a two-start thread, a neck behind it, a collar, a journal with a cross hole
# and a square end. All lengths in mm.


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


spindle = Pos(0, 0, collarLength / 2) * Cylinder(collarDiameter / 2, collarLength)
spindle += Pos(0, 0, collarLength + neckLength / 2) * Cylinder(neckDiameter / 2, neckLength)
spindle += Pos(0, 0, collarLength + neckLength) * threaded(major, pitch, threadLength, bevelLeg, 2)
spindle += Pos(0, 0, -journalLength / 2) * Cylinder(journalDiameter / 2, journalLength)
square = Box(squareWidth, squareWidth, squareLength)
spindle += Pos(0, 0, -journalLength - squareLength / 2) * square
cross = Rot(90, 0, 0) * Cylinder(pinDiameter / 2, journalDiameter)
spindle -= Pos(0, 0, -pinDistance) * cross
result = {"spindle": spindle}
