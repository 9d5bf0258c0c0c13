"""From the results of a run to the cells of a table: native beside tutti, with the evidence."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from tutti.results import caches, statistics, timed
from tutti.results.avoidable import Avoidable
from tutti.results.statistics import Estimate, Interval

# The order of tables and plots: that of the standard's chapter.
COLLECTIVES = (
    "barrier",
    "bcast",
    "gather",
    "gatherv",
    "scatter",
    "scatterv",
    "allgather",
    "allgatherv",
    "alltoall",
    "alltoallv",
    "alltoallw",
    "reduce",
    "allreduce",
    "reduce_scatter_block",
    "reduce_scatter",
    "scan",
    "exscan",
)


@dataclass(frozen=True, order=True)
class Key:
    ranks: int
    arrival: str  # the pattern in which ranks come, with its skew; empty where they come together
    order: int  # of the collective in COLLECTIVES
    collective: str
    size: int
    cache: str = caches.COLD  # what the caches hold; empty where there are no buffers


@dataclass(frozen=True)
class Cell:
    """One collective at one size and in one state of caches: `base` (native) and `contender` (tutti).

    Times are in microseconds.  `ratio` is base over contender, above 1 where the contender is faster.  Where one
    variant is missing, its time and the ratio are None.
    """

    key: Key
    base_us: float | None
    contender_us: float | None
    base_interval: Interval | None
    contender_interval: Interval | None
    ratio: Estimate | None
    choice: str
    wrong: int
    base_wait_us: float | None = None  # from a rank's arrival to its exit, the mean over ranks; where they come apart
    contender_wait_us: float | None = None
    avoidable: Avoidable | None = None  # of those waits, where ranks come apart
    imbalance: float | None = None  # how far apart they come, in messages of that size
    bound_us: float | None = None  # what no implementation inside a node can be faster than
    rounds: int = 0  # of a pattern of messages; 0: it is none
    volume: int = 0  # bytes of all its messages
    base_overlap: float | None = None  # per cent of a nonblocking call that computation hides
    contender_overlap: float | None = None
    timed: str = ""  # from where to where its times run, in words
    by_launch: Mapping[int, float] = field(default_factory=dict)  # the ratio in each launch that has both variants

    @property
    def verdict(self) -> str:
        if self.wrong:
            return "wrong"
        return statistics.verdict(self.ratio.interval) if self.ratio else ""

    @property
    def times_bound(self) -> float | None:
        """How far the node engine is from its bound; None where another served, or nothing bounds."""
        if not (self.bound_us and self.contender_us and self.choice.split("(")[0] == "node"):
            return None
        return self.contender_us / self.bound_us

    def latency(self, time: float | None) -> float | None:
        """Microseconds of a round."""
        return time / self.rounds if time and self.rounds else None

    def bandwidth(self, time: float | None) -> float | None:
        """Of all messages together, in 10^6 bytes a second."""
        return self.volume / time if time and self.rounds else None

    def row(self) -> dict[str, Any]:
        """The cell as one flat object, for tables and JSON."""
        return {
            "ranks": self.key.ranks,
            "arrival": self.key.arrival,
            "collective": self.key.collective,
            "size": self.key.size,
            "cache": self.key.cache,
            "native_us": self.base_us,
            "tutti_us": self.contender_us,
            "ratio": self.ratio and self.ratio.value,
            "ratio_low": self.ratio and self.ratio.interval.low,
            "ratio_high": self.ratio and self.ratio.interval.high,
            "launches": self.ratio.launches if self.ratio else 0,
            "verdict": self.verdict,
            "choice": self.choice,
            "wrong": self.wrong,
            "timed": self.timed,
            "native_wait_us": self.base_wait_us,
            "tutti_wait_us": self.contender_wait_us,
            "imbalance_factor": self.imbalance,
            **(self.avoidable.row() if self.avoidable else {}),
            "bound_us": self.bound_us,
            "times_bound": self.times_bound,
            **self._of_messages(),
            **({} if self.base_overlap is None else {"native_overlap_percent": self.base_overlap}),
            **({} if self.contender_overlap is None else {"tutti_overlap_percent": self.contender_overlap}),
        }

    def _of_messages(self) -> dict[str, Any]:
        if not self.rounds:
            return {}
        return {
            "rounds": self.rounds,
            "native_latency_us": self.latency(self.base_us),
            "native_mb_s": self.bandwidth(self.base_us),
            "tutti_latency_us": self.latency(self.contender_us),
            "tutti_mb_s": self.bandwidth(self.contender_us),
        }


def key_of(result: Mapping[str, Any]) -> Key:
    collective = result["collective"]
    arrival, state = result.get("arrival", ""), caches.of(result)
    return Key(result["ranks"], arrival, order_of(collective), collective, result["size"], state)


def without_terms(subject: str) -> str:
    """allreduce of allreduce(double,max)."""
    return subject.partition("(")[0]


def order_of(subject: str) -> int:
    """Blocking collectives, nonblocking ones, persistent ones, then whatever else was measured."""
    subject = without_terms(subject)
    forms = (subject, subject.removeprefix("i"), subject.removesuffix("_init"))
    for form, name in enumerate(forms):
        if name in COLLECTIVES:
            return form * len(COLLECTIVES) + COLLECTIVES.index(name)
    return len(forms) * len(COLLECTIVES)


def contenders(results: Iterable[Mapping[str, Any]]) -> tuple[str, str]:
    """Names of (base, contender): native and tutti, or native and `again` in a null test."""
    return "native", "again" if any(result["variant"] == "again" for result in results) else "tutti"


def usable(result: Mapping[str, Any]) -> bool:
    return result.get("repetitions", 0) > 0 and result.get("median_us", 0) > 0


def spread(results: Sequence[Mapping[str, Any]]) -> Interval | None:
    """What a time varied between: the medians' intervals of all launches together."""
    if not results:
        return None
    return Interval(
        min(r.get("ci_low", r["median_us"]) for r in results), max(r.get("ci_high", r["median_us"]) for r in results)
    )


