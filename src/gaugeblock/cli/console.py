"""Where output goes: answers to stdout, progress to stderr, colour only on a terminal."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

PLAIN_WIDTH = 120
"""Columns of a table that is written to a file or a pipe."""


def version_line() -> str:
    """Return the name and version of the program."""
    from importlib.metadata import version

    return f"gaugeblock {version('gaugeblock')}"


def answers() -> Console:
    """Return the console of answers (stdout)."""
    from rich.console import Console

    width = None if sys.stdout.isatty() else PLAIN_WIDTH
    return Console(width=width, highlight=False, soft_wrap=False)


def progress() -> Progress:
    """Return a progress bar on stderr that leaves nothing behind; silent where no terminal is."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
    )

    return Progress(
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    )


def print_json(value: object) -> None:
    """Print a JSON answer to stdout."""
    import json

    print(json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False))
