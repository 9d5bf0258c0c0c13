"""tutti simulate: what algorithms take on a machine that is described, by events."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from tutti import core, options
from tutti.bench.arrival import PATTERNS
from tutti.errors import UserError
from tutti.output import Column
from tutti.simulation import machine as machines
from tutti.simulation import programs, schedule_files, timeline
from tutti.study.show import ROOTED


def times(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


COLUMNS = [
    Column("spec", "algorithm"),
    Column("bytes", "size", right=True, text=options.format_size),
    Column("seconds", "us", right=True, text=programs.micro),
    Column("over_bound", "x bound", right=True, text=times),
    Column("messages", "messages", right=True),
    Column("moved", "bytes", right=True),
    Column("between", "between nodes", right=True),
    Column("parts", "the longest path", text=programs.parts_text),
]


@dataclass(frozen=True)
class Cell:
    """One call: an algorithm and a size."""

    spec: str
    bytes: int


@dataclass(frozen=True)
class Wanted:
    """What is the same for all cells."""

    collective: str
    machine: dict[str, Any]
    root: int
    arrival: str
    skew: float
    fold: bool
    trace: bool
    threads: int


def simulate(wanted: Wanted, cell: Cell) -> dict[str, Any]:
    """A row of the result.  Raises UserError."""
    began = time.monotonic()
    try:
        found = core.load().simulate(
            wanted.collective,
            cell.spec,
            wanted.machine,
            wanted.root,
            cell.bytes,
            wanted.arrival,
            wanted.skew,
            wanted.fold,
            wanted.trace,
            wanted.threads,
        )
        bound = core.load().least_time(wanted.collective, wanted.machine, wanted.root, cell.bytes)
    except (ValueError, RuntimeError) as error:
        text = str(error)
        raise UserError(text if cell.spec in text else f"{cell.spec}: {text}") from None
    except MemoryError:
        raise UserError(f"{cell.spec}: not enough memory for so many ranks and messages") from None
    elapsed = time.monotonic() - began
    within = found["messages"] - found["messages_between"]
    return {
        "collective": wanted.collective,
        "spec": cell.spec,
        "machine": wanted.machine["name"],
        "nodes": wanted.machine["nodes"],
        "ppn": wanted.machine["per_node"],
        "bytes": cell.bytes,
        "seconds": found["seconds"],
        "bound": bound,
        "over_bound": found["seconds"] / bound if bound else None,
        "messages": found["messages"],
        "messages_within": within,
        "moved": found["bytes"],
        "between": found["bytes_between"],
        "within": found["bytes"] - found["bytes_between"],
        "parts": found["parts"],
        "last_rank": found["last_rank"],
        "last_entry": found["last_entry"],
        "first_exit": found["first_exit"],
        "fold": found["fold"],
        "simulated_ranks": found["simulated_ranks"],
        "elapsed": round(elapsed, 3),
        "events": found["events"],
    }


def run(wanted: Wanted, cells: list[Cell], workers: int, advance) -> Iterator[dict[str, Any]]:
    """Rows in the order of the cells, several cells at a time."""
    rows: dict[int, dict[str, Any]] = {}
    following = 0
    with ThreadPoolExecutor(workers) as pool:
        futures = {pool.submit(simulate, wanted, cell): place for place, cell in enumerate(cells)}
        try:
            for future in as_completed(futures):
                rows[futures[future]] = future.result()
                advance()
                while following in rows:
                    yield rows.pop(following)
                    following += 1
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def all_algorithms(collective: str, machine: dict[str, Any]) -> tuple[str, ...]:
    """The catalogue's that run there."""
    ranks = machine["nodes"] * machine["per_node"]
    return tuple(a.name for a in core.load().catalogue() if a.collective == collective and not a.obstacle(ranks))


def check(collective: str, specs: tuple[str, ...], machine: dict[str, Any], root: int) -> None:
    ranks = machine["nodes"] * machine["per_node"]
    if root and collective not in ROOTED:
        raise UserError(f"--root {root}: {collective} has no root")
    if root >= ranks:
        raise UserError(f"--root {root}: ranks go from 0 to {ranks - 1}")
    for spec in specs:
        try:
            core.load().parse_spec(spec, collective)
        except ValueError as error:
            raise UserError(f"{spec}: {error}") from None


