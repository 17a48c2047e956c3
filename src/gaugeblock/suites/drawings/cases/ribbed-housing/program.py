# A program's text: the modeller's names come from who runs it, and none of it is ours to mend.
# ruff: noqa
# mypy: ignore-errors
# gaugeblock-canary-d979bbf3-9299-4145-b412-0f0f776d3ebe

# Housing: a box open above on a flange with four holes, four posts with blind core holes, two ribs
# on its floor that carry a board, a bearing boss on its front and a cable hole. Lengths in mm.
housing = extrude(RectangleRounded(flangeLength, flangeWidth, flangeRadius), flangeHeight)
housing += extrude(RectangleRounded(length, width, outerRadius), height)
room = RectangleRounded(length - 2 * wall, width - 2 * wall, innerRadius)
housing -= extrude(Pos(0, 0, floorThickness) * room, height)
for x in (-ribPitch / 2, ribPitch / 2):
    housing += Pos(x, 0, floorThickness) * Box(
        rib, ribLength, ribHeight, align=(Align.CENTER, Align.CENTER, Align.MIN)
    )
for x in (-postX, postX):
    for y in (-postY, postY):
        housing += Pos(x, y, floorThickness) * Cylinder(
            postDiameter / 2, postHeight, align=(Align.CENTER, Align.CENTER, Align.MIN)
        )
        housing -= Pos(x, y, floorThickness + postHeight) * Cylinder(
            coreDiameter / 2, coreDepth, align=(Align.CENTER, Align.CENTER, Align.MAX)
        )
front = Plane((bossX, -width / 2, bossZ), x_dir=(1, 0, 0), z_dir=(0, -1, 0))
housing += extrude(front * Circle(bossDiameter / 2), bossHeight)
housing -= extrude(front.offset(bossHeight) * Circle(boreDiameter / 2), -bossHeight - wall)
end = Plane((length / 2, cableY, cableZ), z_dir=(-1, 0, 0))
housing -= extrude(end * Circle(cableDiameter / 2), wall)
for x in (-flangePitchX / 2, flangePitchX / 2):
    for y in (-flangePitchY / 2, flangePitchY / 2):
        housing -= Pos(x, y, 0) * Cylinder(flangeHole / 2, 3 * flangeHeight)
result = {"housing": housing}
