"""Fresh draws of suite growth: cases that nobody knows before a plan is frozen."""

from __future__ import annotations

from gaugeblock.suites.growth.draws.families import Families, Family, Rule

__all__ = ["Families", "Family", "Rule"]
