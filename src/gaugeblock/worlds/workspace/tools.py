"""The tools as a model sees them, and the arguments that they take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field, StrictBool, StrictInt, StrictStr, ValidationError

from gaugeblock.records.base import Record, first_fault
from gaugeblock.worlds.protocol import Tool
from gaugeblock.worlds.workspace.expressions import LONGEST_PATTERN
from gaugeblock.worlds.workspace.operations import (
    LARGEST_WRITE_BYTES,
    MOST_HITS,
    MOST_LISTED,
    MOST_PAGE_LINES,
    PAGE_LINES,
    PAGE_SIGNS,
)
from gaugeblock.worlds.workspace.paths import Refused, Root, roots_told

LIST_FILES = f"""\
List all files below a folder with their sizes; `/` lists every root. At most {MOST_LISTED:,}."""

READ_FILE = f"""\
Read a text file by pages: lines from `offset` on, at most `limit` of them and {PAGE_SIGNS:,} signs.
The first line of the answer says which lines they are, of how many, and how to go on; a line that
is longer than a page is read on with `column`. Pictures and other files that are no text are
refused with their kind and size. Example: {{"path": "/PLACE/file.txt", "offset": 401}}."""

SEARCH_FILES = f"""\
Search the lines of all text files below a folder. `expression` true: the pattern is a regular
expression (Python's `re`, line by line). At most {MOST_HITS} lines are told, as path:line: text."""

WRITE_FILE = f"""\
Write a whole text file (UTF-8, at most {LARGEST_WRITE_BYTES:,} bytes), new or in place of what is
there; missing folders are made. Only a root that is read and written takes it."""

EDIT_FILE = """\
Replace one text by another in a file of a root that is read and written. `old` must stand there
exactly once, signs and line ends alike; otherwise nothing changes."""

FilePath = Annotated[StrictStr, Field(description="Such as /ROOT/folder/file.txt.")]
FolderPath = Annotated[StrictStr, Field(description="Such as / or /ROOT/folder.")]


class ListFiles(Record):
    """The arguments of list_files."""

    path: FolderPath = "/"


class ReadFile(Record):
    """The arguments of read_file."""

    path: FilePath
    offset: StrictInt = Field(default=1, ge=1, description="First line, counted from 1.")
    limit: StrictInt = Field(default=PAGE_LINES, ge=1, le=MOST_PAGE_LINES, description="Lines.")
    column: StrictInt = Field(default=1, ge=1, description="First sign of the first line.")


class SearchFiles(Record):
    """The arguments of search_files."""

    pattern: StrictStr = Field(description=f"Text or expression, at most {LONGEST_PATTERN} signs.")
    path: FolderPath = "/"
    expression: StrictBool = False


class WriteFile(Record):
    """The arguments of write_file."""

    path: FilePath
    text: StrictStr


class EditFile(Record):
    """The arguments of edit_file."""

    path: FilePath
    old: StrictStr
    new: StrictStr


@dataclass(frozen=True)
class WorkspaceTool:
    """One tool; the method of `Workspace` has its name, and its arguments the names of these."""

    name: str
    description: str
    arguments: type[Record]

    def schema(self) -> dict[str, Any]:
        """Return the arguments as plain JSON Schema."""
        whole = self.arguments.model_json_schema()
        for part in (whole, *whole["properties"].values()):
            part.pop("title", None)
        whole.pop("description")  # the record's own; the tool has one
        return whole

    def read(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return a call's arguments, whole; Refused where they do not fit."""
        try:
            return dict(self.arguments.model_validate(arguments))
        except ValidationError as error:
            raise Refused("arguments", f"{self.name}: {first_fault(error)}") from None


TOOLS = (
    WorkspaceTool("list_files", LIST_FILES, ListFiles),
    WorkspaceTool("read_file", READ_FILE, ReadFile),
    WorkspaceTool("search_files", SEARCH_FILES, SearchFiles),
    WorkspaceTool("write_file", WRITE_FILE, WriteFile),
    WorkspaceTool("edit_file", EDIT_FILE, EditFile),
)


def announced(roots: Sequence[Root]) -> tuple[Tool, ...]:
    """Return the tools as an agent is shown them: each names all roots with their modes."""
    told = f"\nRoots: {roots_told(roots)}."
    return tuple(
        Tool(
            tool.name,
            tool.description.replace("/PLACE/", f"/{roots[0].name}/") + told,
            tool.schema(),
        )
        for tool in TOOLS
    )
