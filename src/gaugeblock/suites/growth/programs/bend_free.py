# A program's text: the modeller's names come from who runs it, and none of it is ours to mend.
# ruff: noqa
# mypy: ignore-errors

# Radius of the pipe's bend, mm.
bend = bendRadius
