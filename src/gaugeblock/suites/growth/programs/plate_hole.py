# ruff: noqa
# mypy: ignore-errors

# One more round hole through the plate, between the lugs; it ends below the pin.
drill = Pos(60, 40, 0) * Cylinder(centerHoleDiameter / 2, 4 * PLATE)
result = {**result, "bracket": result["bracket"] - drill}
