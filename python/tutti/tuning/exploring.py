"""Which candidates of a cell are worth a measurement: those that stand out, then those that may be the best.

The first ones are those with few messages, with few bytes and with few that wait for one another.  From then on it is
the surrogate that judges what has not been measured: a candidate is looked at where its improvement on the best,
weighed by how likely it is, is worth it.  Once all of that is settled and there is time left, some of the others
follow, in the same order.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tutti.tuning import deciding
from tutti.tuning.evidence import Cell, Gain, Gains
from tutti.tuning.layout import Layout
from tutti.tuning.model import features
from tutti.tuning.surrogate import Surrogate, improvement
from tutti.tuning.traits import family, kind

FIRST = 6  # algorithms of a cell that are looked at before the surrogate judges
WORTHWHILE = 0.002  # an expected improvement (of a logarithm) that a first look is spent on
WIDER = 4  # more candidates of a cell are looked at, whatever is expected of them, each time that all is settled


def weight(cell: Cell, spec: str, layout: Layout) -> tuple | None:
    """(messages of a rank one after the other, bytes of a node's link and on the longest path, messages of which each
    waits for the one before); None where there is no schedule to count."""
    found = features(cell.collective, spec, layout, cell.size)
    if found is None:
        return None
    return found.rounds, (found.link, found.moved), found.crossings if layout.nodes > 1 else found.hops


@functools.lru_cache(maxsize=1024)
def first(cell: Cell, layout: Layout, every: tuple[str, ...]) -> tuple[str, ...]:
    """Before anything is known: one of each kind, then the one with the fewest messages that wait for others, then of
    each algorithm the variant with the fewest messages and the one with the fewest bytes, in turns.  What is fast is on
    the border of these, whatever a message, a byte and a rank's waking up cost."""
    kinds = {kind(spec): spec for spec in reversed(every)}.values()
    weights = {spec: found for spec in every if (found := weight(cell, spec, layout))}

    def by(*order: int) -> list[str]:
        return sorted(weights, key=lambda spec: [weights[spec][i] for i in order])

    turns = itertools.chain.from_iterable(zip(by(0, 1, 2), by(1, 0, 2), strict=True))
    found: dict[tuple[str, ...], str] = {}
    for spec in (*kinds, *by(2, 0, 1)[:1], *turns):
        found.setdefault(family(cell.collective, spec), spec)
    return tuple(found.values())


@dataclass
class Exploring:
    """`looks`: so many algorithms of a cell are measured before the surrogate judges; `width`: so many candidates of a
    cell whatever it says."""

    surrogate: Surrogate
    layout: Layout
    looks: int = FIRST
    width: dict[Cell, int] = field(default_factory=dict)

    def promising(self, cell: Cell, every: Sequence[str], measured: Mapping[str, Gain]) -> list[str]:
        """In the order of promise: what was measured and not beaten, then what is worth a first look."""
        opening = [spec for spec in first(cell, self.layout, tuple(every))[: self.looks] if spec not in measured]
        able = {spec: gain for spec, gain in measured.items() if not gain.slower_in}
        best = max((gain.mean for gain in able.values()), default=0.0)
        hope = max(best - deciding.SLACK, deciding.WORTH)
        alive = [spec for spec, gain in able.items() if gain.high >= hope]
        alive.sort(key=lambda spec: -measured[spec].mean)
        return [*alive, *(opening or self.new(cell, every, measured))]

    def new(self, cell: Cell, every: Sequence[str], measured: Mapping[str, Gain]) -> list[str]:
        """Not yet measured and worth it, what is expected to improve most first."""
        judged = self.surrogate.judge(cell, every)
        able = [spec for spec, gain in measured.items() if spec in judged and not gain.slower_in]
        best = max([0.0, *(judged[spec][0] for spec in able)])
        worth = {spec: improvement(*judged[spec], best) for spec in every if spec in judged and spec not in measured}
        ranked = sorted(worth, key=lambda spec: -worth[spec])
        room = self.width.get(cell, 0) - len(measured)
        return [spec for i, spec in enumerate(ranked) if worth[spec] > WORTHWHILE or i < room]

    def widen(self, known: Gains) -> None:
        self.width = {cell: len(of) + WIDER for cell, of in known.items()}
