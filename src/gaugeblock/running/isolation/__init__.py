"""Keeping a case's truth out of reach, and proving it. See README.md."""

from gaugeblock.running.isolation.gate import LAYER, Gatehouse, TrialGate
from gaugeblock.running.isolation.sealing import gatehouse, why_unsealed

__all__ = ["LAYER", "Gatehouse", "TrialGate", "gatehouse", "why_unsealed"]
