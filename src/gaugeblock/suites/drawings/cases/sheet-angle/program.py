# A program's text: the modeller's names come from who runs it, and none of it is ours to mend.
# ruff: noqa
# mypy: ignore-errors
# gaugeblock-canary-7f0fae7a-cb96-4e44-bbbd-472e043a2ba2

# Angle bent from sheet: a foot with two holes and a slot, an upright with a window for a switch and
# one cut corner. All lengths in mm.
profile = Polyline(
    (0, 0), (foot, 0), (foot, sheet), (sheet, sheet), (sheet, upright), (0, upright), close=True
)
angle = extrude(Plane.XZ * make_face(profile), -width)
bend = angle.edges().filter_by(Axis.Y)
inner = bend.filter_by_position(Axis.X, sheet, sheet).filter_by_position(Axis.Z, sheet, sheet)
angle = fillet(inner, bendRadius)
bend = angle.edges().filter_by(Axis.Y)
outer = bend.filter_by_position(Axis.X, 0, 0).filter_by_position(Axis.Z, 0, 0)
angle = fillet(outer, bendRadius + sheet)
ends = angle.edges().filter_by(Axis.Z).filter_by_position(Axis.X, foot, foot)
angle = fillet(ends, cornerRadius)
corner = Plane.YZ * make_face(
    Polyline((width, upright), (width - cut, upright), (width, upright - cut), close=True)
)
angle -= extrude(corner, sheet)
for y in (holeEdge, width - holeEdge):
    angle -= Pos(holeX, y, 0) * Cylinder(holeDiameter / 2, 3 * sheet)
angle -= extrude(Pos(slotX, width / 2, 0) * SlotCenterToCenter(slotTravel, slotWidth), sheet)
window = Plane.YZ * Pos(windowY, windowZ) * Circle(windowDiameter / 2)
angle -= extrude(window, sheet)
result = {"sheet angle": angle}
