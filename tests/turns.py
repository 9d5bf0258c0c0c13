"""Which of the checks that take turns are due: tests/README.md states the rule.

`TEST_TURN` is the number of the turn; without it, or where it is `all`, everything is due, so that a script that
is started by hand runs all that it has.  `make test` takes the number of commits, and prints it.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

VARIABLE = "TEST_TURN"
EVERYTHING = "all"
ROOT = Path(__file__).resolve().parents[1]
MPIS = ("mpich", "openmpi", "impi")  # their places in a turn, whichever of them are there
Item = TypeVar("Item")


def number() -> int | None:
    """The turn; None where everything is due."""
    said = os.environ.get(VARIABLE, EVERYTHING)
    if said == EVERYTHING:
        return None
    if not said.isdecimal():
        raise SystemExit(f"{VARIABLE}={said}: a number, or `{EVERYTHING}`")
    return int(said)


def of_this_commit() -> str:
    """Each commit has another turn than the one before; a tree without a history has each day's."""
    counted = subprocess.run(
        ["git", "rev-list", "--count", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return counted.stdout.strip() or str(int(time.time() // 86400))


def due(place: int, period: int) -> bool:
    """Whether the check in that place has its turn: in `period` turns in a row, every place has exactly one."""
    turn = number()
    return turn is None or (place + turn) % period == 0


def share(items: Sequence[Item], period: int, start: int = 0) -> list[Item]:
    """Every `period`-th item, others each turn; `start` differs between lists that shall not go alike."""
    return [item for place, item in enumerate(items) if due(start + place, period)]


def place_of(mpi: str) -> int:
    """Of an MPI by its name; Debian's stand beside the wheels'."""
    return MPIS.index(mpi.removeprefix("debian-"))
