# ruff: noqa
# mypy: ignore-errors

# Torus about Z. All lengths in mm.
result = {"ring": Torus(ringRadius, tubeRadius)}
