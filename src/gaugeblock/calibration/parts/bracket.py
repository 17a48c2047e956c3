# A program's text: the modeller's names come from who runs it, and none of it is ours to mend.
# ruff: noqa
# mypy: ignore-errors

# Angle bracket with a gusset, two rounded corners and two bolt holes. All lengths in mm.
base = Box(length, width, thickness, align=Align.MIN)
corners = base.edges().filter_by(Axis.Z).sort_by(Axis.X)[-2:]
base = fillet(corners, cornerRadius)
wall = Box(thickness, width, height, align=Align.MIN)
outline = Polyline(
    (thickness, thickness),
    (thickness + gusset, thickness),
    (thickness, thickness + gusset),
    close=True,
)
side = Plane((0, (width - gussetThickness) / 2, 0), x_dir=(1, 0, 0), z_dir=(0, -1, 0))
rib = extrude(side * make_face(outline), -gussetThickness)
bracket = base + wall + rib
for y in (width / 4, 3 * width / 4):
    bracket -= Pos(length - 12, y, thickness / 2) * Cylinder(holeDiameter / 2, thickness)
result = {"bracket": bracket}
