# A program's text: the modeller's names come from who runs it, and none of it is ours to mend.
# ruff: noqa
# mypy: ignore-errors
# gaugeblock-canary-5035745b-5823-4195-93b9-ccbc45f45e14

# Clevis: a fork with round ends and a pin bore, spot-faced on one side, on a round shank with a
# blind core hole. The axis of the shank is X. All lengths in mm.
fork = Box(forkLength, width, height, align=(Align.MIN, Align.CENTER, Align.CENTER))
nose = Plane((forkLength, width / 2, 0), x_dir=(1, 0, 0), z_dir=(0, -1, 0))
fork += extrude(nose * Circle(height / 2), width)
fork -= Pos(forkLength + height / 2, 0, 0) * Box(
    gapDepth, gap, height, align=(Align.MAX, Align.CENTER, Align.CENTER)
)
start = Plane((0, 0, 0), z_dir=(-1, 0, 0))
fork += extrude(start * Circle(shankDiameter / 2), shankLength)
fork -= extrude(nose * Circle(pinDiameter / 2), width)
fork -= extrude(nose * Circle(spotDiameter / 2), spotDepth)
end = Plane((-shankLength, 0, 0), z_dir=(1, 0, 0))
fork -= extrude(end * Circle(coreDiameter / 2), coreDepth)
rim = fork.edges().filter_by(GeomType.CIRCLE).sort_by(Axis.X)[0:2].sort_by(Edge.length)[-1]
fork = chamfer(rim, bevel)
result = {"clevis": fork}
