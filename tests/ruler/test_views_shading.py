"""Shaded views: silhouettes against formulas, colours of the file, nothing cut off."""

import math

import numpy as np
import pytest
from OCP.BRepPrimAPI import BRepPrimAPI_MakeSphere, BRepPrimAPI_MakeTorus
from OCP.TopAbs import TopAbs_FACE
from ruler_shapes import box, cut, cylinder, moved, tray
from views_shapes import body, read_solid, turned, turned_camera

from gaugeblock.ruler.explore import explore
from gaugeblock.ruler.views.body import packed, unpacked
from gaugeblock.ruler.views.cameras import CAMERAS
from gaugeblock.ruler.views.shading import MARGIN, Shading

SIZE = 400


def picture(*solids, of="front", size=SIZE):
    camera = CAMERAS[of] if isinstance(of, str) else of
    solids = [s if hasattr(s, "shape") else read_solid(s) for s in solids]
    return Shading(body(*solids)).draw(camera, size)


def area(shown) -> float:
    """Area of all that is not paper, mm²."""
    dark = (shown.pixels.astype(int) < 250).any(axis=2)
    return float(dark.sum()) / shown.scale**2


def bored():
    return cut(box(40, 30, 5), cylinder(6, 9, (15, 15, -2)))


@pytest.mark.parametrize(
    ("part", "of", "truth", "rim"),
    [
        (lambda: box(30, 20, 10), "front", 300.0, 80.0),
        (lambda: box(30, 20, 10), "top", 600.0, 100.0),
        # The sum of the faces' areas times the cosine to the line of sight, 1/√3 each.
        (lambda: box(30, 20, 10), "iso", (600 + 300 + 200) / math.sqrt(3), 98.0),
        (lambda: BRepPrimAPI_MakeSphere(7.0).Shape(), "iso", math.pi * 49, 44.0),
        (lambda: BRepPrimAPI_MakeTorus(10.0, 3.0).Shape(), "top", math.pi * (169 - 49), 126.0),
        (lambda: BRepPrimAPI_MakeTorus(10.0, 3.0).Shape(), "front", 120 + math.pi * 9, 59.0),
        (lambda: bored(), "top", 1200 - 36 * math.pi, 178.0),
    ],
)
def test_the_silhouette_has_its_area(part, of, truth, rim):
    shown = picture(part(), of=of)
    # Beyond the rim (mm) reaches its ink: half of 1.25 pixels and half a pixel of softness, and
    # what of a pixel that it only touches is counted whole.
    ink = (area(shown) - truth) * shown.scale / rim
    assert 0.9 <= ink <= 1.5


@pytest.mark.parametrize("of", CAMERAS)
def test_nothing_is_cut_off_and_the_picture_is_filled(of):
    shown = picture(moved(tray()[0], (1, 2, 3), 0.4, 1000.0), of=of)
    dark = (shown.pixels < 250).any(axis=2)
    rows, columns = np.flatnonzero(dark.any(axis=1)), np.flatnonzero(dark.any(axis=0))
    free = MARGIN * SIZE
    sides = [rows[0], SIZE - 1 - rows[-1], columns[0], SIZE - 1 - columns[-1]]
    assert min(sides) >= free - 2
    assert min(sides) <= free + 1, "the longer side fills the picture"
    assert abs(rows[0] - (SIZE - 1 - rows[-1])) <= 2, "in the middle"


@pytest.mark.parametrize("size", [101, 256])
def test_centre_and_scale_tell_where_a_point_is(size):
    # A small bore at a known place, in a plate far from the origin.
    part = cut(box(60, 40, 4, (900, -300, 0)), cylinder(3, 9, (912, -270, -2)))
    shown = picture(part, of="top", size=size)
    x = size / 2 + (912 - shown.centre[0]) * shown.scale
    y = size / 2 - (-270 - shown.centre[1]) * shown.scale
    light = (shown.pixels > 250).all(axis=2)
    inside = np.zeros_like(light)
    reach = int(4 * shown.scale)
    window = (slice(int(y) - reach, int(y) + reach + 1), slice(int(x) - reach, int(x) + reach + 1))
    inside[window] = light[window]
    rows, columns = np.nonzero(inside)
    assert abs(columns.mean() + 0.5 - x) < 0.6 and abs(rows.mean() + 0.5 - y) < 0.6


