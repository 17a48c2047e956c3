# A program's text: the modeller's names come from who runs it, and none of it is ours to mend.
# ruff: noqa
# mypy: ignore-errors

# Ruled body from a rectangle at Z = 0 to a section above it, both about the Z axis. Lengths in mm.
base = Pos(0, 0, 0) * Rectangle(baseLength, baseWidth)
