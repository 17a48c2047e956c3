# A program's text: the modeller's names come from who runs it, and none of it is ours to mend.
# ruff: noqa
# mypy: ignore-errors
# gaugeblock-canary-784af688-82b8-4a0c-8c95-d6c4e48f216f

# Split clamp on a foot: a block with a bore and a slit above it, a clamping screw across the slit
# (clearance hole with counterbore on one side, core hole of the thread on the other) and two
# screw holes in the foot. All lengths in mm.
clamp = Box(footLength, depth, footHeight, align=(Align.CENTER, Align.CENTER, Align.MIN))
clamp += Box(blockWidth, depth, height, align=(Align.CENTER, Align.CENTER, Align.MIN))
axis = Plane((0, -depth / 2, axisHeight), x_dir=(1, 0, 0), z_dir=(0, -1, 0))
clamp -= extrude(axis * Circle(boreDiameter / 2), -depth)
clamp -= Pos(0, 0, axisHeight) * Box(
    slit, depth, height - axisHeight, align=(Align.CENTER, Align.CENTER, Align.MIN)
)
screw = Plane((blockWidth / 2, 0, screwHeight), z_dir=(-1, 0, 0))
clamp -= extrude(screw * Circle(headDiameter / 2), headDepth)
clamp -= extrude(screw * Circle(screwDiameter / 2), blockWidth / 2)
clamp -= extrude(screw.offset(blockWidth / 2) * Circle(coreDiameter / 2), blockWidth / 2)
for x in (-footPitch / 2, footPitch / 2):
    clamp -= Pos(x, 0, 0) * Cylinder(footHoleDiameter / 2, 3 * footHeight)
result = {"clamp": clamp}
