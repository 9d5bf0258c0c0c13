"""What simulated ranks did, in the JSON of Chrome's tracing, which Perfetto reads: a process a node, a thread a rank,
an arrow a message."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tutti.errors import UserError
from tutti.output import Output

WORDS = {"reduce": "combine", "node": "phase in the node", "wait": "wait", "calc": "compute"}


def node_of(machine: dict[str, Any], rank: int) -> int:
    return rank % machine["nodes"] if machine["cyclic"] else rank // machine["per_node"]


def names(machine: dict[str, Any], ranks: list[int]) -> Iterator[dict[str, Any]]:
    """Of nodes and ranks."""
    for node in sorted({node_of(machine, rank) for rank in ranks}):
        yield {"ph": "M", "name": "process_name", "pid": node, "args": {"name": f"node {node}"}}
    for rank in ranks:
        place = {"pid": node_of(machine, rank), "tid": rank}
        yield {"ph": "M", "name": "thread_name", **place, "args": {"name": f"rank {rank}"}}


def span(machine: dict[str, Any], event: tuple) -> dict[str, Any]:
    kind, rank, peer, step, size, begin, end = event
    name = f"{kind} {peer}" if kind in ("send", "receive") else WORDS.get(kind, kind)
    return {
        "ph": "X",
        "name": name,
        "cat": kind,
        "pid": node_of(machine, rank),
        "tid": rank,
        "ts": 1e6 * begin,
        "dur": 1e6 * (end - begin),
        "args": {"step": step, "bytes": size},
    }


def arrow(machine: dict[str, Any], number: int, event: tuple) -> list[dict[str, Any]]:
    """A message's flight; its two ends lie within the spans of the ranks."""
    _, rank, peer, step, size, begin, end = event
    same = {"cat": "message", "name": "message", "id": number, "args": {"step": step, "bytes": size}}
    return [
        {"ph": "s", "pid": node_of(machine, rank), "tid": rank, "ts": 1e6 * begin, **same},
        {"ph": "f", "bp": "e", "pid": node_of(machine, peer), "tid": peer, "ts": 1e6 * end, **same},
    ]


def perfetto(row: dict[str, Any], machine: dict[str, Any]) -> dict[str, Any]:
    """The whole file; times are microseconds."""
    events = row["events"]
    per_leader = max(1, machine["nodes"] * machine["per_node"] // row["simulated_ranks"])
    seats = machine if per_leader == 1 else machine | {"per_node": machine["per_node"] // per_leader, "cyclic": False}
    ranks = sorted({event[1] for event in events} | {event[2] for event in events if event[2] >= 0})
    all_of_them = list(names(seats, ranks))
    for number, event in enumerate(events):
        all_of_them += arrow(seats, number, event) if event[0] == "flight" else [span(seats, event)]
    facts = {
        key: row[key] for key in ("collective", "spec", "machine", "nodes", "ppn", "bytes", "seconds") if key in row
    }
    return {"displayTimeUnit": "ns", "otherData": facts, "traceEvents": all_of_them}


def write(file: str, row: dict[str, Any], machine: dict[str, Any], out: Output) -> None:
    """Raises UserError where the file cannot be written."""
    try:
        Path(file).write_text(json.dumps(perfetto(row, machine)))
    except OSError as error:
        raise UserError(f"--timeline {file}: {error.strerror.lower()}") from None
    out.note(f"wrote {file}: open it in ui.perfetto.dev")
