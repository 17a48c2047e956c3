# A program's text: the modeller's names come from who runs it, and none of it is ours to mend.
# ruff: noqa
# mypy: ignore-errors

# Shaft of three steps with a groove for a retaining ring, turned about X. All lengths in mm.
profile = Polyline(
    (0, 0),
    (0, smallRadius),
    (10, smallRadius),
    (10, smallRadius - grooveDepth),
    (10 + grooveWidth, smallRadius - grooveDepth),
    (10 + grooveWidth, smallRadius),
    (30, smallRadius),
    (30, largeRadius),
    (70, largeRadius),
    (70, endRadius),
    (90, endRadius),
    (90, 0),
    close=True,
)
result = {"shaft": revolve(make_face(profile), Axis.X)}
