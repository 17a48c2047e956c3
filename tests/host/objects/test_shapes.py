"""Every tool that makes or changes a shape, against volumes and boxes worked out by hand."""

import math

import pytest

from gaugeblock.host.objects.patterns import counted_on

from .conftest import Desk

PI = math.pi


def circle(radius: float, u: float = 0, v: float = 0):
    return {"kind": "circle", "centre": [u, v], "radius": radius}


def rectangle(width: float, height: float, **more: object):
    return {"kind": "rectangle", "size": [width, height], **more}


def near(value: object):
    return pytest.approx(value, rel=1e-9, abs=2e-7)


@pytest.mark.parametrize(
    ("tool", "arguments", "volume", "bounds"),
    [
        ("box", {"size": [2, 3, 4], "at": [1, 1, 1]}, 24, [1, 1, 1, 3, 4, 5]),
        ("cylinder", {"radius": 3, "height": 5}, 45 * PI, [-3, -3, 0, 3, 3, 5]),
        (
            "cylinder",
            {"radius": 3, "height": 5, "axis": "-Y", "at": [1, 0, 0]},
            45 * PI,
            [-2, -5, -3, 4, 0, 3],
        ),
        ("cone", {"radius": 3, "top_radius": 0, "height": 5}, 15 * PI, [-3, -3, 0, 3, 3, 5]),
        (
            "cone",
            {"radius": 0, "top_radius": 2, "height": 6, "axis": "X"},
            8 * PI,
            [0, -2, -2, 6, 2, 2],
        ),
        ("sphere", {"radius": 3, "at": [0, 0, 9]}, 36 * PI, [-3, -3, 6, 3, 3, 12]),
        (
            "torus",
            {"radius": 10, "tube_radius": 2, "axis": "X"},
            80 * PI**2,
            [-2, -12, -12, 2, 12, 12],
        ),
    ],
)
def test_primitives(desk: Desk, tool, arguments, volume, bounds):
    desk.do(tool, name="it", **arguments)
    assert desk.volume("it") == near(volume)
    assert desk.bounds("it") == near(bounds)


L_SHAPE = [[0, 0], [60, 0], [60, 20], [20, 20], [20, 50], [0, 50]]


@pytest.mark.parametrize(
    ("plane", "bounds"),
    [
        ("XY", [0, 0, 5, 60, 50, 13]),
        ("XZ", [0, 5, 0, 60, 13, 50]),
        ("YZ", [5, 0, 0, 13, 60, 50]),
    ],
)
def test_extrusions_stand_where_the_plane_says(desk: Desk, plane, bounds):
    outline = {"kind": "polygon", "points": L_SHAPE}
    sketch = {"plane": plane, "at": 5, "outline": outline, "holes": [circle(4, 45, 10)]}
    desk.do("extrude", name="it", sketch=sketch, distance=8)
    assert desk.volume("it") == near((60 * 20 + 20 * 30 - 16 * PI) * 8)
    assert desk.bounds("it") == near(bounds)


@pytest.mark.parametrize(
    ("outline", "area"),
    [
        (circle(5), 25 * PI),
        (rectangle(10, 6), 60),
        (rectangle(10, 6, angle=30), 60),
        (rectangle(10, 6, corner_radius=2), 60 - (4 - PI) * 4),
        ({"kind": "slot", "size": [20, 6]}, 14 * 6 + 9 * PI),
        # Half circles to the outside (positive turns left: the arc lies right of its chord).
        ({"kind": "polygon", "points": [[0, 0, 1], [10, 0, 1]]}, 25 * PI),
        ({"kind": "polygon", "points": [[0, 0, 1], [10, 0], [10, 10], [0, 10]]}, 100 + 12.5 * PI),
        ({"kind": "polygon", "points": [[0, 0, -1], [10, 0], [10, 10], [0, 10]]}, 100 - 12.5 * PI),
        # Clockwise corners enclose the same.
        ({"kind": "polygon", "points": [[0, 0], [0, 10], [10, 10], [10, 0]]}, 100),
    ],
)
def test_loops(desk: Desk, outline, area):
    sketch = {"plane": "XZ", "outline": outline}
    desk.do("extrude", name="it", sketch=sketch, distance=-3, symmetric=True)
    assert desk.volume("it") == near(area * 3)
    assert desk.bounds("it")[1::3] == near([-1.5, 1.5])


