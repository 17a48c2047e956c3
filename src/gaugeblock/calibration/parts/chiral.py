# A program's text: the modeller's names come from who runs it, and none of it is ours to mend.
# ruff: noqa
# mypy: ignore-errors

# Three arms of unlike length on one cube, one along each axis: it is not its own mirror image.
# All lengths in mm.
body = Box(side, side, side, align=Align.MIN)
body += Box(armX, side, side, align=Align.MIN)
body += Box(side, armY, side, align=Align.MIN)
body += Box(side, side, armZ, align=Align.MIN)
result = {"chiral": body}
