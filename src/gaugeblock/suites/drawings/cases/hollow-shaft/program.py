# A program's text: the modeller's names come from who runs it, and none of it is ours to mend.
# ruff: noqa
# mypy: ignore-errors
# gaugeblock-canary-5d6633f5-b767-4a8b-8413-d389bdf31caf

# Hollow shaft with two bearing seats, undercuts behind them, a socket and a cross hole through
# the wall, turned about X. All lengths in mm.
collar = seatLength
body = collar + collarLength
end = body + bodyLength
length = end + endLength
seat, last = seatDiameter / 2, endDiameter / 2
socket, relief = socketDiameter / 2, reliefDiameter / 2
outline = Polyline(
    (0, boreDiameter / 2),
    (0, seat - bevelLeg),
    (bevelLeg, seat),
    (collar - undercutWidth, seat),
    (collar - undercutWidth, seat - undercutDepth),
    (collar, seat - undercutDepth),
    (collar, collarDiameter / 2),
    (body, collarDiameter / 2),
    (body, bodyDiameter / 2),
    (end, bodyDiameter / 2),
    (end, last - undercutDepth),
    (end + undercutWidth, last - undercutDepth),
    (end + undercutWidth, last),
    (length - bevelLeg, last),
    (length, last - bevelLeg),
    (length, socket),
    (length - socketDepth + reliefWidth, socket),
    (length - socketDepth + reliefWidth, relief),
    (length - socketDepth, relief),
    (length - socketDepth, boreDiameter / 2),
    close=True,
)
shaft = revolve(make_face(outline), Axis.X)
shaft -= (
    Pos(body + crossDistance, 0, 0) * Rot(90, 0, 0) * Cylinder(crossDiameter / 2, collarDiameter)
)
result = {"shaft": shaft}
