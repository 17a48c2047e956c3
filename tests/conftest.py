"""What all tests share: how Hypothesis runs."""

import os

from hypothesis import settings

# The geometry kernel's first call takes seconds, so no example has a deadline; on a build server
# the examples are the same every time, so that a failure is of the change and not of the dice.
settings.register_profile("developer", deadline=None)
settings.register_profile("server", deadline=None, derandomize=True, database=None)
settings.load_profile("server" if os.environ.get("CI") else "developer")
