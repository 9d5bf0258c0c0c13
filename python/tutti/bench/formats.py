"""Times in the layouts of the Intel MPI Benchmarks and of the OSU micro-benchmarks, from the samples of a run."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tutti.bench.subjects import has_no_size
from tutti.output import Output
from tutti.results.comparison import order_of

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


IMB_TITLES = {"pingpong": "PingPong", "pingping": "PingPing"}
ONE_WAY = ("pingpong", "pingping")  # whose time is that of one message


def imb_title(subject: str) -> str:
    return IMB_TITLES.get(subject, subject.capitalize())


@dataclass(frozen=True)
class Sent:
    """Messages of a pattern at one size."""

    rounds: int
    volume: int  # bytes of all


def imb_messages(variant: str, pattern: str, ranks: int, table: Sequence[tuple[Line, Sent]]) -> list[str]:
    """As IMB-MPI1 prints point-to-point benchmarks: MB/s of one message where that is timed, else of all that a rank
    sends and receives.  Ranks that are idle do not count."""
    one_way = pattern in ONE_WAY
    times = "      t[usec]" if one_way else "  t_min[usec]  t_max[usec]  t_avg[usec]"
    rule = "#" + "-" * 64
    head = [rule, f"# Benchmarking {imb_title(pattern)} ", f"# #processes = {ranks} ", f"# ({variant})", rule]
    body = []
    for row, sent in table:
        time = row.most / sent.rounds if one_way else row.most
        values = [time] if one_way else [row.least, row.most, row.mean]
        rate = (row.size if one_way else 2 * sent.volume / ranks) / time
        cells = "".join(f" {value:>12.2f}" for value in [*values, rate])
        body.append(f"{row.size:>13} {row.repetitions:>12}{cells}")
    return [*head, f"       #bytes #repetitions{times}   Mbytes/sec", *body, ""]


def osu_messages(variant: str, pattern: str, ranks: int, table: Sequence[tuple[Line, Sent]]) -> list[str]:
    """As OSU prints point-to-point latencies: microseconds of a round."""
    head = [f"# OSU MPI {imb_title(pattern)} Latency Test, {ranks} ranks ({variant})", "# Size          Latency (us)"]
    return [*head, *(f"{row.size:<10} {row.most / sent.rounds:>18.2f}" for row, sent in table), ""]


def imb(variant: str, collective: str, ranks: int, table: Sequence[Line]) -> list[str]:
    """As IMB-MPI1 prints a collective."""
    rule = "#" + "-" * 64
    head = [rule, f"# Benchmarking {imb_title(collective)} ", f"# #processes = {ranks} ", f"# ({variant})", rule]
    columns = "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]"
    if has_no_size(collective):
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
    if has_no_size(collective):
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


def print_as(layout: str, samples: Mapping[str, np.ndarray], results: Sequence[Mapping[str, Any]], out: Output) -> None:
    """Every number of ranks, subject and variant, one block each."""

    def place(block: tuple[str, str, int]) -> tuple:
        variant, collective, ranks = block
        return ranks, order_of(collective), collective, variant

    sent = {(r["collective"], r["ranks"], r["size"]): Sent(r["rounds"], r["volume"]) for r in results if "rounds" in r}
    found = lines(samples)
    for variant, collective, ranks in sorted(found, key=place):
        table = found[variant, collective, ranks]
        beside = [(row, sent.get((collective, ranks, row.size))) for row in table]
        if all(each for _, each in beside):
            block = (imb_messages if layout == "imb" else osu_messages)(variant, collective, ranks, beside)
        else:
            block = (imb if layout == "imb" else osu)(variant, collective, ranks, table)
        for line in block:
            out.line(line)
