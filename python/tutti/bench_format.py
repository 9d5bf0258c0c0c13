"""Times in the layouts of the Intel MPI Benchmarks and of the OSU micro-benchmarks, from the samples of a run."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tutti.comparison import COLLECTIVES
from tutti.output import Output

FORMATS = ("imb", "osu")


@dataclass(frozen=True)
class Line:
    """One size: of each rank's mean time the least, the largest and the mean over ranks; medians of the launches."""

    size: int
    repetitions: int
    least: float
    most: float
    mean: float


def of_launch(cell: Mapping[str, np.ndarray], batch: int) -> tuple[int, float, float, float]:
    """(repetitions, least, most, mean) of one launch."""
    ranks, place = np.unique(cell["rank"], return_inverse=True)
    spent = np.bincount(place, cell["end_us"] - cell["begin_us"]) / np.bincount(place) / batch
    return len(cell["rank"]) // len(ranks), spent.min(), spent.max(), spent.mean()


def lines(samples: Mapping[str, np.ndarray]) -> dict[tuple[str, str, int], list[Line]]:
    """By (variant, collective, ranks), sizes rising.  Repetitions for which a rank was late are as good as others: what
    a rank spends in its own call is asked for."""
    if not samples:
        return {}
    found: dict[tuple[str, str, int], list[Line]] = defaultdict(list)
    names = ("variant", "collective", "ranks", "size")
    for key in sorted(set(zip(*(samples[name].tolist() for name in names), strict=True))):
        chosen = np.logical_and.reduce([samples[name] == value for name, value in zip(names, key, strict=True)])
        cell = {name: column[chosen] for name, column in samples.items()}
        launches = [
            of_launch({name: column[cell["launch"] == launch] for name, column in cell.items()}, cell["batch"][0])
            for launch in np.unique(cell["launch"])
        ]
        counts, *times = np.median(np.array(launches), axis=0)
        found[key[:3]].append(Line(key[3], int(counts), *(float(time) for time in times)))
    return dict(found)


def imb_title(collective: str) -> str:
    return collective.capitalize()


def imb(variant: str, collective: str, ranks: int, table: Sequence[Line]) -> list[str]:
    """As IMB-MPI1 prints a collective."""
    rule = "#" + "-" * 64
    head = [rule, f"# Benchmarking {imb_title(collective)} ", f"# #processes = {ranks} ", f"# ({variant})", rule]
    columns = "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]"
    if collective == "barrier":
        body = [f"{row.repetitions:>13} {row.least:>12.2f} {row.most:>12.2f} {row.mean:>12.2f}" for row in table]
        return [*head, columns.replace("       #bytes ", " "), *body, ""]
    body = [
        f"{row.size:>13} {row.repetitions:>12} {row.least:>12.2f} {row.most:>12.2f} {row.mean:>12.2f}" for row in table
    ]
    return [*head, columns, *body, ""]


def osu_size(collective: str, ranks: int, size: int) -> int:
    """The OSU benchmarks count reduce_scatter_block's whole vector, tutti a block."""
    return size * ranks if collective == "reduce_scatter_block" else size


def osu(variant: str, collective: str, ranks: int, table: Sequence[Line]) -> list[str]:
    """As the OSU micro-benchmarks print a collective with `-f`."""
    head = [f"# OSU MPI {imb_title(collective)} Latency Test, {ranks} ranks ({variant})"]
    if collective == "barrier":
        columns = "# Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations"
        body = [f"{row.mean:>17.2f} {row.least:>17.2f} {row.most:>17.2f} {row.repetitions:>11}" for row in table]
        return [*head, columns, *body, ""]
    columns = "# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations"
    body = [
        f"{osu_size(collective, ranks, row.size):<10} {row.mean:>17.2f} {row.least:>17.2f} {row.most:>17.2f} "
        f"{row.repetitions:>11}"
        for row in table
    ]
    return [*head, columns, *body, ""]


def print_as(layout: str, samples: Mapping[str, np.ndarray], out: Output) -> None:
    """Every number of ranks, collective and variant, one block each."""

    def place(block: tuple[str, str, int]) -> tuple:
        variant, collective, ranks = block
        return ranks, COLLECTIVES.index(collective), variant

    found = lines(samples)
    for variant, collective, ranks in sorted(found, key=place):
        table = found[variant, collective, ranks]
        for line in (imb if layout == "imb" else osu)(variant, collective, ranks, table):
            out.line(line)
