"""A plan whose cases are not every collective at every size, but given one by one for each number of ranks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tutti.bench.plan import Plan
from tutti.results import caches
from tutti.results.comparison import without_terms


@dataclass(frozen=True)
class CasePlan(Plan):
    """`given`: cases as tutti-bench reads them, without their states."""

    given: tuple[tuple[int, tuple[str, ...]], ...] = ()

    def cases_of(self, ranks: int) -> list[str]:
        return caches.with_states(dict(self.given)[ranks], self.caches)

    @property
    def cases(self) -> list[str]:
        return [case for ranks, _ in self.given for case in self.cases_of(ranks)]


def case(collective: str, size: int) -> str:
    return "barrier" if collective == "barrier" else f"{collective}:{size}"


def with_cases(usual: Plan, by_ranks: Mapping[int, Sequence[str]]) -> CasePlan:
    """Like `usual`, with these cases by number of ranks in the place of its own."""
    fields = {name: getattr(usual, name) for name in usual.__dataclass_fields__}
    names = [without_terms(word.partition(":")[0]) for cases in by_ranks.values() for word in cases]
    fields |= {"collectives": list(dict.fromkeys(names)), "ranks": sorted(by_ranks)}
    return CasePlan(**fields, given=tuple((ranks, tuple(by_ranks[ranks])) for ranks in sorted(by_ranks)))
