# A program's text: the modeller's names come from who runs it, and none of it is ours to mend.
# ruff: noqa
# mypy: ignore-errors

# One more round hole through the floor.
CENTER_HOLE_X, CENTER_HOLE_Y = 60, 40
drill = Cylinder(centerHoleDiameter / 2, 4 * floor)
result = {"box": result["box"] - Pos(CENTER_HOLE_X, CENTER_HOLE_Y, 0) * drill}
