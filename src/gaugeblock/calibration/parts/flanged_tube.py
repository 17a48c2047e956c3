# A program's text: the modeller's names come from who runs it, and none of it is ours to mend.
# ruff: noqa
# mypy: ignore-errors

# Tube along +X, bent by 90° towards +Y, with a bolted flange at its start. All lengths in mm.
def ring(plane, outer, inner):
    return plane * (Circle(outer) - Circle(inner))


start = Plane((0, 0, 0), x_dir=(0, 1, 0), z_dir=(1, 0, 0))
bend_start = Plane((straight, 0, 0), x_dir=(0, 1, 0), z_dir=(1, 0, 0))
bend_end = Plane((straight + bendRadius, bendRadius, 0), x_dir=(-1, 0, 0), z_dir=(0, 1, 0))
tube = extrude(ring(start, radius, bore), straight)
tube += revolve(ring(bend_start, radius, bore), Axis((straight, bendRadius, 0), (0, 0, 1)), 90)
tube += extrude(ring(bend_end, radius, bore), outlet)
flange = extrude(ring(start, flangeRadius, bore), -flangeThickness)
for i in range(4):
    angle = math.pi / 4 + i * math.pi / 2
    y, z = boltCircle * math.cos(angle), boltCircle * math.sin(angle)
    bolt = Plane((0, y, z), z_dir=(1, 0, 0)) * Circle(boltDiameter / 2)
    flange -= extrude(bolt, -flangeThickness)
result = {"tube": tube + flange}
