"""What is said at the end of a measurement with several arrival patterns: each collective and size over all of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tutti.bench.subjects import has_no_size
from tutti.bench.table import microseconds, places, times
from tutti.options import format_size
from tutti.output import Column, Output
from tutti.results import avoidable, joint, statistics
from tutti.results.avoidable import Avoidable
from tutti.results.comparison import Cell


@dataclass(frozen=True)
class OverPatterns:
    """One collective at one size, number of ranks and state of caches, in several arrival patterns."""

    cells: Sequence[Cell]

    @property
    def left(self) -> Avoidable | None:
        """What both variants leave, in the mean over the patterns."""
        return avoidable.together([cell.avoidable for cell in self.cells if cell.avoidable])

    @property
    def worst(self) -> Cell | None:
        """The pattern in which the least part is removed."""
        known = [cell for cell in self.cells if cell.avoidable and cell.avoidable.removed is not None]
        return min(known, key=lambda cell: cell.avoidable.removed, default=None)

    @property
    def gain(self) -> float | None:
        """Geometric mean over the patterns of the ranks' mean times in the call, native over tutti."""
        ratios = [c.base_wait_us / c.contender_wait_us for c in self.cells if c.base_wait_us and c.contender_wait_us]
        return statistics.geometric_mean(ratios) if ratios else None

    def row(self) -> dict[str, Any]:
        key, left, worst = self.cells[0].key, self.left, self.worst
        return {
            "ranks": key.ranks,
            "collective": key.collective,
            "size": key.size,
            "cache": key.cache,
            "patterns": [cell.key.arrival for cell in self.cells],
            **(left.row() if left else {}),
            "least_removed_percent": worst and 100 * worst.avoidable.removed,
            "least_removed_in": worst.key.arrival if worst else "",
            "wait_ratio": self.gain,
        }

    def shown(self) -> dict[str, Any]:
        row, left, worst = self.row(), self.left, self.worst
        texts = left.texts(microseconds) if left else ("-", "-", "-")
        return row | {
            "size_text": "" if has_no_size(row["collective"]) else format_size(row["size"]),
            "count": len(self.cells),
            **dict(zip(("native_left", "tutti_left", "removed"), texts, strict=True)),
            "least": f"{worst.avoidable.removed_text} in {worst.key.arrival}" if worst else "-",
        }


def over_patterns(table: Sequence[Cell]) -> list[OverPatterns]:
    """Of each collective that was measured in several patterns, in the order of the table."""
    groups: dict[tuple, list[Cell]] = defaultdict(list)
    for cell in table:
        if cell.key.arrival and cell.avoidable:
            groups[cell.key.ranks, cell.key.order, cell.key.collective, cell.key.size, cell.key.cache].append(cell)
    return [OverPatterns(groups[place]) for place in sorted(groups) if len(groups[place]) > 1]


def columns(contender: str, states: bool) -> list[Column]:
    return [
        Column("ranks", "ranks", right=True),
        *places("collective", states),
        Column("count", "patterns", right=True),
        Column("native_left", "native avoidable", right=True),
        Column("tutti_left", f"{contender} avoidable", right=True),
        Column("removed", "removed %", right=True),
        Column("least", "least removed %"),
        Column("wait_ratio", f"wait, native/{contender}", right=True, text=times),
    ]


def print_summary(table: Sequence[Cell], out: Output, null: bool = False) -> None:
    """Nothing where no collective was measured in several patterns."""
    found = over_patterns(table)
    if out.json:
        for each in found:
            out.object({"over_patterns": each.row()})
    elif found:
        states = len(joint.states_of([cell for each in found for cell in each.cells])) > 1
        title = (
            "over all arrival patterns: avoidable wait (µs a call, all ranks together), and the ranks' time in the call"
        )
        out.rows([each.shown() for each in found], columns("again" if null else "tutti", states), title=title)
        out.line()
