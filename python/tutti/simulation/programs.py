"""Programs in GOAL: simulated on a machine, or written in the other form."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tutti import options
from tutti.errors import UserError
from tutti.output import Column, Output
from tutti.simulation import machine as machines
from tutti.simulation import schedule_files, timeline


def micro(value: float) -> str:
    return f"{1e6 * value:.2f}"


def parts_text(parts: Mapping[str, float]) -> str:
    """The longest path, largest part first: latency 61 %, transfer 30 %."""
    total = sum(parts.values())
    shares = sorted(((value / total, name) for name, value in parts.items() if total and value), reverse=True)
    return ", ".join(f"{name} {100 * share:.0f} %" for share, name in shares if share >= 0.005)


COLUMNS = [
    Column("program", "program"),
    Column("ranks", "ranks", right=True),
    Column("seconds", "us", right=True, text=micro),
    Column("last_rank", "the last rank", right=True),
    Column("messages", "messages", right=True),
    Column("moved", "bytes", right=True),
    Column("between", "between nodes", right=True),
    Column("parts", "the longest path", text=parts_text),
]


def machine_for(text: str | None, settings: tuple[str, ...], needed: bool) -> dict[str, Any]:
    """The machine; none where a program is only written in another form.  Raises UserError."""
    if text is None:
        if needed:
            raise UserError("missing option '-m': NODESxPPN, a name or a file (tutti simulate --help)")
        return {}
    return machines.load(text, settings)


def target(write: Path | None, max_size: str) -> tuple[Path, int] | None:
    """Where to write, and how much at most.  Raises UserError."""
    if write is None:
        return None
    schedule_files.kind_of(write)
    try:
        return write, options.parse_size(max_size)
    except ValueError as error:
        raise UserError(f"--max-size {error}") from None


def refuse_others(given: Mapping[str, Any]) -> None:
    """Options that say nothing of a program.  Raises UserError."""
    for name, value in given.items():
        if value:
            raise UserError(f"{name} says nothing of a program that is given with --goal: leave it out")


def row_of(file: Path, goal: Any, machine: dict[str, Any], trace: bool) -> dict[str, Any]:
    """What simulating it says.  Raises UserError."""
    began = time.monotonic()
    try:
        found = goal.simulate(machine, trace)
    except (ValueError, RuntimeError) as error:
        raise UserError(f"{file}: {error}") from None
    except MemoryError:
        raise UserError(f"{file}: not enough memory for so many ranks and messages") from None
    return {
        "program": str(file),
        "ranks": goal.ranks,
        "machine": machine["name"],
        "nodes": machine["nodes"],
        "ppn": machine["per_node"],
        "seconds": found["seconds"],
        "last_rank": found["last_rank"],
        "first_exit": found["first_exit"],
        "messages": found["messages"],
        "moved": found["bytes"],
        "between": found["bytes_between"],
        "parts": found["parts"],
        "elapsed": round(time.monotonic() - began, 3),
        "simulated_ranks": machine["nodes"] * machine["per_node"],
        "events": found["events"],
    }


def run(
    file: Path, machine: dict[str, Any], pictured: str | None, wanted: tuple[Path, int] | None, out: Output
) -> None:
    """Simulates it, or writes it where `wanted`.  Raises UserError."""
    goal = schedule_files.read_goal(file)
    if wanted:
        place, most = wanted
        if schedule_files.kind_of(place) == ".ti":
            raise UserError(f"--write {place}: SimGrid's traces are written of a COLLECTIVE's schedules alone")
        schedule_files.write_goal(goal, place, most, out)
        return
    row = row_of(file, goal, machine, bool(pictured))
    if goal.ranks < row["simulated_ranks"]:
        out.note(f"{row['simulated_ranks'] - goal.ranks} ranks of the machine have nothing to do")
    if pictured:
        timeline.write(pictured, row, machine, out)
    row.pop("events"), row.pop("simulated_ranks")
    title = f"{file} on {row['machine']}, {row['nodes']} x {row['ppn']} ranks"
    out.rows([row], COLUMNS, title)
