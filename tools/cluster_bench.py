"""Launches of tutti-bench over an emulated cluster, kept in a file; and what the wire allows."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cluster import Cluster, ClusterError
from tutti import paths
from tutti.bench.launch import as_event, bench_words, library_of
from tutti.results import comparison
from tutti.results.comparison import Cell
from tutti.site import mpi


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
