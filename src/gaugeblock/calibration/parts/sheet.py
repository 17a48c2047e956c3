# A program's text: the modeller's names come from who runs it, and none of it is ours to mend.
# ruff: noqa
# mypy: ignore-errors

# Thin sheet bent to an angle, with one hole in each leg. All lengths in mm.
inner, outer = bendRadius, bendRadius + thickness
bend = Pos(0, 0, outer) * Rot(90, 0, 0) * (Circle(outer) - Circle(inner))
quarter = Pos(-outer / 2, 0, outer / 2) * Rot(90, 0, 0) * Rectangle(outer, outer)
sheet = extrude(bend & quarter, -width)
sheet += Box(legX, width, thickness, align=Align.MIN)
sheet += Pos(-outer, 0, outer) * Box(thickness, width, legZ, align=Align.MIN)
sheet -= Pos(legX / 2, width / 3, thickness / 2) * Cylinder(holeDiameter / 2, thickness)
side = Plane((-outer, width / 2, outer + legZ / 2), z_dir=(1, 0, 0))
sheet -= extrude(side * Circle(holeDiameter / 2), thickness)
result = {"sheet": sheet}
