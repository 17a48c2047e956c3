"""Threads of many kinds against their construction, and look-alikes that are none.

`./dev test -s tests/ruler/test_threads.py -k table` prints the table of docs/metrics/threads.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest
import ruler_shapes as shapes
import thread_lookalikes as lookalikes
import thread_shapes as ts
from OCP.TopAbs import TopAbs_SOLID

from gaugeblock.records.features import Thread
from gaugeblock.ruler.explore import explore
from gaugeblock.ruler.facts.outline import outline_of
from gaugeblock.ruler.threads.measuring import Threads, threads_of_shape, threads_of_solid

PITCH = 2e-5
"""mm. The splines of the bodies are exact to 1e-6 of the radius."""

DIAMETER = 1e-4
"""mm; flat crests and roots are seen as they are."""

ANGLE = 0.01
"""Degrees."""

RATIO = 1e-4
"""Of the volume; fidelity asks for 5e-3."""

TURN = 1e-3
"""Rounding of lengths and places along the axis, mm."""


@dataclass(frozen=True)
class Case:
    """A body with one thread, and what is to be found."""

    make: Callable[[], Any]
    screw: ts.Screw
    size: str | None
    length: float
    internal: bool = False
    through: bool | None = None
    ratio: float | None = 1.0


def turned_rod() -> Any:
    return shapes.moved(ts.rod(M20F, 10), (3, -1, 2), 1.1, 57.0)


M8 = ts.iso(8, 1.25)
M8_TWO = ts.iso(8, 1.25, starts=2)
M12_LEFT = ts.iso(12, 1.75, hand=-1)
M16 = ts.rolled(16, 2)
M20F = ts.iso(20, 1.5)
TR = ts.trapezoidal(20, 4, starts=2)
WORM = lookalikes.worm()
CASES = {
    "M3 rod": Case(lambda: ts.rod(ts.iso(3, 0.5), 3), ts.iso(3, 0.5), "M3x0.5", 3),
    "M8 screw, shank, head": Case(lambda: ts.bolt(M8, 7, 13, 5, 6), M8, "M8x1.25", 7),
    "M8 screw to its head": Case(lambda: ts.bolt(M8, 7, 13, 5), M8, "M8x1.25", 7),
    "M6 blind tapped": Case(
        lambda: ts.tapped(ts.iso(6, 1), 6, 8, ts.square(20)), ts.iso(6, 1), "M6x1", 6,
        internal=True, through=False,
    ),
    "M10x1 nut": Case(
        lambda: ts.nut(ts.iso(10, 1), 6, ts.hexagon(17)), ts.iso(10, 1), "M10x1", 6,
        internal=True, through=True,
    ),
    "M12 left nut": Case(
        lambda: ts.nut(M12_LEFT, 10, ts.hexagon(19)), M12_LEFT, "M12x1.75", 10,
        internal=True, through=True,
    ),
    "M16 round root": Case(lambda: ts.rod(M16, 12), M16, "M16x2", 12),
    "M20x1.5 turned in space": Case(turned_rod, M20F, "M20x1.5", 10),
    "M64 rod": Case(lambda: ts.rod(ts.iso(64, 6), 30), ts.iso(64, 6), "M64x6", 30),
    "1/4-20 UNC rod": Case(
        lambda: ts.rod(ts.unified(0.25, 20), 7), ts.unified(0.25, 20), "1/4-20 UNC", 7
    ),
    "1/2-20 UNF nut": Case(
        lambda: ts.nut(ts.unified(0.5, 20), 7, ts.hexagon(19)), ts.unified(0.5, 20),
        "1/2-20 UNF", 7, internal=True, through=True,
    ),
    "#10-32 UNF rod": Case(
        lambda: ts.rod(ts.unified(0.19, 32), 5), ts.unified(0.19, 32), "#10-32 UNF", 5
    ),
    "1-20 UNEF rod": Case(
        lambda: ts.rod(ts.unified(1, 20), 8), ts.unified(1, 20), "1-20 UNEF", 8
    ),
    "M8 2-start rod": Case(lambda: ts.rod(M8_TWO, 12), M8_TWO, "M8x1.25", 12),
    "M8 3-start left nut": Case(
        lambda: ts.nut(ts.iso(8, 1.25, starts=3, hand=-1), 6.5, ts.hexagon(13)),
        ts.iso(8, 1.25, starts=3, hand=-1), "M8x1.25", 6.5, internal=True, through=True,
    ),
    "Tr20x4 2-start rod": Case(lambda: ts.rod(TR, 24), TR, "Tr20x4", 24),
    "square thread": Case(
        lambda: ts.rod(ts.Screw(20, 4, 16, flank=0.0, crest=2.0), 30),
        ts.Screw(20, 4, 16, flank=0.0, crest=2.0), None, 30, ratio=None,
    ),
    "worm, module 2": Case(lambda: ts.rod(WORM, 35), WORM, None, 35, ratio=None),
}  # fmt: skip


@cache
def measured(name: str) -> Thread:
    (thread,) = threads_of_shape(CASES[name].make())
    return thread


@pytest.mark.parametrize("name", CASES)
def test_thread_is_measured(name: str) -> None:
    case, found = CASES[name], measured(name)
    screw = case.screw
    assert found.designation == case.size
    assert found.internal is case.internal
    assert found.through is case.through
    assert found.hand == ("right" if screw.hand > 0 else "left")
    assert found.starts == screw.starts
    assert found.pitch == pytest.approx(screw.pitch, abs=PITCH)
    assert found.lead == pytest.approx(screw.lead, abs=screw.starts * PITCH)
    assert found.surface_lead == pytest.approx(screw.lead, abs=screw.starts * PITCH)
    assert found.major == pytest.approx(screw.major, abs=DIAMETER)
    assert found.minor == pytest.approx(screw.minor, abs=DIAMETER)
    assert found.flank_angle == pytest.approx(screw.flank, abs=ANGLE)
    assert found.length == pytest.approx(case.length, abs=TURN)
    assert found.full_length == pytest.approx(case.length, abs=2 * screw.pitch / 37)
    assert found.volume_ratio == (case.ratio and pytest.approx(case.ratio, abs=RATIO))
    assert found.findings == []
    if screw.flank:
        assert found.pitch_diameter == pytest.approx(screw.pitch_diameter, abs=DIAMETER)
    else:
        assert found.pitch_diameter is None
    if not screw.round_root:
        ring = math.pi * (screw.major**2 - screw.minor**2) / 4
        ridge = screw.core() - math.pi * screw.minor**2 / 4
        truth = (ring - ridge if case.internal else ridge) * case.length
        # Walls square to the axis lie between rings of rays.
        assert found.volume == pytest.approx(truth, rel=1e-4 if screw.flank else 1e-3)


def test_table() -> None:
    """Every row of the documentation's table, from these very bodies; shown by -s."""
    rows = []
    for name, case in CASES.items():
        found, screw = measured(name), case.screw
        ratio = "–" if found.volume_ratio is None else f"{found.volume_ratio - 1:+.0e}"
        middle = found.pitch_diameter and f"{found.pitch_diameter - screw.pitch_diameter:+.0e}"
        rows.append(
            f"| {name} | {found.designation or 'none'} | {found.hand}, {found.starts} |"
            f" {found.pitch - screw.pitch:+.0e} | {found.major - screw.major:+.0e} |"
            f" {found.minor - screw.minor:+.0e} | {middle or '–'} |"
            f" {(found.flank_angle or 0.0) - screw.flank:+.0e} | {ratio} |"
        )
    for name, reasons in REFUSALS.items():
        rows.append(f"| {name} | {'; '.join(reasons) or 'no helical face'} |")
    print("", *rows, sep="\n")
    assert len(CASES) >= 12 and len(REFUSALS) >= 12


