"""tutti bench --imbalance: how far apart ranks come after perfectly balanced work, inside nodes and between them."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tutti.bench import environment
from tutti.bench.launch import Launch, LaunchFailed, Taken, bench_command, library_of
from tutti.bench.timing import Timing, clock_text
from tutti.errors import UserError
from tutti.output import Column, Output
from tutti.results.runs import ENVIRONMENT
from tutti.site.mpi import Mpi

FILE = "imbalance.jsonl"
PARTS = (
    ("all", "all ranks: the last after the first"),
    ("inside", "inside nodes: the node where that is most"),
    ("between", "between nodes: their first ranks"),
)


def text(value: float) -> str:
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"


COLUMNS = (
    Column("ranks", "ranks", right=True),
    Column("nodes", "nodes", right=True),
    Column("spread", "spread of"),
    Column("median_us", "median µs", right=True, text=text),
    Column("bounds", "95 % interval", right=True),
    Column("p90", "90 %", right=True, text=text),
    Column("p99", "99 %", right=True, text=text),
    Column("max", "max µs", right=True, text=text),
    Column("part", "of the work", right=True, text=lambda value: f"{100 * value:.2g} %"),
)


def rows(found: Mapping[str, Any]) -> list[dict[str, Any]]:
    """A row for all ranks, inside nodes and between them."""
    return [
        {
            **{key: found[key] for key in ("launch", "ranks", "nodes", "work_us", "repetitions")},
            "spread": title,
            **found[part],
            "bounds": f"{text(found[part]['ci_low'])} .. {text(found[part]['ci_high'])}",
            "part": found[part]["median_us"] / found["work_us"],
        }
        for part, title in PARTS
        if part != "between" or found["nodes"] > 1
    ]


class Balanced:
    """Starts the balanced program as often as asked, and saves what came out as it comes."""

    def __init__(self, chosen: Mpi, out: Output, folder: Path, timing: Timing, work: float, seconds: float):
        if (folder / FILE).exists():
            raise UserError(f"{folder} holds a run already: name another folder with -o")
        self.mpi, self.out, self.folder, self.timing = chosen, out, folder, timing
        self.work, self.seconds = work, seconds
        settings = {"imbalance": work, "seconds": seconds}
        self.environment = environment.describe(chosen, library_of(chosen), settings)
        self.found: list[dict[str, Any]] = []

    def launch(self, number: int, ranks: int, **starting: Any) -> None:
        """Raises UserError where it ends badly."""
        command = bench_command(
            self.mpi,
            library_of(self.mpi),
            ranks=ranks,
            variants=("native", "again"),
            cases=(),
            seconds=self.seconds,
            timing=[*self.timing.words(), "--imbalance", str(self.work)],
            **starting,
        )
        self.out.detail(shlex.join(command))
        launch: dict[str, Any] = {"launch": number, "command": command}
        self.environment["launches"].append(launch)
        try:
            taken = Taken(self.mpi, library_of(self.mpi), ranks, starting.get("launcher", "mpiexec"))
            for event in Launch(command, self.mpi.environment(), self.out.warn, taken=taken):
                kind = event.pop("event")
                if kind == "environment":
                    launch.update(event)
                elif kind == "clock":
                    launch.setdefault("clock", []).append(event)
                elif kind == "imbalance":
                    self.found.append({"launch": number, **event})
        except LaunchFailed as failure:
            raise UserError(f"{ranks} ranks: {failure}") from None
        self.save()

    def save(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / FILE).write_text("".join(json.dumps(each) + "\n" for each in self.found))
        (self.folder / ENVIRONMENT).write_text(json.dumps(self.environment, indent=2, ensure_ascii=False) + "\n")


def measure(balanced: Balanced, ranks: Sequence[int], launches: int, **starting: Any) -> int:
    """Prints a table for each launch and number of ranks."""
    out = balanced.out
    for number in range(1, launches + 1):
        for count in ranks:
            balanced.launch(number, count, **starting)
            title = f"{balanced.mpi.title}: after {1e3 * balanced.work:g} ms of balanced work, launch {number}"
            out.rows(rows(balanced.found[-1]), COLUMNS, title=title)
            out.line()
    clock = balanced.environment["launches"][-1].get("clock", [])
    out.note(f"clock: {clock_text(clock)}")
    out.note(f"results in {balanced.folder}")
    return 0
