# A program's text: the modeller's names come from who runs it, and none of it is ours to mend.
# ruff: noqa
# mypy: ignore-errors
# gaugeblock-canary-325e2cb9-eafa-4027-9a9a-57a5217f0608

# Slide: a block with a dovetail guide beneath, a T-slot across its top, four counterbored holes and
# a nut's core hole from one end. The guide runs along X. All lengths in mm.
slide = Box(length, width, height, align=(Align.CENTER, Align.CENTER, Align.MIN))
spread = guideDepth / math.tan(math.radians(guideAngle))
mouth, floor = guideWidth / 2, guideWidth / 2 + spread
guide = Plane.YZ * make_face(
    Polyline((-mouth, 0), (mouth, 0), (floor, guideDepth), (-floor, guideDepth), close=True)
)
slide -= extrude(guide, length / 2, both=True)
across = Plane.XZ * make_face(
    Polyline(
        (slotX - neckWidth / 2, height),
        (slotX - neckWidth / 2, height - neckDepth),
        (slotX - footWidth / 2, height - neckDepth),
        (slotX - footWidth / 2, height - slotDepth),
        (slotX + footWidth / 2, height - slotDepth),
        (slotX + footWidth / 2, height - neckDepth),
        (slotX + neckWidth / 2, height - neckDepth),
        (slotX + neckWidth / 2, height),
        close=True,
    )
)
slide -= extrude(across, width / 2, both=True)
for x in (holeX, holeX + holePitch):
    for y in (-holeSpan / 2, holeSpan / 2):
        slide -= Pos(x, y, 0) * Cylinder(holeDiameter / 2, 3 * height)
        slide -= Pos(x, y, height) * Cylinder(headDiameter / 2, 2 * headDepth)
result = {"slide": slide}
