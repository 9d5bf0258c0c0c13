"""A case in all the states of caches in which it was measured, judged as one.

A program's buffers may be cold or warm, and nobody knows which: what is slower in either state is slower.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from tutti.results import caches, statistics
from tutti.results.comparison import Cell, Key
from tutti.results.statistics import Estimate, Interval

APART = 1.1  # ratios of two states that differ by more are told one by one


@dataclass(frozen=True)
class Joint:
    """`cells`: one a state, in the order of caches.STATES."""

    cells: tuple[Cell, ...]

    @property
    def key(self) -> Key:
        return replace(self.cells[0].key, cache="")

    @cached_property
    def ratio(self) -> Estimate | None:
        """The geometric mean over the states, in each launch that has all of them, then over these."""
        return mean_of([cell for cell in self.cells if cell.ratio])

    @property
    def wrong(self) -> int:
        return sum(cell.wrong for cell in self.cells)

    @property
    def verdict(self) -> str:
        """With several states also in which, where not in all: `slower (warm)`."""
        return caches.together({cell.key.cache: cell.verdict for cell in self.cells})

    @property
    def slower(self) -> bool:
        return any(cell.verdict == "slower" for cell in self.cells)

    @property
    def by_state(self) -> dict[str, float]:
        """The ratio in each state; '' where there is none."""
        return {cell.key.cache: cell.ratio.value for cell in self.cells if cell.ratio}


def far_apart(ratios: Collection[float]) -> bool:
    """Whether it matters in which state a program's buffers are."""
    return len(ratios) > 1 and max(ratios) > APART * min(ratios)


def mean_of(cells: Sequence[Cell]) -> Estimate | None:
    """Of cells with a ratio.  Without two launches that have all states, from the bounds in each state."""
    if len(cells) < 2:
        return cells[0].ratio if cells else None
    launches = set.intersection(*(set(cell.by_launch) for cell in cells))
    if len(launches) > 1:
        return statistics.over_launches(
            [statistics.geometric_mean([cell.by_launch[i] for cell in cells]) for i in sorted(launches)]
        )
    known = [cell.ratio for cell in cells]
    lows, highs = ([getattr(ratio.interval, end) for ratio in known] for end in ("low", "high"))
    bounds = Interval(statistics.geometric_mean(lows) if min(lows) > 0 else 0.0, statistics.geometric_mean(highs))
    value = statistics.geometric_mean([ratio.value for ratio in known])
    return Estimate(value, bounds, min(ratio.launches for ratio in known))


def joined(cells: Iterable[Cell]) -> list[Joint]:
    """Cells that differ in their states alone, as one; in their order."""
    found: dict[Key, list[Cell]] = defaultdict(list)
    for cell in cells:
        found[replace(cell.key, cache="")].append(cell)
    order = ("", *caches.STATES)
    return [Joint(tuple(sorted(of, key=lambda cell: order.index(cell.key.cache)))) for of in found.values()]


def in_state(cells: Iterable[Cell], state: str) -> list[Cell]:
    """With those that have no state."""
    return [cell for cell in cells if cell.key.cache in ("", state)]


def states_of(cells: Iterable[Cell]) -> list[str]:
    """In the order of caches.STATES; [''] where no cell has one."""
    return caches.ordered(cell.key.cache for cell in cells) or [""]