def test_volumes_that_the_kernel_gets_wrong_at_once(desk: Desk):
    """By symmetry the smooth curve through a square's corners encloses 160 (a cubic, by hand)."""
    outline = {"kind": "spline", "points": [[0, 0], [10, 0], [10, 10], [0, 10]]}
    desk.do("extrude", name="cam", sketch={"plane": "XY", "outline": outline}, distance=5)
    assert desk.volume("cam") == near(800)
    with_hole = {"plane": "XY", "outline": outline, "holes": [circle(2, 5, 5)]}
    desk.do("extrude", name="bored", sketch=with_hole, distance=5)
    assert desk.volume("bored") == near(800 - 20 * PI)


def test_crossing_bars_have_the_volume_of_steinmetz(desk: Desk):
    desk.do("cylinder", name="a", radius=5, height=40, at=[0, 0, -20])
    desk.do("cylinder", name="b", radius=5, height=40, at=[-20, 0, 0], axis="X")
    both = desk.do("measure_between", first="a", second="b")
    assert both["shared_volume_mm3"] == pytest.approx(16 / 3 * 125, rel=1e-6)
    desk.do("cylinder", name="c", radius=3, height=40, at=[-20, 0, 0], axis="X")
    desk.do("boolean", operation="cut", target="a", tools=["c"])
    shared = 8 * quarter_integral(5, 3)
    assert desk.volume("a") == pytest.approx(1000 * PI - shared, rel=1e-8)


def quarter_integral(large: float, small: float, parts: int = 20_000) -> float:
    """An eighth of what crossing bars share: ∫ √(R²−y²) √(r²−y²) dy from 0 to r, y = r sin t."""
    step = PI / 2 / parts
    places = ((n + 0.5) * step for n in range(parts))
    return sum(
        math.sqrt(large**2 - (small * math.sin(t)) ** 2) * (small * math.cos(t)) ** 2 * step
        for t in places
    )


def test_a_smooth_outline_passes_through_its_points(desk: Desk):
    points = [[math.cos(k * PI / 20) * 9, math.sin(k * PI / 20) * 9] for k in range(40)]
    sketch = {"plane": "XY", "outline": {"kind": "spline", "points": points}}
    desk.do("extrude", name="it", sketch=sketch, distance=1)
    assert desk.volume("it") == pytest.approx(81 * PI, rel=1e-5)


@pytest.mark.parametrize("angle", [360, 90, 17.5])
@pytest.mark.parametrize("plane", ["XY", "XZ", "YZ"])
@pytest.mark.parametrize(("axis", "distance"), [("u", 12), ("v", 7)])
def test_revolutions_follow_pappus(desk: Desk, plane, axis, distance, angle):
    sketch = {"plane": plane, "at": 4, "outline": circle(3, 10, 15), "holes": [circle(1, 10, 15)]}
    desk.do("revolve", name="it", sketch=sketch, axis=axis, through=[3, 3], angle=angle)
    assert desk.volume("it") == near(8 * PI * distance * math.radians(angle))


def test_a_revolution_is_right_handed(desk: Desk):
    sketch = {"plane": "XZ", "outline": rectangle(2, 2, centre=[10, 0])}
    desk.do("revolve", name="it", sketch=sketch, axis="v", angle=90)
    assert desk.bounds("it") == near([0, 0, -1, 11, 11, 1])


@pytest.mark.parametrize("bend", [0, 20])
def test_sweeps_have_area_times_length(desk: Desk, bend):
    path = [[0, 0, 0], [0, 0, 100], [80, 0, 100], [80, 60, 100]]
    profile = {"outline": circle(5), "holes": [circle(4)]}
    desk.do("sweep", name="pipe", profile=profile, path=path, bend_radius=bend)
    length = 240 - 2 * (2 * bend - bend * PI / 2)
    assert desk.volume("pipe") == near(9 * PI * length)


def test_a_swept_profile_stands_upright(desk: Desk):
    profile = {"outline": rectangle(10, 2)}
    desk.do("sweep", name="rail", profile=profile, path=[[0, 0, 0], [50, 0, 0]])
    assert desk.bounds("rail") == near([0, -5, -1, 50, 5, 1])


