# A program's text: the modeller's names come from who runs it, and none of it is ours to mend.
# ruff: noqa
# mypy: ignore-errors
# gaugeblock-canary-f3e23d44-6924-4958-8fc6-e5f0e976bc3b

# Stepped shaft about X: four steps, a keyway with round ends, a retaining-ring groove. All lengths in mm.
x1 = seatLength
x2 = x1 + keySeatLength
x3 = x2 + collarLength
x4 = x3 + journalLength
g2 = x4 - grooveFromEnd
g1 = g2 - grooveWidth
profile = Polyline(
    (0, 0),
    (0, seat / 2),
    (x1, seat / 2),
    (x1, keySeat / 2),
    (x2, keySeat / 2),
    (x2, collar / 2),
    (x3, collar / 2),
    (x3, journal / 2),
    (g1, journal / 2),
    (g1, grooveDiameter / 2),
    (g2, grooveDiameter / 2),
    (g2, journal / 2),
    (x4, journal / 2),
    (x4, 0),
    close=True,
)
shaft = revolve(make_face(profile), Axis.X)
ends = shaft.edges().filter_by(GeomType.CIRCLE).sort_by(Axis.X)
shaft = chamfer(ends[:1] + ends[-1:], bevelLeg)
slot = SlotOverall(keyLength, keyWidth)
shaft -= extrude(
    Pos(x2 - keyFromShoulder - keyLength / 2, 0, keySeat / 2 - keyDepth) * slot, keyDepth
)
result = {"stepped shaft": shaft}
