# A program's text: the modeller's names come from who runs it, and none of it is ours to mend.
# ruff: noqa
# mypy: ignore-errors
# gaugeblock-canary-93c517ec-309a-461d-8045-ae018acdf054

# Flanged hub about Z: pilot below, flange with bolt circle, hub with a stepped bore. All lengths in mm.
z1 = pilotHeight + flangeThickness
z2 = z1 + hubLength
profile = Polyline(
    (bore / 2, 0),
    (pilotDiameter / 2, 0),
    (pilotDiameter / 2, pilotHeight),
    (flangeDiameter / 2, pilotHeight),
    (flangeDiameter / 2, z1),
    (hubDiameter / 2, z1),
    (hubDiameter / 2, z2),
    (recessDiameter / 2, z2),
    (recessDiameter / 2, z2 - recessDepth),
    (bore / 2, z2 - recessDepth),
    close=True,
)
hub = revolve(Plane.XZ * make_face(profile), Axis.Z)
circles = hub.edges().filter_by(GeomType.CIRCLE)
hub = fillet(
    circles.filter_by(
        lambda e: abs(e.radius - hubDiameter / 2) < 1e-6 and abs(e.center().Z - z1) < 1e-6
    ),
    hubFillet,
)
circles = hub.edges().filter_by(GeomType.CIRCLE)
hub = chamfer(
    circles.filter_by(
        lambda e: (
            abs(e.radius - flangeDiameter / 2) < 1e-6
            or (abs(e.radius - hubDiameter / 2) < 1e-6 and abs(e.center().Z - z2) < 1e-6)
        )
    ),
    bevelLeg,
)
for spot in PolarLocations(boltCircle / 2, int(boltCount)):
    hub -= spot * Pos(0, 0, z1 / 2) * Cylinder(boltDiameter / 2, z1)
result = {"flanged hub": hub}
