# A program's text: the modeller's names come from who runs it, and none of it is ours to mend.
# ruff: noqa
# mypy: ignore-errors
# gaugeblock-canary-0a2e990e-0005-4423-949e-42c254e87500

# Hexagon bolt with a flange and a modelled ISO metric thread, its head below the origin. All
# lengths in mm.


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


def threaded(major, pitch, length, chamfer, starts=1, left=False):
    """A threaded end about Z from the origin up, chamfered at the top."""
    minor = major - 5 / 8 * math.sqrt(3) * pitch
    core = Pos(0, 0, length / 2) * Cylinder(minor / 2, length + 6 * pitch)
    over = 2 * pitch
    wind = Pos(0, 0, -over) * ridge(major, pitch, length + 2 * over, starts, left)
    wound = core.fuse(*(Rot(0, 0, 360 / starts * i) * wind for i in range(starts)))
    wide = major - chamfer
    envelope = Polyline(
        (0, 0),
        (wide, 0),
        (wide, length - major / 2),
        (major / 2 - chamfer, length),
        (0, length),
        close=True,
    )
    return wound & revolve(Plane.XZ * make_face(envelope), Axis.Z)


start = length - threadLength
shank = Pos(0, 0, start / 2) * Cylinder(major / 2, start)
flange = Pos(0, 0, -flangeHeight / 2) * Cylinder(flangeDiameter / 2, flangeHeight)
head = extrude(RegularPolygon(flats / 2, 6, major_radius=False), -headHeight)
thread = Pos(0, 0, start) * threaded(major, pitch, threadLength, point)
result = {"bolt": flange + head + shank + thread}
