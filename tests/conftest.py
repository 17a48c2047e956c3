"""What all tests share: their order, how Hypothesis runs, one warm sandbox, one ruler."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from gaugeblock.ruler import Ruler
    from gaugeblock.worlds import HostSettings

# The geometry kernel's first call takes seconds, so no example has a deadline; on a build server
# the examples are the same every time, so that a failure is of the change and not of the dice.
settings.register_profile("developer", deadline=None)
settings.register_profile("server", deadline=None, derandomize=True, database=None)
settings.load_profile("server" if os.environ.get("CI") else "developer")

SLOW = (
    "running/test_paid_runs.py",
    "running/test_audit.py",
    "running/test_described_hosts.py",
    "running/test_kill.py",
    "running/test_follow_ups.py",
    "running/test_draw_runs.py",
    "running/test_assembly_runs.py",
    "running/test_drawing_runs.py",
    "worlds/test_hostile_server.py",
    "running/test_checkout_host.py",
    "running/test_voiding.py",
    "running/test_probing.py",
    "cli/test_exit_codes.py",
    "running/test_soundness.py",
    "running/test_reviewing.py",
    "running/test_workspace_runs.py",
    "cli/test_calibrate.py",
    "calibration/test_proving.py",
    "calibration/test_drawing_poses.py",
    "running/test_commands.py",
    "cli/test_outputs.py",
    "test_docs_pictures.py",
    "suites/test_growth_models.py",
    "ruler/test_drawing_proving.py",
    "ruler/test_read_own_sheets.py",
)
"""Files that take half a minute or more. A file goes to one worker as a whole, so that these come
first: the last one, begun late, would leave the other workers idle. The first does not need the run
that the second makes, and the order matters for nothing but time."""


def pytest_collection_modifyitems(items: "list[pytest.Item]") -> None:
    """Put the slow files first; the rest stays as it is."""
    places = {Path(__file__).parent / name: place for place, name in enumerate(SLOW)}
    assert all(path.is_file() for path in places), "SLOW names a file that is not there"
    items.sort(key=lambda item: places.get(item.path, len(places)))


@pytest.fixture(scope="session")
def warm() -> "Iterator[HostSettings]":
    """Settings of hosts that share one warm sandbox: a host then starts in about a second."""
    from gaugeblock.running.run import warm_host  # a second: only for tests that need it

    with warm_host(unsafe=False) as (shared, _):
        yield shared


@pytest.fixture(scope="session")
def ruler() -> "Iterator[Ruler]":
    """One ruler for all tests of this process; its worker starts with the first question."""
    from gaugeblock.ruler import Ruler

    with Ruler() as one:
        yield one
