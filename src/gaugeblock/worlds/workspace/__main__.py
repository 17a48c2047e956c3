"""``python -m gaugeblock.worlds.workspace ROOTS``: the server; see `server.roots_as_json`."""

import sys

from gaugeblock.worlds.workspace.server import main

main(sys.argv[1])
