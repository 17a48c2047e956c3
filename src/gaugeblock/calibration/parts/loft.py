# A program's text: the modeller's names come from who runs it, and none of it is ours to mend.
# ruff: noqa
# mypy: ignore-errors

# Ruled loft from a rectangle to a square, both centred on Z. All lengths in mm.
below = Plane.XY * Rectangle(length, width)
above = Plane.XY.offset(height) * Rectangle(topSide, topSide)
result = {"loft": loft([below, above], ruled=True)}
