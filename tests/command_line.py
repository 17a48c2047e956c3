"""The command ``gaugeblock`` as a shell would call it."""

import io
import os
import subprocess
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout

import pytest

from gaugeblock.cli import main

PATIENCE_S = 300
"""A command on a loaded machine may take long."""


def call(*words, cwd=".", **variables):
    """Run the command in this process, from its words to its exit code, and return what it did.

    To start an interpreter and import everything again takes longer than most commands here; only
    what a process of its own can show is asked of `call_apart`.

    Args:
        words: what is written behind ``gaugeblock``.
        cwd: the working folder.
        variables: more of the environment.
    """
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
    with pytest.MonkeyPatch.context() as patch, chdir(cwd):
        patch.setattr(sys, "argv", ["gaugeblock", *map(str, words)])
        for name, value in variables.items():
            patch.setenv(name, value)
        with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as ended:
            main()
    told = []
    for stream in (out, err):
        stream.flush()
        told.append(stream.buffer.getvalue().decode())
    return subprocess.CompletedProcess(words, ended.value.code or 0, *told)


def call_apart(*words, cwd=".", stdin=None, **variables):
    """Run the command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "gaugeblock", *map(str, words)],
        stdin=stdin,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        cwd=cwd,
        env={**os.environ, **variables},
    )
