# A program's text: the modeller's names come from who runs it, and none of it is ours to mend.
# ruff: noqa
# mypy: ignore-errors

# Bracket: a plate with two rows of holes, two lugs with a bore, and a bent pipe; and a pin in the
# bores. Two solids. Lengths in mm.
LENGTH, WIDTH, PLATE = 120, 80, 8
FIRST_X, LAST_X, ROWS = 10, 110, (10, 70)
LUG, LUG_INNER_X, LUG_WIDTH, AXIS_Y, AXIS_Z = 10, (40, 80), 45, 40, 53
PIN_X = (29, 91)
PIPE_X, PIPE_Y, PIPE_RADIUS, PIPE_BORE = 105, 30, 4, 2.5
RISE, RUN = 40, 60

# The plate.
pitch = (LAST_X - FIRST_X) / (cols - 1)
centres = [(FIRST_X + pitch * column, y) for column in range(int(cols)) for y in ROWS]
corners = [(0, 0, 0), (LENGTH, 0, 0), (LENGTH, WIDTH, 0), (0, WIDTH, 0)]
holes = [Wire.make_circle(holeDiameter / 2, Plane((x, y, 0))) for x, y in centres]
plate = Solid.extrude(Face(Wire.make_polygon(corners), holes), Vector(0, 0, PLATE))


def lug(x):
    """A lug from x to x + LUG: a block with a round top, and the bore."""
    low, high = AXIS_Y - LUG_WIDTH / 2, AXIS_Y + LUG_WIDTH / 2
    foot = [(x, low, AXIS_Z), (x, low, PLATE), (x, high, PLATE), (x, high, AXIS_Z)]
    sides = [Edge.make_line(a, b) for a, b in zip(foot, foot[1:])]
    crown = Edge.make_three_point_arc(foot[-1], (x, AXIS_Y, AXIS_Z + LUG_WIDTH / 2), foot[0])
    bore = Wire.make_circle(pinDiameter / 2, Plane((x, AXIS_Y, AXIS_Z), z_dir=(1, 0, 0)))
    return Solid.extrude(Face(Wire([*sides, crown]), [bore]), Vector(LUG, 0, 0))


# The pipe: up, over towards +Y, along +Y.
path = Line((PIPE_X, PIPE_Y, PLATE), (PIPE_X, PIPE_Y, PLATE + RISE))
top, turn = path @ 1, bend * math.sqrt(0.5)
path += ThreePointArc(top, top + Vector(0, bend - turn, turn), top + Vector(0, bend, bend))
path += Line(path @ 1, path @ 1 + Vector(0, RUN, 0))
foot = Plane(path @ 0)
section = Face(Wire.make_circle(PIPE_RADIUS, foot), [Wire.make_circle(PIPE_BORE, foot)])
pipe = Solid.sweep(section, path.wire())

pin_foot = Plane((PIN_X[0], AXIS_Y, AXIS_Z), z_dir=(1, 0, 0))
pin = Solid.extrude(
    Face(Wire.make_circle(pinDiameter / 2, pin_foot)), Vector(PIN_X[1] - PIN_X[0], 0, 0)
)
result = {"bracket": plate + lug(LUG_INNER_X[0] - LUG) + lug(LUG_INNER_X[1]) + pipe, "pin": pin}