def test_lofts_between_squares_are_frustums(desk: Desk):
    sections = [{"at": 0, "outline": rectangle(10, 10)}, {"at": 6, "outline": rectangle(4, 4)}]
    desk.do("loft", name="it", plane="XY", sections=sections, ruled=True)
    assert desk.volume("it") == near(6 / 3 * (100 + 16 + 40))


def pair(desk: Desk) -> None:
    desk.do("box", name="block", size=[20, 20, 10])
    desk.do("cylinder", name="pin", radius=5, height=30, at=[10, 10, -10])


@pytest.mark.parametrize(
    ("operation", "volume"),
    [
        ("union", 4000 + 25 * PI * 20),
        ("cut", 4000 - 25 * PI * 10),
        ("intersect", 25 * PI * 10),
    ],
)
def test_booleans(desk: Desk, operation, volume):
    pair(desk)
    desk.do("boolean", operation=operation, target="block", tools=["pin"])
    assert desk.volume("block") == near(volume)
    assert desk.names() == ["block"]


def test_tools_stay_if_asked(desk: Desk):
    pair(desk)
    desk.do("boolean", operation="cut", target="block", tools=["pin"], keep_tools=True)
    assert desk.names() == ["block", "pin"]
    assert desk.volume("pin") == near(25 * PI * 30)
    assert desk.do("measure_between", first="pin", second="block")["shared_volume_mm3"] == near(0)


def test_shells(desk: Desk):
    desk.do("box", name="cup", size=[20, 20, 10])
    desk.do("shell", object="cup", thickness=1, open={"side": "top"})
    assert desk.volume("cup") == near(4000 - 18 * 18 * 9)
    desk.do("box", name="vault", size=[20, 20, 10])
    desk.do("shell", object="vault", thickness=1)
    assert desk.volume("vault") == near(4000 - 18 * 18 * 8)
    assert desk.object("vault")["solids"] == 1


@pytest.mark.parametrize(
    ("rule", "length"),
    [
        ({"parallel": "Z"}, 40),
        ({"parallel": "X", "side": "top"}, 40),
        ({"at": {"axis": "X", "value": 20}, "parallel": "Y"}, 60),
        ({"through": [[10, 0, 10]]}, 20),
        ({"kind": "line", "corner": "convex", "parallel": "Y", "side": "left"}, 60),
    ],
)
def test_rounded_and_bevelled_edges(desk: Desk, rule, length):
    for name in ("round", "bevel"):
        desk.do("box", name=name, size=[20, 30, 10])
    desk.do("fillet", object="round", radius=2, edges=rule)
    desk.do("chamfer", object="bevel", length=2, edges=rule)
    assert desk.volume("round") == near(6000 - (4 - PI) * length)
    assert desk.volume("bevel") == near(6000 - 2 * length)


def test_inner_corners_are_told_from_outer_ones(desk: Desk):
    outline = {"kind": "polygon", "points": L_SHAPE}
    desk.do("extrude", name="it", sketch={"plane": "XY", "outline": outline}, distance=10)
    before = desk.volume("it")
    desk.do("fillet", object="it", radius=5, edges={"corner": "concave"})
    assert desk.volume("it") == near(before + (25 - 25 * PI / 4) * 10)
    kinds = [edge["corner"] for edge in desk.do("inspect_object", object="it")["edge_list"]]
    assert kinds.count("smooth") == 2 and kinds.count("concave") == 0


def test_edges_by_id_are_those_that_inspect_shows(desk: Desk):
    desk.do("box", name="it", size=[20, 30, 10])
    shown = desk.do("inspect_object", object="it")
    (edge,) = [edge for edge in shown["edge_list"] if edge["middle"] == [20, 15, 10]]
    (face,) = [face for face in shown["face_list"] if face["normal"] == [0, 0, -1]]
    assert edge["length_mm"] == 30 and face["area_mm2"] == 600
    desk.do("chamfer", object="it", length=1, edges={"ids": [edge["id"]]})
    assert desk.volume("it") == near(6000 - 0.5 * 30)
    desk.do("delete", objects=["it"])
    desk.do("box", name="it", size=[20, 30, 10])
    desk.do("shell", object="it", thickness=1, open={"ids": [face["id"]]})
    assert desk.volume("it") == near(6000 - 18 * 28 * 9)