@click.command(
    "simulate",
    epilog=options.example(
        "tutti simulate allreduce ring rabenseifner -m 64x16 -s 1K:1M:32",
        "tutti simulate allreduce 'node(rabenseifner, senders=4)' -m fat-tree -s 64K",
        "tutti simulate bcast binomial -m 8x1 -s 4K --set between.latency=2us --timeline bcast.json",
        "tutti simulate allgather ring -m 8x4 -s 1K --write ring.goal   (.bin: binary; .ti: for SimGrid)",
        "tutti simulate --goal ring.goal -m fat-tree@8x4",
    ),
)
@click.argument("collective", required=False)
@click.argument("specs", metavar="[SPEC]...", nargs=-1)
@click.option("-m", "machine", metavar="MACHINE", help="NODESxPPN, a name, FILE.toml, or NAME@NODESxPPN.")
@options.sizes(default="8")
@click.option("--root", metavar="R", type=click.IntRange(min=0), default=0, show_default=True, help="Root.")
@click.option("--set", "settings", metavar="FIELD=VALUE", multiple=True, help="Change a field of the machine.")
@click.option("--arrival", type=click.Choice(PATTERNS), default="none", help="Who comes late.  [default: none]")
@click.option("--skew", metavar="TIME", default="0", help="Between the first rank's entry and the last's: 20us.")
@click.option("--full", is_flag=True, help="Simulate every rank, also where one stands for others.")
@click.option(
    "--timeline", "file", metavar="FILE", type=click.Path(dir_okay=False), help="Write what ranks do, for Perfetto."
)
@click.option(
    "--goal", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path), help="Simulate a program in GOAL."
)
@click.option(
    "--write",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write the schedule, and simulate nothing: .goal, .bin (GOAL), .ti (a folder for SimGrid).",
)
@click.option(
    "--max-size", metavar="SIZE", default="10G", show_default=True, help="The largest file that --write makes."
)
@options.output
def command(collective, specs, machine, root, sizes, settings, arrival, skew, full, file, goal, write, max_size, out):
    """Simulate algorithms of a COLLECTIVE on a machine that is described: each SPEC, or all that run there.

    Messages take the times of LogGOPS (docs/simulation.md).  The machine is nodes times ranks on each, such as 64x16,
    with the network of `cluster`; a name (cluster, ethernet, fat-tree, dragonfly); or a file.

    `x bound` is the time over a lower bound for every algorithm; bytes are those of messages.  Where all ranks do the
    same, one of them, or those of one node, is simulated for all (--full: none is).

    --write makes a file that LogGOPSim, ATLAHS or SimGrid run; --goal runs one of the first two (text or binary).
    """
    described = programs.machine_for(machine, settings, needed=not (goal and write))
    target = programs.target(write, max_size)
    if goal:
        programs.refuse_others({"COLLECTIVE": collective, "--root": root, "--skew": skew != "0", "--full": full})
        programs.run(goal, described, file, target, out)
        return
    if not collective:
        raise UserError("name a COLLECTIVE, or a program with --goal FILE (tutti simulate --help)")
    collective = core.check_collective(collective)
    specs = specs or all_algorithms(collective, described)
    check(collective, specs, described, root)
    try:
        late = machines.seconds(skew)
    except ValueError as error:
        raise UserError(f"--skew {error}") from None
    if (late > 0) != (arrival != "none"):
        raise UserError("--arrival says who comes late, --skew by how much: give both")
    cells = [Cell(spec, size) for size in (sizes if collective != "barrier" else [0]) for spec in specs]
    if (file or write) and len(cells) != 1:
        raise UserError(f"{'--write' if write else '--timeline'}: of one algorithm and one size")
    if target:
        call = (collective, cells[0].spec, described, root, cells[0].bytes)
        schedule_files.write_call(
            lambda what: getattr(core.load(), what)(*call), described, *target, out, cells[0].spec
        )
        return
    processors = len(os.sched_getaffinity(0))
    workers = min(len(cells), processors)
    wanted = Wanted(
        collective, described, root, arrival, late, not full and not file, bool(file), processors // workers
    )
    rows = []
    with out.progress() as progress:
        task = progress.add_task(f"simulating {collective}", total=len(cells))
        for row in run(wanted, cells, workers, lambda: progress.advance(task)):
            rows.append(row)
            if out.json:
                out.object({key: value for key, value in row.items() if key != "events"})
    if file:
        timeline.write(file, rows[0], described, out)
    if not out.json:
        title = f"{collective} on {described['name']}, {described['nodes']} x {described['per_node']} ranks"
        out.rows(rows, COLUMNS, title)
        folded = sorted({row["simulated_ranks"] for row in rows if row["fold"]})
        if folded:
            out.detail(f"folded: {folded[0]} ranks stand for all")
