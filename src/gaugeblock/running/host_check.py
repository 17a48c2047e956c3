"""A host tried out: started, its tools listed, and a trivial part made, exported and measured."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from gaugeblock.records.errors import CouldNotMeasure
from gaugeblock.records.host_description import HostDescription
from gaugeblock.records.measurement import Measurement
from gaugeblock.ruler import Ruler
from gaugeblock.running.described_host import DescribedHost, Unready, tried
from gaugeblock.running.known_hosts import KnownHost
from gaugeblock.worlds import Delivery, ExternalWorld, WorldLost
from gaugeblock.worlds.announcements import plain

MEASURE_S = 60.0
"""The ruler's time for a trivial part, s."""


@dataclass(frozen=True)
class HostCheck:
    """What came of it.

    Attributes:
        host: the host, with what it said of itself.
        made: what became of the smoke calls, one line; empty: the description has none.
        fell_short: whether they, or their export, did not give a STEP file.
        measurement: what the ruler measured of it.
    """

    host: DescribedHost
    made: str = ""
    fell_short: bool = False
    measurement: Measurement | None = None

    @property
    def unmeasured(self) -> bool:
        """Whether a part came that could not be measured."""
        return self.measurement is not None and self.measurement.verdict != "measured"


async def check_host(known: KnownHost) -> HostCheck:
    """Try a host out.

    Raises:
        CouldNotMeasure: it cannot be installed, shut in or started, or does not answer.
        WrongUse: a file of it is missing, or is not what the description says.
    """
    try:
        host = await tried(known)
    except Unready as error:
        raise CouldNotMeasure(str(error)) from error
    smoke = host.description.smoke
    if not smoke:
        return HostCheck(host)
    try:
        async with ExternalWorld.open(host.settings, None) as world:
            for use in smoke:
                answer = await world.call(use.tool, dict(use.arguments))
                if world.rejected(answer):
                    return HostCheck(host, f"{use.tool} says: {plain(answer.text)}", True)
            delivery = await world.deliver()
    except WorldLost as error:
        raise CouldNotMeasure(f"host {host.description.id}: {error}") from error
    return _measured(host, delivery)


def _measured(host: DescribedHost, delivery: Delivery) -> HostCheck:
    if delivery.step is None:
        return HostCheck(host, delivery.reason, True)
    with tempfile.TemporaryDirectory(prefix="gaugeblock-check-") as folder, Ruler() as ruler:
        path = Path(folder) / "part.step"
        path.write_bytes(delivery.step)
        found = ruler.measure(path, MEASURE_S)
    totals = found.totals
    if found.verdict != "measured" or totals is None:
        return HostCheck(host, f"the part could not be measured: {found.reason}", False, found)
    return HostCheck(host, f"a part of {totals.solids} solids, {totals.volume:g} mm³", False, found)


def source_of(described: HostDescription) -> str:
    """Return where a server comes from, in a few words."""
    if described.package is not None:
        return described.package
    return " ".join(described.command)
