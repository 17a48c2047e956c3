# A program's text: the modeller's names come from who runs it, and none of it is ours to mend.
# ruff: noqa
# mypy: ignore-errors

# Extrusion below a cubic Bézier curve: a spline profile with a closed area. All lengths in mm.
poles = [(0, y0), (length / 3, y1), (2 * length / 3, y2), (length, y3)]
top = Bezier(*poles)
rest = Polyline((length, y3), (length, 0), (0, 0), (0, y0))
result = {"cam": extrude(make_face([top, *rest.edges()]), thickness)}
