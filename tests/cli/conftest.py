"""One warm ruler for the commands that the tests run in their own process."""

from contextlib import nullcontext

import pytest


@pytest.fixture(scope="module")
def one_ruler(ruler):
    """Let every command of a module ask one ruler: its start takes longer than most of them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gaugeblock.ruler.Ruler", lambda **_: nullcontext(ruler))
        yield
