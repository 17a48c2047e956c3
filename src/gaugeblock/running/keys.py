"""Keys of providers: from the environment or `.env.benchmark`, and from there to nobody but them.

A key is never written, printed, put into a record or handed to a host: hosts and programs get an
environment of their own.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from dotenv import dotenv_values

from gaugeblock.records.errors import WrongUse
from gaugeblock.records.profile import Profile

KEY_FILE = Path(".env.benchmark")
"""Read from the working folder; a variable of the environment wins over it."""


def key_of(profile: Profile) -> str | None:
    """Return a profile's key; None where it names no variable, or the variable is nowhere set."""
    if profile.key_variable is None:
        return None
    found = os.environ.get(profile.key_variable)
    if not found and KEY_FILE.is_file():
        found = dotenv_values(KEY_FILE, interpolate=False).get(profile.key_variable)
    return (found or "").strip() or None


def require_keys(profiles: Sequence[Profile]) -> dict[str, str | None]:
    """Return profile id → key, None for a profile that needs none.

    Raises:
        WrongUse: a key that is needed is nowhere set.
    """
    keys = {profile.id: key_of(profile) for profile in profiles}
    for profile in profiles:
        if profile.key_variable is not None and keys[profile.id] is None:
            raise WrongUse(
                f"profile {profile.id}: no key: set {profile.key_variable} in the environment or "
                f"in {KEY_FILE}"
            )
    return keys
