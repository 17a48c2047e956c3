# A program's text: the modeller's names come from who runs it, and none of it is ours to mend.
# ruff: noqa
# mypy: ignore-errors
# gaugeblock-canary-8abb9e15-b34b-46bc-a930-eae9aeb647fb

# Fixture block that sits on a foot inclined about two axes: all holes are drilled square to the
# working face, which lies level here. One corner is cut off obliquely. All lengths in mm.
def foot(x, y):
    """A point of the inclined foot; the working face is at z = 0."""
    return Vector(x, y, -height - riseX * x / length - riseY * y / width)


def outline(*points):
    return Face(Wire.make_polygon(list(points), close=True))


corners = [(0, 0), (length, 0), (length, width), (0, width)]
top = [Vector(x, y, 0) for x, y in corners]
base = [foot(x, y) for x, y in corners]
faces = [outline(*top), outline(*base[::-1])]
for i in range(4):
    j = (i + 1) % 4
    faces.append(outline(base[i], base[j], top[j], top[i]))
block = Solid(Shell(faces))

tip = Vector(0, width, 0)
a, b, c = tip + (cutX, 0, 0), tip - (0, cutY, 0), tip - (0, 0, cutZ)
sides = [outline(a, b, c), outline(tip, b, a), outline(tip, c, b), outline(tip, a, c)]
block -= Solid(Shell(sides))

deep = height + riseX + riseY
block -= Pos(boreX, boreY, -deep / 2) * Cylinder(boreDiameter / 2, deep)
for x, y in ((pinX, pinY), (pin2X, pin2Y)):
    block -= Pos(x, y, -deep / 2) * Cylinder(pinDiameter / 2, deep)
ledge = Box(ledgeLength, width, ledgeDepth)
block -= Pos(length - ledgeLength / 2, width / 2, -ledgeDepth / 2) * ledge
result = {"fixture": block}
