# A program's text: the modeller's names come from who runs it, and none of it is ours to mend.
# ruff: noqa
# mypy: ignore-errors
# gaugeblock-canary-7a398b9d-2978-4919-9c1a-fb559118a744

# Manifold: a block with a blind main bore along X, two ports from above and one from the side that
# meet it, and two screw holes. The bores that meet are of one diameter. All lengths in mm.
block = Box(length, width, height, align=Align.MIN)
main = Plane((0, mainY, mainZ), z_dir=(1, 0, 0))
block -= extrude(main * Circle(boreDiameter / 2), mainDepth)
block -= extrude(main * Circle(inletDiameter / 2), inletDepth)
for x in (portX, portX + portPitch):
    port = Plane((x, mainY, height), z_dir=(0, 0, -1))
    block -= extrude(port * Circle(boreDiameter / 2), height - mainZ)
    block -= extrude(port * Circle(seatDiameter / 2), seatDepth)
side = Plane((sideX, 0, mainZ), z_dir=(0, 1, 0))
block -= extrude(side * Circle(boreDiameter / 2), mainY)
for x in (screwX, length - screwX):
    block -= Pos(x, screwY, 0) * Cylinder(screwDiameter / 2, 3 * height)
result = {"manifold": block}
