"""Build hook: a wheel carries what its code hashes to, and the commit that it was built from."""

import importlib.util
import json
import sys
import tempfile
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class FingerprintHook(BuildHookInterface[Any]):
    """Puts `gaugeblock/_build.json` into a wheel; source tree and editable installs stay as are."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the file into a temporary folder and have it included."""
        if version == "editable":
            return
        package = Path(self.root) / "src" / "gaugeblock"
        fingerprints = _load(package / "running" / "fingerprints.py")
        build = {
            "code": fingerprints.code_hashes(package),
            **fingerprints.checkout_state(package),
        }
        self._folder = tempfile.TemporaryDirectory()
        path = Path(self._folder.name) / fingerprints.BUILD_FILE
        path.write_text(json.dumps(build, indent=2, sort_keys=True) + "\n", encoding="utf-8")
        build_data["force_include"][str(path)] = f"gaugeblock/{fingerprints.BUILD_FILE}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the temporary folder."""
        if version != "editable":
            self._folder.cleanup()


def _load(path: Path) -> ModuleType:
    """Load one module by its path: the package's libraries are not there during a build."""
    spec = importlib.util.spec_from_file_location("gaugeblock_fingerprints", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
