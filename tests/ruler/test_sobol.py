"""Sobol points are those of the literature's reference program, and as even as they must be."""

import subprocess
import sys

import numpy as np
import pytest
from scipy.stats import qmc

from gaugeblock.ruler.overlap.sobol import sobol_points


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("count", [1, 2, 64, 512, 2048])
def test_they_are_scipy_s_to_the_bit(seed, count):
    ours, theirs = np.random.default_rng(seed), np.random.default_rng(seed)
    for _ in range(3):
        expected = qmc.Sobol(2, rng=theirs).random(count)
        assert np.array_equal(sobol_points(count, ours), expected)
    assert ours.random() == theirs.random()


def fullest(points, columns, rows):
    """The most points in one of the equal rectangles of a grid."""
    cells = np.floor(points * (columns, rows)).astype(int)
    return np.unique(cells @ (rows, 1), return_counts=True)[1].max()


def test_every_dyadic_rectangle_holds_one_point():
    points = sobol_points(256, np.random.default_rng(1))
    assert points.shape == (256, 2)
    assert points.min() >= 0 and points.max() < 1
    for power in range(9):
        assert fullest(points, 2**power, 2 ** (8 - power)) == 1
    # The control: independent points crowd.
    assert fullest(np.random.default_rng(1).random((256, 2)), 16, 16) > 1


def test_the_worker_starts_without_the_slow_package():
    words = "import sys, gaugeblock.ruler.worker; print('scipy.stats' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True)
    assert done.stdout.strip() == "False", done.stderr
