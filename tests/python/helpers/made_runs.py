"""Runs that were never measured: times drawn at random, written by the project's own writers, samples and all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tutti.results import runs, samples


@dataclass(frozen=True)
class Made:
    """What to make.  A call's time is some base, plus a part that grows with the size; tutti's is `gain` times less."""

    collectives: Sequence[str] = ("bcast", "allreduce")
    sizes: Sequence[int] = (8, 1024, 65536)
    ranks: Sequence[int] = (4,)
    launches: int = 5
    repetitions: int = 40
    variants: Sequence[str] = ("tutti", "native")
    gain: float = 2.0
    noise: float = 0.05  # of a repetition; a launch's is a fifth of it
    arrivals: Sequence[str] = ("",)
    states: Sequence[str] = ("cold",)  # of caches; a warm call takes two thirds of a cold one's time
    slower: str = ""  # a state in which tutti takes twice native's time
    nodes: int = 1
    seed: int = 1
    title: str = "MPICH 5.0.2"
    timeouts: int = 0  # of a cell's repetitions in a launch, so many waited for TCP

    def cases(self):
        for name in self.collectives:
            for size in [0] if name == "barrier" else self.sizes:
                for arrival in self.arrivals:
                    for state in self.states if name != "barrier" else ("",):
                        yield name, size, arrival, state


def gain_at(made: Made, size: int) -> float:
    """All of it for small calls, and less and less for large ones, down to a little loss."""
    return max(0.9, made.gain * (1 - np.log2(max(size, 1)) / 24))


def samples_of(made: Made, size: int, ranks: int, variant: str, arrival: str, state: str, random) -> tuple:
    """(begin, end) in seconds, repetitions by ranks; a few repetitions are hit by something slow."""
    native = (0.4 + size / 4000) * np.log2(ranks + 1) * (2e-6 / 3 if state == "warm" else 1e-6)
    gain = 0.5 if state and state == made.slower else gain_at(made, size)
    mean = native if variant != "tutti" else native / gain
    level = mean * random.normal(1, made.noise / 5)
    shape = (made.repetitions, ranks)
    took = level * random.gamma(20, 1 / 20, shape) ** (made.noise * 4) + 0.02 * level * np.arange(ranks)
    took[random.random(made.repetitions) < 0.01] *= 1 + random.gamma(2, 2)
    took[: made.timeouts] += 0.2
    late = 2 * native * np.linspace(0, 1, ranks) if arrival else random.random(shape) * 0.02 * native
    begin = 1 + np.arange(made.repetitions)[:, None] * 20 * native + late
    return begin, begin + took


def result(made: Made, launch: int, ranks: int, case: tuple[str, int, str, str], variant: str, cell: int, us) -> dict:
    name, size, arrival, state = case
    ordered = np.sort(us)
    half = int(np.ceil(0.98 * np.sqrt(len(us))))
    middle = len(us) // 2
    low, high = ordered[max(0, middle - half)], ordered[min(len(us) - 1, middle + half)]
    row = {
        "launch": launch, "collective": name, "size": size, "ranks": ranks, "variant": variant,
        "choice": "node" if variant == "tutti" else "", "repetitions": len(us), "batch": 1, "late": 0, "wrong": 0,
        "median_us": float(np.median(us)), "ci_low": float(low), "ci_high": float(high), "cell": cell,
    }  # fmt: skip
    if state:
        row |= {"cache": state}
    if arrival:
        row |= {"arrival": arrival, "skew_us": 2.0, "apart_us": 2.0, "mean_wait_us": 1.5, "total_us": 3.0,
                "imbalance_factor": 4.0}  # fmt: skip
    if made.timeouts:
        row |= {"tcp_timeouts": 2 * made.timeouts, "tcp_retransmissions": 9, "tcp_timed_out": made.timeouts}
    return row


def waits(begin: np.ndarray, end: np.ndarray) -> dict:
    """Under an arrival pattern: as of a call that nobody need wait in, whose own data cost a tenth of the stay."""
    earliest = begin + 0.1 * (end - begin)
    left = 1e6 * (end - earliest).sum(axis=1)
    usual = int(np.argsort(left)[len(left) // 2])
    first = begin[usual].min()
    moments = {name: (1e6 * (column[usual] - first)).tolist()
               for name, column in (("arrival_us", begin), ("exit_us", end), ("earliest_us", earliest))}  # fmt: skip
    stay = {"repetition": usual, "last_arrival_us": max(moments["arrival_us"]), "ranks": list(range(begin.shape[1]))}
    return {"avoidable_us": float(np.median(left)), "avoidable_error_us": 0.01, "own_copy_us": {"8": 0.01},
            "stay": stay | moments}  # fmt: skip


def write_launch(made: Made, writer: runs.RunWriter, launch: int, ranks: int, random) -> None:
    """One launch: its results, and a raw file a rank."""
    every: list[np.ndarray] = []
    cell = 0
    for case in made.cases():
        _, size, arrival, state = case
        for variant in made.variants:
            begin, end = samples_of(made, size, ranks, variant, arrival, state, random)
            us = 1e6 * ((end.max(1) - begin.max(1)) if arrival else (end - begin).max(1))
            more = waits(begin, end) if arrival else {}
            writer.add(result(made, launch, ranks, case, variant, cell, us) | more)
            part = np.zeros((ranks, made.repetitions), samples.RECORD)
            part["cell"], part["repetition"] = cell, np.arange(made.repetitions)
            part["begin"], part["end"] = begin.T, end.T
            every.append(part)
            cell += 1
    folder = writer.raw(launch, ranks)
    folder.mkdir(parents=True)
    for rank, rows in enumerate(np.concatenate(every, axis=1)):
        (folder / f"rank-{rank:05}.bin").write_bytes(samples.HEADING + rows.tobytes())


def make(folder: Path, made: Made | None = None, **more) -> Path:
    """Writes a run, and gives its folder.  `more`: fields of Made."""
    made = made or Made(**more)
    random = np.random.default_rng(made.seed)
    clock = [{"source": "raw", "method": "shared", "when": when, "error_us": 0.02, "uncertainty_us": 0.05}
             for when in ("start", "end")]  # fmt: skip
    launches = [
        {"launch": launch, "ranks": ranks, "sync": "flags", "clock": clock,
         "nodes": [rank * made.nodes // ranks for rank in range(ranks)]}
        for launch in range(1, made.launches + 1) for ranks in made.ranks
    ]  # fmt: skip
    environment = {
        "date": "2026-01-01 12:00:00 +0000", "command": "tutti bench <made up>", "launches": launches,
        "machine": {"cpu": "A & B", "cpus": 4, "kernel": "6.1", "memory_gib": 16.0, "load_before": 0.1},
        "mpi": {"title": made.title, "library": "libmpi.so"},
        "settings": {"launches": made.launches, "seconds": 0.5, "base": "native",
                     "caches": list(made.states), "check": True},
    }  # fmt: skip
    with runs.RunWriter(folder, environment) as writer:
        for launch in range(1, made.launches + 1):
            for ranks in made.ranks:
                write_launch(made, writer, launch, ranks, random)
    return folder
