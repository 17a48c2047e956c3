# A program's text: the modeller's names come from who runs it, and none of it is ours to mend.
# ruff: noqa
# mypy: ignore-errors

# An espresso machine seen from outside. mm; X width, -Y front, Z up.
STEEL = Color(0.725, 0.741, 0.757)
DARK_STEEL = Color(0.557, 0.576, 0.596)
CHROME = Color(0.867, 0.882, 0.894)
BLACK = Color(0.149, 0.157, 0.169)
CLEAR = Color(0.561, 0.78, 0.89, 0.5)
IVORY = Color(0.957, 0.945, 0.91)


def block(x, y, z):
    """A box from (low, high) along each axis."""
    size = [high - low for low, high in (x, y, z)]
    return Pos(x[0], y[0], z[0]) * Box(*size, align=(Align.MIN, Align.MIN, Align.MIN))


def rod(radius, x, z, y):
    """A cylinder along Y between two places."""
    centre = (y[0] + y[1]) / 2
    return Pos(x, centre, z) * Rot(90, 0, 0) * Cylinder(radius, y[1] - y[0])


portafilter = Pos(0, -75, 202.5) * Cylinder(32, 35)
parts = {
    "base": (block((-140, 140), (-150, 200), (0, 20)), BLACK),
    "housing": (block((-140, 140), (0, 200), (20, 340)), STEEL),
    "drip tray": (
        block((-110, 110), (-150, 0), (20, 50)) - block((-95, 95), (-140, -10), (23, 50)),
        STEEL,
    ),
    "group head": (
        Pos(0, -75, 245) * Cylinder(35, 50) + block((-30, 30), (-75, 0), (225, 265)),
        CHROME,
    ),
    "portafilter": (portafilter, CHROME),
    "handle": (rod(13, 0, 202.5, (-215, -75)) - portafilter, BLACK),
    "steam wand": (
        Pos(120, -10, 170) * Cylinder(5, 160) + block((112, 128), (-20, 0), (250, 270)),
        CHROME,
    ),
    "water tank": (block((-110, 110), (200, 250), (40, 300)), CLEAR),
    "cup warmer": (block((-130, 130), (10, 190), (340, 355)), STEEL),
    "pressure gauge": (rod(28, -85, 290, (-12, 0)), IVORY),
    "brew control": (rod(18, 40, 300, (-20, 0)), BLACK),
    "steam control": (rod(18, 100, 300, (-20, 0)), BLACK),
}
for number in range(5):
    y = -125 + 25 * number
    parts[f"grate bar {number + 1}"] = (block((-100, 100), (y - 5, y + 5), (50, 56)), DARK_STEEL)

result = {}
for name, (shape, colour) in parts.items():
    shape.color = colour
    result[name] = shape
