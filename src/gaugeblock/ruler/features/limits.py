"""Comparing with limits, so that what lies exactly on one falls the same way every time."""

SLACK = 1e-4
"""Relative slack of every limit on a ratio or angle. Drawings have round numbers, so parts lie
exactly on round limits; rounding in the file must not decide there. A value on the limit is within.
"""


def within(value: float, limit: float) -> bool:
    """Whether a value is at most its limit."""
    return value <= limit + SLACK * abs(limit)


def reaches(value: float, limit: float) -> bool:
    """Whether a value is at least its limit."""
    return value >= limit - SLACK * abs(limit)
