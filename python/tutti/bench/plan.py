"""What to measure: cases, rank counts, launches; and how long it may take."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tutti.bench.arrival import with_arrivals
from tutti.bench.subjects import USUAL, Calls, expanded, has_no_size
from tutti.bench.timing import Timing
from tutti.errors import UserError, did_you_mean
from tutti.results.caches import COLD, with_states
from tutti.results.comparison import COLLECTIVES


@dataclass(frozen=True)
class Plan:
    """Every subject at every size, at every number of ranks, in `launches` launches each."""

    collectives: Sequence[str]
    sizes: Sequence[int]
    ranks: Sequence[int]
    launches: int = 5
    seconds: float = 0.5  # limit for a case and launch
    precision: float = 0.01
    check: bool = True
    null: bool = False
    seed: int = 1
    budget: float | None = None  # seconds after which no further launch begins; the first ones always do
    bound: bool = False  # measure what each case cannot be faster than, too
    arrivals: Sequence[str] = ("",)  # patterns in which ranks come, with their skew: last_late:2x; '' for none
    caches: Sequence[str] = (COLD,)  # states in which each case is measured
    layout: str | None = None  # of what is printed: imb or osu instead of tutti's table
    timing: Timing = field(default_factory=Timing)
    calls: Calls = field(default_factory=Calls)
    nodes: int = 1
    spec: str = ""  # what tutti is asked to serve the calls with; without it, what the rules say

    @property
    def variants(self) -> tuple[str, str]:
        """The contender and the base; in a null test the base twice."""
        return ("again", "native") if self.null else ("tutti", "native")

    def cases_of(self, ranks: int) -> list[str]:
        """As tutti-bench reads them: allreduce:8, allreduce:8%warm, allreduce:8@last_late:2x."""
        calls = [
            call
            for name in expanded(self.collectives, ranks, self.nodes)
            for call in ([name] if has_no_size(name) else [f"{name}:{size}" for size in self.sizes])
        ]
        return with_arrivals(with_states(calls, self.caches), self.arrivals)

    @property
    def cases(self) -> list[str]:
        """Those of the largest number of ranks, which has them all."""
        return self.cases_of(max(self.ranks))

    @property
    def settings(self) -> dict[str, str]:
        """Variables of the ranks that ask for the spec."""
        return {f"TUTTI_{name.upper()}": self.spec for name in self.collectives} if self.spec else {}

    @property
    def total(self) -> int:
        """Cases of all launches together."""
        return self.launches * sum(len(self.cases_of(count)) for count in self.ranks)

    def rounds(self) -> Iterator[tuple[int, int, list[str]]]:
        """(launch, ranks, cases in an order of their own), every number of ranks once in each launch.

        Shuffled so that what a case leaves behind (caches, connections, a warm processor) falls on another one each
        time.
        """
        shuffle = random.Random(self.seed)
        for number in range(1, self.launches + 1):
            for count in self.ranks:
                order = self.cases_of(count)
                shuffle.shuffle(order)
                yield number, count, order


def collectives_named(words: Sequence[str]) -> list[str]:
    """Checked names, each once; the usual six for none; all for `all`.  Raises UserError."""
    names: list[str] = []
    for word in ",".join(words).lower().replace(",", " ").split() or USUAL:
        if word == "all":
            names += COLLECTIVES
        elif word in COLLECTIVES:
            names.append(word)
        else:
            hint = did_you_mean(word, COLLECTIVES) or f" (there are {', '.join(COLLECTIVES)})"
            raise UserError(f"there is no collective {word!r}{hint}")
    return list(dict.fromkeys(names))
