# ruff: noqa
# mypy: ignore-errors

# The section on top is a square.
top = Pos(0, 0, height) * Rectangle(topSide, topSide)
result = {"loft": loft([base.face(), top.face()], ruled=True)}
