"""Runs as a report sees them: measurements of any number of variants, their cells, and who is fastest in each."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from tutti.options import format_size
from tutti.results import caches, comparison, statistics, timed
from tutti.results.comparison import Key
from tutti.results.runs import Run
from tutti.results.statistics import Estimate, Interval

FEW = 3  # launches below which an interval over launches says nothing
SCARCE = 30  # repetitions of all launches together, below which a median is no headline
VAGUE = 10  # nor is a ratio whose interval's ends are this many times apart
NULL = "again"


def slug(*words: object) -> str:
    """Words as part of a figure's and of a file's name: empty ones left out, what is no letter or digit a dash."""
    return "-".join(re.sub(r"[^\w.]+", "-", str(word)).strip("-") for word in words if str(word))


@dataclass(frozen=True)
class Time:
    """One variant in one cell; `us` is the geometric mean of the launches' medians.

    `band` is its 95 % interval over launches; of fewer than three, what the launches' own intervals span.
    """

    us: float
    band: Interval
    launches: Mapping[tuple[int, int], Mapping[str, Any]]  # results by (run, launch)
    choice: str = ""

    def sum(self, name: str) -> int:
        return sum(row.get(name, 0) for row in self.launches.values())

    def mean(self, name: str) -> float | None:
        return comparison.mean_of(list(self.launches.values()), name)


@dataclass(frozen=True)
class Cell:
    """One collective at one size, number of ranks and arrival, in one state of caches."""

    key: Key
    times: Mapping[str, Time]
    ratios: Mapping[str, Estimate]  # of the base's time over each other variant's
    wrong: int
    run: int  # of the measurement's runs, which one it is from
    state: str = ""  # of caches, where that does not go without saying

    def verdict(self, variant: str) -> str:
        if self.wrong:
            return "wrong"
        ratio = self.ratios.get(variant)
        return statistics.verdict(ratio.interval) if ratio else ""

    @property
    def scarce(self) -> bool:
        """Too few repetitions to speak of."""
        return any(time.sum("repetitions") < SCARCE for time in self.times.values())

    @property
    def timed(self) -> str:
        """From where to where its times run, in words."""
        return timed.text(timed.of(row) for time in self.times.values() for row in time.launches.values())

    @property
    def size_text(self) -> str:
        return "" if self.key.collective == "barrier" else format_size(self.key.size)

    @property
    def name(self) -> str:
        """As a reader says it: bcast 64K, 8 ranks, last_late 2x, warm."""
        ranks = f"{self.key.ranks} {'rank' if self.key.ranks == 1 else 'ranks'}"
        call = f"{self.key.collective} {self.size_text}".strip()
        return ", ".join(filter(None, (call, ranks, self.key.arrival, self.state)))

    @property
    def slug(self) -> str:
        """As a figure's name has it: bcast-64K-8, bcast-64K-8-last_late-2x-warm."""
        return slug(self.key.collective, self.size_text, self.key.ranks, self.key.arrival, unusual(self.key.cache))

    @cached_property
    def fastest(self) -> tuple[str, ...]:
        """The fastest variant, and those that are not surely slower than it: that count as the same."""
        best = min(self.times, key=lambda name: self.times[name].us)
        found = []
        for name, time in self.times.items():
            ratio = comparison.ratio_of(time.launches, self.times[best].launches) if name != best else None
            if not ratio or statistics.verdict(ratio.interval) != "faster":
                found.append(name)
        return tuple(found)


@dataclass(frozen=True)
class Setting:
    """In what circumstances cells that stand together were measured."""

    ranks: int
    arrival: str
    cache: str  # empty where none of them has buffers

    @property
    def words(self) -> tuple[object, ...]:
        """As part of a figure's name."""
        return self.ranks, self.arrival, unusual(self.cache)


def unusual(state: str) -> str:
    """A state of caches as names of figures have it: cold goes without saying."""
    return "" if state == caches.COLD else state


