"""A tuning tried on recorded measurements: what its policy finds, without a machine to measure on.

    .venv/bin/python tools/tuning_replay.py quality/search-16/evidence.jsonl --minutes 4.5 --times 20

Takes the evidence of an exhaustive search (tools/tuning_quality.py keeps it) for the truth: each candidate's gain, how
much the launches of a cell differ, and what a case costs.  A campaign of `tutti tune` runs on that with a clock of its
own, so that five minutes pass in a few seconds, again and again with other luck.  Says how many cells end with a spec
that takes more than 5 % longer than the best, and which cells do so most often.  A change of the policy is tried here
first and measured afterwards.
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from tutti import core
from tutti.tuning import campaign, deciding, evidence
from tutti.tuning.evidence import NATIVE, Cell, Sample, Store
from tutti.tuning.layout import Timed

GOOD = 1.05


class Clock:
    """Seconds that pass by what is said to have taken them."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Recorded:
    """Stands for the machine: the launches of a tuning, drawn around what was measured."""

    def __init__(self, samples: list[Sample], clock: Clock, start: float, seed: int) -> None:
        self.clock, self.start, self.random = clock, start, random.Random(seed)
        known = evidence.gains(samples)
        self.gains = {cell: {spec: g for spec, g in of.items() if not g.slower_in} for cell, of in known.items()}
        self.spread: dict[Cell, float] = {}
        self.seconds: dict[Cell, float] = {}
        of: dict[Cell, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
        costs: dict[Cell, list[float]] = defaultdict(list)
        for sample in samples:
            of[sample.cell][sample.spec].append(math.log(sample.native_us / sample.spec_us))
            costs[sample.cell].append(sample.seconds)
        every = (values for specs in of.values() for values in specs.values())
        overall = evidence.pooled_spread(every, evidence.PRIOR_SPREAD**2, evidence.PRIOR_WEIGHT)
        for cell, specs in of.items():
            self.spread[cell] = math.sqrt(evidence.pooled_spread(specs.values(), overall, evidence.CELL_WEIGHT))
            self.seconds[cell] = statistics.median(costs[cell])

    def measure(self, runner, chosen, layout, cases, profile, seconds) -> Iterator[Timed]:
        """In the place of tuning.layout.measure."""
        rules, _ = core.load().profile_rules(Path(profile).read_text(), profile)
        self.clock.now += self.start
        for case in cases:
            name, _, size = case.partition(":")
            cell = Cell(name, int(size or 0))
            use = next(r["use"] for r in rules if r["collective"] == name and r["size"] in (None, (cell.size,) * 2))
            gain = self.gains[cell][use]
            native = gain.native_us * math.exp(self.random.gauss(0, 0.5 * self.spread[cell]))
            own = native * math.exp(-gain.mean + self.random.gauss(0, self.spread[cell]))
            self.clock.now += self.seconds[cell]
            row = {"collective": name, "size": cell.size, "repetitions": 9, "wrong": 0}
            yield Timed(row | {"variant": "tutti", "choice": use, "median_us": own}, self.seconds[cell])
            yield Timed(row | {"variant": "native", "choice": "", "median_us": native}, self.seconds[cell])

    def best(self, cell: Cell) -> float:
        return max(0.0, max(gain.mean for gain in self.gains[cell].values()))

    def over_best(self, cell: Cell, spec: str) -> float:
        own = 0.0 if spec == NATIVE else self.gains[cell][spec].mean
        return math.exp(self.best(cell) - own)


def replayed(samples: list[Sample], clock: Clock, seconds: float, start: float, seed: int) -> dict[Cell, tuple]:
    """One tuning: by cell what it chose, and that one's time over the best one's."""
    clock.now = 0.0
    machine = Recorded(samples, clock, start, seed)
    campaign.measure = machine.measure
    cells = sorted(machine.gains)
    with tempfile.TemporaryDirectory() as folder:
        one = campaign.Campaign(
            Store(Path(folder) / "evidence.jsonl"), None, None, samples[0].layout, list(cells), seconds
        )  # fmt: skip
        one.specs = lambda cell: list(machine.gains[cell])  # what the search could measure
        one.run(refining=False)
        rows = [chosen for name in {cell.collective for cell in cells} for chosen in deciding.row_of(name, one.known())]
    found = {chosen.cell: chosen.spec for chosen in rows}
    specs = {cell: found.get(cell, NATIVE) for cell in cells}
    return {cell: (spec, machine.over_best(cell, spec)) for cell, spec in specs.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("evidence", type=Path, help="evidence.jsonl of an exhaustive search")
    parser.add_argument("--minutes", type=float, default=4.5)
    parser.add_argument("--times", type=int, default=10, help="tunings, each with other luck")
    parser.add_argument("--start", type=float, default=2.0, help="seconds that starting ranks takes")
    asked = parser.parse_args()
    samples = Store(asked.evidence).samples
    if not samples:
        sys.exit(f"{asked.evidence}: there are no measurements in it")
    clock, bad, losses = Clock(), Counter[Cell](), defaultdict(list)
    time.monotonic = clock  # the campaign's and the budget's clock, in this process
    for seed in range(asked.times):
        for cell, (spec, over) in replayed(samples, clock, 60 * asked.minutes, asked.start, seed).items():
            bad[cell] += over > GOOD
            losses[cell].append((over, spec))
    cells = len(losses)
    print(f"{samples[0].layout}: {sum(bad.values()) / asked.times:.1f} of {cells} cells end above {GOOD}, "
          f"as a mean of {asked.times} tunings")  # fmt: skip
    for cell, count in bad.most_common(8):
        if count:
            over, spec = max(losses[cell])
            print(f"  {cell.collective} {cell.size}: {count} times, at worst {over:.2f} by {spec}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
