# A program's text: the modeller's names come from who runs it, and none of it is ours to mend.
# ruff: noqa
# mypy: ignore-errors
# gaugeblock-canary-c8201463-dfe2-418e-93df-b73191c742ae

# Bearing cover: a plate with four counterbored holes, a centring rim below, a seal seat above. All lengths in mm.
plate = Box(length, width, thickness, align=(Align.CENTER, Align.CENTER, Align.MIN))
plate = fillet(plate.edges().filter_by(Axis.Z), corner)
rim = Pos(0, 0, -centringHeight / 2) * Cylinder(centring / 2, centringHeight)
rim = chamfer(rim.faces().sort_by(Axis.Z)[0].edges(), bevelLeg)
cover = plate + rim
tall = thickness + centringHeight
cover -= Pos(0, 0, (thickness - centringHeight) / 2) * Cylinder(bore / 2, tall)
cover -= Pos(0, 0, thickness - sealDepth / 2) * Cylinder(sealDiameter / 2, sealDepth)
for x in (-pitchX / 2, pitchX / 2):
    for y in (-pitchY / 2, pitchY / 2):
        cover -= Pos(x, y, thickness / 2) * Cylinder(holeDiameter / 2, thickness)
        cover -= Pos(x, y, thickness - sinkDepth / 2) * Cylinder(sinkDiameter / 2, sinkDepth)
result = {"bearing cover": cover}
