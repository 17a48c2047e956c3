"""Proving the ruler, and the cases it judges by, before any agent is measured. See README.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gaugeblock.calibration.calibrating import SECONDS, calibrate
    from gaugeblock.calibration.records import Calibration

__all__ = ["SECONDS", "Calibration", "calibrate"]


def __getattr__(name: str) -> Any:
    """Import on demand: the sandboxed worker sees this file without the rest of the room."""
    if name == "Calibration":
        from gaugeblock.calibration.records import Calibration

        return Calibration
    if name in ("SECONDS", "calibrate"):
        from gaugeblock.calibration import calibrating

        return getattr(calibrating, name)
    raise AttributeError(name)