REFUSALS: dict[str, tuple[str, ...]] = {
    "turned grooves, M8 profile": (),
    "turned waves in splines": (),
    "bellows": (),
    "straight knurl": (),
    "diamond knurl": (),
    "flat diamond knurl": (),
    "one-way knurl": ("rises at 60°",),
    "gear": (),
    "helical gear": ("rises at 70°",),
    "splined shaft": (),
    "spring": ("a coil",),
    "ridge without a core": ("a coil",),
    "spiral groove, lead 3 d": ("rises at 47°",),
    "oil groove in a bush": ("depth over pitch is 0.07",),
    "ball screw": ("depth over pitch is 0.19",),
    "twisted prism": ("rises at 55°",),
    "twist drill": ("rises at 68°",),
    "cooling rings": (),
    "auger": ("is root",),
    "conical pipe thread": ("a conical thread (1:16)",),
    "M8 screw cut in half": ("of its turn only",),
    "half a turn of M8": ("pitches long",),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_look_alike_is_no_thread(name: str) -> None:
    found = of_body(lookalikes.LOOK_ALIKES[name]())
    assert found.threads == []
    assert found.faces == set()
    assert len(found.refused) == len(REFUSALS[name])
    for finding, part in zip(found.refused, REFUSALS[name], strict=True):
        assert finding.code == "not-a-thread"
        assert part in finding.message


def of_body(shape: Any) -> Threads:
    (solid,) = explore(shape, TopAbs_SOLID)
    return threads_of_solid(solid)


def test_a_tube_threaded_outside_and_inside() -> None:
    outer, inner = ts.iso(16, 1.5), ts.iso(10, 1.5, hand=-1)
    for bore in (inner, ts.iso(10, 1.5)):  # the same lead must not join them
        found = threads_of_shape(ts.bush(outer, bore, 8))
        sizes = {(t.designation, t.internal, t.hand) for t in found}
        hand = "right" if bore.hand > 0 else "left"
        assert sizes == {("M16x1.5", False, "right"), ("M10x1.5", True, hand)}
        assert not set(found[0].faces) & set(found[1].faces)


def test_two_threads_on_one_stud() -> None:
    low, high = threads_of_shape(ts.stud(M8, 6, 15))
    assert (low.designation, high.designation) == ("M8x1.25", "M8x1.25")
    assert low.position == pytest.approx((0, 0, 3), abs=TURN)
    assert high.position == pytest.approx((0, 0, 24), abs=TURN)
    # Each starts at its own end of the stud.
    assert low.axis == pytest.approx((0, 0, 1), abs=1e-6)
    assert high.axis == pytest.approx((0, 0, -1), abs=1e-6)


def test_screw_and_nut_in_one_file() -> None:
    nut = shapes.moved(ts.nut(M8, 5, ts.hexagon(13)), (0, 0, 1), 0.3, 40)
    found = threads_of_shape(shapes.compound(ts.bolt(M8, 6, 13, 5, 3), nut))
    assert [(t.id, t.solid, t.internal) for t in found] == [
        ("thread-1", 0, False),
        ("thread-2", 1, True),
    ]


def test_where_a_tapped_hole_opens() -> None:
    found = measured("M6 blind tapped")
    assert found.axis == pytest.approx((0, 0, -1), abs=1e-6)
    assert found.position == pytest.approx((0, 0, -3), abs=TURN)


def test_a_hole_tapped_to_its_floor_is_blind() -> None:
    made, block = ts.skin(M8, -6.0, 0.0), ts.square(20)
    body = ts.solid(
        [
            *made.faces,
            ts.disc(-6.0, made.low),
            ts.disc(0.0, ts.polygon(block, 0.0), made.high),
            *ts.sides(block, -12.0, 0.0),
            ts.disc(-12.0, ts.polygon(block, -12.0)),
        ]
    )
    (found,) = threads_of_shape(body)
    assert found.through is False
    assert found.axis == pytest.approx((0, 0, -1), abs=1e-6)
    # The same faces inside out would be a screw on a core without end.
    inverted = of_body(body.Reversed())
    assert inverted.threads == []
    assert "inside out" in inverted.refused[0].message


def test_a_thin_tube_has_a_thread() -> None:
    """A wall of 0.6 mm below the root, a cap at one end: the thread begins at the other."""
    screw = ts.iso(30, 1.5)
    made, bore = ts.skin(screw, 0.0, 7.0), screw.minor / 2 - 0.6
    cap = ts.circle(17, 7.0), ts.circle(17, 9.0)
    body = ts.solid(
        [
            *made.faces,
            ts.disc(0.0, made.low, ts.circle(bore, 0.0)),
            ts.wall(bore, 0.0, 7.0),
            ts.disc(7.0, ts.circle(bore, 7.0)),
            ts.disc(7.0, cap[0], made.high),
            ts.wall(17, 7.0, 9.0),
            ts.disc(9.0, cap[1]),
        ]
    )
    (found,) = threads_of_shape(body)
    assert (found.designation, found.internal) == ("M30x1.5", False)
    assert found.axis == pytest.approx((0, 0, 1), abs=1e-6)


def test_run_out_counts_to_the_length_but_not_to_the_volume() -> None:
    screw = ts.iso(8, 1.25)
    (found,) = threads_of_shape(ts.rod(screw, 14, ts.fading(screw, 11, 14.5)))
    assert found.designation == "M8x1.25"
    assert found.pitch == pytest.approx(1.25, abs=1e-4)
    assert found.length == pytest.approx(14, abs=TURN)
    assert found.full_length == pytest.approx(11.5, abs=0.5)
    assert found.volume_ratio == pytest.approx(1.0, abs=2e-3)


def test_only_own_faces_are_claimed() -> None:
    """Flanks and lands; not the caps, the shank, the head."""
    screw = ts.bolt(M8, 10, 13, 5, 6)
    (found,) = threads_of_shape(screw)
    (solid,) = explore(screw, TopAbs_SOLID)
    kinds = [surface.kind for surface in outline_of(solid).surfaces]
    assert {kinds[face] for face in found.faces} == {"BSplineSurface"}
    assert len(found.faces) == kinds.count("BSplineSurface") == 4
