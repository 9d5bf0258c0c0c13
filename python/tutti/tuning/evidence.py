"""Measurements of candidates: kept in a file as they come, found again, and summed up as gains over native.

A gain is native's time over the candidate's, as logarithms.  Both ran in turns in each launch, so that what slows all
down cancels.  What slows the native call alone must not make a candidate look better, though: a launch's native time
counts for as much as candidates' times were found to go with it, and for the rest the mean of all launches' does.
Few launches say little about their own spread, so that it is drawn towards the spread of all candidates of the layout:
an interval is honest from the first launch on.

Where cells were measured in several states of caches, a launch's times are their geometric means, and what is known of
each state by itself stands beside them.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from tutti.results import caches, statistics
from tutti.results.statistics import Estimate, Interval
from tutti.tuning.layout import Layout

PRIOR_SPREAD, PRIOR_WEIGHT = 0.08, 4  # of logarithms of gains, before anything is known; as good as so many launches
CELL_WEIGHT = 6  # launches for which the spread of all cells stands in within one of them
OWN_WEIGHT = 3  # and that of a cell, for a candidate


@dataclass(frozen=True, order=True)
class Cell:
    """A collective at one size: what a rule decides."""

    collective: str
    size: int


@dataclass(frozen=True)
class Sample:
    """One launch of one candidate.  Microseconds; with arrivals, the mean wait instead of the slowest rank's time."""

    layout: Layout
    cell: Cell
    spec: str
    launch: str
    native_us: float
    spec_us: float
    seconds: float  # that the case took, with all that belongs to it
    wrong: int = 0
    arrival: str = ""
    cache: str = caches.COLD  # empty where there are no buffers


def as_line(sample: Sample) -> str:
    return json.dumps(asdict(sample))


def from_line(text: str) -> Sample:
    """Raises ValueError, KeyError or TypeError on what is none."""
    row: dict[str, Any] = json.loads(text)
    return Sample(**row | {"layout": Layout(**row["layout"]), "cell": Cell(**row["cell"])})


class Store:
    """A file of samples, a line each."""

    def __init__(self, file: Path):
        self.file = file
        self.samples: list[Sample] = []
        self._of: dict[Layout, list[Sample]] = defaultdict(list)
        if file.exists():
            for line in file.read_text().splitlines():
                try:
                    self._keep(from_line(line))
                except (ValueError, KeyError, TypeError):  # cut short
                    continue

    def _keep(self, sample: Sample) -> None:
        self.samples.append(sample)
        self._of[sample.layout].append(sample)

    def add(self, sample: Sample) -> None:
        self._keep(sample)
        self.file.parent.mkdir(parents=True, exist_ok=True)
        with self.file.open("a") as out:
            out.write(as_line(sample) + "\n")

    def of(self, layout: Layout) -> list[Sample]:
        return self._of[layout]


@dataclass(frozen=True)
class Gain:
    """Of one candidate in one cell: the mean logarithm, how sure it is, and the times behind it."""

    mean: float
    error: float
    launches: int
    native_us: float
    spec_us: float
    states: tuple[tuple[str, Gain], ...] = ()  # of caches, where there are several: the gain in each by itself

    @property
    def slower_in(self) -> str:
        """A state in which the candidate is shown to be slower than native, whatever the mean says."""
        return next((state for state, gain in self.states if gain.high < math.log(statistics.SLOWER)), "")

    @property
    def behind_in(self) -> str:
        """A state in which it seems to be, shown or not."""
        return next((state for state, gain in self.states if gain.mean < math.log(statistics.SLOWER)), "")

    @property
    def low(self) -> float:
        return self.mean - 1.96 * self.error

    @property
    def high(self) -> float:
        return self.mean + 1.96 * self.error

    @property
    def estimate(self) -> Estimate:
        return Estimate(math.exp(self.mean), Interval(math.exp(self.low), math.exp(self.high)), self.launches)


NATIVE = "native"
Pair = tuple[float, float]  # logarithms of native's and the candidate's time in one launch
Gains = dict[Cell, dict[str, Gain]]


def per_launch(samples: Iterable[Sample]) -> dict[tuple[Cell, str], dict[str, list[Sample]]]:
    """By candidate and launch; one sample for each pattern of arrival."""
    found: dict[tuple[Cell, str], dict[str, list[Sample]]] = defaultdict(lambda: defaultdict(list))
    for sample in samples:
        found[sample.cell, sample.spec][sample.launch].append(sample)
    return found


def logarithms(launch: Sequence[Sample]) -> Pair:
    native = sum(math.log(sample.native_us) for sample in launch) / len(launch)
    return native, sum(math.log(sample.spec_us) for sample in launch) / len(launch)


def pooled_spread(groups: Iterable[Sequence[float]], prior: float, weight: float) -> float:
    """Variance of a launch's gain around its candidate's, over all candidates; `prior` counts as so many launches."""
    total, freedom = weight * prior, float(weight)
    for values in groups:
        mean = sum(values) / len(values)
        total += sum((value - mean) ** 2 for value in values)
        freedom += len(values) - 1
    return total / freedom


