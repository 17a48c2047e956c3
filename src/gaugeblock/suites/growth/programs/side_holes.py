# A program's text: the modeller's names come from who runs it, and none of it is ours to mend.
# ruff: noqa
# mypy: ignore-errors

# One round hole through each short wall, both on one axis along X.
SIDE_HOLE_DIAMETER, SIDE_HOLE_Y, SIDE_HOLE_Z = 8, 40, 25
drill = Rot(0, 90, 0) * Cylinder(SIDE_HOLE_DIAMETER / 2, LENGTH + 2 * wall)
result = {"box": result["box"] - Pos(LENGTH / 2, SIDE_HOLE_Y, SIDE_HOLE_Z) * drill}
