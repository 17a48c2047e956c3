"""The rulebook's program for threads, run as printed, makes threads of their standard size."""

import re

import pytest

from gaugeblock.suites.drawings import rulebook

(SNIPPET,) = re.findall(r"```python\n(.*?)```", rulebook.shown_rulebook().decode(), re.DOTALL)


def threads(tail, tmp_path, workshop, ruler):
    path = tmp_path / "part.step"
    path.write_bytes(workshop.build(f"{SNIPPET}\n{tail}", {}))
    facts = ruler.measure(path).totals
    assert facts.valid and facts.solids == 1
    return ruler.threads(path).features


@pytest.mark.parametrize(
    ("call", "designation", "starts", "hand"),
    [
        ("threaded_rod(8, 1.25, 12)", "M8x1.25", 1, "right"),
        ("threaded_rod(12, 1.5, 14, left=True)", "M12x1.5", 1, "left"),
        ("threaded_rod(16, 2, 18, starts=2)", "M16x2", 2, "right"),
    ],
)
def test_a_screw(call, designation, starts, hand, tmp_path, workshop, ruler):
    (found,) = threads(f"result = {{'rod': {call}}}", tmp_path, workshop, ruler)
    assert (found.designation, found.starts, found.hand) == (designation, starts, hand)
    assert not found.internal
    assert found.volume_ratio == pytest.approx(1, abs=1e-3)


def test_a_tapped_hole(tmp_path, workshop, ruler):
    cut = "result = {'nut': Box(30, 30, 12) - Pos(0, 0, -10) * threaded_rod(10, 1.5, 20)}"
    (found,) = threads(cut, tmp_path, workshop, ruler)
    assert (found.designation, found.internal, found.through) == ("M10x1.5", True, True)
    assert found.volume_ratio == pytest.approx(1, abs=1e-3)


def test_another_pitch_is_no_standard_size(tmp_path, workshop, ruler):
    """The negative control."""
    (found,) = threads("result = {'rod': threaded_rod(8, 1.3, 12)}", tmp_path, workshop, ruler)
    assert found.designation is None
