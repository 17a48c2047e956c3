# A program's text: the modeller's names come from who runs it, and none of it is ours to mend.
# ruff: noqa
# mypy: ignore-errors

# One more round hole through the plate, between the lugs; it ends below the pin.
HOLE_X, HOLE_Y = 60, 40
drill = Pos(HOLE_X, HOLE_Y, 0) * Cylinder(centerHoleDiameter / 2, 4 * PLATE)
result = {**result, "bracket": result["bracket"] - drill}
