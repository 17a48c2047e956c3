"""The command ``gaugeblock``: one thin module a verb group. See README.md."""

from __future__ import annotations

import codecs
import os
import sys
from io import TextIOWrapper

import typer
from typer.exceptions import TyperException

from gaugeblock.cli import (
    calibrate,
    cases,
    compare,
    demo,
    diff,
    draw,
    evidence,
    following,
    host,
    measure,
    price,
    profile,
    render,
    review,
    running,
)
from gaugeblock.cli.console import plain, spelled
from gaugeblock.records.errors import GaugeblockError
from gaugeblock.sandbox import SandboxUnavailable

SPELLED = "gaugeblock.spelled"
"""Name of the handler of signs that a stream cannot encode."""
TRACEBACK = "GAUGEBLOCK_TRACEBACK"
"""Set to 1, an unexpected error shows its traceback; otherwise it is one line."""
INTERRUPTED = 130
"""The shell's own exit code for Ctrl-C."""
UNEXPECTED = 3
"""An error of ours: nothing was measured."""

app = typer.Typer(
    name="gaugeblock",
    help="Measure AI agents at making things: first the ruler is proven, then the model.",
    invoke_without_command=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

for group in (
    demo,
    measure,
    diff,
    render,
    draw,
    calibrate,
    cases,
    running,
    profile,
    price,
    evidence,
    following,
    compare,
    review,
    host,
):
    group.register(app)


def _show_version(wanted: bool) -> None:
    if wanted:
        from gaugeblock.cli.console import version_line

        typer.echo(version_line())
        raise typer.Exit


@app.callback()
def _root(
    context: typer.Context,
    version: bool = typer.Option(
        False,
        "--version",
        help="Show the version and stop.",
        is_eager=True,
        callback=_show_version,
    ),
) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit(GaugeblockError.exit_code)


def main() -> None:
    """Run the command line; every expected error is one line and an exit code."""
    codecs.register_error(SPELLED, spelled)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a terminal that lacks a sign still gets the rest
            stream.reconfigure(errors=SPELLED)
    try:
        code = app(standalone_mode=False)
        sys.stdout.flush()  # here, where a full disk can still be told
        sys.exit(code)
    except typer.Exit as stop:
        sys.exit(stop.exit_code)
    except TyperException as error:
        told = error.format_message() if hasattr(error, "format_message") else str(error)
        _fail(f"{told.rstrip('.')}; see --help", GaugeblockError.exit_code)
    except typer.Abort:
        _fail("interrupted", INTERRUPTED)
    except GaugeblockError as error:
        _fail(str(error), error.exit_code)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except SandboxUnavailable as error:
        _fail(str(error), GaugeblockError.exit_code)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        _fail(f"{where}{error.strerror or error}", GaugeblockError.exit_code)
    except KeyboardInterrupt:
        _fail("interrupted; what was written stays (run … --resume goes on)", INTERRUPTED)
    except Exception as error:
        if os.environ.get(TRACEBACK) == "1":
            raise
        _fail(f"unexpected {type(error).__name__}: {error} ({TRACEBACK}=1 shows where)", UNEXPECTED)


def _fail(message: str, code: int) -> None:
    print(f"gaugeblock: {plain(message)}", file=sys.stderr)
    sys.exit(code)
