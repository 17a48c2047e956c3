# A program's text: the modeller's names come from who runs it, and none of it is ours to mend.
# ruff: noqa
# mypy: ignore-errors
# gaugeblock-canary-eee1d38f-d933-42c0-ace9-d52b4ab87794

# Motor plate: a rectangular plate, corners rounded, with a pilot recess for the motor's spigot, four
# screw holes, four slots to tension the belt and two dowel holes. All lengths in mm.
plate = Box(length, width, thickness, align=(Align.CENTER, Align.CENTER, Align.MIN))
plate = fillet(plate.edges().filter_by(Axis.Z), cornerRadius)
plate -= Cylinder(shaftDiameter / 2, 3 * thickness)
plate -= Pos(0, 0, thickness) * Cylinder(pilotDiameter / 2, 2 * pilotDepth)
for x in (-motorPitch / 2, motorPitch / 2):
    for y in (-motorPitch / 2, motorPitch / 2):
        plate -= Pos(x, y, 0) * Cylinder(screwDiameter / 2, 3 * thickness)
for x in (-slotPitchX / 2, slotPitchX / 2):
    for y in (-slotPitchY / 2, slotPitchY / 2):
        outline = Pos(x, y, 0) * SlotCenterToCenter(slotTravel, slotWidth)
        plate -= extrude(outline, thickness)
for side in (-1, 1):
    plate -= Pos(side * dowelX, side * dowelY, 0) * Cylinder(dowelDiameter / 2, 3 * thickness)
result = {"motor plate": plate}
