"""From samples to what a page can carry: distributions with a bounded number of points, derived once, per cell."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from tutti.results import sample_cells
from tutti.results.comparison import Key, key_of
from tutti.results.runs import Run
from tutti.results.sample_cells import CellSamples

TIMES_LEAST = (2, 3, 4, 5, 10)  # n of the shares above n times the least time
SIGMAS = (1, 2, 3, 4)  # n of the shares above mean + n standard deviations
BINS = 80  # of a histogram
HISTOGRAM_END = 0.995  # a histogram ends a little above this quantile, or FENCE times the middle half's width above
FENCE = 8  # it, if that is less; what lies beyond is one bar
CURVE = np.concatenate([np.linspace(0, 0.96, 49), 1 - np.geomspace(0.04, 1e-5, 22), [1]])  # points of an ECDF
BAND = (0.05, 0.25, 0.5, 0.75, 0.95)
MOST_RANKS = 256  # rows of a figure by rank; of more ranks, evenly chosen ones


@dataclass(frozen=True)
class Part:
    """The own times of one rank, or of one node's ranks: from its beginning to its end, microseconds of one call."""

    number: int
    least: float
    mean: float
    most: float
    quantiles: tuple[float, ...]  # at BAND


@dataclass(frozen=True)
class Repetition:
    """When ranks began and ended, microseconds after the first began."""

    ranks: np.ndarray
    begin: np.ndarray
    end: np.ndarray
    call: float  # its time, of one call
    batch: int


@dataclass(frozen=True)
class Spread:
    """All repetitions of one variant in one cell, of all launches together; microseconds of one call."""

    count: int
    late: int
    least: float
    mean: float
    deviation: float
    most: float
    percentiles: dict[str, float]  # 50, 90, 99, 99.9
    curve: np.ndarray  # quantiles at CURVE
    above_least: tuple[float, ...]  # shares, for TIMES_LEAST
    above_mean: tuple[float, ...]  # shares, for SIGMAS
    histogram: np.ndarray  # share of each bin, and what lies beyond the last
    ranks: list[Part]
    nodes: list[Part]
    arrivals: np.ndarray  # of the shown ranks: the median of how late each began after the first
    usual: Repetition  # whose time is the median
    worst: Repetition


@dataclass(frozen=True)
class Distribution:
    """What is known of one cell beyond its medians."""

    edges: np.ndarray  # of the histograms' bins, the same for all variants
    variants: dict[str, Spread]

    @property
    def shown_ranks(self) -> np.ndarray:
        return next(iter(self.variants.values())).usual.ranks


def part_of(number: int, times: np.ndarray) -> Part:
    quantiles = tuple(float(value) for value in np.quantile(times, BAND))
    return Part(number, float(times.min()), float(times.mean()), float(times.max()), quantiles)


def repetition(cell: CellSamples, index: int, shown: np.ndarray, call: float) -> Repetition:
    first = cell.begin[index].min()
    return Repetition(shown, cell.begin[index, shown] - first, cell.end[index, shown] - first, call, cell.batch)


def nodes_of(run: Run, ranks: int) -> list[int]:
    """The node of each rank, by number; [] where the run does not say."""
    for launch in run.environment.get("launches") or []:
        nodes = launch.get("nodes")
        if isinstance(nodes, list) and launch.get("ranks") == ranks == len(nodes):
            return nodes
    return []


@dataclass(frozen=True)
class Timed:
    """One launch's samples, and the times that follow from them."""

    cell: CellSamples
    kept: np.ndarray  # indices of repetitions
    times: np.ndarray


def gather(run: Run) -> dict[Key, dict[str, list[Timed]]]:
    """The samples of a run that count, by cell and variant."""
    known = {key_of(row) for row in run.results}
    found: dict[Key, dict[str, list[Timed]]] = defaultdict(lambda: defaultdict(list))
    for cell in sample_cells.cells(run):
        key = key_of({name: getattr(cell, name) for name in ("ranks", "arrival", "collective", "size", "cache")})
        kept = np.flatnonzero(sample_cells.in_time(cell))
        if key in known:
            found[key][cell.variant].append(Timed(cell, kept, sample_cells.times(cell, kept)))
    return found


def usual_edges(times: Iterable[np.ndarray]) -> np.ndarray:
    """Bins from the least time on, up to where hardly anything is left in any variant."""
    low, high = np.inf, 0.0
    for values in times:
        low = min(low, float(values.min()))
        quarter, three, last = np.quantile(values, (0.25, 0.75, HISTOGRAM_END))
        high = max(high, float(min(last * 1.05, max(three + FENCE * (three - quarter), three * 1.05))))
    return np.linspace(low, max(high, low * 1.01, low + 1e-3), BINS + 1)


def spread_of(launches: Sequence[Timed], edges: np.ndarray, nodes: Sequence[int]) -> Spread:
    times = np.concatenate([timed.times for timed in launches])
    own = np.concatenate([(t.cell.end[t.kept] - t.cell.begin[t.kept]) / t.cell.batch for t in launches])
    come = np.concatenate([t.cell.begin[t.kept] - t.cell.begin[t.kept].min(axis=1, keepdims=True) for t in launches])
    shown = np.unique(np.linspace(0, own.shape[1] - 1, min(own.shape[1], MOST_RANKS)).round().astype(int))
    least, mean, deviation = float(times.min()), float(times.mean()), float(times.std())
    counts, _ = np.histogram(times, edges)
    order = np.argsort(times, kind="stable")
    bounds = np.cumsum([0, *(len(timed.times) for timed in launches)])

    def at(place: int) -> Repetition:
        which = int(np.searchsorted(bounds, place, "right")) - 1
        timed = launches[which]
        return repetition(timed.cell, int(timed.kept[place - bounds[which]]), shown, float(times[place]))

    return Spread(
        count=len(times),
        late=sum(int(timed.cell.late.sum()) for timed in launches),
        least=least,
        mean=mean,
        deviation=deviation,
        most=float(times.max()),
        percentiles={name: float(np.quantile(times, float(name) / 100)) for name in ("50", "90", "99", "99.9")},
        curve=np.quantile(times, CURVE),
        above_least=tuple(float((times > n * least).mean()) for n in TIMES_LEAST),
        above_mean=tuple(float((times > mean + n * deviation).mean()) for n in SIGMAS),
        histogram=np.append(counts, len(times) - counts.sum()) / len(times),
        ranks=[part_of(int(rank), own[:, rank]) for rank in shown],
        nodes=[part_of(node, own[:, np.equal(nodes, node)]) for node in sorted(set(nodes))] if len(nodes) else [],
        arrivals=np.median(come[:, shown], axis=0),
        usual=at(int(order[(len(order) - 1) // 2])),
        worst=at(int(order[-1])),
    )


def distributions(run: Run, order: Sequence[str]) -> dict[Key, Distribution]:
    """Of every cell that has samples, variants in that order; empty where a run kept none."""
    found = {}
    for key, variants in gather(run).items():
        edges = usual_edges(timed.times for launches in variants.values() for timed in launches)
        nodes = nodes_of(run, key.ranks)
        listed = [name for name in order if name in variants]
        found[key] = Distribution(edges, {name: spread_of(variants[name], edges, nodes) for name in listed})
    return found
