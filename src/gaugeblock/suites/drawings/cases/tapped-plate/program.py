# A program's text: the modeller's names come from who runs it, and none of it is ours to mend.
# ruff: noqa
# mypy: ignore-errors
# gaugeblock-canary-c7407702-1ca3-40dd-9c78-34709b41c08c

# Clamping plate with a tapped hole, a counterbored hole and one bevelled corner. All lengths in mm.
# The thread: a ridge of ISO 68-1, swept along a helix and joined to its core, is cut out of the plate.
plate = Box(length, width, thickness, align=Align.MIN)
plate = chamfer(plate.edges().filter_by(Axis.Z).sort_by(SortBy.DISTANCE)[0], bevelLeg)
plate -= Pos(holeX, holeY, thickness / 2) * Cylinder(holeDiameter / 2, thickness)
plate -= Pos(holeX, holeY, thickness - sinkDepth / 2) * Cylinder(sinkDiameter / 2, sinkDepth)
outer = major / 2
inner = outer - 5 / 16 * math.sqrt(3) * threadPitch
sunk = 0.05
half = 0.375 * threadPitch + sunk * math.tan(math.radians(30))
crest = threadPitch / 16
section = Polyline(
    (inner - sunk, -half), (outer, -crest), (outer, crest), (inner - sunk, half), close=True
)
over = 2 * threadPitch
path = Helix(pitch=threadPitch, height=thickness + 2 * over, radius=inner)
ridge = sweep(Plane.XZ * make_face(section), path=path, is_frenet=True)
core = Cylinder(inner, thickness + 4 * over, align=(Align.CENTER, Align.CENTER, Align.MIN))
screw = Pos(0, 0, -over) * ridge + Pos(0, 0, -2 * over) * core
result = {"clamping plate": plate - Pos(threadX, threadY, 0) * screw}
