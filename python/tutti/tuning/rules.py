"""From measured cells to rules: where the node engine serves, with one copy or two, and where the MPI does.

The cells of two runs come in, both native beside tutti: every block through shared memory (`node`), and every block
copied once (`node(single_copy=1)`).  The ratio of a size that was measured with cold buffers and with warm ones is the
geometric mean of both.  A size is *won* where the 95 % interval of native/tutti lies above 0.97, the ratio itself at or
above 1 and that of each state above 0.97; *lost* where the ratio is below 1, where node is shown to be slower in either
state, or where results were wrong; else it is *open*: ahead, but in doubt.  Node serves what is won, and what is open
between won sizes; where all is open, it serves if it is ahead by more than 3 % on the whole.  A rule claims no size
between a won and a lost one, since nothing was measured there; the least and the largest size stand for those beyond.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tutti.options import format_size
from tutti.results import joint
from tutti.results.comparison import Cell
from tutti.results.joint import Joint
from tutti.results.statistics import FASTER, SLOWER

# Not all ranks know the size of these calls: no rule on it can match.
UNSIZED = ("barrier", "gatherv", "scatterv", "alltoallv", "alltoallw")
GAIN = FASTER  # what one copy must bring over all sizes from its border on; what sizes in doubt must bring together


@dataclass(frozen=True)
class Rule:
    """What a profile says of one collective; the cells are the measurement behind it."""

    collective: str
    use: str
    ranks: str
    size: str  # a range; "" for any size
    cells: tuple[Joint, ...]

    @property
    def says(self) -> tuple[str, str, str]:
        return self.collective, self.use, self.size


@dataclass(frozen=True)
class Ladder:
    """One collective at one number of ranks, size by size: as the node engine serves it with `border`."""

    collective: str
    ranks: int
    cells: tuple[Joint, ...]
    border: int | None  # blocks from so many bytes on are copied once

    @property
    def sized(self) -> bool:
        return self.collective not in UNSIZED

    def use(self, largest: int | None) -> str:
        """The spec for sizes up to `largest` (None: any)."""
        once = self.border is not None and (largest is None or largest >= self.border)
        return f"node(single_copy={format_size(self.border)})" if once else "node"


def gain(cell: Joint) -> float:
    return math.log(cell.ratio.value) if cell.ratio else 0.0


def worth(cell: Joint) -> float:
    """What is slower in one state is left to the MPI, whatever it gains in the other."""
    return min(gain(cell), 0.0) if cell.slower else gain(cell)


def ladder(collective: str, ranks: int, twice: Sequence[Joint], once: Sequence[Joint]) -> Ladder:
    """With the border from which on one copy wins most, taken over all sizes so that no single cell decides."""
    single = {cell.key.size: cell for cell in once if cell.ratio and not cell.wrong}
    more = {cell.key.size: worth(single[cell.key.size]) - worth(cell) for cell in twice if cell.key.size in single}
    gains = {border: sum(value for size, value in more.items() if size >= border) for border in more}
    border = max(gains, key=lambda size: gains[size], default=None)
    if border is not None and gains[border] <= math.log(GAIN):
        border = None
    served = [single[c.key.size] if border is not None and c.key.size >= border and c.key.size in single else c
              for c in twice]  # fmt: skip
    return Ladder(collective, ranks, tuple(sorted(served, key=lambda cell: cell.key.size)), border)


def state(cell: Joint) -> str:
    """won, lost or open."""
    if cell.wrong or cell.slower or cell.ratio is None or cell.ratio.value < 1:
        return "lost"
    sure = cell.ratio.interval.low > SLOWER and min(cell.by_state.values()) > SLOWER
    return "won" if sure else "open"


def served(ladder: Ladder) -> list[bool]:
    """For each size, whether node serves it."""
    states = [state(cell) for cell in ladder.cells]
    ahead = sum(gain(cell) for cell in ladder.cells) > math.log(GAIN) * len(states)
    if not ladder.sized:  # one rule for all sizes, then
        bad = any(cell.wrong or cell.slower or cell.ratio is None for cell in ladder.cells)
        return [ahead and not bad] * len(states)

    def nearest(side: Sequence[str]) -> str | None:
        return next((word for word in side if word != "open"), None)

    def between(i: int) -> bool:
        beside = {nearest(states[:i][::-1]), nearest(states[i + 1 :])} - {None}
        return beside == {"won"} or (not beside and ahead)

    return [word == "won" or (word == "open" and between(i)) for i, word in enumerate(states)]


def runs_of(flags: Sequence[bool]) -> list[tuple[int, int]]:
    """First and last index of each row of true ones."""
    edges = [i for i in range(len(flags)) if flags[i] and (i == 0 or not flags[i - 1])]
    return [(i, next((j - 1 for j in range(i, len(flags)) if not flags[j]), len(flags) - 1)) for i in edges]


def rules_of(ladder: Ladder, ranks: str) -> list[Rule]:
    """Node's ranges of sizes, then native for the rest."""
    cells, flags = ladder.cells, served(ladder)

    def rule(use: str, size: str, evidence: Iterable[Joint]) -> Rule:
        return Rule(ladder.collective, use, ranks, size, tuple(evidence))

    if all(flags):
        return [rule(ladder.use(None), "", cells)]
    rules = []
    for first, last in runs_of(flags):
        low = 0 if first == 0 else cells[first].key.size
        high = cells[last].key.size if last + 1 < len(cells) else None
        text = f"{format_size(low)}:{'' if high is None else format_size(high)}"
        rules.append(rule(ladder.use(high), text, cells[first : last + 1]))
    lost = [cell for cell, flag in zip(cells, flags, strict=True) if not flag]
    return [*rules, rule("native", "", lost)]


