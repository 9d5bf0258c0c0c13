"""Launches of tutti-bench over an emulated cluster, kept in a file; and from many of them the rules of a profile."""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cluster import Cluster, ClusterError
from tutti import comparison, mpi, paths
from tutti.bench_launch import as_event, bench_words, library_of
from tutti.comparison import Cell
from tutti.options import format_size

# What is tried: for each collective what suits short calls between the nodes, and long ones; {ppn}: every rank sends.
CANDIDATES = {
    "barrier": ("node(dissemination)",),
    "bcast": (
        "node(binomial)",
        "node(flat)",
        "node(pipelined_chain(segment=32K))",
        "node(pipelined_chain(segment=32K), senders=2)",
    ),
    "reduce": ("node(binomial)", "node(linear)", "node(chain, senders={ppn})", "node(rabenseifner, senders={ppn})"),
    "allreduce": ("node(recursive_doubling)", "node(rabenseifner)", "node(ring, senders={ppn})"),
    "allgather": ("node(recursive_doubling)", "node(bruck)", "node(ring, senders={ppn})"),
    "alltoall": ("node(bruck)", "node(pairwise)", "node(pairwise, senders={ppn})", "staggered(window=4)"),
    "reduce_scatter_block": (
        "node(pairwise)",
        "node(recursive_halving)",
        "node(ring, senders={ppn})",
        "node(ring, senders={ppn}, overlap=512K)",
    ),
}
GAIN = 1.03  # what a spec must win over native, or over the spec of the size below, before it takes its place


@dataclass(frozen=True)
class Wire:
    """Nodes with as many ranks each, on links of `rate` bits a second each way."""

    nodes: int
    per_node: int
    rate: float

    def seconds(self, collective: str, size: int) -> float:
        """The least that the line takes: what must leave or enter a node, at what TCP brings over it (frames of 1538
        bytes on the line carry 1448).  `size` in bytes, as users know it.  0 where nothing but a signal crosses."""
        ranks, others = self.nodes * self.per_node, (self.nodes - 1) * self.per_node
        loads = {
            "bcast": 1,
            "reduce": 1,
            "allreduce": 2 * (self.nodes - 1) / self.nodes,
            "allgather": others,
            "gather": others,
            "scatter": others,
            "alltoall": self.per_node * others,
            "reduce_scatter_block": others,
            "reduce_scatter": others / ranks,
            "scan": 1,
            "exscan": 1,
        }
        return loads.get(collective, 0) * size * 8 / (self.rate * 1448 / 1538)


@dataclass(frozen=True)
class Setup:
    """What a launch is of."""

    mpi: str
    variants: str = "tutti,native"
    profile: Path | None = None
    seconds: float = 1.0


class Launches:
    """A file of launches, a line each; what it has is not measured again."""

    def __init__(self, file: Path):
        self.file = file
        self.known: dict[str, dict] = {}
        if file.exists():
            self.known = {line["key"]: line for text in file.read_text().splitlines() if (line := json.loads(text))}

    def add(self, line: dict) -> dict:
        self.known[line["key"]] = line
        self.file.parent.mkdir(parents=True, exist_ok=True)
        with self.file.open("a") as out:
            out.write(json.dumps(line) + "\n")
        return line


def launch(
    cluster: Cluster, per_node: int, setup: Setup, settings: Mapping[str, str], cases: Sequence[str], limit: float
) -> tuple[list[dict], dict[str, int]]:
    """Results, and what the network counted meanwhile.  Raises ClusterError where the ranks ended badly."""
    chosen = mpi.find(setup.mpi)
    settings = dict(settings) | ({"TUTTI_PROFILE": str(setup.profile.resolve())} if setup.profile else {})
    variants = setup.variants.split(",")
    program = bench_words(chosen, library_of(chosen), variants=variants, seconds=setup.seconds, cases=cases)
    done = cluster.run(
        setup.mpi, per_node=per_node, program=program, preload=paths.library(), settings=settings, seconds=limit
    )
    lines = done.output.splitlines()
    results = [event for line in lines if (event := as_event(line)) and event["event"] == "result"]
    if done.status or len(results) < len(cases):
        said = [line for line in lines if not as_event(line)]
        raise ClusterError(f"{setup.mpi}: status {done.status}: {' / '.join(said[-3:])}")
    return results, done.total.facts()


def cells(lines: Iterable[Mapping]) -> list[Cell]:
    """Of launches of the same thing."""
    results = []
    for number, line in enumerate(lines):
        results += [result | {"launch": number} for result in line["results"]]
    return comparison.cells(results)


@dataclass(frozen=True)
class Chosen:
    """Of one size."""

    spec: str
    gain: float  # native's time over the spec's
    others: dict[str, float]  # of all that were tried


def best(by_spec: Mapping[str, Mapping[int, Cell]], sizes: Sequence[int]) -> dict[int, Chosen]:
    """For each size the fastest spec; that of the size below unless another gains something over it; native where none
    gains.  Launches find their ranks in other places, so native's time is the median of all launches'."""
    chosen: dict[int, Chosen] = {}
    last = "native"
    for size in sizes:
        of = {spec: cells[size] for spec, cells in by_spec.items() if size in cells and cells[size].ratio}
        if not of:
            chosen[size] = Chosen("native", 1.0, {})
            continue
        native = statistics.median([cell.base_us for cell in of.values()])
        gains = {spec: native / cell.contender_us for spec, cell in of.items() if not cell.wrong} | {"native": 1.0}
        spec = max(gains, key=gains.__getitem__)
        if last in gains and gains[last] * GAIN >= gains[spec]:
            spec = last
        if gains[spec] < GAIN:
            spec = "native"
        chosen[size] = Chosen(spec, gains[spec], gains)
        last = spec
    return chosen


def rules(collective: str, chosen: Mapping[int, Chosen], where: str) -> list[str]:
    """Rules of a profile, for sizes up to half-way (by ratio) to the next one that another spec serves."""
    sizes = sorted(chosen)
    parts, first = [], 0
    for i, size in enumerate(sizes):
        spec = chosen[size].spec
        more = sizes[i + 1] if i + 1 < len(sizes) else None
        if more and chosen[more].spec == spec:
            continue
        end = "" if more is None else str(int((size * more) ** 0.5))
        of = [(at, chosen[at].gain) for at in sizes if first <= at <= size]
        gained = ", ".join(f"{format_size(at)} x {gain:.2f}" for at, gain in of)
        because = "nothing tried was faster" if spec == "native" else f"faster than native: {gained}"
        size_key = "" if collective == "barrier" else f'size = "{first}:{end}"\n'
        parts.append(f'[[rule]]\ncollective = "{collective}"\nuse = "{spec}"\n{where}{size_key}because = "{because}"\n')
        first = int(end or 0) + 1
    return parts
