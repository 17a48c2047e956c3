"""What tests of a workspace share."""

import pytest
from workspaces import make_place


@pytest.fixture
def place(tmp_path):
    """Roots with a few files, and a secret beside them."""
    return make_place(tmp_path)
