"""Whether a profile could run here and now, without asking its provider anything."""

from __future__ import annotations

from datetime import date

from gaugeblock.agents.local import LocalServer, needs_local_server
from gaugeblock.metering.snapshot import tariff
from gaugeblock.records.errors import WrongUse
from gaugeblock.records.prices import PriceSnapshot
from gaugeblock.records.profile import Profile
from gaugeblock.running.keys import KEY_FILE, key_of, unsendable


def readiness(profile: Profile, prices: PriceSnapshot | None) -> tuple[list[str], list[str]]:
    """Return what a profile lacks, and what else there is to say, one line each.

    Args:
        profile: as read; its settings were checked then.
        prices: the working snapshot.

    Raises:
        WrongUse: the file of keys is none.
    """
    lacks, notes = [], []
    key = key_of(profile)
    if profile.key_variable is None:
        notes.append("no key is asked for")
    elif key is None:
        lacks.append(f"no key: {profile.key_variable} is set neither here nor in {KEY_FILE}")
    elif why := unsendable(key):
        lacks.append(f"{profile.key_variable}: {why}")
    else:
        notes.append(f"key in {profile.key_variable}")
    if profile.billing == "metered":
        rates = tariff(profile, prices, date.today())
        if rates.row is None:
            lacks.append(f"no price: {rates.why_not}")
        else:
            row = rates.row
            checked = f"checked {row.checked.date}" if row.checked else "UNCHECKED"
            notes.append(f"{row.source_row} of {rates.date}, {checked}")
    else:
        notes.append(f"{profile.billing}: cost is null")
    if needs_local_server(profile):
        try:
            LocalServer(profile)
        except WrongUse as error:
            lacks.append(str(error).removeprefix(f"profile {profile.id}: "))
        else:
            notes.append("its server and weights are installed")
    return lacks, notes
