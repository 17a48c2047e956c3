"""A CAD server that is not ours, described: one entry in a TOML file, and what it can do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, JsonValue, StrictFloat, StrictInt, model_validator

from gaugeblock.records.base import Record

Capability = Literal["program", "parameters", "objects", "step", "document"]
"""What a host can do, in the words that a case's ``needs`` are written in."""

OWN_HOST = "gaugeblock"
"""Id of our own host; no description may take it."""

TOOL_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}")
"""Names of tools that every provider takes; an agent is shown no other."""

PATH, NAME, FOLDER, PYTHON = "{path}", "{name}", "{folder}", "{python}"
"""What an entry may leave open: a file's path as the server sees it, its bare name, the folder that
is shown to the server, and a Python interpreter that it sees."""

FILE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,79}")
"""Of a file in the server's working folder: a bare name, which no name can lead out of."""

HANDED_OVER = re.compile(
    r"KEY|TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|COOKIE|BEARER|AUTH(?!OR)|_PWD$|_PAT$", re.I
)
"""Names of variables that smell of a secret: a server never gets one of them."""

LONGEST_CALL_S = 3600


def _tool(name: str) -> str:
    if not TOOL_NAME.fullmatch(name):
        raise ValueError("a tool's name has letters, digits, `_`, `-` and `.`, at most 64 of them")
    return name


def _file(name: str) -> str:
    if not FILE_NAME.fullmatch(name):
        raise ValueError("the bare name of a file, such as delivery.step")
    return name


def _variable(name: str) -> str:
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
        raise ValueError("the name of an environment variable")
    if HANDED_OVER.search(name):
        raise ValueError(f"{name} looks like a secret, and no server is handed one")
    return name


def _beside(path: str) -> str:
    """Refuse a path of the machine: a description stands in every plan, and plans are shown."""
    if not path or path.startswith(("/", "~")) or "\0" in path:
        raise ValueError("a path that starts from the folder of the file of hosts")
    return path


ToolName = Annotated[str, AfterValidator(_tool)]
FileName = Annotated[str, AfterValidator(_file)]
Beside = Annotated[str, AfterValidator(_beside)]
Variable = Annotated[str, AfterValidator(_variable)]
Seconds = Annotated[StrictInt | StrictFloat, Field(gt=0, le=LONGEST_CALL_S)]


class ToolUse(Record):
    """One call of a tool."""

    tool: ToolName
    arguments: dict[str, JsonValue] = Field(
        default_factory=dict, description="Texts in it may hold {path} and {name} of a file."
    )

    def filled(self, path: str, name: str) -> dict[str, Any]:
        """Return the arguments with a file's path and name put in, at any depth."""
        return {key: _filled(value, path, name) for key, value in self.arguments.items()}


class StepExport(Record):
    """How the STEP comes out: a tool writes it, or, without a tool, the agent has to."""

    tool: ToolName | None = None
    arguments: dict[str, JsonValue] = Field(default_factory=dict)
    file: FileName = "delivery.step"

    @property
    def use(self) -> ToolUse | None:
        """The call that writes the file; None: nobody but the agent writes it."""
        return None if self.tool is None else ToolUse(tool=self.tool, arguments=self.arguments)


class DocumentFile(Record):
    """How the model is saved to a file, and how a fresh server opens it again."""

    file: FileName
    save: ToolUse
    open: ToolUse


class VersionProbe(Record):
    """Where a release's version stands: in the handshake, a tool's answer or a command's."""

    tool: ToolName | None = Field(default=None, description="None: what the handshake says.")
    arguments: dict[str, JsonValue] = Field(default_factory=dict)


class Counting(Record):
    """What the desk counts; a quantity that nothing is said of is unknown, and never 0."""

    plans: tuple[ToolName, ...] | None = Field(
        default=None, description="Tools that ask for a change of the model."
    )
    commits: tuple[ToolName, ...] | None = Field(
        default=None, description="Tools that have changed it where they were not rejected."
    )
    committed_when: str | None = Field(
        default=None,
        min_length=1,
        description="What the answer of a call that changed the model holds; None: any answer "
        "that is no rejection.",
    )
    rejected_when: str | None = Field(
        default=None,
        min_length=1,
        description="How the text of a rejection begins, of a server that reports it as a success.",
    )


class ProgramUse(Record):
    """How a program of the suites' own language is run: for the scripted agents alone.

    A program there is build123d code that finds its parameters as plain names and assigns
    ``result``, a dict name → shape.
    """

    tool: ToolName
    argument: str = Field(description="Which argument takes the text.")
    before: str = Field(default="", description="Text before the parameters.")
    after: str = Field(default="", description="Text behind the program: shows `result`.")


