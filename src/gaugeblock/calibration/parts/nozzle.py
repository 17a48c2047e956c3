# A program's text: the modeller's names come from who runs it, and none of it is ours to mend.
# ruff: noqa
# mypy: ignore-errors

# Turned part: cylinder, cone and spigot on Z with a blind bore. All lengths in mm.
middle = (Align.CENTER, Align.CENTER, Align.MIN)
nozzle = Cylinder(baseRadius, baseHeight, align=middle)
nozzle += Pos(0, 0, baseHeight) * Cone(baseRadius, tipRadius, coneHeight, align=middle)
nozzle += Pos(0, 0, baseHeight + coneHeight) * Cylinder(tipRadius, tipHeight, align=middle)
nozzle -= Cylinder(boreRadius, boreDepth, align=middle)
result = {"nozzle": nozzle}
