"""A CAD server over MCP that is as bad as it is told to be: `hostile_server.py MODE`.

Without a mode it lists them; a second word only marks its processes.

Written by hand, with the standard library alone: an SDK would not let a server be this rude.
Its `build` tool is handed the STEP text that it claims to have modelled, so that the honest mode
makes a real part; `export` writes it. Every other mode is the honest one with one thing wrong; it
has the name of its class: `HangsInCall` is `hangs-in-call`.
"""

from __future__ import annotations

import re
import sys
from types import ModuleType

import announcing
import answering
import delivering
from honest import Honest


def modes(*modules: ModuleType) -> dict[str, type[Honest]]:
    """Return the servers of some modules by the names of their modes."""
    return {
        re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower(): kind
        for module in modules
        for name, kind in vars(module).items()
        if isinstance(kind, type) and issubclass(kind, Honest)
    }


if __name__ == "__main__":
    known = modes(announcing, answering, delivering)
    if len(sys.argv) > 1:
        known[sys.argv[1]]().serve()
    else:
        print("\n".join(known))
