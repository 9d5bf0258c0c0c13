"""The papers' formulas as printed, beside what the schedules come to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tutti import core
from tutti.errors import UserError
from tutti.output import Column

SEGMENTS = 4

COLUMNS = [
    Column("source", "source"),
    Column("spec", "algorithm"),
    Column("printed", "as printed"),
    Column("formula", "rounds, bytes"),
    Column("schedule", "counted"),
    Column("counted", "agrees with the schedules"),
    Column("remark", "remark"),
]


def pair(rounds: float, moved: float) -> str:
    return f"{rounds:.4g}, {moved:.6g}"


def near_root(ranks: int) -> int:
    """The divisor of so many ranks that is nearest to their root."""
    return min((d for d in range(1, ranks + 1) if ranks % d == 0), key=lambda d: abs(d - ranks**0.5))


def rows(collective: str | None, ranks: int, size: int) -> Iterator[dict[str, Any]]:
    """For that number of ranks and size (bytes of the vector or of a block), in 4 segments and about sqrt(p) groups."""
    if ranks > 1024:
        raise UserError(f"--formulas counts schedules of up to 1024 ranks, and not of {ranks}")
    groups = near_root(ranks)
    for row in core.load().equations():
        if collective not in (None, row["collective"]):
            continue
        whole = size if row["collective"] == "bcast" else size * ranks
        spec = row["spec"].replace("G,", f"{groups},")
        found: dict[str, Any] = {
            **row,
            "kind": "formula",
            "of": row["kind"],
            "ranks": ranks,
            "size": size,
            "groups": groups,
        }
        found |= {"spec": spec, "rounds": None, "moved": None, "counted_rounds": None, "counted_moved": None}
        if row["kind"] == "cost":
            said = core.load().evaluate_formula(row["printed"], ranks, whole, SEGMENTS, groups)
            cut = f"(segment={max(256, -(-size // SEGMENTS))})"
            runs = spec.replace("pipelined_chain", f"pipelined_chain{cut}").replace(
                "split_binary", f"split_binary{cut}"
            )
            cost = core.load().schedule_cost(row["collective"], runs, ranks, bytes=size)
            found |= {"rounds": said[0], "moved": said[1], "counted_rounds": cost.rounds, "counted_moved": cost.moved}
            found |= {"formula": pair(said[0], said[1]), "schedule": pair(cost.rounds, cost.moved)}
        yield found
