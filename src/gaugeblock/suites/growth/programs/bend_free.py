# ruff: noqa
# mypy: ignore-errors

# Radius of the pipe's bend, mm.
bend = bendRadius
