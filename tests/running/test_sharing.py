"""Which pairs of solids count as sharing space: by hand, and by the ruler on touching parts."""

import pytest

from gaugeblock.records.measurement import FileFacts
from gaugeblock.records.overlap import Clash, Interference
from gaugeblock.ruler.refusals import versions
from gaugeblock.running.sharing import SHARED_MM3, sharing


def pair(volume, error=1e-6, reason=None):
    return Clash(
        a=0,
        b=1,
        name_a="base",
        name_b=None,
        volume=volume,
        error_estimate=None if volume is None else error,
        verdict="could-not-measure" if volume is None else "measured",
        method="none" if volume is None else "exact",
        reason=reason,
    )


def judged(*pairs, verdict="measured"):
    facts = FileFacts(name="part.step", sha256="0" * 64, bytes=1)
    reason = None if verdict == "measured" else "too many solids"
    found = Interference(
        verdict=verdict, reason=reason, file=facts, pairs=[*pairs], versions=versions()
    )
    return sharing(found)


def test_pairs_that_share_are_counted_and_those_that_touch_are_not():
    found = judged(pair(12.0), pair(0.0), pair(SHARED_MM3 / 2), pair(3.5))
    assert (found.pairs, found.volume, found.reason) == (2, 15.5, "")
    assert (judged().pairs, judged().volume) == (0, 0.0)


@pytest.mark.parametrize(
    ("other", "why"),
    [
        (pair(None, reason="booleans and meshes contradict"), "contradict"),
        (pair(0.02, error=0.05), "base and 1 share"),
        (pair(0.0, error=5.0), "may be nothing"),
    ],
)
def test_one_pair_that_is_not_known_makes_both_figures_unknown(other, why):
    found = judged(pair(12.0), other)
    assert (found.pairs, found.volume) == (None, None)
    assert why in found.reason


def test_a_file_that_could_not_be_judged_has_no_figure():
    found = judged(verdict="could-not-measure")
    assert found.pairs is None and "too many solids" in found.reason
