"""Measurements of candidates: kept in a file as they come, found again, and summed up as gains over native.

A gain is native's time over the candidate's in one launch, where both ran in turns.  Gains of several launches are
combined as logarithms.  Few launches say little about their own spread, so that it is drawn towards the spread of all
candidates of the layout: an interval is honest from the first launch on.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tutti import statistics
from tutti.statistics import Estimate, Interval
from tutti.tuning.layout import Layout

PRIOR_SPREAD, PRIOR_WEIGHT = 0.08, 4  # of logarithms of gains, before anything is known; as good as so many launches
OWN_WEIGHT = 3  # launches for which the spread of all stands in


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

    @property
    def gain(self) -> float:
        return math.log(self.native_us / self.spec_us)


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
        if file.exists():
            for line in file.read_text().splitlines():
                try:
                    self.samples.append(from_line(line))
                except (ValueError, KeyError, TypeError):  # cut short
                    continue

    def add(self, sample: Sample) -> None:
        self.samples.append(sample)
        self.file.parent.mkdir(parents=True, exist_ok=True)
        with self.file.open("a") as out:
            out.write(as_line(sample) + "\n")

    def of(self, layout: Layout) -> list[Sample]:
        return [sample for sample in self.samples if sample.layout == layout]


@dataclass(frozen=True)
class Gain:
    """Of one candidate in one cell: the mean logarithm, how sure it is, and the times behind it."""

    mean: float
    error: float
    launches: int
    native_us: float
    spec_us: float

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
Gains = dict[Cell, dict[str, Gain]]


def per_launch(samples: Iterable[Sample]) -> dict[tuple[Cell, str], dict[str, list[Sample]]]:
    """By candidate and launch; one sample for each pattern of arrival."""
    found: dict[tuple[Cell, str], dict[str, list[Sample]]] = defaultdict(lambda: defaultdict(list))
    for sample in samples:
        found[sample.cell, sample.spec][sample.launch].append(sample)
    return found


def pooled_spread(groups: Iterable[list[float]]) -> float:
    """Variance of a launch's gain around its candidate's, over all candidates."""
    total, freedom = PRIOR_WEIGHT * PRIOR_SPREAD**2, float(PRIOR_WEIGHT)
    for values in groups:
        mean = sum(values) / len(values)
        total += sum((value - mean) ** 2 for value in values)
        freedom += len(values) - 1
    return total / freedom


def gains(samples: Iterable[Sample]) -> Gains:
    """What is known of each cell; candidates that gave a wrong result are left out.  With several patterns of arrival
    a launch's gain is their mean."""
    grouped = per_launch(samples)
    logs = {
        key: [sum(sample.gain for sample in of) / len(of) for of in launches.values()]
        for key, launches in grouped.items()
    }
    variance = pooled_spread(logs.values())
    result: Gains = defaultdict(dict)
    for (cell, spec), values in logs.items():
        every = [sample for of in grouped[cell, spec].values() for sample in of]
        if any(sample.wrong for sample in every):
            continue
        mean, count = sum(values) / len(values), len(values)
        own = sum((value - mean) ** 2 for value in values)
        spread = (own + OWN_WEIGHT * variance) / (count - 1 + OWN_WEIGHT)
        result[cell][spec] = Gain(
            mean,
            math.sqrt(spread / count),
            count,
            statistics.median([sample.native_us for sample in every]),
            statistics.median([sample.spec_us for sample in every]),
        )
    return result


def wrong(samples: Iterable[Sample]) -> set[tuple[Cell, str]]:
    return {(sample.cell, sample.spec) for sample in samples if sample.wrong}


def regret(samples: Iterable[Sample], chosen: Mapping[Cell, str]) -> dict[Cell, dict[str, float]]:
    """For each pattern of arrival, the time of what was chosen over that of the best under this pattern alone."""
    by_pattern: dict[tuple[Cell, str], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for sample in samples:
        by_pattern[sample.cell, sample.arrival][sample.spec].append(sample.gain)
    found: dict[Cell, dict[str, float]] = defaultdict(dict)
    for (cell, pattern), specs in by_pattern.items():
        means = {spec: sum(values) / len(values) for spec, values in specs.items()} | {NATIVE: 0.0}
        if chosen.get(cell) in means:
            found[cell][pattern or "none"] = math.exp(max(means.values()) - means[chosen[cell]])
    return found
