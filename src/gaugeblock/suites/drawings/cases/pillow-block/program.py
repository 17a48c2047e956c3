# A program's text: the modeller's names come from who runs it, and none of it is ours to mend.
# ruff: noqa
# mypy: ignore-errors
# gaugeblock-canary-73fabf19-0a39-4a34-b354-7127968e9b6e

# Pillow block: a foot with two slots, a bearing housing with a boss on one side, its bore stepped
# for the bearing, its ring groove and the shaft, and an oil boss on top. Axis Y. Lengths in mm.
block = Box(footLength, width, footHeight, align=(Align.CENTER, Align.CENTER, Align.MIN))
front = Plane((0, -width / 2, axisHeight), x_dir=(1, 0, 0), z_dir=(0, 1, 0))
block += Box(housingDiameter, width, axisHeight, align=(Align.CENTER, Align.CENTER, Align.MIN))
block += extrude(front * Circle(housingDiameter / 2), width)
inner = block.edges().filter_by(Axis.Y).filter_by_position(Axis.Z, footHeight, footHeight)
block = fillet(inner.sort_by(Axis.X)[1:-1], filletRadius)
block += extrude(front.offset(width) * Circle(bossDiameter / 2), bossLength)
block += Pos(0, 0, axisHeight) * Cylinder(
    oilBossDiameter / 2, oilHeight - axisHeight, align=(Align.CENTER, Align.CENTER, Align.MIN)
)
block -= extrude(front * Circle(seatDiameter / 2), seatDepth)
block -= extrude(front.offset(grooveStart) * Circle(grooveDiameter / 2), grooveWidth)
block -= extrude(front * Circle(shaftDiameter / 2), width + bossLength)
block -= Pos(0, 0, axisHeight) * Cylinder(
    oilDiameter / 2, oilHeight, align=(Align.CENTER, Align.CENTER, Align.MIN)
)
for x in (-slotPitch / 2, slotPitch / 2):
    block -= extrude(Pos(x, 0, 0) * SlotCenterToCenter(slotTravel, slotWidth), footHeight)
result = {"pillow block": block}
