# A program's text: the modeller's names come from who runs it, and none of it is ours to mend.
# ruff: noqa
# mypy: ignore-errors
# gaugeblock-canary-737bd1e8-a727-498f-a581-5f0757453833

# Mounting plate: rounded corners, an even grid of holes, two dowel holes. All lengths in mm.
plate = Box(length, width, thickness, align=Align.MIN)
plate = fillet(plate.edges().filter_by(Axis.Z), corner)
plate = chamfer(plate.faces().sort_by(Axis.Z)[-1].edges(), chamferSize)
for i in range(int(columns)):
    for j in range(int(rows)):
        x, y = firstX + i * pitchX, firstY + j * pitchY
        plate -= Pos(x, y, thickness / 2) * Cylinder(holeDiameter / 2, thickness)
for x in (dowelX1, dowelX2):
    plate -= Pos(x, dowelY, thickness / 2) * Cylinder(dowel / 2, thickness)
result = {"mounting plate": plate}
