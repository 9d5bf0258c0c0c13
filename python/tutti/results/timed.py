"""From where to where the time of a repetition runs: one definition a table.

Ranks that begin at one moment are timed together, from the first one's beginning to the last one's end; so are calls
that nobody can leave early, of ranks that share CPUs.  Else the slowest rank's own time counts; and where ranks are
made to come one after the other, what the last one makes the others wait.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

SLOWEST, TOGETHER, AFTER_LAST = "slowest_rank", "first_to_last", "after_last_arrival"  # as tutti-bench says it
TEXTS = {  # after "time"
    SLOWEST: "of the slowest rank alone",
    TOGETHER: "from the first rank's beginning to the last one's end",
    AFTER_LAST: "from the last arrival to the last exit",
}
# Which nobody can leave before all have entered.
SYNCHRONISING = ("barrier", "allgather", "allgatherv", "alltoall", "alltoallv", "alltoallw", "allreduce",
                 "reduce_scatter", "reduce_scatter_block")  # fmt: skip


def of(row: Mapping[str, Any], sync: str = "") -> str:
    """As a result says it; one of an earlier tutti-bench, as it followed from how ranks began."""
    if said := row.get("timed"):
        return said
    if row.get("arrival"):
        return AFTER_LAST
    call = row["collective"].partition("(")[0]
    return TOGETHER if sync == "round" or (sync == "flags" and call in SYNCHRONISING) else SLOWEST


def said_by_all(results: Iterable[dict[str, Any]], launches: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Results that say it themselves; `launches` knows how ranks began."""
    syncs = {(launch.get("launch"), launch.get("ranks")): launch.get("sync", "") for launch in launches}
    return [row | {"timed": of(row, syncs.get((row.get("launch"), row.get("ranks")), ""))} for row in results]


def text(definitions: Iterable[str]) -> str:
    """In words; of several, where launches began in different ways, each."""
    return " or ".join(TEXTS.get(name, name) for name in sorted(set(definitions)))
