# A program's text: the modeller's names come from who runs it, and none of it is ours to mend.
# ruff: noqa
# mypy: ignore-errors

# A flange on the start face, from X = 0 to X = -flangeThickness, with the bore of the tube.
ring = Face(Wire.make_circle(flangeDiameter / 2, start), [bore])
flange = Solid.extrude(ring, Vector(-flangeThickness, 0, 0))
result = {"tube": result["tube"] + flange}
