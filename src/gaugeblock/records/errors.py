"""Errors a user can cause or meet; the command line turns each into one line and an exit code."""

from __future__ import annotations


class GaugeblockError(Exception):
    """Base of every error whose message is written for the user.

    Attributes:
        exit_code: what the command line ends with (see docs/commands.md).
    """

    exit_code = 2


class WrongUse(GaugeblockError):
    """The command, a path or a file of ours was wrong; the message names the mend."""

    exit_code = 2


class CouldNotMeasure(GaugeblockError):
    """The content could not be read or measured; no number exists."""

    exit_code = 3


class DamagedEvidence(GaugeblockError):
    """A run folder contradicts itself: a hash, a chain or a record does not hold."""

    exit_code = 1
