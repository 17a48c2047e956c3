"""What all tests share: how Hypothesis runs, and one warm sandbox for their CAD hosts."""

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from gaugeblock.worlds import HostSettings

# The geometry kernel's first call takes seconds, so no example has a deadline; on a build server
# the examples are the same every time, so that a failure is of the change and not of the dice.
settings.register_profile("developer", deadline=None)
settings.register_profile("server", deadline=None, derandomize=True, database=None)
settings.load_profile("server" if os.environ.get("CI") else "developer")


@pytest.fixture(scope="session")
def warm() -> "Iterator[HostSettings]":
    """Settings of hosts that share one warm sandbox: a host then starts in about a second."""
    from gaugeblock.running.run import warm_host  # a second: only for tests that need it

    with warm_host(unsafe=False) as (shared, _):
        yield shared
