# A program's text: the modeller's names come from who runs it, and none of it is ours to mend.
# ruff: noqa
# mypy: ignore-errors
# gaugeblock-canary-d478616d-d76a-4bbc-a0e1-741704ebea55

# Lever with two bosses of unequal height joined by an arm with a window; an oil hole into
# the large bore. All lengths in mm.
lever = Pos(0, 0, mainHeight / 2) * Cylinder(mainDiameter / 2, mainHeight)
lever += Pos(distance, 0, smallHeight / 2) * Cylinder(smallDiameter / 2, smallHeight)
lever += Pos(distance / 2, 0, armHeight + armThickness / 2) * Box(distance, armWidth, armThickness)
lever -= Pos(0, 0, mainHeight / 2) * Cylinder(mainBore / 2, mainHeight)
lever -= Pos(distance, 0, smallHeight / 2) * Cylinder(smallBore / 2, smallHeight)
oil = Pos(0, mainDiameter / 4, oilHeight) * Rot(90, 0, 0)
lever -= oil * Cylinder(oilDiameter / 2, mainDiameter / 2)
middle = (mainDiameter / 2 + distance - smallDiameter / 2) / 2
window = extrude(SlotOverall(windowLength, windowWidth), mainHeight)
lever -= Pos(middle, 0, 0) * window
result = {"lever": lever}
