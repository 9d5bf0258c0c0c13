"""What to measure next, within the time there is.

Every launch carries one candidate for each cell: a profile made for it has a rule for each size, so that all
collectives and sizes share the cost of starting ranks.  The first launches take candidates that differ most; a model is
fitted to them, and the promising ones follow.  A candidate that is shown to be slower than the best of its cell is not
measured again.  Where neighbouring sizes have different winners, sizes between them are measured too.  When all that is
settled, candidates follow that were thought less of, as long as there is time and they bring something.
"""

from __future__ import annotations

import itertools
import math
import random
import tempfile
import time
import uuid
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tutti.bench.arrival import with_arrivals
from tutti.bench.launch import LaunchFailed, NeverStarted, Refused
from tutti.results import caches
from tutti.site.mpi import Mpi
from tutti.tuning import candidates as catalogue
from tutti.tuning import deciding, evidence
from tutti.tuning.budget import Budget
from tutti.tuning.evidence import Cell, Gain, Gains, Sample, Store
from tutti.tuning.exploring import Exploring
from tutti.tuning.layout import Layout, Runner, measure
from tutti.tuning.model import Model
from tutti.tuning.surrogate import Surrogate

ENOUGH, MOST = 5, 15  # launches of a candidate: it may be known well after so many, and is measured no more after
MOST_IN_DOUBT = 30  # launches of what may be faster than native, and is not shown to be
WELL = 0.02  # the standard error (of a logarithm) of what is known well
FINEST = 1.5  # neighbouring sizes nearer than this are not divided
HOPE = 0.5  # standard errors that the next one to be measured is given in advance
IN_VAIN = 3  # times that looking wider found nothing better, after which there is no more of it


