# A program's text: the modeller's names come from who runs it, and none of it is ours to mend.
# ruff: noqa
# mypy: ignore-errors

# Plate with a grid of through holes. All lengths in mm.
plate = Box(length, width, thickness, align=Align.MIN)
drill = Cylinder(holeDiameter / 2, thickness, align=(Align.CENTER, Align.CENTER, Align.MIN))
xs = [margin + (length - 2 * margin) * i / (cols - 1) for i in range(int(cols))]
ys = [margin + (width - 2 * margin) * i / (rows - 1) for i in range(int(rows))]
for x in xs:
    for y in ys:
        plate -= Pos(x, y, 0) * drill
result = {"plate": plate}
