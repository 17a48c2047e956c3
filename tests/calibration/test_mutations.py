"""Every kind of mutation does what its name says: volumes by hand, no ruler."""

import math

import pytest
from OCP.BRepAlgoAPI import BRepAlgoAPI_Cut, BRepAlgoAPI_Fuse
from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox, BRepPrimAPI_MakeCylinder, BRepPrimAPI_MakeSphere
from OCP.gp import gp_Ax2, gp_Dir, gp_Pnt

from gaugeblock.calibration.judgement import NAMED
from gaugeblock.calibration.mutation import bodies, catalogue
from gaugeblock.calibration.mutation.bodies import Item, NotApplicable, Part
from gaugeblock.calibration.mutation.signature import differences, signature

LONG, WIDE, HIGH = 60.0, 40.0, 10.0
HOLE, BLIND, BOSS = 4.0, 2.0, 5.0
DEEP, TALL = 6.0, 4.0
VOLUME = (
    LONG * WIDE * HIGH
    - math.pi * HOLE**2 * HIGH
    - math.pi * BLIND**2 * DEEP
    + math.pi * BOSS**2 * TALL
)


def cylinder(x, y, z, radius, height):
    axes = gp_Ax2(gp_Pnt(x, y, z), gp_Dir(0, 0, 1))
    return BRepPrimAPI_MakeCylinder(axes, radius, height).Shape()


def plate():
    shape = BRepPrimAPI_MakeBox(LONG, WIDE, HIGH).Solid()
    shape = BRepAlgoAPI_Cut(shape, cylinder(15, 12, 0, HOLE, HIGH)).Shape()
    shape = BRepAlgoAPI_Cut(shape, cylinder(45, 30, HIGH - DEEP, BLIND, DEEP)).Shape()
    shape = BRepAlgoAPI_Fuse(shape, cylinder(40, 12, HIGH, BOSS, TALL)).Shape()
    (solid,) = bodies.solids_in(shape)
    return Part((Item("plate", solid),))


@pytest.fixture(scope="module")
def part():
    return bodies.read(bodies.write(plate()))


@pytest.fixture(scope="module")
def specs(part):
    return catalogue.listing(part, 99).specs


def read_back(part):
    """The mutant as the file carries it."""
    return bodies.read(bodies.write(part))


def volume(part):
    return sum(bodies.volume_of(item.shape) for item in part.items)


def made(part, specs, kind, **wanted):
    for spec in specs:
        if spec.kind == kind and all(getattr(spec, k) == v for k, v in wanted.items()):
            return spec, *catalogue.make(part, spec)
    raise AssertionError(f"no {kind} {wanted}")


def test_the_reference_itself(part):
    assert volume(part) == pytest.approx(VOLUME, rel=1e-12)
    assert bodies.write(part) == bodies.write(part)  # the same bytes every time


def test_kinds_are_listed_and_named(specs):
    listed = {spec.kind for spec in specs}
    assert listed == set(catalogue.KINDS)
    assert listed - {"rewritten"} == set(NAMED) - {"parameter", "declared"}
    assert len({spec.name for spec in specs}) == len(specs)


def test_hole_moved(part, specs):
    spec, mutant, name = made(part, specs, "hole-moved", axis="X", amount=0.5 * 2 * 0.5)
    assert volume(mutant) == pytest.approx(VOLUME, rel=1e-12)
    assert "moved 0.5 mm along X" in name
    before, after = (signature(bodies.write(p), third=False)["centre"] for p in (part, mutant))
    radius = float(name.split("Ø")[1].split(" ")[0]) / 2
    depth = HIGH if radius == HOLE else DEEP
    pushed = -math.pi * radius**2 * depth * spec.amount / VOLUME
    assert after[0] - before[0] == pytest.approx(pushed, rel=1e-6)
    assert after[1:] == pytest.approx(before[1:], abs=1e-9)


def test_holes_are_named_by_size_and_place(specs):
    names = [spec.name for spec in specs if spec.kind == "hole-dropped"]
    assert any("(Ø8.00 at 15.0, 12.0) dropped" in name for name in names)
    assert any("(Ø4.00 at 45.0, 30.0) dropped" in name for name in names)
    assert len(names) == 2


@pytest.mark.parametrize(("radius", "depth"), [(HOLE, HIGH), (BLIND, DEEP)])
def test_hole_dropped_and_resized(part, specs, radius, depth):
    word = f"Ø{2 * radius:.2f} at"
    for spec in specs:
        if word in spec.name and spec.kind == "hole-dropped":
            mutant, _ = catalogue.make(part, spec)
            gain = math.pi * radius**2 * depth
        elif word in spec.name and spec.kind == "hole-resized":
            mutant, _ = catalogue.make(part, spec)
            gain = math.pi * (radius**2 - (radius + spec.amount) ** 2) * depth
        else:
            continue
        assert volume(mutant) - VOLUME == pytest.approx(gain, rel=1e-6)


