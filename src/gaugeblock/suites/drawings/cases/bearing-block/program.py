# A program's text: the modeller's names come from who runs it, and none of it is ours to mend.
# ruff: noqa
# mypy: ignore-errors
# gaugeblock-canary-23680f1b-3abe-465f-989c-8cf86ef27c7f

# Bearing block: a foot with an open slot at each end, a body with a bore along Y. All lengths in mm.
outline = Polyline(
    (-length / 2, 0),
    (length / 2, 0),
    (length / 2, footHeight),
    (bodyLength / 2, footHeight),
    (bodyLength / 2, height),
    (-bodyLength / 2, height),
    (-bodyLength / 2, footHeight),
    (-length / 2, footHeight),
    close=True,
)
block = extrude(Plane.XZ * make_face(outline), width / 2, both=True)
upright = block.edges().filter_by(Axis.Y)
inner = [e for e in upright if abs(abs(e.center().X) - bodyLength / 2) < 1e-6]
block = fillet([e for e in inner if e.center().Z < height - 1], root)
upright = block.edges().filter_by(Axis.Y)
block = fillet(
    [
        e
        for e in upright
        if e.center().Z > height - 1e-6 and abs(abs(e.center().X) - bodyLength / 2) < 1e-6
    ],
    shoulder,
)
block -= Pos(0, 0, boreHeight) * Rot(90, 0, 0) * Cylinder(bore / 2, width)
block = chamfer(
    [e for e in block.edges().filter_by(GeomType.CIRCLE) if abs(e.radius - bore / 2) < 1e-6],
    bevelLeg,
)
for side in (-1, 1):
    middle = side * (length / 2 - slotDepth)
    block -= Pos(middle, 0, footHeight / 2) * Cylinder(slotWidth / 2, footHeight)
    block -= Pos(middle + side * slotDepth / 2, 0, footHeight / 2) * Box(
        slotDepth, slotWidth, footHeight
    )
result = {"bearing block": block}
