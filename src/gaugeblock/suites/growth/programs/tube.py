# A program's text: the modeller's names come from who runs it, and none of it is ours to mend.
# ruff: noqa
# mypy: ignore-errors

# Bent tube: straight along +X from X = 0, a bend towards +Y, straight along +Y. Lengths in mm.
FIRST, BEND_RADIUS, LAST = 60, 40, 40

path = Line((0, 0), (FIRST, 0))
path += JernArc(path @ 1, path % 1, BEND_RADIUS, 90)
path += Line(path @ 1, path @ 1 + LAST * (path % 1))
start = Plane(origin=(0, 0, 0), z_dir=(1, 0, 0))
outer = Wire.make_circle(outerDiameter / 2, start)
bore = Wire.make_circle(innerDiameter / 2, start)
result = {"tube": Solid.sweep(Face(outer, [bore]), path.wire())}
