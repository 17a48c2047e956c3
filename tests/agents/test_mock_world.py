"""The mock's world takes a length above zero, and nothing that merely counts as a number."""

import anyio
import pytest

from gaugeblock.agents.mock import MockWorld
from gaugeblock.agents.mock.world import LENGTH, PROPOSE


def proposed(**arguments):
    world = MockWorld()
    answer = anyio.run(world.call, PROPOSE.name, arguments)
    return answer.failed, anyio.run(world.deliver).document


@pytest.mark.parametrize("length", [12.5, 1])
def test_a_length_is_committed(length):
    assert proposed(**{LENGTH: length}) == (False, f"{length:g} mm".encode())


@pytest.mark.parametrize("length", [True, False, 0, -1, "12", None, [1]])
def test_what_is_no_length_is_refused(length):
    assert proposed(**{LENGTH: length}) == (True, b"")


def test_a_length_stands_alone():
    assert proposed(**{LENGTH: 1, "more": 1}) == (True, b"")
