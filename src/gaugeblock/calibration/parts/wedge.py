# A program's text: the modeller's names come from who runs it, and none of it is ours to mend.
# ruff: noqa
# mypy: ignore-errors

# Block whose top is a plane tilted about X and about Y: a compound angle. All lengths in mm.
def corner(x, y):
    return Vector(x, y, lowest + x * riseX + y * riseY)


def outline(*points):
    return Face(Wire.make_polygon([Vector(*p) for p in points], close=True))


foot = [Vector(0, 0, 0), Vector(length, 0, 0), Vector(length, width, 0), Vector(0, width, 0)]
top = [corner(p.X, p.Y) for p in foot]
faces = [outline(*foot[::-1]), outline(*top)]
for i in range(4):
    j = (i + 1) % 4
    faces.append(outline(foot[i], foot[j], top[j], top[i]))
result = {"wedge": Solid(Shell(faces))}
