"""Object tools without the protocol around them: one session, called as the server calls it."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from gaugeblock.host.diagnostics import Diagnostic, PlanRejected
from gaugeblock.host.document import DocumentState, read_document
from gaugeblock.host.kernel import Kernel
from gaugeblock.host.objects.steps import Step
from gaugeblock.host.session import Session
from gaugeblock.host.toolsets import shown
from gaugeblock.worlds import HostSettings

TOOLS = {tool.name: tool for tool in shown("all").tools}


class Desk:
    """One document in work, and short ways to ask for things."""

    def __init__(self, socket: Path, folder: Path) -> None:
        self.socket, self.folder, self.path = socket, folder, folder / "document.json"
        state = read_document(self.path) if self.path.exists() else DocumentState()
        self.session = Session(Kernel(socket), self.path, folder, state)

    def do(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """Call a tool."""
        given = TOOLS[tool].read(arguments)
        self.session.kernel.start_account(threading.Event())
        if isinstance(given, Step):
            return self.session.step(given, tool)
        fields = type(given).model_fields
        answer: dict[str, Any] = getattr(self.session, tool)(
            **{name: getattr(given, name) for name in fields}
        )
        return answer

    def refused(self, tool: str, /, **arguments: Any) -> Diagnostic:
        """Call a tool that must be rejected and must leave the document as it was."""
        before = self.session.list_objects(), self.session.measure()
        with pytest.raises(PlanRejected) as refusal:
            self.do(tool, **arguments)
        assert (self.session.list_objects(), self.session.measure()) == before
        found = refusal.value.diagnostic
        assert "\n" not in found.message and 10 < len(found.message) < 700, found.message
        assert len(found.repair) > 10
        for noise in ("Value error", "(whole)", "Traceback", "OCP", "gp_", "TopoDS"):
            assert noise not in found.message
        return found

    def object(self, name: str) -> dict[str, Any]:
        """One object as measured."""
        objects = {item["name"]: item for item in self.do("measure")["objects"]}
        found: dict[str, Any] = objects[name]
        return found

    def volume(self, name: str) -> float:
        return float(self.object(name)["volume_mm3"])

    def bounds(self, name: str) -> list[float]:
        box = self.object(name)["bounds_mm"]
        return [*box["min"], *box["max"]]

    def names(self) -> list[str]:
        return [item["name"] for item in self.do("list_objects")["objects"]]

    def head(self) -> dict[str, Any]:
        """What a document says, apart from the number of its version."""
        listed = self.do("list_objects")
        return {"sha256": listed["sha256"], "objects": self.do("measure")["objects"]}

    def saved(self) -> bytes:
        self.do("save")
        return self.path.read_bytes()

    def step(self) -> bytes:
        self.do("export_step", file="part.step")
        return (self.folder / "part.step").read_bytes()

    def reopened(self) -> "Desk":
        """The saved document in a session of its own."""
        return Desk(self.socket, self.folder)


MakeDesk = Callable[[], Desk]


@pytest.fixture
def make_desk(warm: HostSettings, tmp_path_factory: pytest.TempPathFactory) -> MakeDesk:
    """New empty documents, as many as a test wants."""
    assert warm.sandbox_socket is not None
    socket = warm.sandbox_socket
    return lambda: Desk(socket, tmp_path_factory.mktemp("desk"))


@pytest.fixture(scope="module")
def shared(warm: HostSettings, tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """One session for the tests of a file."""
    assert warm.sandbox_socket is not None
    return Desk(warm.sandbox_socket, tmp_path_factory.mktemp("desk"))


@pytest.fixture
def desk(shared: Desk) -> Iterator[Desk]:
    """The shared session with an empty document; a test must leave one that can be emptied."""
    if shared.names():
        shared.do("delete", objects=shared.names())
    yield shared
