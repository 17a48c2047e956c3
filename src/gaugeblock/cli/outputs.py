"""Paths that a command reads and writes: refused in one line before anything is measured."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from gaugeblock.records.errors import WrongUse


def check_inputs(paths: Sequence[Path]) -> None:
    """Refuse what is no file.

    Raises:
        WrongUse: a path is missing or a folder.
    """
    for path in paths:
        if not path.exists():
            raise WrongUse(f"{path}: no such file")
        if path.is_dir():
            raise WrongUse(f"{path}: a folder, not a STEP file")


def check_outputs(inputs: Sequence[Path], outputs: dict[str, Path | None], *, force: bool) -> None:
    """Refuse outputs that cannot be written, or must not be; as `require_new_file`.

    Args:
        inputs: Files that are read.
        outputs: Files to be written, by option; None: not asked for.
        force: Whether existing regular files may be overwritten.
    """
    used = list(inputs)
    for option, target in outputs.items():
        if target is not None:
            mend = "--force overwrites it"
            require_new_file(option, target, mend=mend, force=force, inputs=used)
            used.append(target)


def check_folder(file: Path, out: Path, targets: Iterable[Path], *, force: bool) -> None:
    """Refuse files of one folder that cannot be written, or must not be; the folder may be missing.

    Args:
        file: What is read.
        out: The folder, as `--out` names it.
        targets: Files to be written in it.
        force: Whether existing regular files may be overwritten.

    Raises:
        WrongUse: as of `require_new_file` and `require_makeable`.
    """
    if not os.path.lexists(out):
        require_makeable("--out", out)
        return
    if not out.is_dir():
        raise WrongUse(f"--out {out}: not a folder")
    for target in targets:
        require_new_file("--out", target, mend="--force overwrites it", force=force, inputs=[file])


def save(path: Path, content: bytes) -> None:
    """Write a file whole or not at all.

    Raises:
        WrongUse: it cannot be written.
    """
    from gaugeblock.records.store import write_atomic

    try:
        write_atomic(path, content)
    except OSError as error:
        raise WrongUse(f"{path}: {error.strerror or error}") from error


def require_new_file(
    word: str, path: Path, *, mend: str, force: bool = False, inputs: Iterable[Path] = ()
) -> None:
    """Refuse a file that could not be written once the answer is there.

    Args:
        word: The option that names the file, for the message.
        path: The file.
        mend: What to do where it exists already.
        force: Whether a regular file may be replaced.
        inputs: Files that this call reads, or writes otherwise.

    Raises:
        WrongUse: it is a folder, a link or a special file; it exists and must not be replaced; it
            is one of `inputs`; its folder is missing or takes no new file.
    """
    told = f"{word} {path}"
    if path.is_dir():
        raise WrongUse(f"{told}: a folder; give the name of a file in it")
    if not path.parent.is_dir():
        raise WrongUse(f"{told}: no such folder {path.parent}; make it first")
    # Not Path.resolve, which raises RuntimeError for a link that leads to itself.
    if os.path.realpath(path) in {os.path.realpath(other) for other in inputs}:
        raise WrongUse(f"{told}: names a file that is used otherwise here; give another name")
    if os.path.lexists(path):
        # A link would be replaced itself, /dev/stdout with it.
        if path.is_symlink() or not path.is_file():
            raise WrongUse(f"{told}: no regular file, so it is left alone; give another name")
        if not force:
            raise WrongUse(f"{told}: exists already; {mend}")
    _require_place(f"{told}: cannot be written", path)


def require_new_folder(word: str, path: Path) -> None:
    """Refuse a folder that could not be made, with the folders above it that are missing too.

    Raises:
        WrongUse: it exists, lies below a file, or the folder above takes nothing new.
    """
    if os.path.lexists(path):
        raise WrongUse(f"{word} {path}: exists already; give the name of a new folder")
    require_makeable(word, path)


def require_makeable(word: str, path: Path) -> None:
    """Refuse a path that could not be made; folders above it may be missing.

    Raises:
        WrongUse: it lies below a file, or the first folder above that exists takes nothing new.
    """
    top = path
    while not os.path.lexists(top.parent):
        top = top.parent
    _require_place(f"{word} {path}: cannot be made", top)


def require_open_folder(folder: Path) -> None:
    """Refuse a run's folder that takes no new file; that it is there is for others to say.

    Raises:
        WrongUse: it is a folder that cannot be written to.
    """
    if folder.is_dir():
        _require_place(f"{folder}: takes no new file", folder / "new")


def _require_place(told: str, path: Path) -> None:
    """Make and remove the draft that `write_atomic` would make: mode bits alone do not tell."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.draft")
    try:
        with draft.open("xb"):
            pass
    except OSError as error:
        raise WrongUse(f"{told} ({error.strerror}); give a place that can be written") from error
    draft.unlink()
