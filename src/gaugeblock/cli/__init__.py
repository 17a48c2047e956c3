"""The command ``gaugeblock``: one thin module a verb group. See README.md."""

from __future__ import annotations

import os
import sys

import click
import typer

from gaugeblock.cli import demo, evidence, host, measure, running
from gaugeblock.records.errors import GaugeblockError

TRACEBACK = "GAUGEBLOCK_TRACEBACK"
"""Set to 1, an unexpected error shows its traceback; otherwise it is one line."""
INTERRUPTED = 130
"""The shell's own exit code for Ctrl-C."""
UNEXPECTED = 3
"""An error of ours: nothing was measured."""

app = typer.Typer(
    name="gaugeblock",
    help="Measure AI agents at making things: first the ruler is proven, then the model.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

for group in (demo, measure, running, evidence, host):
    group.register(app)


@app.callback()
def _root(
    version: bool = typer.Option(
        False, "--version", help="Show the version and stop.", is_eager=True
    ),
) -> None:
    if version:
        from gaugeblock.cli.console import version_line

        typer.echo(version_line())
        raise typer.Exit


def main() -> None:
    """Run the command line; every expected error is one line and an exit code."""
    try:
        app(standalone_mode=False)
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except click.ClickException as error:
        _fail(error.format_message(), error.exit_code)
    except click.Abort:
        _fail("interrupted", INTERRUPTED)
    except GaugeblockError as error:
        _fail(str(error), error.exit_code)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except KeyboardInterrupt:
        _fail("interrupted; what was written stays (run … --resume goes on)", INTERRUPTED)
    except Exception as error:
        if os.environ.get(TRACEBACK) == "1":
            raise
        _fail(f"unexpected {type(error).__name__}: {error} ({TRACEBACK}=1 shows where)", UNEXPECTED)


def _fail(message: str, code: int) -> None:
    print(f"gaugeblock: {' '.join(message.split())}", file=sys.stderr)
    sys.exit(code)
