"""Mistakes planted into a copy of some sources: what tests/shm/protocol.py and tests/faults/planted.py share."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Fault:
    """A mistake in one place of a folder: `right` stands once in that file, and is replaced by `wrong`."""

    name: str
    file: str
    right: str
    wrong: str


def plant(fault: Fault, folder: Path) -> str:
    """Into the copy in that folder; why it cannot be, or nothing."""
    place = folder / fault.file
    text = place.read_text()
    if text.count(fault.right) != 1:
        return f"{fault.file} no longer says {fault.right!r} once: plant it elsewhere"
    place.write_text(text.replace(fault.right, fault.wrong))
    return ""


def run(command: list, **more) -> subprocess.CompletedProcess:
    """Both outputs as one."""
    return subprocess.run(
        [str(word) for word in command],
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        **more,
    )
