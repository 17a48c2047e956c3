"""One workshop, one ruler and one bench for all tests here: each takes seconds to warm up."""

import pytest

from gaugeblock.calibration.measuring import Bench
from gaugeblock.calibration.proving import Options
from gaugeblock.calibration.workshop import Workshop


@pytest.fixture(scope="session")
def workshop():
    with Workshop(60) as made:
        yield made


@pytest.fixture
def bench(workshop, ruler):
    with Bench(workshop, ruler, 60) as made:
        yield made


@pytest.fixture
def options():
    """Few mutants a sort, no second kernel: the long test takes all."""
    return Options("none", None, 60, most=1)
