"""Profiles from a TOML file: adding a model is adding an entry."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gaugeblock.agents.api.settings import check_settings
from gaugeblock.records.errors import WrongUse
from gaugeblock.records.handwritten import is_there, read_toml
from gaugeblock.records.profile import LONGEST_ID, SCRIPTED_AGENTS, Profile
from gaugeblock.suites.case_files import near

DEFAULT = Path("profiles.toml")
"""Read from the working folder where no other file is named."""

BUILT_IN = Path(__file__).with_name("profiles.toml")
"""Profiles that need neither key nor money."""


def load_profiles(path: Path | None) -> tuple[Profile, ...]:
    """Return the built-in profiles and those of a file.

    Args:
        path: the file; None: `profiles.toml` in the working folder, if there is one.

    Raises:
        WrongUse: there is no such file, or an entry is no profile; the first fault is named.
    """
    if path is None:
        path = DEFAULT if is_there(DEFAULT) else None
    own = () if path is None else _read(path)
    taken = {profile.id for profile in own}
    return (*(profile for profile in built_in() if profile.id not in taken), *own)


def require_same(now: Profile, then: Profile) -> None:
    """Refuse another profile under the same name: it would be another cell.

    The profile is looked up here and never taken from the earlier run's folder, which can come
    from anywhere and could name where a key is sent.

    Raises:
        WrongUse: a field differs.
    """
    for name in Profile.model_fields:
        if getattr(now, name) != getattr(then, name):
            raise WrongUse(
                f"profile {now.id}: {name} is {getattr(now, name)!r}, and was "
                f"{getattr(then, name)!r} in the folder's plan; give that profile with --profiles"
            )


def require_own(planned: Sequence[Profile], path: Path | None) -> None:
    """Refuse profiles of a folder's plan that take a key and are not the user's own.

    Args:
        planned: the plan's.
        path: the user's file of profiles, as in `load_profiles`.

    Raises:
        WrongUse: the user has no such profile, or another one of this name.
    """
    own = {profile.id: profile for profile in load_profiles(path)}
    for profile in planned:
        if profile.key_variable is None:
            continue
        if profile.id not in own:
            raise WrongUse(
                f"profile {profile.id}: the folder's plan wants the key in "
                f"{profile.key_variable}, and no profile of yours has this name; name your file "
                "with --profiles"
            )
        require_same(own[profile.id], profile)


def built_in() -> tuple[Profile, ...]:
    """Return the built-in profiles; a file may have others of the same ids."""
    return _read(BUILT_IN)


def _read(path: Path) -> tuple[Profile, ...]:
    content, _ = read_toml(path, "file of profiles")
    for key in content:
        if key != "profile":
            raise WrongUse(f"{path.name}: unknown key `{key}`{near(key, ['profile'])}")
    entries = content.get("profile", [])
    if not isinstance(entries, list):
        raise WrongUse(f"{path.name}: write each profile as [[profile]]")
    found: dict[str, Profile] = {}
    for number, entry in enumerate(entries, 1):
        name = entry.get("id") if isinstance(entry, dict) else None
        short = isinstance(name, str) and len(name) <= LONGEST_ID
        where = f"{path.name}, profile {name if short else number}"
        profile = Profile.build(entry, where)
        for name in (profile.id, profile.agent):
            if name.split(":")[0] in SCRIPTED_AGENTS:
                raise WrongUse(f"{where}: {name} is a scripted agent and has its own profile")
        if profile.agent != "api":
            raise WrongUse(f"{where}: no agent `{profile.agent}` in this version; there is: api")
        if profile.id in found:
            raise WrongUse(f"{where}: there are two of this id")
        faults = check_settings(profile)
        if faults:
            raise WrongUse(f"{where}: {faults[0]}")
        found[profile.id] = profile
    return tuple(found.values())