@dataclass
class Campaign:
    """One layout.  `allowed` names the candidates of a cell; without it, all that can serve and that `able` takes."""

    store: Store
    runner: Runner
    mpi: Mpi
    layout: Layout
    cells: list[Cell]
    seconds: float
    arrivals: Sequence[str] = ("",)
    states: Sequence[str] = (caches.COLD,)  # of caches
    tell: Callable[[str], None] = lambda text: None
    allowed: dict[Cell, list[str]] = field(default_factory=dict)
    able: Callable[[str, str], bool] = lambda collective, spec: True
    failures: list[str] = field(default_factory=list)
    launches: int = 0
    hopeless: bool = False  # the ranks of this layout do not come to measure
    _failed: dict[tuple[Cell, str], int] = field(default_factory=lambda: defaultdict(int))
    _leads: dict[Cell, float] = field(default_factory=dict)
    _in_vain: int = 0
    _known: tuple[int, Gains] = field(default_factory=lambda: (0, {}))

    def __post_init__(self) -> None:
        self.model = Model(self.layout)
        self.surrogate = Surrogate(self.model)
        self.exploring = Exploring(self.surrogate, self.layout)
        self.budget = Budget(
            self.store, self.layout, self.seconds, len(self.arrivals) * len(self.states), len(self.cells)
        )

    @property
    def left(self) -> float:
        return self.budget.left

    @property
    def dropped(self) -> dict[Cell, str]:
        return self.budget.dropped

    def known(self) -> Gains:
        """Worked out anew whenever there are more samples."""
        samples = self.store.of(self.layout)
        if self._known[0] != len(samples):
            self._known = len(samples), evidence.gains(samples)
        return self._known[1]

    # Who is measured.

    def specs(self, cell: Cell) -> list[str]:
        if cell in self.allowed:
            return self.allowed[cell]
        every = catalogue.candidates(cell.collective, self.layout, cell.size)
        return [spec for spec in every if self.able(cell.collective, spec)]

    def counts(self) -> dict[tuple[Cell, str], int]:
        samples = evidence.whole(self.store.of(self.layout))
        found = {key: len(of) for key, of in evidence.per_launch(samples).items()}
        return defaultdict(int, found)

    def promising(self, cell: Cell, known: Gains) -> list[str]:
        """In the order of promise: what was measured and not beaten, then what the model thinks well of."""
        bad = evidence.wrong(self.store.of(self.layout))
        every = [spec for spec in self.specs(cell) if (cell, spec) not in bad and self._failed[cell, spec] < 2]
        measured = {spec: gain for spec, gain in known.get(cell, {}).items() if spec in every}
        if cell in self.allowed:
            return every
        return self.exploring.promising(cell, every, measured)

    def learn(self) -> None:
        known = self.known()
        for collective in {cell.collective for cell in known}:
            times = {(spec, cell.size): gain.spec_us for cell, of in known.items() if cell.collective == collective
                     for spec, gain in of.items()}  # fmt: skip
            self.model.learn(collective, times)
            self.surrogate.learn(collective, known)

    # What comes next.

    def settled(self, cell: Cell, alive: Sequence[str], known: Gains, counts) -> bool:
        """All that are left have been measured often enough, or one leads beyond doubt."""
        of = known.get(cell, {})
        if any(spec not in of for spec in alive):
            return False
        if all(well_known(of[spec]) for spec in alive):
            return True
        if not alive:
            return True
        lead = max(alive, key=lambda spec: of[spec].mean)
        return (
            counts[cell, lead] >= 3
            and all(
                of[lead].mean - of[spec].mean > 1.96 * math.hypot(of[lead].error, of[spec].error)
                for spec in alive
                if spec != lead
            )
            and abs(of[lead].mean) > deciding.SURE * of[lead].error
            and not deciding.open_question(of[lead])
        )

    def assignment(self) -> dict[Cell, str]:
        """For each open cell the promising candidate with the fewest launches."""
        known, counts, found = self.known(), self.counts(), {}
        for cell in self.cells:
            if cell in self.dropped:
                continue
            alive = self.promising(cell, known)
            if alive and not self.settled(cell, alive, known, counts):
                found[cell] = self.next_of(alive, known.get(cell, {}))
        for cell in list(found):  # one rule of a launch serves all sizes of these
            if cell.collective in deciding.UNSIZED:
                first = next(other for other in found if other.collective == cell.collective)
                found[cell] = found[first]
        return found

    def next_of(self, alive: Sequence[str], of: Mapping[str, Gain]) -> str:
        """What has not been measured; else what may be the best by the largest margin: the leaders, until they are
        well known, and then those behind them."""
        fresh = [spec for spec in alive if spec not in of]
        if fresh:
            return fresh[0]
        open_ones = [spec for spec in alive if not well_known(of[spec])] or alive
        return max(open_ones, key=lambda spec: of[spec].mean + HOPE * of[spec].error)

    def refine(self) -> bool:
        """Sizes between neighbours whose winners differ; False where there is none to add."""
        known, added = self.known(), False
        for collective in {cell.collective for cell in self.cells} - set(deciding.UNSIZED):
            row = deciding.row_of(collective, known)
            for one, other in itertools.pairwise(row):
                first, last = one.cell.size, other.cell.size
                if one.spec == other.spec or first < 1 or last / first < FINEST**2:
                    continue
                size = between(first, last)
                cell = Cell(collective, size)
                if cell not in self.cells:
                    self.cells.append(cell)
                    able = set(self.specs(cell))
                    self.allowed[cell] = [spec for spec in (one.spec, other.spec) if spec in able]
                    added = True
        return added

    def widen(self) -> bool:
        """More candidates of each cell, unless that has found nothing better, time after time."""
        able = {cell: [gain.mean for gain in of.values() if not gain.slower_in] for cell, of in self.known().items()}
        leads = {cell: max(means) for cell, means in able.items() if means}
        before, self._leads = self._leads, leads
        better = any(mean > before.get(cell, -math.inf) + deciding.SLACK for cell, mean in leads.items())
        self._in_vain = 0 if better else self._in_vain + 1
        self.exploring.widen(self.known())
        return self._in_vain < IN_VAIN and bool(self.assignment())

    # Doing it.

    def run(self, refining: bool = True, widening: bool = True) -> None:
        """Until all is settled or the time is up.  Ctrl-C comes out of it; what is finished is in the store."""
        while self.left > 0:
            self.learn()
            wanted = self.assignment()
            if not wanted and not (refining and self.refine()) and not (widening and self.widen()):
                return
            launch = self.budget.fitting(wanted or self.assignment(), self.counts())
            if not launch:
                return
            self.tell(self.progress(len(wanted)))
            self.measure(self.shuffled(launch))
            if self.hopeless:
                return

    def shuffled(self, launch: dict[Cell, str]) -> dict[Cell, str]:
        """In another order in each launch: what a case leaves behind (connections that have become fast, warm caches)
        falls on another one."""
        order = list(launch)
        random.Random(self.launches).shuffle(order)
        return {cell: launch[cell] for cell in order}

    def progress(self, open_cells: int) -> str:
        chosen = [c for name in {cell.collective for cell in self.cells} for c in deciding.row_of(name, self.known())]
        better = [one.gain.mean for one in chosen if one.gain]
        mean = math.exp(sum(better) / len(better)) if better else 1.0
        found = f"{len(better)} of {len(self.cells)} sizes have something faster than native, {mean:.2f} times"
        return f"{self.layout}: launch {self.launches + 1}, {open_cells} sizes open, {found}"

    def measure(self, launch: dict[Cell, str]) -> None:
        """One launch; what came before a bad end is kept."""
        self.launches += 1
        self.budget.launched(launch)
        waiting, folder, before = dict(launch), self.store.file.parent, len(self.store.samples)
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", prefix="tutti-tune-", suffix=".toml", dir=folder) as file:
            file.write(profile_for(launch))
            file.flush()
            try:
                self.follow(str(Path(file.name).absolute()), launch, waiting)
            except LaunchFailed as failure:
                self.failures.append(f"{self.layout}: {failure}")
                self.hopeless = isinstance(failure, NeverStarted | Refused) and not self.store.of(self.layout)
                nothing = len(waiting) == len(launch) and len(self.store.samples) == before
                guilty = list(waiting) if nothing else list(waiting)[:1]
                for cell in guilty:
                    self._failed[cell, waiting[cell]] += 1

    def follow(self, profile: str, launch: dict[Cell, str], waiting: dict[Cell, str]) -> None:
        """Takes what comes.  Raises LaunchFailed."""
        number, began, pairs = uuid.uuid4().hex[:12], time.monotonic(), defaultdict(dict)
        each = {cell: with_arrivals(caches.with_states([case_of(cell)], self.states), self.arrivals) for cell in launch}
        cases = list(itertools.chain.from_iterable(each.values()))
        for timed in measure(self.runner, self.mpi, self.layout, cases, profile, self.budget.case):
            if not pairs:
                self.budget.started(time.monotonic() - began - timed.seconds)
            row = timed.result
            cell, kind = Cell(row["collective"], row["size"]), (row.get("arrival", ""), caches.of(row))
            both = pairs[cell, kind]
            both[row["variant"]] = row
            if len(both) == 2 and cell in launch:
                if sum(len(of) == 2 for (other, _), of in pairs.items() if other == cell) == len(each[cell]):
                    waiting.pop(cell)
                self.take(both, Sample(self.layout, cell, launch[cell], number, 0.0, 0.0, timed.seconds, 0, *kind))

    def take(self, both: dict[str, dict], sample: Sample) -> None:
        """The two variants of a case; what tutti had to leave to the MPI says nothing about the candidate."""
        ours, theirs = both["tutti"], both["native"]
        if ours["choice"] != sample.spec:
            self._failed[sample.cell, sample.spec] = 2
            return
        key = "mean_wait_us" if sample.arrival else "median_us"
        if all(row.get(key, 0) > 0 and row["repetitions"] for row in both.values()):
            self.store.add(replace(sample, native_us=theirs[key], spec_us=ours[key], wrong=ours.get("wrong", 0)))


def well_known(gain: Gain) -> bool:
    if deciding.open_question(gain):
        return gain.launches >= MOST_IN_DOUBT
    return gain.launches >= MOST or (gain.launches >= ENOUGH and gain.error <= WELL)


def case_of(cell: Cell) -> str:
    return cell.collective if cell.collective == "barrier" else f"{cell.collective}:{cell.size}"


def between(first: int, last: int) -> int:
    """A size about half-way by ratio, of whole doubles and no power of two."""
    size = max(8, round(math.sqrt(first * last) / 8) * 8)
    if size & (size - 1) == 0:
        size += max(8, size // 64 * 8)
    return size if first < size < last else (first + last) // 2


def profile_for(launch: dict[Cell, str]) -> str:
    """Rules for one launch: each size gets its candidate, and no other call anything but native."""
    parts = ["schema = 1\n"]
    for cell, spec in launch.items():
        size = "" if cell.collective in deciding.UNSIZED else f'size = "{cell.size}"\n'
        parts.append(f'[[rule]]\ncollective = "{cell.collective}"\nuse = "{spec}"\n{size}')
    return "\n".join(parts)