def togetherness(pairs: Iterable[Sequence[Pair]]) -> float:
    """How a candidate's time follows the native one from launch to launch: 1 where it does so in proportion, 0 where it
    does not at all.  Pooled over a cell's candidates; 1 as long as nothing is known."""
    both = own = PRIOR_WEIGHT * PRIOR_SPREAD**2
    for of in pairs:
        middle = [sum(values) / len(of) for values in zip(*of, strict=True)]
        both += sum((native - middle[0]) * (time - middle[1]) for native, time in of)
        own += sum((native - middle[0]) ** 2 for native, _ in of)
    return min(1.0, max(0.0, both / own))


def adjusted(pairs: Mapping[str, Sequence[Pair]]) -> tuple[dict[str, list[float]], float]:
    """Of one cell: each candidate's gain in each launch, and the variance that the mean of native's times adds."""
    slope = togetherness(pairs.values())
    native = [one for of in pairs.values() for one, _ in of]
    mean = sum(native) / len(native)
    values = {spec: [mean - time + slope * (one - mean) for one, time in of] for spec, of in pairs.items()}
    spread = sum((one - mean) ** 2 for one in native) / max(1, len(native) - 1)
    return values, (1 - slope) ** 2 * spread / len(native)


def whole(samples: Iterable[Sample]) -> list[Sample]:
    """Without launches that lack a state of caches that others of their cell have: their means are no such means."""
    listed = list(samples)
    wanted: dict[Cell, set[str]] = defaultdict(set)
    found: dict[tuple[Cell, str, str], set[str]] = defaultdict(set)
    for one in listed:
        wanted[one.cell].add(one.cache)
        found[one.cell, one.spec, one.launch].add(one.cache)
    return [one for one in listed if found[one.cell, one.spec, one.launch] == wanted[one.cell]]


def gains(samples: Iterable[Sample]) -> Gains:
    """What is known of each cell, on the whole and in each state of caches; candidates that gave a wrong result are
    left out."""
    listed = whole(samples)
    result = gains_of(listed)
    states = caches.ordered(one.cache for one in listed)
    apart = {state: gains_of(one for one in listed if one.cache == state) for state in states} if states[1:] else {}
    for cell, of in result.items():
        for spec, gain in of.items():
            parts = [(state, known[cell][spec]) for state, known in apart.items() if spec in known.get(cell, {})]
            if len(parts) > 1:
                native, own = ([getattr(part, name) for _, part in parts] for name in ("native_us", "spec_us"))
                times = statistics.geometric_mean(native), statistics.geometric_mean(own)
                of[spec] = replace(gain, native_us=times[0], spec_us=times[1], states=tuple(parts))
    return result


def gains_of(samples: Iterable[Sample]) -> Gains:
    """With several patterns of arrival, and several states of caches, a launch's times are their means."""
    grouped = per_launch(samples)
    cells: dict[Cell, dict[str, list[Pair]]] = defaultdict(dict)
    for (cell, spec), launches in grouped.items():
        cells[cell][spec] = [logarithms(of) for of in launches.values()]
    known = {cell: adjusted(of) for cell, of in cells.items()}
    everywhere = (values for of, _ in known.values() for values in of.values())
    overall = pooled_spread(everywhere, PRIOR_SPREAD**2, PRIOR_WEIGHT)
    result: Gains = defaultdict(dict)
    for cell, (of, of_native) in known.items():
        variance = pooled_spread(of.values(), overall, CELL_WEIGHT)  # a long call's time varies less than a short one's
        for spec, values in of.items():
            every = [sample for launch in grouped[cell, spec].values() for sample in launch]
            if any(sample.wrong for sample in every):
                continue
            mean, count = sum(values) / len(values), len(values)
            own = sum((value - mean) ** 2 for value in values)
            spread = (own + OWN_WEIGHT * variance) / (count - 1 + OWN_WEIGHT)
            result[cell][spec] = Gain(
                mean,
                math.sqrt(spread / count + of_native),
                count,
                statistics.median([sample.native_us for sample in every]),
                statistics.median([sample.spec_us for sample in every]),
            )
    return result


def wrong(samples: Iterable[Sample]) -> set[tuple[Cell, str]]:
    return {(sample.cell, sample.spec) for sample in samples if sample.wrong}


def regret(samples: Iterable[Sample], chosen: Mapping[Cell, str]) -> dict[Cell, dict[str, float]]:
    """For each pattern of arrival, and each state of caches where there are several, the time of what was chosen over
    that of the best there alone."""
    listed = list(samples)
    several = len(caches.ordered(sample.cache for sample in listed)) > 1
    by_pattern: dict[tuple[Cell, str], dict[str, list[Pair]]] = defaultdict(lambda: defaultdict(list))
    for sample in listed:
        pattern = ", ".join(filter(None, (sample.arrival or "none", sample.cache if several else "")))
        by_pattern[sample.cell, pattern][sample.spec].append(logarithms([sample]))
    found: dict[Cell, dict[str, float]] = defaultdict(dict)
    for (cell, pattern), specs in by_pattern.items():
        means = {spec: sum(of) / len(of) for spec, of in adjusted(specs)[0].items()} | {NATIVE: 0.0}
        if chosen.get(cell) in means:
            found[cell][pattern] = math.exp(max(means.values()) - means[chosen[cell]])
    return found
