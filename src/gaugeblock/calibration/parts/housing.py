# A program's text: the modeller's names come from who runs it, and none of it is ours to mend.
# ruff: noqa
# mypy: ignore-errors

# Housing: a block with a pocket, two ribs across it, and a hole in one wall. All lengths in mm.
block = Box(length, width, height, align=Align.MIN)
pocket = Pos(wall, wall, floor) * Box(
    length - 2 * wall, width - 2 * wall, height - floor, align=Align.MIN
)
housing = block - pocket
for x in (length / 3, length / 2):
    housing += Pos(x, wall, floor) * Box(rib, width - 2 * wall, ribHeight, align=Align.MIN)
port = Plane((0, width / 3, height - 10), z_dir=(1, 0, 0)) * Circle(portDiameter / 2)
housing -= extrude(port, wall)
result = {"housing": housing}
