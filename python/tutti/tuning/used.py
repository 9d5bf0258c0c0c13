"""What of an application is worth tuning: the collectives and sizes that `tutti record` saw, the dearest first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tutti.errors import UserError
from tutti.results.comparison import COLLECTIVES
from tutti.tuning.deciding import UNSIZED
from tutti.tuning.evidence import Cell

MOST = 24  # cells; an application with more sizes has them near each other
SHARE = 0.995  # of the seconds in collectives, which the cells taken hold together


@dataclass(frozen=True)
class Used:
    """Calls of one collective and size on communicators of so many ranks."""

    cell: Cell
    ranks: int
    calls: int
    seconds: float  # of all ranks' calls together


def read(file: Path) -> list[Used]:
    """Raises UserError where the file is no recording."""
    try:
        from tutti import recording
    except ImportError:
        raise UserError("--only: this installation has no tutti record, which writes what it reads") from None
    columns = recording.load(file).calls()
    sums: dict[tuple[Cell, int], list[float]] = defaultdict(lambda: [0, 0.0])
    for collective, size, ranks, calls, seconds in zip(
        *(columns[name] for name in ("collective", "size", "ranks", "calls", "seconds")), strict=True
    ):
        if collective not in COLLECTIVES or size < 0:
            continue
        cell = Cell(str(collective), 0 if collective == "barrier" else int(size))
        entry = sums[cell, int(ranks)]
        entry[0] += int(calls)
        entry[1] += float(seconds)
    return [Used(cell, ranks, int(calls), seconds) for (cell, ranks), (calls, seconds) in sums.items()]


def worth_tuning(used: Iterable[Used], ranks: int) -> list[Cell]:
    """Cells on communicators of that many ranks, the dearest first, until they hold nearly all the time."""
    here = sorted((one for one in used if one.ranks == ranks), key=lambda one: -one.seconds)
    total, passed, found = sum(one.seconds for one in here), 0.0, []
    for one in here[:MOST]:
        if found and passed >= SHARE * total:
            break
        found.append(one.cell)
        passed += one.seconds
    unsized = {cell.collective for cell in found} & set(UNSIZED) - {"barrier"}
    return [cell for cell in found if cell.collective not in unsized] + [
        max((c for c in found if c.collective == name), key=lambda cell: cell.size) for name in sorted(unsized)
    ]
