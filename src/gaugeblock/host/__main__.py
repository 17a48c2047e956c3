"""``python -m gaugeblock.host``: the host by itself, where no command line is shown.

Its stdout is the protocol's, so that a fault of use stands on stderr. Exit codes as everywhere: 2
for wrong use.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from gaugeblock.host.main import PROGRAM_S, HostOptions, serve
from gaugeblock.records.errors import WrongUse


def main() -> None:
    """Serve over stdio until the client leaves."""
    parser = argparse.ArgumentParser(prog="gaugeblock-host", allow_abbrev=False)
    parser.add_argument("--document", type=Path, required=True)
    parser.add_argument("--workspace", type=Path, required=True)
    parser.add_argument("--sandbox-socket", type=Path, required=True)
    parser.add_argument("--program-seconds", type=float, default=PROGRAM_S)
    parser.add_argument("--tools", choices=("all", "program", "objects"), default="all")
    parser.add_argument("--served-as", required=True, help="version that it tells its clients")
    parser.add_argument("--tag", help="tells its process from others; of no effect")
    asked = parser.parse_args()
    options = HostOptions(
        document=asked.document,
        workspace=asked.workspace,
        sandbox_socket=asked.sandbox_socket,
        program_s=asked.program_seconds,
        tools=asked.tools,
    )
    try:
        serve(options, asked.served_as)
    except WrongUse as error:
        print(f"gaugeblock host: {error}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
