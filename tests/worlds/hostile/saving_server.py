"""An honest server that also saves its model, opens it again and tells its version."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from honest import Honest, said, tool


class Saving(Honest):
    def tools(self) -> list[dict[str, Any]]:
        path = {"type": "string"}
        return [
            *super().tools(),
            tool("save", "Save the model.", path=path),
            tool("open", "Open a model.", path=path),
            tool("about", "Tell versions."),
        ]

    def build(self, step: str) -> dict[str, Any]:
        if step != "picture":
            return super().build(step)
        picture = {"type": "image", "data": "AAAA", "mimeType": "image/png"}
        page = {"uri": "part:1", "text": "a page", "mimeType": "text/plain"}
        return {"content": [picture, {"type": "resource", "resource": page}]}

    def save(self, path: str) -> dict[str, Any]:
        if self.step == "link":
            Path(path).symlink_to("/etc/hostname")
        else:
            Path(path).write_text(f"MODEL {self.step}")
        return said("saved")

    def open(self, path: str) -> dict[str, Any]:
        kind, _, text = Path(path).read_text().partition(" ")
        if kind != "MODEL":
            return said("this is no model", failed=True)
        self.step = text
        return said("opened")

    def about(self) -> dict[str, Any]:
        self.plant(*sys.argv[1:])
        return said(f"kernel 8\nunit {os.environ.get('UNIT')} {os.environ.get('SITE')}")

    def plant(self, kind: str = "", target: str = "") -> None:
        """Lay something where the document will be written, before it is."""
        if kind == "link":
            Path("part.cad").symlink_to(target)
        elif kind == "pipe":
            os.mkfifo("part.cad")
        elif kind == "folder":
            Path("part.cad").mkdir()


if __name__ == "__main__":
    Saving().serve()
