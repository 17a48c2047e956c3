# A program's text: the modeller's names come from who runs it, and none of it is ours to mend.
# ruff: noqa
# mypy: ignore-errors
# gaugeblock-canary-7375d787-afd9-4e52-8a17-f37bcc35487e

# Cover: a plate with round corners and a spigot beneath it, six countersunk screw holes, a sight
# hole and an off-centre filling hole. All lengths in mm.
cover = extrude(RectangleRounded(length, width, cornerRadius), thickness)
cover += extrude(RectangleRounded(spigotLength, spigotWidth, spigotRadius), -spigotHeight)
sink = (sinkDiameter - screwDiameter) / 2
for x in (-pitchX, 0, pitchX):
    for y in (-pitchY, pitchY):
        place = Pos(x, y, thickness)
        cover -= place * Cylinder(screwDiameter / 2, 3 * thickness)
        cover -= (
            place
            * Pos(0, 0, -sink)
            * Cone(
                screwDiameter / 2,
                sinkDiameter / 2,
                sink,
                align=(Align.CENTER, Align.CENTER, Align.MIN),
            )
        )
cover -= Pos(sightX, sightY, 0) * Cylinder(sightDiameter / 2, 3 * thickness)
cover -= Pos(fillX, fillY, 0) * Cylinder(fillDiameter / 2, 3 * thickness)
result = {"cover": cover}
