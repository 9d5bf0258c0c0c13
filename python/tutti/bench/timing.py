"""How a measurement keeps time: its clock, and how ranks begin together.  What `tutti bench --clock-check` prints."""

from __future__ import annotations

import functools
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import click

from tutti.bench.launch import Launch, LaunchFailed, Taken, bench_command, library_of
from tutti.errors import UserError
from tutti.output import Column, Output
from tutti.site.mpi import Mpi

SYNCS = ("auto", "round", "flags", "messages", "barrier")
SOURCES = ("auto", "raw", "monotonic", "cycles", "wtime")


@dataclass(frozen=True)
class Timing:
    """The options of tutti-bench of the same names."""

    sync: str = "auto"
    clock: str = "auto"
    clock_source: str = "auto"
    clock_seconds: float = 0.5

    def as_others_do(self) -> Timing:
        """IMB and OSU read MPI_Wtime, which takes another time than a clock of our own does."""
        by_wtime = self.sync == "barrier" and self.clock_source == "auto"
        return replace(self, clock_source="wtime") if by_wtime else self

    def words(self) -> list[str]:
        return [
            *("--sync", self.sync),
            *("--clock", self.clock),
            *("--clock-source", self.clock_source),
            *("--clock-seconds", str(self.clock_seconds)),
        ]


def options(command):
    """--sync, --clock, --clock-source, --clock-seconds: the command gets them as one Timing named `timing`."""

    @click.option(
        "--sync",
        type=click.Choice(SYNCS),
        default="auto",
        show_default=True,
        help="How ranks begin together: at a moment of the global clock (round), at shared flags (one node), after "
        "messages of the benchmark's own, or after the MPI's barrier, as IMB and OSU have it.",
    )
    @click.option(
        "--clock",
        type=click.Choice(["auto", "hca3"]),
        default="auto",
        show_default=True,
        help="hca3: synchronise clocks also where all ranks read one machine's.",
    )
    @click.option(
        "--clock-source", type=click.Choice(SOURCES), default="auto", show_default=True, help="The clock that is read."
    )
    @click.option(
        "--clock-seconds",
        type=click.FloatRange(min=0, min_open=True),
        default=0.5,
        show_default=True,
        help="How long a rank learns another one's clock.",
    )
    @functools.wraps(command)
    def with_timing(*args, sync, clock, clock_source, clock_seconds, **kwargs):
        return command(*args, timing=Timing(sync, clock, clock_source, clock_seconds), **kwargs)

    return with_timing


def clock_text(reports: Sequence[Mapping[str, Any]]) -> str:
    """One line about the clock of a launch, from its checks."""
    if not reports:
        return ""
    first = reports[0]
    how = "one clock for all ranks" if first["method"] == "shared" else "synchronised by HCA3"
    errors = ", ".join(f"{report['error_us']:.3g} µs at the {report['when']}" for report in reports)
    unsure = max(report["uncertainty_us"] for report in reports)
    return f"{first['source']}, {how}; residual error {errors} (known to ±{unsure:.3g} µs)"


COLUMNS = (
    Column("ranks", "ranks", right=True),
    Column("rank", "rank", right=True),
    Column("when", "when"),
    Column("source", "clock"),
    Column("method", "method"),
    Column("offset_us", "offset µs", right=True, text=lambda value: f"{value:.3f}"),
    Column("drift_ppm", "drift ppm", right=True, text=lambda value: f"{value:.3f}"),
    Column("drift_within_ppm", "± ppm", right=True, text=lambda value: f"{value:.3f}"),
    Column("error_us", "error µs", right=True, text=lambda value: f"{value:.3f}"),
    Column("uncertainty_us", "± µs", right=True, text=lambda value: f"{value:.3f}"),
    Column("second_us", "one-way error µs", right=True, text=lambda value: f"{value:.3f}"),
    Column("known_us", "true error µs", right=True, text=lambda value: "-" if value is None else f"{value:.3f}"),
)


def check_clock(chosen: Mpi, ranks: Sequence[int], seconds: float, timing: Timing, out: Output, **starting: Any) -> int:
    """Synchronises the ranks' clocks, and prints how far they are apart then and some seconds later."""
    rows: list[dict[str, Any]] = []
    for count in ranks:
        command = bench_command(
            chosen,
            library_of(chosen),
            ranks=count,
            variants=("native", "again"),
            timing=[*timing.words(), "--clock-check", str(seconds)],
            cases=(),
            **starting,
        )
        out.detail(shlex.join(command))
        try:
            taken = Taken(chosen, library_of(chosen), count, starting.get("launcher", "mpiexec"))
            for event in Launch(command, chosen.environment(), out.warn, taken=taken):
                for each in event.get("ranks", []) if event["event"] == "clock" else []:
                    shared = {key: event[key] for key in ("when", "source", "method", "clock_ns")}
                    rows.append({"ranks": count, **shared, **each})
        except LaunchFailed as failure:
            raise UserError(f"{count} ranks: {failure}") from None
    out.rows(rows, COLUMNS, title=f"{chosen.title}: the ranks' clocks beside rank 0's")
    return 0