class HostDescription(Record):
    """A CAD server over MCP: how it is started, what may be called, how the STEP comes out."""

    id: str = Field(
        pattern=r"^[A-Za-z0-9_.-]{1,40}$",
        description="Of plain ASCII, so that none looks like another.",
    )
    label: str = Field(max_length=200)
    package: str | None = Field(
        default=None,
        pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*(\[[a-z0-9,_-]+\])?==[A-Za-z0-9.!+-]+$",
        description="A Python package at one version, installed by uv as `lock` pins it.",
    )
    lock: Beside | None = Field(
        default=None, description="Requirements with hashes, beside this file: all of `package`."
    )
    environment: Beside | None = Field(
        default=None, description="Virtual environment beside this file, instead of `package`."
    )
    folder: Beside | None = Field(
        default=None,
        description="Folder or file beside this file; the server sees it as {folder}.",
    )
    command: tuple[str, ...] = Field(min_length=1, description="Program and arguments.")
    set_variables: dict[Variable, str] = Field(default_factory=dict)
    pass_variables: tuple[Variable, ...] = Field(
        default=(), description="Handed on as they are here; their values are part of no record."
    )
    allowed: tuple[ToolName, ...] | None = Field(
        default=None, description="Tools that an agent is shown; None: all but the denied."
    )
    denied: tuple[ToolName, ...] = ()
    capabilities: tuple[Capability, ...]
    export: StepExport
    document: DocumentFile | None = None
    version: VersionProbe = VersionProbe()
    counting: Counting = Counting()
    program: ProgramUse | None = None
    smoke: tuple[ToolUse, ...] = Field(
        default=(), description="Calls that make some trivial part, for `host check`."
    )
    start_s: Seconds = Field(default=60, description="From its start to its handshake, s.")
    call_s: Seconds = Field(default=300, description="One call before the server is hung, s.")
    memory_bytes: StrictInt = Field(
        default=8 << 30, gt=0, description="Address space of each of its processes, bytes."
    )

    @model_validator(mode="after")
    def _whole(self) -> HostDescription:
        if self.id == OWN_HOST:
            raise ValueError(f"id: {OWN_HOST} is our own host")
        if self.package is not None and self.environment is not None:
            raise ValueError("package, environment: give one of them")
        if (self.package is None) != (self.lock is None):
            raise ValueError("package, lock: a package needs its lock, and a lock its package")
        if "step" not in self.capabilities:
            raise ValueError("capabilities: `step` is missing, and the ruler reads nothing else")
        if ("document" in self.capabilities) != (self.document is not None):
            raise ValueError("capabilities, document: `document` needs [host.document] and back")
        if self.export.tool is None and "file" not in self.export.model_fields_set:
            raise ValueError("export: name the tool that writes the STEP, or the file to write")
        for field, name in self._named_tools():
            if name in self.denied:
                raise ValueError(f"{field}: {name} is denied")
        strangers = sorted(set(self.counting.commits or ()) - set(self.counting.plans or ()))
        if strangers and self.counting.plans is not None:
            raise ValueError(f"counting: {strangers[0]} commits and is no plan")
        return self

    def _named_tools(self) -> Iterator[tuple[str, str]]:
        """Yield the tools that an agent has to be shown, with the field that names them."""
        yield from (("allowed", name) for name in self.allowed or ())
        yield from (("counting", name) for name in self.counting.plans or ())
        yield from (("counting", name) for name in self.counting.commits or ())
        if self.program is not None:
            yield "program", self.program.tool

    def needed(self) -> frozenset[str]:
        """Return the tools that a server of this description cannot do without."""
        uses = [*self.smoke]
        if self.export.use is not None:
            uses.append(self.export.use)
        if self.document is not None:
            uses += [self.document.save, self.document.open]
        named = {use.tool for use in uses} | {name for _, name in self._named_tools()}
        return frozenset(named | ({self.version.tool} if self.version.tool else set()))

    def shows(self, tool: str) -> bool:
        """Whether an agent is shown a tool of this name."""
        return tool not in self.denied and (self.allowed is None or tool in self.allowed)


def _filled(value: JsonValue, path: str, name: str) -> Any:
    if isinstance(value, str):
        return value.replace(PATH, path).replace(NAME, name)
    if isinstance(value, list):
        return [_filled(item, path, name) for item in value]
    if isinstance(value, dict):
        return {key: _filled(item, path, name) for key, item in value.items()}
    return value
