"""Table 6.7 of Hamid's thesis: two releases of one MPI beside each other, in turns launch by launch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tutti.bench import variants
from tutti.bench.run import Bench
from tutti.options import format_size
from tutti.report.html import Value, section, table, times
from tutti.results import statistics
from tutti.site.mpi import Mpi, fetched_prefix, named
from tutti.study.reproduce import changeovers, networks

TITLE = "Hamid 2008, table 6.7: one release of an MPI beside another"
NOTE = (
    "Averages as the pictures' (medians of the slowest rank), launches of both in turns. The ratio is the earlier "
    "release's time over the later one's, with its 95 % interval over launches; faster and slower is the later one. "
    "With more ranks than cores they tell most of all which release lets others have the core while it waits. The "
    "thesis compared MPICH 1.2.6 with MPICH2 1.0.4, for broadcast on Ethernet."
)
COLLECTIVES = tuple(changeovers.ALGORITHMS)
SIZES = (64, 1024, 16384, 262144)
EARLIER = "mpich4"  # as tools/fetch.py calls it


def ranks_for(network: networks.Network, cpus: int) -> Sequence[int]:
    """All of a cluster; here, up to two a core: with more, a library that never yields tells of the scheduler."""
    if network.name == "own":
        return network.ranks
    return [count for count in network.ranks if count <= 2 * cpus] or network.ranks[:1]


def earlier_release(chosen: Mpi) -> Mpi | None:
    """The one that the build fetched, if it is of the same MPI and another release."""
    if chosen.name != "mpich" or fetched_prefix(EARLIER) is None:
        return None
    other = named(EARLIER)
    return other if other.version != chosen.version else None


@dataclass(frozen=True)
class Releases:
    """Both releases on one network; the earlier one first."""

    title: str
    earlier: Bench
    later: Bench

    def rows(self) -> Iterator[dict]:
        """Of the later release; those that have both."""
        results = {bench.mpi.title: bench.results for bench in (self.earlier, self.later)}
        found = variants.rows(results)
        before = {(row["case"], row["ranks"], row["calls"]): row["time_us"] for row in found if not row["ratio"]}
        for row in found:
            if row["calls"] == "native" and row["ratio"]:
                yield row | {"before_us": before[row["case"], row["ranks"], row["calls"]]}


def microseconds(value: float) -> Value:
    return times(value, f"{value:.3g}" if value < 1000 else f"{value:.0f}")


def listed(releases: Releases) -> list[list[Value | str]]:
    return [
        [
            releases.title, row["collective"], Value(format_size(row["size"]), row["size"], "number"),
            Value(str(row["ranks"]), looks="number"), microseconds(row["before_us"]), microseconds(row["time_us"]),
            times(row["ratio"], f"{row['ratio']:.2f}"), row["bounds"], row["verdict"],
        ]
        for row in releases.rows()
    ]  # fmt: skip


def summary(places: Sequence[Releases]) -> str:
    """How the two compare over all."""
    rows = [row for place in places for row in place.rows()]
    verdicts = Counter(row["verdict"] for row in rows)
    later, earlier = places[0].later.mpi.title, places[0].earlier.mpi.title
    mean = statistics.geometric_mean([row["ratio"] for row in rows])
    return (
        f"{later} is faster than {earlier} in {verdicts['faster']} of {len(rows)} cells and slower in "
        f"{verdicts['slower']}; geometric mean of the ratios {mean:.2f}"
    )


def part(places: Sequence[Releases]) -> str:
    """Nothing where nothing was measured."""
    rows = [row for place in places for row in listed(place)]
    if not rows:
        return ""
    head: list[Value | str] = ["network", "collective", Value("size", looks="number"), Value("ranks", looks="number")]
    head += [Value(f"{bench.mpi.title}, µs", looks="number") for bench in (places[0].earlier, places[0].later)]
    head += [Value("ratio", looks="number"), "95 % interval", "the later one"]
    return section("versions", TITLE, table("versions", summary(places), head, rows), NOTE)
