# A program's text: the modeller's names come from who runs it, and none of it is ours to mend.
# ruff: noqa
# mypy: ignore-errors
# gaugeblock-canary-2b3df356-6b89-45ad-92c3-139b92c76da3

# Pulley for two V-belts with its hub on one side, turned about X. All lengths in mm.


def groove(middle):
    """One V groove about X: its opening lies on the outside diameter."""
    half, foot, outer = grooveWidth / 2, grooveFloor / 2, outsideDiameter / 2
    outline = Polyline(
        (middle - half, outer),
        (middle - foot, outer - grooveDepth),
        (middle + foot, outer - grooveDepth),
        (middle + half, outer),
        close=True,
    )
    return revolve(make_face(outline), Axis.X)


bore = boreDiameter / 2
profile = Polyline(
    (0, bore + boreChamfer),
    (0, outsideDiameter / 2),
    (rimWidth, outsideDiameter / 2),
    (rimWidth, recessDiameter / 2),
    (rimWidth - recessDepth, recessDiameter / 2),
    (rimWidth - recessDepth, hubDiameter / 2),
    (hubLength, hubDiameter / 2),
    (hubLength, bore + boreChamfer),
    (hubLength - boreChamfer, bore),
    (boreChamfer, bore),
    close=True,
)
pulley = revolve(make_face(profile), Axis.X)
for side in (-1, 1):
    pulley -= groove(rimWidth / 2 + side * grooveSpacing / 2)
floor = keyHeight - bore
pulley -= Pos(hubLength / 2, 0, floor / 2) * Box(hubLength, keyWidth, floor)
result = {"pulley": pulley}
