"""What a launch of a tuning carries, within the time there is.

Launches differ more than calls within one do, so that many short launches say more than a few long ones.  All cells
share a launch's start; a cell whose case takes many times as long as the others' would take most of the time, though
long calls vary the least: it takes part in fewer launches.
"""

from __future__ import annotations

import math
import statistics
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from tutti.tuning.evidence import Cell, Store
from tutti.tuning.layout import Layout

LAUNCHES = 60  # wanted in all: a score of first looks in each cell, and the best of them again and again
SHORTEST, LONGEST = 0.05, 0.25  # seconds that calls of a case are timed, unless they take longer
AROUND = 0.06  # seconds of a case beside that: warm-up, contents, agreement
START = 3.0  # seconds that starting ranks may take, before it is known
OFTEN = 1 / 3  # a case that takes x times as long as usual is in every x^OFTEN-th launch


@dataclass
class Budget:
    """Of one layout.  `seconds` in all; `patterns` of arrival, each of which is a case of its own."""

    store: Store
    layout: Layout
    seconds: float
    patterns: int
    cells: int
    dropped: dict[Cell, str] = field(default_factory=dict)
    _began: float = field(default_factory=lambda: time.monotonic())  # by name: a replay has a clock of its own
    _starts: list[float] = field(default_factory=list)
    _parts: Counter[Cell] = field(default_factory=Counter)
    _launches: int = 0

    @property
    def left(self) -> float:
        return self.seconds - (time.monotonic() - self._began)

    @property
    def case(self) -> float:
        """Seconds that calls of a case are timed in one launch."""
        launch = self.seconds / LAUNCHES - min(self.starting, self.seconds / LAUNCHES / 2)
        room = launch / max(1, self.cells * self.patterns)
        return min(LONGEST, max(SHORTEST, room - AROUND))

    @property
    def starting(self) -> float:
        return sum(self._starts) / len(self._starts) if self._starts else START

    def started(self, seconds: float) -> None:
        self._starts.append(max(0.1, seconds))

    def cost(self, cell: Cell) -> float:
        """Seconds that a cell takes in a launch; from this size, else from the nearest one in proportion."""
        usual = self.case + AROUND
        of = [s for s in self.store.of(self.layout) if s.cell.collective == cell.collective]
        if not of:
            return self.patterns * usual
        near = min(of, key=lambda s: (abs(math.log((s.cell.size + 1) / (cell.size + 1))), -s.seconds))
        ratio = (cell.size + 1) / (near.cell.size + 1)
        if ratio < 1:
            return self.patterns * max(min(near.seconds, usual), near.seconds * ratio)
        return self.patterns * near.seconds * (ratio if near.seconds > 2 * usual else 1.0)

    def fitting(self, wanted: Mapping[Cell, str], counts: Mapping[tuple[Cell, str], int]) -> dict[Cell, str]:
        """Those that the next launch carries: cells with the least evidence first, long ones not every time.  A cell
        that would take more than a tenth of the whole time by itself is dropped, and told."""
        share = max(self.seconds / 10, 2.0)
        costs = {cell: self.cost(cell) for cell in wanted}
        usual = statistics.median(costs.values()) if costs else 0.0
        room = min(self.left - self.starting, self.seconds / 6)
        found: dict[Cell, str] = {}
        for cell in sorted(wanted, key=lambda cell: (counts[cell, wanted[cell]], cell.size, cell.collective)):
            if costs[cell] > share:
                self.dropped[cell] = f"a measurement takes about {costs[cell]:.0f} s"
            elif costs[cell] <= room and (self.due(cell, costs[cell] / usual) or len(wanted) == 1):
                room -= costs[cell]
                found[cell] = wanted[cell]
        return found

    def due(self, cell: Cell, times: float) -> bool:
        """Whether a cell that takes so many times as long as usual takes part in the next launch."""
        return self._parts[cell] * max(1.0, times) ** OFTEN <= self._launches

    def launched(self, cells: Mapping[Cell, str]) -> None:
        self._launches += 1
        self._parts.update(cells.keys())
