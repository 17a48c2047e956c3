"""Profiles from a TOML file: adding a model is adding an entry."""

from __future__ import annotations

import tomllib
from pathlib import Path

from gaugeblock.agents.api.settings import check_settings
from gaugeblock.records.errors import WrongUse
from gaugeblock.records.profile import SCRIPTED_AGENTS, Profile
from gaugeblock.suites.case_files import near

DEFAULT = Path("profiles.toml")
"""Read from the working folder where no other file is named."""

BUILT_IN = Path(__file__).with_name("profiles.toml")
"""Profiles that need neither key nor money."""

LARGEST_BYTES = 1_000_000
"""A file of profiles is written by hand; what is larger is not one."""


def load_profiles(path: Path | None) -> tuple[Profile, ...]:
    """Return the built-in profiles and those of a file.

    Args:
        path: the file; None: `profiles.toml` in the working folder, if there is one.

    Raises:
        WrongUse: there is no such file, or an entry is no profile; the first fault is named.
    """
    if path is None:
        path = DEFAULT if DEFAULT.is_file() else None
    own = () if path is None else _read(path)
    built_in = _read(BUILT_IN)
    taken = {profile.id for profile in own}
    return (*(profile for profile in built_in if profile.id not in taken), *own)


def _read(path: Path) -> tuple[Profile, ...]:
    if not path.is_file():
        raise WrongUse(f"{path}: no such file of profiles")
    if path.stat().st_size > LARGEST_BYTES:
        raise WrongUse(f"{path}: larger than {LARGEST_BYTES:,} bytes; this is no file of profiles")
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise WrongUse(f"{path.name}: {' '.join(str(error).split())}") from error
    for key in content:
        if key != "profile":
            raise WrongUse(f"{path.name}: unknown key `{key}`{near(key, ['profile'])}")
    entries = content.get("profile", [])
    if not isinstance(entries, list):
        raise WrongUse(f"{path.name}: write each profile as [[profile]]")
    found: dict[str, Profile] = {}
    for number, entry in enumerate(entries, 1):
        name = entry.get("id") if isinstance(entry, dict) else None
        where = f"{path.name}, profile {name if isinstance(name, str) else number}"
        profile = Profile.build(entry, where)
        if profile.agent.split(":")[0] in SCRIPTED_AGENTS:
            raise WrongUse(f"{where}: {profile.agent} is a scripted agent and has its own profile")
        if profile.agent != "api":
            raise WrongUse(f"{where}: no agent `{profile.agent}` in this version; there is: api")
        if profile.id in found:
            raise WrongUse(f"{where}: there are two of this id")
        faults = check_settings(profile)
        if faults:
            raise WrongUse(f"{where}: {faults[0]}")
        found[profile.id] = profile
    return tuple(found.values())
