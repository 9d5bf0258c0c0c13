"""Retransmission time-outs among samples: on TCP, a lost packet can make a call 200 ms longer, or a multiple of that.

A sender that hears nothing of what it sent waits for its retransmission time-out, at least 200 ms on Linux
(TCP_RTO_MIN), and twice as long when that is lost too.  Such calls are clusters far above the others; a mean over them
is no call's time.  The kernel counts them itself (TCPTimeouts), which says whether clusters are what they look like.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tutti.bench.table import case_text, microseconds
from tutti.output import Column, Output
from tutti.results import caches, sample_cells

RTO_US = 200_000.0  # the least time-out on Linux
NEARLY = 0.9  # a time-out begins when the segment was sent, which the call may have overlapped with other work


COLUMNS = [
    Column("case", "case"),
    Column("ranks", "ranks", right=True),
    Column("variant", "variant"),
    Column("samples", "samples", right=True),
    Column("timed_out", "timed out", right=True),
    Column("share", "share", right=True, text=lambda share: f"{100 * share:.2g} %"),
    Column("mean_us", "mean µs", right=True, text=microseconds),
    Column("mean_without_us", "without them", right=True, text=microseconds),
    Column(
        "clusters", "later than usual by", text=lambda found: ", ".join(f"{late}: {n}" for late, n in found.items())
    ),
    Column("kernel_timed_out", "by the kernel", right=True),
    Column("kernel_timeouts", "kernel's time-outs", right=True),
    Column("kernel_retransmissions", "retransmissions", right=True),
]


@dataclass(frozen=True)
class Outliers:
    """Samples of one case and variant (microseconds)."""

    samples: int
    timed_out: int
    usual_us: float  # median of the others
    mean_us: float
    mean_without_us: float  # of the others
    clusters: tuple[tuple[int, int], ...]  # (200, 17): 17 samples about 200 ms above the usual time

    @property
    def share(self) -> float:
        return self.timed_out / self.samples


def outliers(samples: Sequence[float] | np.ndarray) -> Outliers | None:
    """None without samples.  The usual time: of the samples that lie less than half a time-out above the least."""
    times = np.asarray(samples, float)
    if not len(times):
        return None
    usual = float(np.median(times[times < times.min() + RTO_US / 2]))
    late = times >= usual + NEARLY * RTO_US
    waits = np.maximum(1, np.round((times[late] - usual) / RTO_US)).astype(int)
    sizes, counts = np.unique(waits, return_counts=True)
    clusters = tuple((200 * int(size), int(count)) for size, count in zip(sizes, counts, strict=True))
    return Outliers(len(times), int(late.sum()), usual, float(times.mean()), float(times[~late].mean()), clusters)


def rows(times: Mapping[tuple, np.ndarray], results: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """One row for each case in which samples timed out, or the kernel counted time-outs.

    `times`: of sample_cells.load_times, by (launch, ranks, size, collective, variant, arrival, cache).
    `kernel_timed_out` counts calls during which a node's kernel counted a time-out; the kernel's own sums are of all
    variants together.
    """
    samples: dict[tuple, list[np.ndarray]] = defaultdict(list)
    for (_, ranks, size, collective, variant, arrival, state), column in times.items():
        samples[ranks, collective, size, arrival, state, variant].append(column)
    counted: dict[tuple, dict[int, tuple[int, int]]] = defaultdict(dict)
    calls: dict[tuple, int] = defaultdict(int)
    for result in results:
        place = (result["ranks"], result["collective"], result["size"])
        case = (*place, result.get("arrival", ""), caches.of(result))
        calls[(*case, result["variant"])] += result.get("tcp_timed_out", 0)
        if "tcp_timeouts" in result:  # the same on the lines of both variants
            counted[case][result["launch"]] = (result["tcp_timeouts"], result["tcp_retransmissions"])
    found = []
    for (*case, variant), columns in samples.items():
        seen = outliers(np.concatenate(columns))
        kernel = [sum(column) for column in zip(*counted[tuple(case)].values(), strict=True)] or [None, None]
        if seen and (seen.timed_out or kernel[0]):
            found.append(row(case, variant, seen, kernel) | {"kernel_timed_out": calls[(*case, variant)]})
    return found


def row(case: Sequence, variant: str, seen: Outliers, kernel: Sequence[int | None]) -> dict[str, Any]:
    ranks, collective, size, arrival, state = case
    return {
        "ranks": ranks,
        "collective": collective,
        "size": size,
        "arrival": arrival,
        "cache": state,
        "variant": variant,
        "samples": seen.samples,
        "timed_out": seen.timed_out,
        "share": seen.share,
        "usual_us": seen.usual_us,
        "mean_us": seen.mean_us,
        "mean_without_us": seen.mean_without_us,
        "clusters": {f"+{late} ms": count for late, count in seen.clusters},
        "kernel_timeouts": kernel[0],
        "kernel_retransmissions": kernel[1],
    }


def suspected(results: Iterable[Mapping[str, Any]]) -> bool:
    """Whether the samples are worth a look: the kernel counted time-outs, or a sample is as long as with one."""
    return any(
        result.get("tcp_timeouts") or result.get("max", 0) >= result.get("min", 0) + NEARLY * RTO_US
        for result in results
    )


def show(folder: Path, results: Sequence[Mapping[str, Any]], out: Output) -> None:
    """A table, where samples timed out."""
    if not suspected(results):
        return
    found = rows(sample_cells.load_times(folder), results)
    if out.json:
        for each in found:
            out.object({"timeouts": each})
    elif found:
        out.rows([each | {"case": case_text(each)} for each in found], COLUMNS, title="retransmission time-outs")
        out.line()
