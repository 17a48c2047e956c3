# ruff: noqa
# mypy: ignore-errors

# Ruled body from a rectangle at Z = 0 to a section above it, both about the Z axis. Lengths in mm.
base = Pos(0, 0, 0) * Rectangle(baseLength, baseWidth)
