"""The entry of the servers under test: its one real job runs whatever Python text it is given.

So each test reads as the hostile program it tries.
"""

from typing import Any

KEPT = {"warmed": False}
MEMORY: dict[str, Any] = {}


def warm_up() -> None:
    KEPT["warmed"] = True


def program(
    value: dict[str, Any], blobs: list[bytes], files: list[int]
) -> tuple[dict[str, Any], list[bytes]]:
    """Run value["text"]; it sees blobs and files, and answers in result and out."""
    names: dict[str, Any] = {
        "blobs": blobs,
        "files": files,
        "result": {},
        "out": [],
        "memory": MEMORY,
    }
    names |= KEPT
    exec(value["text"], names)
    return names["result"], names["out"]


def wrong_type(value: dict[str, Any], blobs: list[bytes], files: list[int]) -> Any:
    return "not an object", []


JOBS = {"program": program, "wrong_type": wrong_type}
