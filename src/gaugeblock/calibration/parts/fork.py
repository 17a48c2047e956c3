# A program's text: the modeller's names come from who runs it, and none of it is ours to mend.
# ruff: noqa
# mypy: ignore-errors

# Clevis with its pin: two bodies that touch in the bores. All lengths in mm.
fork = Box(length, width, height, align=Align.MIN)
slot = Pos(length / 3, (width - gap) / 2, 0) * Box(length, gap, height, align=Align.MIN)
fork -= slot
axis = Plane((length - 15, 0, height / 2), x_dir=(1, 0, 0), z_dir=(0, 1, 0))
fork -= extrude(axis * Circle(pinDiameter / 2), width)
pin = extrude(axis.offset(-overhang) * Circle(pinDiameter / 2), width + 2 * overhang)
result = {"fork": fork, "pin": pin}
