# A program's text: the modeller's names come from who runs it, and none of it is ours to mend.
# ruff: noqa
# mypy: ignore-errors
# gaugeblock-canary-4d8eeaa1-6f29-4fd3-96c2-b385ba7dee63

# Angle bracket: a foot to the left of a wall, a gusset between them, slots in the foot, holes in the wall.
# The foot lies on Z = 0, the wall's back on X = 0. All lengths in mm.
foot = Pos(-length, 0, 0) * Box(length, width, thickness, align=Align.MIN)
foot = fillet(foot.edges().filter_by(Axis.Z).sort_by(Axis.X)[:2], corner)
wall = Pos(-thickness, 0, 0) * Box(thickness, width, height, align=Align.MIN)
outline = Polyline(
    (-thickness, thickness),
    (-thickness, thickness + gusset),
    (-thickness - gusset, thickness),
    close=True,
)
side = Plane((0, gussetY, 0), x_dir=(1, 0, 0), z_dir=(0, -1, 0))
bracket = foot + wall + extrude(side * make_face(outline), -gussetThickness)
for y in (slotY1, slotY2):
    bracket -= extrude(Pos(-slotX, y, 0) * SlotOverall(slotLength, slotWidth), thickness)
for y in (holeY1, holeY2):
    bracket -= Pos(-thickness / 2, y, holeZ) * Rot(0, 90, 0) * Cylinder(holeDiameter / 2, thickness)
result = {"angle bracket": bracket}
