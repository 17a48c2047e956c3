# A program's text: the modeller's names come from who runs it, and none of it is ours to mend.
# ruff: noqa
# mypy: ignore-errors

# The section on top is a circle.
top = Pos(0, 0, height) * Circle(topDiameter / 2)
result = {"loft": loft([base.face(), top.face()], ruled=True)}