def test_a_turned_part_looks_the_same_to_the_turned_camera():
    part = cut(box(60, 40, 20), box(20, 20, 10, (5, 10, 12)), cylinder(5, 30, (45, 20, -5)))
    axis, angle = (1.0, 2.0, -1.0), 0.9
    own = picture(part, of="iso").pixels.astype(int)
    other = picture(turned(part, axis, angle), of=turned_camera("iso", axis, angle)).pixels.astype(
        int
    )
    # Triangles and rounding differ along lines alone.
    assert (np.abs(own - other).max(axis=2) > 24).mean() < 0.01


def hue(pixels, where):
    """Mean colour around a place, the brightest part 1."""
    x, y = where
    mean = pixels[y - 4 : y + 5, x - 4 : x + 5].reshape(-1, 3).astype(float).mean(axis=0)
    return mean / mean.max()


def test_the_files_colours_show():
    shown = picture(
        read_solid(box(20, 20, 20), "#c02020"),
        read_solid(box(20, 20, 20, (40, 0, 0)), "#2040c0"),
        read_solid(box(20, 20, 20, (80, 0, 0))),
    )
    red, blue, plain = (hue(shown.pixels, (x, SIZE // 2)) for x in (56, 200, 344))
    assert red[0] == 1 and max(red[1:]) < 0.4
    assert blue[2] == 1 and max(blue[:2]) < 0.5
    assert plain.min() > 0.75, "a pale neutral where the file has none"


def test_a_face_of_its_own_colour_shows():
    part = box(20, 20, 20)
    faces = [None] * len(explore(part, TopAbs_FACE))
    faces[2] = "#00a000"
    counts = {}
    for of in ("front", "rear", "left", "right", "top", "bottom"):
        pixels = picture(read_solid(part, "#c02020", faces), of=of).pixels.astype(int)
        green = (pixels[..., 1] - pixels[..., 0] > 60).mean()
        red = (pixels[..., 0] - pixels[..., 1] > 60).mean()
        counts[of] = (green > 0.5, red > 0.5)
    assert sorted(counts.values()) == [(False, True)] * 5 + [(True, False)]


def test_a_black_part_still_shows_its_edges():
    shown = picture(read_solid(box(20, 20, 20), "#000000"), of="iso")
    bright = shown.pixels.astype(float).mean(axis=2)
    # Along the upright edge in the middle, and beside it.
    rows = range(SIZE // 2 + 40, SIZE // 2 + 100)
    middle = np.array([bright[row, SIZE // 2 - 3 : SIZE // 2 + 4].max() for row in rows])
    beside = np.array([bright[row, SIZE // 2 - 40 : SIZE // 2 - 20].mean() for row in rows])
    assert (middle - beside).min() > 30


def test_a_body_survives_packing():
    made = body(read_solid(tray()[0], "#102030"))
    header, blobs = packed(made)
    again = unpacked(header, blobs, str)
    assert (again.points == made.points).all() and (again.triangles == made.triangles).all()
    assert again.palette == made.palette and again.centre == made.centre


@pytest.mark.parametrize(
    "harm",
    [
        lambda header, blobs: header.update(palette=[]),
        lambda header, blobs: header.update(palette=["red"]),
        lambda header, blobs: header.update(centre=[0.0, math.inf, 0.0]),
        lambda header, blobs: header.pop("sag"),
        lambda header, blobs: blobs.pop(),
        lambda header, blobs: blobs.__setitem__(0, blobs[0][:-12]),
        lambda header, blobs: blobs.__setitem__(0, b"\xff" * len(blobs[0])),
        lambda header, blobs: blobs.__setitem__(1, b""),
        lambda header, blobs: blobs.__setitem__(1, b"\xff" * len(blobs[1])),
        lambda header, blobs: blobs.__setitem__(2, blobs[2][:-4]),
        lambda header, blobs: blobs.__setitem__(2, b"\x01" * len(blobs[2])),
        lambda header, blobs: blobs.__setitem__(3, blobs[3][:-1]),
    ],
)
def test_a_wrong_body_is_refused(harm):
    header, blobs = packed(body(read_solid(box(1, 2, 3))))
    harm(header, blobs)
    with pytest.raises((ValueError, KeyError, TypeError)):
        unpacked(header, blobs, str)
