"""The server's own process: loads the weights, serves, says where, and stays until it is ended."""

from __future__ import annotations

import json
import os
import signal
import sys

CONTEXT_TOKENS = 8192
"""As long as the model was trained for."""


def main(model: str, name: str) -> None:
    """Serve a model file on loopback at a free port.

    Args:
        model: path of the weights.
        name: what the model is called in answers.
    """
    import xllamacpp

    wish = xllamacpp.CommonParams()
    wish.model.path = model
    wish.model_alias = {name}
    wish.hostnames = ["127.0.0.1"]
    wish.port = 0
    wish.n_ctx = CONTEXT_TOKENS
    wish.n_parallel = 1
    wish.endpoint_metrics = True
    # One thread less than there are cores: the threads wait busily, and a host has to work too.
    wish.cpuparams.n_threads = max(1, len(os.sched_getaffinity(0)) - 1)
    server = xllamacpp.Server(wish)
    print(json.dumps({"url": server.listening_address}), flush=True)
    signal.pause()


if __name__ == "__main__":
    main(*sys.argv[1:])
