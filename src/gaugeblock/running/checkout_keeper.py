"""Run by another checkout's own Python: says what that checkout is, and keeps its sandbox warm.

`checkout_host.py` starts it as a script; every import here is the other checkout's. It writes one
line, a JSON object, and ends when its input does.
"""

import importlib.metadata
import json
import sys
from dataclasses import asdict
from pathlib import Path


def main(expected: Path, libraries: list[str], warm_s: float, unsafe: bool) -> None:
    """Keep a warm sandbox until the caller goes.

    Args:
        expected: the package that has to be this Python's.
        libraries: distributions whose versions are asked for.
        warm_s: longest wait for the sandbox, s.
        unsafe: whether no sandbox is accepted.
    """
    import gaugeblock

    if Path(gaugeblock.__file__).resolve().parent != expected.resolve():
        sys.exit("its .venv runs another checkout's program; set it up again: ./dev setup")
    from gaugeblock.host.main import make_sandbox
    from gaugeblock.sandbox import Client

    versions = {}
    for library in libraries:
        try:
            versions[library] = importlib.metadata.version(library)
        except importlib.metadata.PackageNotFoundError:
            continue
    sandbox = make_sandbox(unsafe=unsafe)
    try:
        sandbox.start()
        sandbox.wait_ready(warm_s)
        about = {
            "socket": str(sandbox.socket_path),
            "isolation": asdict(Client(sandbox.socket_path).isolation()),
            "versions": versions,
        }
        print(json.dumps(about), flush=True)
        sys.stdin.read()
    finally:
        sandbox.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), json.loads(sys.argv[2]), float(sys.argv[3]), sys.argv[4] == "unsafe")