def ratio_of(base: Mapping[int, Mapping], contender: Mapping[int, Mapping]) -> Estimate | None:
    """base/contender over the launches that have both."""
    launches = sorted(base.keys() & contender.keys())
    if not launches:
        return None
    if len(launches) > 1:
        return statistics.over_launches([base[i]["median_us"] / contender[i]["median_us"] for i in launches])
    one, other = base[launches[0]], contender[launches[0]]
    bounds = statistics.ratio_of_medians(
        *(Interval(r.get("ci_low", r["median_us"]), r.get("ci_high", r["median_us"])) for r in (one, other))
    )
    return Estimate(one["median_us"] / other["median_us"], bounds, 1)


def mean_of(results: Sequence[Mapping[str, Any]], name: str) -> float | None:
    """Geometric mean over the launches that have that figure."""
    values = [r[name] for r in results if r.get(name)]
    return statistics.geometric_mean(values) if values else None


def middle_of(results: Sequence[Mapping[str, Any]], name: str) -> float | None:
    """Median over the launches that have that figure, which may be 0."""
    values = [r[name] for r in results if name in r]
    return median(values) if values else None


def avoidable_of(base: Sequence[Mapping[str, Any]], contender: Sequence[Mapping[str, Any]]) -> Avoidable | None:
    """None where neither was measured with an arrival pattern."""
    both = [middle_of(side, "avoidable_us") for side in (base, contender)]
    if both == [None, None]:
        return None
    return Avoidable(*both, max(r.get("avoidable_error_us", 0.0) for r in [*base, *contender]))


def messages_of(results: Sequence[Mapping[str, Any]]) -> tuple[int, int]:
    """Rounds and bytes of a pattern of messages; 0 and 0 of anything else."""
    return next(((r["rounds"], r["volume"]) for r in results if "rounds" in r), (0, 0))


def time_of(results: Sequence[Mapping[str, Any]]) -> float | None:
    """Geometric mean of the launches' medians, so that two times and their ratio agree."""
    return mean_of(results, "median_us")


def cells(results: Sequence[Mapping[str, Any]]) -> list[Cell]:
    """Every case of the results, in the order of Key."""
    base, contender = contenders(results)
    cases: dict[Key, dict[str, dict[int, Mapping]]] = defaultdict(lambda: defaultdict(dict))
    wrong: dict[Key, int] = defaultdict(int)
    for result in results:
        key = key_of(result)
        wrong[key] += result.get("wrong", 0)
        if usable(result):
            cases[key][result["variant"]][result["launch"]] = result
    table = []
    for key in sorted(cases):
        one, other = cases[key][base], cases[key][contender]
        both = sorted(one.keys() & other.keys())
        left, right = ([side[i] for i in both or sorted(side)] for side in (one, other))
        choice = next((r["choice"] for r in right if r.get("choice")), "")
        table.append(
            Cell(
                key,
                time_of(left),
                time_of(right),
                spread(left),
                spread(right),
                ratio_of(one, other),
                choice,
                wrong[key],
                mean_of(left, "mean_wait_us"),
                mean_of(right, "mean_wait_us"),
                avoidable_of(left, right),
                mean_of([*left, *right], "imbalance_factor"),
                mean_of(right, "bound_us"),
                *messages_of([*left, *right]),
                middle_of(left, "overlap_percent"),
                middle_of(right, "overlap_percent"),
                timed.text(timed.of(row) for row in [*left, *right]),
                {i: one[i]["median_us"] / other[i]["median_us"] for i in both},
            )
        )
    return table


def mean_ratios(table: Iterable[Cell]) -> dict[str, float]:
    """Geometric mean of native/tutti for each collective, and over all cells under the key ''."""
    groups: dict[str, list[float]] = defaultdict(list)
    for cell in table:
        if cell.ratio:
            groups[cell.key.collective].append(cell.ratio.value)
            groups[""].append(cell.ratio.value)
    return {name: statistics.geometric_mean(values) for name, values in groups.items()}
