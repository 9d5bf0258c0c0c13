"""Schedules as files of other simulators: GOAL (LogGOPSim, ATLAHS), traces for SimGrid.

A file's size is known before it is written; one that does not fit is refused, and what was begun goes.
"""

from __future__ import annotations

import mmap
import os
import shutil
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tutti import core
from tutti.errors import UserError, did_you_mean
from tutti.output import Output
from tutti.simulation import simgrid

KINDS = {".goal": "GOAL, text", ".bin": "GOAL, binary", ".ti": "a folder for SimGrid"}
MEMORY = 6  # bytes that a byte of a file takes when it has been read, at most


def kind_of(file: Path) -> str:
    """Its suffix.  Raises UserError."""
    if file.suffix in KINDS:
        return file.suffix
    hint = did_you_mean(file.suffix, KINDS) if file.suffix else ""
    names = ", ".join(f"{suffix} ({what})" for suffix, what in KINDS.items())
    raise UserError(f"--write {file}: a file's name says what it is: {names}{hint}")


def text_of_bytes(count: int) -> str:
    for unit, name in ((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if count >= unit:
            return f"{count / unit:.3g} {name}"
    return f"{count} bytes"


def allowed(file: Path, most: int) -> int:
    """Bytes that a new file may have: by --max-size, and what is free where it goes."""
    folder = file.absolute().parent
    if not folder.is_dir():
        raise UserError(f"--write {file}: there is no folder {folder}")
    return min(most, shutil.disk_usage(folder).free)


@contextmanager
def errors_of(file: Path, spec: str = ""):
    """What goes wrong, in one line."""
    try:
        yield
    except OSError as error:
        raise UserError(f"--write {file}: {(error.strerror or str(error)).lower()}") from None
    except (ValueError, RuntimeError) as error:
        text = str(error)
        raise UserError(f"--write {file}: {text}" if not spec or spec in text else f"{spec}: {text}") from None
    except MemoryError:
        raise UserError(f"--write {file}: not enough memory for one rank's program") from None


def write_goal(goal: Any, file: Path, most: int, out: Output, spec: str = "") -> None:
    """Text or binary, by the file's suffix.  Complete or not at all.  Raises UserError."""
    room = allowed(file, most)
    part = file.with_name(file.name + ".new")
    try:
        with errors_of(file, spec), part.open("wb") as stream:
            announce = lambda size: out.note(f"{file}: {text_of_bytes(size)}, {goal.ranks} ranks")  # noqa: E731
            goal.write(kind_of(file) == ".bin", room, announce, stream.write)
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)


def write_traces(replay: Any, machine: dict[str, Any], folder: Path, most: int, out: Output, spec: str) -> None:
    """A folder for SimGrid: a trace a rank, what names them, the platform and a script.  Raises UserError."""
    ranks = machine["nodes"] * machine["per_node"]
    room = allowed(folder, most)
    with errors_of(folder, spec):
        if folder.exists() and not (folder / simgrid.LIST).is_file():
            raise UserError(f"--write {folder}: there is such a folder, and it is none of traces")
        size = 0
        for rank in range(ranks):
            size += len(replay.trace(rank))
            if size > room:
                about = text_of_bytes(size * ranks // (rank + 1))
                raise UserError(
                    f"--write {folder}: the traces would have about {about}, "
                    f"more than the {text_of_bytes(room)} that are allowed or free"
                )
        out.note(f"{folder}: {text_of_bytes(size)}, {ranks} ranks")
        simgrid.write(folder, machine, replay.trace, out)


def read_goal(file: Path) -> Any:
    """A program, text or binary.  Raises UserError."""
    try:
        size = file.stat().st_size
        free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        if size * MEMORY > free:
            raise UserError(
                f"{file} has {text_of_bytes(size)}: to read it takes up to {text_of_bytes(size * MEMORY)} of memory, "
                f"and {text_of_bytes(free)} are free"
            )
        with file.open("rb") as stream:
            if size == 0:
                return core.load().read_goal(b"")
            with mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as contents:
                return core.load().read_goal(contents)
    except OSError as error:
        raise UserError(f"cannot read {file}: {(error.strerror or str(error)).lower()}") from None
    except (RuntimeError, ValueError) as error:
        raise UserError(f"{file}: {error}") from None
    except MemoryError:
        raise UserError(f"{file}: not enough memory for its operations") from None


def write_call(make: Callable[[str], Any], machine: dict[str, Any], file: Path, most: int, out: Output, spec: str):
    """One call's schedule; `make` gives what the binding of that name makes of the call."""
    if kind_of(file) == ".ti":
        with errors_of(file, spec):
            replay = make("Replay")
        return write_traces(replay, machine, file, most, out, spec)
    with errors_of(file, spec):
        goal = make("goal_of")
    return write_goal(goal, file, most, out, spec)