def test_hole_added_and_circle_imprinted(part, specs):
    _, mutant, name = made(part, specs, "hole-added")
    radius = float(name.split("Ø")[1].split(" ")[0]) / 2
    assert VOLUME - volume(mutant) == pytest.approx(math.pi * radius**2 * 2.0, rel=1e-6)
    _, mutant, _ = made(part, specs, "imprinted")
    one, other = (signature(bodies.write(p), third=False) for p in (part, mutant))
    assert other["faces"] == one["faces"] + 1
    assert volume(mutant) == pytest.approx(VOLUME, rel=1e-12)


def test_boss_turned(part, specs):
    spec, mutant, _ = made(part, specs, "round-resized")
    gain = math.pi * ((BOSS + spec.amount) ** 2 - BOSS**2) * TALL
    assert volume(mutant) - VOLUME == pytest.approx(gain, rel=1e-6)


def test_planes_moved(part, specs):
    areas = {
        "normal −X, X = 0.00": WIDE * HIGH,
        "normal +X, X = 60.00": WIDE * HIGH,
        "normal −Y, Y = 0.00": LONG * HIGH,
        "normal +Y, Y = 40.00": LONG * HIGH,
        "normal +Z, Z = 14.00": math.pi * BOSS**2,
        "normal −Z, Z = 0.00": LONG * WIDE - math.pi * HOLE**2,
        "normal +Z, Z = 10.00": LONG * WIDE - math.pi * (HOLE**2 + BLIND**2 + BOSS**2),
        "normal +Z, Z = 4.00": math.pi * BLIND**2,
    }
    seen = 0
    for spec in specs:
        if spec.kind == "plane-moved":
            (area,) = (a for words, a in areas.items() if words in spec.name)
            mutant, _ = catalogue.make(part, spec)
            assert volume(mutant) - VOLUME == pytest.approx(area * spec.amount, rel=1e-5)
            seen += 1
    assert seen == len(areas)


@pytest.mark.parametrize(
    ("kind", "lost"), [("fillet-added", 1 - math.pi / 4), ("chamfer-added", 0.5)]
)
def test_edge_rounded(part, specs, kind, lost):
    """A vertical edge of the plate, 10 mm long: a prism is lost."""
    upright = tuple(f"(at {x}, {y}, 5.0)" for x in (0.0, LONG) for y in (0.0, WIDE))
    spec = next(s for s in specs if s.kind == kind and s.name.endswith(upright))
    mutant, _ = catalogue.make(part, spec)
    assert VOLUME - volume(mutant) == pytest.approx(lost * spec.amount**2 * HIGH, rel=1e-6)


def test_whole_part(part, specs):
    for kind in ("mirrored", "rotated", "shifted", "renamed", "unit-other", "split", "random"):
        _, mutant, _ = made(part, specs, kind)
        assert volume(read_back(mutant)) == pytest.approx(VOLUME, rel=1e-9), kind
    for spec in specs:
        if spec.kind == "scaled":
            mutant, _ = catalogue.make(part, spec)
            assert volume(read_back(mutant)) == pytest.approx(VOLUME * spec.amount**3, rel=1e-9)
        if spec.kind == "stretched":
            mutant, _ = catalogue.make(part, spec)
            assert volume(read_back(mutant)) == pytest.approx(VOLUME * spec.amount, rel=1e-4)
    _, mutant, _ = made(part, specs, "boxed")
    assert volume(mutant) == pytest.approx(LONG * WIDE * (HIGH + TALL), rel=1e-9)
    _, mutant, _ = made(part, specs, "unit-claimed")
    assert volume(read_back(mutant)) == pytest.approx(VOLUME * 25.4**3, rel=1e-9)


def test_moved_and_turned(part, specs):
    low, high = bodies.box_of([part.items[0].shape])
    _, mutant, _ = made(part, specs, "shifted")
    assert bodies.box_of([mutant.items[0].shape])[0] == pytest.approx((low[0] + 1, *low[1:]))
    _, mutant, _ = made(part, specs, "rotated", axis="Z")
    turned_low, turned_high = bodies.box_of([mutant.items[0].shape])
    assert [b - a for a, b in zip(turned_low, turned_high, strict=True)] == pytest.approx(
        [high[1] - low[1], high[0] - low[0], high[2] - low[2]]
    )