def test_moves_turns_and_mirrors(desk: Desk):
    desk.do("box", name="it", size=[1, 2, 3], at=[10, 0, 0])
    desk.do("move", objects=["it"], by=[0, 0, 5])
    assert desk.bounds("it") == near([10, 0, 5, 11, 2, 8])
    desk.do("rotate", objects=["it"], axis="Z", angle=90)
    assert desk.bounds("it") == near([-2, 10, 5, 0, 11, 8])
    desk.do("rotate", objects=["it"], axis="X", angle=90, about=[0, 10, 5])
    assert desk.bounds("it") == near([-2, 7, 5, 0, 10, 6])
    desk.do("mirror", objects=["it"], plane="XZ", at=1, copy_names=["image"])
    assert desk.bounds("image") == near([-2, -8, 5, 0, -5, 6])
    desk.do("mirror", objects=["image"], plane="XY")
    assert desk.bounds("image") == near([-2, -8, -6, 0, -5, -5])
    assert desk.volume("it") == near(6) and desk.volume("image") == near(6)


def test_rows_grids_and_rings(desk: Desk):
    desk.do("box", name="bar 1", size=[200, 10, 6], at=[-100, -130, 50])
    desk.do("linear_pattern", object="bar 1", count=5, step=[0, 25, 0])
    assert desk.names() == [f"bar {number}" for number in range(1, 6)]
    assert desk.bounds("bar 5") == near([-100, -30, 50, 100, -20, 56])
    desk.do("cylinder", name="hole", radius=2, height=60, at=[20, 0, 0])
    desk.do("polar_pattern", object="hole", count=6, axis="Z", combine=True)
    assert desk.volume("hole") == near(6 * 4 * PI * 60)
    assert desk.object("hole")["solids"] == 6
    desk.do("box", name="foot", size=[4, 4, 4])
    grid = {"count": 2, "step": [10, 0, 0], "count2": 3, "step2": [0, 10, 0]}
    desk.do("linear_pattern", object="foot", combine=True, **grid)
    assert desk.bounds("foot") == near([0, 0, 0, 14, 24, 4])
    assert desk.volume("foot") == near(6 * 64)


def test_an_open_ring_goes_from_first_to_last(desk: Desk):
    desk.do("box", name="a", size=[2, 2, 2], at=[9, -1, 0])
    desk.do("polar_pattern", object="a", count=3, axis="Z", angle=-180, names=["b", "c"])
    assert desk.bounds("b") == near([-1, -11, 0, 1, -9, 2])
    assert desk.bounds("c") == near([-11, -1, 0, -9, 1, 2])


def test_copies_that_overlap_are_one_solid_where_they_are_combined(desk: Desk):
    desk.do("box", name="it", size=[10, 10, 10])
    desk.do("linear_pattern", object="it", count=3, step=[5, 0, 0], combine=True)
    assert desk.volume("it") == near(2000) and desk.object("it")["solids"] == 1


@pytest.mark.parametrize(
    ("name", "copies"),
    [
        ("bar", ["bar 2", "bar 3"]),
        ("bar 1", ["bar 2", "bar 3"]),
        ("bar9", ["bar10", "bar11"]),
        ("M3 007", ["M3 008", "M3 009"]),
        ("7", ["8", "9"]),
    ],
)
def test_copies_are_counted_on(name, copies):
    assert counted_on(name, 2) == copies


def test_distance_and_shared_volume(desk: Desk):
    pair(desk)
    desk.do("box", name="far", size=[1, 1, 1], at=[23, 24, 0])
    apart = desk.do("measure_between", first="block", second="far")
    assert apart["distance_mm"] == near(5) and apart["shared_volume_mm3"] == 0
    assert apart["from"] == near([20, 20, apart["from"][2]])
    into = desk.do("measure_between", first="block", second="pin")
    assert into["distance_mm"] == near(0) and into["shared_volume_mm3"] == near(25 * PI * 10)
    desk.do("sphere", name="inside", radius=1, at=[10, 10, 5])
    within = desk.do("measure_between", first="block", second="inside")
    assert within["shared_volume_mm3"] == near(4 / 3 * PI)