@dataclass(frozen=True)
class Measurement:
    """Runs of one MPI on one machine whose cells do not overlap, read as one."""

    title: str
    base: str
    variants: list[str]  # the base first
    runs: list[Run]
    cells: list[Cell] = field(default_factory=list)

    @property
    def contenders(self) -> list[str]:
        return [name for name in self.variants if name != self.base]

    @property
    def null(self) -> bool:
        return self.contenders == [NULL]

    @property
    def states(self) -> list[str]:
        """Of caches, in which cells were measured; [''] where no cell has buffers."""
        return states_of(self.cells)

    @property
    def settings(self) -> list[Setting]:
        """In the order of the cells."""
        both = dict.fromkeys((cell.key.ranks, cell.key.arrival) for cell in self.cells)
        return [Setting(*place, state) for place in both for state in states_of(self.of(*place))]

    def of(
        self, ranks: int | None = None, arrival: str | None = None, collective: str | None = None,
        cache: str | None = None,
    ) -> list[Cell]:  # fmt: skip
        """`cache`: with the cells that have no buffers, which count in every state."""
        return [
            cell
            for cell in self.cells
            if (ranks is None or cell.key.ranks == ranks)
            and (arrival is None or cell.key.arrival == arrival)
            and (collective is None or cell.key.collective == collective)
            and (cache is None or cell.key.cache in ("", cache))
        ]

    @property
    def lines(self) -> list[tuple[str, str]]:
        """(arrival, state of caches): what is the same along a line of time against ranks."""
        return list(dict.fromkeys((setting.arrival, setting.cache) for setting in self.settings))

    def at(self, setting: Setting) -> list[Cell]:
        return self.of(setting.ranks, setting.arrival, cache=setting.cache)

    @property
    def launches(self) -> list[int]:
        """The numbers of launches behind cells' ratios, rising."""
        return sorted({ratio.launches for cell in self.cells for ratio in cell.ratios.values()})

    def crowded(self, ranks: int) -> int | None:
        """CPUs of a node that has more ranks than CPUs; None where each has one, or nobody knows."""
        for run in self.runs:
            cpus = (run.environment.get("machine") or {}).get("cpus")
            for launch in run.environment.get("launches") or []:
                if launch.get("ranks") == ranks and cpus:
                    nodes = launch.get("nodes") or [0] * ranks
                    return cpus if max(nodes.count(node) for node in set(nodes)) > cpus else None
            if cpus and ranks > cpus:
                return cpus
        return None

    @property
    def layouts(self) -> list[int]:
        """Numbers of ranks: those first that have a CPU each."""
        return sorted({cell.key.ranks for cell in self.cells}, key=lambda ranks: (bool(self.crowded(ranks)), ranks))

    def mean_ratio(self, variant: str, cells: Sequence[Cell]) -> tuple[Estimate, int] | None:
        """Geometric mean of base over variant, and of how many cells: in each launch of those cells that have the most
        launches, then over these.  (A launch moves all its cells, so cells do not count as evidence of their own.)
        """
        most = max((cell.ratios[variant].launches for cell in cells if variant in cell.ratios), default=0)
        cells = [cell for cell in cells if variant in cell.ratios and cell.ratios[variant].launches == most]
        ratios: dict[int, list[float]] = defaultdict(list)
        for cell in cells:
            base, other = cell.times[self.base].launches, cell.times[variant].launches
            for number, at in enumerate(sorted(base.keys() & other.keys())):
                ratios[number].append(base[at]["median_us"] / other[at]["median_us"])
        whole = [statistics.geometric_mean(values) for values in ratios.values()]
        return (statistics.over_launches(whole), len(cells)) if whole else None


def states_of(cells: Sequence[Cell]) -> list[str]:
    return caches.ordered(cell.key.cache for cell in cells) or [""]


def band_of(rows: Sequence[Mapping[str, Any]]) -> Interval:
    if len(rows) >= FEW:
        return statistics.over_launches([row["median_us"] for row in rows]).interval
    return comparison.spread(rows) or Interval(0, 0)


def time_of(rows: Mapping[tuple[int, int], Mapping[str, Any]]) -> Time:
    listed = list(rows.values())
    choice = next((row["choice"] for row in listed if row.get("choice")), "")
    return Time(comparison.time_of(listed) or 0.0, band_of(listed), rows, choice)


def cells_of(runs: Sequence[Run], base: str) -> list[Cell]:
    """Every cell of the runs, in the order of Key."""
    found: dict[Key, dict[str, dict]] = defaultdict(lambda: defaultdict(dict))
    wrong: dict[Key, int] = defaultdict(int)
    home: dict[Key, int] = {}
    for number, run in enumerate(runs):
        for row in run.results:
            key = comparison.key_of(row)
            home.setdefault(key, number)
            wrong[key] += row.get("wrong", 0)
            if comparison.usable(row):
                found[key][row["variant"]][number, row["launch"]] = row
    cells = []
    for key in sorted(found):
        by_variant = found[key]
        order = sorted(by_variant, key=lambda name: name != base)
        times = {name: time_of(by_variant[name]) for name in order}
        ratios = {}
        for name in order:
            if name != base and (ratio := comparison.ratio_of(by_variant.get(base, {}), by_variant[name])):
                ratios[name] = ratio
        cells.append(Cell(key, times, ratios, wrong[key], home[key]))
    several = len(states_of(cells)) > 1
    return [replace(cell, state=cell.key.cache if several else unusual(cell.key.cache)) for cell in cells]


def base_of(run: Run) -> str:
    """What the others are compared with: what the run says, else native."""
    variants = list(dict.fromkeys(row["variant"] for row in run.results))
    said = (run.environment.get("settings") or {}).get("base")
    return next((name for name in (said, "native") if name in variants), variants[0] if variants else "native")


def title_of(run: Run) -> str:
    return (run.environment.get("mpi") or {}).get("title") or run.folder.name


def measurements(runs: Sequence[Run]) -> list[Measurement]:
    """Runs that go together, together.  A second run of the same cells is a measurement of its own."""
    groups: list[tuple[tuple, set, list[Run]]] = []
    for run in runs:
        machine = run.environment.get("machine") or {}
        about = (title_of(run), machine.get("host"), machine.get("cpu"), base_of(run), "again" in variants_of([run]))
        keys = {comparison.key_of(row) for row in run.results}
        for known, taken, group in groups:
            if known == about and not taken & keys and keys:
                taken |= keys
                group.append(run)
                break
        else:
            groups.append((about, set(keys), [run]))
    titles = [title_of(group[0]) for _, _, group in groups]
    found = []
    for (_, _, group), title in zip(groups, titles, strict=True):
        if titles.count(title) > 1:
            title = f"{title} ({', '.join(run.folder.name for run in group)})"
        base = base_of(group[0])
        variants = sorted(variants_of(group), key=lambda name: name != base)
        found.append(Measurement(title, base, variants, group, cells_of(group, base)))
    return found


def variants_of(runs: Sequence[Run]) -> list[str]:
    return list(dict.fromkeys(row["variant"] for run in runs for row in run.results))
