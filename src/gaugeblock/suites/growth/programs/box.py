# A program's text: the modeller's names come from who runs it, and none of it is ours to mend.
# ruff: noqa
# mypy: ignore-errors

# Box, open at the top, with a grid of round holes through its floor. All lengths in mm.
LENGTH, WIDTH, HEIGHT = 120, 80, 40
FIRST_X, LAST_X = 15, 105
FIRST_Y, LAST_Y = 20, 60

floor = wall
radius = holeDiameter / 2
pitch_x = (LAST_X - FIRST_X) / (cols - 1)
pitch_y = (LAST_Y - FIRST_Y) / (rows - 1)
xs = [FIRST_X + pitch_x * column for column in range(int(cols))]
ys = [FIRST_Y + pitch_y * row for row in range(int(rows))]


def holes_apart():
    """One circle a hole."""
    return [Wire.make_circle(radius, Plane((x, y, 0))) for x in xs for y in ys]


def holes_covering():
    """The outline of all holes together: one arc for each hole on the border of the grid."""
    border = [Vector(x, ys[0]) for x in xs[:-1]] + [Vector(xs[-1], y) for y in ys[:-1]]
    border += [Vector(x, ys[-1]) for x in xs[:0:-1]] + [Vector(xs[0], y) for y in ys[:0:-1]]
    following = border[1:] + border[:1]
    outward = [(b - a).cross(Vector(0, 0, 1)).normalized() for a, b in zip(border, following)]
    joints = [
        (a + b) / 2 + normal * math.sqrt(radius**2 - ((b - a).length / 2) ** 2)
        for a, b, normal in zip(border, following, outward)
    ]
    arcs = []
    for i, centre in enumerate(border):
        middle = centre + (outward[i - 1] + outward[i]).normalized() * radius
        arcs.append(Edge.make_three_point_arc(joints[i - 1], middle, joints[i]))
    return [Wire(arcs)]


def rectangle(margin, z):
    """The outline of the box at height z, moved inwards by margin."""
    x, y = LENGTH - margin, WIDTH - margin
    return Wire.make_polygon([(margin, margin, z), (x, margin, z), (x, y, z), (margin, y, z)])


if min(pitch_x, pitch_y) > holeDiameter:
    holes = holes_apart()
elif math.hypot(pitch_x, pitch_y) < holeDiameter:
    holes = holes_covering()
else:
    raise ValueError("the holes touch or overlap and leave islands between them")

bottom = Solid.extrude(Face(rectangle(0, 0), holes), Vector(0, 0, floor))
frame = Face(rectangle(0, floor), [rectangle(wall, floor)])
walls = Solid.extrude(frame, Vector(0, 0, HEIGHT - floor))
result = {"box": bottom + walls}
