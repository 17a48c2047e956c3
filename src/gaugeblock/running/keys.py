"""Keys of providers: from the environment or `.env.benchmark`, and from there to nobody but them.

A key is never written, printed, put into a record or handed to a host: hosts and programs get an
environment of their own.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Sequence
from pathlib import Path

from dotenv.parser import parse_stream

from gaugeblock.records.errors import WrongUse
from gaugeblock.records.handwritten import is_there, read_text, read_whole
from gaugeblock.records.profile import Profile

KEY_FILE = Path(".env.benchmark")
"""Read from the working folder; a variable of the environment wins over it."""

LARGEST_BYTES = 100_000
"""A file of keys has some hundred bytes a key."""

LONGEST_KEY = 4_096
"""Signs of a key: servers refuse headers of more than 8 kB."""

SENDABLE = re.compile(rf"[!-~]{{1,{LONGEST_KEY}}}")
"""What a header carries as it is. An HTTP client's own complaint would quote the key."""


def key_of(profile: Profile) -> str | None:
    """Return a profile's key; None where it names no variable, or the variable is nowhere set.

    Raises:
        WrongUse: the file of keys is none.
    """
    if profile.key_variable is None:
        return None
    found = os.environ.get(profile.key_variable)
    if not found and is_there(KEY_FILE):
        found = _keys_of_file().get(profile.key_variable)
    return (found or "").strip() or None


def unsendable(key: str) -> str:
    """Return why a key cannot be sent, without a sign of it; empty where it can."""
    if SENDABLE.fullmatch(key):
        return ""
    return (
        f"its key is none: at most {LONGEST_KEY:,} signs of printable ASCII, no space or line break"
    )


def require_keys(profiles: Sequence[Profile]) -> dict[str, str | None]:
    """Return profile id → key, None for a profile that needs none.

    Raises:
        WrongUse: a key that is needed is nowhere set, or cannot be sent; it is not told.
    """
    keys = {profile.id: key_of(profile) for profile in profiles}
    for profile in profiles:
        if profile.key_variable is None:
            continue
        key = keys[profile.id]
        if key is None:
            raise WrongUse(
                f"profile {profile.id}: no key: set {profile.key_variable} in the environment or "
                f"in {KEY_FILE}"
            )
        if why := unsendable(key):
            raise WrongUse(f"profile {profile.id}: {profile.key_variable}: {why}")
    return keys


def require_kept(profiles: Sequence[Profile], passed: Sequence[str]) -> None:
    """Refuse to hand a server the variable that holds a profile's key, whatever it is called.

    Args:
        profiles: who works.
        passed: names of variables that the server is handed.

    Raises:
        WrongUse: one of them is a key.
    """
    for profile in profiles:
        if profile.key_variable is not None and profile.key_variable in passed:
            raise WrongUse(
                f"pass_variables: {profile.key_variable} holds the key of profile {profile.id}, "
                "and no server is handed one"
            )


def _keys_of_file() -> dict[str, str | None]:
    """Return variable → value; python-dotenv itself would pass over a faulty line and log it."""
    text = read_text(read_whole(KEY_FILE, "file of keys", LARGEST_BYTES), KEY_FILE.name)
    found = {}
    for binding in parse_stream(io.StringIO(text)):
        if binding.error:
            raise WrongUse(
                f"{KEY_FILE}, line {binding.original.line}: write each key as NAME=value"
            )
        if binding.key is not None:
            found[binding.key] = binding.value
    return found
