# A program's text: the modeller's names come from who runs it, and none of it is ours to mend.
# ruff: noqa
# mypy: ignore-errors

# Torus about Z. All lengths in mm.
result = {"ring": Torus(ringRadius, tubeRadius)}
