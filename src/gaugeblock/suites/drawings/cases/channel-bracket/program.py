# A program's text: the modeller's names come from who runs it, and none of it is ours to mend.
# ruff: noqa
# mypy: ignore-errors
# gaugeblock-canary-e629e8be-af72-475a-87a6-453d58160edf

# Channel bracket: a U with one arm higher than the other, a bore through both arms that is larger
# in one, two counterbored holes and a slot in the web. All lengths in mm.
bracket = Box(length, width, tall, align=Align.MIN)
bracket -= Pos(0, wall, web) * Box(length, width - 2 * wall, tall, align=Align.MIN)
bracket -= Pos(0, width - wall, short) * Box(length, wall, tall, align=Align.MIN)
lower = bracket.edges().filter_by(Axis.X).filter_by_position(Axis.Z, web, web)
bracket = fillet(lower, innerRadius)
arm = Plane((boreX, 0, boreZ), x_dir=(1, 0, 0), z_dir=(0, 1, 0))
bracket -= extrude(arm * Circle(boreDiameter / 2), wall)
bracket -= extrude(arm.offset(width - wall) * Circle(pivotDiameter / 2), wall)
for x in screwX, screwX + screwPitch:
    bracket -= Pos(x, width / 2, 0) * Cylinder(screwDiameter / 2, 3 * web)
    bracket -= Pos(x, width / 2, web) * Cylinder(headDiameter / 2, 2 * headDepth)
bracket -= extrude(Pos(slotX, width / 2, 0) * SlotCenterToCenter(slotTravel, slotWidth), web)
top = bracket.edges().filter_by(Axis.Y).filter_by_position(Axis.Z, tall, tall)
bracket = chamfer(top.sort_by(Axis.X)[-1], armCut)
result = {"channel bracket": bracket}