def bands(counts: Sequence[int]) -> dict[int, tuple[int, int | None]]:
    """For each measured number of ranks those it stands for: down to the next one measured; the largest, all above."""
    ordered = sorted(counts)
    lows = [2, *(count + 1 for count in ordered[:-1])]
    highs = [*ordered[:-1], None]
    return dict(zip(ordered, zip(lows, highs, strict=True), strict=True))


def band_text(low: int, high: int | None) -> str:
    return f"{low}:" if high is None else str(low) if low == high else f"{low}:{high}"


def merged(ladders: Sequence[Ladder]) -> list[Rule]:
    """The rules of one collective; neighbouring numbers of ranks that come to the same rules share them."""
    groups: list[tuple[int, int | None, list[Rule]]] = []
    for count, (low, high) in bands([ladder.ranks for ladder in ladders]).items():
        rules = rules_of(next(ladder for ladder in ladders if ladder.ranks == count), "")
        if groups and [rule.says for rule in groups[-1][2]] == [rule.says for rule in rules]:
            low, _, before = groups.pop()
            rules = [Rule(*a.says[:2], "", a.size, a.cells + b.cells) for a, b in zip(before, rules, strict=True)]
        groups.append((low, high, rules))
    return [
        Rule(rule.collective, rule.use, band_text(low, high), rule.size, rule.cells)
        for low, high, rules in groups
        for rule in rules
    ]


Groups = dict[tuple[int, str], dict[int, tuple[list[Joint], list[Joint]]]]  # collective, ranks, either way


def decide(twice: Iterable[Cell], once: Iterable[Cell] = ()) -> list[Rule]:
    """All rules, collective by collective.  What was not measured gets none."""
    groups: Groups = defaultdict(lambda: defaultdict(lambda: ([], [])))
    for side, cells in enumerate((twice, once)):
        for cell in joint.joined(cells):
            groups[cell.key.order, cell.key.collective][cell.key.ranks][side].append(cell)
    rules = []
    for (_, collective), by_ranks in sorted(groups.items()):
        ladders = [ladder(collective, ranks, *sides) for ranks, sides in sorted(by_ranks.items()) if sides[0]]
        rules += merged(ladders) if ladders else []
    return rules