def test_bodies(part, specs):
    counts = {"split": 2, "duplicated": 2, "stray-solid": 2}
    for kind, count in counts.items():
        _, mutant, _ = made(part, specs, kind)
        assert len(read_back(mutant).items) == count, kind
    _, mutant, _ = made(part, specs, "stray-solid")
    assert volume(mutant) == pytest.approx(VOLUME + 1.0)
    _, mutant, _ = made(part, specs, "face-removed")
    assert not bodies.sound(mutant.items[0].shape)
    _, mutant, _ = made(part, specs, "null")
    with pytest.raises(Exception, match="no solid"):
        read_back(mutant)
    with pytest.raises(NotApplicable, match="one solid only"):
        made(part, specs, "merged")


def test_two_bodies_merged():
    one = BRepPrimAPI_MakeBox(10.0, 10.0, 10.0).Solid()
    other = BRepPrimAPI_MakeBox(gp_Pnt(10, 0, 0), 5.0, 10.0, 10.0).Solid()
    part = Part((Item("a", one), Item("b", other)))
    mutant, _ = catalogue.make(part, catalogue.Spec("merged", ""))
    assert len(mutant.items) == 1
    assert volume(mutant) == pytest.approx(1500)


def test_file_carries_names_unit_and_sense(part, specs):
    reference = signature(bodies.write(part), third=False)
    for kind, element in (("renamed", "names"), ("nameless", "names"), ("unit-other", "unit")):
        _, mutant, _ = made(part, specs, kind)
        other = signature(bodies.write(mutant), third=False)
        assert differences(reference, other, turned=False, senses=False) == [element], kind
    _, mutant, _ = made(part, specs, "inside-out")
    other = signature(bodies.write(mutant), third=False)
    flipped = reference["senses"].translate(str.maketrans("TF", "FT"))
    assert other["senses"] == flipped
    assert differences(reference, other, turned=False, senses=True) == ["senses"]


def differs_when(shape, kind, axis="Z"):
    part = bodies.read(bodies.write(Part((Item("body", shape),))))
    mutant, _ = catalogue.make(part, catalogue.Spec(kind, "", axis=axis))
    one, other = (signature(bodies.write(p), third=True) for p in (part, mutant))
    return differences(one, other, turned=True, senses=False)


def test_equal_mutants_are_known_as_equal():
    ball = BRepPrimAPI_MakeSphere(gp_Pnt(7, -3, 2), 5.0).Solid()
    assert differs_when(ball, "rotated") == []
    assert differs_when(ball, "mirrored") == []
    box = BRepPrimAPI_MakeBox(gp_Pnt(1, 2, 3), 10.0, 20.0, 30.0).Solid()
    assert differs_when(box, "mirrored") == []
    assert differs_when(box, "rotated") != []


def test_a_third_moment_tells_a_mirror_image():
    """Two opposite notches of unlike depth: their box is symmetric, the part is not."""
    shape = BRepPrimAPI_MakeBox(20.0, 20.0, 20.0).Solid()
    for at, size in (((0, 0, 0), (8, 6, 4)), ((12, 14, 16), (8, 6, 4)), ((12, 0, 16), (8, 4, 4))):
        tool = BRepPrimAPI_MakeBox(gp_Pnt(*at), *map(float, size)).Shape()
        shape = BRepAlgoAPI_Cut(shape, tool).Shape()
    (solid,) = bodies.solids_in(shape)
    assert "third moments" in differs_when(solid, "mirrored", "X")


def two_bodies(first, second, names=("one", "two")):
    solids = (
        BRepPrimAPI_MakeBox(first, 10, 10),
        BRepPrimAPI_MakeBox(gp_Pnt(50, 0, 0), 5, 5, second),
    )
    items = [Item(name, made.Solid()) for name, made in zip(names, solids, strict=True)]
    return signature(bodies.write(Part(tuple(items))), third=False)


def test_a_change_of_any_body_is_seen():
    """The kernel's integrals forget what they were given before, so each body is taken apart."""
    known = two_bodies(10, 5)
    assert known["volume"] == pytest.approx(10 * 10 * 10 + 5 * 5 * 5, rel=1e-12)
    assert known["area"] == pytest.approx(600 + 150, rel=1e-12)
    for first, second in ((10.01, 5), (10, 5.01)):
        other = two_bodies(first, second)
        assert {"volume", "volumes", "area"} <= set(
            differences(known, other, turned=False, senses=False)
        )


def test_names_that_changed_bodies_are_seen():
    known, swapped = two_bodies(10, 5), two_bodies(10, 5, ("two", "one"))
    assert differences(known, two_bodies(10, 5), turned=False, senses=False) == []
    assert differences(known, swapped, turned=False, senses=False) == ["volumes"]
