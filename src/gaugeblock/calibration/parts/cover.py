# A program's text: the modeller's names come from who runs it, and none of it is ours to mend.
# ruff: noqa
# mypy: ignore-errors

# Cover with four counterbored holes and a countersunk one off the middle. All lengths in mm.
middle = (Align.CENTER, Align.CENTER, Align.MIN)
cover = Box(length, width, thickness, align=middle)
drill = Cylinder(holeDiameter / 2, thickness, align=middle)
head = Pos(0, 0, thickness - boreDepth) * Cylinder(boreDiameter / 2, boreDepth, align=middle)
for x in (-length / 2 + 10, length / 2 - 10):
    for y in (-width / 2 + 10, width / 2 - 10):
        cover = cover - Pos(x, y, 0) * drill - Pos(x, y, 0) * head
sink = Pos(0, 0, thickness - sinkDepth) * Cone(
    holeDiameter / 2, holeDiameter / 2 + sinkDepth, sinkDepth, align=middle
)
cover = cover - Pos(5, 3, 0) * drill - Pos(5, 3, 0) * sink
result = {"cover": cover}
